package dispatch_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type clickIn struct {
	Ref      string           `json:"ref" jsonschema:"the element"`
	Button   string           `json:"button,omitempty" enum:"left,right,middle" default:"left"`
	Count    int              `json:"count,omitempty" minimum:"1" maximum:"3"`
	Selector *screen.Selector `json:"nodeSelector,omitempty"`
	Items    []item           `json:"items,omitempty"`
}

type item struct {
	Label string `json:"label"`
	Price int    `json:"price,omitempty"`
}

func click(seen *clickIn) tool.Tool {
	return tool.Define(tool.Spec{Name: "demo_click", Kind: tool.Action, Recordable: true}, func(_ context.Context, _ tool.Env, in clickIn) (struct{}, error) {
		*seen = in
		return struct{}{}, nil
	})
}

// R3: wrong types and unknown arguments are reported before execution, all of them at once, each with its parameter.
func TestR3AllViolationsAtOnce(t *testing.T) {
	for _, tc := range []struct {
		name, args string
		want       []string
	}{
		{"missing", `{}`, []string{"parameter ref is missing"}},
		{"type names both types (R185)", `{"ref":5}`, []string{"parameter ref: want string, got number"}},
		{"no coercion of texts (R185)", `{"ref":"e1","count":"2"}`, []string{"parameter count: want integer, got string"}},
		{"unknown with a near name", `{"ref":"e1","buton":"left"}`, []string{"unknown parameter buton; did you mean button?"}},
		{"enum with a near value", `{"ref":"e1","button":"midle"}`, []string{`parameter button: "midle" is not one of left, right, middle; did you mean middle?`}},
		{"several", `{"button":"up","count":9,"nonsense":1}`, []string{
			"4 arguments are wrong", "parameter ref is missing", `"up" is not one of`, "parameter count: maximum: got 9, want 3", "unknown parameter nonsense",
		}},
		{"nested", `{"ref":"e1","items":[{"label":"a"},{"lable":"b","price":"x"}]}`, []string{
			"parameter items[1].label is missing", "unknown parameter lable; did you mean label? (in items[1])", "parameter items[1].price: want integer, got string",
		}},
		{"a selector field that is none", `{"ref":"e1","nodeSelector":{"web":{"ariaRole":"button","ariaName":"Save"}}}`,
			[]string{"nodeSelector: web.ariaName is not a selector field; did you mean ariaNameRegex?"}},
		{"a selector field deep inside", `{"ref":"e1","nodeSelector":{"web":{},"containsDescendants":[{"web":{"arialRole":"row"}}]}}`,
			[]string{"nodeSelector: containsDescendants[0].web.arialRole is not a selector field; did you mean ariaRole?"}},
		{"a selector field of a wrong type", `{"ref":"e1","nodeSelector":{"web":{"nthIndex":"one"}}}`, []string{"nodeSelector: web.nthIndex must be a number"}},
		{"a selector that names nothing", `{"ref":"e1","nodeSelector":{"web":{}}}`, []string{"nodeSelector: it names nothing"}},
		{"not an object", `[1]`, []string{"not a JSON object"}},
		{"not JSON", `{"ref":`, []string{"not JSON"}},
		{"null for a required one", `{"ref":null}`, []string{"parameter ref: want string, got null"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var seen clickIn
			r := setup(t, dispatch.Options{}, click(&seen))
			_, err := r.call("demo_click", tc.args)
			if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "demo_click") {
				t.Fatalf("err %v: want an invalid fault that names the tool", err)
			}
			for _, part := range tc.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("err %q lacks %q", err, part)
				}
			}
			if seen.Ref != "" {
				t.Error("the tool ran")
			}
			if c := r.calls(); len(c) != 1 || c[0].Error == nil {
				t.Errorf("log %+v: want the refused call", c)
			}
		})
	}
}

// R178: null for an optional parameter that is not nullable means absent. Enum values match in any case, defaults are
// filled in, and numbers keep their type through tokens (R176).
func TestR178NullIsAbsent(t *testing.T) {
	var seen clickIn
	r := setup(t, dispatch.Options{}, click(&seen))
	r.mem.Set("n", 2)
	r.must("demo_click", `{"ref":"e1","count":null,"nodeSelector":null,"button":null}`)
	if d := cmp.Diff(clickIn{Ref: "e1", Button: "left"}, seen); d != "" {
		t.Errorf("null (-want +got):\n%s", d)
	}
	r.must("demo_click", `{"ref":"e1","button":"MIDDLE","count":"{{n}}","nodeSelector":{"web":{"ariaRole":"button"}}}`)
	want := clickIn{Ref: "e1", Button: "middle", Count: 2, Selector: &screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}}}
	if d := cmp.Diff(want, seen); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if _, err := r.d.Call(t.Context(), r.s, dispatch.CLI, tool.Call{Name: "demo_click", Args: []byte(`null`)}); err == nil ||
		!strings.Contains(err.Error(), "ref is missing") {
		t.Errorf("null arguments: err %v, want them read as {}", err)
	}
}

// once is an argument that counts how often it is read, and that can break its reader.
type once struct{ Text string }

var reads atomic.Int32

// UnmarshalJSON implements json.Unmarshaler.
func (o *once) UnmarshalJSON(raw []byte) error {
	reads.Add(1)
	if string(raw) == `"boom"` {
		panic("boom")
	}
	return json.Unmarshal(raw, &o.Text)
}

type onceIn struct {
	What once `json:"what"`
}

// CallTimeout implements tool.Timed.
func (onceIn) CallTimeout() time.Duration { return time.Minute }

// TestArgumentsAreReadOnce proves that a call reads its arguments into the tool's own type once, for its timeout and
// for running it, and that a reader which panics fails that call only.
func TestArgumentsAreReadOnce(t *testing.T) {
	r := setup(t, dispatch.Options{}, tool.Define(tool.Spec{Name: "demo_once", Kind: tool.Query},
		func(_ context.Context, _ tool.Env, in onceIn) (string, error) { return in.What.Text, nil }))
	reads.Store(0)
	if res := r.must("demo_once", `{"what":"a"}`); res.Text() != "a" {
		t.Errorf("it read %q", res.Text())
	}
	if n := reads.Load(); n != 1 {
		t.Errorf("the arguments were read %d times", n)
	}
	if _, err := r.call("demo_once", `{"what":"boom"}`); fault.KindOf(err) != fault.Internal || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("a reader that panics: %v", err)
	}
}
