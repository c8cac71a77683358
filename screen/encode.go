package screen

import (
	"encoding/json"
	"fmt"
)

// plainNode keeps json from calling Node's own methods again.
type plainNode Node

// MarshalJSON writes a node with its native part under the name of its block.
func (n *Node) MarshalJSON() ([]byte, error) {
	out := struct {
		*plainNode
		Web                  *Web                  `json:"web,omitempty"`
		AndroidAccessibility *AndroidAccessibility `json:"androidAccessibility,omitempty"`
		AndroidMaestro       *AndroidMaestro       `json:"androidMaestro,omitempty"`
		IOSMaestro           *IOSMaestro           `json:"iosMaestro,omitempty"`
		IOSAxe               *IOSAxe               `json:"iosAxe,omitempty"`
		Compose              *Compose              `json:"compose,omitempty"`
	}{plainNode: (*plainNode)(n)}
	switch d := n.Native.(type) {
	case *Web:
		out.Web = d
	case *AndroidAccessibility:
		out.AndroidAccessibility = d
	case *AndroidMaestro:
		out.AndroidMaestro = d
	case *IOSMaestro:
		out.IOSMaestro = d
	case *IOSAxe:
		out.IOSAxe = d
	case *Compose:
		out.Compose = d
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote; fields it does not know are ignored.
func (n *Node) UnmarshalJSON(data []byte) error {
	in := struct {
		*plainNode
		Web                  *Web                  `json:"web"`
		AndroidAccessibility *AndroidAccessibility `json:"androidAccessibility"`
		AndroidMaestro       *AndroidMaestro       `json:"androidMaestro"`
		IOSMaestro           *IOSMaestro           `json:"iosMaestro"`
		IOSAxe               *IOSAxe               `json:"iosAxe"`
		Compose              *Compose              `json:"compose"`
	}{plainNode: (*plainNode)(n)}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	switch {
	case in.Web != nil:
		n.Native = in.Web
	case in.AndroidAccessibility != nil:
		n.Native = in.AndroidAccessibility
	case in.AndroidMaestro != nil:
		n.Native = in.AndroidMaestro
	case in.IOSMaestro != nil:
		n.Native = in.IOSMaestro
	case in.IOSAxe != nil:
		n.Native = in.IOSAxe
	case in.Compose != nil:
		n.Native = in.Compose
	}
	return nil
}

type plainSnapshot Snapshot

// UnmarshalJSON reads a stored snapshot and indexes it, so that it can be asked at once.
func (s *Snapshot) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, (*plainSnapshot)(s)); err != nil {
		return fmt.Errorf("decode snapshot: %w", err)
	}
	s.Index()
	return nil
}

// Masked returns a copy in which mask was applied to every text. Structure, ids and refs stay.
func (s *Snapshot) Masked(mask func(string) string) *Snapshot {
	c := *s
	c.URL, c.Title = mask(s.URL), mask(s.Title)
	if s.Dialog != nil {
		d := *s.Dialog
		d.Message, d.Default = mask(d.Message), mask(d.Default)
		c.Dialog = &d
	}
	c.Root = maskNode(s.Root, mask)
	c.Index()
	return &c
}

func maskNode(n *Node, mask func(string) string) *Node {
	if n == nil {
		return nil
	}
	c := *n
	for _, p := range []*string{&c.Name, &c.Description, &c.Value, &c.Text} {
		if *p != "" {
			*p = mask(*p)
		}
	}
	c.Native = maskNative(n.Native, mask)
	c.Children = make([]*Node, len(n.Children))
	for i, k := range n.Children {
		c.Children[i] = maskNode(k, mask)
	}
	return &c
}

func maskNative(d Native, mask func(string) string) Native {
	all := func(ps ...*string) {
		for _, p := range ps {
			if *p != "" {
				*p = mask(*p)
			}
		}
	}
	switch d := d.(type) {
	case *Web:
		c := *d
		all(&c.CSS, &c.Placeholder, &c.Href, &c.HTMLID, &c.TestID)
		c.Options = nil
		for _, o := range d.Options {
			c.Options = append(c.Options, mask(o))
		}
		return &c
	case *AndroidAccessibility:
		c := *d
		all(&c.ContentDescription, &c.HintText, &c.LabeledByText, &c.StateDescription, &c.PaneTitle, &c.Error)
		if d.Text != nil {
			t := mask(*d.Text)
			c.Text = &t
		}
		return &c
	case *AndroidMaestro:
		c := *d
		all(&c.Text, &c.AccessibilityText, &c.HintText)
		return &c
	case *IOSMaestro:
		c := *d
		all(&c.Text, &c.AccessibilityText, &c.HintText)
		return &c
	case *IOSAxe:
		c := *d
		all(&c.Label, &c.Value, &c.Title)
		return &c
	case *Compose:
		c := *d
		all(&c.Text, &c.EditableText, &c.ContentDescription)
		return &c
	}
	return d
}
