package page

import "strings"

// Roles, tags and input types come from small sets; every node of a kind shares one string.
var interned = func() map[string]string {
	m := map[string]string{}
	for w := range strings.FieldsSeq(`
		generic text link button heading list listitem paragraph cell row rowgroup table columnheader rowheader caption
		textbox searchbox combobox listbox option checkbox radio switch slider spinbutton img navigation main banner
		contentinfo complementary region form search article group dialog alert status separator tab tablist tabpanel
		menu menubar menuitem menuitemcheckbox menuitemradio tree treeitem grid gridcell document iframe strong emphasis
		code blockquote figure term definition progressbar meter none time mark a abbr address area article aside audio
		b body br button canvas cite dd del details dfn div dl dt em fieldset figcaption footer h1 h2 h3 h4 h5 h6 header
		hgroup hr html i iframe input ins kbd label legend li nav ol optgroup output p pre q s section select small span
		sub summary sup svg tbody td textarea tfoot th thead tr ul video path email tel url password number date file
		submit reset color range hidden`) {
		m[w] = w
	}
	return m
}()

func intern(s string) string {
	if w, ok := interned[s]; ok {
		return w
	}
	return strings.Clone(s)
}
