package screen

import (
	"regexp"
	"strconv"
	"strings"
)

// refForm is how a ref looks: e12, [e12], @e12.
var refForm = regexp.MustCompile(`^(?:@?(e\d+)|\[@?(e\d+)\])$`)

// descriptorForm is a role alone, or a role and an exact name: button "Save".
var descriptorForm = regexp.MustCompile(`^([a-z]+)(?:\s+"((?:[^"\\]|\\.)*)")?$`)

// RefOf returns the plain ref when text has the form of one.
func RefOf(text string) (string, bool) {
	m := refForm.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", false
	}
	return m[1] + m[2], true
}

// bareRoles are tried in this order for a bare text: what a person would most likely mean by it.
var bareRoles = []string{"textbox", "searchbox", "combobox", "button", "link", "checkbox", "radio", "tab", "menuitem", "option"}

// Locate returns what a ref of any form names, best first: css=…, a ref (e5, [e5], @e5), a descriptor (button "Save"),
// a role, or a bare text (a control of that exact name, then what it labels, then what shows it). A ref never falls
// back to anything else.
func (s *Snapshot) Locate(ref string) ([]*Node, error) {
	ref = strings.TrimSpace(ref)
	if css, ok := strings.CutPrefix(ref, "css="); ok {
		var out []*Node
		for _, id := range s.CSS[css] {
			if n := s.Node(id); n != nil {
				out = append(out, n)
			}
		}
		return out, nil
	}
	if plain, ok := RefOf(ref); ok {
		if n := s.ByRef(plain); n != nil {
			return []*Node{n}, nil
		}
		return nil, nil
	}
	all := preorder(s.Root)
	if m := descriptorForm.FindStringSubmatch(ref); m != nil && knownRole(all, m[1]) {
		named, name := strings.Contains(ref, `"`), unquote(m[2])
		return pick(all, func(n *Node) bool { return n.Role == m[1] && (!named || n.goesBy(name)) }), nil
	}
	for _, role := range bareRoles {
		if out := pick(all, func(n *Node) bool { return n.Role == role && n.Name != "" && n.goesBy(ref) }); len(out) > 0 {
			return out, nil
		}
	}
	if out := pick(all, func(n *Node) bool { return n.Name != "" && n.Role != "text" && n.goesBy(ref) }); len(out) > 0 {
		return out, nil
	}
	return s.FindText(ref), nil
}

// LocateCSS lists the CSS selectors a capture must evaluate before Locate(ref) can answer.
func LocateCSS(ref string) []string {
	if css, ok := strings.CutPrefix(strings.TrimSpace(ref), "css="); ok {
		return []string{css}
	}
	return nil
}

// unquote reads what stands between the quotes of a descriptor, as Descriptor writes it.
func unquote(s string) string {
	if plain, err := strconv.Unquote(`"` + s + `"`); err == nil {
		return plain
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s)
}

func knownRole(all []*Node, role string) bool {
	for _, n := range all {
		if n.Role == role {
			return true
		}
	}
	return false
}

func pick(all []*Node, ok func(*Node) bool) []*Node {
	var out []*Node
	for _, n := range all {
		if ok(n) {
			out = append(out, n)
		}
	}
	return out
}
