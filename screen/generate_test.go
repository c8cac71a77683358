package screen

import (
	"fmt"
	"testing"
)

func BenchmarkSelectorFor(b *testing.B) {
	for _, n := range []int{2000, 20000} {
		s := pageOf(n)
		var targets []*Node
		for _, n := range preorder(s.Root) {
			if n.Ref != "" {
				targets = append(targets, n)
			}
		}
		for _, at := range []struct {
			name string
			node *Node
		}{{"first", targets[0]}, {"middle", targets[len(targets)/2]}, {"repeated", targets[len(targets)/2+8]}} {
			b.Run(fmt.Sprintf("%d/%s", n, at.name), func(b *testing.B) {
				for b.Loop() {
					if _, err := s.SelectorFor(at.node.ID); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{2000, 20000} {
		s := pageOf(n)
		for _, sel := range []struct {
			name string
			sel  Selector
		}{
			{"role and name", web("button", "Reply 8")}, {"pattern", web("button", `Reply \d+`)}, {"look-ahead", web("button", `(?=Reply)Reply.*`)},
			{"relations", Selector{Web: &WebMatch{AriaRole: "row"}, ContainsDescendants: []Selector{web("link", "#2003")}, ChildOf: ptr(web("table", "Orders 2"))}},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, sel.name), func(b *testing.B) {
				for b.Loop() {
					if found, err := s.Find(sel.sel); err != nil || len(found) == 0 {
						b.Fatal(found, err)
					}
				}
			})
		}
	}
}
