package screen

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// ReplyName returns the name of an element in a reply: its descriptor, without a name its text, and without either the
// place it is in. It is a form of ref, see LocateFor.
func (s *Snapshot) ReplyName(n *Node) string { return s.replyName(n, "") }

// Named returns a ref that also finds a node on a later screen: Said, with its place where that alone is ambiguous.
// It is "" when no text finds this node alone.
func (s *Snapshot) Named(n *Node) string {
	said := s.ReplyName(n)
	for _, ref := range []string{said, said + " " + s.place(n)} {
		found, err := s.Locate(ref)
		if err == nil && len(found) == 1 && found[0] == n && strings.Contains(ref, `"`) {
			return ref
		}
	}
	return ""
}

// Label is Said with the ref, the place, and the reason why a person cannot see the element: enough to distinguish
// it from others of the same name.
func (s *Snapshot) Label(n *Node) string {
	ref, place := s.RefFor(n), s.place(n)
	if ref != "" {
		ref = " " + ref
	}
	out := s.replyName(n, ref)
	if place != "" && (ref != "" || s.label(n) != "") {
		out += " " + place
	}
	if w, ok := n.Native.(*Web); ok && ref == "" && w.CSS != "" {
		out += " (css=" + w.CSS + ")"
	}
	if n.Visibility.Reason() != "" {
		out += " (" + n.Visibility.Mark() + ")"
	}
	return out
}

func (s *Snapshot) replyName(n *Node, ref string) string {
	role := words.Bare(n.Role)
	switch label := s.label(n); {
	case n.Role == "":
		role = "generic"
	case label != "":
		return role + " " + label + ref
	}
	if w, ok := n.Native.(*Web); ok && w.Placeholder != "" {
		return role + ref + " hint " + words.Quote(words.Squeeze(w.Placeholder), 80)
	}
	if place := s.place(n); place != "" && ref == "" {
		return role + " " + place
	}
	return role + ref
}

// label returns the name or text of the element, in quotes; "" when it has neither.
func (s *Snapshot) label(n *Node) string {
	if s.splitSecret {
		s = s.Written()
		if n = s.Node(n.ID); n == nil {
			return ""
		}
	}
	if name := words.Squeeze(n.Called()); name != "" {
		return words.Quote(name, words.MaxQuoted)
	}
	if text := words.Squeeze(Rendered(n)); text != "" && n != s.Root && !holdsFields(n.Role) {
		return words.Quote(text, 60)
	}
	return ""
}

// place returns where an element is, as in: in row "Mug $5". It names the closest ancestor with a text: a row or an
// item with more in it than the element, something named around it, or the heading before it.
func (s *Snapshot) place(n *Node) string {
	own := s.label(n)
	for c, p := n, n.Parent; p != nil; c, p = p, p.Parent {
		switch p.Role {
		case "row", "listitem", "treeitem", "article", "option", "menuitem":
			if label := s.label(p); label != "" && label != own {
				return "in " + words.Bare(p.Role) + " " + label
			}
		case "document", "generic", "paragraph", "cell", "gridcell", "rowgroup", "none", "":
		default:
			if words.Squeeze(p.Name) != "" {
				return "in " + words.Bare(p.Role) + " " + s.label(p)
			}
		}
		title := ""
		for _, k := range p.Children {
			if k == c {
				break
			}
			if k.Role == "heading" {
				title = s.label(k)
			}
		}
		if title != "" {
			return "under heading " + title
		}
	}
	return ""
}

// RoleWord drops what a reader does without. A role is a word of the page script's own; anything else is made one.
func RoleWord(role string) string {
	switch role {
	case "listitem":
		return "-"
	case "gridcell":
		return "cell"
	case "", "none", "presentation":
		return "generic"
	}
	return words.Bare(role)
}
