package tool

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// Phrase holds the parts of the sentence about a call: its arguments, and in words ("the button “Continue”") its
// target and the element that the target is moved to.
type Phrase struct {
	Args
	Target, To string // "" when there is none
}

// Always is a sentence that is the same for every call.
func Always(text string) func(Phrase) string { return func(Phrase) string { return text } }

// Quoted is an argument in quotes, "" when it is not there; a list has its entries quoted.
func (p Phrase) Quoted(name string) string {
	switch v := p.Args[name].(type) {
	case string:
		return Quote(v)
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, Quote(fmt.Sprint(e)))
		}
		return strings.Join(out, ", ")
	}
	return ""
}

var onlyToken = regex.Lazy(`^(\{\{\s*[A-Za-z_][\w.-]*\s*\}\}|\$\{[A-Za-z_][\w.-]*\})$`)

// Written is Quoted, but an argument that is one token stands as it is.
func (p Phrase) Written(name string) string {
	if text := p.Text(name); onlyToken().MatchString(text) {
		return text
	}
	return p.Quoted(name)
}

// Plain is an argument as it is, "" when it is not there.
func (p Phrase) Plain(name string) string {
	if v, ok := p.Args[name]; ok {
		return clip(fmt.Sprint(v))
	}
	return ""
}

// On is a verb and the target, or the first thing that stands for it; "" when nothing does.
func (p Phrase) On(verb string, otherwise ...string) string {
	return Join(verb+" ", cmp.Or(p.Target, cmp.Or(otherwise...)))
}

// Join returns a preposition and its object, "" when there is none.
func Join(preposition, what string) string {
	if what == "" {
		return ""
	}
	return preposition + what
}

const longest = 80 // characters of a piece of a sentence

// clip returns a text in one line, as long as a piece of a sentence may be.
func clip(s string) string { return phrase.Clip(strings.Join(strings.Fields(s), " "), longest) }

// Quote puts a text in quotes, clipped; nothing stays nothing.
func Quote(s string) string {
	if s == "" {
		return ""
	}
	return "“" + clip(s) + "”"
}

// Capital is a text that begins with a capital letter.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
