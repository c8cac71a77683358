package setup

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
)

// configCmd are the options of the config commands.
type configCmd struct {
	*shell.Shell
	cfg       *config.Config
	user      bool
	workspace bool
}

// NewConfig makes the command trailblaze config.
func NewConfig(a *shell.Shell) *cobra.Command {
	c := &configCmd{Shell: a}
	list := &cobra.Command{
		Use: "list", Short: "List every setting with who says so",
		Example: "  trailblaze config list\n  trailblaze config list --json",
		Args:    shell.Exactly(0, "no arguments"), RunE: c.with(c.list),
	}
	get := &cobra.Command{
		Use: "get <setting>", Short: "Print one setting", Args: shell.Exactly(1, "one setting"),
		Example: "  trailblaze config get viewport\n  trailblaze config get viewport --json   # with its source",
		RunE:    c.with(c.get), ValidArgsFunction: settingNames,
	}
	set := &cobra.Command{
		Use: "set <setting> <value>", Short: "Write one setting into a file",
		Args: shell.Exactly(2, "a setting and its value"),
		Long: `Write one setting into your own file, or with --workspace into the project's, which the team shares.
The value is checked first; comments and order of the file stay as they are.`,
		Example: "  trailblaze config set viewport 1440x900\n  trailblaze config set retries 1 --workspace",
		RunE:    c.located(c.set), ValidArgsFunction: settingNames,
	}
	unset := &cobra.Command{
		Use: "unset <setting>", Short: "Take one setting out of a file", Args: shell.Exactly(1, "one setting"),
		Example: "  trailblaze config unset viewport\n  trailblaze config unset retries --workspace",
		RunE:    c.located(c.unset), ValidArgsFunction: settingNames,
	}
	explain := &cobra.Command{
		Use: "explain", Short: "Show what holds in this folder and which file says so",
		Long: `Show the files that were read, each value that somebody set with the file or variable that set it, what a
project may say of each, and what this one declares: servers, targets, toolsets, tools, models. Where a project has
both trailblaze.yaml and trails/config/trailblaze.yaml, both hold; what both say is taken from the second.`,
		Example: "  trailblaze config explain\n  trailblaze config explain --json",
		Args:    shell.Exactly(0, "no arguments"), RunE: c.with(c.explain),
	}
	for _, cmd := range []*cobra.Command{set, unset} {
		f := cmd.Flags()
		f.BoolVar(&c.user, "user", false, "change your own file, <home>/trailblaze.yaml (the default)")
		f.BoolVar(&c.workspace, "workspace", false, "change the project's file, trails/config/trailblaze.yaml")
		shell.Exclusive(cmd, [2]string{"user", "workspace"})
	}
	return shell.Parent("config", "Show and change settings", "setup", list, explain, get, set, unset,
		newConfigLLM(a))
}

// settingNames completes the name of a setting, then its value.
func settingNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var out []string
	switch len(args) {
	case 0:
		for _, k := range config.Keys() {
			out = append(out, k.Name+"\t"+k.Help)
		}
	case 1:
		if k, err := config.Lookup(args[0]); err == nil {
			out = k.Choices()
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// with loads the settings.
func (c *configCmd) with(run shell.Runner) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		if c.cfg, err = c.Settings(cmd); err != nil {
			return err
		}
		return run(cmd.Context(), args)
	}
}

// located only finds the files: a wrong one must not prevent its mending.
func (c *configCmd) located(run shell.Runner) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		dir, err := c.WorkingDir()
		if err != nil {
			return err
		}
		if c.cfg, err = config.Locate(config.Sources{Dir: dir, Env: c.Env}); err != nil {
			return err
		}
		return run(cmd.Context(), args)
	}
}

type configDoc struct {
	Schema   string           `json:"schema"`
	Settings []config.Setting `json:"settings"`
	Files    []string         `json:"files"` // that were read
	User     string           `json:"userFile"`
	Project  string           `json:"workspaceFile,omitempty"`
}

func (c *configCmd) list(context.Context, []string) error {
	all := c.cfg.Settings()
	if c.JSON {
		return c.PrintJSON(configDoc{"trailblaze.config/1", all, append([]string{}, c.cfg.Files...), c.cfg.UserFile(),
			c.cfg.WorkspaceFile()})
	}
	name, value := 0, 0
	for _, s := range all {
		name, value = max(name, len(s.Key)), max(value, min(40, len(s.Value)))
	}
	for _, s := range all {
		source := ""
		if s.Source != "default" {
			source = "  " + s.Source
		}
		line := c.Style().Bold(s.Key) + strings.Repeat(" ", name-len(s.Key)) + "  " + s.Value
		if source != "" {
			line += strings.Repeat(" ", max(0, value-len(s.Value))) + c.Style().Dim(source)
		}
		c.Printf("%s\n", line)
	}
	return nil
}

type settingDoc struct {
	Schema string `json:"schema"`
	config.Setting
	File string `json:"file,omitempty"` // that was changed
}

func (c *configCmd) get(_ context.Context, args []string) error {
	s, err := c.cfg.Get(args[0])
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(settingDoc{Schema: "trailblaze.setting/1", Setting: s})
	}
	c.Printf("%s\n", s.Value)
	return nil
}

func (c *configCmd) set(_ context.Context, args []string) error {
	path, err := c.file()
	if err != nil {
		return err
	}
	if c.workspace {
		if err := c.cfg.Owned(args[0], args[1]); err != nil {
			return err
		}
	}
	if args[0] == "llm" {
		var declared map[string]any // settings that cannot be read declare none, and are the next command's to report
		if cfg, err := config.Load(config.Sources{Dir: filepath.Dir(path), Env: c.Env}); err == nil {
			declared = cfg.Project.LLM
		}
		if err := llm.CheckName(args[1], declared); err != nil {
			return err
		}
	}
	if err := c.cfg.Set(path, args[0], args[1]); err != nil {
		return err
	}
	return c.changed(args[0], path, args[1])
}

func (c *configCmd) unset(_ context.Context, args []string) error {
	path, err := c.file()
	if err != nil {
		return err
	}
	was, err := c.cfg.Unset(path, args[0])
	if err != nil {
		return err
	}
	if !was && !c.JSON {
		c.Printf("%s is not set in %s\n", args[0], path)
		return nil
	}
	return c.changed(args[0], path, "")
}

// file is the one to change.
func (c *configCmd) file() (string, error) {
	if !c.workspace {
		return c.cfg.UserFile(), nil
	}
	if p := c.cfg.WorkspaceFile(); p != "" {
		return p, nil
	}
	return "", fault.New(fault.NotFound, "find settings file", "there is no trails/config/trailblaze.yaml here or above").
		WithHint("Make one (it may be empty) in the folder of your project.")
}

// changed prints the value that holds now, which is not always the one written: a stronger source may override it.
func (c *configCmd) changed(key, path, wrote string) error {
	dir, err := c.WorkingDir()
	if err != nil {
		return err
	}
	cfg, err := config.Load(config.Sources{Dir: dir, Env: c.Env})
	if err != nil {
		c.Warn("%s is written, but: %s", path, err)
		return nil
	}
	s, err := cfg.Get(key)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(settingDoc{"trailblaze.setting/1", s, path})
	}
	c.Printf("%s = %s  %s\n", c.Style().Bold(s.Key), s.Value, c.Style().Dim("in "+path))
	if wrote != "" && s.Source != path && (s.Narrowed == nil || s.Narrowed.Source != path) {
		c.Warn("%s says %q and wins", s.Source, s.Value)
	}
	return nil
}
