package record

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Entry is one recorded call and the step it ran in.
type Entry struct {
	Step int // index of the step, event.NoStep outside steps
	Call tool.Call
}

// Recorder collects the entries of one session.
type Recorder struct {
	mu      sync.Mutex
	entries []Entry
	url     string // where the device was after the last call, "" until known
	led     int    // the last entry that may declare where it leads, plus one
	press   press
}

// press is a press that gave nothing but the focus, without `effect: none`; the zero value is none.
type press struct {
	call tool.Call
	at   int // its entry, plus one
}

// New returns an empty recorder.
func New() *Recorder { return &Recorder{} }

// Middleware notes calls as they succeed. Only calls that a caller made (Top) and what they were replaced by (Delegate)
// count; a tool's own nested calls are an implementation detail of it (R114, R183).
func (r *Recorder) Middleware() dispatch.Middleware {
	return func(next dispatch.Handler) dispatch.Handler {
		return func(ctx context.Context, inv *dispatch.Invocation) (*tool.Result, error) {
			res, err := next(ctx, inv)
			if err == nil && !res.IsError && dispatch.Records(inv, res) {
				r.add(inv, res)
			}
			return res, err
		}
	}
}

// durable is the form of a call that a later run can repeat: refs replaced by selectors, tokens as they were written,
// and the expectations that a replay of it is held to.
func durable(inv *dispatch.Invocation, res *tool.Result, list []expectation) tool.Call {
	call := inv.Authored
	if res.Record != nil {
		call = *res.Record
	}
	if inv.Spec().Kind == tool.Action {
		call.Args, _ = declare(call.Args, list, inv.Spec())
	}
	return call
}

// expectation is what a call declares of its outcome, as an argument.
type expectation struct {
	key   string
	value any
}

// expectations are what a replay would otherwise refuse: an action without any effect, a page that answers with an HTTP
// error, a navigation that ends on another origin than it set out for.
func expectations(executed json.RawMessage, ev *tool.Evidence, from string) []expectation {
	if ev == nil || ev.Effect == nil {
		return nil
	}
	e := ev.Effect
	var out []expectation
	var asked struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(executed, &asked) == nil && driver.Origin(asked.URL) != "" {
		from = asked.URL
	}
	if start, end := driver.Origin(from), driver.Origin(e.URL); (e.Changes.Navigation || e.Changes.URL) && start != "" && end != "" && start != end {
		out = append(out, expectation{"expectOrigin", end})
	}
	if !e.Changes.Any() && ev.None == "" {
		out = append(out, expectation{"effect", "none"})
	}
	if e.Status >= 400 && e.Changes.Navigation {
		out = append(out, expectation{"expectStatus", e.Status})
	}
	return out
}

// without is the list but for the expectations of a key.
func without(list []expectation, key string) []expectation {
	return slices.DeleteFunc(slices.Clone(list), func(x expectation) bool { return x.key == key })
}

// declare adds expectations to the arguments. What is declared already stays. A tool that does not know an argument would
// refuse the call because of it: what could not be declared is returned.
func declare(args json.RawMessage, list []expectation, spec *tool.Spec) (json.RawMessage, []expectation) {
	var left []expectation
	for _, x := range list {
		if spec != nil && spec.Input != nil && spec.Input.Properties[x.key] == nil {
			left = append(left, x)
			continue
		}
		args = setDefault(args, x.key, x.value)
	}
	return args, left
}

// setDefault adds a key to a JSON object unless it is there; the order of the other keys is kept.
func setDefault(obj json.RawMessage, key string, value any) json.RawMessage {
	var have map[string]json.RawMessage
	if len(obj) > 0 && json.Unmarshal(obj, &have) != nil {
		return obj
	}
	if _, ok := have[key]; ok {
		return obj
	}
	k, _ := json.Marshal(key)
	v, err := json.Marshal(value)
	if err != nil {
		return obj
	}
	field := append(append(k, ':'), v...)
	if len(have) == 0 {
		return slices.Concat([]byte{'{'}, field, []byte{'}'})
	}
	end := len(obj) - 1
	for end > 0 && obj[end] != '}' {
		end--
	}
	return slices.Concat(obj[:end], []byte{','}, field, []byte{'}'})
}

func (r *Recorder) add(inv *dispatch.Invocation, res *tool.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ev := res.Evidence
	if ev != nil && ev.Screen != nil && r.led > 0 {
		if was, now := driver.Origin(r.url), driver.Origin(ev.Screen.URL); was != "" && now != "" && was != now { // the page went there after its action had settled
			late := &r.entries[r.led-1].Call
			late.Args = setDefault(late.Args, "expectOrigin", now)
			r.url = ev.Screen.URL
		}
	}
	list := expectations(inv.Call.Args, ev, r.url)
	call := durable(inv, res, list)
	var did driver.Changes
	if ev != nil && ev.Effect != nil {
		did = ev.Effect.Changes
	}
	switch spec := inv.Spec(); {
	case spec.Kind == tool.Query:
	case r.press.at > 0 && did.BeyondFocus() && spec.ToFocus(call.Args):
		r.entries[r.press.at-1].Call = r.press.call
		r.press = press{}
	case did.Focused && !did.Any():
		r.press = press{durable(inv, res, without(list, "effect")), len(r.entries) + 1}
	default:
		r.press = press{}
	}
	r.entries = append(r.entries, Entry{Step: inv.Session.Step(), Call: call})
	if spec := inv.Spec(); spec.Kind == tool.Action && spec.Input != nil && spec.Input.Properties["expectOrigin"] != nil {
		r.led = len(r.entries)
	}
	if ev != nil && ev.Effect != nil && ev.Effect.URL != "" {
		r.url = ev.Effect.URL
	}
}

// Entries returns what was recorded so far, in order.
func (r *Recorder) Entries() []Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.entries)
}
