package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
)

// failure is the class of a kind of failures.
type failure struct {
	kind, name, doc string
	python          string   // the class of Python itself that it is one of, too
	codes           []string // of Connect, for errors that do not tell their kind and have another word for it
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
				have = append(have, f.kind)
			}
			if !slices.Equal(have, want) {
				return fmt.Errorf("the contract has the kinds %q, sdk/gen/errors.go has classes for %q", want, have)
			}
			return nil
		}
	}
	return fmt.Errorf("the contract has no Failure.kind")
}

func pythonErrors(g *protogen.GeneratedFile) {
	g.P("# Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.")
	g.P(`"""Failures as exceptions, one class for each kind that a caller can act on."""`)
	g.P()
	g.P("from __future__ import annotations")
	g.P()
	g.P("from ._failure import TrailblazeError")
	for _, f := range failures {
		bases := "TrailblazeError"
		if f.python != "" {
			bases += ", " + f.python
		}
		g.P("\n\nclass ", f.name, "(", bases, "):")
		g.P(`    """`, f.doc, `"""`)
	}
	g.P("\n\nKINDS: dict[str, type[TrailblazeError]] = {")
	pairs(g, `    "%s": %s,`, `    "%s": "%s",`, "}\nCODES = {")
	g.P("}")
	g.P("__all__ = [")
	g.P(`    "TrailblazeError",`)
	for _, f := range failures {
		g.P(`    "`, f.name, `",`)
	}
	g.P("]")
}

func scriptErrors(g *protogen.GeneratedFile) {
	g.P("// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.")
	g.P("import { TrailblazeError } from './failure.js';")
	g.P("\nexport { TrailblazeError };\n")
	for _, f := range failures {
		g.P("/** ", f.doc, " */")
		g.P("export class ", f.name, " extends TrailblazeError {}")
	}
	g.P("\nexport const kinds: Record<string, typeof TrailblazeError> = {")
	pairs(g, "  %s: %s,", "  %s: '%s',", "};\nexport const codes: Record<string, string> = {")
	g.P("};")
}

// pairs writes the class of each kind and, after a line between, the kind of each code.
func pairs(g *protogen.GeneratedFile, class, code, between string) {
	for _, f := range failures {
		g.P(fmt.Sprintf(class, f.kind, f.name))
	}
	g.P(between)
	for _, f := range failures {
		for _, c := range f.codes {
			g.P(fmt.Sprintf(code, c, f.kind))
		}
	}
}
