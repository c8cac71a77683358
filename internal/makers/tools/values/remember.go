package values

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/memory/mask"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Query, Category: "MEMORY"}

func spec(name, title string, kind tool.Kind) tool.Spec {
	return set.Of(kind).Any(name, title, "memory")
}

type rememberIn struct {
	Variable string `json:"variable" minLength:"1" jsonschema:"name to remember it under"`
	locator.Target
	Text  string `json:"text,omitempty" jsonschema:"instead of ref: text of the element, or part of it in whole words"`
	ID    string `json:"id,omitempty" jsonschema:"instead of ref: test id or id attribute"`
	Regex string `json:"regex,omitempty" jsonschema:"what to take of the text: the first group, or the whole match; without an element it is looked for on the whole screen"`
	Value string `json:"value,omitempty" jsonschema:"instead of an element: the text itself"`
	action.Within
	action.Note
}

// remember keeps what an element shows, without a model.
func remember() tool.Tool {
	return action.Define(spec("remember", "Remember", tool.Assertion).With(tool.Facts{
		Effects: &tool.Effects{Remembers: "variable"}, Purpose: tool.KeepValue,
		Sentence: func(p tool.Phrase) string {
			return "Remember " + cmp.Or(p.Target, "a text") + " as " + p.Plain("variable")
		},
	}), func(ctx context.Context, env tool.Env, in rememberIn) (*tool.Result, error) {
		re, err := in.pattern()
		if err != nil {
			return nil, err
		}
		text, ev, record, err := in.read(ctx, env, re)
		if err != nil {
			return &tool.Result{Evidence: ev}, err
		}
		env.Memory().Set(in.Variable, text)
		ev.Checked = fmt.Sprintf("%s is %q", in.Variable, text)
		r := tool.TextResult("Remembered %s = %q.", in.Variable, text)
		r.Evidence, r.Record = ev, record
		return r, nil
	})
}

func (in rememberIn) pattern() (*regex.Regex, error) {
	if in.Regex == "" {
		return nil, nil
	}
	return regex.Compile(in.Regex, regex.Search)
}

// read finds the text: given, on an element, or anywhere on the screen that the expression matches.
func (in rememberIn) read(ctx context.Context, env tool.Env, re *regex.Regex) (string, *tool.Evidence, *tool.Call,
	error) {
	q := in.Query(in.Target)
	q.Text, q.ID = in.Text, in.ID
	switch {
	case in.Value != "":
		text, ok, err := extract(ctx, re, in.Value)
		if err != nil {
			return "", nil, nil, err
		}
		if !ok {
			return "", nil, nil, fault.New(fault.Assertion, "remember", "%q does not match %s", in.Value, in.Regex)
		}
		return text, &tool.Evidence{}, nil, nil
	case in.Empty() && in.Text == "" && in.ID == "":
		text, ev, err := in.search(ctx, env, re)
		return text, ev, nil, err
	}
	dev, err := action.Device(env)
	if err != nil {
		return "", nil, nil, err
	}
	var text string
	var failed error // of the expression itself, which ends the wait
	q.Timeout = action.Timeout(in.TimeoutMs, locator.ActionTimeout)
	found, err := locator.See(ctx, dev, q, func(n *screen.Node) string {
		var ok bool
		if text, ok, failed = extract(ctx, re, locator.TextOf(n)); failed != nil {
			return ""
		}
		if !ok {
			return fmt.Sprintf("its text %q does not match %s", locator.TextOf(n), in.Regex)
		}
		return ""
	})
	ev := action.Identify(found, q)
	if err = cmp.Or(failed, err); err != nil {
		return "", ev, nil, err
	}
	return text, ev, in.recorded(found, ev, text), nil
}

// recorded returns the call that finds the element again when it shows another value, which is what a value is
// remembered for: neither its selector nor its fingerprint may hold the one of today.
func (in rememberIn) recorded(found *locator.Found, ev *tool.Evidence, value string) *tool.Call {
	record := action.Durable("", ev, "text", "id")
	if record == nil || value == "" || !holds(ev.Selector, value) && !holds(ev.Target, value) {
		return record
	}
	if in.Text != "" && !strings.Contains(in.Text, value) {
		return nil // the call finds it as it was made
	}
	changes := map[string]any{"ref": nil, "text": nil, "id": nil, "nodeSelector": ev.Selector, "fingerprint": nil}
	if holds(ev.Selector, value) {
		sel, err := identity.StructuralSelectorFor(found.Snapshot, found.Node.ID)
		if err != nil {
			return record
		}
		changes["nodeSelector"] = sel
	}
	return action.Patch("", changes)
}

// holds reports whether a selector or a fingerprint names a value, as text or as a pattern of it.
func holds(of any, value string) bool {
	data, err := json.Marshal(of)
	quoted, _ := json.Marshal(value)
	plain := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`\`), nil) }
	return err == nil && bytes.Contains(plain(data), plain(bytes.Trim(quoted, `"`)))
}

// search searches for the expression in everything that a person could read.
func (in rememberIn) search(ctx context.Context, env tool.Env, re *regex.Regex) (string, *tool.Evidence, error) {
	if re == nil {
		return "", nil, fault.New(fault.Invalid, "remember", "nothing to remember").
			WithHint("Give ref, nodeSelector, text, id, regex or value.")
	}
	dev, err := action.Device(env)
	if err != nil {
		return "", nil, err
	}
	var text string
	snap, ok, err := locator.Until(ctx, dev, action.Timeout(in.TimeoutMs, locator.ActionTimeout), nil,
		func(s *screen.Snapshot) (bool, error) {
			for _, n := range s.Below(s.Root) {
				if len(n.Children) > 0 || !n.InSight() {
					continue
				}
				var hit bool
				var err error
				if text, hit, err = extract(ctx, re, locator.TextOf(n)); hit || err != nil {
					return hit, err
				}
			}
			return false, nil
		})
	ev := &tool.Evidence{Screen: snap}
	if err == nil && !ok {
		err = fault.New(fault.Assertion, "remember", "no visible text matches %s", in.Regex)
	}
	return text, ev, err
}

// extract is the first group of the first match, the whole match when there is no group, the whole text without an
// expression.
func extract(ctx context.Context, re *regex.Regex, text string) (string, bool, error) {
	if re == nil {
		return strings.TrimSpace(text), true, nil
	}
	return re.Find(ctx, text)
}

type noIn struct{ action.Note }

type dumpOut struct {
	Memory map[string]any `json:"memory" jsonschema:"everything that is not secret"`
	Hidden []string       `json:"hidden,omitempty" jsonschema:"names of what is secret"`
}

// Text implements tool.Texter.
func (o dumpOut) Text() string {
	var lines []string
	for name, v := range o.Memory {
		b, err := json.Marshal(v)
		if err != nil {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s = %s", name, b))
	}
	for _, name := range o.Hidden {
		lines = append(lines, name+" = "+mask.Masked)
	}
	slices.Sort(lines)
	if lines == nil {
		return "Nothing is remembered."
	}
	return strings.Join(lines, "\n")
}

func dumpMemory() tool.Tool {
	return tool.Define(spec("dumpMemory", "Dump memory", tool.Query).With(tool.Facts{Device: tool.NoDevice}),
		func(_ context.Context, env tool.Env, _ noIn) (dumpOut, error) {
			out := dumpOut{Memory: env.Memory().Public()}
			for _, name := range env.Memory().Names() {
				if env.Memory().IsSecret(name) {
					out.Hidden = append(out.Hidden, name)
				}
			}
			return out, nil
		})
}
