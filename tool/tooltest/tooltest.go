// Package tooltest is the conformance suite of tools. Makers of tools call Run in a test of theirs:
//
//	func TestTools(t *testing.T) { tooltest.Run(t, tools.Builtin()...) }
package tooltest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Run checks the tools one by one and as a set: names, texts for a model, schemas, and that no arguments make a tool
// panic, hang or answer with neither a result nor an error.
func Run(t *testing.T, tools ...tool.Tool) {
	t.Helper()
	if len(tools) == 0 {
		t.Fatal("there are no tools to test")
	}
	if _, err := tool.NewRegistry(tools...); err != nil {
		t.Errorf("register all tools: %v", err)
	}
	for _, tt := range tools {
		s := tt.Spec()
		t.Run(s.Name, func(t *testing.T) {
			for _, problem := range Problems(tt) {
				t.Error(problem)
			}
		})
	}
}

// Problems lists the mistakes in one tool, for makers that check tools while the program runs.
func Problems(tt tool.Tool) []string {
	var out []string
	s := tt.Spec()
	if err := tool.ValidName(s.Name); err != nil {
		out = append(out, err.Error())
	}
	if tt.Spec() != s {
		out = append(out, "Spec returns another pointer every time; a spec is made once")
	}
	out = append(out, text(s)...)
	if s.Input == nil {
		return append(out, "no input schema")
	}
	out = append(out, schema("input", s.Input())...)
	out = append(out, parameters(s)...)
	if s.Output != nil {
		out = append(out, schema("output", s.Output.Get())...)
	}
	return append(out, badArguments(tt)...)
}

func text(s *tool.Spec) (out []string) {
	if d := strings.TrimSpace(s.Description); len(d) < 10 {
		out = append(out, fmt.Sprintf("description %q does not tell a model what the tool does", d))
	} else if d != s.Description {
		out = append(out, "description begins or ends with white space")
	}
	switch s.Kind {
	case tool.Action, tool.Query, tool.Assertion:
	default:
		out = append(out, fmt.Sprintf("kind %q is not one of action, query, assertion", s.Kind))
	}
	if s.Kind == tool.Query && s.Destructive {
		out = append(out, "a query cannot be destructive")
	}
	return out
}

// schema checks that a schema is a valid one that other JSON Schema readers can use.
func schema(which string, s *jsonschema.Schema) (out []string) {
	if s == nil {
		return []string{which + " schema: its type has none"}
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return []string{fmt.Sprintf("%s schema: %v", which, err)}
	}
	if _, err := s.CloneSchemas().Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
		out = append(out, fmt.Sprintf("%s schema: %v", which, err))
	}
	var back jsonschema.Schema
	if err := json.Unmarshal(raw, &back); err != nil {
		out = append(out, fmt.Sprintf("%s schema does not read back: %v", which, err))
	}
	return out
}

// contextNames are the parameters that no caller must be asked for: the device and session are known from the call
// itself.
var contextNames = []string{"_trailblazeContext", "_trailblaze", "_meta", "deviceId", "sessionId", "invocationId"}

func parameters(s *tool.Spec) (out []string) {
	if s.Input().Type != "object" {
		out = append(out, fmt.Sprintf("input schema has type %q, want object", s.Input().Type))
	}
	var names []string
	for name, p := range s.Input().Properties {
		names = append(names, name)
		if p == nil || strings.TrimSpace(p.Description) == "" {
			out = append(out, fmt.Sprintf("parameter %s has no description", name))
		}
		if slices.Contains(contextNames, name) {
			out = append(out, fmt.Sprintf("parameter %s is context, which never is an argument", name))
		}
	}
	for _, name := range s.Input().Required {
		if !slices.Contains(names, name) {
			out = append(out, fmt.Sprintf("required parameter %s is not declared", name))
		}
	}
	slices.Sort(out)
	return out
}

// runTimeout is much more than any tool needs to refuse nonsense.
const runTimeout = 2 * time.Second

func badArguments(tt tool.Tool) (out []string) {
	known := map[string]any{}
	for name := range tt.Spec().Input().Properties {
		known[name] = nil
	}
	args := []string{``, `{}`, `null`, `[]`, `"text"`, `7`, `{"`, `{"nonsense":true}`, "\x00"}
	for _, v := range []string{`null`, `true`, `-1`, `1e300`, `""`, `"x"`, `[]`, `[null]`, `{}`, `{"a":{"b":[{}]}}`} {
		all := map[string]any{}
		for name := range known {
			all[name] = json.RawMessage(v)
		}
		raw, err := json.Marshal(all)
		if err == nil {
			args = append(args, string(raw))
		}
	}
	for _, a := range args {
		if problem := try(tt, a); problem != "" {
			out = append(out, fmt.Sprintf("arguments %s: %s", a, problem))
		}
	}
	return out
}

// try runs a tool with no device and a context that ends soon.
func try(tt tool.Tool, args string) string {
	ctx, cancel := context.WithTimeout(context.Background(), runTimeout/4)
	defer cancel()
	done := make(chan string, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- fmt.Sprintf("it panicked: %v", v)
			}
		}()
		res, err := tt.Run(ctx, emptyEnv{memory.New()}, json.RawMessage(bytes.Clone([]byte(args))))
		switch {
		case res == nil && err == nil:
			done <- "neither a result nor an error"
		case err == nil && res.IsError && res.Text() == "":
			done <- "it failed without saying why"
		case err == nil && len(res.Value) > 0 && !json.Valid(res.Value):
			done <- "its value is not JSON"
		default:
			done <- ""
		}
	}()
	timer := time.NewTimer(runTimeout)
	defer timer.Stop()
	select {
	case problem := <-done:
		return problem
	case <-timer.C:
		return "it does not end when its context does"
	}
}

// emptyEnv is a session without a device, in which no other tool can be called.
type emptyEnv struct{ mem *memory.Store }

func (e emptyEnv) Device() driver.Device { return nil }
func (e emptyEnv) Memory() *memory.Store { return e.mem }
func (e emptyEnv) Call(_ context.Context, c tool.Call) (*tool.Result, error) {
	return nil, fault.New(fault.NotFound, "call tool", "there is no tool %q", c.Name)
}
