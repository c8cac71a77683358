package run

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/trails/attend"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

type recordCmd struct {
	*shell.Shell
	cfg       *config.Config
	run       *runCmd
	title     string
	path      string
	overwrite bool
}

// NewRecord makes the command trailblaze record.
func NewRecord(a *shell.Shell) *cobra.Command {
	run := &runCmd{Shell: a, outputs: outputs{format: formatText}, selection: selection{repeat: 1}}
	c := &recordCmd{Shell: a, run: run}
	cmd := &cobra.Command{
		Use: "record URL", Short: "Record what you do by hand in a browser as a trail", GroupID: "trails",
		Long: `Open a browser for you to act in, and write what you do as a trail: clicks, texts, choices, keys, drags, files,
answers to dialogs. The page does not notice. Passwords become {{memory.password}} and are kept nowhere.

A small window beside lists the steps; there you say what you see, undo, pause and stop. Close the browser or press
Ctrl+C when you are done. The trail is then replayed once, in a browser of its own that is as
new; it is saved if that passes. Otherwise it is kept as a draft beside, with what differed (exit status 1).`,
		Example: `  trailblaze record http://localhost:8080 --title "Buy a mug"
  trailblaze record http://localhost:8080 --out shop/buy.trail.yaml --overwrite
  trailblaze record https://staging.example.com --storage-state login.json`,
		Args: shell.Exactly(1, "the address of one page"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return c.Run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.StringVarP(&c.title, "title", "t", "", "title of the trail; default: that of the first page")
	f.StringVarP(&c.path, "out", "o", "", "`file` to write, below trails/; default: named after the title")
	f.BoolVar(&c.overwrite, "overwrite", false, "replace the recording that the file holds")
	f.String("browser", "", "`path` or name of the browser; default: the first that is found")
	f.String("viewport", "1280x800", "`size` of the page")
	f.StringVar(&c.run.storageState, "storage-state", "",
		"begin with the login state in this `file` (Playwright's format)")
	f.StringSliceVar(&c.run.permissions, "permission", nil,
		"let pages do this: clipboard-read, geolocation, … (`names`, separated by commas)")
	f.StringArrayVar(&c.run.memory, "memory", nil, "remember `name=value`")
	f.StringArrayVar(&c.run.secrets, "secret", nil,
		"remember `name=value` and show it nowhere; TRAILBLAZE_SECRET_<name> keeps it out of process lists")
	f.String("policy", "", "obey this policy `file`; default trails/config/policy.yaml, if there is one")
	f.BoolVar(&c.run.trust, "trust", false, shell.TrustHelp)
	return cmd
}

// recordDoc is the result of a recording.
type recordDoc struct {
	Schema string         `json:"schema"`
	Passed bool           `json:"passed"` // the replay
	File   string         `json:"file"`   // the trail, or the draft
	Steps  int            `json:"steps"`
	Missed []string       `json:"missed,omitempty"` // what was done and could not be recorded
	Notes  []string       `json:"notes,omitempty"`
	Error  *fault.Failure `json:"error,omitempty"` // what differed in the replay
}

// Run records until the person is done, replays the trail and saves it.
func (c *recordCmd) Run(ctx context.Context, page string) error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return fault.New(fault.Unavailable, "record", "there is no display for a browser to act in").
			WithHint("Run it on a desktop, or name the display of one: DISPLAY=:0 trailblaze record …")
	}
	c.run.cfg = c.cfg
	if err := c.run.check(); err != nil {
		return err
	}
	web, err := app.PlatformOf(string(driver.WebPlatform))
	if err != nil {
		return err
	}
	c.run.devices = []replay.Device{{ID: string(web.Name), Classifiers: web.Classifiers, Made: web.Made}}
	c.run.platforms = []app.Platform{web}
	if cmp.Or(c.path, c.title) != "" {
		if err := c.vacant(c.title); err != nil {
			return err
		}
	}
	done := ctx.Done()
	ctx = context.WithoutCancel(ctx) // an interrupt ends the recording, not what is made of it
	r, err := c.run.runner(ctx)
	if err != nil {
		return err
	}
	defer r.Close(ctx)
	seeds, err := c.run.seeds(c.run.selection)
	if err != nil {
		return err
	}
	mem := memory.New()
	seeds.Seed(mem, nil)
	doc := recordDoc{Schema: "trailblaze.record/1"}
	made, err := c.attend(ctx, r, mem, page, done, &doc)
	if err != nil {
		return err
	}
	return c.keep(ctx, r, mem, made, &doc)
}

// vacant refuses a place for the trail before anything is done by hand that could not be saved there.
func (c *recordCmd) vacant(title string) error {
	place, err := record.Place(c.run.root, c.path, title)
	if err != nil || c.overwrite {
		return err
	}
	return record.Vacant(c.run.root, place, string(driver.WebPlatform))
}

// attend opens the browser, records what is done in it, and makes a trail of that.
func (c *recordCmd) attend(ctx context.Context, r *app.Runner, mem *memory.Store, page string, done <-chan struct{},
	doc *recordDoc,
) (*record.Composed, error) {
	spec := r.Device
	spec.Hands, spec.Headless = true, new(false)
	opened, err := r.Devices.Open(ctx, spec)
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	dev := attend.On(opened)
	sess, err := session.Open(ctx, session.Options{Root: r.Sessions, Title: c.title, Device: dev, Memory: mem,
		Version: r.Version, Labels: map[string]string{"recorded": "by hand"}})
	if err != nil {
		return nil, err
	}
	defer func() { _ = sess.Close(event.Passed) }()
	title, err := open(ctx, r, sess, page)
	if err == nil {
		err = c.vacant(cmp.Or(c.title, title))
	}
	if err != nil {
		return nil, err
	}
	if !c.JSON {
		c.Printf("%s\n", c.Style().Dim("Act in the browser. Close it, or press Ctrl+C here, when you are done."))
	}
	compose := func() (*record.Composed, error) {
		t, err := record.OfLog(sess.Log)
		if err != nil {
			return nil, err
		}
		return t.Compose(record.Plan{Title: cmp.Or(c.title, title), Memory: mem, Tools: r.Registry})
	}
	rec := attend.Recorder{Dispatcher: r.Dispatcher, Session: sess, Device: dev, Files: c.run.root,
		Changed: func(said string) {
			if !c.JSON {
				c.Printf("  %s\n", said)
			}
		},
		Missed: func(err error) {
			doc.Missed = append(doc.Missed, fault.FailureOf(err).Message)
			c.Warn("%s", attend.NotRecorded(err))
		}}
	window, err := r.Devices.Open(ctx, devices.Spec{ID: "web/bar", Bar: true, Headless: spec.Headless, Viewport: "400x620",
		Workspace: spec.Workspace})
	if err != nil {
		return nil, err
	}
	defer func() { _ = window.Close() }()
	bar := attend.Bar{Recorder: &rec, Steps: func() []string { return sentences(compose()) }}
	if err := bar.Record(ctx, window, done); err != nil {
		return nil, err
	}
	return compose()
}

// sentences are those of the steps, without the one that opens the first page.
func sentences(made *record.Composed, err error) []string {
	var out []string
	if err == nil {
		for i, s := range made.Trail.Steps {
			if i > 0 {
				out = append(out, s.Text)
			}
		}
	}
	return out
}

// open opens the first page, and returns its title.
func open(ctx context.Context, r *app.Runner, sess *session.Session, page string) (string, error) {
	if u, err := url.Parse(page); err == nil && u.Scheme == "" {
		page = "http://" + page
	}
	spec := r.Registry.For(tool.OpenPage, driver.WebPlatform)
	res, err := r.Dispatcher.Call(ctx, sess, dispatch.Person, tool.Call{Name: spec.Name,
		Args: []byte(fmt.Sprintf(`{"url":%q}`, page))})
	if err == nil && res.IsError {
		err = res.Err()
	}
	if err != nil {
		return "", err
	}
	snap, err := sess.Device.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return "", err
	}
	return cmp.Or(strings.TrimSpace(snap.Title), page), nil
}

// keep replays a trail and saves it, or keeps it as a draft.
func (c *recordCmd) keep(ctx context.Context, r *app.Runner, mem *memory.Store, made *record.Composed, doc *recordDoc,
) error {
	doc.Steps, doc.Notes = made.Steps, made.Warnings
	place, err := record.Place(c.run.root, c.path, made.Trail.Config.Title)
	if err != nil {
		return err
	}
	made.Trail.Config.ID = record.IDOf(place)
	text, err := record.Preview(made)
	if err != nil {
		return err
	}
	t, problems := trail.Parse(place, []byte(text), trail.Strict)
	if err := problems.Err(); err != nil {
		return err
	}
	t.Dir = filepath.Dir(filepath.Join(c.run.root, filepath.FromSlash(place)))
	if !c.JSON {
		c.Printf("\n%s\n", c.Style().Dim("Replaying "+phrase.Count(made.Steps, "step")+"…"))
	}
	out, err := c.replay(ctx, r, mem, t)
	if err == nil && out.Outcome == event.Passed {
		var saved *record.Saved
		if saved, err = record.Save(ctx, c.run.root, made, record.Target{Path: c.path, Overwrite: c.overwrite}); err == nil {
			doc.Passed, doc.File = true, saved.Path
			return c.tell(doc)
		}
	}
	if err != nil {
		doc.Error = fault.FailureOf(err)
		return c.draft(doc, place, comment("This recording was not saved: "+doc.Error.Message)+text,
			fault.New(fault.KindOf(err), "save recording", "%w", err))
	}
	doc.Error = out.Failure
	return c.draft(doc, place, differs(out)+text,
		fault.New(fault.Assertion, "replay recording", "%s: %w", failedStep(out), out.Failure.Err()))
}

// draft keeps a recording that is not saved beside the place for it, and returns why, with the place.
func (c *recordCmd) draft(doc *recordDoc, place, text string, why *fault.Error) error {
	doc.File = strings.TrimSuffix(place, ".trail.yaml") + ".draft.yaml"
	file := filepath.Join(c.run.root, filepath.FromSlash(doc.File))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fault.Wrap(err, fault.Unavailable, "write draft")
	}
	if err := writeFile(file, []byte(text)); err != nil {
		return err
	}
	if err := c.tell(doc); err != nil {
		return err
	}
	return why.WithHint("The recording is kept in %s. Mend it, rename it to .trail.yaml and run it, or record again.",
		doc.File)
}

// replay plays a trail once, in a context that nothing was done in.
func (c *recordCmd) replay(ctx context.Context, r *app.Runner, mem *memory.Store, t *trail.Trail) (
	*replay.Outcome, error,
) {
	again := memory.New()
	seeds, err := c.run.seeds(c.run.selection)
	if err != nil {
		return nil, err
	}
	seeds.Seed(again, t)
	for _, name := range mem.Names() {
		if v, ok := mem.Get(name); ok && mem.IsSecret(name) {
			again.SetSecret(name, fmt.Sprint(v))
		}
	}
	sess, end, err := r.Session(ctx, t.Config.Title, again, nil, true)
	if err != nil {
		return nil, err
	}
	p := r.Player(ctx)
	p.StepTimeout = c.cfg.Duration("step-timeout")
	out := p.Play(ctx, sess, t, replay.Attempt{Number: 1})
	end(ctx, out.Outcome, out.Failure)
	return out, nil
}

// tell says what was recorded.
func (c *recordCmd) tell(doc *recordDoc) error {
	if c.JSON {
		return c.PrintJSON(doc)
	}
	for _, n := range doc.Notes {
		c.Warn("%s", n)
	}
	if doc.Passed {
		c.Printf("Saved %s: %s. Play it: trailblaze run %s\n", doc.File, phrase.Count(doc.Steps, "step"), doc.File)
	}
	return nil
}

// differs returns the head of a draft: the failure of the replay as comments.
func differs(out *replay.Outcome) string {
	text := "The replay of this recording did not pass: " + failedStep(out) + "."
	if out.Failure != nil {
		text += "\n" + strings.TrimSpace(out.Failure.Message)
	}
	return comment(text)
}

func comment(text string) string { return "# " + strings.ReplaceAll(text, "\n", "\n# ") + "\n" }

func failedStep(out *replay.Outcome) string {
	if out.Failed == nil {
		return string(out.Outcome)
	}
	return fmt.Sprintf("step %d, %q", out.Failed.Index+1, out.Failed.Text)
}
