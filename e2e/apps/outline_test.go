package apps

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// item is an element or a text as a server's reply prints it.
type item struct {
	role, ref string
	words     []string // name, value and text
	in        *item
	depth, at int
}

// outline reads what a reply prints of a page: nested lines with roles, quoted names and refs. It knows the form of
// this product, where a line can hold several elements, and that of Playwright's server.
func outline(text string) []*item {
	var all []*item
	var open []*item // the line above at each indentation
	var indents []int
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		line = strings.TrimPrefix(strings.TrimPrefix(line, "+ "), "~ ")
		body := strings.TrimLeft(line, " ")
		indent := len(line) - len(body)
		for len(indents) > 0 && indents[len(indents)-1] >= indent {
			open, indents = open[:len(open)-1], indents[:len(indents)-1]
		}
		row := &item{depth: 2 * len(open)}
		if len(open) > 0 {
			row.in = open[len(open)-1]
		}
		for _, it := range lineItems(body) {
			it.in, it.depth, it.at = row, row.depth+1, len(all)
			all = append(all, it)
			if len(row.role) == 0 {
				row.role = it.role
			}
		}
		open, indents = append(open, row), append(indents, indent)
	}
	return all
}

var (
	token  = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^\s"\[]+`)
	ourRef = regexp.MustCompile(`^e\d+$`)
	peers  = regexp.MustCompile(`^- (?:([\w-]+)|'[^']*')(?: |:|$)`)
)

// lineItems reads the elements and texts of one line.
func lineItems(body string) []*item {
	var out []*item
	var last *item
	if strings.Contains(body, "[ref=") || peers.MatchString(body) && (strings.HasPrefix(body, "- text: ") || strings.HasPrefix(body, "- /")) {
		body, text, _ := strings.Cut(strings.TrimPrefix(body, "- "), ": ")
		last = &item{}
		for i, tok := range token.FindAllString(strings.TrimSuffix(body, ":"), -1) {
			switch {
			case i == 0:
				last.role = tok
			case strings.HasPrefix(tok, "[ref="):
				last.ref = tok[len("[ref=") : len(tok)-1]
			case tok[0] == '"':
				last.words = append(last.words, unquoted(tok))
			}
		}
		if text != "" {
			last.words = append(last.words, unquoted(text))
		}
		return []*item{last}
	}
	glue := "" // the word before, when the next one belongs to it
	for _, tok := range token.FindAllString(body, -1) {
		switch {
		case tok[0] == '"':
			if last == nil || glue == "" && len(last.words) > 0 || glue == "" && last.ref != "" {
				last = &item{role: "text"}
				out = append(out, last)
			}
			last.words = append(last.words, unquoted(tok))
			glue = ""
		case tok[0] == '[' || tok == "|":
		case ourRef.MatchString(tok):
			if last != nil && glue != "label" && last.ref == "" {
				last.ref = tok
			}
			glue = ""
		case slices.Contains([]string{"=", "·", "—", "hint", "of", "label", "in"}, tok):
			glue = tok
		case tok == "-":
			last = &item{role: "listitem"}
			out = append(out, last)
			glue = ""
		default:
			last = &item{role: tok}
			out = append(out, last)
			glue = ""
		}
	}
	return out
}

func unquoted(s string) string {
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		s = strings.ReplaceAll(s[1:len(s)-1], `\"`, `"`)
	}
	return strings.TrimSpace(s)
}

// target says which element a move means, in the words a person would use.
type target struct {
	role string
	name string // its name or text
	near string // text in the same item or row: "the checkbox beside Buy bread"
}

func (t target) String() string {
	s := strings.TrimSpace(t.role + ` "` + t.name + `"`)
	if t.near != "" {
		s += ` near "` + t.near + `"`
	}
	return s
}

// sameRole are words by which the two servers call one role.
var sameRole = map[string]string{"gridcell": "cell", "menuitemcheckbox": "menuitem", "searchbox": "textbox"}

func (it *item) is(role string) bool {
	plain := func(r string) string { return cmp.Or(sameRole[r], r) }
	return role == "" || plain(it.role) == plain(role)
}

// says tells whether the element is called name; a name that ends in * is the beginning of one.
func (it *item) says(name string) bool {
	start, open := strings.CutSuffix(name, "*")
	return slices.ContainsFunc(it.words, func(w string) bool { return w == name || open && strings.HasPrefix(w, start) })
}

// find returns the ref of the element that t names in a printed page, "" when there is none.
func find(page string, t target) string {
	all := outline(page)
	var hits, anchors []*item
	for _, it := range all {
		if it.ref != "" && it.is(t.role) && (t.name == "" || it.says(t.name)) {
			hits = append(hits, it)
		}
		if t.near != "" && it.says(t.near) {
			anchors = append(anchors, it)
		}
	}
	if t.near == "" {
		if len(hits) == 0 {
			return ""
		}
		return hits[0].ref
	}
	best, score := "", [2]int{-1, 0}
	for _, h := range hits {
		for _, a := range anchors {
			if !sharesRow(h, a) || !sharesRow(a, h) {
				continue
			}
			s := [2]int{common(h, a), -abs(h.at - a.at)}
			if s[0] > score[0] || s[0] == score[0] && s[1] > score[1] {
				best, score = h.ref, s
			}
		}
	}
	return best
}

// printed returns the words that name the element t means where it is printed without a ref, "" when it is not.
func printed(page string, t target) string {
	for _, it := range outline(page) {
		for _, w := range it.words {
			if it.is(t.role) && it.says(t.name) && (w == t.name || strings.HasSuffix(t.name, "*")) {
				if t.role == "" {
					return w
				}
				return t.role + ` "` + w + `"`
			}
		}
	}
	return ""
}

// sharesRow says whether a stands in the list item or table row in which h stands; it does when h stands in none.
func sharesRow(h, a *item) bool {
	row := h.in
	for row != nil && row.role != "listitem" && row.role != "row" {
		row = row.in
	}
	for a = a.in; a != nil && a != row; a = a.in {
	}
	return a == row
}

// common is how deep the smallest thing lies that holds both.
func common(a, b *item) int {
	for x := a; x != nil; x = x.in {
		for y := b; y != nil; y = y.in {
			if x == y {
				return x.depth
			}
		}
	}
	return 0
}

func abs(n int) int { return max(n, -n) }
