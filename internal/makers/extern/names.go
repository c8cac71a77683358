package extern

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// names maps the tools of a server to the names that they have here (ADR 15).
type names struct {
	s     *Server
	used  map[string]bool // names and patterns of the configuration that a tool has met
	taken map[string]bool // names that are given, without case and underscores
	built map[string]bool // those of the built-in tools, in the same form
	lost  []string        // tools that can have no name
}

func newNames(s *Server) *names {
	n := &names{s: s, used: map[string]bool{}, taken: map[string]bool{}, built: map[string]bool{}}
	for _, name := range s.o.BuiltIn.Names() {
		n.built[argument.Canonical(name)] = true
	}
	return n
}

// of is the name of a tool that its server calls own, and "" for one that is left out.
func (n *names) of(own string) string {
	c := n.s.c.Names
	in, out := n.meets(c.Include, own), n.meets(c.Exclude, own)
	to, renamed := c.Rename[own]
	n.used[own] = n.used[own] || renamed
	if len(c.Include) > 0 && !in || out {
		return ""
	}
	name := to
	if !renamed {
		name = n.unlike(own, n.prefixed(own))
	}
	if !n.free(name) || n.taken[argument.Canonical(name)] {
		n.lost = append(n.lost, own)
		return ""
	}
	n.taken[argument.Canonical(name)] = true
	return name
}

// free reports whether a tool of a server may have a name.
func (n *names) free(name string) bool {
	return tool.ValidCustomName(name) == nil && !n.built[argument.Canonical(name)]
}

// prefixed is a name in the namespace that the server's entry asks for. Where that says nothing, a name that can stay
// does.
func (n *names) prefixed(own string) string {
	c, name := n.s.c.Names, plain(own)
	if c.Plain || c.Prefix == "" && n.free(own) {
		return name
	}
	prefix := plain(n.s.c.Name)
	if c.Prefix != "" {
		prefix = plain(c.Prefix)
	}
	if !strings.HasPrefix(name, prefix+"_") {
		name = strings.Trim(prefix+"_"+name, "_")
	}
	if short := shortened(name, own); n.free(short) {
		return short
	}
	return shortened("mcp_"+name, own) // such as that of a server which is called web
}

// unlike distinguishes two tools of one server whose names became alike, such as get-sum and get_sum.
func (n *names) unlike(own, name string) string {
	if !n.taken[argument.Canonical(name)] {
		return name
	}
	return shortened(name+"_"+digest(own), own)
}

// notAllowed are the characters that no name has, and those that would make an empty part of it.
var notAllowed = regex.Lazy(`[^A-Za-z0-9]+`)

// plain returns a name with an underscore for characters that are not allowed.
func plain(name string) string {
	out := strings.Trim(notAllowed().ReplaceAllString(name, "_"), "_")
	if out == "" {
		return "tool_" + digest(name)
	}
	return out
}

// maxName is the longest name that providers of models take.
const maxName = 64

func shortened(name, own string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.TrimRight(name[:maxName-7], "_") + "_" + digest(own)
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:3])
}

// meets reports whether one of the patterns is for a tool, and remembers which.
func (n *names) meets(patterns []string, own string) (met bool) {
	for _, p := range patterns {
		if ok, err := path.Match(p, own); ok && err == nil || p == own {
			n.used[p], met = true, true
		}
	}
	return met
}

// tell reports in one line each the tools that can have no name, and the names in the configuration that match
// nothing.
func (n *names) tell(o *offer) {
	c := n.s.c.Names
	if len(n.lost) > 0 {
		o.wrong(n.s.c.Name, fault.New(fault.Invalid, "name the tools of the "+n.s.Origin(),
			"%d are left out, because a name is taken or not <namespace>_<action>: %s", len(n.lost),
			clip(strings.Join(n.lost, ", "), maxLine)).
			WithHint("In %s, leave out prefix: \"\" or give these a name in tools: {rename: {…}}.", n.s.place()))
	}
	var vain []string
	for _, p := range slices.Concat(c.Include, c.Exclude) {
		if !n.used[p] {
			vain = append(vain, p)
		}
	}
	for own := range c.Rename {
		if !n.used[own] {
			vain = append(vain, own)
		}
	}
	if len(vain) > 0 {
		slices.Sort(vain)
		o.warn(n.s.c.Name, fault.New(fault.Invalid, "name the tools of the "+n.s.Origin(),
			"its entry in %s names tools which it does not have: %s", n.s.place(),
			strings.Join(slices.Compact(vain), ", ")))
	}
}
