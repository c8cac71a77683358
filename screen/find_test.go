package screen_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestFindRules has one case for each rule of the selector model, as upstream settled it.
func TestFindRules(t *testing.T) {
	page := tree(
		el("banner", "", screen.Landmark, el("link", "Home", box(0, 0, 50, 20))),
		el("form", "Login", screen.Landmark, box(0, 100, 400, 200),
			el("textbox", "User  name", box(0, 110, 200, 20), &screen.Web{Tag: "input", TestID: "user"}),
			el("button", "Sign in", box(0, 150, 80, 20), &screen.Web{Tag: "button", TestID: "go"}),
			el("button", "Reset", box(100, 150, 80, 20))),
		el("form", "Search", screen.Landmark, box(0, 400, 400, 100),
			el("button", "Go $5.00", box(0, 410, 80, 20)), el("button", "Reset", box(100, 410, 80, 20)), el("button", "Ghost")),
	)
	page.CSS = map[string][]screen.NodeID{".primary": {page.Root.Children[1].Children[1].ID},
		".all": {page.Root.Children[1].Children[1].ID, page.Root.Children[1].Children[2].ID}}
	tests := []struct {
		name string
		sel  screen.Selector
		want []string
	}{
		{"role and name", web("button", "Sign in"), []string{"button:Sign in"}},
		{"a name pattern matches the whole name", web("button", "Sign"), nil},
		{"a name pattern may be a regular expression", web("button", "S.*n"), []string{"button:Sign in"}},
		{"a literal needs no escaping", web("button", "Go $5.00"), []string{"button:Go $5.00"}},
		{"quoted as Java quotes", web("button", `\QGo $5.00\E`), []string{"button:Go $5.00"}},
		{"anchors are allowed", web("button", "^Sign in$"), []string{"button:Sign in"}},
		{"names compare with white space normalised", web("textbox", "User name"), []string{"textbox:User  name"}},
		{"native shapes are case-sensitive", web("button", "sign in"), nil},
		{"look-ahead", web("button", "(?=S)Sign(?! out).*"), []string{"button:Sign in"}},
		{"back-reference", web("button", `R(e)s\1t`), []string{"button:Reset", "button:Reset"}},
		{"a pattern Java refuses is compared as it stands", web("button", "+Reset"), nil},
		{"braces that repeat nothing are no pattern", web("button", "{{name}}"), nil},
		{"test id", screen.Selector{Web: &screen.WebMatch{DataTestID: "go"}}, []string{"button:Sign in"}},
		{"css from the capture", screen.Selector{Web: &screen.WebMatch{CSSSelector: ".primary"}}, []string{"button:Sign in"}},
		{"several fields: all must hold", screen.Selector{Web: &screen.WebMatch{CSSSelector: ".primary", AriaNameRegex: "Reset"}}, nil},
		{"css alone never overrules role and name", screen.Selector{Web: &screen.WebMatch{CSSSelector: ".all", AriaRole: "button", AriaNameRegex: "Reset"}},
			[]string{"button:Reset"}},
		{"descriptor", screen.Selector{Web: &screen.WebMatch{AriaDescriptorRegex: `button "Sign in"`}}, []string{"button:Sign in"}},
		{"nth in document order among the other fields' matches", screen.Selector{Web: &screen.WebMatch{AriaRole: "button", AriaNameRegex: "Reset",
			NthIndex: new(1)}}, []string{"button:Reset"}},
		{"matches come in (top, left) order, boxless last", web("button", ""),
			[]string{"button:Sign in", "button:Reset", "button:Go $5.00", "button:Reset", "button:Ghost"}},
		{"index counts in that order", screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, Index: new(2)}, []string{"button:Go $5.00"}},
		{"an index beyond the matches finds nothing", screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, Index: new(9)}, nil},
		{"childOf means descendants, without the parent", screen.Selector{Web: &screen.WebMatch{AriaNameRegex: ".*[a-z].*"},
			ChildOf: new(web("form", "Login"))}, []string{"textbox:User  name", "button:Sign in", "button:Reset"}},
		{"below", screen.Selector{Web: &screen.WebMatch{AriaRole: "button", AriaNameRegex: "Reset"}, Below: new(web("button", "Go.*"))}, nil},
		{"below its anchor's bottom edge", screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, Below: new(web("button", "Sign in"))},
			[]string{"button:Go $5.00", "button:Reset"}},
		{"above", screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, Above: new(web("form", "Search"))}, []string{"button:Sign in", "button:Reset"}},
		{"rightOf", screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, RightOf: new(web("button", "Sign in"))}, []string{"button:Reset", "button:Reset"}},
		{"leftOf takes the anchor's first match", screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, LeftOf: new(web("button", "Reset"))},
			[]string{"button:Sign in", "button:Go $5.00"}},
		{"an anchor without a box matches nothing", screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, Below: new(web("button", "Ghost"))}, nil},
		{"containsChild is a direct child", screen.Selector{Web: &screen.WebMatch{}, ContainsChild: new(web("button", "Sign in"))}, []string{"form:Login"}},
		{"containsDescendants: all must be there", screen.Selector{Web: &screen.WebMatch{AriaRole: "form"},
			ContainsDescendants: []screen.Selector{web("button", "Reset"), web("textbox", "")}}, []string{"form:Login"}},
		{"index inside a containment is ignored", screen.Selector{Web: &screen.WebMatch{AriaRole: "form"},
			ContainsChild: &screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, Index: new(9)}}, []string{"form:Login", "form:Search"}},
		{"a selector without a block is its relations", screen.Selector{ChildOf: new(web("banner", ""))}, []string{"link:Home"}},
		{"another driver's block matches nothing here", screen.Selector{AndroidAccessibility: &screen.AndroidAccessibilityMatch{TextRegex: new("Home")}}, nil},
		{"with several blocks the node's own driver counts", screen.Selector{Web: &screen.WebMatch{AriaRole: "link"},
			AndroidAccessibility: &screen.AndroidAccessibilityMatch{TextRegex: new("x")}}, []string{"link:Home"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, names(t, page, tt.sel)); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFindMobile holds the rules that only phones show.
func TestFindMobile(t *testing.T) {
	node := func(n screen.Native) *screen.Node {
		return &screen.Node{Role: "view", Name: "it", Native: n, Bounds: box(0, 0, 1, 1)}
	}
	tests := []struct {
		name string
		on   screen.Native
		sel  screen.Selector
		want bool
	}{
		{"text resolves to the hint when there is none", &screen.AndroidAccessibility{HintText: new("Search")},
			screen.Selector{AndroidAccessibility: &screen.AndroidAccessibilityMatch{TextRegex: new("Search")}}, true},
		{"an empty text still hides hint and description", &screen.AndroidAccessibility{Text: new(""), HintText: new("Search")},
			screen.Selector{AndroidAccessibility: &screen.AndroidAccessibilityMatch{TextRegex: new("Search")}}, false},
		{"native patterns mind the case", &screen.AndroidAccessibility{Text: new("Pay")},
			screen.Selector{AndroidAccessibility: &screen.AndroidAccessibilityMatch{TextRegex: new("pay")}}, false},
		{
			"Maestro patterns do not",
			&screen.AndroidMaestro{Text: new("Pay")},
			screen.Selector{AndroidMaestro: &screen.AndroidMaestroMatch{TextRegex: new("pay")}},
			true,
		},
		{"nor in Unicode", &screen.AndroidMaestro{Text: new("ÄPFEL")}, screen.Selector{AndroidMaestro: &screen.AndroidMaestroMatch{TextRegex: new("äpfel")}}, true},
		{"a pattern that does not compile is a literal in any case under Maestro", &screen.AndroidMaestro{Text: new("+PAY")},
			screen.Selector{AndroidMaestro: &screen.AndroidMaestroMatch{TextRegex: new("+pay")}}, true},
		{"and is only equal to itself on native drivers", &screen.AndroidAccessibility{Text: new("+PAY")},
			screen.Selector{AndroidAccessibility: &screen.AndroidAccessibilityMatch{TextRegex: new("+pay")}}, false},
		{"Maestro's empty pattern does not match an empty text", &screen.AndroidMaestro{Text: new("")},
			screen.Selector{AndroidMaestro: &screen.AndroidMaestroMatch{TextRegex: new("^$")}}, false},
		{"a dot stops at a line separator", &screen.AndroidAccessibility{Text: new("a\u2028b")},
			screen.Selector{AndroidAccessibility: &screen.AndroidAccessibilityMatch{TextRegex: new("a.b")}}, false},
		{"a flag that is asked for", &screen.AndroidAccessibility{IsChecked: true},
			screen.Selector{AndroidAccessibility: &screen.AndroidAccessibilityMatch{IsChecked: new(false)}}, false},
		{
			"a number that is not there",
			&screen.AndroidAccessibility{},
			screen.Selector{AndroidAccessibility: &screen.AndroidAccessibilityMatch{InputType: new(0)}},
			false,
		},
		{"an iOS custom action", &screen.IOSAxe{CustomActions: []string{"Delete"}}, screen.Selector{IOSAxe: &screen.IOSAxeMatch{CustomAction: new("Delete")}}, true},
		{"a Compose tag", &screen.Compose{TestTag: new("save")}, screen.Selector{Compose: &screen.ComposeMatch{TestTag: new("save")}}, true},
		{
			"iOS through Maestro",
			&screen.IOSMaestro{AccessibilityText: new("Close")},
			screen.Selector{IOSMaestro: &screen.IOSMaestroMatch{TextRegex: new("close")}},
			true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := len(names(t, tree(node(tt.on)), tt.sel)) == 1; got != tt.want {
				t.Errorf("found %v, want %v", got, tt.want)
			}
		})
	}
}

// TestFindZeroBox: the root of every iOS screen has a box of zeros. That is a box: only a node without any comes
// last, is no anchor and lies on no side.
func TestFindZeroBox(t *testing.T) {
	ios := func(id string) *screen.Selector {
		return &screen.Selector{IOSMaestro: &screen.IOSMaestroMatch{ResourceIDRegex: new(id)}}
	}
	node := func(id string, b screen.Rect, none bool) *screen.Node {
		return &screen.Node{Role: "view", Name: id, Bounds: b, NoBox: none, Native: &screen.IOSMaestro{ResourceID: new(id)}}
	}
	s := tree(node("none", screen.Rect{}, true), node("low", box(0, 50, 10, 10), false), node("zero", screen.Rect{}, false))
	any := *ios(".+")
	side := func(set func(*screen.Selector)) screen.Selector { sel := any; set(&sel); return sel }
	tests := []struct {
		name string
		sel  screen.Selector
		want []string
	}{
		{"sorts at (0,0)", any, []string{"view:zero", "view:low", "view:none"}},
		{"anchors", side(func(s *screen.Selector) { s.Below = ios("zero") }), []string{"view:zero", "view:low"}},
		{"lies on a side", side(func(s *screen.Selector) { s.Above = ios("low") }), []string{"view:zero"}},
		{"no box anchors nothing", side(func(s *screen.Selector) { s.Below = ios("none") }), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stored, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			var again screen.Snapshot
			if err := json.Unmarshal(stored, &again); err != nil {
				t.Fatal(err)
			}
			for _, s := range []*screen.Snapshot{s, &again} {
				if diff := cmp.Diff(tt.want, names(t, s, tt.sel)); diff != "" {
					t.Errorf("found (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestFindBounds(t *testing.T) {
	deep := screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}}
	for range 12 {
		deep = screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, ChildOf: &deep}
	}
	if _, err := list("a").Find(deep); fault.KindOf(err) != fault.Invalid {
		t.Errorf("12 levels: %v, want an invalid selector", err)
	}
	page := tree(el("button", strings.Repeat("a", 40)+"!"))
	start := time.Now()
	if _, err := page.Find(web("button", `(?=a)(a+)+\1$`)); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a pattern that runs away: %v, want an invalid selector", err)
	}
	if d := time.Since(start); d > testtime.Within(5*time.Second) {
		t.Errorf("took %s, want it stopped", d)
	}
}

func TestCSSQueries(t *testing.T) {
	css := func(c string) *screen.Selector { return &screen.Selector{Web: &screen.WebMatch{CSSSelector: c}} }
	sel := screen.Selector{
		Web:                 &screen.WebMatch{CSSSelector: "a"},
		Below:               css("b"),
		ChildOf:             css("c"),
		ContainsDescendants: []screen.Selector{*css("d"), *css("a")},
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, sel.CSSQueries()); diff != "" {
		t.Error(diff)
	}
}

func TestFindText(t *testing.T) {
	page := tree(
		para("Status: Unpaid", box(0, 0, 100, 20)), para("Paid in full", box(0, 30, 100, 20)),
		el("paragraph", "", box(0, 60, 200, 20), &screen.Node{Role: "text", Name: "Total ", Bounds: box(0, 60, 40, 20)},
			&screen.Node{Role: "text", Name: "12", Bounds: box(40, 60, 10, 20)}, &screen.Node{Role: "text", Name: "34", Bounds: box(50, 60, 10, 20)}),
		el("row", "", box(0, 90, 200, 20), para("1", box(0, 90, 20, 20)), para("2", box(80, 90, 20, 20))),
		el("button", "Pay", box(0, 120, 60, 20), &screen.Web{Tag: "input", InputType: "submit"}),
		el("button", "Close", box(0, 150, 20, 20)),
	)
	tests := []struct {
		name, text string
		want       int
	}{
		{"a word inside another does not count", "Paid", 1},
		{"the beginning of a word does not count", "Pai", 0},
		{"several words", "Paid in", 1},
		{"white space is compared as it is read", "Paid   in", 1},
		{"runs that touch are one word", "Total 1234", 1},
		{"cells that lie apart are not", "12", 0},
		{"but read one after the other", "1 2", 1},
		{"the label of an input button", "Pay", 1},
		{"a name that is not shown is no text", "Close", 0},
		{"nothing is nowhere", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := page.FindText(tt.text); len(got) != tt.want {
				t.Errorf("found %d, want %d: %v", len(got), tt.want, got)
			}
		})
	}
}

// What Named gives finds its element again and no other: by name, by what it stands in, or not at all.
func TestNamed(t *testing.T) {
	page := tree(el("button", "Save"), el("list", "", el("listitem", "Mug", el("button", "Delete"), para("$5", box(0, 0, 9, 9))),
		el("listitem", "Cup", el("button", "Delete"), para("$7", box(0, 0, 9, 9)))), el("button", "More"), el("button", "More"), el("textbox", ""))
	var got []string
	for _, ref := range []string{"e1", "e2", "e3", "e4", "e6"} {
		n := page.ByRef(ref)
		if n == nil {
			t.Fatalf("no %s", ref)
		}
		got = append(got, page.Named(n))
	}
	want := []string{`button "Save"`, `button "Delete" in listitem "Mug"`, `button "Delete" in listitem "Cup"`, "", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What nothing in sight fits is found once, however it is looked for: a name that one covered button has is not ambiguous.
func TestLocateCoveredOnce(t *testing.T) {
	save := el("button", "Save all")
	save.Visibility = screen.Covered
	page := tree(save, el("button", "Close"))
	for _, use := range []screen.Use{{}, {Words: true}, {Fits: (*screen.Node).Control}} {
		if found := page.LocateText("Save all", use); len(found) != 1 {
			t.Errorf("%+v: found %d times", use, len(found))
		}
	}
}

func TestLocate(t *testing.T) {
	page := tree(el("textbox", "Name"), el("button", "Save"), el("link", "Save"), para("Read me", box(0, 0, 10, 10)), el("group", "Size"))
	page.CSS = map[string][]screen.NodeID{"#x": {page.Root.Children[1].ID}}
	tests := []struct{ ref, want string }{
		{"e1", "textbox:Name"}, {"[e2]", "button:Save"}, {"@e3", "link:Save"}, {"[@e3]", "link:Save"}, {"e99", ""},
		{`button "Save"`, "button:Save"}, {`link "Save"`, "link:Save"}, {`button "Sav"`, ""}, {"textbox", "textbox:Name"},
		{"Save", "button:Save"}, {"Size", "group:Size"}, {"Read me", "paragraph:"}, {"css=#x", "button:Save"}, {"nothing like it", ""},
	}
	for _, tt := range tests {
		t.Run(tt.ref, func(t *testing.T) {
			found, err := page.Locate(tt.ref)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(found) > 0 {
				got = found[0].Role + ":" + found[0].Name
			}
			if got != tt.want {
				t.Errorf("Locate(%q) = %s, want %s", tt.ref, got, tt.want)
			}
		})
	}
}
