package text

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// These bound the content of one line.
const (
	maxAtoms    = 16
	maxFlatText = 600
)

// flatLine is an element whose content fits on its own line: a table row, a list item, a paragraph with a link in it.
type flatLine struct {
	cells [][]*screen.Node // what stands between the bars; one cell when the element is no row
	nodes []*screen.Node   // all that the line is about
}

// flat reports whether n fits on one line with everything in it. It has no side effects.
func (w *writer) flat(n *screen.Node) (flatLine, bool) {
	if w.view.all || w.view.bounds || w.view.css || len(n.Children) == 0 {
		return flatLine{}, false
	}
	var f flatLine
	size := 0
	switch n.Role {
	case "row":
		for _, c := range n.Children {
			if !cellRole(c.Role) {
				return flatLine{}, false
			}
			cell, ok := w.atoms(nil, c, &size)
			if !ok {
				return flatLine{}, false
			}
			f.cells = append(f.cells, cell)
		}
	case "listitem", "paragraph", "definition", "term", "caption":
		cell, ok := w.inner(nil, n, &size)
		if !ok {
			return flatLine{}, false
		}
		f.cells = [][]*screen.Node{cell}
	default:
		return flatLine{}, false
	}
	f.nodes = append(f.nodes, n)
	for _, c := range f.cells {
		f.nodes = append(f.nodes, c...)
	}
	return f, len(f.nodes) > 1 && len(f.nodes) <= maxAtoms && size <= maxFlatText
}

func cellRole(role string) bool {
	switch role {
	case "cell", "gridcell", "columnheader", "rowheader":
		return true
	}
	return false
}

// atoms appends the parts of c on a line: itself, or its content when it only wraps.
func (w *writer) atoms(out []*screen.Node, c *screen.Node, size *int) ([]*screen.Node, bool) {
	*size += len(c.Name) + len(c.Text) + len(c.Value) + 16
	if *size > maxFlatText || len(out) >= maxAtoms {
		return nil, false
	}
	if wraps(c) && len(c.Children) > 0 {
		return w.inner(out, c, size)
	}
	if len(w.children(c)) > 0 {
		return nil, false
	}
	return append(out, c), true
}

func (w *writer) inner(out []*screen.Node, n *screen.Node, size *int) ([]*screen.Node, bool) {
	w.pairLabels(n, n.Children)
	for i, c := range n.Children {
		if redundant(n, n.Children, i) {
			continue
		}
		var ok bool
		if out, ok = w.atoms(out, c, size); !ok {
			return nil, false
		}
	}
	return out, true
}

// wraps reports whether an element means nothing but the text it holds.
func wraps(n *screen.Node) bool {
	if !plainBox(n.Role) && !textual(n.Role) && !cellRole(n.Role) && n.Role != "text" {
		return false
	}
	return n.Ref == "" && n.Description == "" && n.Scroll == nil && n.Visibility != screen.Hidden &&
		screen.StateWords(n) == ""
}

// write puts the line together; runs of text that follow each other become one.
func (f flatLine) write(w *writer, n *screen.Node) string {
	var b strings.Builder
	if n.Role != "paragraph" || n.Ref != "" {
		b.WriteString(w.start(n, false))
	}
	for i, cell := range f.cells {
		if i > 0 {
			b.WriteString(" |")
		}
		var run []string
		flush := func() {
			if len(run) > 0 {
				b.WriteString(" " + w.quote(strings.Join(run, " ")))
				run = nil
			}
		}
		for _, c := range cell {
			if !w.hasNode(c) {
				continue
			}
			if t, ok := plain(c); ok &&
				!(w.naming && w.found(t, []*screen.Node{c})) { // what was looked for has a ref of its own
				if t != "" {
					run = append(run, t)
				}
				continue
			}
			flush()
			if l := w.line(c); l != "" {
				b.WriteString(" " + l)
			}
		}
		flush()
	}
	return strings.TrimPrefix(b.String(), " ")
}

// plain is the text of an atom that is nothing but text.
func plain(n *screen.Node) (string, bool) {
	if !wraps(n) {
		return "", false
	}
	t := screen.DirectText(n)
	if t == "" {
		t = n.Name
	}
	return words.Squeeze(t), true
}
