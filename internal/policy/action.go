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

// scripts are the tools that run whatever text they are given.
var scripts = []string{"web_evaluate", "evaluateJs", "runScript", "adbShell"}

func isScript(name string) bool { return slices.Contains(scripts, name) }

// action decides about a tool.
func (p *Policy) action(s *tool.Spec) decision {
	d := decision{Subject: s.Name}
	for _, r := range p.actions.deny {
		if r.match(s) {
			return d.no("actions.deny "+quoted(r.text), p.at(r.at), "Take it from actions.deny to allow it.")
		}
	}
	if isScript(s.Name) {
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

// script decides about running text as code. A pattern never grants it: it is named, or "evaluate: allow" says so.
func (p *Policy) script(s *tool.Spec) decision {
	d := decision{Subject: s.Name}
	for _, r := range p.actions.allow {
		if r.by == "name" && r.pattern == s.Name && p.evaluate != no {
			return d.yes("actions.allow "+quoted(r.text), p.at(r.at))
		}
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
