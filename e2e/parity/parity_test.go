package parity

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

var (
	only  = flag.String("only", "", "compare samples whose name matches this pattern")
	whole = flag.Bool("all", false, "compare every built-in tool, and not one of ten (`make parity`)")
)

// sample is a call to compare, and what is done before and after it.
type sample struct {
	name          string
	before, after []housetest.Call
	call          housetest.Call
	hidden        bool // from models
}

// seen is what a door gave for a sample.
type seen struct {
	answer answer
	events []event.Event
	err    error
}

// R8, R221: a call means the same through every door. Each built-in tool and each of a workspace's own, with
// arguments that fit and with calls that are refused or fail, gives the same result or error, and leaves the same
// events, evidence and recording. A recording has only what is called from outside, so what a script or a callback
// calls is in none. The methods of the typed API are a door of their own: their fields are what the tool takes and gives
// (R20–R37). A tool that is defined as before stands beside one with the body of a client (R135), and our own tools are
// called over stdio (R136). The shell is a client of the typed API like any other; its JSON door of old, POST /v1/call,
// is no more.
func TestParity(t *testing.T) {
	h := newHouse(t)
	r := h.runner()
	samples := h.samples(t, r.Registry)
	doors := []door{
		direct(r, h.session(r, "go")), step(t, r, h.session(r, "trail")), within(r, h.session(r, "sdk")),
		h.post("json", "web/json", same), h.typed(), h.shell(t), h.script(), h.callback(),
		h.agent(t, "mcp stdio", "web/stdio", h.stdio()), h.agent(t, "mcp http", "web/http", h.http()),
	}
	compared(t, slices.Concat(doors, h.process(), h.rpc()), samples)
}

// compared makes the calls through all doors side by side, and holds each door to the first one.
func compared(t *testing.T, doors []door, samples []sample) {
	all := make([][]seen, len(doors))
	var running sync.WaitGroup
	for i, d := range doors {
		running.Go(func() {
			began := time.Now()
			for _, s := range samples {
				all[i] = append(all[i], d.try(waittest.Context(t), s))
			}
			t.Logf("%s: %d calls in %s", d.name, len(samples), time.Since(began).Round(time.Millisecond))
		})
	}
	running.Wait()
	for n, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			for i, d := range doors {
				got := all[i][n]
				if got.err != nil {
					t.Errorf("%s: %v", d.name, got.err)
					continue
				}
				if differs(t, d.name, s, got) {
					continue
				}
				nested := d.wrap != ""
				want := kept(all[0][n].events, "", nested)
				if diff := cmp.Diff(want, kept(got.events, d.wrap, nested)); diff != "" {
					t.Errorf("%s: events (-%s +%s):\n%s", d.name, doors[0].name, d.name, diff)
				}
				compare(t, d.name, all[0][n].answer, got.answer)
			}
		})
	}
}

// byDesign are calls that a door answers otherwise than the others.
var byDesign = []struct {
	doors  []string
	what   func(s sample) bool
	says   string // pattern of the answer
	reason string
}{
	{
		[]string{"mcp stdio", "mcp http"}, func(s sample) bool { return s.hidden }, "not offered to models|SCRIPT",
		"a model is offered few tools; those for scripts and trails are refused with what to use instead",
	},
	{
		[]string{"mcp stdio", "mcp http"}, func(s sample) bool { return s.call.Tool == unknownTool }, "unknown tool",
		"MCP has an error of the protocol for it",
	},
	{
		append([]string{"json", "shell"}, overAPI...), func(s sample) bool { return s.call.Tool == unknownTool }, "there is no tool",
		"no device is leased for a tool that is not there, so no session logs it",
	},
	{
		[]string{"trail"}, func(s sample) bool { return s.call.Tool == unknownTool || s.malformed() }, "",
		"a trail is checked as a whole before its first call",
	},
	{
		[]string{"typed"}, func(s sample) bool {
			return strings.HasSuffix(s.name, "unknown argument") || strings.HasSuffix(s.name, "another type")
		},
		"Request has .*text|Request has .*button", "a request that is none of the method reaches no tool",
	},
}

// overAPI are the doors of the typed API.
var overAPI = []string{"typed", "rpc", "connect", "connect json", "grpc", "grpc-web", "go sdk", "python", "typescript"}

const unknownTool = "no_such_tool"

// malformed is a call whose arguments no tool takes.
func (s sample) malformed() bool { return strings.Contains(s.name, " argument") }

// differs says whether a door answers a sample otherwise by design. Then the call is refused and nothing is logged.
func differs(t *testing.T, name string, s sample, got seen) bool {
	t.Helper()
	for _, d := range byDesign {
		if !slices.Contains(d.doors, name) || !d.what(s) {
			continue
		}
		said := got.answer.within
		if got.answer.message != nil {
			said += *got.answer.message
		}
		logged, refused := kept(got.events, "", false), got.answer.failed && regexp.MustCompile(d.says).MatchString(said)
		if !refused || len(logged) > 0 {
			t.Errorf("%s: failed is %t, says %q, logs %q; want a refusal with %q: %s",
				name, got.answer.failed, said, logged, d.says, d.reason)
		}
		return true
	}
	return false
}

// samples makes the calls to compare: a row of the table for each tool that is registered.
func (h *house) samples(t *testing.T, reg *tool.Registry) (out []sample) {
	rows := housetest.CallRows(t, h.url)
	maps.Copy(rows.Tools, rows.Own)
	page := h.url + "/ground.html"
	add := func(name string, row housetest.Row, c housetest.Call) {
		url := page
		if row.Page != "" {
			url = row.Page
		}
		args, err := json.Marshal(map[string]string{"url": url})
		if err != nil {
			t.Fatal(err)
		}
		before := append([]housetest.Call{{Tool: "web_navigate", Args: args}}, row.Before...)
		hidden := false
		if tl, ok := reg.Get(c.Tool); ok {
			hidden = !tl.Spec().ExposedToLLM
		}
		out = append(out, sample{name, before, row.After, c, hidden})
	}
	called := map[string]bool{"team_call": true, "acme_call": true, "apart_call": true, goCall: true} // by their doors
	for _, c := range rows.Errors {
		called[c.Tool] = true
	}
	for _, tl := range reg.All() {
		name := tl.Spec().Name
		if !tl.Spec().RunsOn(driver.WebPlatform, "") {
			continue // the house has a browser and no phone
		}
		row, ok := rows.Tools[name]
		if !ok {
			if !called[name] && !tl.Spec().NeedsModel { // internal/agent calls those, with a scripted model
				t.Errorf("calls.json has no row for %s", name)
			}
			continue
		}
		add(name, row, housetest.Call{Tool: name, Args: row.Args})
	}
	for _, name := range slices.Sorted(maps.Keys(rows.Errors)) {
		if _, ok := reg.Get("apart_call"); !ok && strings.HasPrefix(rows.Errors[name].Tool, "apart_") {
			continue // there is no node
		}
		add(name, housetest.Row{}, rows.Errors[name])
	}
	if !*whole && *only == "" {
		n := 0
		out = slices.DeleteFunc(out, func(s sample) bool {
			if _, ok := rows.Own[s.name]; ok || rows.Errors[s.name].Tool != "" {
				return false
			}
			n++
			return n%10 != 1
		})
	}
	return slices.DeleteFunc(out, func(s sample) bool { return !regexp.MustCompile(*only).MatchString(s.name) })
}

// try makes a sample's calls through the door.
func (d door) try(ctx context.Context, s sample) (out seen) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	prep := d.prep
	if prep == nil {
		prep = d.call
	}
	for _, c := range s.before {
		if a, err := prep(ctx, c); err != nil || a.failed && !a.anything {
			return seen{err: fmt.Errorf("%s before it: %+v %v", c.Tool, a, err)}
		}
	}
	before, err := d.log()
	if err != nil {
		return seen{err: err}
	}
	if out.answer, err = d.call(ctx, s.call); err != nil {
		return seen{err: err}
	}
	after, err := d.log()
	if err != nil {
		return seen{err: err}
	}
	out.events = after[len(before):]
	for _, c := range s.after {
		if a, err := prep(ctx, c); err != nil || a.failed && !a.anything {
			return seen{err: fmt.Errorf("%s after it: %+v %v", c.Tool, a, err)}
		}
	}
	return out
}

// kept is what the log has of a call and the calls within it, one text for each event, without what differs from one
// time to the next. The events of the tool that makes the call are left out.
func kept(events []event.Event, wrap string, nested bool) (out []string) {
	within := map[string]int{}
	for _, e := range events {
		c := e.Call
		if e.Type != event.ToolCall && e.Type != event.ToolStarted || c == nil {
			continue
		}
		if c.Name == wrap {
			continue
		}
		depth, ok := within[c.Parent]
		if ok {
			depth++
		}
		within[c.ID] = depth
		plain := *c
		if nested {
			plain.Recorded = nil
		}
		plain.ID, plain.Parent, plain.Caller, plain.Client, plain.Role, plain.Device = "", "", "", "", "", ""
		plain.Step, plain.Duration = 0, 0
		var sorted any // a caller may write arguments in any order
		if err := remarshal(plain, &sorted); err != nil {
			return []string{err.Error()}
		}
		out = append(out, fmt.Sprintf("%d %s %s", depth, e.Type, normal(shown(sorted))))
	}
	return out
}

// changing are the parts that differ from one time to the next.
var changing = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`\b\d+(\.\d+)? ?(ms|s)\b`), "N ms"},
	{regexp.MustCompile(`"(waited|duration|seq|omitted|frame)": ("[^"]+"|\d+)`), "$1"},
	{regexp.MustCompile(`"id": "[-.0-9A-Fa-f]+"`), "id"},
	{regexp.MustCompile(`#\d+ |\bframe \d+|\(\d+ older`), "#N"}, // counted over all that the device has done
	{regexp.MustCompile(`TBZ-\d+`), "TBZ"},
	{regexp.MustCompile(`\be[0-9]+\b`), "eN"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`), "TIME"},
	{regexp.MustCompile(`<<(page \w+: data, not instructions|end \w+)>>\n?`), ""}, // of MCP, around what a page says
	{regexp.MustCompile(`\b\d{4}_\d\d_\d\d_\d\d_\d\d_\d\d_\w+`), "SESSION"},
}

func normal(text string) string {
	for _, c := range changing {
		text = c.pattern.ReplaceAllString(text, c.text)
	}
	return text
}

// compare says what a door tells otherwise than the call in Go.
func compare(t *testing.T, name string, want, got answer) {
	t.Helper()
	if got.failed != want.failed && !got.anything {
		t.Errorf("%s: failed is %t, want %t", name, got.failed, want.failed)
	}
	same := func(part string, want, got *string) {
		if got == nil {
			return
		}
		if want == nil {
			want = new("")
		}
		if d := cmp.Diff(normal(*want), normal(*got)); d != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, part, d)
		}
	}
	same("kind", want.kind, got.kind)
	same("message", want.message, got.message)
	same("hint", want.hint, got.hint)
	same("text", want.text, got.text)
	if got.either && want.value == nil && want.text != nil {
		text, _ := got.value.(string)
		same("text", want.text, &text)
		return
	}
	if got.fields {
		a, b := shown(filled(want.value)), shown(filled(got.value))
		same("value", &a, &b)
	}
	if got.tellsValue {
		a, b := shown(want.value), shown(got.value)
		same("value", &a, &b)
	}
	if want.text == nil || got.within == "" {
		return
	}
	if !strings.Contains(normal(got.within), strings.TrimSpace(normal(*want.text))) {
		t.Errorf("%s: says %q, which does not hold %q", name, got.within, *want.text)
	}
}

// filled is a value without what is empty in it, and with whole numbers as protobuf writes large ones, as texts.
func filled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, of := range v {
			if of = filled(of); of != nil {
				out[k] = of
			}
		}
		if len(out) > 0 {
			return out
		}
	case []any:
		var out []any
		for _, of := range v {
			out = append(out, filled(of))
		}
		if len(out) > 0 {
			return out
		}
	case float64:
		if v != 0 {
			return fmt.Sprint(v)
		}
	case bool:
		if v {
			return v
		}
	case string:
		if v != "" {
			return v
		}
	}
	return nil
}

func shown(v any) string {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// R8, R221: management tools are there where a daemon is; Go code and trails have none. Their answers are the same
// through the doors of a daemon.
func TestParityOfManagement(t *testing.T) {
	h := newHouse(t)
	doors := []door{
		h.post("json", "web/json", same), h.shell(t), h.script(), h.callback(),
		h.agent(t, "mcp stdio", "web/stdio", h.stdio()), h.agent(t, "mcp http", "web/http", h.http()),
	}
	for _, c := range [][2]string{
		{"config", `{"action":"GET","key":"maxTokens"}`}, {"config", `{"action":"GET","key":"no-such-key"}`},
		{"config", `{"action":"FORGET"}`}, {"config", `{"action":"SET","key":"toolsets","value":"nobody"}`},
		{"createTool", `{"name":"team_name","content":"id: team_name"}`}, {"createTool", `{"name":"team_made"}`},
		{"checkTool", `{"name":"team_name"}`}, {"checkTool", `{"name":"team_nobody"}`},
		{"setTargetApp", `{"appTargetId":""}`},
	} {
		s := sample{name: c[0], call: housetest.Call{Tool: c[0], Args: json.RawMessage(c[1])}}
		t.Run(s.name, func(t *testing.T) {
			var first answer
			for i, d := range doors {
				got, err := d.call(t.Context(), s.call)
				if err != nil {
					t.Errorf("%s: %v", d.name, err)
					continue
				}
				if i == 0 {
					first = got
				}
				compare(t, d.name, first, got)
			}
		})
	}
}
