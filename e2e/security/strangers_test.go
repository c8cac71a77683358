//go:build unix

package security

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
)

// TestStrangersAtFewDescriptors: a daemon that may open few files lets its owner in at once too, past strangers
// who come to the port as fast as they can; the socket, where none can come, does not even notice.
func TestStrangersAtFewDescriptors(t *testing.T) {
	for _, limit := range []int{64, 256} {
		t.Run(strconv.Itoa(limit), func(t *testing.T) {
			h := newHouse(t)
			few(h, limit)
			client, host := h.tcp()
			for range 4 {
				go besiege(t, [2]string{"tcp", host})
			}
			auth := http.Header{"Authorization": {"Bearer " + h.Boot.Token}}
			for range 8 {
				if status, _, body := knock(t, client, "GET", "http://"+host+"/v1/ping", "", auth); status != 200 {
					t.Fatalf("tcp: the owner gets %d: %s", status, body)
				}
			}
			client, host = h.unix()
			for range 20 {
				began := time.Now()
				status, _, body := knock(t, client, "GET", "http://"+host+"/v1/ping", "", auth)
				if took := time.Since(began); status != 200 || took > testtime.Within(time.Second) {
					t.Fatalf("socket: the owner gets %d after %v: %s", status, took, body)
				}
			}
			if out, code := h.run("daemon", "status"); code != 0 {
				t.Errorf("status: %s", out)
			}
		})
	}
}

// few starts a daemon that may open so many files.
func few(h *house, limit int) {
	h.T.Helper()
	cmd := exec.CommandContext(h.T.Context(), "sh", "-c", fmt.Sprintf("ulimit -n %d && exec %s daemon start", limit, binary))
	cmd.Env, cmd.Dir = h.Env, h.Work
	if out, err := cmd.CombinedOutput(); err != nil {
		h.T.Fatalf("%v: %s", err, out)
	}
	h.Start()
}

// besiege connects again and again, says a little, and stays, until the test ends.
func besiege(t *testing.T, at [2]string) {
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			_ = c.Close()
		}
	}()
	for t.Context().Err() == nil {
		c, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(t.Context(), at[0], at[1])
		if err != nil {
			continue
		}
		_, _ = io.WriteString(c, "GET /v1/ping HTTP/1.1\r\nHo")
		if conns = append(conns, c); len(conns) > 100 {
			_ = conns[0].Close()
			conns = conns[1:]
		}
	}
}

// TestIdleEndDespiteStrangers: strangers who come and stay do not keep an unused daemon from ending when it should.
func TestIdleEndDespiteStrangers(t *testing.T) {
	h := newHouse(t, "TRAILBLAZE_IDLE=5s")
	h.Start()
	places := boot.Places(h.Dir)
	if len(places) != 1 {
		t.Fatal(places)
	}
	for at := range h.listeners() {
		go besiege(t, at)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := dial.AwaitEnd(ctx, places[0]); err != nil {
		t.Errorf("an unused daemon lives on: %v", err)
	}
}
