package setup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/skill"
)

// skillCmd are the options of the skill commands.
type skillCmd struct {
	*shell.Shell
	agents []string
	all    bool
	global bool
	dir    string
	force  bool
}

// NewSkill makes the command trailblaze skill.
func NewSkill(a *shell.Shell) *cobra.Command {
	c := &skillCmd{Shell: a}
	show := &cobra.Command{
		Use: "show", Short: "Print the skill", Example: "  trailblaze skill show", Args: shell.Exactly(0, "no arguments"),
		RunE: shell.Work(c.show),
	}
	install := &cobra.Command{
		Use: "install", Short: "Write the skill to where agents look for it", Args: shell.Exactly(0, "no arguments"),
		RunE: shell.Work(c.install),
		Long: `Write the skill into the project, or with --global into your home, for every agent that is named;
without --agent for Claude Code and for the common folder .agents/skills. A skill that was edited stays unless
--force is given.`,
		Example: "  trailblaze skill install\n  trailblaze skill install --agent claude --global\n" +
			"  trailblaze skill install --dir tools/skills --force",
	}
	status := &cobra.Command{
		Use: "status", Short: "Say where the skill is installed and whether it is current",
		Args:    shell.Exactly(0, "no arguments"),
		Example: "  trailblaze skill status\n  trailblaze skill status --global --json", RunE: shell.Work(c.status),
	}
	var names []string
	for _, g := range skill.Agents() {
		names = append(names, g.Name)
	}
	for _, cmd := range []*cobra.Command{install, status} {
		f := cmd.Flags()
		f.StringSliceVar(&c.agents, "agent", nil, "only for this `agent`: "+strings.Join(names, ", "))
		f.BoolVar(&c.global, "global", false, "in your home, for all projects")
		f.StringVar(&c.dir, "dir", "", "in this `folder` of skills")
		shell.Offer(cmd, "agent", names...)
		shell.Exclusive(cmd, [2]string{"dir", "global"}, [2]string{"dir", "agent"}, [2]string{"dir", "all"},
			[2]string{"agent", "all"})
	}
	install.Flags().BoolVar(&c.all, "all", false, "for every agent there is a folder for")
	install.Flags().BoolVar(&c.force, "force", false, "replace a skill that was edited")
	p := shell.Parent("skill", "Teach coding agents to drive with trailblaze", "setup", show, install, status)
	p.Long = "The skill is a text for coding agents: how to look at a page, act on it, check it, and save what was " +
		"done as a trail. It ships in the binary."
	return p
}

type skillDoc struct {
	Schema  string       `json:"schema"`
	Version string       `json:"version"`
	Text    string       `json:"text,omitempty"`
	Skills  []skillPlace `json:"skills,omitempty"`
}

type skillPlace struct {
	Agent   string      `json:"agent,omitempty"`
	Path    string      `json:"path"`
	State   skill.State `json:"state"`
	Was     skill.State `json:"was,omitempty"` // before it was installed
	Version string      `json:"version,omitempty"`
}

const skillSchema = "trailblaze.skill/1"

func (c *skillCmd) show(context.Context, []string) error {
	if c.JSON {
		return c.PrintJSON(skillDoc{Schema: skillSchema, Version: skill.Version(), Text: skill.Text()})
	}
	c.Printf("%s", skill.Text())
	return nil
}

func (c *skillCmd) install(context.Context, []string) error {
	places, err := c.places(func(a skill.Agent) bool { return c.all || a.Name == "claude" || a.Name == "agents" })
	if err != nil {
		return err
	}
	doc := skillDoc{Schema: skillSchema, Version: skill.Version()}
	for _, p := range places {
		if p.Was, err = skill.Install(p.Path, c.force); err != nil {
			return err
		}
		p.State, p.Version = skill.Current, skill.Version()
		doc.Skills = append(doc.Skills, p)
		if !c.JSON {
			c.Printf("%s %s\n", map[bool]string{true: "already current:", false: "installed:"}[p.Was == skill.Current], p.Path)
		}
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	return nil
}

func (c *skillCmd) status(context.Context, []string) error {
	places, err := c.places(func(skill.Agent) bool { return true })
	if err != nil {
		return err
	}
	doc := skillDoc{Schema: skillSchema, Version: skill.Version()}
	st := c.Style()
	for _, p := range places {
		if p.State, p.Version, err = skill.Look(p.Path); err != nil {
			return err
		}
		doc.Skills = append(doc.Skills, p)
		word := map[skill.State]func(string) string{skill.Current: st.Good, skill.Absent: st.Dim}[p.State]
		if word == nil {
			word = st.Warn
		}
		if !c.JSON {
			c.Printf("%s%s  %s\n", word(string(p.State)), strings.Repeat(" ", 8-len(p.State)), p.Path)
		}
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	return nil
}

// places are the files that are meant; without --agent those that byDefault names.
func (c *skillCmd) places(byDefault func(skill.Agent) bool) ([]skillPlace, error) {
	root, err := c.root()
	if err != nil {
		return nil, err
	}
	if c.dir != "" {
		return []skillPlace{{Path: skill.PathIn(root)}}, nil
	}
	known := skill.Agents()
	for _, name := range c.agents {
		if !slices.ContainsFunc(known, func(a skill.Agent) bool { return a.Name == name }) {
			return nil, fault.New(fault.Invalid, "read command line",
				"--agent %q is none of claude, agents, cursor, codex, gemini", name).
				WithHint("Most agents read .agents/skills: --agent agents. For another folder use --dir.")
		}
	}
	var out []skillPlace
	for _, a := range known {
		if slices.Contains(c.agents, a.Name) || len(c.agents) == 0 && byDefault(a) {
			out = append(out, skillPlace{Agent: a.Name, Path: a.Path(root)})
		}
	}
	return out, nil
}

// root returns the parent of the agents' folders.
func (c *skillCmd) root() (string, error) {
	if c.global {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fault.New(fault.Invalid, "find home", "%w", err)
		}
		return home, nil
	}
	dir, err := c.Streams.WorkingDir()
	if err != nil {
		return "", err
	}
	if c.dir == "" {
		return config.WorkspaceOf(dir, c.Env), nil
	}
	if filepath.IsAbs(c.dir) {
		return c.dir, nil
	}
	return filepath.Join(dir, c.dir), nil
}
