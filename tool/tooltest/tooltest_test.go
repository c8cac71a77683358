package tooltest_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/tooltest"
)

type in struct {
	Who  string `json:"who" jsonschema:"whom to greet"`
	Mode string `json:"mode,omitempty" jsonschema:"how" enum:"plain,loud" default:"plain"`
}

func greet(s tool.Spec) tool.Tool {
	return tool.Define(s, func(_ context.Context, _ tool.Env, in in) (string, error) { return "hello " + in.Who, nil })
}

var good = tool.Spec{Name: "demo_greet", Kind: tool.Query, Description: "Greets somebody by name.\n"}

func TestGoodToolPasses(t *testing.T) { tooltest.Run(t, greet(good)) }

func TestProblemsAreFound(t *testing.T) {
	with := func(change func(*tool.Spec)) tool.Tool {
		s := good
		change(&s)
		return greet(s)
	}
	for _, tc := range []struct {
		name string
		tool tool.Tool
		want string
	}{
		{"dots", with(func(s *tool.Spec) { s.Name = "demo.greet" }), "may not have"},
		{"no description", with(func(s *tool.Spec) { s.Description = " " }), "does not tell a model"},
		{"kind", with(func(s *tool.Spec) { s.Kind = "" }), "kind"},
		{"destructive query", with(func(s *tool.Spec) { s.Destructive = true }), "destructive"},
		{"parameter without description", tool.Define(good, func(context.Context, tool.Env, struct {
			X int `json:"x"`
		},
		) (string, error) {
			return "", nil
		}), "parameter x has no description"},
		{"context as a parameter (R251)", tool.Define(good, func(context.Context, tool.Env, struct {
			X string `json:"sessionId" jsonschema:"which session"`
		},
		) (string, error) {
			return "", nil
		}), "parameter sessionId is context"},
		{"default that does not fit", with(func(s *tool.Spec) {
			s.Input = tool.Fixed(&jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"n": {Type: "integer",
				Default: json.RawMessage(`"x"`), Description: "n"}}})
		}), "validating /properties/n"},
		{"panics", raw(func() (*tool.Result, error) { panic("boom") }), "panicked: boom"},
		{"nothing", raw(func() (*tool.Result, error) { return nil, nil }), "neither a result nor an error"},
		{"silent failure", raw(func() (*tool.Result, error) { return &tool.Result{IsError: true}, nil }), "without saying why"},
		{"value", raw(func() (*tool.Result, error) { return &tool.Result{Value: json.RawMessage("{")}, nil }), "not JSON"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := strings.Join(tooltest.Problems(tc.tool), "\n"); !strings.Contains(got, tc.want) {
				t.Errorf("problems:\n%s\nwant %q among them", got, tc.want)
			}
		})
	}
}

type rawTool struct {
	spec tool.Spec
	run  func() (*tool.Result, error)
}

func raw(run func() (*tool.Result, error)) tool.Tool {
	s := good
	s.Input = tool.Fixed(&jsonschema.Schema{Type: "object"})
	return &rawTool{s, run}
}

func (r *rawTool) Spec() *tool.Spec { return &r.spec }
func (r *rawTool) Run(context.Context, tool.Env, json.RawMessage) (*tool.Result, error) {
	return r.run()
}
