package run

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

type checkCmd struct {
	*shell.Shell
	cfg       *config.Config
	trust     bool
	workspace string // trails to call are read below it, as run does; "" outside any
	tests     bool
	types     bool
}

// checkDoc is the output of check with --json.
type checkDoc struct {
	Schema   string       `json:"schema"`
	Files    int          `json:"files"`
	Errors   int          `json:"errors"`
	Warnings int          `json:"warnings"`
	ExitCode int          `json:"exitCode"`
	Problems []problemDoc `json:"problems"`
}

type problemDoc struct {
	Path     string         `json:"path"`
	Line     int            `json:"line"`
	Col      int            `json:"col"`
	Severity trail.Severity `json:"severity"`
	Key      string         `json:"key,omitempty"`
	Message  string         `json:"message"`
	Excerpt  string         `json:"excerpt,omitempty"`
	Hint     string         `json:"hint,omitempty"`
}

// NewCheck makes the command trailblaze check.
func NewCheck(a *shell.Shell) *cobra.Command {
	c := &checkCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "check [file|folder|glob]...", Short: "Look for mistakes in trail files", GroupID: "trails",
		Long: `Look for mistakes in trail files: the file itself, the names and arguments of its tool calls,
selectors, steps that check nothing. The calls that the scripts of the workspace make are checked in the same way.
Everything that is wrong is told at once, with its place. No device is touched. A tool of the
workspace that cannot be loaded is an error, and for trails that are named one by one only if they call it: else the
number of mistakes in tools is a warning. A server that nobody has trusted yet is a warning.`,
		Example: `  trailblaze check                # every trail below this folder, and the tools of the project
  trailblaze check login.trail.yaml --json
  trailblaze check --test         # the *.test.ts files beside tools
  trailblaze check --types        # the types of all tools, for editors`,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := a.Settings(cmd)
			if err != nil {
				return err
			}
			c.cfg, c.workspace = cfg, cfg.Workspace
			return c.Run(cmd.Context(), args)
		},
	}
	cmd.Flags().BoolVar(&c.trust, "trust", false, shell.TrustHelp)
	cmd.Flags().BoolVar(&c.tests, "test", false, "run the tests beside the tools of the workspace instead")
	cmd.Flags().BoolVar(&c.types, "types", false, "write .trailblaze/trailblaze.d.ts, the types of all tools, as well")
	return cmd
}

// Run checks the files and prints what is wrong with them.
func (c *checkCmd) Run(ctx context.Context, args []string) error {
	dir, err := c.WorkingDir()
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	root := cmp.Or(c.workspace, dir)
	if c.tests {
		return c.test(ctx, root, folders(root))
	}
	loaded, err := c.OpenTools(ctx, c.cfg, app.ToolOptions{Root: root, Trust: c.trust})
	if err != nil {
		return err
	}
	defer func() { _ = loaded.Close() }()
	if c.types {
		if err := c.writeTypes(root, loaded.Registry().All()); err != nil {
			return err
		}
	}
	files, err := trail.Discover(dir, args)
	if err != nil && (!namesProject(dir, root, args) || !ofTheProject(loaded)) { // tools may come before trails
		return err
	}
	l := app.Linter(loaded.Registry())
	if l.Secrets, err = c.knownSecrets(root); err != nil {
		return err
	}
	all, doubts := leftOut(loaded.Problems())
	c.WarnOfTools(append(doubts, unkept(loaded.Registry().All())...))
	calls, err := c.calls(ctx, l, root, dir)
	if err != nil {
		return err
	}
	all = append(all, calls...)
	if namesFiles(dir, args) {
		all = counted(all.Errors())
	}
	ofTools := len(all) > 0
	for _, f := range files {
		path := displayPath(dir, f)
		data, err := file.Read(f, yaml.MaxSize)
		if err != nil {
			all = append(all, trail.Problem{Path: path, Severity: trail.SeverityError, Message: err.Error()})
			continue
		}
		all = append(all, l.File(path, data)...)
	}
	return c.print(len(files), ofTools, all)
}

// knownSecrets are the origins of the secrets that the policy declares or the environment gives, by their names.
func (c *checkCmd) knownSecrets(workspace string) (map[string]string, error) {
	given, err := c.ReadSecrets(nil)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for name := range given {
		out[name] = ""
	}
	p, err := (&app.Workspaces{Env: c.Getenv}).CurrentPolicy(workspace)
	if err != nil {
		return nil, err
	}
	for _, s := range p.Secrets() {
		out[s.Name] = s.Origin
	}
	return out, nil
}

// calls reports the mistakes in the calls that the scripts of a workspace make.
func (c *checkCmd) calls(ctx context.Context, l *replay.Linter, root, dir string) (trail.Problems, error) {
	callers, err := script.Callers(ctx, root, folders(root))
	var out trail.Problems
	for _, f := range callers {
		var calls []replay.ScriptCall
		for _, c := range f.Calls {
			calls = append(calls, replay.ScriptCall{Call: tool.Call{Name: c.Tool, Args: c.Args},
				Pos: trail.Pos{Line: c.Line, Col: c.Col}, Open: c.Open})
		}
		name := displayPath(dir, filepath.Join(root, filepath.FromSlash(f.File)))
		out = append(out, l.Script(name, f.Text, calls)...)
		if f.Err != nil {
			out = append(out, trail.Problem{Path: name, Pos: trail.Pos{Line: 1, Col: 1}, Severity: trail.SeverityError,
				Message: f.Err.Error()})
		}
	}
	return out, err
}

// folders are those of a workspace that may hold tools.
func folders(root string) (dirs []string) {
	for _, f := range workspace.Folders(root) {
		dirs = append(dirs, f.Dir)
	}
	return dirs
}

// namesProject says whether arguments name the whole project: none do, and its folder or one around it does.
func namesProject(dir, root string, args []string) bool {
	for _, arg := range args {
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(dir, arg)
		}
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			return false
		}
		rel, err := filepath.Rel(arg, root)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return false
		}
	}
	return true
}

// ofTheProject says whether a project has tools, or something that was to be one.
func ofTheProject(loaded *workspace.Sources) bool {
	return len(loaded.Problems()) > 0 ||
		slices.ContainsFunc(loaded.Registry().All(), func(t tool.Tool) bool { return t.Spec().Origin != "" })
}

// leftOut separates tools that could not be loaded, which is an error, from mere notes: an oddity, or a server that is
// not started because the project is not trusted.
func leftOut(list []tool.Problem) (wrong trail.Problems, doubts []tool.Problem) {
	for _, p := range list {
		if p.Warning || fault.KindOf(p.Err) == fault.Denied {
			doubts = append(doubts, p)
			continue
		}
		wrong = append(wrong, trail.Problem{
			Severity: trail.SeverityError, Key: p.Name, Message: p.Error(), Hint: fault.HintOf(p.Err),
		})
	}
	return wrong, doubts
}

// unkept reports the tools of the workspace that leave nothing in a recording when they act themselves. A sequence
// never does: its calls are recorded in its place.
func unkept(all []tool.Tool) (doubts []tool.Problem) {
	for _, t := range all {
		s := t.Spec()
		e := cmp.Or(s.Effects, &tool.Effects{})
		if s.Origin == "" || s.Kind != tool.Action || s.Recordable || s.Delegating ||
			e.CallsTools && !e.Script && !e.Process && !e.Server {
			continue
		}
		doubts = append(doubts, tool.Problem{Name: s.Name, Warning: true, Err: fault.New(fault.Invalid, "check tools",
			"%s of %s is an action that is not recordable: what it does itself is in no trail", s.Name, s.Origin).
			WithHint("If it returns the calls to make in its place, declare isDelegating: true; else let it be recorded.")})
	}
	return doubts
}

// namesFiles says whether the command line names single trails, rather than folders of them.
func namesFiles(dir string, args []string) bool {
	return len(args) > 0 && !slices.ContainsFunc(args, func(arg string) bool {
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(dir, arg)
		}
		info, err := os.Stat(arg)
		return err != nil || info.IsDir()
	})
}

// counted makes one warning of the mistakes in the tools of the workspace. A trail that needs one of them gets the
// reason where it calls the tool.
func counted(wrong trail.Problems) trail.Problems {
	if len(wrong) == 0 {
		return nil
	}
	return trail.Problems{{
		Severity: trail.SeverityWarning,
		Message:  phrase.Count(len(wrong), "mistake") + " in the tools of the workspace, such as: " + wrong[0].Message,
		Hint:     "`trailblaze check` without a file tells all of them.",
	}}
}

func (c *checkCmd) print(files int, ofTools bool, all trail.Problems) error {
	doc := checkDoc{Schema: "trailblaze.check/1", Files: files, Errors: len(all.Errors()), Warnings: len(all.Warnings()),
		Problems: []problemDoc{}}
	if doc.Errors > 0 {
		doc.ExitCode = int(shell.ExitMisuse)
	}
	if c.JSON {
		for _, p := range all {
			doc.Problems = append(doc.Problems,
				problemDoc{p.Path, p.Pos.Line, p.Pos.Col, p.Severity, p.Key, p.Message, p.Excerpt, p.Hint})
		}
		if err := c.PrintJSON(doc); err != nil {
			return err
		}
		return shell.Exit(shell.Code(doc.ExitCode))
	}
	for _, p := range all {
		c.Printf("%s\n", p)
	}
	st, in := c.Style(), phrase.Count(files, "file")
	switch {
	case files == 0:
		in = "the tools of the project"
	case ofTools:
		in += " and the tools of the project"
	}
	switch {
	case doc.Errors > 0:
		c.Printf("%s in %s\n", st.Bad(phrase.Count(doc.Errors, "error")), in)
	case doc.Warnings > 0:
		c.Printf("%s in %s\n", st.Warn(phrase.Count(doc.Warnings, "warning")), in)
	default:
		c.Printf("%s, %s\n", in, st.Good("nothing wrong"))
	}
	return shell.Exit(shell.Code(doc.ExitCode))
}
