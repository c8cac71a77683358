package metrics

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type in struct {
	How string `json:"how,omitempty"`
}

// house is a dispatcher with a tool that does as it is told, counted by m.
func house(t *testing.T, m *Metrics) func(name, how string) error {
	t.Helper()
	run := func(_ context.Context, _ tool.Env, in in) (*tool.Result, error) {
		switch in.How {
		case "fail":
			return tool.Fail(fault.New(fault.Assertion, "look", "not there")), nil
		case "denied":
			return nil, fault.New(fault.Denied, "look", "no")
		case "cancel":
			return nil, context.Canceled
		}
		return tool.TextResult("twelve bytes"), nil
	}
	reg, err := tool.NewRegistry(
		tool.Define(tool.Spec{Name: "demo_look", Kind: tool.Query}, run),
		tool.Define(tool.Spec{Name: "demo_outer", Kind: tool.Action}, func(ctx context.Context, env tool.Env, _ in) (*tool.Result, error) {
			return env.Call(ctx, tool.Call{Name: "demo_look"})
		}))
	if err != nil {
		t.Fatal(err)
	}
	d := dispatch.New(dispatch.Options{Registry: reg, Counter: m.Count})
	s, err := session.Open(t.Context(), session.Options{Title: "counted"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.CloseWith(event.Passed, nil)
		_ = d.Close(context.WithoutCancel(t.Context()))
	})
	return func(name, how string) error {
		_, err := d.Call(t.Context(), s, dispatch.MCP, tool.Call{Name: name, Args: json.RawMessage(fmt.Sprintf(`{"how":%q}`, how))})
		return err
	}
}

// The page is Prometheus' text format, with the promised names, and counts what was done.
func TestPrometheus(t *testing.T) {
	m := New(Options{Status: func() Status { return Status{Clients: 2, Devices: 1, Sessions: 1, Running: 3, Jobs: 4} }})
	call := house(t, m)
	for _, how := range []string{"", "", "fail", "denied", "cancel"} {
		_ = call("demo_look", how)
	}
	_ = call("demo_outer", "")
	rec := httptest.NewRecorder()
	m.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if ct := rec.Header().Get("Content-Type"); !strings.HasPrefix(ct, "text/plain; version=0.0.4") {
		t.Errorf("content type %q", ct)
	}
	page := rec.Body.String()
	for _, want := range []string{
		`trailblaze_calls_total{tool="demo_look",kind="query",outcome="ok",caller="mcp"} 2`,
		`trailblaze_calls_total{tool="demo_look",kind="query",outcome="ok",caller="tool"} 1`,
		`trailblaze_calls_total{tool="demo_look",kind="query",outcome="assertion",caller="mcp"} 1`,
		`trailblaze_calls_total{tool="demo_look",kind="query",outcome="denied",caller="mcp"} 1`,
		`trailblaze_calls_total{tool="demo_look",kind="query",outcome="canceled",caller="mcp"} 1`,
		`trailblaze_call_seconds_bucket{tool="demo_look",kind="query",le="+Inf"} 6`,
		`trailblaze_call_seconds_count{tool="demo_look",kind="query"} 6`,
		`trailblaze_reply_tokens_total{tool="demo_outer"} 3`,
		"trailblaze_clients 2", "trailblaze_devices 1", "trailblaze_sessions 1", "trailblaze_calls_running 3", "trailblaze_jobs 4",
	} {
		if !strings.Contains(page, want+"\n") {
			t.Errorf("missing line %s in\n%s", want, page)
		}
	}
	wellFormed(t, page)
}

// wellFormed checks the grammar: each family announced once before its samples, buckets never falling.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	typed := map[string]bool{}
	last := 0.0
	for sc := bufio.NewScanner(strings.NewReader(page)); sc.Scan(); {
		line := sc.Text()
		if f := strings.Fields(line); strings.HasPrefix(line, "# TYPE ") {
			if typed[f[2]] {
				t.Errorf("%s is announced twice", f[2])
			}
			typed[f[2]] = true
			continue
		} else if strings.HasPrefix(line, "# HELP ") {
			continue
		}
		name := line[:strings.IndexAny(line, "{ ")]
		base := name
		for _, end := range []string{"_bucket", "_sum", "_count"} {
			base = strings.TrimSuffix(base, end)
		}
		if !typed[name] && !typed[base] {
			t.Errorf("%q has no type", line)
		}
		var v float64
		if _, err := fmt.Sscan(line[strings.LastIndex(line, " ")+1:], &v); err != nil {
			t.Errorf("%q has no number", line)
		}
		if strings.HasSuffix(name, "_bucket") {
			if strings.Contains(line, `le="0.001"`) {
				last = 0
			}
			if v < last {
				t.Errorf("buckets fall at %q", line)
			}
			last = v
		}
	}
}

// Names come from clients and custom tools; time series must not.
func TestCardinality(t *testing.T) {
	m := New(Options{})
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range 10 * maxTools {
		m.label(fmt.Sprint("tool", i))
	}
	if len(m.tools) != maxTools || m.label("one_more") != other || m.label("tool3") != "tool3" {
		t.Errorf("%d names, a new one is called %q", len(m.tools), m.label("one_more"))
	}
	for i := range 10 * maxAccounts {
		m.account(fmt.Sprint("client", i)).add("x", "", ok, 0)
	}
	if len(m.accounts) != maxAccounts || len(m.order) != maxAccounts {
		t.Errorf("%d accounts", len(m.accounts))
	}
}

// R214: success and failure per tool and mode; clearing begins anew; nobody sees another's.
func TestAgentMetrics(t *testing.T) {
	who := "tb_a"
	m := New(Options{Client: func(context.Context) (string, string) { return who, "GOOSE" }})
	call := house(t, m)
	for _, how := range []string{"", "", "fail", "cancel"} {
		_ = call("demo_look", how)
	}
	_ = call("demo_outer", "") // its inner call is not the agent's
	who = "tb_b"
	_ = call("demo_look", "denied")
	read := func(clientID string) (d struct {
		Total        tally
		Tools, Modes map[string]tally
		Errors       map[string]int
	}) {
		if err := json.Unmarshal(m.AgentMetrics(clientID), &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	a := read("tb_a")
	if look := a.Tools["demo_look"]; look.Calls != 4 || look.Succeeded != 2 || look.Failed != 1 || look.Canceled != 1 || look.Rate < 0.66 || look.Rate > 0.67 {
		t.Errorf("demo_look: %+v", look)
	}
	if a.Total.Calls != 5 || a.Modes["GOOSE"].Calls != 5 || a.Errors["assertion"] != 1 || a.Total.MaxMs < a.Total.MeanMs {
		t.Errorf("%+v", a)
	}
	if b := read("tb_b"); b.Total.Calls != 1 || b.Errors["denied"] != 1 {
		t.Errorf("another client: %+v", b)
	}
	m.ClearAgentMetrics("tb_a")
	if a := read("tb_a"); a.Total.Calls != 0 || len(a.Tools) != 0 {
		t.Errorf("after clearing: %+v", a)
	}
	if b := read("tb_b"); b.Total.Calls != 1 {
		t.Errorf("clearing one cleared the other: %+v", b)
	}
}
