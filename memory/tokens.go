package memory

import (
	"encoding/json"
	"strings"
)

// Token is a place in a text that a value will be put into, for those who check texts before any value is known.
type Token struct {
	Name     string // a dotted path; without "memory."; with "args." or "params."
	Optional bool   // {{?name}}: without a value its key is dropped
	Memory   bool   // spelled "memory.", so that no parameter shadows it
	FullText bool   // it is the whole text, so the value keeps its JSON type
	Computed bool   // it is a part of a sum, {{name + 1}}, which is a number
}

// Param is the name of the parameter that the token reads if one of that name is declared, "" when it can read none.
// explicit says that it must be declared.
func (t Token) Param() (name string, explicit bool) {
	if t.Memory {
		return "", false
	}
	rest, explicit := strings.CutPrefix(t.Name, "params.")
	name, _, _ = strings.Cut(rest, ".")
	return name, explicit
}

// String is the token as it is mostly written.
func (t Token) String() string {
	if t.Memory {
		return "{{memory." + t.Name + "}}"
	}
	return "{{" + t.Name + "}}"
}

// TokensIn lists the tokens of a text from left to right. Escapes are none.
func TokensIn(s string) []Token {
	var out []Token
	toks := tokens(s)
	for _, t := range toks {
		whole := len(toks) == 1 && t.from == 0 && t.to == len(s)
		if t.bad != "" {
			out = append(out, Token{Name: t.name, Optional: t.optional, FullText: whole})
		}
		for _, one := range t.reads() {
			out = append(out, Token{one.name, t.optional, one.memory, whole, t.sum != nil})
		}
	}
	return out
}

// TokensInJSON lists the tokens in the texts of a JSON document, as expanding it finds them.
func TokensInJSON(raw json.RawMessage) (out []Token) {
	_, _ = rewrite(raw, func(s string) (edit, error) {
		out = append(out, TokensIn(s)...)
		return edit{}, nil
	})
	return out
}

// unescaped returns a text with its escapes undone and all else unchanged.
func unescaped(s string) string {
	if !strings.Contains(s, "{{") {
		return s
	}
	var b strings.Builder
	done := 0
	for _, t := range tokens(s) {
		if t.escape() {
			b.WriteString(s[done:t.from] + t.literal)
			done = t.to
		}
	}
	return b.String() + s[done:]
}
