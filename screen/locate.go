package screen

import (
	"context"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// refForm matches a ref: e12, [e12], @e12.
var refForm = regex.Lazy(`^(?:@?(e\d+)|\[@?(e\d+)\])$`)

// lineForm is a line of a snapshot, or the beginning of one: button "Save" e12 [focused], - "Mug", "Read the" link
// "terms". Its groups are the role word, the quoted text, the ref, the states and the rest.
var lineForm = regex.Lazy(
	`^(-|[A-Za-z][\w.-]*)?(?:(?:^|\s+)"((?:[^"\\]|\\.)*)")?(?:\s+\[?(e\d+)\]?)?(?:\s+\[[^\]"]*\])?(\s.*|\(.*)?$`)

// placeForm is the rest of a line that says where the element stands, as place does: in row "Mug", under heading
// "Team".
var placeForm = regex.Lazy(`^\s*(in|under) ((?:-|[A-Za-z][\w.-]*)\s+"(?:[^"\\]|\\.)*")(?:\s+\(.*)?$`)

// regexForm is a regular expression as people write one: /^Olwen$/, with i for any case.
var regexForm = regex.Lazy(`^/(.+)/(i?)$`)

// bareRest is the rest of a line that quotes nothing: (below), 300 px more below, in 0…20, label e7.
var bareRest = regex.Lazy(`^(?:\(|\d+ px more |in -?[\d.]+…|label e\d|@-?\d|css=)`)

var quotedPart = regex.Lazy(`"((?:[^"\\]|\\.)*)"`)

// RefOf returns the plain ref when text has the form of one, or is a line of a snapshot that holds one: button "Save"
// e12.
func RefOf(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if m := refForm().FindStringSubmatch(text); m != nil {
		return m[1] + m[2], true
	}
	if m := lineForm().FindStringSubmatch(text); m != nil && m[3] != "" &&
		(strings.HasPrefix(text, `"`) || strings.HasPrefix(text, m[1]+` "`)) {
		return m[3], true
	}
	return "", false
}

// Use describes the purpose for which an element is looked up. The zero value allows any element.
type Use struct {
	Fits  func(*Node) bool // what can be used, such as fields to type into; nil: everything
	Words bool             // a part of a word does not count, as in assertions
}

// Locate is LocateFor any use.
func (s *Snapshot) Locate(ref string) ([]*Node, error) { return s.LocateFor(ref, Use{}) }

// LocateFor returns the elements that a ref of any form names: css=…, a ref (e5, [e5], @e5), a line of a snapshot
// or the beginning of one (button "Save"), a role, /an expression/, or a text. Visible elements come before hidden
// ones. More than one element means that the ref is ambiguous; see named.go for how texts are ranked. A ref such as
// e5 never falls back to anything else.
func (s *Snapshot) LocateFor(ref string, use Use) ([]*Node, error) {
	ref = strings.TrimSpace(ref)
	if css, ok := strings.CutPrefix(ref, "css="); ok {
		var out []*Node
		for _, id := range s.CSS[css] {
			if n := s.Node(id); n != nil {
				out = append(out, n)
			}
		}
		return clearest(out), nil
	}
	if plain, ok := RefOf(ref); ok {
		if n := s.ByRef(plain); n != nil {
			return []*Node{n}, nil
		}
		return nil, nil
	}
	all := Preorder(s.Root)
	if l, ok := readLine(all, ref); ok {
		return s.byLine(all, l, use)
	}
	if m := regexForm().FindStringSubmatch(ref); m != nil && s.Root != nil {
		if nodes := s.byText(all, wording(ref, true), use); len(nodes) > 0 {
			return nodes, nil // the page shows these very characters
		}
		source := m[1]
		if m[2] != "" {
			source = "(?i)" + source
		}
		return s.byExpression(all, source, use)
	}
	return s.LocateText(ref, use), nil
}

// LocateText returns what a text names, as LocateFor does for a ref that is one.
func (s *Snapshot) LocateText(text string, use Use) []*Node {
	return s.byText(Preorder(s.Root), wording(text, use.Words), use)
}

// RefWants is the role and the name that a ref asks for, for finding what comes near.
func RefWants(ref string) (role, name string) {
	ref = strings.TrimSpace(ref)
	if _, ok := RefOf(ref); ok {
		return "", ""
	}
	if m := regexForm().FindStringSubmatch(ref); m != nil {
		return "", m[1]
	}
	if m := lineForm().FindStringSubmatch(ref); m != nil && m[2] != "" {
		switch m[1] {
		case "-":
			return "listitem", words.Unquote(m[2])
		case "text":
			return "", words.Unquote(m[2])
		}
		return m[1], words.Unquote(m[2])
	}
	return "", ref
}

// LocateCSS lists the CSS selectors a capture must evaluate before Locate(ref) can answer.
func LocateCSS(ref string) []string {
	if css, ok := strings.CutPrefix(strings.TrimSpace(ref), "css="); ok {
		return []string{css}
	}
	return nil
}

// line is a line of a snapshot, read back.
type line struct {
	role  string
	name  string
	named bool
	ref   string
	parts []string // what stands in quotes after the name
	how   string   // "in" or "under"
	place string   // where it stands, in the same form
}

// readLine parses a ref as a line of a snapshot. A lone role is one only when the screen has it.
func readLine(all []*Node, ref string) (line, bool) {
	m := lineForm().FindStringSubmatch(ref)
	if m == nil || m[1] == "" && !strings.HasPrefix(ref, `"`) {
		return line{}, false
	}
	l := line{role: m[1], name: words.Unquote(m[2]), ref: m[3], named: lineForm().FindStringSubmatchIndex(ref)[4] >= 0}
	if where := placeForm().FindStringSubmatch(m[4]); where != nil {
		l.how, l.place = where[1], where[2]
	} else {
		for _, q := range quotedPart().FindAllStringSubmatch(m[4], -1) {
			l.parts = append(l.parts, words.Unquote(q[1]))
		}
		if rest := strings.TrimSpace(m[4]); len(l.parts) == 0 && rest != "" && !bareRest().MatchString(rest) {
			return line{}, false // a role and other words are a text
		}
	}
	return l, l.role == "" || l.role == "text" || slices.ContainsFunc(all, func(n *Node) bool { return l.plays(n) })
}

// plays reports whether the node has the role that the line says, in the words of a snapshot or in those of ARIA.
func (l line) plays(n *Node) bool {
	switch l.role {
	case "":
		return true
	case n.Role:
		return true
	}
	return l.role == RoleWord(n.Role)
}

func (s *Snapshot) byLine(all []*Node, l line, use Use) ([]*Node, error) {
	var out []*Node
	switch {
	case l.ref != "":
		if n := s.ByRef(l.ref); n != nil && l.plays(n) {
			out = []*Node{n}
		}
	case len(l.parts) > 0:
		out = innermost(Pick(all, func(n *Node) bool { return l.plays(n) && l.holds(n) }))
	case !l.named:
		out = s.byRole(all, l, use)
	case l.role == "" || l.role == "text":
		out = s.byText(all, quotation(l.name), use)
		if plain := Pick(out, func(n *Node) bool { return !n.Control() }); l.role == "text" && len(plain) > 0 {
			out = plain
		}
	default:
		out = l.called(all)
	}
	if l.place != "" {
		return s.placed(out, l)
	}
	return clearest(out), nil
}

// placed keeps what stands where the line says.
func (s *Snapshot) placed(nodes []*Node, l line) ([]*Node, error) {
	if out := Pick(nodes, func(n *Node) bool { return s.place(n) == l.how+" "+l.place }); len(out) > 0 || l.how != "in" {
		return clearest(out), nil
	}
	around, err := s.LocateFor(l.place, Use{})
	return clearest(Pick(nodes, func(n *Node) bool {
		return slices.ContainsFunc(around, func(p *Node) bool { return p != n && Within(n, p) })
	})), err
}

// byRole finds elements by a role alone; an element that shows that very word is as good a match.
func (s *Snapshot) byRole(all []*Node, l line, use Use) []*Node {
	out := Pick(all, l.plays)
	for _, n := range s.byText(all, quotation(l.role), use) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// called finds elements by role and name. An element without a name of its own is found by its whole text, else by
// a text in it.
func (l line) called(all []*Node) []*Node {
	mine := Pick(all, l.plays)
	if out := Pick(mine, func(n *Node) bool { return n.goesBy(l.name) || words.Reads(l.name, n.Called()) }); len(out) > 0 {
		return out
	}
	mine = Pick(mine, func(n *Node) bool { return !n.Control() && n.Role != "heading" && n.Role != "img" })
	whole := quotation(l.name)
	for _, ok := range []func(*Node) bool{
		func(n *Node) bool { return n.shows(whole.exact) },
		func(n *Node) bool { return len(below(n, whole.exact, whole.around)) > 0 },
		func(n *Node) bool { return n.shows(wording(l.name, true).words) },
	} {
		if out := innermost(Pick(mine, ok)); len(out) > 0 {
			return out
		}
	}
	return nil
}

// holds reports whether the node contains everything that a line says.
func (l line) holds(n *Node) bool {
	parts := l.parts
	if l.name != "" {
		parts = append([]string{l.name}, parts...)
	}
	whole := ""
	for _, part := range parts {
		if slices.ContainsFunc(Preorder(n), func(d *Node) bool { return d.tells(part) }) {
			continue
		}
		if whole == "" {
			whole = words.Squeeze(Rendered(n))
		}
		if !words.HoldsWords(whole, strings.TrimSuffix(words.Squeeze(part), "…")) {
			return false
		}
	}
	return true
}

// tells reports whether the node itself has the text, in any of the ways in which a line shows it.
func (n *Node) tells(part string) bool {
	if words.Reads(part, n.Called()) || words.Reads(part, n.Text) || words.Reads(part, n.Value) ||
		words.Reads(part, n.Description) ||
		words.Reads(part, DirectText(n)) {
		return true
	}
	w, ok := n.Native.(*Web)
	return ok && (words.Reads(part, w.Placeholder) ||
		slices.ContainsFunc(w.Options, func(o string) bool { return words.Reads(part, o) }))
}

// byExpression finds what has a name or a text that the regular expression matches a part of.
func (s *Snapshot) byExpression(all []*Node, source string, use Use) ([]*Node, error) {
	re, err := regex.Compile(source, regex.Search)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), words.Limit, words.ErrLimit)
	defer cancel()
	nodes := s.byText(all, meaning{exact: func(text string) bool {
		ok, failed := false, error(nil)
		if err == nil && text != "" {
			ok, failed = re.Match(ctx, text)
			err = failed
		}
		return ok
	}}, use)
	return nodes, err
}
