package policy

import (
	"slices"
	"strings"
)

// permissionRule names a permission of the Permissions API, such as clipboard-read; * in it stands for anything.
type permissionRule struct {
	text string
	at   place
}

// permissions are the rules about what pages may ask a person for.
type permissions struct {
	*basis
	lists[permissionRule]
}

func (r *reader) readPermission(it item) (permissionRule, bool) {
	if it.text == "" || strings.ContainsAny(it.text, " \t,:/") {
		r.bad(it.at, "%q is not the name of a permission, such as clipboard-read", it.text)
		return permissionRule{}, false
	}
	return permissionRule{it.text, it.at}, true
}

// permission decides about what a page may ask a person for.
func (g *permissions) decide(name string) decision {
	d := decision{Subject: "the permission " + name}
	match := func(r permissionRule) bool { return glob(r.text, name) }
	if i := slices.IndexFunc(g.deny, match); i >= 0 {
		r := g.deny[i]
		return d.no("permissions.deny "+quoted(r.text), g.at(r.at), "Take it from permissions.deny to allow it.")
	}
	if i := slices.IndexFunc(g.allow, match); i >= 0 {
		r := g.allow[i]
		return d.yes("permissions.allow "+quoted(r.text), g.at(r.at))
	}
	if g.profile == CI || g.hasAllow {
		return d.no("permissions.allow", g.listPlace("permissions.allow"),
			"Add "+quoted(name)+" to permissions.allow to allow it.")
	}
	return g.usual(d)
}

// copying is the permission that copy buttons need: browsers grant it on a click.
const copying = "clipboard-write"

// Permissions are those that pages of a device get: the ones asked for, each of which must be allowed, and that of copy
// buttons unless the policy says otherwise.
func (p *Policy) Permissions(asked []string) ([]string, error) {
	out := make([]string, 0, len(asked)+1)
	for _, name := range asked {
		if name = strings.ToLower(strings.TrimSpace(name)); name == "" {
			continue
		}
		if d := p.decide(func(q *Policy) decision { return q.permissions.decide(name) }); !d.Allowed {
			return nil, d.fault("open device")
		}
		out = append(out, name)
	}
	copies := p.every(func(q *Policy) bool { return q.permissions.decide(copying).Allowed })
	if copies && !slices.Contains(out, copying) {
		out = append(out, copying)
	}
	return out, nil
}
