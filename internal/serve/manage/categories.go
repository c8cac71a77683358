package manage

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func (d *toolboxTools) toolboxes() []tool.Tool {
	own := func(name, title string) tool.Spec { return spec(name, title, tool.Action, "session") }
	preset := func(name, title, p string) tool.Tool {
		return tool.Define(own(name, title).With(tool.Facts{
			Categories: []string{"SESSION", "CORE_INTERACTION"}, // every preset has the second: one leads to the next
			Idempotent: true,
		}),
			func(ctx context.Context, _ tool.Env, _ noArgs) (categoriesOut, error) { return d.usePreset(ctx, p) })
	}
	return []tool.Tool{
		tool.Define(spec("toolbox", "Toolbox", tool.Query, "session").With(tool.Facts{
			Purpose: tool.FindTools,
		}), d.toolbox),
		tool.Define(spec("listToolCategories", "List tool categories", tool.Query, "session"), d.listCategories),
		tool.Define(own("enableToolCategories", "Enable tool categories").With(tool.Facts{
			Idempotent: true,
		}), func(ctx context.Context, _ tool.Env, in categoriesIn) (categoriesOut, error) {
			return d.choose(ctx, func([]toolset.Category) []toolset.Category { return in.Categories })
		}),
		tool.Define(own("addToolCategory", "Add tools").With(tool.Facts{
			Default: 3, Purpose: tool.AddTools, Idempotent: true,
		}), func(ctx context.Context, _ tool.Env, in categoryIn) (categoriesOut, error) {
			return d.choose(ctx, func(have []toolset.Category) []toolset.Category { return toolset.With(have, in.Category) })
		}),
		tool.Define(own("removeToolCategory", "Remove tools").With(tool.Facts{
			Idempotent: true,
		}), func(ctx context.Context, _ tool.Env, in categoryIn) (categoriesOut, error) {
			return d.choose(ctx, func(have []toolset.Category) []toolset.Category { return toolset.Without(have, in.Category) })
		}),
		tool.Define(own("focusOnCategory", "Focus on category").With(tool.Facts{
			Idempotent: true,
		}), func(ctx context.Context, _ tool.Env, in categoryIn) (categoriesOut, error) {
			return d.choose(ctx, func([]toolset.Category) []toolset.Category { return []toolset.Category{in.Category} })
		}),
		preset("useMinimalTools", "Use minimal tools", "minimal"),
		preset("useStandardTools", "Use standard tools", "standard"),
		preset("useTestingTools", "Use testing tools", "testing"),
		tool.Define(own("switchToolSet", "Switch tool set").With(tool.Facts{
			Categories: []string{"SESSION", "SAMPLING"}, Idempotent: true,
		}), d.switchToolSet),
	}
}

type categoryIn struct {
	Category toolset.Category `json:"category" jsonschema:"a category of tools"`
}

type categoriesIn struct {
	Categories []toolset.Category `json:"categories" minItems:"1" jsonschema:"the categories to see"`
}

type switchIn struct {
	Categories []toolset.Category `json:"categories,omitempty" jsonschema:"the categories to see"`
	Preset     string             `json:"preset,omitempty" enum:"default,minimal,standard,testing,all" jsonschema:"instead of categories"`
}

func (d *toolboxTools) switchToolSet(ctx context.Context, _ tool.Env, in switchIn) (categoriesOut, error) {
	if in.Preset != "" {
		return d.usePreset(ctx, in.Preset)
	}
	if len(in.Categories) == 0 {
		return categoriesOut{}, missing("switch tools", "categories", `["CORE_INTERACTION"]`)
	}
	return d.choose(ctx, func([]toolset.Category) []toolset.Category { return in.Categories })
}

func (d *toolboxTools) usePreset(ctx context.Context, name string) (categoriesOut, error) {
	want, ok := toolset.Preset(name)
	if !ok {
		return categoriesOut{}, fault.New(fault.NotFound, "switch tools", "there is no preset %q", name)
	}
	return d.choose(ctx, func([]toolset.Category) []toolset.Category { return want })
}

// categoryLine is a category as a client sees it.
type categoryLine struct {
	Category string `json:"category"`
	On       bool   `json:"on,omitempty"`
	Tools    int    `json:"tools"`
	Tokens   int    `json:"tokens,omitempty" jsonschema:"about what listing them costs"`
	About    string `json:"about,omitempty"`
}

type categoriesOut struct {
	Done       string         `json:"done,omitempty"`
	Categories []categoryLine `json:"categories,omitempty"`
	Tools      []string       `json:"tools,omitempty" jsonschema:"that are listed now"`
}

// Text implements tool.Texter.
func (o categoriesOut) Text() string {
	var lines []string
	if o.Done != "" {
		lines = append(lines, o.Done)
	}
	for _, c := range o.Categories {
		mark := "  "
		if c.On {
			mark = "* "
		}
		lines = append(lines,
			fmt.Sprintf("%s%s, %s, about %s: %s", mark, c.Category, phrase.Count(c.Tools, "tool"),
				phrase.Count(c.Tokens, "token"), c.About))
	}
	return strings.Join(lines, "\n")
}

// choose changes the categories of the client. The tools that it sees change with them; the transport announces that.
func (d *toolboxTools) choose(
	ctx context.Context, pick func(have []toolset.Category) []toolset.Category,
) (categoriesOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return categoriesOut{}, err
	}
	before := d.listed(s)
	err = s.Update(func(st *clients.State) error {
		var next []toolset.Category
		for _, c := range pick(slices.Clone(st.Categories)) {
			if c = c.Canonical(); !slices.Contains(next, c) {
				next = append(next, c)
			}
		}
		if len(next) == 0 {
			return fault.New(fault.Invalid, "choose tools", "no category would be left").
				WithHint("Add another one first, or call useMinimalTools.")
		}
		st.Categories = next
		return nil
	})
	if err != nil {
		return categoriesOut{}, err
	}
	after := d.listed(s)
	out := categoriesOut{Tools: after}
	out.Done = fmt.Sprintf("Listed now: %s. %s", strings.Join(names(s.State().Categories), ", "),
		difference(before, after))
	return out, nil
}

func names(cats []toolset.Category) []string {
	var out []string
	for _, c := range cats {
		out = append(out, string(c))
	}
	return out
}

// difference lists the tools that came and went.
func difference(before, after []string) string {
	var parts []string
	for _, p := range []struct {
		label    string
		of, than []string
	}{{"New", after, before}, {"Gone", before, after}} {
		var names []string
		for _, n := range p.of {
			if !slices.Contains(p.than, n) {
				names = append(names, n)
			}
		}
		if len(names) > 0 {
			parts = append(parts, p.label+": "+strings.Join(names, ", ")+".")
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("The %s are the same.", phrase.Count(len(after), "listed tool"))
	}
	return strings.Join(parts, " ")
}

func (d *toolboxTools) listCategories(ctx context.Context, _ tool.Env, _ noArgs) (categoriesOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return categoriesOut{}, err
	}
	return categoriesOut{Categories: d.categoryLines(s)}, nil
}

// categoryLines returns all categories, with the tools that each would list on the client's device, and their cost in
// its context.
func (d *toolboxTools) categoryLines(s *clients.Client) []categoryLine {
	var out []categoryLine
	for _, c := range d.view(s).Summaries(d.hub.Tools(s)) {
		out = append(out, categoryLine{Category: string(c.Category), On: c.On, Tools: len(c.Tools),
			Tokens: (c.Bytes + 3) / 4, About: c.About})
	}
	return out
}

func standsIn(s *tool.Spec, c toolset.Category) bool {
	return c.Canonical() == toolset.All || slices.Contains(toolset.Of(s), c.Canonical())
}

// view returns the facts that decide which tools the client sees.
func (d *toolboxTools) view(s *clients.Client) toolset.View {
	st := s.State()
	v := toolset.View{
		Mode: st.Mode, Categories: st.Categories, Prefix: st.Prefix, HasModel: d.hub.Model(context.Background(), s) != nil,
	}
	v.Target, v.App = d.hub.Target(s)
	v.Also = d.hub.Listed(s)
	for _, dev := range d.hub.Status().Devices {
		if dev.ID == st.Device {
			v.Platform, v.Driver = driver.Platform(dev.Platform), dev.Driver
		}
	}
	return v
}

// visible are the tools that the client sees now.
func (d *toolboxTools) visible(s *clients.Client) []*tool.Spec {
	return d.view(s).Specs(d.hub.Tools(s))
}

// listed are the names of the tools that the client sees now.
func (d *toolboxTools) listed(s *clients.Client) []string {
	var out []string
	for _, sp := range d.visible(s) {
		out = append(out, sp.Name)
	}
	return out
}
