package client

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
)

// TestFind: without a client of HTTP the socket of the daemon that the program names is used, with one the port, which
// any client can dial. A refusal of a daemon tells its reason and what to do, wherever its address comes from.
func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program of this test is a shell script")
	}
	place := boot.Place{Dir: t.TempDir()}
	socket, program := filepath.Join(place.Dir, "s"), filepath.Join(place.Dir, "trailblaze")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Skipf("this system has no Unix sockets: %v", err)
	}
	seen := make(chan string, 1)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Get("Authorization")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"error":{"kind":"denied","message":"the token is wrong","hint":"Read it again."}}`))
	}))
	srv.Listener = l
	srv.Start()
	defer srv.Close()
	started := "#!/bin/sh\necho '{\"boot\": \"" + place.BootFile() + "\"}'\n"
	if err := os.WriteFile(program, []byte(started), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	listens := func(port int) {
		t.Helper()
		if err := boot.Write(place, boot.Boot{Socket: socket, Token: "secret", Port: port}); err != nil {
			t.Fatal(err)
		}
	}

	listens(4711)
	o := Options{Binary: program}
	if err := o.find(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = New(o).CallTool(t.Context(), "demo", nil)
	if got := waittest.Await(t, seen, "the socket is asked"); got != "Bearer secret" {
		t.Errorf("the socket saw %q", got)
	}
	if fault.KindOf(err) != fault.Denied || fault.HintOf(err) != "Read it again." {
		t.Errorf("a refusal: %v, hint %q", err, fault.HintOf(err))
	}
	direct := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		},
	}}
	defer direct.CloseIdleConnections()
	_, err = New(Options{URL: o.URL, Token: "another", HTTP: direct}).CallTool(t.Context(), "demo", nil)
	if got := waittest.Await(t, seen, "the address is asked"); got != "Bearer another" {
		t.Errorf("the address saw %q", got)
	}
	if fault.KindOf(err) != fault.Denied || fault.HintOf(err) != "Read it again." {
		t.Errorf("a refusal at an address: %v, hint %q", err, fault.HintOf(err))
	}

	own := &http.Client{}
	o = Options{Binary: program, HTTP: own}
	if err := o.find(t.Context()); err != nil || o.URL != "http://127.0.0.1:4711" || o.HTTP != own || o.Token != "secret" {
		t.Errorf("%+v %v", o, err)
	}
	listens(0)
	o = Options{Binary: program, HTTP: own}
	if err := o.find(t.Context()); fault.KindOf(err) != fault.Unavailable || fault.HintOf(err) == "" {
		t.Errorf("no port: %v", err)
	}
	t.Setenv("TRAILBLAZE_BASE_URL", "http://back")
	t.Setenv("TRAILBLAZE_CALLBACK_TOKEN", "right")
	o = Options{Binary: "no program"}
	if err := o.find(t.Context()); err != nil || o.URL != "http://back" || o.Token != "right" {
		t.Errorf("in a tool server: %+v %v", o, err)
	}
}
