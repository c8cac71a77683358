package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen/text"
)

const whole = `<!doctype html><title>Whole</title><p>Plain <em>stressed</em> and <strong>strong</strong></p><p>Leaf</p><ul><li>One</li></ul>
<details open><summary>More</summary>Inside</details><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody
id=rows><tr><td>1</td><td>2</td></tr></tbody></table>
<select><optgroup label=Fruit><option>Fig</option></optgroup></select><input type=file><blockquote>Said</blockquote><article><header>Top</header></article>
<p>A <code>c</code> <mark>m</mark> <del>d</del> <ins>i</ins> <sub>1</sub> <sup>2</sup> <time>noon</time></p><fieldset></fieldset><hr>`

// TestDetailAllIsTheWholeTree: every role that is more than a box has its line, named or not; the
// default view does not pay for it.
func TestDetailAllIsTheWholeTree(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": whole})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	s := snapshot(t, d)
	all := regexp.MustCompile(` e\d+`).ReplaceAllString(text.Of(s, text.Options{Detail: []string{text.DetailAll}}), "")
	for _, want := range []string{
		"paragraph\n", `emphasis "stressed"`, `strong "strong"`, `paragraph "Leaf"`, "\nlist", `- "One"`, "\ngroup", "\n rowgroup", "\n  row", `group "Fruit"`,
		`button "Choose File"`, `blockquote "Said"`, `sectionheader "Top"`, `code "c"`, `mark "m"`, `deletion "d"`, `insertion "i"`, `subscript "1"`,
		`superscript "2"`, `time "noon"`, "\nseparator",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("detail all lacks %q", want)
		}
	}
	lean := text.Of(s, text.Options{})
	for _, not := range []string{"paragraph", "emphasis", "strong \"", "\nlist", "\ngroup", "rowgroup", "sectionheader", "separator"} {
		if strings.Contains(lean, not) {
			t.Errorf("the default view has %q", not)
		}
	}
	if t.Failed() {
		t.Logf("%s\n%s", all, lean)
	}
}
