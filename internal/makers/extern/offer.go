package extern

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// offer is the offer of a server: its tools as the dispatcher takes them, and the problems of others.
type offer struct {
	tools       []tool.Tool
	problems    []tool.Problem
	fingerprint string
	left        int // bytes for the schemas of the tools that are still to come
}

// maxText bounds a description.
const maxText = 16 << 10

// offered makes tools of a server's list.
func (s *Server) offered(l listing) offer {
	o := offer{left: maxServerSchemas}
	if l.More {
		o.wrong(s.c.Name, fault.New(fault.Invalid, "list tools", "it lists more than %d tools; the rest is left out",
			maxTools))
	}
	reg := s.registry(l.Registry, &o)
	has, names := map[string]bool{}, newNames(s)
	sum := sha256.New()
	for _, t := range l.Tools {
		has[t.Name] = true
		name := t.Name
		if s.c.Script == nil {
			name = names.of(t.Name)
		}
		if name == "" {
			continue
		}
		spec, err := s.spec(t, reg, l.Version, &o)
		if err != nil {
			o.wrong(t.Name, err)
			continue
		}
		spec.Name = name
		_, _ = fmt.Fprintln(sum, spec.Hash)
		o.tools = append(o.tools, newRemote(s, t.Name, spec, mentionsContext(t.InputSchema)))
	}
	if s.onDemand(len(o.tools), reg) {
		for _, t := range o.tools {
			spec := t.Spec()
			spec.Categories, spec.Groups = []string{"SERVERS"}, append(slices.Clone(spec.Groups), s.c.Name)
		}
	}
	for name := range reg.Tools {
		if !has[name] {
			o.warn(name, fault.New(fault.Invalid, "read registry",
				"it describes the tool %q, which the server does not have", name))
		}
	}
	names.tell(&o)
	slices.SortFunc(o.problems, func(a, b tool.Problem) int { return strings.Compare(a.Name, b.Name) })
	for _, p := range o.problems {
		_, _ = fmt.Fprintln(sum, p.Error())
	}
	o.fingerprint = hex.EncodeToString(sum.Sum(nil))
	return o
}

// maxListed limits the tools of a server that are listed to models that have not asked for them: more would hide those
// that most flows need.
const maxListed = 5

// onDemand reports whether models see the tools of a server only when they ask for their category, or when a caller
// names the server as a toolset. Where its entry says nothing, a registry decides: its groups are off or on.
func (s *declaration) onDemand(tools int, reg registry) bool {
	switch s.c.Listed {
	case source.Always:
		return false
	case source.OnDemand:
		return true
	}
	return s.c.Script == nil && reg.Tools == nil && tools > maxListed
}

// wrong notes the reason why a tool, or more than one, is left out.
func (o *offer) wrong(name string, err error) {
	o.problems = append(o.problems, tool.Problem{Name: name, Err: err})
}

// spec makes the Spec of a listed tool.
func (s *declaration) spec(t *mcp.Tool, reg registry, version string, o *offer) (*tool.Spec, error) {
	if s.c.Script != nil {
		return s.scripted(t)
	}
	within := newBound(&o.left)
	input, err := schemaOf(t.InputSchema, within)
	if err != nil || input == nil {
		return nil, fault.New(fault.Invalid, "read input schema of "+t.Name, "the tool of the %s cannot be used: %v",
			s.Origin(), err)
	}
	output, err := schemaOf(t.OutputSchema, within)
	if _, large := errors.AsType[*tooLarge](err); large {
		return nil, fault.New(fault.Invalid, "read output schema of "+t.Name, "the tool of the %s cannot be used: %v",
			s.Origin(), err)
	}
	if err != nil {
		o.warn(t.Name, fault.New(fault.Invalid, "read output schema of "+t.Name, "results are not checked by it: %v", err))
	}
	entry := s.entryOf(t, reg, o)
	spec := &tool.Spec{
		Name: t.Name, Title: title(t), Description: clip(t.Description, maxText), Kind: kindOf(t, entry),
		Input: tool.Fixed(input), Output: tool.Fixed(output),
		Platforms: entry.platforms(), Drivers: entry.Drivers, Groups: entry.Groups,
		Version: version, Origin: s.Origin(), Timeout: s.timeout(entry),
		Facts: tool.Facts{
			Categories: []string{"CUSTOM"}, Off: len(entry.Groups) > 0 && !slices.ContainsFunc(entry.Groups, reg.on),
			Effects: &tool.Effects{Server: true, Process: s.c.Transport != source.HTTP, CallsTools: true,
				External: entry.Effect == external},
			Secrets: entry.SecretArguments,
		},
	}
	if lost := spec.LostSecrets(); len(lost) > 0 {
		o.warn(t.Name, fault.New(fault.Invalid, "list tools", "the tool %q has no argument %s, in which it says that "+
			"secrets are", t.Name, strings.Join(lost, ", ")))
	}
	spec.Secrets = slices.Concat(s.c.Secrets, entry.SecretArguments)
	entry.Apply(spec)
	if a := t.Annotations; a != nil {
		spec.Idempotent = a.IdempotentHint || a.ReadOnlyHint
		spec.Destructive = a.DestructiveHint != nil && *a.DestructiveHint
	}
	spec.Hash = hashOf(t, entry)
	return spec, nil
}

// scripted makes the Spec of a tool of a script, which says more than a listing can.
func (s *declaration) scripted(t *mcp.Tool) (*tool.Spec, error) {
	said, err := json.Marshal(t.Meta[source.DeclarationKey])
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "list tools")
	}
	return s.c.Script.Tool(said)
}

func title(t *mcp.Tool) string {
	if t.Title == "" && t.Annotations != nil {
		return clip(t.Annotations.Title, 200)
	}
	return clip(t.Title, 200)
}

// kindOf takes a tool for an action unless its author says otherwise: an action has to show what it did.
func kindOf(t *mcp.Tool, e entry) tool.Kind {
	switch k := tool.Kind(e.Kind); {
	case k == tool.Query, k == tool.Assertion, k == tool.Action:
		return k
	case t.Annotations != nil && t.Annotations.ReadOnlyHint:
		return tool.Query
	}
	return tool.Action
}

// timeout returns the time limit of a call: the tool's, else that of the configuration.
func (s *declaration) timeout(e entry) time.Duration {
	switch {
	case e.TimeoutMS > 0:
		return time.Duration(e.TimeoutMS) * time.Millisecond
	case s.c.Timeout > 0:
		return s.c.Timeout
	}
	return callTime
}

// hashOf is the hash of all that a server says of a tool.
func hashOf(t *mcp.Tool, e entry) string {
	raw, err := json.Marshal([]any{t, e})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// platforms are the platforms of an entry in the spelling of this house.
func (e entry) platforms() []driver.Platform {
	var out []driver.Platform
	for _, p := range e.Platforms {
		out = append(out, driver.Platform(strings.ToLower(p)))
	}
	return out
}

func clip(s string, most int) string {
	if s = strings.ToValidUTF8(s, "�"); len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
