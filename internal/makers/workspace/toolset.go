package workspace

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// Declared holds the declarations of a workspace beside its tools: its apps, and the toolsets.
type Declared struct {
	Targets  []source.Target
	Toolsets []Toolset
	On       []string // ids of toolsets that are listed whatever the target is
	Tools    []string // names of tools that are listed whatever the target is
	folders  []string // of tools, that the settings name
	refs     []reference
}

// Toolset is a named list of tools, in upstream's form.
type Toolset struct {
	ID          string            `yaml:"id" json:"id"`
	Description string            `yaml:"description" json:"description,omitempty"`
	Platforms   []driver.Platform `yaml:"platforms" json:"platforms,omitempty"` // none: all
	Drivers     []string          `yaml:"drivers" json:"drivers,omitempty"`
	Always      bool              `yaml:"always_enabled" json:"alwaysEnabled,omitempty"`
	Tools       []string          `yaml:"tools" json:"tools"`
	Place       string            `yaml:"-" json:"place"`
}

// reference is a place that names a toolset or a tool.
type reference struct {
	name, place string
	tool        bool
	warns       bool // the rest of what is declared there holds without it
}

// toolsets reads the toolsets of the trailmaps and of the settings, and the ones that the settings list.
func (r *targetReader) toolsets(p config.Project) (d Declared) {
	for _, id := range r.ids {
		m := r.manifests[id]
		for _, name := range m.Toolsets {
			r.toolsetFile(&d, path.Join(m.dir, filepath.ToSlash(name)), m.at(name))
		}
		r.referTo(&d, m)
	}
	for _, e := range p.Toolsets {
		r.toolsetEntry(&d, e)
	}
	for _, e := range p.Tools {
		r.toolEntry(&d, e)
	}
	for _, s := range d.Toolsets {
		if s.Always && !slices.Contains(d.On, s.ID) {
			d.On = append(d.On, s.ID)
		}
	}
	return d
}

// referTo keeps which toolsets a manifest names, to be looked for when the tools are known.
func (r *targetReader) referTo(d *Declared, m manifest) {
	if m.Target == nil {
		return
	}
	named := slices.Clone(m.Target.Tools)
	for _, p := range m.Target.Platforms {
		for _, id := range p.Toolsets {
			d.refs = append(d.refs, reference{name: id, place: m.at(id)})
		}
		named = slices.Concat(named, p.Tools, p.Excluded)
	}
	slices.Sort(named)
	for _, name := range slices.Compact(named) {
		d.refs = append(d.refs, reference{name: name, place: m.at(name), tool: true, warns: true})
	}
}

// at is the line of a manifest that first has a word as an item or in a list.
func (m manifest) at(word string) string {
	place := m.dir + "/" + manifestName
	for i, line := range strings.Split(m.text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t-[]{},:\"'\r", c) })
		if slices.Contains(words, word) || strings.Contains(word, "/") && strings.Contains(line, word) {
			return fmt.Sprintf("%s:%d", place, i+1)
		}
	}
	return place
}

func isFileName(s string) bool { return strings.ContainsAny(s, `/\`) || strings.HasSuffix(s, ".yaml") }

// toolsetEntry reads an item of toolsets in the settings: the id of a toolset, a file of one, or one in place.
func (r *targetReader) toolsetEntry(d *Declared, e config.Entry) {
	switch v := e.Value.(type) {
	case string:
		if !isFileName(v) {
			d.On, d.refs = append(d.On, v), append(d.refs, reference{name: v, place: e.Place})
			return
		}
		if name, ok := r.below(e, v, "toolsets"); ok {
			if s := r.toolsetFile(d, name, e.Place); s != nil {
				d.On = append(d.On, s.ID)
			}
		}
	case map[string]any:
		data, err := json.Marshal(v) // JSON is YAML
		var s Toolset
		if err == nil {
			err = yaml.Unmarshal(data, &s)
		}
		if s.Place = e.Place; r.addToolset(d, s, err) {
			d.On = append(d.On, s.ID)
		}
	default:
		r.wrong(e.Place, "toolsets: an item is the id of a toolset, a file of one, or a mapping with id and tools")
	}
}

// toolEntry reads an item of tools in the settings: the name of a tool that is listed, or a folder of tools.
func (r *targetReader) toolEntry(d *Declared, e config.Entry) {
	v, ok := e.Value.(string)
	switch {
	case !ok:
		r.wrong(e.Place, "tools: an item is the name of a tool, or a folder of tools such as ./more-tools")
	case !isFileName(v):
		d.Tools, d.refs = append(d.Tools, v), append(d.refs, reference{name: v, place: e.Place, tool: true})
	default:
		if name, ok := r.below(e, v, "tools"); ok {
			if info, err := r.root.Stat(filepath.FromSlash(name)); err != nil || !info.IsDir() {
				r.wrong(e.Place, "tools: %s is no folder in the workspace", name)
				return
			}
			d.folders = append(d.folders, name)
		}
	}
}

// below is a file that an entry names, relative to the workspace.
func (r *targetReader) below(e config.Entry, name, key string) (string, bool) {
	full := filepath.FromSlash(name)
	if !filepath.IsAbs(full) {
		full = filepath.Join(e.Dir, full)
	}
	if filepath.IsAbs(full) {
		rel, err := filepath.Rel(r.root.Name(), full)
		if err != nil {
			rel = full
		}
		full = rel
	}
	if !filepath.IsLocal(full) {
		r.wrong(e.Place, "%s: %s is not below the workspace", key, name)
		return "", false
	}
	return filepath.ToSlash(full), true
}

func (r *targetReader) toolsetFile(d *Declared, name, place string) *Toolset {
	data, err := file.ReadIn(r.root, filepath.FromSlash(name), yaml.MaxSize)
	if err != nil {
		r.wrong(place, "toolset: %v", err)
		return nil
	}
	s := Toolset{Place: name}
	err = yaml.Unmarshal(data, &s)
	if !r.addToolset(d, s, err) {
		return nil
	}
	return &s
}

// addToolset keeps a toolset, unless something is wrong with it.
func (r *targetReader) addToolset(d *Declared, s Toolset, err error) bool {
	i := slices.IndexFunc(d.Toolsets, func(o Toolset) bool { return o.ID == s.ID })
	switch {
	case err != nil:
		r.wrong(s.Place, "toolset: %v", err)
	case s.ID == "":
		r.wrong(s.Place, "toolset: id is missing")
	case i >= 0:
		r.wrong(s.Place, "toolset: the id %q is taken by %s", s.ID, d.Toolsets[i].Place)
	default:
		d.Toolsets = append(d.Toolsets, s)
		return true
	}
	return false
}

// Listed are the tools and the toolsets that are listed whatever the target is. also are ids of more toolsets.
func (s *targets) Listed(also []string) (tools, sets []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sets = slices.Concat(s.declared.On, also)
	return slices.Concat(s.declared.Tools, s.declared.toolsOf(sets, "")), sets
}

// Toolsets are the ids of the toolsets that the workspace declares.
func (s *targets) Toolsets() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.declared.Toolsets {
		out = append(out, t.ID)
	}
	return out
}

// ToolsOf are the tools of toolsets that the workspace declares, as far as they are for a platform.
func (s *targets) ToolsOf(ids []string, on driver.Platform) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.declared.toolsOf(ids, on)
}

func (d Declared) toolsOf(ids []string, on driver.Platform) (out []string) {
	for _, s := range d.Toolsets {
		if slices.Contains(ids, s.ID) && (on == "" || len(s.Platforms) == 0 || slices.Contains(s.Platforms, on)) {
			out = append(out, s.Tools...)
		}
	}
	return out
}

// unknownLocked reports targets, toolsets and tools that are named somewhere and do not exist. Parts that are left
// out, such as an untrusted server, may have them. mu is held.
func (s *Sources) unknownLocked() (out []tool.Problem) {
	if slices.ContainsFunc(s.problems, func(p tool.Problem) bool { return p.AllTools }) ||
		slices.ContainsFunc(s.all, func(l *loader) bool { return l.done == 0 }) {
		return nil
	}
	sets, tools := slices.Clone(s.o.Toolsets), s.registry.Names()
	for _, t := range s.declared.Toolsets {
		sets = append(sets, t.ID)
	}
	for _, t := range s.registry.All() {
		sets = append(sets, t.Spec().Groups...)
	}
	for _, ref := range s.declared.refs {
		what, known := "toolset", sets
		if ref.tool {
			what, known = "tool", tools
		}
		if slices.Contains(known, ref.name) || ref.warns && s.ofDaemon(ref.name) {
			continue
		}
		err := fault.New(fault.Invalid, "read configuration", "%s: there is no %s %q", ref.place, what, ref.name)
		if near := argument.Near(ref.name, known, 1); len(near) > 0 {
			err = err.WithHint("Did you mean %s?", near[0])
		}
		out = append(out, tool.Problem{Err: err, Warning: ref.warns})
	}
	if p, wrong := s.strangerLocked(); wrong {
		out = append(out, p)
	}
	if p, wrong := s.elsewhereLocked(); wrong {
		out = append(out, p)
	}
	return out
}

func (s *Sources) ofDaemon(name string) bool {
	if s.o.Daemon == nil {
		return false
	}
	_, ok := s.o.Daemon(name)
	return ok
}

// elsewhereLocked reports a target whose address is overridden by a file of settings. An address given for one run was
// meant. mu is held.
func (s *targets) elsewhereLocked() (p tool.Problem, wrong bool) {
	for _, t := range s.declared.Targets {
		own := t.Platforms[driver.WebPlatform].BaseURL
		if t.ID != s.app.Value || own == "" || s.base.Value == "" || s.base.Source == "flag" ||
			strings.HasPrefix(s.base.Source, "$") || driver.Origin(own) == driver.Origin(s.base.Value) {
			continue
		}
		return tool.Problem{Warning: true, Err: fault.New(fault.Conflict, "read configuration",
			"%s: base-url %s is used in place of base_url %s of the target %s", s.base.Source, s.base.Value, own, t.ID).
			WithHint("Take one of them away, or say where the app is for one run: --base-url.")}, true
	}
	return p, false
}

// strangerLocked reports a target of the settings that nothing here is for. mu is held.
func (s *Sources) strangerLocked() (p tool.Problem, wrong bool) {
	id := s.app.Value
	if id == "" {
		return p, false
	}
	var ids, names []string
	for _, t := range s.declared.Targets {
		ids = append(ids, t.ID)
		for _, on := range t.Platforms {
			names = append(append(names, on.AppIDs...), on.BaseURL)
		}
	}
	if slices.ContainsFunc(append(names, ids...), func(n string) bool { return strings.EqualFold(n, id) }) ||
		slices.ContainsFunc(s.registry.All(), func(t tool.Tool) bool {
			return t.Spec().Origin != "" && t.Spec().BelongsTo(id)
		}) {
		return p, false
	}
	err := fault.New(fault.Invalid, "read configuration", "%s: there is no target %q", s.app.Source, id)
	if near := argument.Near(id, ids, 1); len(near) > 0 {
		err = err.WithHint("Did you mean %s?", near[0])
	} else {
		err = err.WithHint("Declare it in %s/%s/%s, or give it tools whose names begin with %s_.", trailmapDir, id,
			manifestName, id)
	}
	return tool.Problem{Err: err, Warning: true}, true
}

// Declare reads the declarations of a workspace: its toolsets, and those targets that the settings name, or all
// targets. A mistake in one leaves it out and is reported. Without a workspace there are none.
func Declare(root string, p config.Project) (Declared, []tool.Problem) {
	if root == "" {
		return Declared{}, nil
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return Declared{}, []tool.Problem{{Err: fault.Wrap(err, fault.Unavailable, "read targets")}}
	}
	defer func() { _ = dir.Close() }()
	r := targetReader{root: dir, manifests: map[string]manifest{}}
	r.readAll()
	out := r.toolsets(p)
	for _, id := range r.ids {
		m := r.manifests[id]
		if m.Target != nil && (len(p.Targets) == 0 || slices.Contains(p.Targets, id)) {
			out.Targets = append(out.Targets, r.target(m))
		}
	}
	for _, id := range p.Targets {
		if m, ok := r.manifests[id]; !ok || m.Target == nil {
			r.wrong(trailmapDir, "the settings name a target %q, and %s/%s/%s declares none",
				id, trailmapDir, id, manifestName)
		}
	}
	return out, r.problems
}
