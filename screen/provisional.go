package screen

// Provisional: compiling stand-ins so that others can build. The owner of this package replaces this file.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Descriptor is `button "Save"`.
func (n *Node) Descriptor() string {
	if n.Name == "" {
		return n.Role
	}
	return fmt.Sprintf("%s %q", n.Role, n.Name)
}

func (s *Snapshot) walk(f func(*Node)) {
	var w func(*Node)
	w = func(n *Node) {
		f(n)
		for _, c := range n.Children {
			w(c)
		}
	}
	if s.Root != nil {
		w(s.Root)
	}
}

// Masked returns a copy with every text masked.
func (s *Snapshot) Masked(mask func(string) string) *Snapshot { return s }

// CSSQueries lists the CSS selectors in sel.
func (sel Selector) CSSQueries() []string {
	if sel.Web != nil && sel.Web.CSSSelector != "" {
		return []string{sel.Web.CSSSelector}
	}
	return nil
}

func full(pattern, s string) bool {
	if pattern == s {
		return true
	}
	re, err := regexp.Compile("^(?:" + pattern + ")$")
	return err == nil && re.MatchString(s)
}

// Find returns what sel matches.
func (s *Snapshot) Find(sel Selector) ([]*Node, error) {
	var out []*Node
	css := map[NodeID]bool{}
	if sel.Web != nil {
		for _, id := range s.CSS[sel.Web.CSSSelector] {
			css[id] = true
		}
	}
	s.walk(func(n *Node) {
		w := sel.Web
		if w == nil || w.AriaRole != "" && w.AriaRole != n.Role || w.AriaNameRegex != "" && !full(w.AriaNameRegex, n.Name) || w.CSSSelector != "" && !css[n.ID] {
			return
		}
		out = append(out, n)
	})
	return out, nil
}

// Locate finds by ref forms.
func (s *Snapshot) Locate(ref string) ([]*Node, error) {
	if n := s.ByRef(strings.Trim(ref, "[]@")); n != nil {
		return []*Node{n}, nil
	}
	var out []*Node
	s.walk(func(n *Node) {
		if n.Name == ref || n.Descriptor() == ref {
			out = append(out, n)
		}
	})
	return out, nil
}

// LocateCSS lists the CSS that Locate needs.
func LocateCSS(ref string) []string {
	if c, ok := strings.CutPrefix(ref, "css="); ok {
		return []string{c}
	}
	return nil
}

// FindText finds text.
func (s *Snapshot) FindText(text string) []*Node {
	var out []*Node
	s.walk(func(n *Node) {
		if strings.Contains(n.Text, text) || strings.Contains(n.Name, text) {
			out = append(out, n)
		}
	})
	return out
}

// SelectorFor makes a selector.
func (s *Snapshot) SelectorFor(id NodeID) (Selector, error) {
	n := s.Node(id)
	return Selector{Web: &WebMatch{AriaRole: n.Role, AriaNameRegex: regexp.QuoteMeta(n.Name)}}, nil
}

// FingerprintOf says who n is.
func (s *Snapshot) FingerprintOf(n *Node) Fingerprint { return Fingerprint{Role: n.Role, Name: n.Name} }

// Likeness is a comparison.
type Likeness struct {
	Same        bool
	Differences []string
}

// Compare compares.
func (f Fingerprint) Compare(now Fingerprint) Likeness {
	return Likeness{Same: f.Role == now.Role && f.Name == now.Name}
}

// Candidate is near.
type Candidate struct {
	Node       *Node
	Difference string
}

// Nearest finds near nodes.
func (s *Snapshot) Nearest(sel Selector, n int) []Candidate { return nil }

// TextOptions shape Text.
type TextOptions struct {
	MaxTokens int
	Detail    []string
	Find      string
	Scope     string
}

// Text is what a model reads.
func (s *Snapshot) Text(o TextOptions) string {
	var b strings.Builder
	s.walk(func(n *Node) { fmt.Fprintf(&b, "%s %s %s\n", n.Descriptor(), n.Ref, n.Text) })
	return b.String()
}

// Changes is a diff.
type Changes struct{}

// Diff compares.
func Diff(old, new *Snapshot) Changes { return Changes{} }

// Text says it.
func (c Changes) Text(maxTokens int) string { return "" }

// Empty reports no change.
func (c Changes) Empty() bool { return true }

// ParseSelector reads JSON.
func ParseSelector(data []byte) (Selector, []string, error) {
	var s Selector
	err := json.Unmarshal(data, &s)
	return s, nil, err
}
