package tool

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// Registry is a fixed set of tools by name. It never changes after NewRegistry, so reading it needs no lock; a reload
// makes a new one.
type Registry struct {
	byName map[string]Tool
	sorted []Tool
	lacks  []Problem // why other tools are not in it
}

// NewRegistry checks the tools and lists every problem it finds, not only the first: bad names, two tools of one name,
// names that differ only in case or underscores, specs that could not be built.
func NewRegistry(tools ...Tool) (*Registry, error) {
	r, problems := Collect(tools...)
	for _, t := range tools {
		if c, ok := t.(checker); ok {
			if err := c.Check(); err != nil {
				problems = append(problems, Problem{Name: t.Spec().Name, Err: fmt.Errorf("%s: %w", t.Spec().Name, err)})
			}
		}
	}
	if len(problems) > 0 {
		all := make([]error, len(problems))
		for i, p := range problems {
			all[i] = p
		}
		return nil, fault.Wrap(errors.Join(all...), fault.Conflict, "register tools")
	}
	return r, nil
}

// Problem is the reason why a tool cannot be registered, or a warning.
type Problem struct {
	Name     string // of the tool; of its source, or "", when it is about all of them
	Err      error
	Warning  bool // nothing is left out for it
	AllTools bool // a source is left out with all its tools, so nobody knows their names
}

// Error implements error.
func (p Problem) Error() string { return p.Err.Error() }

// Line returns the problem with its consequence, for people.
func (p Problem) Line() string {
	if p.Warning {
		return "warning: " + p.Error()
	}
	return "left out: " + p.Error()
}

// Unwrap implements the interface that errors.Is looks for.
func (p Problem) Unwrap() error { return p.Err }

// Collect makes a registry of the correct tools, and returns the mistake in every other. Of two tools whose names
// conflict the first one stays. The schemas of Go types are not looked at, because making them takes time: a tool of
// Define whose tags do not parse fails when it is called.
func Collect(tools ...Tool) (*Registry, []Problem) {
	r := &Registry{byName: make(map[string]Tool, len(tools))}
	like := make(map[string]string, len(tools))
	var problems []Problem
	wrong := func(t Tool, err error) { problems = append(problems, Problem{Name: t.Spec().Name, Err: err}) }
	for _, t := range tools {
		s := t.Spec()
		if err := check(t); err != nil {
			wrong(t, fmt.Errorf("%s: %w", s.Name, err))
			continue
		}
		if other, dup := r.byName[s.Name]; dup {
			wrong(t, fmt.Errorf("two tools are named %q: one is %s and stays, the other %s", s.Name, origin(other), origin(t)))
			continue
		}
		if other, dup := like[argument.Canonical(s.Name)]; dup {
			wrong(t, fmt.Errorf("%q and %q differ only in case or underscores: one is %s, the other %s",
				other, s.Name, origin(r.byName[other]), origin(t)))
			continue
		}
		like[argument.Canonical(s.Name)] = s.Name
		r.byName[s.Name] = t
		r.sorted = append(r.sorted, t)
	}
	slices.SortFunc(r.sorted, func(a, b Tool) int { return strings.Compare(a.Spec().Name, b.Spec().Name) })
	return r, problems
}

// origin returns the source of a tool, for people.
func origin(t Tool) string {
	if from := t.Spec().Origin; from != "" {
		return "from " + from
	}
	return "built in"
}

// checker is implemented by tools that can be wrong from birth, such as those of Define.
type checker interface{ Check() error }

func check(t Tool) error {
	s := t.Spec()
	if err := ValidName(s.Name); err != nil {
		return err
	}
	switch s.Kind {
	case Action, Query, Assertion:
	default:
		return fmt.Errorf("kind %q is not one of action, query, assertion", s.Kind)
	}
	if s.Input == nil {
		return errors.New("no input schema")
	}
	return nil
}

// Get finds a tool by its exact name.
func (r *Registry) Get(name string) (Tool, bool) {
	if r == nil {
		return nil, false
	}
	t, ok := r.byName[name]
	return t, ok
}

// All lists the tools sorted by name. The slice is the caller's.
func (r *Registry) All() []Tool {
	if r == nil {
		return nil
	}
	return slices.Clone(r.sorted)
}

// Names lists the names, sorted.
func (r *Registry) Names() []string {
	var out []string
	for _, t := range r.All() {
		out = append(out, t.Spec().Name)
	}
	return out
}

// Near lists the names that may have been meant by name, best first.
func (r *Registry) Near(name string) []string { return argument.Near(name, r.Names(), 5) }

// Lacking returns the registry with the problems that kept other tools out of it, for the errors of Missing. Warnings
// keep none out.
func (r *Registry) Lacking(problems []Problem) *Registry {
	out := *r
	out.lacks = slices.DeleteFunc(slices.Clone(problems), func(p Problem) bool { return p.Warning })
	return &out
}

// Missing returns the error for a name without a tool, with advice: start the source that may have it, mend the file
// that was to have it, or take a name that is near. list says where the names stand.
func (r *Registry) Missing(op, name, list string) *fault.Error {
	if p, ok := r.whyNot(name); ok {
		text := "there is no tool %q: %w"
		if p.AllTools {
			text = "there is no tool %q; what may have it was not loaded: %w"
		}
		return fault.New(fault.NotFound, op, text, name, p.Err).WithHint("%s", fault.HintOf(p.Err))
	}
	err := fault.New(fault.NotFound, op, "there is no tool %q", name)
	if near := r.Near(name); len(near) > 0 {
		return err.WithHint("Did you mean %s?", strings.Join(near[:min(3, len(near))], " or "))
	}
	return err.WithHint("%s", list)
}

// whyNot returns the reason why there is no tool of this name: the problem of the tool, or of a source that may
// have it. A source may have any name that is not of the product; one that mentions the name's namespace is the
// likeliest.
func (r *Registry) whyNot(name string) (why Problem, ok bool) {
	if r == nil {
		return why, false
	}
	own := ValidCustomName(name) == nil
	namespace, _, _ := strings.Cut(name, "_")
	for _, p := range r.lacks {
		switch {
		case p.Name == name:
			return p, true
		case !own || !p.AllTools:
		case !ok || strings.Contains(p.Error(), namespace) && !strings.Contains(why.Error(), namespace):
			why, ok = p, true
		}
	}
	return why, ok
}

// With makes a registry that holds these tools too.
func (r *Registry) With(tools ...Tool) (*Registry, error) {
	return NewRegistry(append(r.All(), tools...)...)
}

// Filter narrows a listing. Zero fields do not narrow.
type Filter struct {
	Platform driver.Platform
	Driver   string
	Groups   []string // only tools in any of these
	Prefix   string   // of the name: an app's or team's namespace
	Exposed  bool     // only what a model may see
}

// Filter lists the tools that pass, sorted by name.
func (r *Registry) Filter(f Filter) []Tool {
	return slices.DeleteFunc(r.All(), func(t Tool) bool { return !f.Match(t.Spec()) })
}

// Match reports whether a spec passes.
func (f Filter) Match(s *Spec) bool {
	switch {
	case f.Exposed && !s.ExposedToLLM,
		!strings.HasPrefix(s.Name, f.Prefix),
		f.Platform != "" && !s.RunsOn(f.Platform, ""),
		f.Driver != "" && !s.RunsOn("", f.Driver):
		return false
	}
	return len(f.Groups) == 0 || slices.ContainsFunc(s.Groups, func(g string) bool { return slices.Contains(f.Groups, g) })
}

// Accepts is the schema that arguments are held to. An integer of a built-in tool has limits in it, up to which JSON
// carries each integer exactly.
func (s *Spec) Accepts() *jsonschema.Schema {
	in := s.Input.Get()
	if s.Origin != "" || in == nil {
		return in
	}
	return argument.Bounded(in.CloneSchemas())
}

// RunsOn reports whether the tool is for this platform and driver; "" asks nothing. Case does not matter, because
// upstream writes platforms in capitals, and drivers both as PLAYWRIGHT_NATIVE and as playwright-native.
func (s *Spec) RunsOn(p driver.Platform, drv string) bool {
	okP := p == "" || len(s.Platforms) == 0 ||
		slices.ContainsFunc(s.Platforms, func(q driver.Platform) bool { return strings.EqualFold(string(p), string(q)) })
	okD := drv == "" || len(s.Drivers) == 0 ||
		slices.ContainsFunc(s.Drivers, func(q string) bool { return strings.EqualFold(dashed(drv), dashed(q)) })
	return okP && okD
}

// BelongsTo reports whether the tool is of the app with this id: by its declaration, or by its namespace.
func (s *Spec) BelongsTo(app string) bool {
	return s.Target != "" && strings.EqualFold(s.Target, app) ||
		strings.HasPrefix(strings.ToLower(s.Name), strings.ToLower(app)+"_")
}

func dashed(name string) string { return strings.ReplaceAll(name, "_", "-") }

// Flags are the policy of a tool as files and other servers write it; a missing flag takes its default.
type Flags struct {
	ExposedToLLM *bool `json:"exposedToLlm,omitempty"` // default true
	Recordable   *bool `json:"isRecordable,omitempty"` // default true
	Delegating   *bool `json:"isDelegating,omitempty"` // default false
}

// Apply sets the flags of a spec.
func (f Flags) Apply(s *Spec) {
	s.ExposedToLLM = f.ExposedToLLM == nil || *f.ExposedToLLM
	s.Recordable = f.Recordable == nil || *f.Recordable
	s.Delegating = f.Delegating != nil && *f.Delegating
}
