package trail

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

const (
	maxDepth  = yaml.MaxDepth
	maxWeight = 4 << 20 // bytes that aliases may add
)

// reader turns a file's text into nodes.
type reader struct {
	*source
	report  func(Problem)
	anchors map[string]*node
	open    map[string]bool // anchors whose value is being read
	weight  int             // added by aliases so far
}

// readYAML returns the one document of the text; nil when there is none or it has no meaning.
func readYAML(src *source, report func(Problem)) (root *node) {
	r := &reader{source: src, report: report, anchors: map[string]*node{}, open: map[string]bool{}}
	if r.tabs() {
		return nil
	}
	file, err := yaml.Parse(src.text)
	if err != nil {
		r.syntax(err)
		return nil
	}
	return r.document(file)
}

func (r *reader) errorf(p Pos, hint, format string, args ...any) {
	r.report(Problem{Pos: p, Severity: SeverityError, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (r *reader) warnf(p Pos, hint, format string, args ...any) {
	r.report(Problem{Pos: p, Severity: SeverityWarning, Message: fmt.Sprintf(format, args...), Hint: hint})
}

var blockHeader = regex.Lazy(`(^|[\s:-])[|>][-+0-9]*\s*(#.*)?$`)

// tabs reports every line that is indented by a tab, at once. Lines of block scalars may start with one.
func (r *reader) tabs() bool {
	if !strings.Contains(r.text, "\t") {
		return false
	}
	found, block := false, -1
	for i, line := range r.lines {
		trimmed := strings.TrimLeft(line, " \t")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if trimmed == "" {
			continue
		}
		if block >= 0 && indent > block {
			continue
		}
		block = -1
		if indent < len(line) && line[indent] == '\t' && !strings.HasPrefix(trimmed, "#") && r.flatContext(i) {
			r.errorf(Pos{Line: i + 1, Col: indent + 1}, "Use two spaces for each level.",
				"a tab indents this line; YAML allows only spaces")
			found = true
		}
		if blockHeader().MatchString(line) {
			block = indent
		}
	}
	return found
}

// flatContext is whether line i may be taken for block YAML: inside brackets or a quoted string a tab is mere space,
// and such a line follows one that left something open.
func (r *reader) flatContext(i int) bool {
	for j := i - 1; j >= 0; j-- {
		prev := strings.TrimRight(r.lines[j], " \t")
		if prev == "" {
			continue
		}
		last := prev[len(prev)-1]
		return last == ':' || last == '-' || strings.Contains(prev, ": ") && !strings.ContainsAny(prev, "[{\"'")
	}
	return true
}

// document picks the file's single document.
func (r *reader) document(file *ast.File) *node {
	var root *node
	seen := false
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.DirectiveType || doc.Body.Type() == ast.CommentType {
			continue
		}
		if seen {
			p := r.at(doc.Body)
			if doc.Start != nil {
				p = yaml.PosOf(doc.Start)
			}
			r.errorf(p, "Put each trail into a file of its own.", "a second YAML document starts here; a trail file has one")
			break
		}
		seen = true
		root = r.value(doc.Body)
	}
	return root
}

// at is the place where a node starts. The library puts a mapping at its first colon and a folded plain scalar at its
// end; the caller that knows better overrides it.
func (r *reader) at(n ast.Node) Pos {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return r.at(n.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return r.at(n.Key)
	case *ast.LiteralNode:
		return r.clamp(yaml.PosOf(n.Start))
	}
	return r.clamp(yaml.PosOf(n.GetToken()))
}

func (r *reader) value(n ast.Node) *node {
	out := r.convert(n)
	if out.depth > maxDepth {
		r.errorf(out.pos, "", "more than %d levels of nesting", maxDepth)
		return &node{kind: kindNull, pos: out.pos}
	}
	return out
}

func (r *reader) convert(n ast.Node) *node {
	switch n := n.(type) {
	case nil:
		return &node{kind: kindNull, pos: Pos{Line: 1, Col: 1}}
	case *ast.MappingNode:
		return r.mapping(n, n.Values, n.IsFlowStyle)
	case *ast.MappingValueNode:
		return r.mapping(n, []*ast.MappingValueNode{n}, n.IsFlowStyle)
	case *ast.SequenceNode:
		out := &node{kind: kindSequence, pos: r.at(n), flow: n.IsFlowStyle, weight: 2}
		if n.IsFlowStyle {
			out.end = yaml.PosOf(n.End)
		}
		for _, v := range n.Values {
			it := r.value(v)
			out.items = append(out.items, it)
			out.weight += it.weight
			out.depth = max(out.depth, it.depth+1)
		}
		return out
	case *ast.AnchorNode:
		return r.anchor(n)
	case *ast.AliasNode:
		return r.alias(n)
	case *ast.TagNode:
		return r.tag(n)
	case *ast.LiteralNode:
		out := r.str(n, n.Value.Value)
		if strings.TrimSpace(out.text) != "" {
			out.last = r.blockEnd(out.pos.Line)
		}
		return out
	}
	return r.scalarNode(n)
}

func (r *reader) str(n ast.Node, s string) *node {
	return &node{kind: kindString, pos: r.at(n), text: s, quoted: true, weight: len(s) + 4}
}

// blockEnd is the last line with content of the block scalar whose header is on line.
func (r *reader) blockEnd(line int) int {
	last, indent := line, -1
	for i := line; i < len(r.lines); i++ {
		trimmed := strings.TrimLeft(r.lines[i], " ")
		if trimmed == "" {
			continue
		}
		if n := len(r.lines[i]) - len(trimmed); indent < 0 {
			indent = n
		} else if n < indent {
			break
		}
		last = i + 1
	}
	return last
}

func (r *reader) scalarNode(n ast.Node) *node {
	t := n.GetToken()
	if t == nil {
		return &node{kind: kindNull, pos: r.at(n), weight: 4}
	}
	switch t.Type {
	case token.SingleQuoteType, token.DoubleQuoteType:
		out := r.str(n, t.Value)
		out.last = out.pos.Line + strings.Count(strings.TrimSpace(t.Origin), "\n")
		return out
	}
	text := t.Value
	if n.Type() == ast.NullType && t.Type == token.MappingValueType || t.Type == token.ImplicitNullType {
		text = ""
	}
	if _, ok := n.(*ast.NullNode); ok {
		if k, _ := plain(text); k != kindNull {
			text = "" // an implicit null carries the token before it
		}
	}
	out := &node{pos: r.at(n), text: text, weight: len(text) + 4}
	out.kind, out.number = plain(text)
	if zeroPattern().MatchString(text) {
		r.warnf(out.pos, `Write "`+text+`" for text, `+strings.TrimLeft(text, "+-0")+" for a number.",
			"%s starts with a zero, which YAML versions read differently; it is taken as text", text)
	}
	return out
}

func (r *reader) anchor(n *ast.AnchorNode) *node {
	name := n.Name.GetToken().Value
	r.open[name] = true
	v := r.value(n.Value)
	delete(r.open, name)
	r.anchors[name] = v
	return v
}

func (r *reader) alias(n *ast.AliasNode) *node {
	name, p := n.Value.GetToken().Value, r.at(n)
	null := &node{kind: kindNull, pos: p, text: "*" + name}
	v, ok := r.anchors[name]
	switch {
	case r.open[name]:
		r.errorf(p, "", "alias *%s stands inside the value it names", name)
		return null
	case !ok:
		r.errorf(p, didYouMean(name, slices.Sorted(maps.Keys(r.anchors))), "alias *%s has no anchor &%s before it",
			name, name)
		return null
	}
	if r.weight += v.weight; r.weight > maxWeight {
		if r.weight-v.weight <= maxWeight { // say it once
			r.errorf(p, "", "the aliases of this file expand to more than %d bytes", maxWeight)
		}
		return null
	}
	c := *v
	c.alias = true
	return &c
}

func (r *reader) tag(n *ast.TagNode) *node {
	v := r.value(n.Value)
	p := r.at(n)
	name := n.Start.Value
	want := kind("")
	switch name {
	case "!!str":
		if v.scalar() {
			return &node{kind: kindString, pos: p, text: v.text, quoted: true, weight: v.weight}
		}
		want = kindString
	case "!!map":
		want = kindMapping
	case "!!seq":
		want = kindSequence
	case "!!null":
		want = kindNull
	case "!!bool":
		want = kindBool
	case "!!int":
		want = kindInt
	case "!!float":
		want = kindFloat
	default:
		r.errorf(p, "Leave the tag out.", "unknown tag %s; only YAML's own (!!str, !!int, …) are read", name)
		return v
	}
	if v.kind == want || want == kindFloat && v.kind == kindInt {
		return v
	}
	if v.kind == kindString && v.quoted {
		if k, num := plain(v.text); k == want {
			return &node{kind: k, number: num, text: v.text, pos: p, weight: v.weight}
		}
	}
	r.errorf(p, "", "tag %s does not fit %s", name, v.describe())
	return v
}
