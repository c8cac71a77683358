package setup

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// explainDoc is the output of config explain with --json.
type explainDoc struct {
	Schema    string                    `json:"schema"`
	Workspace string                    `json:"workspace,omitempty"`
	Files     []string                  `json:"files"` // that were read, the weakest first
	Settings  []config.Setting          `json:"settings"`
	Servers   []config.Server           `json:"servers,omitempty"`
	Targets   []targetDoc               `json:"targets,omitempty"`
	Toolsets  []config.Entry            `json:"toolsets,omitempty"`
	Declared  []workspace.Toolset       `json:"declaredToolsets,omitempty"`
	Tools     []config.Entry            `json:"tools,omitempty"`
	LLM       map[string]any            `json:"llm,omitempty"`
	Owners    map[config.Owner][]string `json:"owners"` // of all settings: what a project may say of each
	Warnings  []string                  `json:"warnings,omitempty"`
}

type targetDoc struct {
	ID    string `json:"id"`
	Name  string `json:"name,omitempty"`
	Place string `json:"place"`

	Prompt    string                              `json:"systemPrompt,omitempty"`
	Platforms map[driver.Platform]source.Platform `json:"platforms,omitempty"`
}

// about returns the name of a target, and its address on each platform.
func (t targetDoc) about() string {
	parts := []string{t.Name}
	for _, name := range slices.Sorted(maps.Keys(t.Platforms)) {
		p := t.Platforms[name]
		if where := strings.Join(append(slices.Clone(p.AppIDs), p.BaseURL), " "); strings.TrimSpace(where) != "" {
			parts = append(parts, string(name)+": "+strings.TrimSpace(where))
		}
	}
	return strings.Join(parts, "; ")
}

// explain prints each value that was set, and the declarations of the project.
func (c *configCmd) explain(ctx context.Context, _ []string) error {
	p := c.cfg.Project
	doc := explainDoc{
		Schema: "trailblaze.explain/1", Workspace: c.cfg.Workspace, Files: append([]string{}, c.cfg.Files...),
		Settings: []config.Setting{}, Servers: p.Servers, Toolsets: p.Toolsets, Tools: p.Tools,
		LLM: p.LLM, Owners: map[config.Owner][]string{}, Warnings: c.cfg.Warnings,
	}
	for _, s := range c.cfg.Settings() {
		if s.Source != "default" {
			doc.Settings = append(doc.Settings, s)
		}
	}
	for _, k := range config.Keys() {
		doc.Owners[k.Owner] = append(doc.Owners[k.Owner], k.Name)
	}
	declared, problems := workspace.Declare(c.cfg.Workspace, p)
	for _, t := range declared.Targets {
		doc.Targets = append(doc.Targets, targetDoc{t.ID, t.Name, t.Place, t.Prompt, t.Platforms})
	}
	doc.Declared = declared.Toolsets
	for _, problem := range append(problems, c.unknown(ctx, problems)...) {
		doc.Warnings = append(doc.Warnings, problem.Error())
		c.Warn("%v", problem)
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	c.table("project", [][3]string{{"folder", cmp.Or(doc.Workspace, "none here or above")}})
	var rows [][3]string
	for _, f := range doc.Files {
		rows = append(rows, [3]string{f})
	}
	c.table("files, a later one wins", rows)
	rows = nil
	for _, s := range doc.Settings {
		rows = append(rows, [3]string{s.Key, s.Value, s.Source})
		if n := s.Narrowed; n != nil {
			rows = append(rows, [3]string{s.Key, n.Value, n.Source})
		}
	}
	c.table("settings", rows)
	rows = nil
	for _, owner := range slices.Sorted(maps.Keys(doc.Owners)) {
		rows = append(rows, [3]string{string(owner), strings.Join(doc.Owners[owner], ", ")})
	}
	c.table("owners: what a project's file may say", rows)
	c.declared(doc)
	return nil
}

// unknown returns the toolsets and tools that the settings name and that do not exist. Where the project has servers
// they may be theirs; no server is started to find out, and check reports them.
func (c *configCmd) unknown(ctx context.Context, told []tool.Problem) (out []tool.Problem) {
	if c.cfg.Workspace == "" || len(c.cfg.Project.Servers) > 0 {
		return nil
	}
	_, all, err := (&app.Workspaces{Env: c.Getenv}).Tools(ctx, c.cfg.Workspace)
	if err != nil {
		return []tool.Problem{{Err: err}}
	}
	for _, p := range all {
		same := func(o tool.Problem) bool { return o.Error() == p.Error() }
		if p.Name == "" && !slices.ContainsFunc(told, same) {
			out = append(out, p)
		}
	}
	return out
}

// declared shows what the project declares.
func (c *configCmd) declared(doc explainDoc) {
	var rows [][3]string
	for _, s := range doc.Servers {
		does := s.URL
		if s.Transport == "stdio" {
			does = strings.Join(append([]string{s.Command}, s.Args...), " ")
		}
		rows = append(rows, [3]string{s.Name, s.Transport + ": " + does, s.Place})
	}
	c.table("servers", rows)
	rows = nil
	for _, t := range doc.Targets {
		rows = append(rows, [3]string{t.ID, t.about(), t.Place})
	}
	c.table("targets", rows)
	for _, list := range []struct {
		name string
		of   []config.Entry
	}{{"toolsets", doc.Toolsets}, {"tools", doc.Tools}} {
		rows = nil
		for _, e := range list.of {
			rows = append(rows, [3]string{entryName(e), "", e.Place})
		}
		c.table(list.name, rows)
	}
	rows = nil
	for _, k := range slices.Sorted(maps.Keys(doc.LLM)) {
		value, err := json.Marshal(doc.LLM[k])
		if err != nil { // YAML has numbers that JSON has not
			value = fmt.Append(nil, doc.LLM[k])
		}
		rows = append(rows, [3]string{k, string(value)})
	}
	c.table("llm", rows)
}

// entryName returns a file as it is named, or the id of an inline declaration.
func entryName(e config.Entry) string {
	if m, ok := e.Value.(map[string]any); ok {
		return fmt.Sprint(m["id"])
	}
	return filepath.ToSlash(fmt.Sprint(e.Value))
}

// table prints rows of a name, a value and the place that says so.
func (c *configCmd) table(title string, rows [][3]string) {
	if len(rows) == 0 {
		return
	}
	st := c.Style()
	width := [2]int{}
	for _, r := range rows {
		width[0], width[1] = max(width[0], len(r[0])), max(width[1], min(60, len(r[1])))
	}
	c.Printf("%s\n", st.Bold(title))
	for _, r := range rows {
		line := "  " + r[0]
		if r[1] != "" || r[2] != "" {
			line += strings.Repeat(" ", width[0]-len(r[0])) + "  " + r[1]
		}
		if r[2] != "" {
			line += strings.Repeat(" ", max(0, width[1]-len(r[1]))) + "  " + st.Dim(r[2])
		}
		c.Printf("%s\n", strings.TrimRight(line, " "))
	}
}
