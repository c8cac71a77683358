package screen

import (
	"fmt"
	"strings"
)

// Changes is what became different from one capture to the next of the same session. Elements are compared by id.
type Changes struct {
	URL, Title, Dialog string // the new one, as a sentence; "" when unchanged
	Focus              *Node  // the newly focused element
	Added, Removed     []*Node
	Changed            []Change

	now *Snapshot
}

// Change is one element that is not as it was.
type Change struct {
	Node *Node
	What string // `value "" → "Ada"`
}

// Diff compares two captures of one session. Of an added or removed subtree only its top is listed.
func Diff(old, now *Snapshot) Changes {
	c := Changes{now: now}
	if old == nil || now == nil {
		return c
	}
	if old.URL != now.URL {
		c.URL = "address is now " + quoted(now.URL, 200)
	}
	if old.Title != now.Title {
		c.Title = "title is now " + quoted(now.Title, 120)
	}
	switch {
	case old.Dialog == nil && now.Dialog != nil:
		c.Dialog = now.Dialog.Type + " dialog opened: " + quoted(now.Dialog.Message, 200)
	case old.Dialog != nil && now.Dialog == nil:
		c.Dialog = "the dialog closed"
	}
	if old.Focus != now.Focus {
		c.Focus = now.Node(now.Focus)
	}
	for _, n := range preorder(now.Root) {
		was := old.Node(n.ID)
		switch {
		case was == nil:
			if n.Parent == nil || old.Node(n.Parent.ID) != nil {
				c.Added = append(c.Added, n)
			}
		default:
			if what := changed(was, n); what != "" {
				c.Changed = append(c.Changed, Change{n, what})
			}
		}
	}
	for _, n := range preorder(old.Root) {
		if now.Node(n.ID) == nil && (n.Parent == nil || now.Node(n.Parent.ID) != nil) {
			c.Removed = append(c.Removed, n)
		}
	}
	return c
}

// changed says how an element differs, "" when it does not. Bounds alone are no change: everything below a new line moves.
func changed(was, is *Node) string {
	var out []string
	text := func(what, a, b string) {
		if a != b {
			out = append(out, fmt.Sprintf("%s %s → %s", what, quoted(a, 80), quoted(b, 80)))
		}
	}
	if was.Role != is.Role {
		out = append(out, fmt.Sprintf("role %s → %s", was.Role, is.Role))
	}
	text("name", was.Name, is.Name)
	if was.Text != was.Name || is.Text != is.Name {
		text("text", was.Text, is.Text)
	}
	text("value", was.Value, is.Value)
	if a, b := states(withoutFocus(was)), states(withoutFocus(is)); a != b {
		if b == "" {
			b = "plain"
		}
		out = append(out, "now "+b)
	}
	if (was.Visibility == Visible) != (is.Visibility == Visible) && is.Visibility == Visible {
		out = append(out, "now in view")
	}
	return strings.Join(out, ", ")
}

func withoutFocus(n *Node) *Node {
	c := *n
	c.State &^= Focused
	return &c
}

// Empty reports that nothing a reader would notice changed.
func (c Changes) Empty() bool {
	return c.URL == "" && c.Title == "" && c.Dialog == "" && c.Focus == nil && len(c.Added)+len(c.Removed)+len(c.Changed) == 0
}

// Text says what changed in at most maxTokens (0: no limit), falling back to counts when the list would be longer.
func (c Changes) Text(maxTokens int) string {
	if c.Empty() {
		return "nothing changed\n"
	}
	var lines []string
	for _, s := range []string{c.URL, c.Title, c.Dialog} {
		if s != "" {
			lines = append(lines, s)
		}
	}
	w := &textWriter{snap: c.now, view: view{all: true, offscreen: true}}
	for _, x := range c.Changed {
		lines = append(lines, "~ "+ident(x.Node)+": "+x.What)
	}
	for _, n := range c.Added {
		w.lines, w.stack = nil, nil
		w.collect(n, 0)
		for _, l := range w.lines {
			lines = append(lines, "+ "+strings.Repeat("  ", l.depth)+l.body)
		}
	}
	for _, n := range c.Removed {
		if d := ident(n); d != "" {
			lines = append(lines, "- "+d)
		}
	}
	if c.Focus != nil {
		lines = append(lines, "focus is on "+ident(c.Focus))
	}
	out := strings.Join(lines, "\n") + "\n"
	if maxTokens > 0 && Tokens(out) > maxTokens {
		return c.fit(lines, 4*maxTokens)
	}
	return out
}

// fit keeps the first lines and sums up the rest.
func (c Changes) fit(lines []string, limit int) string {
	sum := fmt.Sprintf("page changed: %d added, %d removed, %d changed; take a snapshot for the whole\n", len(c.Added), len(c.Removed), len(c.Changed))
	if len(sum) > limit {
		return sum[:limit]
	}
	var b strings.Builder
	for _, l := range lines {
		if b.Len()+len(l)+1+len(sum) > limit {
			break
		}
		b.WriteString(l + "\n")
	}
	return b.String() + sum
}

// ident names an element in a list of changes.
func ident(n *Node) string {
	d := shortRole(n.Role)
	if n.Name != "" {
		d += " " + quoted(squeeze(n.Name), 80)
	} else if n.Text != "" {
		d += " " + quoted(squeeze(n.Text), 80)
	}
	if n.Ref != "" {
		d += " " + n.Ref
	}
	return d
}
