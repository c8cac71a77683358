package policy

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// way is one in which a tool of a workspace is carried out or reaches out. Each has a rule below "sources".
type way struct {
	name string
	is   func(*tool.Effects) bool
	// seen is true where all actions of the tool are decided here. Those of another program are not.
	seen bool
}

var ways = []way{
	{"server", func(e *tool.Effects) bool { return e.Server }, false},
	{"process", func(e *tool.Effects) bool { return e.Process }, false},
	{"script", func(e *tool.Effects) bool { return e.Script }, true},
	{"fetch", func(e *tool.Effects) bool { return len(e.Fetches) > 0 }, true},
}

func (w way) key() string { return "sources." + w.name }

func (p *Policy) readSources(r *reader, e entry) {
	p.actions.sources = map[string]verdict{}
	var known []string
	for _, w := range ways {
		known = append(known, w.name)
	}
	for _, k := range r.mapping(e.value, "sources").entries {
		if !slices.Contains(known, k.key) {
			r.unknown(k, "sources", known)
			continue
		}
		key := "sources." + k.key
		p.actions.sources[k.key] = verdict(r.word(k, key, string(yes), string(no)))
		p.where[key] = k.at
	}
}

// source decides about the ways in which a tool is carried out. One that declares no effects may use any of them.
// Where the profile allows only listed tools, a program that is opaque to us needs its key or its exact name: a
// pattern does not grant it.
func (a *actions) source(s *tool.Spec) decision {
	d := decision{Subject: s.Name}
	var unlisted []way
	for _, w := range ways {
		switch {
		case s.Effects != nil && !w.is(s.Effects):
		case a.sources[w.name] == no:
			return d.no(w.key()+": deny", a.at(a.where[w.key()]), "Write "+w.key()+": allow to let such tools run.")
		case a.sources[w.name] == unset && a.profile == CI && !w.seen && a.naming(s) == nil:
			unlisted = append(unlisted, w)
		}
	}
	if len(unlisted) == 0 {
		return d.yes("", "")
	}
	var write []string
	for _, w := range unlisted {
		write = append(write, w.name+": allow")
	}
	key := unlisted[0].key()
	return d.no(key, a.listPlace(key), "Write sources: {"+strings.Join(write, ", ")+"}, or add "+quoted(s.Name)+
		" to actions.allow, to let it run.")
}

// naming is the rule of actions.allow that names a tool itself, not by a pattern.
func (a *actions) naming(s *tool.Spec) *actionRule {
	i := slices.IndexFunc(a.allow, func(r actionRule) bool { return r.by == "name" && r.pattern == s.Name })
	if i < 0 {
		return nil
	}
	return &a.allow[i]
}
