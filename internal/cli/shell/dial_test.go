package shell

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/api"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/client"
)

// served is a client of a daemon whose door is this handler.
func served(t *testing.T, h http.HandlerFunc) caller {
	t.Helper()
	dir, err := os.MkdirTemp("", "tb-") // t.TempDir() is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	return linked{&client.Client{Boot: client.Boot{Socket: socket, Token: "secret"}}}
}

// TestLinked proves what goes over the wire: the token, the shell's words as they were typed, progress only when
// somebody watches.
func TestLinked(t *testing.T) {
	var got api.CallRequest
	to := served(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" || r.URL.Path != "/v1/call" {
			t.Errorf("asked %s as %q", r.URL, r.Header.Get("Authorization"))
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		if r.Header.Get("Accept") == "application/x-ndjson" {
			w.Header().Set("Content-Type", "application/x-ndjson")
			_, _ = w.Write([]byte("{\"message\":\"step one\",\"step\":1,\"total\":2}\n"))
		}
		_, _ = w.Write([]byte(`{"schema":"trailblaze.reply/1","device":"web","result":{"content":[{"type":"text","text":"ok"}]}}` + "\n"))
	})
	ask := api.CallRequest{Tool: "web_click", Strings: []string{"ref=e1"}}
	var steps []api.Progress
	for _, watch := range []func(api.Progress){nil, func(p api.Progress) { steps = append(steps, p) }} {
		reply, err := to.Call(t.Context(), ask, watch)
		if err != nil || reply.Device != "web" || TextOf(reply) != "ok" {
			t.Fatalf("Call = %+v, %v", reply, err)
		}
	}
	if got.Tool != "web_click" || len(got.Strings) != 1 || len(steps) != 1 || steps[0].Message != "step one" {
		t.Errorf("the daemon saw %+v, the watcher %+v", got, steps)
	}
}

// TestLinkedStops proves that ending a call's context ends it over there, and that a refusal keeps its kind and hint.
func TestLinkedStops(t *testing.T) {
	began, ended := make(chan struct{}), make(chan struct{})
	to := served(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = http.MaxBytesReader(nil, r.Body, 1<<20).Read(make([]byte, 1<<10))
		close(began)
		<-r.Context().Done()
		close(ended)
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if _, err := to.Call(ctx, api.CallRequest{Tool: "web_wait"}, nil); fault.KindOf(err) != fault.Canceled {
		t.Errorf("Call = %v, want canceled", err)
	}
	<-ended

	no := served(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"error":{"kind":"denied","message":"not you","hint":"Ask."}}`))
	})
	if _, err := no.Call(t.Context(), api.CallRequest{}, nil); fault.KindOf(err) != fault.Denied || fault.HintOf(err) != "Ask." {
		t.Errorf("a refusal became %v (%s)", err, fault.HintOf(err))
	}
}
