// Package text writes a screen, and the changes of one, as a model reads them.
//
//	view := text.Of(snap, text.Options{MaxTokens: 2000})
//
// # The text a model reads
//
// Of writes one line per element; one space of indentation is one step of containment:
//
//	"Checkout" "https://shop.test/cart" 900 px more below     title, address, what the page hides by scrolling
//	form "Payment"
//	 heading "Card" [2]                                       the level of a heading
//	 textbox "Number" e5 [focused, required] = "4111"         role "name" ref [states] = "value"
//	 combobox "Month" e6 = "May" of "May" "June"              and the options of a select
//	 slider "Tip" e7 = "5" in 0…20 by 0.5                     and a range with its step
//	 "Read the" link "terms" e8 "first"                       a text with what stands in it
//	 - link "Mug" e9 "2 left"                                 a list item; its content follows on the line
//	 row "Mug" | "$5" | button "Remove" e10                   a table row, its cells between bars
//	(31 elements further down: scroll, or detail offscreen)   what this view leaves out, and how to get it
//
// Everything that comes from the page is in quotes, control and format characters escaped; outside of quotes are
// only words of this package and refs. Further marks: hint "…" is a placeholder, · "…" a text that is not the name,
// — "…" a description, (below) where an element lies that only scrolling shows, with all that is in it, ! a dialog
// or an incomplete capture. Text that only repeats a name (a label beside its control, a caption) is left out.
//
// With a budget lines go in this order, last first: prose out of view, prose, out-of-view controls, landmarks,
// headings, controls in view, the focus. Lines that changed since an earlier capture or are near the focus are kept
// longer.
package text

import (
	"fmt"
	"slices"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Of returns the screen as a model reads it. The package comment has the grammar. Text from the page is always
// quoted, so that a page cannot forge a line or a ref. The end sums up the parts that a view leaves out, with the
// way to get them.
func Of(s *screen.Snapshot, o Options) string {
	s, o.Since = s.Written(), o.Since.Written()
	root := s.Root
	if o.Scope != "" {
		if ref, ok := screen.RefOf(o.Scope); ok {
			root = s.ByRef(ref)
		} else {
			root = nil
		}
		if root == nil {
			return cutBytes(fmt.Sprintf("(no element %s on this screen)\n", words.Quote(o.Scope, 80)), 4*o.MaxTokens)
		}
	}
	w := newWriter(s, o)
	if root != nil {
		w.collect(root, 0)
	}
	return w.fit()
}

// collect writes n, unless the view leaves it out, and the nodes below it.
func (w *writer) collect(n *screen.Node, depth int) {
	at := depth
	if n != w.snap.Root && w.hasNode(n) {
		if flat, ok := w.flat(n); ok {
			w.add(w.write(flat.nodes, func() string { return flat.write(w, n) }), depth, flat.nodes)
			return
		}
		if w.add(w.write([]*screen.Node{n}, func() string { return w.line(n) }), depth, []*screen.Node{n}) {
			at = depth + 1
		}
	}
	kids := w.children(n)
	if !w.view.all {
		w.pairLabels(n, kids)
	}
	for i, c := range kids {
		if !w.view.all && redundant(n, kids, i) {
			continue
		}
		w.collect(c, at)
	}
}

// write adds a line about nodes. Nodes that were searched for are meant to be acted on, so their line has a ref.
func (w *writer) write(nodes []*screen.Node, line func() string) string {
	body := line()
	if w.naming || w.o.Find == "" || !w.found(body, nodes) {
		return body
	}
	cut := w.cut
	w.naming = true
	body = line()
	w.naming, w.cut = false, cut
	return body
}

// add appends a line about nodes, unless it is empty, and reports whether it did.
func (w *writer) add(body string, depth int, nodes []*screen.Node) bool {
	if body == "" {
		return false
	}
	rank := -1
	if w.found(body, nodes) {
		for _, n := range nodes {
			rank = max(rank, w.rank(n))
		}
	}
	w.lines = append(w.lines,
		entry{depth: depth, body: body, rank: rank, up: w.parent(depth),
			readOnly: !slices.ContainsFunc(nodes, beyondText)})
	w.stack = append(w.stack[:min(depth, len(w.stack))], len(w.lines)-1)
	return true
}

// beyondText reports whether an element is more than text to read.
func beyondText(n *screen.Node) bool {
	switch n.Role {
	case "text", "listitem", "definition", "term", "blockquote", "caption", "figure", "LabelText":
		return n.Ref != ""
	}
	return !wraps(n)
}
