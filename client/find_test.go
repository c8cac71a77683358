package client

import (
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/boot"
	daemon "github.com/trailblaze-dev/trailblaze/internal/daemon/client"
	"github.com/trailblaze-dev/trailblaze/internal/testtime/waittest"
)

// TestReach: without a client of HTTP the socket is used, with one the port, which any client can dial.
func TestReach(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Skipf("this system has no Unix sockets: %v", err)
	}
	seen := make(chan string, 1)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Get("Authorization")
	}))
	srv.Listener = l
	srv.Start()
	defer srv.Close()
	to := &daemon.Client{Boot: boot.Boot{Socket: socket, Token: "secret", Port: 4711}}
	defer to.Close()

	var o Options
	if err := o.reach(to); err != nil || o.Token != "secret" {
		t.Fatalf("%+v %v", o, err)
	}
	if _, err := New(o).CallTool(t.Context(), "demo", nil); err == nil { // the server is none of ours
		t.Error("a call succeeded")
	}
	if got := waittest.Await(t, seen, "the socket is asked"); got != "Bearer secret" {
		t.Errorf("the socket saw %q", got)
	}
	own := &http.Client{}
	o = Options{HTTP: own}
	if err := o.reach(to); err != nil || o.URL != "http://127.0.0.1:4711" || o.HTTP != own {
		t.Errorf("%+v %v", o, err)
	}
	to.Boot.Port = 0
	if err := o.reach(to); fault.KindOf(err) != fault.Unsupported || fault.HintOf(err) == "" {
		t.Errorf("no port: %v", err)
	}
}
