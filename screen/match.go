package screen

import (
	"context"
	"slices"
	"strings"
	"unicode"
)

// matcher collects the tests of one driver block. All that are set must hold; the first error wins.
type matcher struct {
	ctx     context.Context //nolint:containedctx // it lives as long as one test of one node
	ok      bool
	fold    bool // Maestro blocks compare their regular expressions in any case
	dressed bool // some text of the screen is printed otherwise than it is written
	err     error
}

func (m *matcher) regex(want string, got ...string) {
	if want == "" || !m.ok || m.err != nil {
		return
	}
	p := compile(want, m.fold)
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

func (m *matcher) equal(want, got string) {
	if want != "" && want != got {
		m.ok = false
	}
}

func (m *matcher) flag(want *bool, got bool) {
	if want != nil && *want != got {
		m.ok = false
	}
}

func (m *matcher) number(want *int, got *int) {
	if want != nil && (got == nil || *want != *got) {
		m.ok = false
	}
}

// matches reports whether n has what the selector's driver block asks for. A selector without a block matches every
// node; with several blocks the one of the node's own driver counts, and a node of another driver matches none.
func (sel *Selector) matches(ctx context.Context, n *Node, css func(*Node, *Web) bool, dressed bool) (bool, error) {
	if !sel.hasBlock() {
		return true, nil
	}
	m := matcher{ctx: ctx, ok: true, dressed: dressed}
	switch d := n.Native.(type) {
	case *Web:
		sel.Web.test(&m, n, d, css)
	case *AndroidAccessibility:
		sel.AndroidAccessibility.test(&m, d)
	case *AndroidMaestro:
		m.fold = true
		sel.AndroidMaestro.test(&m, d)
	case *IOSMaestro:
		m.fold = true
		sel.IOSMaestro.test(&m, d)
	case *IOSAxe:
		sel.IOSAxe.test(&m, d)
	case *Compose:
		sel.Compose.test(&m, d)
	default:
		m.ok = false
	}
	return m.ok && m.err == nil, m.err
}

func (sel *Selector) hasBlock() bool {
	return sel.Web != nil || sel.AndroidAccessibility != nil || sel.AndroidMaestro != nil || sel.IOSMaestro != nil || sel.IOSAxe != nil || sel.Compose != nil
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
	want = joinMarks(want)
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

func (a *AndroidAccessibilityMatch) test(m *matcher, d *AndroidAccessibility) {
	if a == nil {
		m.ok = false
		return
	}
	m.equal(a.UniqueID, d.UniqueID)
	m.regex(a.ClassNameRegex, d.ClassName)
	m.regex(a.ResourceIDRegex, d.ResourceID)
	m.regex(a.ComposeTestTagRegex, d.ComposeTestTag)
	m.regex(a.TextRegex, d.ResolveText())
	m.regex(a.ContentDescriptionRegex, d.ContentDescription)
	m.regex(a.HintTextRegex, d.HintText)
	m.regex(a.LabeledByTextRegex, d.LabeledByText)
	m.regex(a.StateDescriptionRegex, d.StateDescription)
	m.regex(a.PaneTitleRegex, d.PaneTitle)
	m.regex(a.RoleDescriptionRegex, d.RoleDescription)
	m.flag(a.IsEnabled, !d.Disabled)
	m.flag(a.IsClickable, d.IsClickable)
	m.flag(a.IsCheckable, d.IsCheckable)
	m.flag(a.IsChecked, d.IsChecked)
	m.flag(a.IsSelected, d.IsSelected)
	m.flag(a.IsFocused, d.IsFocused)
	m.flag(a.IsEditable, d.IsEditable)
	m.flag(a.IsScrollable, d.IsScrollable)
	m.flag(a.IsPassword, d.IsPassword)
	m.flag(a.IsHeading, d.IsHeading)
	m.flag(a.IsMultiLine, d.IsMultiLine)
	m.number(a.InputType, d.InputType)
	m.number(a.CollectionItemRowIndex, d.CollectionRow)
	m.number(a.CollectionItemColumnIndex, d.CollectionColumn)
}

func (a *AndroidMaestroMatch) test(m *matcher, d *AndroidMaestro) {
	if a == nil {
		m.ok = false
		return
	}
	m.regex(a.TextRegex, firstOf(d.Text, d.HintText, d.AccessibilityText))
	m.regex(a.ResourceIDRegex, d.ResourceID)
	m.regex(a.AccessibilityTextRegex, d.AccessibilityText)
	m.regex(a.ClassNameRegex, d.ClassName)
	m.regex(a.HintTextRegex, d.HintText)
	m.flag(a.Clickable, d.Clickable)
	m.flag(a.Enabled, !d.Disabled)
	m.flag(a.Focused, d.Focused)
	m.flag(a.Checked, d.Checked)
	m.flag(a.Selected, d.Selected)
}

func (a *IOSMaestroMatch) test(m *matcher, d *IOSMaestro) {
	if a == nil {
		m.ok = false
		return
	}
	m.regex(a.TextRegex, firstOf(d.Text, d.HintText, d.AccessibilityText))
	m.regex(a.ResourceIDRegex, d.ResourceID)
	m.regex(a.AccessibilityTextRegex, d.AccessibilityText)
	m.regex(a.ClassNameRegex, d.ClassName)
	m.regex(a.HintTextRegex, d.HintText)
	m.flag(a.Focused, d.Focused)
	m.flag(a.Selected, d.Selected)
}

func (a *IOSAxeMatch) test(m *matcher, d *IOSAxe) {
	if a == nil {
		m.ok = false
		return
	}
	m.equal(a.UniqueID, d.UniqueID)
	m.regex(a.RoleRegex, d.Role)
	m.regex(a.SubroleRegex, d.Subrole)
	m.regex(a.LabelRegex, d.Label)
	m.regex(a.ValueRegex, d.Value)
	m.regex(a.TypeRegex, d.Type)
	m.regex(a.TitleRegex, d.Title)
	if a.CustomAction != "" && !slices.Contains(d.CustomActions, a.CustomAction) {
		m.ok = false
	}
	m.flag(a.Enabled, !d.Disabled)
}

func (a *ComposeMatch) test(m *matcher, d *Compose) {
	if a == nil {
		m.ok = false
		return
	}
	m.equal(a.TestTag, d.TestTag)
	m.equal(a.Role, d.Role)
	m.regex(a.TextRegex, d.Text)
	m.regex(a.EditableTextRegex, d.EditableText)
	m.regex(a.ContentDescriptionRegex, d.ContentDescription)
	m.equal(a.ToggleableState, d.ToggleableState)
	m.flag(a.IsEnabled, !d.Disabled)
	m.flag(a.IsFocused, d.IsFocused)
	m.flag(a.IsSelected, d.IsSelected)
	m.flag(a.IsPassword, d.IsPassword)
}

// squeeze is the text with each run of white space as one space, none at the ends: how people compare names.
func squeeze(s string) string {
	if !loose(s) {
		return s
	}
	plain := joinMarks(strings.Join(strings.Fields(invisible.Replace(s)), " "))
	if strings.ContainsFunc(plain, isGlyph) {
		if spoken := strings.Join(strings.FieldsFunc(plain, func(r rune) bool { return isGlyph(r) || r == ' ' }), " "); spoken != "" {
			return spoken
		}
	}
	return plain
}

// isGlyph reports whether r is one of the characters without a meaning that icon fonts draw pictures for. A name that has
// nothing else keeps them, for they tell it from others.
func isGlyph(r rune) bool { return unicode.Is(unicode.Co, r) }

// invisible drops what stands between letters and nobody sees: byte order marks, zero-width spaces and joiners, soft
// hyphens, marks of direction.
var invisible = strings.NewReplacer("\ufeff", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\u00ad", "",
	"\u200e", "", "\u200f", "", "\u061c", "", "\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "",
	"\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "")

// loose says whether squeeze would change s; most texts it would not.
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
