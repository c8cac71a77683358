package screen

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Candidate is an element that nearly matched.
type Candidate struct {
	Node       *Node
	Difference string // a sentence: what sets it apart
}

// Nearest returns the n elements closest to the description of sel, nearest first, each with its differences. An
// element that matches but could not be seen is among them, with the reason.
func (s *Snapshot) Nearest(sel Selector, n int) []Candidate {
	role, name := sel.wants()
	id := sel.wantsID()
	type scored struct {
		Candidate
		distance int
	}
	ctx, cancel := context.WithTimeout(context.Background(), findLimit)
	defer cancel()
	var all []scored
	for _, node := range preorder(s.Root) {
		called := name
		if sel.named(ctx, node) {
			called = squeeze(node.Name)
		}
		says, d := apart(node, role, called, id)
		if why := node.Visibility.why(); why != "" {
			d++
			says = append(says, "it "+why)
		}
		if len(says) == 0 {
			says = append(says, "it matches role and name, but not the rest of the selector")
		}
		if limit := max(6, len(cmp.Or(name, id))/2+6); d <= limit {
			all = append(all, scored{Candidate{node, strings.Join(says, "; ")}, d})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(a.distance, b.distance) })
	var out []Candidate
	for _, c := range all[:min(n, len(all))] {
		out = append(out, c.Candidate)
	}
	return out
}

// Resembling are the elements that agree with a fingerprint in their name or their test id, those first that agree in
// both, then in their tag and their surroundings.
func (s *Snapshot) Resembling(f Fingerprint, n int) []*Node {
	type scored struct {
		node  *Node
		score int
	}
	var all []scored
	for _, o := range s.below(s.Root) {
		w, _ := o.Native.(*Web)
		name := f.Name != "" && squeeze(o.called()) == squeeze(f.Name)
		test := f.TestID != "" && w != nil && w.TestID == f.TestID
		if o.Role == "text" || !name && !test {
			continue
		}
		score := 0
		for _, agrees := range []bool{test, test, name, name, o.Role == f.Role, w != nil && w.Tag == f.Tag} {
			if agrees {
				score++
			}
		}
		all = append(all, scored{o, score})
	}
	slices.SortStableFunc(all, func(a, b scored) int { return b.score - a.score })
	all = all[:min(len(all), maxTwins)]
	for i := range all {
		if f.Compare(s.FingerprintOf(all[i].node)).Same {
			all[i].score += 10
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return b.score - a.score })
	var out []*Node
	for _, c := range all[:min(len(all), n)] {
		out = append(out, c.node)
	}
	return out
}

// Around describes the surroundings of an element, for people: ` in listitem next to heading "Mug"`; "" when there are
// none.
func (s *Snapshot) Around(n *Node) string {
	f, out := s.FingerprintOf(n), ""
	if len(f.Within) > 0 {
		out = " in " + f.Within[0]
	}
	if len(f.Near) > 0 {
		out += " next to " + f.Near[0]
	}
	return out
}

// named reports whether the name pattern of a web selector matches the node.
func (sel *Selector) named(ctx context.Context, n *Node) bool {
	if sel.Web == nil || sel.Web.AriaNameRegex == "" {
		return false
	}
	ok, err := compile(sel.Web.AriaNameRegex, false).match(ctx, squeeze(n.Name))
	return ok && err == nil
}

const far = 1000 // no candidate

// apart returns the differences between a node and the one looked for, and their distance.
func apart(node *Node, role, name, id string) (says []string, d int) {
	label := cmp.Or(squeeze(node.Name), squeeze(node.Text))
	switch {
	case name != "" && label == "" && node.Role != role, name == "" && role == "" && id == "":
		return nil, far
	case name != "":
		d = nameDistance(strings.ToLower(name), strings.ToLower(label))
	case id != "" && role == "":
		return apartByID(node, id)
	}
	if role != "" && node.Role != role && shortRole(node.Role) != role {
		d += 6
		says = append(says, fmt.Sprintf("its role is %s, not %s", node.Role, role))
	}
	if name != "" && label != name {
		says = append(says, fmt.Sprintf("its name is %q, looked for %q", short(label), short(name)))
	}
	return says, d
}

// nameDistance is smaller where one name holds the other: "Save draft" is nearer to "Save" than "Name" is.
func nameDistance(want, has string) int {
	d := distance(want, has)
	if containsWords(has, want) || has != "" && containsWords(want, has) {
		return min(d, 2+d/10)
	}
	return d
}

func apartByID(node *Node, id string) (says []string, d int) {
	switch has := node.IDs(); {
	case len(has) == 0:
		return nil, far
	case slices.Contains(has, id):
		return nil, 0
	default:
		return []string{fmt.Sprintf("its id is %q, looked for %q", short(has[0]), short(id))}, editDistance(id, has[0], 40)
	}
}

// IDs are the ids of an element by which people name it: the test id and the id attribute of a page's element, the
// resource id of a phone's, whole and without the package of its app.
func (n *Node) IDs() (ids []string) {
	add := func(id string) {
		if id != "" {
			ids = append(ids, id)
		}
	}
	if d, ok := n.Native.(*Web); ok {
		add(d.TestID)
		add(d.HTMLID)
		return ids
	}
	for _, key := range idKeys {
		id := firstOf(n.Native, key)
		add(id)
		if _, own, ok := strings.Cut(id, ":id/"); ok {
			add(own)
		}
	}
	return ids
}

// The keys under which phones keep ids and names.
var (
	idKeys   = []string{"resourceIdRegex", "uniqueId", "composeTestTagRegex", "testTag"}
	nameKeys = []string{"textRegex", "labelRegex", "accessibilityTextRegex", "contentDescriptionRegex", "titleRegex",
		"hintTextRegex", "labeledByTextRegex"}
)

// wantsID is the id a selector asks for, as far as it is a plain one.
func (sel *Selector) wantsID() string {
	if sel.Web != nil {
		if m := simpleCSS().FindStringSubmatch(sel.Web.CSSSelector); m != nil && sel.Web.DataTestID == "" {
			return m[2] + m[3] + m[4]
		}
		return sel.Web.DataTestID
	}
	return plainText(sel.asked(idKeys...))
}

// wants is the role and the name a selector asks for, as plain text as far as its pattern is one.
func (sel *Selector) wants() (role, name string) {
	if sel.Web != nil {
		return sel.Web.AriaRole, plainText(cmp.Or(sel.Web.AriaNameRegex, sel.Web.OwnTextRegex, sel.Web.TextRegex))
	}
	return sel.asked("role"), plainText(sel.asked(nameKeys...))
}

// plainText strips the quoting of a pattern, for comparing and for people.
func plainText(pattern string) string {
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$")
	pattern = strings.NewReplacer(`\Q`, "", `\E`, "").Replace(pattern)
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		b.WriteByte(pattern[i])
	}
	return squeeze(b.String())
}

func (v Visibility) why() string {
	switch v {
	case Visible, Offscreen:
		return ""
	case Covered:
		return "is covered by something else"
	case Clipped:
		return "is cut away by what it lies in"
	case Transparent:
		return "is transparent"
	}
	return "is hidden"
}

// distance returns how far label is from name, or from the nearest part of it when name is longer: the text looked
// for may be some words of a paragraph.
func distance(name, label string) int {
	whole := editDistance(name, label, maxDistance)
	if utf8.RuneCountInString(label) <= utf8.RuneCountInString(name) {
		return whole
	}
	return min(whole, partDistance(name, label)+1)
}

const maxDistance = 40

// partDistance is the least edit distance between a and any part of b.
func partDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), 200)], y[:min(len(y), 2000)]
	row := make([]int, len(x)+1) // the distance of each beginning of a from the best part of b that ends here
	for i := range row {
		row[i] = i
	}
	best := len(x)
	for _, r := range y {
		prev := row[0]
		for i := range x {
			cost := prev
			if x[i] != r {
				cost = 1 + min(prev, row[i], row[i+1])
			}
			prev, row[i+1] = row[i+1], cost
		}
		best = min(best, row[len(x)])
	}
	return best
}

// editDistance returns the Levenshtein distance, at most limit.
func editDistance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > limit || -d > limit {
		return limit
	}
	if len(x) > 200 {
		x = x[:200]
	}
	if len(y) > 200 {
		y = y[:200]
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		prev := row[0]
		row[0] = i + 1
		for j := range y {
			cost := prev
			if x[i] != y[j] {
				cost = 1 + min(prev, row[j], row[j+1])
			}
			prev, row[j+1] = row[j+1], cost
		}
	}
	return min(row[len(y)], limit)
}
