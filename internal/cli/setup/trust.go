package setup

import (
	"bufio"
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/cli/drive"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
)

// trustCmd are the options of trust.
type trustCmd struct {
	*shell.Shell
	cfg    *config.Config
	yes    bool
	show   bool
	revoke bool
	list   bool
}

// NewTrust makes the command that lets a project start processes.
func NewTrust(a *shell.Shell) *cobra.Command {
	c := &trustCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "trust", Short: "Let a project start the servers and tools that it declares", GroupID: "setup",
		Long: `Show which programs the project in this folder would start (external MCP servers, tools that run outside of the
sandbox) and which servers it would connect to, and let it. Until then it does neither: to look at a repository must
not run its programs.

What is trusted is each program as it is declared: its command, arguments, working directory and variables, and every
file of the folder that it runs in and below; of a server that runs anyway, its address and headers. When one of them
changes, it must be trusted again: a daemon that runs then starts it anew. --show says what is covered and what is not.
It is kept in trust.json in the home folder, for you alone. YAML tools need no trust, nor do TypeScript tools in the
sandbox that declare no hosts, files or secrets; the others run, and get none of them before.

In CI, where what is checked out is run anyway, set TRAILBLAZE_TRUST=1 or give --trust to run and check.`,
		Example: `  trailblaze trust                     # shows what would be started, and asks
  trailblaze trust --show              # only shows it
  trailblaze trust --yes               # does not ask
  trailblaze trust --revoke            # starts nothing here any more
  trailblaze trust --list              # what is trusted, by folder
  TRAILBLAZE_TRUST=1 trailblaze run    # this once, in CI`,
		Args: shell.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return c.Run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&c.yes, "yes", "y", false, "trust without asking")
	f.BoolVar(&c.show, "show", false, "show what would be started, and change nothing")
	f.BoolVar(&c.revoke, "revoke", false, "trust the project no longer")
	f.BoolVar(&c.list, "list", false, "list what is trusted")
	shell.Exclusive(cmd, [2]string{"show", "yes"}, [2]string{"show", "revoke"}, [2]string{"show", "list"},
		[2]string{"revoke", "yes"}, [2]string{"revoke", "list"}, [2]string{"list", "yes"})
	return cmd
}

// trustDoc is the output of trust with --json.
type trustDoc struct {
	Schema    string       `json:"schema"`
	Folder    string       `json:"folder,omitempty"`
	Trusted   bool         `json:"trusted"`
	Processes []processDoc `json:"processes,omitempty"`
	Folders   []folderDoc  `json:"folders,omitempty"` // with --list
}

type processDoc struct {
	What     string   `json:"what"`
	Place    string   `json:"place,omitempty"`
	Command  []string `json:"command,omitempty"`
	Dir      string   `json:"dir,omitempty"`
	Env      []string `json:"env,omitempty"`     // name=value, as it is declared
	URL      string   `json:"url,omitempty"`     // of a server that runs anyway
	Headers  []string `json:"headers,omitempty"` // name=value, as it is declared
	Sampling bool     `json:"sampling,omitempty"`
	Grants   []string `json:"grants,omitempty"` // of a script in process
	Covered  []string `json:"covered,omitempty"`
	Open     []string `json:"notCovered,omitempty"`
	Unknown  string   `json:"unknown,omitempty"` // why it cannot be remembered
	Trusted  bool     `json:"trusted"`
}

type folderDoc struct {
	Folder    string   `json:"folder"`
	At        string   `json:"at"`
	Processes []string `json:"processes"`
}

const trustSchema = "trailblaze.trust/1"

// Run shows what the project would start, and trusts it.
func (c *trustCmd) Run(ctx context.Context) error {
	trust := workspace.Trust{Home: c.cfg.Home}
	if c.list {
		return c.listAll(trust)
	}
	root := c.cfg.Workspace
	if root == "" {
		return fault.New(fault.NotFound, "find project",
			"there is no trailblaze.yaml or trails/config/trailblaze.yaml here or above").
			WithHint("Run it in the folder of a project.")
	}
	if c.revoke {
		was, err := trust.Revoke(ctx, root)
		if err != nil {
			return err
		}
		return c.say(trustDoc{Folder: root}, map[bool]string{true: "no longer trusted", false: "was not trusted"}[was])
	}
	all, err := c.processes(ctx, root)
	if err != nil {
		return err
	}
	doc := documented(trust, root, all)
	switch {
	case len(all) == 0:
		return c.say(doc, "starts no process and connects to no server, so there is nothing to trust; "+
			"no tool of it has files, hosts or secrets")
	case c.show:
		return c.say(doc, map[bool]string{true: "trusted", false: "not trusted"}[doc.Trusted])
	case doc.Trusted:
		return c.say(doc, "trusted already"+c.reload(ctx, root))
	}
	if !c.yes {
		if err := c.ask(doc); err != nil {
			return err
		}
	}
	if err := trust.Record(ctx, root, all); err != nil {
		return err
	}
	doc = documented(trust, root, all)
	outcome := map[bool]string{true: "trusted", false: "trusted but for what cannot be known: see --show"}[doc.Trusted]
	return c.say(doc, outcome+c.reload(ctx, root))
}

// reload has a daemon that runs start anew what has changed, and says so. It starts none.
func (c *trustCmd) reload(ctx context.Context, root string) string {
	l, err := c.Link(ctx, false)
	if err != nil {
		return ""
	}
	l.Close()
	d := drive.Command{Shell: c.Shell, Workspace: root}
	if _, err = d.Manage(ctx, manage.ReloadTools, map[string]any{}, nil); err != nil {
		return "; the daemon did not reload its tools: " + err.Error()
	}
	return "; the daemon has reloaded its tools"
}

// documented lists each process with its trust.
func documented(trust workspace.Trust, root string, all []source.Process) trustDoc {
	doc := trustDoc{Folder: root, Trusted: true}
	for _, p := range all {
		d := processDoc{p.What, p.Place, p.Command, p.Dir, pairs(p.Env), p.URL, pairs(p.Headers), p.Sampling,
			p.Grants, p.Covered, p.Uncovered, p.Unknown, trust.Check(root, p) == nil}
		doc.Trusted = doc.Trusted && d.Trusted
		doc.Processes = append(doc.Processes, d)
	}
	return doc
}

func pairs(m map[string]string) (out []string) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k+"="+m[k])
	}
	return out
}

// processes lists what the project would start.
func (c *trustCmd) processes(ctx context.Context, root string) ([]source.Process, error) {
	s, err := app.Tools(app.ToolOptions{
		Root: root, Home: c.cfg.Home, Env: c.Getenv, Idle: true,
		Config: func() (*config.Config, error) { return c.cfg, nil },
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }()
	all, err := s.Processes(ctx)
	if err != nil {
		return nil, err
	}
	pol, err := (&app.Workspaces{Env: c.Getenv}).CurrentPolicy(root)
	if err != nil {
		return nil, err
	}
	return slices.Concat(all, app.Providers(c.cfg), app.Variables(pol)), nil
}

// ask shows the processes and waits for a yes. A program gives --yes.
func (c *trustCmd) ask(doc trustDoc) error {
	if !c.Ask || c.JSON {
		c.describe(doc, c.Errorf)
		return fault.New(fault.Denied, "trust project", "nobody is there to be asked").
			WithHint("Read what would be started, then give --yes.")
	}
	c.describe(doc, c.Printf)
	c.Printf("Let the project start %s? [y/N] ", map[bool]string{true: "this", false: "these"}[len(doc.Processes) == 1])
	line, _ := bufio.NewReader(c.In).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return fault.New(fault.Canceled, "trust project", "nothing is trusted")
	}
	return nil
}

func (c *trustCmd) describe(doc trustDoc, printf func(string, ...any)) {
	st := c.Style()
	printf("%s would start, connect to or give files, hosts or secrets to %s:\n", phrase.OneLine(doc.Folder),
		phrase.Count(len(doc.Processes), "program"))
	for _, p := range doc.Processes {
		mark := ""
		if !p.Trusted {
			mark = "  " + st.Warn("not trusted")
		}
		printf("  %s  %s%s\n", st.Bold(phrase.OneLine(p.What)), st.Dim(phrase.OneLine(cmp.Or(p.Place, "-"))), mark)
		switch {
		case len(p.Grants) > 0:
			each(printf, "    ", p.Grants)
		case p.URL != "":
			printf("    connects to %s\n", phrase.OneLine(p.URL))
		default:
			printf("    %s\n", words(p.Command))
		}
		if p.Dir != "" {
			printf("    in %s\n", phrase.OneLine(p.Dir))
		}
		if with := slices.Concat(p.Env, p.Headers); len(with) > 0 {
			printf("    with %s\n", words(with))
		}
		if p.Sampling {
			printf("    may ask your language model, with pictures of the screen\n")
		}
		each(printf, "    covered: ", p.Covered)
		each(printf, "    NOT covered: ", p.Open)
		if p.Unknown != "" {
			printf("    CANNOT BE REMEMBERED: %s\n", phrase.OneLine(p.Unknown))
		}
	}
}

// each prints texts that a project may have written, each on its line.
func each(printf func(string, ...any), before string, texts []string) {
	for _, text := range texts {
		printf("%s%s\n", before, phrase.OneLine(text))
	}
}

// plain matches a word that needs no quotes.
var plain = regex.Lazy(`^[\pL\pN_@%+=:,./\\-]+$`)

// words shows the words of a command line. One that could pass for several, or for another line, is quoted.
func words(all []string) string {
	out := slices.Clone(all)
	for i, w := range out {
		if !plain().MatchString(w) {
			out[i] = strconv.Quote(w)
		}
	}
	return strings.Join(out, " ")
}

// say prints the outcome.
func (c *trustCmd) say(doc trustDoc, outcome string) error {
	if c.JSON {
		doc.Schema = trustSchema
		return c.PrintJSON(doc)
	}
	if c.show && len(doc.Processes) > 0 {
		c.describe(doc, c.Printf)
	}
	c.Printf("%s: %s\n", phrase.OneLine(doc.Folder), outcome)
	return nil
}

func (c *trustCmd) listAll(trust workspace.Trust) error {
	all, err := trust.List()
	if err != nil {
		return err
	}
	doc := trustDoc{Schema: trustSchema, Folders: []folderDoc{}}
	for _, t := range all {
		doc.Folders = append(doc.Folders, folderDoc{
			t.Folder, t.At.Format("2006-01-02 15:04:05Z"), slices.Sorted(maps.Values(t.Processes)),
		})
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	if len(all) == 0 {
		c.Printf("nothing is trusted\n")
	}
	for _, f := range doc.Folders {
		c.Printf("%s  %s\n", c.Style().Bold(phrase.OneLine(f.Folder)), c.Style().Dim(f.At))
		each(c.Printf, "  ", f.Processes)
	}
	return nil
}
