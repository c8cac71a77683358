package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type side string

func (side) Enum() []any { return []any{side("UP"), "DOWN"} } // as constants of the type, too

type shared struct {
	Reason string `json:"reason,omitempty" jsonschema:"why"`
}

type sub struct {
	Label string `json:"label" jsonschema:"its label"`
	Side  side   `json:"side,omitempty"`
}

type all struct {
	shared
	Ref      string            `json:"ref" jsonschema:"the element, e.g. e5"`
	Side     side              `json:"side,omitempty" jsonschema:"where to" default:"UP"`
	Button   string            `json:"button,omitempty" enum:"left,right"`
	Count    int               `json:"count,omitempty" minimum:"1" maximum:"3" default:"1"`
	Ratio    *float64          `json:"ratio,omitempty"`
	Name     string            `json:"name,omitempty" pattern:"^[a-z]+$" minLength:"2" maxLength:"9"`
	Keys     []string          `json:"keys,omitempty" enum:"Shift,Control" minItems:"1"`
	Subs     []sub             `json:"subs,omitempty"`
	Vars     map[string]side   `json:"vars,omitempty"`
	Selector *screen.Selector  `json:"nodeSelector,omitempty" jsonschema:"durable selector"`
	Any      json.RawMessage   `json:"any,omitempty"`
	Hidden   string            `json:"-"`
	Labels   map[string]string `json:"labels,omitempty"`
	On       bool              `json:"on,omitempty" default:"true"`
}

// R252, R251: the schema has the descriptions verbatim, the closed set of parameters, and no context.
func TestSchemaFromStruct(t *testing.T) {
	d := tool.Define(tool.Spec{Name: "demo_all", Kind: tool.Action}, func(context.Context, tool.Env, all) (struct{}, error) { return struct{}{}, nil })
	raw, err := json.Marshal(d.Spec().Input())
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{
		"type":"object", "required":["ref"], "additionalProperties":false,
		"properties":{
			"reason":{"type":"string","description":"why"},
			"ref":{"type":"string","description":"the element, e.g. e5"},
			"side":{"type":"string","description":"where to","enum":["UP","DOWN"],"default":"UP"},
			"button":{"type":"string","enum":["left","right"]},
			"count":{"type":"integer","minimum":1,"maximum":3,"default":1},
			"ratio":{"type":"number"},
			"name":{"type":"string","pattern":"^[a-z]+$","minLength":2,"maxLength":9},
			"keys":{"type":"array","minItems":1,"items":{"type":"string","enum":["Shift","Control"]}},
			"subs":{"type":"array","items":{"type":"object","required":["label"],"additionalProperties":false,
				"properties":{"label":{"type":"string","description":"its label"},"side":{"type":"string","enum":["UP","DOWN"]}}}},
			"vars":{"type":"object","additionalProperties":{"type":"string","enum":["UP","DOWN"]}},
			"nodeSelector":{"type":"object","description":"durable selector"},
			"any":true,
			"labels":{"type":"object","additionalProperties":{"type":"string"}},
			"on":{"type":"boolean","default":true}}}`), &want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("schema (-want +got):\n%s", d)
	}
}

// Defaults are there before the tool runs, enum values match in any case, null is absent.
func TestDecode(t *testing.T) {
	for _, tc := range []struct {
		name, args string
		want       all
		fails      string
	}{
		{"defaults", `{"ref":"e1"}`, all{Ref: "e1", Side: "UP", Count: 1, On: true}, ""},
		{"given beats default", `{"ref":"e1","side":"down","count":2,"on":false}`, all{Ref: "e1", Side: "DOWN", Count: 2}, ""},
		{"null is absent", `{"ref":"e1","button":null,"ratio":null}`, all{Ref: "e1", Side: "UP", Count: 1, On: true}, ""},
		{"enum in lists, maps and objects", `{"ref":"e1","keys":["SHIFT"],"vars":{"a":"down"},"subs":[{"label":"x","side":"up"}],"count":1,"on":true}`, all{
			Ref: "e1", Side: "UP", Count: 1, On: true, Keys: []string{"Shift"}, Vars: map[string]side{"a": "DOWN"}, Subs: []sub{{"x", "UP"}},
		}, ""},
		{"embedded", `{"ref":"e1","reason":"r","side":"UP","count":1,"on":true}`, all{shared: shared{"r"}, Ref: "e1", Side: "UP", Count: 1, On: true}, ""},
		{"wrong type names the parameter", `{"ref":5}`, all{}, "parameter ref"},
		{"wrong type inside", `{"ref":"e1","subs":[{"label":[]}]}`, all{}, "parameter subs.label"},
		{"unknown", `{"ref":"e1","botton":"left"}`, all{}, "unknown parameter botton; did you mean button?"},
		{"not an object", `[]`, all{}, "not a JSON object"},
		{"more than one value", `{} {}`, all{}, "more after the JSON value"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got all
			d := tool.Define(tool.Spec{Name: "demo_all", Kind: tool.Action}, func(_ context.Context, _ tool.Env, in all) (struct{}, error) {
				got = in
				return struct{}{}, nil
			})
			_, err := d.Run(t.Context(), nil, json.RawMessage(tc.args))
			if tc.fails != "" {
				if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), tc.fails) {
					t.Errorf("err %v, want it invalid with %q", err, tc.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, got, cmp.AllowUnexported(all{})); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

type told struct {
	N int `json:"n"`
}

func (t told) Text() string { return fmt.Sprintf("there are %d", t.N) }

// R223: a result has typed data for programs and a text for readers.
func TestR223Results(t *testing.T) {
	for _, tc := range []struct {
		name              string
		tool              tool.Tool
		text, value, kind string // kind of the output schema, "" for none
	}{
		{"text", returns("hi"), "hi", `"hi"`, "string"},
		{"struct", returns(struct {
			N int `json:"n"`
		}{4}), `{"n":4}`, `{"n":4}`, "object"},
		{"struct that tells itself", returns(told{4}), "there are 4", `{"n":4}`, "object"},
		{"list", returns([]string{"a"}), `["a"]`, `["a"]`, "array"},
		{"nothing", returns(struct{}{}), "Done.", "", ""},
		{"result", returns(tool.TextResult("own %d", 1)), "own 1", "", ""},
		{"nil result", returns((*tool.Result)(nil)), "Done.", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := tool.NewRegistry(tc.tool); err != nil {
				t.Fatal(err)
			}
			res, err := tc.tool.Run(t.Context(), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if res.Text() != tc.text || string(res.Value) != tc.value {
				t.Errorf("text %q, value %s; want %q, %s", res.Text(), res.Value, tc.text, tc.value)
			}
			out := tc.tool.Spec().Output.Get()
			if got := kindOf(out); got != tc.kind {
				t.Errorf("output schema is for %q, want %q", got, tc.kind)
			}
			if out == nil {
				return
			}
			resolved, err := out.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			var v any
			if err := json.Unmarshal(res.Value, &v); err != nil {
				t.Fatal(err)
			}
			if err := resolved.Validate(v); err != nil {
				t.Errorf("the value does not fit its own schema: %v", err)
			}
		})
	}
}

func returns[Out any](v Out) tool.Tool {
	return tool.Define(tool.Spec{Name: "demo_out", Kind: tool.Query}, func(context.Context, tool.Env, struct{}) (Out, error) { return v, nil })
}

// R123: an error of a tool is a failure that a model can react to, unless the call could not be carried out.
func TestErrorsOfATool(t *testing.T) {
	for _, tc := range []struct {
		name   string
		err    error
		result bool
	}{
		{"not found", fault.New(fault.NotFound, "find", "no button").WithHint("look again"), true},
		{"assertion", fault.New(fault.Assertion, "", "wrong text"), true},
		{"a wait that ran out", fault.New(fault.Timeout, "wait for text", "not there"), true},
		{"device gone", fault.New(fault.Unavailable, "", "browser closed"), false},
		{"cancelled", context.Canceled, false},
		{"plain error", errors.New("surprise"), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := tool.Define(tool.Spec{Name: "demo_err", Kind: tool.Action}, func(context.Context, tool.Env, struct{}) (*tool.Result, error) {
				return &tool.Result{Evidence: &tool.Evidence{Checked: "seen"}}, tc.err
			})
			res, err := d.Run(t.Context(), nil, nil)
			if !tc.result {
				if !errors.Is(err, tc.err) || res != nil {
					t.Errorf("result %v, err %v", res, err)
				}
				return
			}
			if err != nil || !res.IsError || !errors.Is(res.Err(), tc.err) || res.Evidence == nil {
				t.Fatalf("result %+v, err %v", res, err)
			}
			if hint := fault.HintOf(tc.err); hint != "" && !strings.Contains(res.Text(), hint) {
				t.Errorf("text %q lacks the hint", res.Text())
			}
		})
	}
}

// What Define cannot make is reported when tools are registered, all of it at once.
func TestDefineProblemsAreReportedAtStart(t *testing.T) {
	fn := func(context.Context, tool.Env, struct {
		N int `json:"n,omitempty" default:"many"`
	},
	) (string, error) {
		return "", nil
	}
	_, err := tool.NewRegistry(
		tool.Define(tool.Spec{Name: "demo_default", Kind: tool.Query}, fn),
		tool.Define(tool.Spec{Name: "demo_input", Kind: tool.Query}, func(context.Context, tool.Env, string) (string, error) { return "", nil }),
		tool.Define(tool.Spec{Name: "demo_min", Kind: tool.Query}, func(context.Context, tool.Env, struct {
			N int `json:"n" minimum:"x"`
		},
		) (string, error) {
			return "", nil
		}),
	)
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range []string{`"many" is not a integer`, "string is not a struct", "tag minimum"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("err %v lacks %q", err, part)
		}
	}
}

func FuzzRun(f *testing.F) {
	f.Add([]byte(`{"ref":"e1","subs":[{"label":"x"}],"nodeSelector":{"web":{}}}`))
	f.Add([]byte(`{"ref":null,"count":1e999}`))
	d := tool.Define(tool.Spec{Name: "demo_all", Kind: tool.Action}, func(context.Context, tool.Env, all) (string, error) { return "", nil })
	f.Fuzz(func(t *testing.T, args []byte) {
		res, err := d.Run(t.Context(), nil, args)
		if (res == nil) == (err == nil) {
			t.Errorf("result %v, err %v", res, err)
		}
	})
}

func BenchmarkRun(b *testing.B) {
	d := tool.Define(tool.Spec{Name: "demo_all", Kind: tool.Action}, func(context.Context, tool.Env, all) (struct{}, error) { return struct{}{}, nil })
	args := json.RawMessage(`{"ref":"e1","nodeSelector":{"web":{"ariaRole":"button"}}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Run(b.Context(), nil, args); err != nil {
			b.Fatal(err)
		}
	}
}
