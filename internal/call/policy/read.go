package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// place is a position in a file; the zero place is no file.
type place = yaml.Pos

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
	slices.SortStableFunc(r.problems, func(a, b problem) int { return a.at.Compare(b.at) })
	var lines []string
	for _, p := range r.problems {
		lines = append(lines, p.at.In(r.path)+": "+p.text)
	}
	return fault.New(fault.Invalid, "read policy", "%s", strings.Join(lines, "\n")).
		WithHint("A policy with a mistake in it is not used at all. docs/security.md describes the file.")
}

// document is the top mapping of the text; nil when there is none.
func (r *reader) document(text string) (root *mapping) {
	file, err := yaml.Parse(text)
	if err != nil {
		at, message, _ := yaml.Locate(err)
		r.bad(at, "broken YAML: %s", message)
		return nil
	}
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			r.bad(yaml.PosOf(d.Body.GetToken()), "a policy is one document")
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
	keys, ok := yaml.Entries(n)
	if !ok && !yaml.Null(n) {
		r.bad(yaml.PosOf(n.GetToken()), "%s must be a mapping", what)
	}
	m := &mapping{}
	for _, k := range keys {
		key, at := k.Key, k.Pos
		if key == "" {
			r.bad(at, "a key must be a plain word")
			continue
		}
		if slices.ContainsFunc(m.entries, func(e entry) bool { return e.key == key }) {
			r.bad(at, "%q stands here twice", key)
			continue
		}
		m.entries = append(m.entries, entry{key, at, k.Value})
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
			s, ok := yaml.Scalar(v)
			if !ok || s == "" {
				r.bad(yaml.PosOf(v.GetToken()), "%s must be a list of texts", what)
				continue
			}
			out = append(out, item{s, yaml.PosOf(v.GetToken())})
		}
		return out
	default:
		if s, ok := yaml.Scalar(n); ok && s != "" {
			return []item{{s, yaml.PosOf(n.GetToken())}}
		}
		r.bad(yaml.PosOf(n.GetToken()), "%s must be a list of texts", what)
		return nil
	}
}

// word reads one of a few words.
func (r *reader) word(e entry, what string, of ...string) string {
	s, ok := yaml.Scalar(e.value)
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
	if p := yaml.PosOf(e.value.GetToken()); p.Line > 0 {
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
