package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// place is a position in a file, from 1; the zero place is no file.
type place struct{ line, col int }

func (p place) in(path string) string { return fmt.Sprintf("%s:%d:%d", path, p.line, p.col) }

// reader turns a file into a policy and gathers its mistakes.
type reader struct {
	path     string
	problems []problem
}

type problem struct {
	at   place
	text string
}

func (r *reader) bad(at place, format string, args ...any) {
	r.problems = append(r.problems, problem{at, fmt.Sprintf(format, args...)})
}

// err is all problems as one fault, in file order.
func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b problem) int {
		if a.at.line != b.at.line {
			return a.at.line - b.at.line
		}
		return a.at.col - b.at.col
	})
	var lines []string
	for _, p := range r.problems {
		lines = append(lines, p.at.in(r.path)+": "+p.text)
	}
	return fault.New(fault.Invalid, "read policy", "%s", strings.Join(lines, "\n")).
		WithHint("A policy with a mistake in it is not used at all. docs/security.md describes the file.")
}

// document is the top mapping of the text; nil when there is none.
func (r *reader) document(text string) (root *mapping) {
	file, err := yaml.Parse(text)
	if err != nil {
		if at, ok := errors.AsType[interface {
			error
			GetToken() *token.Token
			GetMessage() string
		}](err); ok {
			r.bad(placeOf(at.GetToken()), "broken YAML: %s", at.GetMessage())
		} else {
			r.bad(place{1, 1}, "broken YAML: %v", err)
		}
		return nil
	}
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			r.bad(placeOf(d.Body.GetToken()), "a policy is one document")
			return nil
		}
		body = d.Body
	}
	if _, comment := body.(*ast.CommentGroupNode); body == nil || comment {
		return &mapping{}
	}
	return r.mapping(body, "a policy")
}

// mapping is a mapping with its keys in order.
type mapping struct{ entries []entry }

type entry struct {
	key   string
	at    place
	value ast.Node
}

// mapping reads a node that must be a mapping. Every key twice is an error.
func (r *reader) mapping(n ast.Node, what string) *mapping {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	case *ast.NullNode, nil:
		return &mapping{}
	default:
		r.bad(placeOf(n.GetToken()), "%s must be a mapping", what)
		return &mapping{}
	}
	m := &mapping{}
	for _, v := range values {
		at := placeOf(v.Key.GetToken())
		key, ok := scalar(v.Key)
		if !ok {
			r.bad(at, "a key must be a plain word")
			continue
		}
		if slices.ContainsFunc(m.entries, func(e entry) bool { return e.key == key }) {
			r.bad(at, "%q stands here twice", key)
			continue
		}
		m.entries = append(m.entries, entry{key, at, v.Value})
	}
	return m
}

// item is a text of a file.
type item struct {
	text string
	at   place
}

// list reads a list of texts; one text is a list of one.
func (r *reader) list(e entry, what string) []item {
	switch n := e.value.(type) {
	case *ast.NullNode, nil:
		return nil
	case *ast.SequenceNode:
		var out []item
		for _, v := range n.Values {
			s, ok := scalar(v)
			if !ok || s == "" {
				r.bad(placeOf(v.GetToken()), "%s must be a list of texts", what)
				continue
			}
			out = append(out, item{s, placeOf(v.GetToken())})
		}
		return out
	default:
		if s, ok := scalar(n); ok && s != "" {
			return []item{{s, placeOf(n.GetToken())}}
		}
		r.bad(placeOf(n.GetToken()), "%s must be a list of texts", what)
		return nil
	}
}

// word reads one of a few words.
func (r *reader) word(e entry, what string, of ...string) string {
	s, ok := scalar(e.value)
	if !ok || !slices.Contains(of, s) {
		r.bad(r.placeOfValue(e), "%s must be %s", what, oneOf(of))
		return ""
	}
	return s
}

func (r *reader) placeOfValue(e entry) place {
	if e.value == nil {
		return e.at
	}
	if p := placeOf(e.value.GetToken()); p.line > 0 {
		return p
	}
	return e.at
}

// unknown reports a key that the file may not have.
func (r *reader) unknown(e entry, in string, known []string) {
	r.bad(e.at, "%s has no key %q; %s", in, e.key, nearest(e.key, known))
}

func nearest(got string, known []string) string {
	if near := argument.Near(got, known, 1); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return "it has " + strings.Join(known, ", ")
}

func oneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// scalar is the text of a plain value. Anchors, aliases and tags are none.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value), true
	}
	return "", false
}

func placeOf(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{1, 1}
	}
	return place{max(t.Position.Line, 1), max(t.Position.Column, 1)}
}
