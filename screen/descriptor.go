package screen

import "fmt"

// Descriptor is how people and traces name an element: button "Save".
func (n *Node) Descriptor() string {
	if n.Name == "" {
		return n.Role
	}
	return n.Role + " " + fmt.Sprintf("%q", squeeze(n.Name))
}
