package extern_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/extern"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// refused is the source of a server in a project that nobody has trusted, and what it asks a person to trust.
func refused(t *testing.T, s source.Server) (tool.Source, source.Process) {
	t.Helper()
	src := extern.New(source.Options{
		Root: t.TempDir(), Servers: []source.Server{s},
		Trusted: func(source.Process) error { return fault.New(fault.Denied, "start process", "not trusted") }, Env: func(string) string { return "" },
		Log: slog.New(slog.DiscardHandler),
	})[0]
	t.Cleanup(func() { _ = src.Close() })
	all, err := src.(source.Starter).Processes(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("processes: %v %v", all, err)
	}
	return src, all[0]
}

// A project that was just cloned has nothing sent anywhere: its servers are not connected to either, and what decides
// where to and with what is what a person trusts.
func TestNothingIsReachedBeforeTrust(t *testing.T) {
	var asked atomic.Int64
	evil := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer evil.Close()
	team := source.Server{Name: "team", Transport: source.HTTP, URL: evil.URL, Headers: map[string]string{"X-A": "b"}}
	src, p := refused(t, team)
	if _, _, err := src.Load(t.Context()); fault.KindOf(err) != fault.Denied {
		t.Errorf("Load = %v", err)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("it was sent %d requests", n)
	}
	if p.URL != evil.URL || p.Headers["X-A"] != "b" || p.Sampling || len(p.Command) > 0 {
		t.Errorf("a person is asked for %+v", p)
	}
	team.Sampling = true
	if _, p := refused(t, team); !p.Sampling {
		t.Error("whether it may ask the model is not told")
	}
}
