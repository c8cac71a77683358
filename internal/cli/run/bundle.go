package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/app/bundle"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// runnerName begins the names of the runners beside the program; the processor follows.
const runnerName = "trailblaze-runner-linux-"

type bundleCmd struct {
	*shell.Shell
	cfg       *config.Config
	target    string
	out       string
	processor string
	runner    string
	include   []string
	trust     bool
}

// bundleDoc is the output of bundle with --json.
type bundleDoc struct {
	Schema  string   `json:"schema"`
	File    string   `json:"file"`
	Bytes   int64    `json:"bytes"`
	Arch    string   `json:"arch"`
	Target  string   `json:"target,omitempty"`
	Trails  []string `json:"trails"`
	LeftOut []string `json:"leftOut,omitempty"` // trails, each with the reason
	Files   int      `json:"files"`             // of the workspace
}

// NewBundle makes the command trailblaze bundle.
func NewBundle(a *shell.Shell) *cobra.Command {
	c := &bundleCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "bundle [file|folder|glob]...", Short: "Put trails into a program that plays them on a phone", GroupID: "trails",
		Long: `Write one static program with the trails, the tools (YAML and TypeScript), the targets and the policy of a
project in it. It plays them on the Android phone that it runs on, from /data/local/tmp, without a host, and leaves a
normal report. No argument means all trails of the project. Trails that a phone cannot play, such as those that need a
model or an MCP server, are left out and named; one that is named itself is an error.

Hidden files, node_modules and the user's own settings stay behind. Secrets are given when it runs.`,
		Example: `  trailblaze bundle --target shop -o runner
  trailblaze bundle trails/checkout -o runner --arch amd64 --include fixtures
  adb push runner /data/local/tmp/
  adb shell TRAILBLAZE_SECRET_PASSWORD=… /data/local/tmp/runner
  adb pull /data/local/tmp/runner-results      # report.html, report.json, junit.xml`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			if c.cfg.Workspace == "" {
				return shell.Misuse(cmd, "this is no project: a bundle is made of one")
			}
			return c.Run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.String("target", "", "`app` under test: only its trails; default: the target of the settings, and all trails")
	f.StringVarP(&c.out, "output", "o", "runner", "write this `file`")
	f.StringVar(&c.processor, "arch", "arm64", "`processor` of the phone: "+strings.Join(bundle.Processors(), " or "))
	f.StringVar(&c.runner, "runner", "",
		"`file` of the runner without trails; default: "+runnerName+"<arch> beside this program")
	f.StringArrayVar(&c.include, "include", nil, "take this `file or folder` of the project along; may be repeated")
	f.BoolVar(&c.trust, "trust", false, shell.TrustHelp)
	return cmd
}

// Run checks the trails and writes the bundle.
func (c *bundleCmd) Run(ctx context.Context, args []string) error {
	const op = "make bundle"
	if !slices.Contains(bundle.Processors(), c.processor) {
		return fault.New(fault.Invalid, op, "--arch %q is not %s", c.processor, strings.Join(bundle.Processors(), " or "))
	}
	c.target = c.cfg.String("target")
	if c.runner == "" {
		self, err := proc.Executable()
		if err != nil {
			return err
		}
		c.runner = filepath.Join(filepath.Dir(self), runnerName+c.processor)
	}
	version := shell.BuildVersion().Version
	program, err := bundle.Program(c.runner, c.processor, version)
	if err != nil {
		return err
	}
	tools, err := c.LoadTools(ctx, c.cfg, app.ToolOptions{
		Root: c.cfg.Workspace, Trust: c.trust, Makers: workspace.OnDeviceMakers(),
	})
	if err != nil {
		return err
	}
	defer func() { _ = tools.Close() }()
	if err := c.known(tools); err != nil {
		return err
	}
	doc := bundleDoc{Schema: "trailblaze.bundle/1", File: c.out, Arch: c.processor, Target: c.target}
	if err := c.choose(args, tools, &doc); err != nil {
		return err
	}
	files, err := c.files(tools)
	if err != nil {
		return err
	}
	doc.Files = len(files)
	m := bundle.Manifest{Version: version, Name: filepath.Base(c.cfg.Workspace), Target: c.target, Trails: doc.Trails}
	if err := bundle.Write(c.out, program, m, c.cfg.Workspace, files); err != nil {
		return err
	}
	if info, err := os.Stat(c.out); err == nil {
		doc.Bytes = info.Size()
	}
	return c.print(doc)
}

// known refuses a target that the project does not know; the id of an app and an address are none of its own.
func (c *bundleCmd) known(tools *workspace.Sources) error {
	if _, ok := tools.Target(c.target); ok || c.target == "" || strings.ContainsAny(c.target, ".:") {
		return nil
	}
	var ids []string
	for _, t := range tools.Targets() {
		ids = append(ids, t.ID)
	}
	return fault.New(fault.NotFound, "choose target", "the project has no target %q", c.target).
		WithHint("It has: %s.", strings.Join(ids, ", "))
}

// choose finds the trails that the phone can play.
func (c *bundleCmd) choose(args []string, tools *workspace.Sources, doc *bundleDoc) error {
	on, err := app.PlatformOf(string(driver.AndroidPlatform))
	if err != nil {
		return err
	}
	dir, err := c.WorkingDir()
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	if len(args) == 0 {
		args = []string{c.cfg.TrailsDir()}
	}
	found, err := trail.DiscoverFor(dir, args, on.Classifiers)
	if err != nil {
		return err
	}
	var problem error
	for _, name := range found {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		rel, err := filepath.Rel(c.cfg.Workspace, name)
		if err != nil || !filepath.IsLocal(rel) {
			return fault.New(fault.Invalid, "choose trails", "%s lies outside of the project", name)
		}
		err = c.playable(name, filepath.ToSlash(rel), on, tools.Registry())
		switch {
		case err == nil:
			doc.Trails = append(doc.Trails, filepath.ToSlash(rel))
		case namesFiles(dir, args):
			return fault.New(fault.Invalid, "choose trails", "a phone cannot play %s: %w", filepath.ToSlash(rel), err).
				WithHint("Record its steps with tools that a phone has: `trailblaze run --device android` saves what a model does.")
		default:
			problem = err
			doc.LeftOut = append(doc.LeftOut, filepath.ToSlash(rel)+": "+err.Error())
		}
	}
	if len(doc.Trails) == 0 {
		return fault.New(fault.Invalid, "choose trails", "none of %s can be played on a phone: %w",
			phrase.Count(len(found), "trail"), errors.Join(problem))
	}
	return nil
}

// playable reports why a trail cannot be played on a phone.
func (c *bundleCmd) playable(file, shown string, on app.Platform, reg *tool.Registry) error {
	t, _, err := app.LoadTrail(file, shown)
	if err != nil {
		return err
	}
	if d := t.DriverFor(on.Classifiers); !on.Drives(d) {
		return fault.New(fault.Unsupported, "choose trails", "it asks for the driver %s", d)
	}
	if of := t.Config.Target; c.target != "" && of != "" && of != c.target {
		return fault.New(fault.Invalid, "choose trails", "it is of the target %s", of)
	}
	return replay.Preflight(t, on.Classifiers, reg, nil)
}

// files lists what is taken along: settings, policy, targets, tools, trails, and what --include names.
func (c *bundleCmd) files(tools *workspace.Sources) ([]string, error) {
	places := append([]string{"trailblaze.yaml", "trails/config"}, tools.Folders()...)
	for _, at := range append([]string{c.cfg.TrailsDir()}, c.include...) {
		if !filepath.IsAbs(at) {
			at = filepath.Join(c.cfg.Workspace, at)
		}
		rel, err := filepath.Rel(c.cfg.Workspace, at)
		if err != nil || !filepath.IsLocal(rel) {
			return nil, fault.New(fault.Invalid, "list files", "%s lies outside of the project", at)
		}
		if _, err := os.Stat(at); err != nil {
			return nil, fault.Wrap(err, fault.NotFound, "list files")
		}
		places = append(places, filepath.ToSlash(rel))
	}
	return bundle.Files(c.cfg.Workspace, places)
}

func (c *bundleCmd) print(doc bundleDoc) error {
	if c.JSON {
		return c.PrintJSON(doc)
	}
	for _, why := range doc.LeftOut {
		c.Printf("%s %s\n", c.Style().Warn("left out:"), why)
	}
	name := filepath.Base(doc.File)
	c.Printf("%s: %s for linux/%s with %s, %.1f MB\n\n", doc.File, c.Style().Good("a runner"), doc.Arch,
		phrase.Count(len(doc.Trails), "trail"), float64(doc.Bytes)/1e6)
	c.Printf("  adb push %s /data/local/tmp/\n  adb shell /data/local/tmp/%s\n  adb pull /data/local/tmp/%s-results\n",
		doc.File, name, name)
	return nil
}
