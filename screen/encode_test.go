package screen

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// everyNative is a screen with a node of every driver.
func everyNative() *Snapshot {
	num := 4
	s := tree(
		&Node{Role: "a", Native: &AndroidAccessibility{ClassName: new("Button"), Text: new(""), ContentDescription: new("Pay"), InputType: &num}},
		&Node{Role: "b", Native: &AndroidMaestro{Text: new("Pay"), Focused: true}, Children: []*Node{{Role: "c", Native: &IOSMaestro{Text: new("Pay")}}}},
		&Node{Role: "d", Native: &IOSAxe{Label: new("Pay"), CustomActions: []string{"Delete"}}},
		&Node{Role: "e", Native: &Compose{TestTag: new("pay")}},
		&Node{Role: "f", Name: "Pay", Native: &Web{Tag: "select", Options: []string{"a"}}, Range: &Range{Max: 2}, Scroll: &Overflow{Left: 1},
			State: Masked, Visibility: Clipped},
		&Node{Role: "g"},
	)
	s.CSS, s.Dialog = map[string][]NodeID{"a": {2}}, &Dialog{Type: "alert", Message: "m"}
	return s
}

func TestSnapshotSurvivesJSON(t *testing.T) {
	want := everyNative()
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Snapshot
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	same := []cmp.Option{cmpopts.IgnoreFields(Node{}, "Parent"), cmpopts.IgnoreUnexported(Snapshot{})}
	if diff := cmp.Diff(want, &got, same...); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
	for _, n := range preorder(got.Root) {
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
	var s Snapshot
	if err := json.Unmarshal([]byte(`{"seq":1,"later":{"x":1},"root":{"id":1,"role":"document","hologram":{"z":1}`+
		`,"children":[null,{"id":2,"role":"button","vis":1,"web":{"tag":"b","new":true}}]}}`), &s); err != nil {
		t.Fatal(err)
	}
	if n := s.Node(2); n == nil || n.Parent != s.Root || n.Native.(*Web).Tag != "b" {
		t.Errorf("got %+v", n)
	}
	var none Snapshot
	if err := json.Unmarshal([]byte(`{}`), &none); err != nil || none.Root != nil || none.Text(TextOptions{}) != "" {
		t.Errorf("an empty one: %v, %q", err, none.Text(TextOptions{}))
	}
}

func FuzzSnapshotJSON(f *testing.F) {
	for _, s := range []*Snapshot{everyNative(), settings(), list("a", "b")} {
		data, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"root":{"children":[{"children":null}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Snapshot
		if json.Unmarshal(data, &s) != nil {
			return
		}
		s.Text(TextOptions{MaxTokens: 50})
		if !Diff(&s, &s).Empty() {
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
		natives := []Native{
			&Web{TestID: at("a"), HTMLID: at("b"), CSS: at("c"), Placeholder: at("d"), Href: at("e"), Options: []string{at("f")}},
			&AndroidAccessibility{Text: new(at("a")), ResourceID: new(at("b")), ContentDescription: new(at("c")), HintText: new(at("d")),
				LabeledByText: new(at("e")), Error: new(at("f")), PaneTitle: new(at("g"))},
			&AndroidMaestro{Text: new(at("a")), AccessibilityText: new(at("b")), HintText: new(at("c"))},
			&IOSMaestro{Text: new(at("a")), AccessibilityText: new(at("b")), HintText: new(at("c"))},
			&IOSAxe{Label: new(at("a")), Value: new(at("b")), Title: new(at("c")), CustomActions: []string{at("d")}},
			&Compose{Text: new(at("a")), EditableText: new(at("b")), ContentDescription: new(at("c"))},
		}
		var nodes []*Node
		for _, d := range natives {
			nodes = append(nodes, &Node{Role: "x", Name: at("name"), Value: at("value"), Text: at("text"), Description: at("description"), Native: d})
		}
		s := tree(nodes...)
		s.Title, s.URL, s.Dialog, s.Quality.Reasons = at("title"), at("url"), &Dialog{Message: at("message"), Default: at("default")}, []string{at("reason")}
		before, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		masked := s.Masked(func(s string) string { return strings.ReplaceAll(s, secret, "•••") })
		data, err := json.Marshal(masked)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), secret) || strings.Contains(masked.Text(TextOptions{Detail: []string{DetailAll, DetailCSS}}), secret) {
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
				var s Snapshot
				if err := json.Unmarshal(data, &s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
