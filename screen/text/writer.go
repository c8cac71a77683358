package text

import (
	"context"
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
