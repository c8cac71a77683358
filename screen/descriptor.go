package screen

import "fmt"

// Descriptor is how people and traces name an element: button "Save". It is a form of ref, see LocateFor.
func (n *Node) Descriptor() string {
	if name := n.called(); name != "" {
		return n.Role + " " + fmt.Sprintf("%q", squeeze(name))
	}
	return n.Role
}

// called is the name of a node: its accessible name, or its text when it has no name of its own and its role gives it
// none, as with a div that is a button only by its handler.
func (n *Node) called() string {
	if n.Name == "" && n.Role == "generic" {
		return n.Text
	}
	return n.Name
}
