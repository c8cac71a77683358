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
	{"invalid", "InvalidCall", "The arguments are wrong.", "ValueError", []string{"invalid_argument"}},
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

// The templates say what Connect's JSON means. The classes of failures are filled in.
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
		Nested   []string // the procedures whose response has the failure of a tool in its result
	}{Failures: failures}
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
