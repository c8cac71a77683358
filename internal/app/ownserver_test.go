package app

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
)

// TestOwnServerClients: the requests of an objective name its own client, whichever client had one before.
func TestOwnServerClients(t *testing.T) {
	var seen string
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("Trailblaze-Client-Id") + " " + r.Header.Get("Authorization")
	}))
	defer srv.Close()
	addr, ok := srv.Listener.Addr().(*net.TCPAddr)
	if !ok {
		t.Fatal(srv.Listener.Addr())
	}
	own := &ownServer{daemon: &dial.Daemon{Boot: boot.Boot{Port: addr.Port, Token: "secret"}}}
	defer own.daemon.Close()
	for _, id := range []string{"tb_first", "tb_second"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, dial.URL, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := own.requestsOf(id).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if want := id + " Bearer secret"; seen != want {
			t.Errorf("the daemon sees %q, want %q", seen, want)
		}
	}
}
