package manage

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/drive"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
)

// liveSessionCmd holds the options of the commands about the session that is recorded now.
type liveSessionCmd struct {
	drive.Command
	title     string
	path      string
	overwrite bool
	actors    []string
}

// newLiveSession makes the commands. A session that has ended can be named by its id, or as last.
func newLiveSession(a *shell.Shell) []*cobra.Command {
	c := &liveSessionCmd{Command: drive.Command{Shell: a}}
	start := &cobra.Command{
		Use: "start", Short: "Begin a new session; the one that runs ends and can still be saved",
		Long: `Begin a new session on the device. There is no need to: the first action begins one, and all that is
done is recorded. Start one to leave out what was done before.`,
		Example: "  trailblaze session start --title \"Buy a mug\"", Args: shell.Exactly(0, "no arguments"),
		RunE: shell.Work(c.start),
	}
	start.Flags().StringVarP(&c.title, "title", "t", "", "`title` of the session")
	save := &cobra.Command{
		Use: "save [id]", Short: "Make a trail of what was done",
		Long: `Write what was done in a session, by default the live one, as a trail: calls grouped into steps by what
they were for, elements named by durable selectors. The session goes on. When the file is there, the recordings
of this device class are added to it; --overwrite replaces those it has.`,
		Example: `  trailblaze session save -t "Buy a mug"
  trailblaze session save -t "Buy a mug" -o trails/shop/buy.trail.yaml --overwrite
  trailblaze session save last -t "Buy a mug"
  trailblaze session save -t "Write to each other" --actor alice=web/alice --actor bob=web/bob`,
		Args: shell.AtMost(1, "at most one session id"), RunE: shell.Work(c.save), ValidArgsFunction: cobra.NoFileCompletions,
	}
	save.Flags().StringVarP(&c.title, "title", "t", "", "`title` of the trail")
	save.Flags().StringVarP(&c.path, "output", "o", "", "`file` below the trails folder; default: from the title")
	save.Flags().BoolVar(&c.overwrite, "overwrite", false, "replace what the file has recorded for this device class")
	save.Flags().StringArrayVar(&c.actors, "actor", nil,
		"make one trail of several devices: `name=device` for each actor, such as alice=web/alice")
	recording := &cobra.Command{
		Use: "recording [id]", Short: "Show the trail that save would write",
		Example: "  trailblaze session recording\n  trailblaze session recording last",
		Args:    shell.AtMost(1, "at most one session id"), RunE: shell.Work(c.recording),
	}
	recording.Flags().StringVarP(&c.title, "title", "t", "", "`title` of the trail")
	info := &cobra.Command{
		Use: "info [id]", Short: "Say which session runs, on which device, and what it has recorded",
		Example: "  trailblaze session info", Args: shell.AtMost(1, "at most one session id"),
		RunE: shell.Work(c.named("INFO")),
	}
	stop := &cobra.Command{
		Use: "stop [id]", Short: "End the session; the device stays open, and the session can still be saved",
		Example: "  trailblaze session stop", Args: shell.AtMost(1, "at most one session id"),
		RunE: shell.Work(c.named("STOP")),
	}
	artifacts := &cobra.Command{
		Use: "artifacts [id]", Short: "List the files of a session: its log, screens and pictures",
		Example: "  trailblaze session artifacts last --json", Args: shell.AtMost(1, "at most one session id"),
		RunE: shell.Work(c.named("ARTIFACTS")),
	}
	all := []*cobra.Command{start, save, recording, info, stop, artifacts}
	for _, cmd := range all {
		c.DeviceFlag(cmd)
	}
	return all
}

// liveDoc is the output of the session tool.
type liveDoc struct {
	Schema    string         `json:"schema"`
	Done      string         `json:"done,omitempty"`
	Sessions  []liveLine     `json:"sessions,omitempty"`
	Saved     *savedTrail    `json:"saved,omitempty"`
	Trail     string         `json:"trail,omitempty"`
	Artifacts []artifactLine `json:"artifacts,omitempty"`
	Warnings  []string       `json:"warnings,omitempty"`
}

type liveLine struct {
	ID      string `json:"id"`
	Title   string `json:"title,omitempty"`
	Device  string `json:"device,omitempty"`
	State   string `json:"state"`
	Outcome string `json:"outcome,omitempty"`
	Started string `json:"started,omitempty"`
	For     string `json:"for,omitempty"`
	Actions int    `json:"actions,omitempty"`
}

type savedTrail struct {
	Path    string `json:"path"`
	Change  string `json:"change"`
	Steps   int    `json:"steps"`
	Actions int    `json:"actions"`
}

type artifactLine struct {
	Kind string `json:"kind"`
	File string `json:"file"`
	MIME string `json:"mime,omitempty"`
	Why  string `json:"why,omitempty"`
	Step int    `json:"step,omitempty"`
	Size int64  `json:"size,omitempty"`
}

func (c *liveSessionCmd) start(ctx context.Context, _ []string) error {
	doc, err := c.ask(ctx, map[string]any{"action": "START", "title": c.title})
	if err != nil {
		return err
	}
	return c.tell(doc)
}

// named makes the work of a command that only names a session.
func (c *liveSessionCmd) named(action string) shell.Runner {
	return func(ctx context.Context, args []string) error {
		doc, err := c.ask(ctx, map[string]any{"action": action, "id": first(args)})
		if err != nil {
			return err
		}
		return c.tell(doc)
	}
}

func first(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return ""
}

func (c *liveSessionCmd) save(ctx context.Context, args []string) error {
	path, err := c.below(c.path)
	if err != nil {
		return err
	}
	actors, err := shell.Pairs("actor", c.actors)
	if err != nil {
		return err
	}
	doc, err := c.ask(ctx, map[string]any{"action": "SAVE", "id": first(args), "title": c.title, "path": path,
		"overwrite": c.overwrite, "actors": actors})
	if err != nil {
		return err
	}
	if c.JSON || doc.Saved == nil {
		return c.tell(doc)
	}
	st, s := c.Style(), doc.Saved
	said := map[string]string{"created": "Saved", "merged": "Merged into", "replaced": "Replaced the recording in",
		"unchanged": "Nothing has changed in"}
	c.Printf("%s %s  %s\n", cmp.Or(said[s.Change], "Saved"), st.Bold(s.Path),
		st.Dim(phrase.Count(s.Steps, "step")+", "+phrase.Count(s.Actions, "action")))
	if _, left, ok := strings.Cut(doc.Done, " Left out: "); ok {
		left, _, _ = strings.Cut(left, "\n")
		c.Printf("%s %s\n", st.Dim("left out:"), left)
	}
	c.Printf("%s trailblaze run %s\n", st.Dim("replay it:"), c.fromHere(s.Path))
	return nil
}

// below returns a path as the tool takes it: relative to the workspace, when the file lies in its trails folder.
func (c *liveSessionCmd) below(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	if err := c.Locate(); err != nil {
		return "", err
	}
	abs, err := c.Absolute(path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(c.Workspace, abs)
	if err != nil || filepath.IsAbs(path) && !filepath.IsLocal(rel) {
		return filepath.ToSlash(path), nil // refused over there, with the reason
	}
	if rel = filepath.ToSlash(rel); strings.HasPrefix(rel, "trails/") {
		return rel, nil
	}
	return filepath.ToSlash(path), nil
}

// fromHere is a path of the workspace as one types it in the working directory.
func (c *liveSessionCmd) fromHere(path string) string {
	dir, err := c.WorkingDir()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(dir, filepath.Join(c.Workspace, filepath.FromSlash(path)))
	if err != nil {
		return path
	}
	return rel
}

func (c *liveSessionCmd) recording(ctx context.Context, args []string) error {
	doc, err := c.ask(ctx, map[string]any{"action": "RECORDING", "id": first(args), "title": c.title})
	if err != nil {
		return err
	}
	if c.JSON {
		return c.tell(doc)
	}
	c.Printf("%s", doc.Trail) // nothing but the trail: it may go into a file
	if doc.Done != "" {
		c.Errorf("%s\n", c.Style().Dim(doc.Done))
	}
	return nil
}

func (c *liveSessionCmd) ask(ctx context.Context, args map[string]any) (*liveDoc, error) {
	doc := &liveDoc{Schema: "trailblaze.live-session/1"}
	if device := c.Chosen(); device != "" {
		c.About = device // what begins or ends is that device's session
		if id, _ := args["id"].(string); id == "" && args["action"] != "START" && args["action"] != "STOP" {
			var err error
			if args["id"], err = c.on(ctx, device); err != nil {
				return nil, err
			}
		}
	}
	if _, err := c.Manage(ctx, manage.Session, args, doc); err != nil {
		return nil, err
	}
	if !c.JSON {
		for _, w := range doc.Warnings {
			c.Warn("%s", w)
		}
	}
	return doc, nil
}

// on is the session that a device records.
func (c *liveSessionCmd) on(ctx context.Context, device string) (string, error) {
	var list devicesDoc
	if _, err := c.Manage(ctx, manage.Device, map[string]any{"action": "LIST"}, &list); err != nil {
		return "", err
	}
	for _, d := range list.Devices {
		if d.ID == device && d.Session != "" {
			return d.Session, nil
		}
	}
	return "", fault.New(fault.NotFound, "find session", "no session runs on %s", device).
		WithHint("trailblaze session list shows those that have ended; name one by its id.")
}

func (c *liveSessionCmd) tell(doc *liveDoc) error {
	if c.JSON {
		return c.PrintJSON(doc)
	}
	if doc.Done != "" {
		c.Printf("%s\n", doc.Done)
	}
	st := c.Style()
	for _, s := range doc.Sessions {
		parts := []string{cmp.Or(s.Outcome, s.State)}
		if s.Device != "" {
			parts = append(parts, "on "+s.Device)
		}
		parts = append(parts, phrase.Count(s.Actions, "action"))
		if s.For != "" {
			parts = append(parts, s.For)
		}
		c.Printf("%s  %s  %s\n", st.Bold(s.ID), strings.Join(parts, ", "), st.Dim(s.Title))
	}
	for _, f := range doc.Artifacts {
		what := f.Kind
		if f.Step > 0 {
			what += fmt.Sprintf(" of step %d", f.Step)
		}
		c.Printf("%s  %s\n", f.File, st.Dim(strings.TrimSuffix(what+", "+f.Why, ", ")))
	}
	return nil
}
