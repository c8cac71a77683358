package policy

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// actionRule matches calls of tools: by name (with *), by "kind:query", by "group:navigation", by "effect:shell".
type actionRule struct {
	by, pattern string // by: name, kind, group, effect
	text        string
	at          place
}

// deviceEffects are the words of tool.Effects.Does.
var deviceEffects = []string{"shell", "clear", "grant", "write"}

// actions are the rules about tools, and about how those of a workspace are carried out.
type actions struct {
	*basis
	lists[actionRule]
	evaluate verdict
	sources  map[string]verdict // by the name of a way
}

func (r *reader) readAction(it item) (actionRule, bool) {
	rule := actionRule{by: "name", pattern: it.text, text: it.text, at: it.at}
	if by, pattern, ok := strings.Cut(it.text, ":"); ok {
		rule.by, rule.pattern = by, strings.TrimSpace(pattern)
		switch {
		case by == "kind" && !slices.Contains([]string{"action", "query", "assertion"}, rule.pattern):
			r.bad(it.at, "%q: a kind is action, query or assertion", it.text)
			return rule, false
		case by == "effect" && !slices.Contains(deviceEffects, rule.pattern):
			r.bad(it.at, "%q: an effect is %s", it.text, strings.Join(deviceEffects, ", "))
			return rule, false
		case by != "kind" && by != "group" && by != "effect":
			r.bad(it.at, "%q: write a tool's name, kind:…, group:… or effect:…", it.text)
			return rule, false
		}
	}
	if rule.pattern == "" || strings.ContainsAny(rule.pattern, " \t,") {
		r.bad(it.at, "%q is not the name of a tool", it.text)
		return rule, false
	}
	return rule, true
}

// match reports whether a rule is about a call that does these things to its device. A tool that declares no effects
// may do all of them.
func (a actionRule) match(s *tool.Spec, does []string) bool {
	switch a.by {
	case "effect":
		return s.Effects == nil || slices.Contains(does, a.pattern)
	case "kind":
		return string(s.Kind) == a.pattern
	case "group":
		return slices.ContainsFunc(s.Groups, func(g string) bool { return glob(a.pattern, g) })
	}
	return glob(a.pattern, s.Name)
}

// runsCode reports whether a tool runs whatever text it is given, for all that is known of it.
func runsCode(s *tool.Spec) bool { return s.Effects == nil || s.Effects.RunsCode }

// decide decides about a tool. One that does not say what it touches may open any host and read and write any file by
// ways that nothing here sees, so it runs only where no limit forbids any of that. Naming it in actions.allow does not
// change that. does is what the call does to its device beside the screen.
func (a *actions) decide(s *tool.Spec, does []string, limit string) decision {
	d := decision{Subject: s.Name}
	for _, r := range a.deny {
		if r.match(s, does) {
			return d.no("actions.deny "+quoted(r.text), a.at(r.at), "Take it from actions.deny to allow it.")
		}
	}
	if d := a.source(s); !d.Allowed {
		return d
	}
	if s.Effects == nil && limit != "" {
		return d.no(limit+", which a tool that declares no effects may get around", a.listPlace(limit),
			"Declare the effects of "+s.Name+" to have it decided by what it does.")
	}
	if runsCode(s) {
		return a.script(s)
	}
	for _, r := range a.allow { // a tool of unknown effects has been refused, or asks to run code
		if r.match(s, does) {
			return d.yes("actions.allow "+quoted(r.text), a.at(r.at))
		}
	}
	if a.profile == CI || a.hasAllow {
		return d.no("actions.allow", a.listPlace("actions.allow"), "Add "+quoted(s.Name)+" to actions.allow to allow it.")
	}
	return a.usual(d)
}

// script decides about running text as code. A pattern never grants it: it is named, or "evaluate: allow" says so.
func (a *actions) script(s *tool.Spec) decision {
	d := decision{Subject: s.Name}
	if r := a.naming(s); r != nil && a.evaluate != no {
		return d.yes("actions.allow "+quoted(r.text), a.at(r.at))
	}
	switch {
	case a.evaluate == yes:
		return d.yes("evaluate: allow", a.at(a.where["evaluate"]))
	case a.evaluate == no:
		return d.no("evaluate: deny", a.at(a.where["evaluate"]), "Write evaluate: allow to let scripts run in pages.")
	case a.profile == CI, a.hasAllow:
		return d.no("evaluate", a.listPlace("evaluate"), "Write evaluate: allow to let scripts run in pages.")
	}
	return a.usual(d)
}
