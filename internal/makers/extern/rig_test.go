package extern_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/makers/extern"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/serve/callback"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) {
	if modes, ok := os.LookupEnv(fixtureEnv); ok {
		runFixture(modes)
		return
	}
	goleak.VerifyTestMain(m)
}

// rig is a session on a page of its own, with the built-in tools and those of external servers.
type rig struct {
	testing.TB
	d       *dispatch.Dispatcher
	back    *callback.Server
	sources []tool.Source
	s       *session.Session
	mem     *memory.Store
}

// acme is the fixture as a configuration declares it.
func acme(modes string) source.Server {
	return source.Server{
		Name: "acme", Command: os.Args[0], Env: map[string]string{fixtureEnv: modes}, Place: "trailblaze.yaml:3",
	}
}

func trustAll(source.Process) error { return nil }

type options struct {
	servers []source.Server
	change  func(*source.Options)
}

func start(t testing.TB, servers ...source.Server) *rig {
	t.Helper()
	return startWith(t, options{servers: servers})
}

func startWith(t testing.TB, o options) *rig {
	t.Helper()
	r := &rig{TB: t, back: callback.New(callback.Options{}), mem: memory.New()}
	given := source.Options{
		Root: t.TempDir(), Servers: o.servers, Trusted: trustAll, BaseURL: r.back.URL, Grant: grantOf(r.back),
		Env: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	}
	if o.change != nil {
		o.change(&given)
	}
	r.sources = extern.New(given)
	all := tools.BuiltinIn(given.Root, nil)
	for _, src := range r.sources {
		found, problems, err := src.Load(t.Context())
		if err != nil {
			t.Logf("%s: %v", src.Origin(), err)
		}
		for _, p := range problems {
			t.Logf("problem %s: %v", p.Name, p.Err)
		}
		all = append(all, found...)
	}
	reg, problems := tool.Collect(all...)
	for _, p := range problems {
		t.Logf("left out: %v", p)
	}
	r.d = dispatch.New(dispatch.Options{Registry: reg})
	r.back.Bind(r.d)
	r.s = r.session(r.mem, "web")
	t.Cleanup(r.close)
	return r
}

func (r *rig) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.d.Close(ctx); err != nil {
		r.Errorf("close dispatcher: %v", err)
	}
	for _, src := range r.sources {
		if err := src.Close(); err != nil {
			r.Errorf("close %s: %v", src.Origin(), err)
		}
	}
	if err := r.back.Close(ctx); err != nil {
		r.Errorf("close callbacks: %v", err)
	}
}

// session opens a sitting on a page with a button.
func (r *rig) session(mem *memory.Store, title string) *session.Session {
	r.Helper()
	dev := tooltest.NewDevice(tooltest.Page(&screen.Node{
		Role: "button", Name: "Buy", Ref: "e1", Bounds: screen.Rect{X: 1, Y: 1, W: 50, H: 20}, Native: &screen.Web{Tag: "button"},
	}))
	s, err := session.Open(r.Context(), session.Options{Memory: mem, Device: dev, Title: title})
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { _ = s.Close(event.Passed) })
	return s
}

func (r *rig) call(name, args string) (*tool.Result, error) {
	r.Helper()
	return r.in(r.s, name, args)
}

func (r *rig) in(s *session.Session, name, args string) (*tool.Result, error) {
	return r.d.Call(r.Context(), s, dispatch.CLI, tool.Call{Name: name, Args: json.RawMessage(args)})
}

// must calls a tool that has to succeed, and reads its value.
func (r *rig) must(name, args string) map[string]any {
	r.Helper()
	res, err := r.call(name, args)
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		r.Fatalf("%s %s: %v", name, args, err)
	}
	var out map[string]any
	if len(res.Value) > 0 {
		if err := json.Unmarshal(res.Value, &out); err != nil {
			r.Fatalf("%s: %v", name, err)
		}
	}
	return out
}

// fails calls a tool that has to fail, with all of these texts in what is said.
func (r *rig) fails(name, args string, want ...string) error {
	r.Helper()
	res, err := r.call(name, args)
	if err == nil {
		err = res.Err()
	}
	if err == nil {
		r.Fatalf("%s %s did not fail: %s", name, args, res.Text())
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			r.Errorf("%s %s: %q does not say %q", name, args, err, w)
		}
	}
	return err
}

// calls lists the finished calls in the log.
func (r *rig) calls() []event.Call {
	r.Helper()
	events, err := r.s.Log.Events()
	if err != nil {
		r.Fatal(err)
	}
	var out []event.Call
	for _, e := range events {
		if e.Type == event.ToolCall {
			out = append(out, *e.Call)
		}
	}
	return out
}

func grantOf(back *callback.Server) func(func(string) []string) (string, func()) {
	return func(reach func(string) []string) (string, func()) { return back.Grant(reach) }
}
