package screen

import (
	"encoding/json"
	"fmt"
)

// plainNode and plainSnapshot keep json from calling the methods below again.
type (
	plainNode     Node
	plainSnapshot Snapshot
)

// wireNode is a node as JSON: its native part under the name of its block. Trees are converted as a whole and encoded
// in one go: with a marshaller per node, json would copy and check each level's bytes once more.
type wireNode struct {
	plainNode
	Web                  *Web                  `json:"web,omitempty"`
	AndroidAccessibility *AndroidAccessibility `json:"androidAccessibility,omitempty"`
	AndroidMaestro       *AndroidMaestro       `json:"androidMaestro,omitempty"`
	IOSMaestro           *IOSMaestro           `json:"iosMaestro,omitempty"`
	IOSAxe               *IOSAxe               `json:"iosAxe,omitempty"`
	Compose              *Compose              `json:"compose,omitempty"`
	Children             []*wireNode           `json:"children,omitempty"`
}

// wireSnapshot is a snapshot as JSON.
type wireSnapshot struct {
	plainSnapshot
	Root *wireNode `json:"root"`
}

func toWire(n *Node) *wireNode {
	if n == nil {
		return nil
	}
	w := &wireNode{plainNode: plainNode(*n)}
	switch d := n.Native.(type) {
	case *Web:
		w.Web = d
	case *AndroidAccessibility:
		w.AndroidAccessibility = d
	case *AndroidMaestro:
		w.AndroidMaestro = d
	case *IOSMaestro:
		w.IOSMaestro = d
	case *IOSAxe:
		w.IOSAxe = d
	case *Compose:
		w.Compose = d
	}
	if len(n.Children) > 0 {
		w.Children = make([]*wireNode, len(n.Children))
		for i, c := range n.Children {
			w.Children[i] = toWire(c)
		}
	}
	return w
}

func (w *wireNode) node(parent *Node) *Node {
	if w == nil {
		return nil
	}
	n := Node(w.plainNode)
	n.Parent = parent
	switch {
	case w.Web != nil:
		n.Native = w.Web
	case w.AndroidAccessibility != nil:
		n.Native = w.AndroidAccessibility
	case w.AndroidMaestro != nil:
		n.Native = w.AndroidMaestro
	case w.IOSMaestro != nil:
		n.Native = w.IOSMaestro
	case w.IOSAxe != nil:
		n.Native = w.IOSAxe
	case w.Compose != nil:
		n.Native = w.Compose
	}
	for _, c := range w.Children {
		if c != nil {
			n.Children = append(n.Children, c.node(&n))
		}
	}
	return &n
}

// MarshalJSON writes a node and its content, each with its native part under the name of its block.
func (n *Node) MarshalJSON() ([]byte, error) { return json.Marshal(toWire(n)) }

// UnmarshalJSON reads what MarshalJSON wrote; fields it does not know are ignored.
func (n *Node) UnmarshalJSON(data []byte) error {
	var w wireNode
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("decode node: %w", err)
	}
	*n = *w.node(nil)
	for _, c := range n.Children {
		c.Parent = n
	}
	return nil
}

// MarshalJSON writes a snapshot so that it can be stored.
func (s *Snapshot) MarshalJSON() ([]byte, error) {
	s = s.Written()
	w := wireSnapshot{plainSnapshot: plainSnapshot(*s), Root: toWire(s.Root)}
	return json.Marshal(&w)
}

// UnmarshalJSON reads a stored snapshot and indexes it, so that it can be asked at once.
func (s *Snapshot) UnmarshalJSON(data []byte) error {
	var w wireSnapshot
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("decode snapshot: %w", err)
	}
	*s = Snapshot(w.plainSnapshot)
	s.Root = w.Root.node(nil)
	s.Index()
	return nil
}
