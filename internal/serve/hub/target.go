package hub

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// Target returns the app under test of a client, and the project's declaration of it: the one that the client chose,
// else the one that the project names.
func (w *workspaces) Target(c *clients.Client) (id string, app *toolset.Target) {
	known, usual, _ := w.targets(c)
	id = cmp.Or(c.State().Target, usual)
	for _, t := range known {
		if id != "" && t.Is(id) {
			return t.ID, &t
		}
	}
	return id, nil
}

// Listed are the tools and toolsets that a client and its project have listed whatever the target is.
func (w *workspaces) Listed(c *clients.Client) (out toolset.TargetTools) {
	out.Groups = c.State().Toolsets
	ws, leave, err := w.use(w.life, c.State().Workspace)
	if err != nil {
		return out
	}
	defer leave()
	if ws.ws.Listed != nil {
		out = ws.ws.Listed(out.Groups)
	}
	return out
}

// Toolsets are the ids of the toolsets that a client may have listed.
func (w *workspaces) Toolsets(c *clients.Client) []string {
	out := toolset.Sets()
	for _, t := range w.Tools(c).All() {
		out = append(out, t.Spec().Groups...)
	}
	ws, leave, err := w.use(w.life, c.State().Workspace)
	if err != nil {
		return out
	}
	defer leave()
	if ws.ws.Toolsets != nil {
		out = append(out, ws.ws.Toolsets()...)
	}
	return out
}

// KnownTarget finds the id of the target that a client means by an id, a package id or a URL. In a project it is one
// that the project declares, or the namespace of tools that it has. "" is none.
func (w *workspaces) KnownTarget(c *clients.Client, name string) (id string, err error) {
	known, _, asked := w.targets(c)
	if name == "" || !asked {
		return name, nil
	}
	var ids []string
	for _, t := range known {
		if t.Is(name) {
			return t.ID, nil
		}
		ids = append(ids, t.ID)
	}
	for _, t := range w.Tools(c).All() {
		s := t.Spec()
		if s.Origin == "" {
			continue
		}
		if s.BelongsTo(name) {
			return name, nil
		}
		space, _, _ := strings.Cut(s.Name, "_")
		for _, id := range []string{s.Target, space} {
			if id != "" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	e := fault.New(fault.NotFound, "choose target", "this project knows no target %q", name)
	if len(ids) == 0 {
		return "", e.WithHint("Declare it in trails/config/trailmaps/%s/trailmap.yaml.", "<id>")
	}
	return "", e.WithHint("It knows %s.", strings.Join(ids, ", "))
}

// targets asks the client's workspace. asked reports whether it answers such questions.
func (w *workspaces) targets(c *clients.Client) (known []toolset.Target, usual string, asked bool) {
	ws, leave, err := w.use(w.life, c.State().Workspace)
	if err != nil {
		return nil, "", false
	}
	defer leave()
	if ws.ws.Targets == nil {
		return nil, "", false
	}
	known, usual = ws.ws.Targets()
	return known, usual, true
}
