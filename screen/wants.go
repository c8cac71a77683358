package screen

import (
	"cmp"
	"context"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// NameMatches reports whether the name pattern of a web selector matches the node.
func (sel *Selector) NameMatches(ctx context.Context, n *Node) bool {
	if sel.Web == nil || sel.Web.AriaNameRegex == "" {
		return false
	}
	ok, err := words.Compile(sel.Web.AriaNameRegex, false).Match(ctx, words.Squeeze(n.Name))
	return ok && err == nil
}

// IDs returns the ids of an element by which people name it: the test id and the id attribute of a page's element, the
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
	for _, key := range IDKeys {
		id := FirstOf(n.Native, key)
		add(id)
		if _, own, ok := strings.Cut(id, ":id/"); ok {
			add(own)
		}
	}
	return ids
}

var (
	// IDKeys lists the keys under which phones keep ids; nameKeys those of names.
	IDKeys   = []string{"resourceIdRegex", "uniqueId", "composeTestTagRegex", "testTag"}
	nameKeys = []string{"textRegex", "labelRegex", "accessibilityTextRegex", "contentDescriptionRegex", "titleRegex",
		"hintTextRegex", "labeledByTextRegex"}
)

// WantsID returns the id a selector asks for, as far as it is a plain one.
func (sel *Selector) WantsID() string {
	if sel.Web != nil {
		if m := simpleCSS().FindStringSubmatch(sel.Web.CSSSelector); m != nil && sel.Web.DataTestID == "" {
			return m[2] + m[3] + m[4]
		}
		return sel.Web.DataTestID
	}
	return plainText(sel.asked(IDKeys...))
}

// Wants returns the role and the name a selector asks for, as plain text as far as its pattern is one.
func (sel *Selector) Wants() (role, name string) {
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
	return words.Squeeze(b.String())
}
