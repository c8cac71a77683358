// Package yaml reads the YAML of trails, policies, settings and calls within bounds, so that a hostile text costs a
// moment and never more: the library's time grows with the square of what a text holds, and its parser cannot be
// interrupted.
//
// Parse returns the tree, with the places of everything; Unmarshal returns values. Both are safe to call from many
// goroutines.
package yaml

import (
	"bytes"
	"fmt"
	"strings"

	goyaml "github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// The bounds of a text.
const (
	MaxSize      = 1 << 20 // bytes
	MaxDepth     = 200     // levels of nesting
	maxEntries   = 10_000  // keys and items, all together
	maxDocuments = 50
)

// Error is a text that is over a bound, or that the library cannot read. It has the methods of the library's own
// errors, so callers handle both alike.
type Error struct {
	at  *token.Token // nil: the whole text
	msg string
}

// Error implements error.
func (e *Error) Error() string {
	if e.at == nil || e.at.Position == nil {
		return e.msg
	}
	return fmt.Sprintf("[%d:%d] %s", e.at.Position.Line, e.at.Position.Column, e.msg)
}

// GetToken returns the token at which the text exceeds the bound.
func (e *Error) GetToken() *token.Token { return e.at }

// GetMessage is the error without its place.
func (e *Error) GetMessage() string { return e.msg }

// Parse reads a text into its tree. A key that comes twice is kept: callers say what that means.
func Parse(text string) (file *ast.File, err error) {
	defer recovered(&err)
	tokens, err := tokenize(text)
	if err != nil {
		return nil, err
	}
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// Tokens splits a text into what it is made of, comments too.
func Tokens(text string) (tokens token.Tokens, err error) {
	defer recovered(&err)
	return tokenize(text)
}

// Unmarshal reads the first document of a text into v. The error names line and column.
func Unmarshal(data []byte, v any) (err error) {
	defer recovered(&err)
	if _, err := tokenize(string(data)); err != nil {
		return err
	}
	if err := goyaml.NewDecoder(bytes.NewReader(data)).Decode(v); err != nil && len(bytes.TrimSpace(data)) > 0 {
		return &Error{msg: strings.TrimSpace(goyaml.FormatError(err, false, true))}
	}
	return nil
}

// recovered turns a panic of the library into an error: for a user, the text is at fault.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = &Error{msg: fmt.Sprintf("the YAML reader gave up: %v", p)}
	}
}

// tokenize splits a text and holds it to the bounds, before the parser recurses into it.
func tokenize(text string) (token.Tokens, error) {
	if len(text) > MaxSize {
		return nil, &Error{msg: fmt.Sprintf("the text has %d bytes, more than %d", len(text), MaxSize)}
	}
	tokens := lexer.Tokenize(text)
	flow, run, line, entries, documents := 0, 0, 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			run, line = 0, t.Position.Line
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow--
		case token.SequenceEntryType, token.MappingValueType, token.AnchorType:
			run++
			entries++
		case token.MappingKeyType, token.TagType:
			run++
		case token.CollectEntryType:
			entries++
		case token.DocumentHeaderType, token.DocumentEndType:
			documents++
		}
		switch {
		case flow > MaxDepth, run > MaxDepth, t.Position.Column > 0 && t.Position.IndentNum > 4*MaxDepth:
			return nil, &Error{t, fmt.Sprintf("more than %d levels of nesting", MaxDepth)}
		case entries > maxEntries:
			return nil, &Error{t, fmt.Sprintf("more than %d keys and items", maxEntries)}
		case documents > maxDocuments:
			return nil, &Error{t, fmt.Sprintf("more than %d documents", maxDocuments)}
		}
	}
	return tokens, nil
}
