package page_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cSSCases are the cases of TestCSS.
var cSSCases = []struct {
	css     string
	want    []string
	invalid bool
}{
	{css: "#b1", want: []string{"b1"}},
	{css: "css=.card > button", want: []string{"b1", "b2"}},
	{css: "button", want: []string{"b1", "b2", "b3", "b4"}},
	{css: "#s1 button", want: []string{"b3", "b4"}},
	{css: "#host button", want: []string{"b3", "b4"}},
	{css: "#host > section > button", want: []string{"b3"}},
	{css: ".card:has-text('banana')", want: []string{"c2"}},
	{css: `.card:has-text("Apple") button`, want: []string{"b1"}},
	{css: `h3:text("apple")`, want: []string{"h1"}},
	{css: `:text("World")`, want: []string{"t2"}},
	{css: `:text-is("one")`, want: []string{"l1"}},
	{css: `li:text-matches("^one", "i")`, want: []string{"l1", "l3"}},
	{css: "button:visible", want: []string{"b1", "b3", "b4"}},
	{css: ".card button:visible", want: []string{"b1"}},
	{css: ":nth-match(li, 2)", want: []string{"l2"}},
	{css: ".card >> button", want: []string{"b1", "b2"}},
	{css: "#c2 >> css=h3", want: []string{"h2"}},
	{css: "#host >> button", want: []string{"b3", "b4"}},
	{css: "text=Buy now", want: []string{"b1", "b2"}},
	{css: `text="two"`, want: []string{"l2"}},
	{css: "text=/^ban/i", want: []string{"h2"}},
	{css: `"Apple"`, want: []string{"h1"}},
	{css: "text=go away", want: []string{"sub"}},
	{css: "id=c1", want: []string{"c1"}},
	{css: "id=odd:id.x", want: []string{"odd:id.x"}},
	{css: "data-testid=msg", want: []string{"t1"}},
	{css: `[data-testid="msg"] b`, want: []string{"t2"}},
	{css: "h3:text('Apple'), #b2", want: []string{"h1", "b2"}},
	{css: "#c1 span", want: []string{"n1"}},
	{css: "li:not(:first-child)", want: []string{"l2", "l3"}},
	{css: "li >> nth=1", want: []string{"l2"}},
	{css: "li >> nth=-1", want: []string{"l3"}},
	{css: ".card >> nth=1 >> h3", want: []string{"h2"}},
	{css: "li >> nth=9"},
	{css: "button >> visible=true", want: []string{"b1", "b3", "b4"}},
	{css: `role=button[name="Deep"]`, want: []string{"b4"}},
	{css: `role=button[name="buy"i]`, want: []string{"b1", "b3"}},
	{css: "role=listitem", want: []string{"l1", "l2", "l3"}},
	{css: "xpath=//li[2]", want: []string{"l2"}},
	{css: "//h3", want: []string{"h1", "h2"}},
	{css: ".nothing"},
	{css: "b[", invalid: true},
	{css: "li:foo", invalid: true},
	{css: ".card:has-text('x", invalid: true},
	{css: "", invalid: true},
	{css: "role=[", invalid: true},
	{css: "xpath=//[", invalid: true},
}

// TestCSS proves the selectors of recorded trails: standard CSS through shadow roots, and
// Playwright's additions.
func TestCSS(t *testing.T) {
	l := newLab(t)
	l.load(`<!doctype html><body><div class=card id=c1><h3 id=h1>Apple</h3><button id=b1>Buy now</button><span id=n1></span></div>
<div class=card id=c2><h3 id=h2>Banana split</h3><button id=b2 hidden>Buy now</button></div><div id=host></div><p id=t1
data-testid=msg>Hello <b id=t2>World</b></p>
<input id=sub type=submit value="Go away"><ul><li id=l1>one</li><li id=l2>two</li><li id=l3>one two</li></ul><i id="odd:id.x"></i>
<script>host.attachShadow({mode:'open'}).innerHTML='<section id=s1><button id=b3>Inner buy</button><div id=h4></div></section>';
host.shadowRoot.querySelector('#h4').attachShadow({mode:'open'}).innerHTML='<button id=b4>Deep</button>'</script>`)
	tests := cSSCases
	var queries []string
	for _, tc := range tests {
		queries = append(queries, tc.css)
	}
	root := l.capture(queries...)
	for _, tc := range tests {
		ids, invalid := l.doc.Matches(tc.css)
		if (invalid != "") != tc.invalid {
			t.Errorf("%s: invalid = %q, want %v", tc.css, invalid, tc.invalid)
		}
		var got []string
		for _, id := range ids {
			if n := byNumber(root, id); n != nil {
				got = append(got, htmlID(n))
			} else {
				t.Errorf("%s: element %d is not in the tree", tc.css, id)
			}
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.css, d)
		}
	}
	if l.capture() == nil || byID(l.capture(), "n1") == nil {
		t.Error("an element with an id left the tree")
	}
}

// TestMatchedIsInTree proves that a match which means nothing by itself is in the tree while it is
// asked for.
func TestMatchedIsInTree(t *testing.T) {
	l := newLab(t)
	l.load(`<!doctype html><body><div class=wrap><p>text</p></div>`)
	root := l.capture()
	if n := len(root.Children); n != 1 || root.Children[0].Role != "paragraph" {
		t.Fatalf("a div that means nothing is in the tree:\n%s", outline(root, 0))
	}
	root = l.capture("div.wrap")
	ids, _ := l.doc.Matches("div.wrap")
	if len(ids) != 1 || byNumber(root, ids[0]) == nil || byNumber(root, ids[0]).Bounds.Empty() {
		t.Fatalf("the match is not in the tree:\n%s", outline(root, 0))
	}
	if root = l.capture(); byNumber(root, ids[0]) != nil {
		t.Error("the match stays when nobody asks any more")
	}
}
