package screen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/text"
	"pgregory.net/rapid"
)

// everyNative is a screen with a node of every driver.
func everyNative() *screen.Snapshot {
	num := 4
	s := tree(
		&screen.Node{Role: "a", Native: &screen.AndroidAccessibility{ClassName: new("Button"), Text: new(""), ContentDescription: new("Pay"), InputType: &num}},
		&screen.Node{
			Role:     "b",
			Native:   &screen.AndroidMaestro{Text: new("Pay"), Focused: true},
			Children: []*screen.Node{{Role: "c", Native: &screen.IOSMaestro{Text: new("Pay")}}},
		},
		&screen.Node{Role: "d", Native: &screen.IOSAxe{Label: new("Pay"), CustomActions: []string{"Delete"}}},
		&screen.Node{Role: "e", Native: &screen.Compose{TestTag: new("pay")}},
		&screen.Node{
			Role:       "f",
			Name:       "Pay",
			Native:     &screen.Web{Tag: "select", Options: []string{"a"}},
			Range:      &screen.Range{Max: 2},
			Scroll:     &screen.Overflow{Left: 1},
			State:      screen.Masked,
			Visibility: screen.Clipped,
		},
		&screen.Node{Role: "g"},
	)
	s.CSS, s.Dialog = map[string][]screen.NodeID{"a": {2}}, &screen.Dialog{Type: "alert", Message: "m"}
	return s
}

func TestSnapshotSurvivesJSON(t *testing.T) {
	want := everyNative()
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got screen.Snapshot
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	same := []cmp.Option{cmpopts.IgnoreFields(screen.Node{}, "Parent"), cmpopts.IgnoreUnexported(screen.Snapshot{})}
	if diff := cmp.Diff(want, &got, same...); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
	for _, n := range screen.Preorder(got.Root) {
		for _, c := range n.Children {
			if c.Parent != n {
				t.Fatalf("%s has a wrong parent", c.Role)
			}
		}
		if got.Node(n.ID) != n {
			t.Fatalf("%s is not in the index", n.Role)
		}
	}
}

func TestSnapshotReadsWhatItDoesNotKnow(t *testing.T) {
	var s screen.Snapshot
	if err := json.Unmarshal([]byte(`{"seq":1,"later":{"x":1},"root":{"id":1,"role":"document","hologram":{"z":1}`+
		`,"children":[null,{"id":2,"role":"button","vis":1,"web":{"tag":"b","new":true}}]}}`), &s); err != nil {
		t.Fatal(err)
	}
	if n := s.Node(2); n == nil || n.Parent != s.Root || n.Native.(*screen.Web).Tag != "b" {
		t.Errorf("got %+v", n)
	}
	var none screen.Snapshot
	if err := json.Unmarshal([]byte(`{}`), &none); err != nil || none.Root != nil || text.Of(&none, text.Options{}) != "" {
		t.Errorf("an empty one: %v, %q", err, text.Of(&none, text.Options{}))
	}
}

func FuzzSnapshotJSON(f *testing.F) {
	for _, s := range []*screen.Snapshot{everyNative(), settings(), list("a", "b")} {
		data, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"root":{"children":[{"children":null}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s screen.Snapshot
		if json.Unmarshal(data, &s) != nil {
			return
		}
		text.Of(&s, text.Options{MaxTokens: 50})
		if !diff.Between(&s, &s).Empty() {
			t.Error("differs from itself")
		}
	})
}

// TestMaskedHoldsNoSecret: wherever a page shows a secret, the masked copy does not, and the original still does.
func TestMaskedHoldsNoSecret(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const secret = "hunter2"
		at := func(name string) string {
			return rapid.SampledFrom([]string{"", "plain", secret, "is " + secret + "!"}).Draw(t, name)
		}
		natives := []screen.Native{
			&screen.Web{TestID: at("a"), HTMLID: at("b"), CSS: at("c"), Placeholder: at("d"), Href: at("e"), Options: []string{at("f")}},
			&screen.AndroidAccessibility{Text: new(at("a")), ResourceID: new(at("b")), ContentDescription: new(at("c")), HintText: new(at("d")),
				LabeledByText: new(at("e")), Error: new(at("f")), PaneTitle: new(at("g"))},
			&screen.AndroidMaestro{Text: new(at("a")), AccessibilityText: new(at("b")), HintText: new(at("c"))},
			&screen.IOSMaestro{Text: new(at("a")), AccessibilityText: new(at("b")), HintText: new(at("c"))},
			&screen.IOSAxe{Label: new(at("a")), Value: new(at("b")), Title: new(at("c")), CustomActions: []string{at("d")}},
			&screen.Compose{Text: new(at("a")), EditableText: new(at("b")), ContentDescription: new(at("c"))},
		}
		var nodes []*screen.Node
		for _, d := range natives {
			nodes = append(nodes, &screen.Node{Role: "x", Name: at("name"), Value: at("value"), Text: at("text"), Description: at("description"), Native: d})
		}
		s := tree(nodes...)
		s.Title, s.URL, s.Dialog, s.Quality.Reasons = at("title"), at("url"), &screen.Dialog{Message: at("message"), Default: at("default")}, []string{at("reason")}
		before, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		masked := s.Masked(func(s string) string { return strings.ReplaceAll(s, secret, "•••") })
		data, err := json.Marshal(masked)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), secret) || strings.Contains(text.Of(masked, text.Options{Detail: []string{text.DetailAll, text.DetailCSS}}), secret) {
			t.Fatalf("the secret is still there: %s", data)
		}
		if after, _ := json.Marshal(s); string(after) != string(before) {
			t.Fatal("masking changed the original")
		}
	})
}

func BenchmarkJSON(b *testing.B) {
	for _, n := range []int{2000, 20000} {
		s := pageOf(n)
		data, err := json.Marshal(s)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("encode/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := json.Marshal(s); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("decode/%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				var s screen.Snapshot
				if err := json.Unmarshal(data, &s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
