package screen

import (
	"context"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// matcher collects the tests of the block of the web. All that are set must hold; the first error wins.
type matcher struct {
	ctx     context.Context //nolint:containedctx // it lives as long as one test of one node
	ok      bool
	dressed bool // some text of the screen is printed otherwise than it is written
	err     error
}

func (m *matcher) regex(want string, got ...string) {
	if want == "" || !m.ok || m.err != nil {
		return
	}
	p := compile(want, false)
	for _, g := range got {
		ok, err := p.match(m.ctx, g)
		if err != nil {
			m.err = err
			return
		}
		if ok {
			return
		}
	}
	m.ok = false
}

// matches reports whether n has what the selector's driver block asks for. A selector without a block matches every
// node; with several blocks the one of the node's own driver counts, and a node of another driver matches none.
func (sel *Selector) matches(ctx context.Context, n *Node, css func(*Node, *Web) bool, dressed bool) (bool, error) {
	if !sel.hasBlock() {
		return true, nil
	}
	d, ok := n.Native.(*Web)
	if !ok {
		return sel.phoneMatches(ctx, n.Native)
	}
	m := matcher{ctx: ctx, ok: true, dressed: dressed}
	sel.Web.test(&m, n, d, css)
	return m.ok && m.err == nil, m.err
}

func (sel *Selector) hasBlock() bool {
	return sel.Web != nil || sel.AndroidAccessibility != nil || sel.AndroidMaestro != nil || sel.IOSMaestro != nil ||
		sel.IOSAxe != nil || sel.Compose != nil
}

func (w *WebMatch) test(m *matcher, n *Node, d *Web, css func(*Node, *Web) bool) {
	if w == nil || w.AriaRole != "" && w.AriaRole != n.Role || w.DataTestID != "" && w.DataTestID != d.TestID ||
		w.HeadingLevel != nil && *w.HeadingLevel != n.Level || w.CSSSelector != "" && !css(n, d) {
		m.ok = false // most nodes end here, before any text is looked at
		return
	}
	name := n.Name
	if w.AriaRole != "" {
		name = n.called() // only with its role beside it: a bare name never means a text
	}
	m.spaced(w.AriaNameRegex, name, n)
	m.own(w.OwnTextRegex, n)
	m.whole(w.TextRegex, n)
	if w.ColumnRegex != "" && m.ok {
		m.regex(w.ColumnRegex, n.columnHeader())
	}
	if w.AriaDescriptorRegex != "" && m.ok {
		m.regex(w.AriaDescriptorRegex, n.Descriptor(), n.Role+" "+squeeze(n.called()))
	}
}

// spaced compares a name as people do: white space normalised on both sides, as it is written or as it is printed.
func (m *matcher) spaced(want, got string, n *Node) {
	if want == "" || !m.ok {
		return
	}
	plain := squeeze(got)
	if squeeze(want) == plain {
		return
	}
	want = norm.NFC.String(want)
	if plain == got {
		m.regex(want, got)
	} else {
		m.regex(want, got, plain)
	}
	if !m.ok && got != "" && m.dressed {
		if printed := n.printedName(); printed != "" && printed != plain {
			m.ok = true
			m.regex(want, printed)
		}
	}
}

// squeeze is the text with each run of white space as one space, none at the ends: how people compare names.
func squeeze(s string) string {
	if !loose(s) {
		return s
	}
	plain := norm.NFC.String(strings.Join(strings.Fields(invisible.Replace(s)), " "))
	if strings.ContainsFunc(plain, isGlyph) {
		if spoken := strings.Join(strings.FieldsFunc(plain, func(r rune) bool { return isGlyph(r) || r == ' ' }),
			" "); spoken != "" {
			return spoken
		}
	}
	return plain
}

// isGlyph reports whether r is one of the characters without a meaning that icon fonts draw pictures for. A name
// without other characters keeps them, as they distinguish it from others.
func isGlyph(r rune) bool { return unicode.Is(unicode.Co, r) }

// invisible drops characters between letters that are not drawn: byte order marks, zero-width spaces and joiners,
// soft hyphens, marks of direction.
var invisible = strings.NewReplacer("\ufeff", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\u00ad", "",
	"\u200e", "", "\u200f", "", "\u061c", "", "\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "",
	"\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "")

// loose reports whether squeeze would change s; most texts it would not.
func loose(s string) bool {
	was := byte(' ')
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 0x80 || c >= '\t' && c <= '\r':
			return true // perhaps: Fields knows
		case c == ' ' && was == ' ':
			return true
		}
		was = c
	}
	return was == ' ' && s != ""
}

// MatchText reports whether the whole text matches a Java regular expression, or is equal to it. It matches like
// every *Regex field of a selector, for tools that take an expression of their own.
func MatchText(expression, text string) (bool, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), findLimit, errFindLimit)
	defer cancel()
	return compile(norm.NFC.String(expression), false).match(ctx, norm.NFC.String(text))
}

// SameText reports whether two texts are the same to a reader: letters with their marks in one or apart.
func SameText(a, b string) bool { return a == b || norm.NFC.String(a) == norm.NFC.String(b) }

// ContainsWords reports whether text contains part, white space aside, without cutting a word in two: "Paid" is in
// "Paid: 3" and not in "Unpaid". An empty part is in every text.
func ContainsWords(text, part string) bool {
	part = squeeze(part)
	return part == "" || containsWords(squeeze(text), part)
}

// SameWords reports whether two names are the same to a reader, white space aside.
func SameWords(a, b string) bool { return squeeze(a) == squeeze(b) }
