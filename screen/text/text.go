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
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Options control the view that a model reads. The zero value is the default view: everything in the viewport
// that can be acted on or read, and the rest summed up in one line each.
type Options struct {
	MaxTokens int              // hard limit, a token being four bytes; 0: none
	Detail    []string         // Details, in any case; upstream's longer spellings are read too
	Find      string           // only lines that hold this text or match it as a regular expression, under their path
	Scope     string           // only the subtree of this ref, scrolled into view or not
	Since     *screen.Snapshot // an earlier capture of the session: under a budget, what changed since stays longer
}

// Details that a view can have beyond the default.
const (
	DetailOffscreen = "offscreen" // what scrolling would show, too
	DetailCovered   = "covered"   // what is covered, clipped, transparent or hidden, too, each marked as such
	DetailBounds    = "bounds"    // boxes as @x,y,w,h
	DetailCSS       = "css"       // a CSS path where the element has a stable one
	DetailAll       = "all"       // the whole tree, texts in full: offscreen and covered
)

// view is which details are on.
type view struct{ offscreen, covered, bounds, css, all bool }

func (o Options) view() view {
	v := view{offscreen: o.Find != "" || o.Scope != ""} // who looks for something wants it wherever it is
	for _, d := range o.Detail {
		switch strings.ToLower(d) {
		case DetailOffscreen, "offscreen_elements":
			v.offscreen = true
		case DetailCovered, "occluded_elements":
			v.covered = true
		case DetailBounds:
			v.bounds = true
		case DetailCSS, "css_selectors":
			v.css = true
		case DetailAll, "all_elements":
			v.all, v.offscreen, v.covered = true, true, true
		}
	}
	return v
}

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

// entry is one line to be, with the facts that decide whether it survives a budget.
type entry struct {
	depth    int
	body     string
	rank     int  // higher stays longer; negative: only there as the path to something found
	up       int  // index of the parent line, -1 at the top
	readOnly bool // nothing but text to read
}

type writer struct {
	snap    *screen.Snapshot
	o       Options
	view    view
	find    *regex.Regex
	begun   time.Time
	literal string
	fresh   map[screen.NodeID]bool  // new or changed since o.Since
	warm    map[*screen.Node]bool   // what the focus lies in, closely
	labels  map[*screen.Node]string // the ref of the label of a control
	off     map[*screen.Node]bool   // whose line says that they are out of view

	naming bool // lines carry refs of elements that nothing acts on, too

	more      string // how to get what a budget left out
	textLimit int    // characters told of one text
	lines     []entry
	stack     []int // line index by depth

	below, above, beside, covered, hidden unseen
	matched                               int // hidden elements that the search would have found
	cut                                   int // texts that were shortened
}

func newWriter(s *screen.Snapshot, o Options) *writer {
	w := &writer{snap: s, o: o, view: o.view(), naming: o.view().all, begun: time.Now(), textLimit: words.MaxQuoted,
		more: "ask with find, scope or a higher maxTokens"}
	if o.Find != "" {
		if re, err := regex.Compile("(?iu)"+o.Find, regex.Search); err == nil {
			w.find = re
		}
		w.literal = strings.ToLower(o.Find)
	}
	if o.MaxTokens > 0 {
		w.warm = map[*screen.Node]bool{}
		for n, i := s.Node(s.Focus), 0; n != nil && n != s.Root && i < 3; n, i = n.Parent, i+1 {
			w.warm[n] = true
		}
		if o.Since != nil {
			w.fresh = map[screen.NodeID]bool{}
			c := diff.Between(o.Since, s)
			for _, n := range c.Added {
				w.fresh[n.ID] = true
			}
			for _, x := range c.Changed {
				w.fresh[x.Node.ID] = true
			}
		}
	}
	return w
}

// collect writes n, unless the view leaves it out, and the nodes below it.
func (w *writer) collect(n *screen.Node, depth int) {
	at := depth
	if n != w.snap.Root && w.shown(n) {
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

// ref is the ref that n's line carries, with a space before it.
func (w *writer) ref(n *screen.Node) string {
	ref := n.Ref
	if w.naming {
		ref = w.snap.RefFor(n)
	}
	if ref == "" {
		return ""
	}
	return " " + ref
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

func (w *writer) parent(depth int) int {
	if depth == 0 || depth > len(w.stack) {
		return -1
	}
	return w.stack[depth-1]
}

func (w *writer) found(body string, nodes []*screen.Node) bool {
	if w.o.Find == "" || strings.Contains(strings.ToLower(body), w.literal) {
		return true
	}
	for _, n := range nodes {
		for _, s := range []string{n.Name, n.Text, n.Value} {
			if s != "" && (strings.Contains(strings.ToLower(s), w.literal) || w.matches(s)) {
				return true
			}
		}
	}
	return w.matches(body)
}

// matches reports whether the search is a pattern and finds something in text. One that takes too long finds nothing.
func (w *writer) matches(text string) bool {
	if w.find == nil || time.Since(w.begun) > words.Limit {
		return false
	}
	ok, err := w.find.Match(context.Background(), text)
	return ok && err == nil
}

// rank orders lines for a budget: the focus, controls in view, headings and landmarks, then text. Lines near the
// focus or changed since the last look count more.
func (w *writer) rank(n *screen.Node) int {
	if n.State.Has(screen.Focused) || n.ID == w.snap.Focus && n.ID != 0 {
		return 20
	}
	r := weight(n)
	if n.Visibility != screen.Visible {
		r--
	}
	for p, i := n, 0; p != nil && i < 4; p, i = p.Parent, i+1 {
		if w.fresh[p.ID] {
			r += 4
			break
		}
	}
	if len(w.warm) > 0 && (w.warm[n] || w.warm[n.Parent]) {
		r += 3
	}
	return r
}

// weight returns how much an element matters to a reader, wherever the focus is.
func weight(n *screen.Node) int {
	switch n.Role {
	case "alert", "dialog", "alertdialog", "status":
		return 12
	}
	switch {
	case n.Ref != "" && n.Visibility == screen.Visible:
		return 12
	case n.Role == "heading":
		return 10
	case n.State.Has(screen.Landmark):
		return 8
	case n.Ref != "":
		return 6
	case n.Visibility == screen.Visible:
		return 4
	}
	return 2
}
