package screen

import "reflect"

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

// Written returns the snapshot as it may be written out: without the parts of secrets that the page took apart, which
// no mask of single texts would find.
func (s *Snapshot) Written() *Snapshot {
	if s == nil || !s.splitSecret {
		return s
	}
	return s.Masked(func(text string) string { return text })
}

// HiddenAs returns an earlier capture that hides what a later one does: with its last letter a secret is one.
func (s *Snapshot) HiddenAs(now *Snapshot) *Snapshot {
	if s == nil || now == nil || !now.splitSecret {
		return s
	}
	c := s.Masked(func(text string) string { return text })
	for _, n := range c.all {
		if later := now.Node(n.ID); later != nil && later.SplitSecret {
			n.SplitSecret, c.splitSecret = true, true
		}
	}
	return c
}

// dots replaces a part of a secret.
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
	if n.SplitSecret {
		c.SplitSecret = false
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
	if d, ok := d.(*Web); ok {
		c := *d
		m.all(&c.TestID, &c.HTMLID, &c.CSS, &c.Placeholder, &c.Href)
		c.Options = m.list(d.Options)
		return &c
	}
	if PhoneBlocks()[reflect.TypeOf(d)] == nil {
		return d
	}
	v := reflect.New(reflect.TypeOf(d).Elem())
	v.Elem().Set(reflect.ValueOf(d).Elem())
	for i := range v.Elem().NumField() {
		f := v.Elem().Field(i)
		switch text := f.Interface().(type) {
		case *string:
			if text != nil && *text != "" {
				f.Set(reflect.ValueOf(new(m(*text))))
			}
		case []string:
			f.Set(reflect.ValueOf(m.list(text)))
		}
	}
	return v.Interface().(Native) //nolint:forcetypeassert // it is a copy of one
}
