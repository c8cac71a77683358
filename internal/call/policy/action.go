package policy

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// actionRule matches tools: by name (with *), by "kind:query", by "group:navigation".
type actionRule struct {
	by, pattern string // by: name, kind, group
	text        string
	at          place
}

func (r *reader) readAction(it item) (actionRule, bool) {
	rule := actionRule{by: "name", pattern: it.text, text: it.text, at: it.at}
	if by, pattern, ok := strings.Cut(it.text, ":"); ok {
		rule.by, rule.pattern = by, strings.TrimSpace(pattern)
		switch {
		case by == "kind" && !slices.Contains([]string{"action", "query", "assertion"}, rule.pattern):
			r.bad(it.at, "%q: a kind is action, query or assertion", it.text)
			return rule, false
		case by != "kind" && by != "group":
			r.bad(it.at, "%q: write a tool's name, kind:… or group:…", it.text)
			return rule, false
		}
	}
	if rule.pattern == "" || strings.ContainsAny(rule.pattern, " \t,") {
		r.bad(it.at, "%q is not the name of a tool", it.text)
		return rule, false
	}
	return rule, true
}

func (a actionRule) match(s *tool.Spec) bool {
	switch a.by {
	case "kind":
		return string(s.Kind) == a.pattern
	case "group":
		return slices.ContainsFunc(s.Groups, func(g string) bool { return glob(a.pattern, g) })
	}
	return glob(a.pattern, s.Name)
}

// runsCode reports whether a tool runs whatever text it is given, for all that is known of it.
func runsCode(s *tool.Spec) bool { return s.Effects == nil || s.Effects.RunsCode }

// action decides about a tool.
func (p *Policy) action(s *tool.Spec) decision {
	d := decision{Subject: s.Name}
	for _, r := range p.actions.deny {
		if r.match(s) {
			return d.no("actions.deny "+quoted(r.text), p.at(r.at), "Take it from actions.deny to allow it.")
		}
	}
	if d := p.source(s); !d.Allowed {
		return d
	}
	if s.Effects == nil {
		if d := p.unknown(s); !d.Allowed {
			return d
		}
	}
	if runsCode(s) {
		return p.script(s)
	}
	for _, r := range p.actions.allow {
		if r.match(s) {
			return d.yes("actions.allow "+quoted(r.text), p.at(r.at))
		}
	}
	if p.profile == CI || p.actions.given {
		return d.no("actions.allow", p.listPlace("actions.allow"), "Add "+quoted(s.Name)+" to actions.allow to allow it.")
	}
	return d.yes("profile "+string(p.profile), "profile "+string(p.profile))
}

// unknown decides about a tool that does not say what it touches: it may open any host and read and write any file by
// ways that nothing here sees, so it runs only where none of that is forbidden. Naming it in actions.allow does not
// change that.
func (p *Policy) unknown(s *tool.Spec) decision {
	d := decision{Subject: s.Name}
	limit := ""
	for _, key := range []string{"hosts.deny", "hosts.ports", "hosts.schemes", "files.read", "files.write"} {
		if p.listed(key) {
			limit = key
		}
	}
	switch {
	case p.closed():
		limit = "hosts.allow"
	case p.private == no:
		limit = "hosts.private"
	case limit == "":
		return d.yes("", "")
	}
	return d.no(limit+", which a tool that declares no effects may get around", p.listPlace(limit),
		"Declare the effects of "+s.Name+" to have it decided by what it does.")
}

// script decides about running text as code. A pattern never grants it: it is named, or "evaluate: allow" says so.
func (p *Policy) script(s *tool.Spec) decision {
	d := decision{Subject: s.Name}
	if r := p.naming(s); r != nil && p.evaluate != no {
		return d.yes("actions.allow "+quoted(r.text), p.at(r.at))
	}
	switch {
	case p.evaluate == yes:
		return d.yes("evaluate: allow", p.at(p.where["evaluate"]))
	case p.evaluate == no:
		return d.no("evaluate: deny", p.at(p.where["evaluate"]), "Write evaluate: allow to let scripts run in pages.")
	case p.profile == CI, p.actions.given:
		return d.no("evaluate", p.listPlace("evaluate"), "Write evaluate: allow to let scripts run in pages.")
	}
	return d.yes("profile "+string(p.profile), "profile "+string(p.profile))
}
