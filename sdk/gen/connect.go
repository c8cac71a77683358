package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"google.golang.org/protobuf/compiler/protogen"
)

// failure is the class of a kind of failures.
type failure struct {
	Kind, Name, Doc string
	Python          string   // the class of Python itself that it is one of, too
	Codes           []string // of Connect, for errors that do not tell their kind and have another word for it
}

var failures = []failure{
	{"invalid", "InvalidCall", "The arguments are wrong.", "ValueError",
		[]string{"invalid_argument", "resource_exhausted"}},
	{"not_found", "NotFound", "There is no such element, tool, device or session.", "LookupError", nil},
	{"assertion", "AssertionFailed", "What was asserted does not hold.", "AssertionError", nil},
	{"not_acted", "NotActed", "The action was not carried out, or had no effect.", "", nil},
	{"timeout", "TimedOut", "It took too long.", "TimeoutError", []string{"deadline_exceeded"}},
	{"canceled", "Canceled", "The call was called off.", "", nil},
	{"unavailable", "Unavailable", "The daemon or the device cannot be reached.", "ConnectionError", nil},
	{"unsupported", "Unsupported", "The device cannot do it.", "NotImplementedError", []string{"unimplemented"}},
	{"conflict", "Conflict", "A name is taken, or means more than one thing.", "", nil},
	{"busy", "Busy", "Another client acts on the device.", "", nil},
	{"denied", "Denied", "A policy or a missing token forbids it.", "PermissionError",
		[]string{"unauthenticated", "permission_denied"}},
	{"inconclusive", "Inconclusive", "The evidence is too poor to say pass or fail.", "", nil},
}

// found is a failure that an SDK itself finds: it says the same in each language. A text in braces is a parameter.
type found struct{ Name, Kind, Message, Hint string }

var founds = []found{
	{"no_context", "invalid", "the call has no _meta.trailblaze with an address to call back",
		"Call the tool through Trailblaze, or make a client without a context."},
	{"no_model", "unsupported", "this call may not ask the model",
		"Write sampling: true to the server in trailblaze.yaml, and configure a model."},
	{"no_program", "not_found", "there is no program {program}", "Install it, or set TRAILBLAZE_BIN to the program."},
	{"no_token", "denied", "the daemon at {address} needs its token",
		"Give it beside the address, or leave out both: the daemon of this machine is found."},
	{"no_start", "unavailable", "the daemon of {program} does not start: {why}",
		"Run `trailblaze daemon serve` to see why."},
	{"no_answer", "timeout", "no answer within {limit}", "Give the client a longer time limit."},
	{"lost", "unavailable", "the daemon cannot be reached: {why}",
		"See `trailblaze daemon status`. After it started again, connect anew."},
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// Params are the parameters of the function that makes the failure, each with its type.
func (f found) Params(typed string) string {
	var out []string
	for _, p := range parameter.FindAllStringSubmatch(f.Message, -1) {
		out = append(out, p[1]+": "+typed)
	}
	return strings.Join(out, ", ")
}

// Script is the name and the text of the message in TypeScript.
func (f found) Script() (out struct{ Name, Message string }) {
	first, rest, _ := strings.Cut(f.Name, "_")
	if rest != "" {
		rest = strings.ToUpper(rest[:1]) + rest[1:]
	}
	out.Name, out.Message = first+rest, parameter.ReplaceAllString(f.Message, "$$$0")
	return out
}

var kind = regexp.MustCompile(`[a-z_]+`)

// checkKinds holds the classes to the kinds that the contract lists. Internal errors have no class of their own.
func checkKinds(messages []*protogen.Message) error {
	for _, m := range messages {
		for _, f := range m.Fields {
			if m.Desc.Name() != "Failure" || f.Desc.Name() != "kind" {
				continue
			}
			listed, _, _ := strings.Cut(text(f.Comments.Leading), " or internal.")
			want := kind.FindAllString(listed, -1)
			var have []string
			for _, f := range failures {
				have = append(have, f.Kind)
			}
			if !slices.Equal(have, want) {
				return fmt.Errorf("the contract has the kinds %q, sdk/gen/connect.go has classes for %q", want, have)
			}
			return nil
		}
	}
	return fmt.Errorf("the contract has no Failure.kind")
}

// The templates say what Connect's JSON means. The failures are filled in.
var (
	//go:embed connect.py.tmpl
	pythonConnect string
	//go:embed connect.ts.tmpl
	scriptConnect string
	//go:embed errors.ts.tmpl
	scriptErrors string
)

// writeConnect writes how one language reads responses and failures.
func writeConnect(g *protogen.GeneratedFile, text string, c contract) error {
	t, err := template.New("").Parse(text)
	if err != nil {
		return err
	}
	fill := struct {
		Failures []failure
		Founds   []found
		Nested   []string // the procedures whose response has the failure of a tool in its result
	}{Failures: failures, Founds: founds}
	for _, s := range c.services {
		for _, m := range s.methods {
			for _, f := range m.result.Fields {
				if f.Message != nil && f.Message.GoIdent.GoName == "ToolResult" {
					fill.Nested = append(fill.Nested, m.procedure)
				}
			}
		}
	}
	return t.Execute(g, fill)
}
