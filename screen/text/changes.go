package text

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Changes lists the changes in at most maxTokens (0: no limit): + is new, ~ is changed or has other refs, > is moved
// or scrolled into view, - is gone; elements that can be acted on are listed with their refs. When the list is cut,
// the last line says so.
func Changes(c diff.Changes, maxTokens int) string {
	if c.Empty() {
		return cutBytes("nothing changed\n", 4*maxTokens)
	}
	w := newWriter(c.Now, Options{MaxTokens: maxTokens})
	w.more = "take a snapshot for the whole"
	var head []string
	for _, s := range []string{c.URL, c.Title, c.Dialog} {
		if s != "" {
			head = append(head, s)
		}
	}
	if c.Focus != nil {
		head = append(head, "focus is on "+ident(c.Focus))
	}
	if c.NewPage {
		return otherPage(c, head, maxTokens)
	}
	w.view.offscreen = true
	w.listed("+", c.Added)
	w.listed("+", c.Revealed)
	hidden := 0
	for _, x := range c.Changed {
		if x.Node.Visibility > screen.Offscreen {
			hidden++
			continue
		}
		w.one("~ "+ident(x.Node)+": "+x.What, w.rank(x.Node)+2)
	}
	for _, n := range c.Moved {
		if n.Visibility > screen.Offscreen {
			hidden++
			continue
		}
		w.one(movedText(n), 3)
	}
	w.listed("~", c.Renewed)
	w.view.offscreen = false
	read := w.entered(c.Entered)
	w.below, w.above, w.beside, w.covered, w.hidden = unseen{}, unseen{}, unseen{}, unseen{}, unseen{}
	for _, n := range c.Away() {
		if d := gone(n); d != "" {
			w.one("- "+d, 5)
		}
	}
	tail := counts(c)
	if read > 0 {
		tail = append(tail, fmt.Sprintf("(%s scrolled into view: take a snapshot to read on)",
			phrase.Count(read, "more text")))
	}
	if hidden > 0 {
		tail = append(tail, fmt.Sprintf("(%s that cannot be seen)", phrase.Count(hidden, "change")))
	}
	if out := w.fitBetween(head, tail); out != "" {
		return out
	}
	return cutBytes(fmt.Sprintf("(%s that cannot be seen)\n", phrase.Count(c.Count(), "change")), 4*maxTokens)
}

// counts sums up the changes that are not worth a line each.
func counts(c diff.Changes) []string {
	var out []string
	for _, x := range []struct {
		n    int
		what string
	}{{c.Left, "scrolled out of view"}, {c.Covered, "now covered by something"}, {c.Uncovered, "no longer covered"}} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("(%s %s)", phrase.Count(x.n, "element"), x.what))
		}
	}
	return out
}

// otherPage shows the new page as far as the budget goes.
func otherPage(c diff.Changes, head []string, maxTokens int) string {
	first := []string{"the page is another one"}
	for _, h := range head {
		if strings.HasPrefix(h, "focus") {
			first = append(first, h)
		}
	}
	out := strings.Join(first, "; ") + "\n"
	if maxTokens == 0 {
		return out + Of(c.Now, Options{})
	}
	left := maxTokens - Tokens(out) - 1
	if left <= 0 {
		return cutBytes(out, 4*maxTokens)
	}
	return out + Of(c.Now, Options{MaxTokens: left})
}

// listed writes the subtrees of tops, each line behind a mark.
func (w *writer) listed(mark string, tops []*screen.Node) {
	for _, n := range tops {
		from := len(w.lines)
		w.stack = w.stack[:0]
		w.collect(n, 0)
		for i := from; i < len(w.lines); i++ {
			l := &w.lines[i]
			l.body, l.depth = mark+" "+strings.Repeat(" ", l.depth)+l.body, 0
			l.rank += 3
		}
	}
}

// These limit the prose that merely scrolled into view: the number of lines, and the characters of each.
const maxEnteredText, enteredText = 3, 80

// entered lists the elements that scrolled into view: controls and structure in full, and only the beginning of the
// prose. It returns the number of lines of prose that it left out.
func (w *writer) entered(tops []*screen.Node) (left int) {
	from, limit, cut := len(w.lines), w.textLimit, w.cut
	w.textLimit = enteredText
	w.listed(">", tops)
	w.textLimit, w.cut = limit, cut
	prose := 0
	for i := from; i < len(w.lines); i++ {
		if l := &w.lines[i]; l.readOnly {
			if prose++; prose > maxEnteredText {
				l.rank = -1
				left++
			}
		}
	}
	return left
}

func (w *writer) one(body string, rank int) {
	w.lines = append(w.lines, entry{body: body, rank: rank, up: -1})
}

// gone describes an element that has left the screen, if it ever had any text.
func gone(n *screen.Node) string {
	if n.Name == "" && n.Text == "" && n.Ref == "" {
		for _, c := range screen.Preorder(n) {
			if c.Visibility <= screen.Offscreen && (c.Name != "" || c.Text != "") {
				return longRole(n) + " with " + ident(c)
			}
		}
		return ""
	}
	return ident(n)
}

// ident names an element in a list of changes.
func ident(n *screen.Node) string {
	d := longRole(n)
	if n.Name != "" {
		d += " " + words.Quote(words.Squeeze(n.Name), 80)
	} else if n.Text != "" {
		d += " " + words.Quote(words.Squeeze(n.Text), 80)
	}
	if n.Ref != "" {
		d += " " + n.Ref
	}
	if n.Visibility == screen.Offscreen {
		return d + " (out of view)"
	}
	return d + unseenMark(n)
}

func longRole(n *screen.Node) string {
	if n.Role == "listitem" {
		return n.Role // its short form is the mark of what is gone
	}
	return screen.RoleWord(n.Role)
}

// movedText names the element that moved, and its new place.
func movedText(n *screen.Node) string {
	text := "> " + gone(n)
	if text == "> " {
		text = "> " + ident(n)
	}
	if n.Parent == nil {
		return text + " moved"
	}
	if prev := before(n); prev != nil {
		return text + " moved behind " + cmp.Or(gone(prev), ident(prev))
	}
	return text + " moved to the beginning"
}

// before is the sibling that n comes after, as a person sees them.
func before(n *screen.Node) *screen.Node {
	var best *screen.Node
	for _, o := range n.Parent.Children {
		if o == n {
			if n.Bounds.Empty() {
				return best
			}
			continue
		}
		if o.Visibility > screen.Offscreen ||
			!n.Bounds.Empty() && (o.Bounds.Empty() || screen.InReadingOrder(o.Bounds, n.Bounds) >= 0) {
			continue
		}
		if best == nil || n.Bounds.Empty() || screen.InReadingOrder(o.Bounds, best.Bounds) > 0 {
			best = o
		}
	}
	return best
}
