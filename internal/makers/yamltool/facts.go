package yamltool

import (
	"slices"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// facts returns the spec of a tool of calls: the fields of its file, and for the others those that follow from the
// tools that it calls.
func (d *Definition) facts(called []*tool.Spec, calls []trail.DocumentCall) tool.Spec {
	s := tool.Spec{
		Name: d.ID, Description: d.Description, Kind: d.kind(called), Input: tool.Fixed(d.Schema()),
		Platforms: shared(called, func(s *tool.Spec) []driver.Platform { return s.Platforms }),
		Drivers:   shared(called, func(s *tool.Spec) []string { return s.Drivers }),
		Facts:     tool.Facts{Device: tool.NoDevice, Idempotent: true},
	}
	d.Flags.Apply(&s)
	s.Delegating = false // it stands in a recording alone
	if len(d.Platforms) > 0 {
		s.Platforms = nil // identify puts the file's own there
	}
	for _, c := range called {
		s.NeedsModel = s.NeedsModel || c.NeedsModel
		s.Destructive = s.Destructive || c.Destructive
		s.Idempotent = s.Idempotent && c.Idempotent
		if c.Device != tool.NoDevice {
			s.Device = tool.AnyDevice
		}
	}
	s.Effects = d.effects(called, calls)
	return s
}

func (d *Definition) kind(called []*tool.Spec) tool.Kind {
	asserts := d.Asserts
	for _, c := range called {
		if c.Kind == tool.Action {
			return tool.Action
		}
		asserts = asserts || c.Kind == tool.Assertion
	}
	if asserts {
		return tool.Assertion
	}
	return tool.Query
}

// effects returns the effects of the calls together. Each call is decided on its own when it is made; these let a
// policy refuse the whole before anything is done.
func (d *Definition) effects(called []*tool.Spec, calls []trail.DocumentCall) *tool.Effects {
	out := &tool.Effects{CallsTools: true}
	for i, s := range called {
		e := s.Effects
		if e == nil || i >= len(calls) {
			continue
		}
		out.RunsCode = out.RunsCode || e.RunsCode
		if e.DoesNow == nil { // what depends on the arguments, the call itself knows
			out.Does = append(out.Does, e.Does...)
		}
		for _, kind := range []struct {
			from []string
			to   *[]string
		}{{e.Opens, &out.Opens}, {e.Reads, &out.Reads}, {e.Writes, &out.Writes}} {
			for _, arg := range kind.from {
				*kind.to = append(*kind.to, d.passed(calls[i].Args.Get(arg))...)
			}
		}
	}
	for _, list := range []*[]string{&out.Opens, &out.Reads, &out.Writes, &out.Does} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return out
}

// passed returns the parameters that are the whole of a value: only the call itself knows the value of a longer text
// with a parameter in it.
func (d *Definition) passed(v trail.Value) []string {
	if v.Zero() {
		return nil
	}
	text, _ := v.Text()
	return slices.DeleteFunc(d.reads(v), func(name string) bool {
		return text != "{{"+name+"}}" && text != "{{params."+name+"}}" && text != "{{?"+name+"}}"
	})
}

// shared returns the values that all of the specs with any of them have in common.
func shared[T comparable](specs []*tool.Spec, of func(*tool.Spec) []T) []T {
	var out []T
	first := true
	for _, s := range specs {
		list := of(s)
		switch {
		case len(list) == 0:
		case first:
			out, first = slices.Clone(list), false
		default:
			out = slices.DeleteFunc(out, func(v T) bool { return !slices.Contains(list, v) })
		}
	}
	return out
}
