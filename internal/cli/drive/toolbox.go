package drive

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type toolboxCmd struct {
	*shell.Shell
	search, platform, group string
}

type toolboxDoc struct {
	Schema string    `json:"schema"`
	Tools  []toolDoc `json:"tools"`
}

// toolDoc is a tool as --json shows it.
type toolDoc struct {
	Name        string            `json:"name"`
	Title       string            `json:"title,omitempty"`
	Kind        tool.Kind         `json:"kind"`
	Summary     string            `json:"summary"`
	Description string            `json:"description,omitempty"`
	Platforms   []driver.Platform `json:"platforms,omitempty"`
	Groups      []string          `json:"groups,omitempty"`
	Recordable  bool              `json:"recordable"`
	ExposedLLM  bool              `json:"exposedToLlm"`
	Input       json.RawMessage   `json:"input,omitempty"`
	Output      json.RawMessage   `json:"output,omitempty"`
}

// NewToolbox makes the command trailblaze toolbox.
func NewToolbox(a *shell.Shell) *cobra.Command {
	c := &toolboxCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "toolbox [tool]", Short: "List, search and describe the tools of the product and of the project",
		GroupID: "drive",
		Example: `  trailblaze toolbox
  trailblaze toolbox --search dialog
  trailblaze toolbox web_click           # its arguments
  trailblaze toolbox --group web_core --json
  trailblaze toolbox --group management  # those that manage devices, sessions and settings`,
		Args: shell.AtMost(1, "at most one tool"),
		RunE: shell.Work(c.Run),
	}
	f := cmd.Flags()
	f.StringVar(&c.search, "search", "", "only tools whose name or text has these `words`")
	f.StringVar(&c.platform, "platform", "", "only tools of a `platform`: web, android, ios")
	f.StringVar(&c.group, "group", "", "only tools of a `group`, such as web_core")
	return cmd
}

// Run lists the tools, or describes one.
func (c *toolboxCmd) Run(ctx context.Context, args []string) error {
	reg, err := c.tools(ctx)
	if err != nil {
		return err
	}
	if len(args) == 1 {
		return c.describe(reg, args[0])
	}
	whole := c.group == "" && c.search == ""
	f := tool.Filter{Platform: driver.Platform(c.platform)}
	if c.group != "" {
		f.Groups = []string{c.group}
	}
	var found []*tool.Spec
	for _, t := range reg.Filter(f) {
		s := t.Spec()
		managing := slices.Contains(s.Groups, manage.Group)
		if c.group != "" && !slices.Contains(s.Groups, c.group) || !matches(s, c.search) ||
			managing && (whole || !s.ExposedToLLM) {
			continue
		}
		found = append(found, s)
	}
	if len(found) == 0 {
		return fault.New(fault.NotFound, "search tools", "no tool matches").
			WithHint("trailblaze toolbox lists all %d.", len(reg.All()))
	}
	return c.list(found)
}

// tools are those of the product and of the project. Servers of the project are started only where it is trusted.
func (c *toolboxCmd) tools(ctx context.Context) (*tool.Registry, error) {
	reg, err := app.Catalog()
	if err != nil {
		return nil, err
	}
	dir, err := c.WorkingDir()
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	cfg, err := config.Load(config.Sources{Dir: dir, Env: c.Env})
	if err != nil {
		return nil, err
	}
	loaded, err := c.LoadTools(ctx, cfg, app.ToolOptions{Root: config.WorkspaceOf(dir, c.Getenv)})
	if err != nil {
		return nil, err
	}
	defer func() { _ = loaded.Close() }() // the specs stay readable
	own := slices.DeleteFunc(loaded.Registry().All(), func(t tool.Tool) bool {
		_, known := reg.Get(t.Spec().Name)
		return known
	})
	if reg, err = reg.With(own...); err != nil {
		return nil, err
	}
	return reg.Lacking(loaded.Problems()), nil
}

func matches(s *tool.Spec, words string) bool {
	text := strings.ToLower(s.Name + " " + s.Title + " " + s.Description)
	for w := range strings.FieldsSeq(strings.ToLower(words)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (c *toolboxCmd) list(specs []*tool.Spec) error {
	if c.JSON {
		doc := toolboxDoc{Schema: "trailblaze.toolbox/1"}
		for _, s := range specs {
			doc.Tools = append(doc.Tools, docOf(s, false))
		}
		return c.PrintJSON(doc)
	}
	st := c.Style()
	width := 0
	for _, s := range specs {
		width = max(width, len(s.Name))
	}
	for _, s := range specs {
		c.Printf("%s%s  %s\n", st.Bold(s.Name), strings.Repeat(" ", width-len(s.Name)),
			phrase.Clip(phrase.FirstSentence(s.Description), 100))
	}
	return nil
}

func (c *toolboxCmd) describe(reg *tool.Registry, name string) error {
	t, ok := reg.Get(name)
	if !ok {
		return reg.Missing("describe tool", name, "trailblaze toolbox lists all.")
	}
	s := t.Spec()
	if c.JSON {
		return c.PrintJSON(toolboxDoc{Schema: "trailblaze.toolbox/1", Tools: []toolDoc{docOf(s, true)}})
	}
	st := c.Style()
	c.Printf("%s  %s\n", st.Bold(s.Name), st.Dim(string(s.Kind)))
	if len(s.Platforms) > 0 || len(s.Groups) > 0 {
		var on []string
		for _, p := range s.Platforms {
			on = append(on, string(p))
		}
		c.Printf("%s\n", st.Dim("on "+cmp.Or(strings.Join(on, ", "),
			"every platform")+"; groups "+cmp.Or(strings.Join(s.Groups, ", "), "none")))
	}
	c.Printf("\n%s\n", strings.TrimSpace(s.Description))
	if in := s.Input.Get(); in != nil && len(in.Properties) > 0 {
		c.Printf("\nArguments:\n")
		c.arguments(in, "  ", s.Secret)
	}
	return nil
}

// arguments prints the properties of an object, and below each of an object its own.
func (c *toolboxCmd) arguments(in *jsonschema.Schema, indent string, secret func(name string) bool) {
	const deep = 8 // a schema may have no end
	st := c.Style()
	for _, name := range slices.Sorted(maps.Keys(in.Properties)) {
		p := in.Properties[name]
		c.Printf("%s%s %s%s\n", indent, st.Bold(name), st.Dim(typeOf(p)+
			shell.Mark(slices.Contains(in.Required, name), ", required")+shell.Mark(secret(name), ", masked")),
			indentedText(p.Description))
		for _, o := range objectsOf(p) {
			if len(indent) < deep {
				c.arguments(o, indent+"  ", func(string) bool { return false })
			}
		}
	}
}

// objectsOf are the objects with properties of their own that a value may be, or the items of its list.
func objectsOf(s *jsonschema.Schema) (out []*jsonschema.Schema) {
	if s == nil {
		return nil
	}
	if len(s.Properties) > 0 {
		return []*jsonschema.Schema{s}
	}
	for _, form := range slices.Concat(s.AnyOf, s.OneOf, []*jsonschema.Schema{s.Items}) {
		if form != nil {
			out = append(out, objectsOf(form)...)
		}
	}
	return out
}

func indentedText(s string) string {
	if s == "" {
		return ""
	}
	return "  " + s
}

func docOf(s *tool.Spec, whole bool) toolDoc {
	d := toolDoc{
		Name: s.Name, Title: s.Title, Kind: s.Kind, Summary: phrase.FirstSentence(s.Description), Platforms: s.Platforms,
		Groups:     s.Groups,
		Recordable: s.Recordable, ExposedLLM: s.ExposedToLLM,
	}
	if whole {
		d.Description = strings.TrimSpace(s.Description)
		d.Input, _ = json.Marshal(s.Input())
		if s.Output != nil {
			d.Output, _ = json.Marshal(s.Output())
		}
	}
	return d
}

// typeOf describes the values of a schema, in a few words.
func typeOf(s *jsonschema.Schema) string {
	var b strings.Builder
	switch {
	case len(s.Enum) > 0:
		var vals []string
		for _, e := range s.Enum {
			vals = append(vals, fmt.Sprint(e))
		}
		b.WriteString(strings.Join(vals, "|"))
	case s.Type == "array" && s.Items != nil:
		b.WriteString("list of " + typeOf(s.Items))
	case s.Type != "":
		b.WriteString(s.Type)
	case len(s.Types) > 0:
		b.WriteString(strings.Join(s.Types, "|"))
	case len(s.AnyOf)+len(s.OneOf) > 0:
		var forms []string
		for _, form := range slices.Concat(s.AnyOf, s.OneOf) {
			if t := typeOf(form); !slices.Contains(forms, t) {
				forms = append(forms, t)
			}
		}
		b.WriteString(strings.Join(forms, "|"))
	default:
		b.WriteString("any")
	}
	if len(s.Default) > 0 {
		b.WriteString(", default " + string(s.Default))
	}
	return b.String()
}
