package screen_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

func TestParseSelectorWarns(t *testing.T) {
	_, warnings, err := screen.ParseSelector([]byte(`{"web":{"ariaRole":"button","below":{"web":{}},"nome":"x"},"childOf":{"web":{"ariaRoel":"form"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"childOf.web.ariaRoel is not a selector field; did you mean ariaRole?",
		"web.below is not a selector field; it belongs beside the driver block, one level up",
		"web.nome is not a selector field; there are ",
	}
	for i, w := range want {
		if i >= len(warnings) || !strings.HasPrefix(warnings[i], w) {
			t.Errorf("mistakes %q, want %q", warnings, want)
			break
		}
	}
}

func TestStoredSnapshotCanBeAsked(t *testing.T) {
	page := list("Mug", "Cup")
	page.CSS = map[string][]screen.NodeID{".x": {3}}
	data, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	var back screen.Snapshot
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if got, want := text.Of(&back, text.Options{}), text.Of(page, text.Options{}); got != want {
		t.Errorf("text differs:\n%s", cmp.Diff(want, got))
	}
	if !diff.Between(page, &back).Empty() {
		t.Error("the stored snapshot differs from the original")
	}
	masked := page.Masked(func(s string) string { return strings.ReplaceAll(s, "Mug", "•••") })
	if data, _ := json.Marshal(masked); strings.Contains(string(data), "Mug") {
		t.Error("masking left the secret")
	}
	if page.Root.Children[0].Children[0].Children[0].Children[0].Text != "Mug" {
		t.Error("masking changed the original")
	}
}

// TestSelectorCounts: what tells an element by a number.
func TestSelectorCounts(t *testing.T) {
	css := func(s string) screen.Selector { return screen.Selector{Web: &screen.WebMatch{CSSSelector: s}} }
	tests := []struct {
		sel  screen.Selector
		want bool
	}{
		{css("#row-b2"), true}, {css("#choices-item-choice-3"), true}, {css("#tom-opt-2"), true}, {css(`#\:r5\:`), true},
		{css("[id=':r5:']"), true}, {css("li:nth-child(2) a"), true},
		{css("#save"), false}, {css("#checkout_v2"), false}, {css("h2 .go"), false}, {css("#h1-title"), false},
		{screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, Index: new(1)}, true},
		{screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, ChildOf: &screen.Selector{Web: &screen.WebMatch{AriaRole: "row", NthIndex: new(1)}}}, true},
		{screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, Index: new(0), Below: new(web("heading", "Cup"))}, false},
		{web("button", "Save 2"), false},
	}
	for _, tt := range tests {
		if got := tt.sel.Counts(); got != tt.want {
			data, _ := json.Marshal(tt.sel)
			t.Errorf("%s counts: %v, want %v", data, got, tt.want)
		}
	}
}

func FuzzParseSelector(f *testing.F) {
	f.Add([]byte(`{"web":{"ariaRole":"button","ariaNameRegex":"Save"},"childOf":{"web":{"cssSelector":"#a"}},"index":1}`))
	f.Add([]byte(`{"containsDescendants":[{"androidMaestro":{"textRegex":"(?=a)+"}}],"below":{"below":{"below":{}}}}`))
	f.Add([]byte(`{"web":{"childOf":{}}}`))
	page := list("Mug", "Cup")
	f.Fuzz(func(t *testing.T, data []byte) {
		sel, warnings, err := screen.ParseSelector(data)
		if err != nil {
			return
		}
		for _, w := range warnings {
			if strings.TrimSpace(w) == "" {
				t.Error("an empty warning")
			}
		}
		_, _ = page.Find(sel) // an error is an answer, a panic is not
		sel.CSSQueries()
		identity.Nearest(page, sel, 3)
	})
}
