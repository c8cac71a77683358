//go:build unix

package handover

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/daemon/boot"
)

// TestRun: a command is left to its process only when the daemon has certainly not begun with it.
func TestRun(t *testing.T) {
	home, err := os.MkdirTemp("", "tb-") // t.TempDir() is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	t.Setenv("TRAILBLAZE_HOME", home)
	build, err := boot.Build()
	if err != nil {
		t.Fatal(err)
	}
	place := boot.PlaceOf(home, build)
	if err := boot.Private(place.Dir); err != nil {
		t.Fatal(err)
	}
	b := boot.Boot{PID: 1, Build: build, Socket: place.Dir + "/s", Token: "secret"}
	if err := boot.Write(place, b); err != nil {
		t.Fatal(err)
	}
	args := []string{"tool", "web_click"}
	run := func() (int, bool, *Failure) {
		Lost = nil
		code, done := Run(args)
		return code, done, Lost
	}
	if _, done, lost := run(); done || lost != nil {
		t.Errorf("without a daemon: done %v, lost %+v", done, lost)
	}
	l, err := net.Listen("unix", b.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	const begun = "HTTP/1.0 200 OK\r\nDate: x\r\n\r\n"
	for _, tt := range []struct {
		name, answer string
		code         int
		done, lost   bool
	}{
		{"it has run", begun + "e\x00\x00\x00\x03hi\ns" + "x\x03", 3, true, false},
		{"it was refused", "HTTP/1.0 401 Unauthorized\r\n\r\n{}", 0, false, false},
		{"it was declined", "HTTP/1.0 409 Conflict\r\n\r\n", 0, false, false},
		{"the daemon ended before", "", 0, false, false},
		{"the daemon ended at the receipt", "HTTP/1.0 2", 0, false, true},
		{"the daemon ended in the head", "HTTP/1.0 200 OK\r\nDa", 0, false, true},
		{"the daemon ended after the receipt", begun, 0, false, true},
		{"the daemon ended in a frame", begun + "o\x00\x00\x00\x09hi", 0, false, true},
		{"a frame is too large", begun + "o\xff\xff\xff\xffhi", 0, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := make(chan *http.Request, 1)
			go func() {
				c, err := l.Accept()
				if err != nil {
					return
				}
				defer func() { _ = c.Close() }()
				r, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					t.Error(err)
					return
				}
				body, _ := io.ReadAll(r.Body)
				if q, err := Parse(body); err != nil || strings.Join(q.Args, " ") != "tool web_click" || q.Environ[0] != "TRAILBLAZE_HOME="+home {
					t.Errorf("it asked %+v, %v", q, err)
				}
				_, _ = io.WriteString(c, tt.answer)
				got <- r
			}()
			code, done, lost := run()
			if code != tt.code || done != tt.done || (lost != nil) != tt.lost {
				t.Errorf("status %d, done %v, lost %+v", code, done, lost)
			}
			if r := <-got; r.Host != "trailblaze" || r.Header.Get("Authorization") != "Bearer secret" || r.URL.Path != Path {
				t.Errorf("request %+v", r)
			}
		})
	}
	if args = []string{"tool", strings.Repeat("x", MaxRequest)}; true {
		if _, done, lost := run(); done || lost != nil {
			t.Errorf("too large: done %v, lost %+v", done, lost)
		}
	}
}
