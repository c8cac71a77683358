package yaml

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Pos is a place in a text; lines and columns count from 1. The zero Pos is none.
type Pos struct{ Line, Col int }

// In prints the place as one of a file: path:line:column.
func (p Pos) In(path string) string { return fmt.Sprintf("%s:%d:%d", path, p.Line, p.Col) }

// Compare orders places as they follow each other.
func (p Pos) Compare(q Pos) int {
	if p.Line != q.Line {
		return p.Line - q.Line
	}
	return p.Col - q.Col
}

// PosOf returns the place of a token, the beginning of the text where it has none.
func PosOf(t *token.Token) Pos {
	if t == nil || t.Position == nil {
		return Pos{1, 1}
	}
	return Pos{max(t.Position.Line, 1), max(t.Position.Column, 1)}
}

// Locate returns the place of an error of this package, and its message without it.
func Locate(err error) (at Pos, message string, located bool) {
	var e interface {
		error
		GetToken() *token.Token
		GetMessage() string
	}
	if !errors.As(err, &e) {
		return Pos{1, 1}, err.Error(), false
	}
	return PosOf(e.GetToken()), e.GetMessage(), true
}

// Entry is a key of a mapping with its value, which is nil where nothing stands.
type Entry struct {
	Key   string // "" when the key is no scalar
	Pos   Pos
	Colon Pos
	Value ast.Node
}

// Entries returns the keys of a mapping in their order; a node that is none gives false.
func Entries(n ast.Node) (out []Entry, mapping bool) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		return nil, false
	}
	for _, v := range values {
		key, _ := Scalar(v.Key)
		out = append(out, Entry{Key: key, Pos: PosOf(v.Key.GetToken()), Colon: PosOf(v.Start), Value: v.Value})
	}
	return out, true
}

// Start returns the place at which a node begins; the token of a mapping is the colon of its first key.
func Start(n ast.Node) Pos {
	if keys, ok := Entries(n); ok && len(keys) > 0 {
		return keys[0].Pos
	}
	if n == nil {
		return Pos{}
	}
	return PosOf(n.GetToken())
}

// Scalar returns the text of a plain value. Anchors, aliases and tags are none.
func Scalar(n ast.Node) (string, bool) {
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

// Null reports whether a node is no value, or null.
func Null(n ast.Node) bool {
	if n == nil {
		return true
	}
	_, null := n.(*ast.NullNode)
	return null
}
