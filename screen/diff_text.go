package screen

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// Text lists the changes in at most maxTokens (0: no limit): + is new, ~ is changed or has other refs, > is moved
// or scrolled into view, - is gone; elements that can be acted on are listed with their refs. When the list is cut,
// the last line says so.
func (c Changes) Text(maxTokens int) string {
	if c.Empty() {
		return cutBytes("nothing changed\n", 4*maxTokens)
	}
	w := newTextWriter(c.now, TextOptions{MaxTokens: maxTokens})
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
		return c.whole(head, maxTokens)
	}
	w.view.offscreen = true
	w.listed("+", c.Added)
	w.listed("+", c.Shown)
	hidden := 0
	for _, x := range c.Changed {
		if x.Node.Visibility > Offscreen {
			hidden++
			continue
		}
		w.one("~ "+ident(x.Node)+": "+x.What, w.rank(x.Node)+2)
	}
	for _, n := range c.Moved {
		if n.Visibility > Offscreen {
			hidden++
			continue
		}
		w.one(movedText(n), 3)
	}
	w.listed("~", c.Renewed)
	w.view.offscreen = false
	read := w.entered(c.Entered)
	w.below, w.above, w.beside, w.covered, w.hidden = unseen{}, unseen{}, unseen{}, unseen{}, unseen{}
	for _, n := range c.away() {
		if d := gone(n); d != "" {
			w.one("- "+d, 5)
		}
	}
	tail := c.counts()
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
	return cutBytes(fmt.Sprintf("(%s that cannot be seen)\n", phrase.Count(c.count(), "change")), 4*maxTokens)
}

// away returns the elements that a person saw before and no longer sees, as they were then: the name of an element
// that is out of sight is not for reading.
func (c Changes) away() []*Node {
	var out []*Node
	for _, n := range c.Removed {
		if n.Visibility <= Offscreen {
			out = append(out, n)
		}
	}
	for _, n := range c.Hid {
		if was := c.old.Node(n.ID); was != nil {
			out = append(out, was)
		}
	}
	return out
}

// counts sums up the changes that are not worth a line each.
func (c Changes) counts() []string {
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

// whole shows the new page as far as the budget goes.
func (c Changes) whole(head []string, maxTokens int) string {
	first := []string{"the page is another one"}
	for _, h := range head {
		if strings.HasPrefix(h, "focus") {
			first = append(first, h)
		}
	}
	out := strings.Join(first, "; ") + "\n"
	if maxTokens == 0 {
		return out + c.now.Text(TextOptions{})
	}
	left := maxTokens - Tokens(out) - 1
	if left <= 0 {
		return cutBytes(out, 4*maxTokens)
	}
	return out + c.now.Text(TextOptions{MaxTokens: left})
}

// listed writes the subtrees of tops, each line behind a mark.
func (w *textWriter) listed(mark string, tops []*Node) {
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
func (w *textWriter) entered(tops []*Node) (left int) {
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

func (w *textWriter) one(body string, rank int) {
	w.lines = append(w.lines, textLine{body: body, rank: rank, up: -1})
}

// gone describes an element that has left the screen, if it ever had any text.
func gone(n *Node) string {
	if n.Name == "" && n.Text == "" && n.Ref == "" {
		for _, c := range preorder(n) {
			if c.Visibility <= Offscreen && (c.Name != "" || c.Text != "") {
				return longRole(n) + " with " + ident(c)
			}
		}
		return ""
	}
	return ident(n)
}

// ident names an element in a list of changes.
func ident(n *Node) string {
	d := longRole(n)
	if n.Name != "" {
		d += " " + quoted(squeeze(n.Name), 80)
	} else if n.Text != "" {
		d += " " + quoted(squeeze(n.Text), 80)
	}
	if n.Ref != "" {
		d += " " + n.Ref
	}
	if n.Visibility == Offscreen {
		return d + " (out of view)"
	}
	return d + unseenMark(n)
}

func longRole(n *Node) string {
	if n.Role == "listitem" {
		return n.Role // its short form is the mark of what is gone
	}
	return shortRole(n.Role)
}
