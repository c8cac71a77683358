package screen

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/screen/words"
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
	p := words.Compile(want, false)
	for _, g := range got {
		ok, err := p.Match(m.ctx, g)
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
	if !sel.HasBlock() {
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

// HasBlock reports whether the selector has a driver block.
func (sel *Selector) HasBlock() bool {
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
		name = n.Called() // only with its role beside it: a bare name never means a text
	}
	m.spaced(w.AriaNameRegex, name, n)
	m.own(w.OwnTextRegex, n)
	m.matchFullText(w.TextRegex, n)
	if w.ColumnRegex != "" && m.ok {
		m.regex(w.ColumnRegex, n.ColumnHeader())
	}
	if w.AriaDescriptorRegex != "" && m.ok {
		m.regex(w.AriaDescriptorRegex, n.Descriptor(), n.Role+" "+words.Squeeze(n.Called()))
	}
}

// spaced compares a name as people do: white space normalised on both sides, as it is written or as it is printed.
func (m *matcher) spaced(want, got string, n *Node) {
	if want == "" || !m.ok {
		return
	}
	plain := words.Squeeze(got)
	if words.Squeeze(want) == plain {
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

// own tests the text directly in n, as it is written or as its style prints it.
func (m *matcher) own(want string, n *Node) {
	if want == "" || !m.ok {
		return
	}
	text := n.OwnText()
	m.anyOf(want, text)
	if !m.ok && m.err == nil && m.dressed {
		m.ok = true
		m.anyOf(want, words.Squeeze(n.Printed(text)))
	}
}

// matchFullText tests all the text in n. Adjacent runs are also read as one word, as letters that are animated one by
// one are.
func (m *matcher) matchFullText(want string, n *Node) {
	if want == "" || !m.ok {
		return
	}
	limit := unbounded
	if p := words.Compile(want, false); p.Exact() {
		limit = 2*len(want) + 64 // a longer text is another one
	}
	for _, printed := range []bool{false, true} {
		if printed && !m.dressed {
			break
		}
		for _, spaced := range []bool{true, false} {
			text, short := n.TextWithin(printed, spaced, limit)
			if !short {
				continue
			}
			if m.ok = true; m.anyOfSqueezed(want, text) {
				return
			}
		}
	}
	m.ok = false
}

func (m *matcher) anyOfSqueezed(want, text string) bool {
	m.anyOf(want, words.Squeeze(text))
	return m.ok || m.err != nil
}

// anyOf compares white space and marks aside.
func (m *matcher) anyOf(want, text string) {
	if words.Squeeze(want) != text {
		m.regex(norm.NFC.String(want), text)
	}
}
