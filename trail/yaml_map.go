package trail

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

// mapping reads a mapping with its merge keys. A key that comes twice is reported; the first one counts.
func (r *reader) mapping(n ast.Node, values []*ast.MappingValueNode, flow bool) *node {
	out := &node{kind: kindMapping, pos: r.at(n), flow: flow, weight: 2}
	if m, ok := n.(*ast.MappingNode); ok && flow {
		out.end = yaml.PosOf(m.End)
	}
	seen := map[string]Pos{}
	var merges []*node
	for _, mv := range values {
		if mv.Key.IsMergeKey() {
			merges = append(merges, r.mergeSources(r.value(mv.Value))...)
			continue
		}
		e := entry{pos: r.at(mv.Key), value: r.value(mv.Value)}
		e.value = r.placed(e.value, mv, e.pos)
		var ok bool
		if e.key, ok = r.key(mv.Key); !ok {
			continue
		}
		if first, dup := seen[e.key]; dup {
			r.errorf(e.pos, "Keep one of them.", "key %q is already set on line %d", e.key, first.Line)
			continue
		}
		seen[e.key] = e.pos
		out.add(e)
	}
	for _, m := range merges {
		for _, e := range m.entries {
			if _, ok := seen[e.key]; !ok {
				e.merged = true
				seen[e.key] = e.pos
				out.add(e)
			}
		}
	}
	return out
}

func (n *node) add(e entry) {
	n.entries = append(n.entries, e)
	n.weight += len(e.key) + 4 + e.value.weight
	n.depth = max(n.depth, e.value.depth+1)
}

// placed corrects the place of a value that the library gets wrong: it gives an empty one none, which is after its
// key, and a plain scalar folded over lines the place of its end.
func (r *reader) placed(v *node, mv *ast.MappingValueNode, key Pos) *node {
	colon := r.clamp(yaml.PosOf(mv.Start))
	_, alias := mv.Value.(*ast.AliasNode)
	folded := v.kind == kindString && v.pos.Line > colon.Line+1 && !v.quoted
	if !alias && (v.kind == kindNull && v.text == "" || folded) {
		c := *v
		c.pos = key
		return &c
	}
	return v
}

// key returns a key's text; only scalars are keys.
func (r *reader) key(k ast.MapKeyNode) (string, bool) {
	switch k := k.(type) {
	case *ast.MappingKeyNode:
		if k.Value == nil {
			r.errorf(r.at(k), "", "this key is empty")
			return "", false
		}
		if inner, ok := k.Value.(ast.MapKeyNode); ok {
			return r.key(inner)
		}
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		v := r.value(k)
		if v.scalar() {
			return v.text, true
		}
	case *ast.LiteralNode:
		return k.Value.Value, true
	default:
		if t := k.GetToken(); t != nil && !strings.ContainsAny(t.Value, "{[") || k.Type() == ast.StringType {
			return t.Value, true
		}
	}
	r.errorf(r.at(k), "Quote it if it is text.", "a key must be text, not a list or mapping")
	return "", false
}

// mergeSources returns the mappings that a "<<" key draws from.
func (r *reader) mergeSources(v *node) []*node {
	switch v.kind {
	case kindMapping:
		return []*node{v}
	case kindSequence:
		var out []*node
		for _, it := range v.items {
			out = append(out, r.mergeSources(it)...)
		}
		return out
	}
	r.errorf(v.pos, "", `"<<" merges mappings, not %s`, v.describe())
	return nil
}
