package identity

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// madeFor is the selector of a node, as it is written into a trail.
func madeFor(t *testing.T, s *screen.Snapshot, n *screen.Node) string {
	t.Helper()
	sel, err := SelectorFor(s, n.ID)
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(sel)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// event is a link without a role whose text stands in a part of it, as calendars and pickers make them.
func event(class, words string) *screen.Node {
	part := el("generic", "")
	part.Text = words
	n := el("generic", "", screen.Clickable, part, &screen.Web{Tag: "a", Class: class})
	n.Ref = "e1" + words
	return n
}

// TestTextTellsThoseAlike: among elements without a name a unique text says who one is; its class and its neighbours
// may change then, but not its text.
func TestTextTellsThoseAlike(t *testing.T) {
	page := func(class string, words ...string) (*screen.Snapshot, *screen.Node) {
		var all []any
		for _, w := range words {
			all = append(all, event(class, w))
		}
		s := tree(el("grid", "April", all...))
		return s, s.Root.Children[0].Children[len(words)-1]
	}
	s, dentist := page("fc-event", "Lunch", "Dentist")
	want := `{"web":{"ariaRole":"generic","textRegex":"Dentist"},"containsDescendants":[{"web":{"ariaRole":"generic","textRegex":"Dentist"}}]}`
	if diff := cmp.Diff(want, madeFor(t, s, dentist)); diff != "" {
		t.Error(diff)
	}
	then := Of(s, dentist)
	if then.Text != "Dentist" {
		t.Errorf("its text is %q in %+v", then.Text, then)
	}
	for _, tt := range []struct {
		name  string
		class string
		words []string
		want  bool
	}{
		{"its class was renamed", "kq-event", []string{"Lunch", "Dentist"}, true},
		{"one more above it", "kq-event", []string{"Away", "Lunch", "Dentist"}, true},
		{"another neighbour", "fc-event", []string{"Away", "Dentist"}, true},
		{"another text and another class", "kq-event", []string{"Lunch", "Cleaner"}, false},
		{"its text twice, and another class", "kq-event", []string{"Dentist", "Dentist"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now, n := page(tt.class, tt.words...)
			if got := then.Compare(Of(now, n)); got.Same != tt.want {
				t.Errorf("Same = %v, want %v; %v", got.Same, tt.want, got.Differences)
			}
		})
	}
	if s, n := page("fc-event", "Dentist", "Dentist"); Of(s, n).Text != "" {
		t.Error("a text that two of those alike have tells them apart")
	}
}

// TestClassComesLast: a selector rests on a class only where neither words nor a row tell the element.
func TestClassComesLast(t *testing.T) {
	icon := func(class string) *screen.Node { return el("button", "", &screen.Web{Tag: "button", Class: class}) }
	row := func(words string, icons ...*screen.Node) *screen.Node {
		return el("row", "", append([]any{el("cell", words)}, anyNodes(icons)...)...)
	}
	edit, remove := icon("edit"), icon("remove")
	alone, dated := icon("buy"), icon("pay")
	page := tree(el("table", "", row("Mug", alone), row("Due 2026-11-22", dated)), el("toolbar", "", edit, remove))
	inRow := `{"web":{"ariaRole":"button"},"childOf":{"web":{"ariaRole":"row"},"containsDescendants":[{"web":{"ariaRole":"cell","ariaNameRegex":"Mug"}}]}}`
	if diff := cmp.Diff(inRow, madeFor(t, page, alone)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(strings.Replace(inRow, "Mug", "Due 2026-11-22", 1), madeFor(t, page, dated)); diff != "" {
		t.Error(diff)
	}
	for n, want := range map[*screen.Node]string{edit: `{"web":{"ariaRole":"button","cssSelector":".edit"}}`,
		remove: `{"web":{"ariaRole":"button","cssSelector":".remove"}}`} {
		if diff := cmp.Diff(want, madeFor(t, page, n)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestEditorByItsKind: an editor without role and name is told from what only holds things, and from an editor that
// nobody sees; its class may change.
func TestEditorByItsKind(t *testing.T) {
	page := func(class string, more ...*screen.Node) (*screen.Snapshot, *screen.Node) {
		editor := el("generic", "", screen.Editable|screen.Multiline, &screen.Web{Tag: "div", Class: class})
		editor.Ref = "e1"
		all := append([]*screen.Node{el("heading", "Note"), el("generic", "", screen.Clickable, &screen.Web{Tag: "div", Class: "bar"}), editor}, more...)
		return tree(all...), editor
	}
	unseen := el("generic", "", screen.Editable, screen.Hidden, &screen.Web{Tag: "div", Class: "clip"})
	s, editor := page("ql-editor", unseen)
	if diff := cmp.Diff(`{"web":{"ariaRole":"generic","cssSelector":"[contenteditable]:read-write"}}`, madeFor(t, s, editor)); diff != "" {
		t.Error(diff)
	}
	then := Of(s, editor)
	now, same := page("kl-editor", unseen)
	if got := then.Compare(Of(now, same)); !got.Same {
		t.Errorf("it is another for its class alone: %v", got.Differences)
	}
	two, first := page("kl-editor", unseen, el("generic", "", screen.Editable, &screen.Web{Tag: "div", Class: "kl-title"}))
	if got := then.Compare(Of(two, first)); got.Same {
		t.Error("one of two editors, of another class, is taken for the recorded one")
	}
}

// TestWhatIsSeenComesBeforeSides: of equal options only the one that is seen needs telling, rather than by the side
// of a neighbour that comes and goes.
func TestWhatIsSeenComesBeforeSides(t *testing.T) {
	options := func(at screen.Visibility, y float64) *screen.Node {
		var all []any
		for i, w := range []string{"Gunnar", "Halldis"} {
			all = append(all, el("option", w, at, box(0, y+float64(20*i), 80, 20)))
		}
		if at == screen.Visible {
			all[0].(*screen.Node).Name = "Gunnar Press to select"
		}
		return el("listbox", "", all...)
	}
	page := tree(options(screen.Hidden, 0), options(screen.Visible, 100))
	if diff := cmp.Diff(`{"web":{"ariaRole":"option","ariaNameRegex":"Halldis"}}`, madeFor(t, page, page.Root.Children[1].Children[1])); diff != "" {
		t.Error(diff)
	}
}

// TestVerifiedAmongNewTwins: what was alone when it was recorded is known among equals only by more of what stood
// around it.
func TestVerifiedAmongNewTwins(t *testing.T) {
	editor := func() *screen.Node { return el("generic", "", screen.Editable, &screen.Web{Tag: "div", Class: "ql"}) }
	lone := tree(el("heading", "Note"), editor(), el("button", "Keep"))
	f := Of(lone, lone.Root.Children[1])
	sel := screen.Selector{Web: &screen.WebMatch{AriaRole: "generic", CSSSelector: screen.EditorCSS}}
	two := tree(el("heading", "Note"), editor(), editor(), el("button", "Keep"))
	for _, n := range two.Root.Children[1:3] {
		if f.Compare(Of(two, n)).Same && Verified(two, sel, 2, f, n) {
			t.Error("one of two editors is taken for the one that was there")
		}
	}
	form := func(name string) *screen.Node {
		return el("form", name, screen.Landmark, el("heading", name), editor(), el("button", "Keep"))
	}
	one, both := tree(form("Note")), tree(form("Letter"), form("Note"))
	f = Of(one, one.Root.Children[0].Children[1])
	if n := both.Root.Children[1].Children[1]; !f.Compare(Of(both, n)).Same || !Verified(both, sel, 2, f, n) {
		t.Error("the editor is not known by what stands around it")
	}
}

// TestFieldOfARow: a box without a name is the box of its row whatever its class; a button without one is told by its
// class.
func TestFieldOfARow(t *testing.T) {
	rows := func(role, class string, words ...string) *screen.Snapshot {
		var all []any
		for _, w := range words {
			all = append(all, el("listitem", "", el(role, "", &screen.Web{Tag: "input", Class: class}), para(w, box(0, 0, 9, 9))))
		}
		return tree(el("list", "", all...))
	}
	at := func(s *screen.Snapshot, i int) Fingerprint {
		return Of(s, s.Root.Children[0].Children[i].Children[0])
	}
	for _, tt := range []struct {
		name, role string
		now        *screen.Snapshot
		at         int
		want       bool
	}{
		{"a renamed box of the row", "checkbox", rows("checkbox", "flip", "Milk", "Bread"), 1, true},
		{"a renamed box of the row, one more above", "checkbox", rows("checkbox", "flip", "Tea", "Milk", "Bread"), 2, true},
		{"a renamed box of another row", "checkbox", rows("checkbox", "flip", "Milk", "Bread"), 0, false},
		{"another button of the row", "button", rows("button", "archive", "Milk", "Bread"), 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := at(rows(tt.role, "toggle", "Milk", "Bread"), 1).Compare(at(tt.now, tt.at)); got.Same != tt.want {
				t.Errorf("Same = %v, want %v; %v", got.Same, tt.want, got.Differences)
			}
		})
	}
}
