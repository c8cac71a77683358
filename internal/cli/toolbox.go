package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/desk"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type toolboxCmd struct {
	*app
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

func newToolbox(a *app) *cobra.Command {
	c := &toolboxCmd{app: a}
	cmd := &cobra.Command{
		Use: "toolbox [tool]", Short: "List, search and describe the tools that trails and trailblaze tool call", GroupID: "drive",
		Example: `  trailblaze toolbox
  trailblaze toolbox --search dialog
  trailblaze toolbox web_click           # its arguments
  trailblaze toolbox --group web_core --json
  trailblaze toolbox --group desk        # those that manage devices, sessions and settings`,
		Args: atMost(1, "at most one tool"),
		RunE: work(c.Run),
	}
	f := cmd.Flags()
	f.StringVar(&c.search, "search", "", "only tools whose name or text has these `words`")
	f.StringVar(&c.platform, "platform", "", "only tools of a `platform`: web, android, ios")
	f.StringVar(&c.group, "group", "", "only tools of a `group`, such as web_core")
	return cmd
}

// Run lists the tools, or describes one.
func (c *toolboxCmd) Run(_ context.Context, args []string) error {
	reg, err := wholeRegistry()
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
		managing := slices.Contains(s.Groups, desk.Group)
		if c.group != "" && !slices.Contains(s.Groups, c.group) || !matches(s, c.search) || managing && (whole || !s.ExposedToLLM) {
			continue
		}
		found = append(found, s)
	}
	if len(found) == 0 {
		return fault.New(fault.NotFound, "search tools", "no tool matches").WithHint("trailblaze toolbox lists all %d.", len(reg.All()))
	}
	return c.list(found)
}

// wholeRegistry lists all tools there are, those that manage a daemon's devices and sessions too. They cannot be run here.
func wholeRegistry() (*tool.Registry, error) {
	reg, err := newRegistry("")
	if err != nil {
		return nil, err
	}
	return reg.With(desk.Tools(nil, desk.Options{})...)
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
	if c.json {
		doc := toolboxDoc{Schema: "trailblaze.toolbox/1"}
		for _, s := range specs {
			doc.Tools = append(doc.Tools, docOf(s, false))
		}
		return c.printJSON(doc)
	}
	st := c.style()
	width := 0
	for _, s := range specs {
		width = max(width, len(s.Name))
	}
	for _, s := range specs {
		c.printf("%s%s  %s\n", st.bold(s.Name), strings.Repeat(" ", width-len(s.Name)), clip(summary(s), 100))
	}
	return nil
}

func (c *toolboxCmd) describe(reg *tool.Registry, name string) error {
	t, ok := reg.Get(name)
	if !ok {
		err := fault.New(fault.NotFound, "describe tool", "there is no tool %q", name)
		if near := reg.Near(name); len(near) > 0 {
			return err.WithHint("Did you mean %s?", strings.Join(near, " or "))
		}
		return err.WithHint("trailblaze toolbox lists all.")
	}
	s := t.Spec()
	if c.json {
		return c.printJSON(toolboxDoc{Schema: "trailblaze.toolbox/1", Tools: []toolDoc{docOf(s, true)}})
	}
	st := c.style()
	c.printf("%s  %s\n", st.bold(s.Name), st.dim(string(s.Kind)))
	if len(s.Platforms) > 0 || len(s.Groups) > 0 {
		var on []string
		for _, p := range s.Platforms {
			on = append(on, string(p))
		}
		c.printf("%s\n", st.dim("on "+cmp.Or(strings.Join(on, ", "), "every platform")+"; groups "+cmp.Or(strings.Join(s.Groups, ", "), "none")))
	}
	c.printf("\n%s\n", strings.TrimSpace(s.Description))
	if s.Input != nil && len(s.Input.Properties) > 0 {
		c.printf("\nArguments:\n")
		for _, name := range keys(s.Input.Properties) {
			p := s.Input.Properties[name]
			c.printf("  %s %s%s\n", st.bold(name), st.dim(typeOf(p)+mark(slices.Contains(s.Input.Required, name), ", required")), indentedText(p.Description))
		}
	}
	return nil
}

func mark(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

func indentedText(s string) string {
	if s == "" {
		return ""
	}
	return "  " + s
}

// summary is the first sentence of the description.
func summary(s *tool.Spec) string {
	text := strings.Join(strings.Fields(s.Description), " ")
	if i := strings.Index(text, ". "); i > 0 {
		return text[:i+1]
	}
	return text
}

func docOf(s *tool.Spec, whole bool) toolDoc {
	d := toolDoc{
		Name: s.Name, Title: s.Title, Kind: s.Kind, Summary: summary(s), Platforms: s.Platforms, Groups: s.Groups,
		Recordable: s.Recordable, ExposedLLM: s.ExposedToLLM,
	}
	if whole {
		d.Description = strings.TrimSpace(s.Description)
		d.Input, _ = json.Marshal(s.Input)
		if s.Output != nil {
			d.Output, _ = json.Marshal(s.Output)
		}
	}
	return d
}
