package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Intended is a call that the model would make, as a plan shows it.
type Intended struct {
	Tool         string          `json:"tool"`
	Args         json.RawMessage `json:"args,omitempty"`
	Targets      []string        `json:"targets,omitempty" jsonschema:"the elements that it names, as the screen has them"`
	Alternatives []string        `json:"alternatives,omitempty" jsonschema:"elements of the same role that come nearest to the target"`
	Risk         Risk            `json:"risk"`
	Why          []string        `json:"why,omitempty" jsonschema:"what the risk is"`
	Refused      string          `json:"refused,omitempty" jsonschema:"why the call would not be made"`
}

// Risk says how far the effects of a call may reach, by what its tool declares.
type Risk string

// The risks.
const (
	Low    Risk = "low"    // it only looks
	Medium Risk = "medium" // it acts on the page, or opens another
	High   Risk = "high"   // it reaches beyond the page, or may lose data
)

const (
	planNote = "Nothing is done this time. Call the tools that you would call on this screen: a person is told of them."
	others   = 3 // alternatives of a target
)

// preview lists the calls of an answer in place of making them. It returns false when there are none.
func (a *Agent) preview(r *llm.Response, out *Outcome) bool {
	calls, said := a.split(r.Calls)
	if len(calls) == 0 && said == nil {
		a.idle++
		if a.reminder = "Your last answer called no tool. " + planNote; len(r.Calls) > 0 {
			a.reminder = statusTool + " takes a status of COMPLETED or FAILED, and an explanation."
		}
		return false
	}
	out.Status, out.Explanation = InProgress, "Nothing was done. First calls:"
	if len(calls) == 0 {
		out.Status, out.Explanation = said.Status, "Nothing to do: "+said.Explanation
	}
	for _, c := range calls {
		out.Plan = append(out.Plan, a.intended(c))
	}
	return true
}

// intended describes the purpose of a call and its possible effects.
func (a *Agent) intended(c tool.Call) Intended {
	in := Intended{Tool: clip(c.Name, 60), Args: jsonOr(json.RawMessage(a.mask(string(c.Args))))}
	spec, refusal := a.tools.check(c, a.objective.Text)
	if in.Refused = refusal; spec == nil {
		return in
	}
	in.Risk, in.Why = riskOf(spec, c.Args)
	var args any
	_ = json.Unmarshal(c.Args, &args) // check has
	for _, ref := range refs(args) {
		target, near := onScreen(a.screen, ref)
		in.Targets = append(in.Targets, a.mask(target))
		for _, n := range near {
			in.Alternatives = append(in.Alternatives, a.mask(n))
		}
	}
	return in
}

// riskOf returns the risk of a call, and the reasons, by the effects that its tool declares.
func riskOf(s *tool.Spec, raw json.RawMessage) (Risk, []string) {
	args := tool.Args{}
	_ = json.Unmarshal(raw, &args) // what cannot be read touches nothing
	opens, reads, writes := s.Effects.Touched(args)
	var why []string
	for _, list := range []struct {
		verb string
		of   []string
	}{{"reads the file ", reads}, {"writes the file ", writes}} {
		if len(list.of) > 0 {
			why = append(why, list.verb+strings.Join(list.of, ", "))
		}
	}
	why = append(why, beyond(s, raw)...)
	goes := "opens " + strings.Join(opens, ", ")
	switch {
	case len(why) > 0 && len(opens) > 0:
		return High, append(why, goes)
	case len(why) > 0:
		return High, why
	case len(opens) > 0:
		return Medium, []string{goes}
	case s.Kind == tool.Action:
		return Medium, []string{"acts on the page"}
	}
	return Low, []string{"only looks"}
}

// beyond says how a tool reaches beyond the page, files apart.
func beyond(s *tool.Spec, raw json.RawMessage) (why []string) {
	e := s.Effects
	if e == nil {
		e = &tool.Effects{}
		why = append(why, "declares no effects, so it may do anything")
	}
	for _, r := range []struct {
		so   bool
		says string
	}{
		{e.RunsCode, "runs code"},
		{e.Script, "runs a script of the workspace"},
		{e.Process, "runs a process of the workspace"},
		{e.Server, "is carried out by a tool server, which may do anything"},
		{e.CallsTools && !e.Server && !e.Script, "works by other calls"},
		{len(e.Fetches) > 0, "sends requests to " + strings.Join(e.Fetches, ", ")},
		{len(e.Types) > 0 && len(memory.TokensInJSON(raw)) > 0, "types a value of memory"},
		{s.Destructive, "may lose data"},
	} {
		if r.so {
			why = append(why, r.says)
		}
	}
	return why
}

// refs are the texts by which arguments name elements of the screen.
func refs(v any) (out []string) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			out = append(out, refs(x)...)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if ref, ok := v[k].(string); ok && (k == "ref" || strings.HasSuffix(k, "Ref")) && ref != "" {
				out = append(out, ref)
			}
			out = append(out, refs(v[k])...)
		}
	}
	return out
}

// onScreen names the element of a ref, and those that come nearest to it.
func onScreen(s *screen.Snapshot, ref string) (target string, near []string) {
	found, err := s.Locate(ref)
	switch {
	case err != nil || len(found) == 0:
		role, name := screen.RefWants(ref)
		return phrase.Clip(ref, 80) + " (not on the screen)", nearest(s, role, regexp.QuoteMeta(name), nil)
	case len(found) > 1:
		for _, n := range found[:min(others, len(found))] {
			near = append(near, s.Label(n))
		}
		return fmt.Sprintf("%s (one of %d)", phrase.Clip(ref, 80), len(found)), near
	}
	return s.Label(found[0]), nearest(s, found[0].Role, regexp.QuoteMeta(found[0].Name), found[0])
}

// nearest are the elements of a role whose names come nearest, but for one.
func nearest(s *screen.Snapshot, role, name string, but *screen.Node) (out []string) {
	if role == "" && name == "" {
		return nil
	}
	wanted := screen.Selector{Web: &screen.WebMatch{AriaRole: role, AriaNameRegex: name}}
	for _, c := range identity.Nearest(s, wanted, 4*others) {
		if c.Node != but && c.Node != s.Root && (role == "" || c.Node.Role == role) && len(out) < others {
			out = append(out, s.Label(c.Node))
		}
	}
	return out
}

// text describes the call for a person, in a few lines.
func (c *Intended) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d. %s %s", n, c.Tool, cmp.Or(strings.Join(c.Targets, ", "), clip(string(c.Args), 300)))
	if c.Refused != "" {
		b.WriteString("\n   " + c.Refused)
	} else {
		fmt.Fprintf(&b, "\n   risk: %s (%s)", c.Risk, strings.Join(c.Why, "; "))
	}
	for _, other := range c.Alternatives {
		b.WriteString("\n   or: " + other)
	}
	return b.String()
}
