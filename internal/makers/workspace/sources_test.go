package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// named is a tool that does nothing.
type named struct{ spec tool.Spec }

func (n *named) Spec() *tool.Spec { return &n.spec }

func (n *named) Run(context.Context, tool.Env, json.RawMessage) (*tool.Result, error) {
	return &tool.Result{}, nil
}

func tools(origin string, names ...string) (out []tool.Tool) {
	for _, name := range names {
		out = append(out, &named{tool.Spec{Name: name, Kind: tool.Query, Origin: origin, Input: tool.Fixed(&jsonschema.Schema{Type: "object"})}})
	}
	return out
}

// fake is a source whose tools and whose pace a test decides.
type fake struct {
	name string
	gate chan struct{} // nil: loads at once; else each load takes one

	mu     sync.Mutex
	tools  []tool.Tool
	wrong  []tool.Problem
	err    error
	notify func()
	closed int
}

var _ tool.Notifier = (*fake)(nil)

func (f *fake) Origin() string { return f.name }

func (f *fake) Load(ctx context.Context) ([]tool.Tool, []tool.Problem, error) {
	if f.gate != nil {
		select {
		case <-f.gate:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tools, f.wrong, f.err
}

func (f *fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed++
	return nil
}

func (f *fake) Notify(fn func()) (stop func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notify = fn
	return func() {}
}

// becomes changes the tools and says so.
func (f *fake) becomes(tools []tool.Tool, err error) {
	f.mu.Lock()
	f.tools, f.err = tools, err
	notify := f.notify
	f.mu.Unlock()
	notify()
}

func open(t *testing.T, all ...tool.Source) *Sources {
	t.Helper()
	s, err := Open(Options{
		BuiltIn: tools("", "web_click", "recall"),
		Makers:  Makers{Kinds: []source.Maker{func(source.Options) []tool.Source { return all }}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func has(s *Sources, name string) bool {
	_, ok := s.Registry().Get(name)
	return ok
}

// R49, R50, R230: tools are there as soon as their own source has loaded; a source that hangs or fails keeps no other
// away, and whoever watches is told of each change once.
func TestSourcesLoadInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &fake{name: "slow", gate: make(chan struct{}), tools: tools("slow", "slow_a")}
		quick := &fake{name: "quick", tools: tools("quick", "quick_a")}
		broken := &fake{name: "broken", err: errors.New("no such program")}
		before := &tool.Registry{}
		s := open(t, slow, quick, broken)
		told := 0
		stop := s.Watch(before, func([]tool.Tool) { told++ })
		defer stop()
		synctest.Wait()
		if !has(s, "web_click") || !has(s, "quick_a") || has(s, "slow_a") {
			t.Fatalf("before the slow source has loaded there are %v", s.Registry().Names())
		}
		problems := s.Problems()
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), "load broken: no such program") {
			t.Errorf("problems %v", problems)
		}
		held := s.Registry()
		told = 0
		slow.gate <- struct{}{}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, ok := held.Get("slow_a"); ok || !has(s, "slow_a") || told != 1 {
			t.Errorf("the registry that a call holds changed, or the new one lacks slow_a, or told %d times", told)
		}
		slow.gate = nil
		slow.becomes(tools("slow", "slow_b"), nil)
		synctest.Wait()
		if has(s, "slow_a") || !has(s, "slow_b") {
			t.Errorf("after a notification there are %v", s.Registry().Names())
		}
		quick.becomes(nil, errors.New("gone"))
		synctest.Wait()
		if has(s, "quick_a") || len(s.Problems()) != 2 {
			t.Errorf("a source that fails later: tools %v, problems %v", s.Registry().Names(), s.Problems())
		}
	})
}

// Whoever begins to watch after a change learns of it.
func TestWatchMissesNothing(t *testing.T) {
	s := open(t, &fake{name: "a", tools: tools("a", "a_b")})
	seen := s.builtIn
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	told := 0
	s.Watch(seen, func(all []tool.Tool) { told = len(all) })()
	if told != 3 {
		t.Errorf("told of %d tools, want 3", told)
	}
}

// R54, R55, R56: a bad name and a clash leave the tool out, and the message says where both come from.
func TestNamesAndClashes(t *testing.T) {
	s := open(t,
		&fake{name: "one", tools: tools("one.tool.yaml:1", "shop_login", "web_own", "login", "shop_ok")},
		&fake{name: "two", tools: tools("MCP server acme", "shop_login", "shop_log_in", "recall", "shop.dot")})
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Registry().Names(), " "); got != "recall shop_login shop_ok web_click" {
		t.Errorf("tools %s", got)
	}
	for name, want := range map[string]string{
		"web_own":     `reserved for built-in`,
		"login":       `has no namespace`,
		"shop.dot":    `may not have`,
		"shop_login":  `one is from one.tool.yaml:1 and stays, the other from MCP server acme`,
		"shop_log_in": `"shop_login" and "shop_log_in" differ only in case or underscores: one is from one.tool.yaml:1, the other from MCP`,
		"recall":      `has no namespace`,
	} {
		found := ""
		for _, p := range s.Problems() {
			if p.Name == name {
				found = p.Error()
			}
		}
		if !strings.Contains(found, want) {
			t.Errorf("%s: %q does not say %q", name, found, want)
		}
	}
}

// Wait ends with its context and names the source that it waited for; Close ends loading.
func TestWaitHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := &fake{name: "MCP server acme", gate: make(chan struct{})}
		s := open(t, hangs)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Wait(ctx); fault.KindOf(err) != fault.Timeout || !strings.Contains(err.Error(), "MCP server acme") {
			t.Errorf("Wait = %v", err)
		}
		if err := errors.Join(s.Close(), s.Close()); err != nil || hangs.closed != 1 {
			t.Errorf("Close = %v, %d times", err, hangs.closed)
		}
	})
}

// R103: the log does not say of a warning that a tool is left out.
func TestWarningsAreToldAsSuch(t *testing.T) {
	var log bytes.Buffer
	shop := &fake{name: "shop", tools: tools("shop", "shop_buy"), wrong: []tool.Problem{
		{Name: "shop_buy", Err: errors.New("no entry"), Warning: true}, {Name: "shop_sell", Err: errors.New("no schema")},
	}}
	s, err := Open(Options{
		Log:    slog.New(slog.NewTextHandler(&log, nil)),
		Makers: Makers{Kinds: []source.Maker{func(source.Options) []tool.Source { return []tool.Source{shop} }}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Wait(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "left out") == strings.Contains(line, "no entry") {
			t.Error(line)
		}
	}
	if n := strings.Count(log.String(), "\n"); n != 2 {
		t.Errorf("%d lines: %s", n, log.String())
	}
	if p := s.Problems(); len(p) != 2 || p[0].Line() != "warning: no entry" || p[1].Line() != "left out: no schema" {
		t.Errorf("problems: %v", p)
	}
}

// server is a source that starts a process.
type server struct{ *fake }

func (server) Started() string { return "" }

// What opens a workspace asks for its tools at once: servers are started after that answer, or when somebody waits.
func TestServersArePutOff(t *testing.T) {
	for _, waits := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			files := &fake{name: "files", tools: tools("files", "team_file")}
			acme := &fake{name: "acme", tools: tools("acme", "acme_pay")}
			began := time.Now()
			s := open(t, files, server{acme})
			synctest.Wait()
			if !has(s, "team_file") || has(s, "acme_pay") {
				t.Errorf("at once there are %q", s.Registry().Names())
			}
			loaded := make(chan struct{})
			defer s.Watch(s.Registry(), func([]tool.Tool) { close(loaded) })()
			if waits {
				if err := s.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			<-loaded
			if took := time.Since(began); waits != (took == 0) || took > putOff || !has(s, "acme_pay") {
				t.Errorf("somebody waits: %t: after %v there are %q", waits, took, s.Registry().Names())
			}
		})
	}
}
