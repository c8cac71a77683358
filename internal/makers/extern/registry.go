package extern

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// registryURI is the resource in which a server says more of its tools than tools/list can.
const registryURI = "trailblaze://registry"

// registry holds the facts of a server about its tools by name.
type registry struct {
	Tools  map[string]entry `json:"tools"`
	Groups map[string]group `json:"groups"`
}

// external is the effect of a tool that acts on something of its own, which cannot be seen from here.
const external = "external"

type group struct {
	Description    string `json:"description"`
	DefaultEnabled *bool  `json:"defaultEnabled"` // default true
}

// entry holds the facts of a server about one tool. A missing fact takes its default.
type entry struct {
	tool.Flags
	Platforms       []string `json:"platforms,omitempty"`
	Drivers         []string `json:"drivers,omitempty"`
	Groups          []string `json:"groups,omitempty"`
	Kind            string   `json:"kind,omitempty"`            // action, query or assertion
	TimeoutMS       int64    `json:"timeoutMs,omitempty"`       // of a call
	SecretArguments []string `json:"secretArguments,omitempty"` // that may hold secrets
	Effect          string   `json:"effect,omitempty"`          // external, or nothing
}

// registry reads the registry of a server.
func (s *declaration) registry(text string, o *offer) registry {
	if text == "" {
		return registry{}
	}
	var out registry
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		o.warn(s.c.Name, fault.New(fault.Invalid, "read registry", "%s of the %s is not as it should be: %v", registryURI,
			s.Origin(), err))
		return registry{}
	}
	var said struct{ Tools map[string]map[string]any }
	_ = json.Unmarshal([]byte(text), &said) // it was read above
	for name, keys := range said.Tools {
		for key := range keys {
			if known := entryKeys(); !slices.Contains(known, key) {
				o.warn(name, fault.New(fault.Invalid, "read registry", "it says %s of the tool %q, which there is not", key, name).
					WithHint("There are %s.", strings.Join(known, ", ")))
			}
		}
	}
	return out
}

// entryKeys are the keys of a tool in a registry.
func entryKeys() (keys []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[entry]()) {
		if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// entryOf returns the entry of a tool: that in the registry, else the keys in the _meta of the tool itself.
func (s *declaration) entryOf(t *mcp.Tool, reg registry, o *offer) entry {
	own := metaOf(t)
	for key := range t.Meta {
		if name, ours := strings.CutPrefix(key, metaPrefix); ours && !slices.Contains(metaKeys, name) {
			o.warn(t.Name, fault.New(fault.Invalid, "list tools",
				"the tool %q has the key %s in its _meta, which there is not", t.Name, key).
				WithHint("These begin with %s: %s. Begin keys of your own with another name.", metaPrefix,
					strings.Join(metaKeys, ", ")))
		}
	}
	e, ok := reg.Tools[t.Name]
	switch {
	case !ok && reg.Tools != nil && reflect.DeepEqual(own, entry{}):
		o.warn(t.Name, fault.New(fault.Invalid, "read registry", "it has no entry for the tool %q, so the defaults hold",
			t.Name))
	case ok:
		e = s.merge(t.Name, e, own, o)
	default:
		e = own
	}
	if e.Effect != "" && e.Effect != external {
		o.warn(t.Name, fault.New(fault.Invalid, "read registry", "the tool %q has the effect %q, which there is not",
			t.Name, e.Effect).
			WithHint("There is %s, for a tool that acts on something of its own. Other effects are seen, not declared.",
				external))
	}
	e.Platforms = slices.DeleteFunc(e.Platforms, func(p string) bool {
		known := slices.Contains([]string{"web", "android", "ios", "desktop", "compose"}, strings.ToLower(p))
		if !known {
			o.warn(t.Name, fault.New(fault.Invalid, "read registry", "the tool %q names the platform %q, which there is not",
				t.Name, p).
				WithHint("A platform is web, android, ios or desktop."))
		}
		return !known
	})
	return e
}

// on reports whether the tools of a group are listed by default.
func (r registry) on(name string) bool {
	g, ok := r.Groups[name]
	return !ok || g.DefaultEnabled == nil || *g.DefaultEnabled
}

// merge returns an entry of the registry with the facts that only the tool itself states. Where they disagree the
// registry wins.
func (s *declaration) merge(name string, e, own entry, o *offer) entry {
	to, from := reflect.ValueOf(&e).Elem(), reflect.ValueOf(own)
	for _, f := range reflect.VisibleFields(to.Type()) {
		if f.Anonymous {
			continue
		}
		a, b := to.FieldByIndex(f.Index), from.FieldByIndex(f.Index)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case b.IsZero():
		case a.IsZero():
			a.Set(b)
		case !reflect.DeepEqual(a.Interface(), b.Interface()):
			o.warn(name, fault.New(fault.Invalid, "read registry",
				"the registry and the _meta of the tool %q disagree about %s: %s holds, not %s", name, key, show(a), show(b)))
		}
	}
	return e
}

func show(v reflect.Value) string {
	raw, err := json.Marshal(v.Interface())
	if err != nil {
		return fmt.Sprint(v.Interface())
	}
	return string(raw)
}

// metaPrefix begins the keys of _meta that are ours alone, and metaKeys are those of a tool. The last two are of
// upstream and change nothing here.
const metaPrefix = "trailblaze/"

var metaKeys = []string{"effect", "isDelegating", "isRecordable", "kind", "secretArguments", "supportedDrivers",
	"supportedPlatforms", "surfaceToLlm", "timeoutMs", "toolset", "requiresContext", "requiresHost"}

// metaOf reads the keys trailblaze/… in the _meta of a tool. A value of the wrong type counts as absent.
func metaOf(t *mcp.Tool) entry {
	var e entry
	e.ExposedToLLM, _ = metaKey[*bool](t, "surfaceToLlm")
	e.Recordable, _ = metaKey[*bool](t, "isRecordable")
	e.Delegating, _ = metaKey[*bool](t, "isDelegating")
	e.Platforms, _ = metaKey[[]string](t, "supportedPlatforms")
	e.Drivers, _ = metaKey[[]string](t, "supportedDrivers")
	e.Kind, _ = metaKey[string](t, "kind")
	e.Effect, _ = metaKey[string](t, "effect")
	e.TimeoutMS, _ = metaKey[int64](t, "timeoutMs")
	e.SecretArguments, _ = metaKey[[]string](t, "secretArguments")
	if group, ok := metaKey[string](t, "toolset"); ok && group != "" {
		e.Groups = []string{group}
	}
	return e
}

func metaKey[T any](t *mcp.Tool, key string) (T, bool) {
	var out T
	v, ok := t.Meta[metaPrefix+key]
	if !ok {
		return out, false
	}
	raw, err := json.Marshal(v)
	if err != nil || json.Unmarshal(raw, &out) != nil {
		var none T
		return none, false
	}
	return out, true
}

// warn notes an oddity of a server or a tool that stays.
func (o *offer) warn(name string, err error) {
	o.problems = append(o.problems, tool.Problem{Name: name, Err: err, Warning: true})
}
