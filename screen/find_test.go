package screen

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

func web(role, name string) Selector {
	return Selector{Web: &WebMatch{AriaRole: role, AriaNameRegex: name}}
}

// names shows what was found, in order.
func names(t *testing.T, s *Snapshot, sel Selector) []string {
	t.Helper()
	found, err := s.Find(sel)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range found {
		label := n.Name
		if label == "" {
			label = n.Text
		}
		out = append(out, fmt.Sprintf("%s:%s", n.Role, label))
	}
	return out
}

// TestFindRules has one case for each rule of the selector model, as upstream settled it.
func TestFindRules(t *testing.T) {
	page := tree(
		el("banner", "", Landmark, el("link", "Home", box(0, 0, 50, 20))),
		el("form", "Login", Landmark, box(0, 100, 400, 200),
			el("textbox", "User  name", box(0, 110, 200, 20), &Web{Tag: "input", TestID: "user"}),
			el("button", "Sign in", box(0, 150, 80, 20), &Web{Tag: "button", TestID: "go"}),
			el("button", "Reset", box(100, 150, 80, 20))),
		el("form", "Search", Landmark, box(0, 400, 400, 100),
			el("button", "Go $5.00", box(0, 410, 80, 20)), el("button", "Reset", box(100, 410, 80, 20)), el("button", "Ghost")),
	)
	page.CSS = map[string][]NodeID{".primary": {page.Root.Children[1].Children[1].ID},
		".all": {page.Root.Children[1].Children[1].ID, page.Root.Children[1].Children[2].ID}}
	tests := []struct {
		name string
		sel  Selector
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
		{"test id", Selector{Web: &WebMatch{DataTestID: "go"}}, []string{"button:Sign in"}},
		{"css from the capture", Selector{Web: &WebMatch{CSSSelector: ".primary"}}, []string{"button:Sign in"}},
		{"several fields: all must hold", Selector{Web: &WebMatch{CSSSelector: ".primary", AriaNameRegex: "Reset"}}, nil},
		{"css alone never overrules role and name", Selector{Web: &WebMatch{CSSSelector: ".all", AriaRole: "button", AriaNameRegex: "Reset"}},
			[]string{"button:Reset"}},
		{"descriptor", Selector{Web: &WebMatch{AriaDescriptorRegex: `button "Sign in"`}}, []string{"button:Sign in"}},
		{"nth in document order among the other fields' matches", Selector{Web: &WebMatch{AriaRole: "button", AriaNameRegex: "Reset",
			NthIndex: new(1)}}, []string{"button:Reset"}},
		{"matches come in (top, left) order, boxless last", web("button", ""),
			[]string{"button:Sign in", "button:Reset", "button:Go $5.00", "button:Reset", "button:Ghost"}},
		{"index counts in that order", Selector{Web: &WebMatch{AriaRole: "button"}, Index: new(2)}, []string{"button:Go $5.00"}},
		{"an index beyond the matches finds nothing", Selector{Web: &WebMatch{AriaRole: "button"}, Index: new(9)}, nil},
		{"childOf means descendants, without the parent", Selector{Web: &WebMatch{AriaNameRegex: ".*[a-z].*"},
			ChildOf: new(web("form", "Login"))}, []string{"textbox:User  name", "button:Sign in", "button:Reset"}},
		{"below", Selector{Web: &WebMatch{AriaRole: "button", AriaNameRegex: "Reset"}, Below: new(web("button", "Go.*"))}, nil},
		{"below its anchor's bottom edge", Selector{Web: &WebMatch{AriaRole: "button"}, Below: new(web("button", "Sign in"))},
			[]string{"button:Go $5.00", "button:Reset"}},
		{"above", Selector{Web: &WebMatch{AriaRole: "button"}, Above: new(web("form", "Search"))}, []string{"button:Sign in", "button:Reset"}},
		{"rightOf", Selector{Web: &WebMatch{AriaRole: "button"}, RightOf: new(web("button", "Sign in"))}, []string{"button:Reset", "button:Reset"}},
		{"leftOf takes the anchor's first match", Selector{Web: &WebMatch{AriaRole: "button"}, LeftOf: new(web("button", "Reset"))},
			[]string{"button:Sign in", "button:Go $5.00"}},
		{"an anchor without a box matches nothing", Selector{Web: &WebMatch{AriaRole: "button"}, Below: new(web("button", "Ghost"))}, nil},
		{"containsChild is a direct child", Selector{Web: &WebMatch{}, ContainsChild: new(web("button", "Sign in"))}, []string{"form:Login"}},
		{"containsDescendants: all must be there", Selector{Web: &WebMatch{AriaRole: "form"},
			ContainsDescendants: []Selector{web("button", "Reset"), web("textbox", "")}}, []string{"form:Login"}},
		{"index inside a containment is ignored", Selector{Web: &WebMatch{AriaRole: "form"},
			ContainsChild: &Selector{Web: &WebMatch{AriaRole: "button"}, Index: new(9)}}, []string{"form:Login", "form:Search"}},
		{"a selector without a block is its relations", Selector{ChildOf: new(web("banner", ""))}, []string{"link:Home"}},
		{"another driver's block matches nothing here", Selector{AndroidAccessibility: &AndroidAccessibilityMatch{TextRegex: new("Home")}}, nil},
		{"with several blocks the node's own driver counts", Selector{Web: &WebMatch{AriaRole: "link"},
			AndroidAccessibility: &AndroidAccessibilityMatch{TextRegex: new("x")}}, []string{"link:Home"}},
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
	node := func(n Native) *Node { return &Node{Role: "view", Name: "it", Native: n, Bounds: box(0, 0, 1, 1)} }
	tests := []struct {
		name string
		on   Native
		sel  Selector
		want bool
	}{
		{"text resolves to the hint when there is none", &AndroidAccessibility{HintText: new("Search")},
			Selector{AndroidAccessibility: &AndroidAccessibilityMatch{TextRegex: new("Search")}}, true},
		{"an empty text still hides hint and description", &AndroidAccessibility{Text: new(""), HintText: new("Search")},
			Selector{AndroidAccessibility: &AndroidAccessibilityMatch{TextRegex: new("Search")}}, false},
		{"native patterns mind the case", &AndroidAccessibility{Text: new("Pay")},
			Selector{AndroidAccessibility: &AndroidAccessibilityMatch{TextRegex: new("pay")}}, false},
		{"Maestro patterns do not", &AndroidMaestro{Text: new("Pay")}, Selector{AndroidMaestro: &AndroidMaestroMatch{TextRegex: new("pay")}}, true},
		{"nor in Unicode", &AndroidMaestro{Text: new("ÄPFEL")}, Selector{AndroidMaestro: &AndroidMaestroMatch{TextRegex: new("äpfel")}}, true},
		{"a pattern that does not compile is a literal in any case under Maestro", &AndroidMaestro{Text: new("+PAY")},
			Selector{AndroidMaestro: &AndroidMaestroMatch{TextRegex: new("+pay")}}, true},
		{"and is only equal to itself on native drivers", &AndroidAccessibility{Text: new("+PAY")},
			Selector{AndroidAccessibility: &AndroidAccessibilityMatch{TextRegex: new("+pay")}}, false},
		{"Maestro's empty pattern does not match an empty text", &AndroidMaestro{Text: new("")},
			Selector{AndroidMaestro: &AndroidMaestroMatch{TextRegex: new("^$")}}, false},
		{"a dot stops at a line separator", &AndroidAccessibility{Text: new("a\u2028b")},
			Selector{AndroidAccessibility: &AndroidAccessibilityMatch{TextRegex: new("a.b")}}, false},
		{"a flag that is asked for", &AndroidAccessibility{IsChecked: true},
			Selector{AndroidAccessibility: &AndroidAccessibilityMatch{IsChecked: new(false)}}, false},
		{"a number that is not there", &AndroidAccessibility{}, Selector{AndroidAccessibility: &AndroidAccessibilityMatch{InputType: new(0)}}, false},
		{"an iOS custom action", &IOSAxe{CustomActions: []string{"Delete"}}, Selector{IOSAxe: &IOSAxeMatch{CustomAction: new("Delete")}}, true},
		{"a Compose tag", &Compose{TestTag: new("save")}, Selector{Compose: &ComposeMatch{TestTag: new("save")}}, true},
		{"iOS through Maestro", &IOSMaestro{AccessibilityText: new("Close")}, Selector{IOSMaestro: &IOSMaestroMatch{TextRegex: new("close")}}, true},
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
	ios := func(id string) *Selector { return &Selector{IOSMaestro: &IOSMaestroMatch{ResourceIDRegex: new(id)}} }
	node := func(id string, b Rect, none bool) *Node {
		return &Node{Role: "view", Name: id, Bounds: b, NoBox: none, Native: &IOSMaestro{ResourceID: new(id)}}
	}
	s := tree(node("none", Rect{}, true), node("low", box(0, 50, 10, 10), false), node("zero", Rect{}, false))
	any := *ios(".+")
	side := func(set func(*Selector)) Selector { sel := any; set(&sel); return sel }
	tests := []struct {
		name string
		sel  Selector
		want []string
	}{
		{"sorts at (0,0)", any, []string{"view:zero", "view:low", "view:none"}},
		{"anchors", side(func(s *Selector) { s.Below = ios("zero") }), []string{"view:zero", "view:low"}},
		{"lies on a side", side(func(s *Selector) { s.Above = ios("low") }), []string{"view:zero"}},
		{"no box anchors nothing", side(func(s *Selector) { s.Below = ios("none") }), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stored, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			var again Snapshot
			if err := json.Unmarshal(stored, &again); err != nil {
				t.Fatal(err)
			}
			for _, s := range []*Snapshot{s, &again} {
				if diff := cmp.Diff(tt.want, names(t, s, tt.sel)); diff != "" {
					t.Errorf("found (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestFindBounds(t *testing.T) {
	deep := Selector{Web: &WebMatch{AriaRole: "button"}}
	for range 12 {
		deep = Selector{Web: &WebMatch{AriaRole: "button"}, ChildOf: &deep}
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
	css := func(c string) *Selector { return &Selector{Web: &WebMatch{CSSSelector: c}} }
	sel := Selector{Web: &WebMatch{CSSSelector: "a"}, Below: css("b"), ChildOf: css("c"), ContainsDescendants: []Selector{*css("d"), *css("a")}}
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, sel.CSSQueries()); diff != "" {
		t.Error(diff)
	}
}

func TestFindText(t *testing.T) {
	page := tree(
		text("Status: Unpaid", box(0, 0, 100, 20)), text("Paid in full", box(0, 30, 100, 20)),
		el("paragraph", "", box(0, 60, 200, 20), &Node{Role: "text", Name: "Total ", Bounds: box(0, 60, 40, 20)},
			&Node{Role: "text", Name: "12", Bounds: box(40, 60, 10, 20)}, &Node{Role: "text", Name: "34", Bounds: box(50, 60, 10, 20)}),
		el("row", "", box(0, 90, 200, 20), text("1", box(0, 90, 20, 20)), text("2", box(80, 90, 20, 20))),
		el("button", "Pay", box(0, 120, 60, 20), &Web{Tag: "input", InputType: "submit"}),
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
	page := tree(el("button", "Save"), el("list", "", el("listitem", "Mug", el("button", "Delete"), text("$5", box(0, 0, 9, 9))),
		el("listitem", "Cup", el("button", "Delete"), text("$7", box(0, 0, 9, 9)))), el("button", "More"), el("button", "More"), el("textbox", ""))
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

func TestLocate(t *testing.T) {
	page := tree(el("textbox", "Name"), el("button", "Save"), el("link", "Save"), text("Read me", box(0, 0, 10, 10)), el("group", "Size"))
	page.CSS = map[string][]NodeID{"#x": {page.Root.Children[1].ID}}
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
