package replay

import (
	"fmt"
	"net/url"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// baselineLines bounds the comparison: past this a reader looks at the screenshots instead.
const baselineLines = 12

// sinceBaseline says how a screen differs from the one on which the step last passed. The two come from different
// sessions, so elements are compared by what they say, not by id.
func sinceBaseline(base, now *screen.Snapshot) []string {
	var out []string
	if base.Title != now.Title {
		out = append(out, fmt.Sprintf("title was %q, is %q", base.Title, now.Title))
	}
	if a, b := path(base.URL), path(now.URL); a != b {
		out = append(out, fmt.Sprintf("address was %s, is %s", a, b))
	}
	before, after := lines(base), lines(now)
	gone, fresh := only(before, after), only(after, before)
	for _, l := range gone {
		out = append(out, "no longer there: "+l)
	}
	for _, l := range fresh {
		out = append(out, "new: "+l)
	}
	if len(out) > baselineLines {
		out = append(out[:baselineLines], "and "+phrase.Count(len(out)-baselineLines, "more difference"))
	}
	return out
}

// lines returns the text that a person would read on the screen, one entry per visible element with a text.
func lines(s *screen.Snapshot) []string {
	var out []string
	var walk func(n *screen.Node)
	walk = func(n *screen.Node) {
		if n.InSight() {
			if l := line(n); l != "" {
				out = append(out, l)
			}
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	if s.Root != nil {
		walk(s.Root)
	}
	return out
}

func line(n *screen.Node) string {
	l := ""
	switch {
	case n.Name != "":
		l = n.Descriptor()
	case n.Text != "":
		l = fmt.Sprintf("text %q", n.Text)
	default:
		return ""
	}
	if n.State.Has(screen.Disabled) {
		l += " (disabled)"
	}
	if n.State.Has(screen.Checked) {
		l += " (checked)"
	}
	return l
}

// only returns the entries of a that b has fewer of, in a's order, each once.
func only(a, b []string) []string {
	count := map[string]int{}
	for _, l := range b {
		count[l]++
	}
	var out []string
	said := map[string]bool{}
	for _, l := range a {
		if count[l]--; count[l] < 0 && !said[l] {
			said[l] = true
			out = append(out, l)
		}
	}
	return out
}

// path is an address without its origin: test servers change ports from run to run.
func path(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return raw
	}
	return u.RequestURI()
}
