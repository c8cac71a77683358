package screen_test

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// TestPrinted proves that a text can be named as it is written and as a style prints it, and by nothing else.
func TestPrinted(t *testing.T) {
	button := &screen.Node{ID: 2, Role: "button", Name: "Straße 5b, it's open", Text: "Straße 5b, it's open"}
	s := &screen.Snapshot{Root: &screen.Node{ID: 1, Role: "document", Children: []*screen.Node{button}}}
	for transform, printed := range map[string]string{
		"": "Straße 5b, it's open", "uppercase": "STRASSE 5B, IT'S OPEN", "lowercase": "straße 5b, it's open", "capitalize": "Straße 5b, It's Open",
	} {
		button.Native = &screen.Web{Tag: "button", Transform: transform}
		s.Index()
		for _, text := range []string{button.Text, printed} {
			if got := s.FindText(text); len(got) != 1 || got[0] != button {
				t.Errorf("%s: text %q finds %v", transform, text, got)
			}
			if got, err := s.Find(screen.Selector{Web: &screen.WebMatch{AriaRole: "button", AriaNameRegex: text}}); err != nil || len(got) != 1 {
				t.Errorf("%s: name %q finds %v, %v", transform, text, got, err)
			}
		}
		for _, text := range []string{"sTRASSE 5b", "STRASSE 5b, it's open"} {
			if got := s.FindText(text); len(got) > 0 {
				t.Errorf("%s: text %q finds %v", transform, text, got)
			}
			if got, _ := s.Find(screen.Selector{Web: &screen.WebMatch{AriaRole: "button", AriaNameRegex: text}}); len(got) > 0 {
				t.Errorf("%s: name %q finds %v", transform, text, got)
			}
		}
		if button.Name != "Straße 5b, it's open" {
			t.Errorf("the name became %q", button.Name)
		}
	}
}

// TestLettersAndTheirMarks proves that letters are the same whether their marks are in one with them or apart.
func TestLettersAndTheirMarks(t *testing.T) {
	for _, pair := range [][2]string{{"Café Zürich", "Cafe\u0301 Zu\u0308rich"}, {"한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"},
		{"Việt", "Vie\u0323\u0302t"}, {"Việt", "Vi\u00ea\u0323t"}, {"Việt", "Vie\u0302\u0323t"}, {"ガ行", "カ\u3099行"}, {"ΐ", "ι\u0308\u0301"},
		{"한글", "하\u11ab그\u11af"}} {
		for _, p := range [][2]string{pair, {pair[1], pair[0]}} {
			if !words.ContainsWords(p[0]+" x", p[1]) || !words.SameText(p[0], p[1]) {
				t.Errorf("%+q is not found in %+q", p[1], p[0])
			}
			if ok, err := words.MatchText(p[0]+".*", p[1]+" x"); !ok || err != nil {
				t.Errorf("%+q does not match %+q: %v", p[0], p[1], err)
			}
		}
	}
	if words.ContainsWords("Café", "Cafe") || words.SameText("Café", "Cafe") {
		t.Error("a mark was left out")
	}
}
