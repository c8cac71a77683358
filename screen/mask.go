package screen

// Masked returns a copy in which mask was applied to every text that comes from the app. Structure, roles, ids and refs
// stay.
func (s *Snapshot) Masked(mask func(string) string) *Snapshot {
	m := masker(mask)
	c := *s
	m.all(&c.URL, &c.Title)
	if s.Dialog != nil {
		d := *s.Dialog
		m.all(&d.Message, &d.Default)
		c.Dialog = &d
	}
	c.Quality.Reasons = m.list(s.Quality.Reasons)
	if s.CSS != nil {
		c.CSS = make(map[string][]NodeID, len(s.CSS))
		for q, ids := range s.CSS {
			c.CSS[mask(q)] = ids
		}
	}
	c.Root = m.node(s.Root)
	c.Index()
	return &c
}

// written is the snapshot as it may be written out: without the parts of secrets that the page took apart, which no mask of
// single texts would find.
func (s *Snapshot) written() *Snapshot {
	if s == nil || !s.apart {
		return s
	}
	return s.Masked(func(text string) string { return text })
}

// apartAs is an earlier capture that hides what a later one does: with its last letter a secret is one.
func (s *Snapshot) apartAs(now *Snapshot) *Snapshot {
	if s == nil || now == nil || !now.apart {
		return s
	}
	c := s.Masked(func(text string) string { return text })
	for _, n := range c.all {
		if later := now.Node(n.ID); later != nil && later.Apart {
			n.Apart, c.apart = true, true
		}
	}
	return c
}

// dots stand in place of a part of a secret.
const dots = "••••••"

type masker func(string) string

func (m masker) all(texts ...*string) {
	for _, t := range texts {
		if *t != "" {
			*t = m(*t)
		}
	}
}

func (m masker) list(texts []string) []string {
	if texts == nil {
		return nil
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = m(t)
	}
	return out
}

func (m masker) node(n *Node) *Node {
	if n == nil {
		return nil
	}
	c := *n
	if n.Apart {
		c.Apart = false
		if c.Name == c.Text || c.Name == c.Value {
			c.Name = ""
		}
		for _, part := range []*string{&c.Value, &c.Text} {
			if *part != "" {
				*part = dots
			}
		}
	}
	m.all(&c.Name, &c.Description, &c.Value, &c.Text)
	c.Native = m.native(n.Native)
	if len(n.Children) > 0 {
		c.Children = make([]*Node, len(n.Children))
		for i, k := range n.Children {
			c.Children[i] = m.node(k)
		}
	}
	return &c
}

func (m masker) native(d Native) Native {
	switch d := d.(type) {
	case *Web:
		c := *d
		m.all(&c.TestID, &c.HTMLID, &c.CSS, &c.Placeholder, &c.Href)
		c.Options = m.list(d.Options)
		return &c
	case *AndroidAccessibility:
		c := *d
		m.all(&c.ResourceID, &c.UniqueID, &c.ContentDescription, &c.HintText, &c.LabeledByText, &c.StateDescription, &c.PaneTitle,
			&c.RoleDescription, &c.ComposeTestTag, &c.PackageName, &c.Error)
		if d.Text != nil {
			t := m(*d.Text)
			c.Text = &t
		}
		return &c
	case *AndroidMaestro:
		c := *d
		m.all(&c.Text, &c.ResourceID, &c.AccessibilityText, &c.HintText)
		return &c
	case *IOSMaestro:
		c := *d
		m.all(&c.Text, &c.ResourceID, &c.AccessibilityText, &c.HintText)
		return &c
	case *IOSAxe:
		c := *d
		m.all(&c.Label, &c.Value, &c.UniqueID, &c.Title)
		c.CustomActions = m.list(d.CustomActions)
		return &c
	case *Compose:
		c := *d
		m.all(&c.TestTag, &c.Text, &c.EditableText, &c.ContentDescription)
		return &c
	}
	return d
}
