package ondevice

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app/bundle"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/policy"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/local"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// classifiers name a phone in trails, the general first.
var classifiers = []string{string(driver.AndroidPlatform), "phone"}

// runner plays the trails of a bundle.
type runner struct {
	options
	bundle *bundle.Bundle
	root   string // of the unpacked workspace
	id     string
	tools  *workspace.Sources
	target string // that the settings name
	policy *policy.Policy
	env    func(string) string
	dev    driver.Device
	say    func(format string, args ...any)
}

// play plays the trails, writes the report into o.out, and returns the exit status.
func play(ctx context.Context, o options, b *bundle.Bundle, work string, out, problems io.Writer) (int, error) {
	r := &runner{options: o, bundle: b, root: filepath.Join(work, "workspace"), id: session.NewID(time.Now(), "run"),
		say: func(format string, args ...any) { _, _ = fmt.Fprintf(out, format, args...) }}
	if err := os.Mkdir(r.root, 0o755); err != nil {
		return exitBroken, fault.Wrap(err, fault.Unavailable, "unpack bundle")
	}
	if err := b.Unpack(r.root); err != nil {
		return exitMisuse, err
	}
	r.env = func(name string) string {
		if name == homedir.Env {
			return filepath.Join(work, "home")
		}
		return os.Getenv(name)
	}
	if err := r.open(ctx, problems); err != nil {
		return exitMisuse, err
	}
	defer func() { _ = r.tools.Close() }()
	dev, err := android.Open(ctx, android.Options{
		ID: string(driver.AndroidPlatform), Own: local.Phone{}, Folder: filepath.Dir(work),
	})
	if err != nil {
		return exitBroken, fault.Wrap(err, "", "reach the phone's screen")
	}
	defer func() { _ = dev.Close() }()
	r.dev = dev
	results := r.suite().Run(ctx)
	code := exitOK
	for _, res := range results {
		code = worst(code, status(res))
	}
	if err := r.report(results); err != nil {
		return exitBroken, err
	}
	r.say("report: %s\n", filepath.Join(r.out, "report.html"))
	return code, nil
}

// open reads the settings, the policy and the tools of the workspace.
func (r *runner) open(ctx context.Context, problems io.Writer) error {
	cfg, err := config.Load(config.Sources{Dir: r.root, Env: r.env})
	if err != nil {
		return err
	}
	r.target = cmp.Or(r.bundle.Target, cfg.String("target"))
	if r.policy, err = policy.Load(policy.Options{Workspace: r.root}); err != nil {
		return err
	}
	all := func() *tool.Registry { return r.tools.Registry() }
	apps := func(m *memory.Store, p driver.Platform, appID string) []string { return r.tools.AppOn(m, p, appID) }
	builtIn := append(tools.BuiltinIn(r.root, apps), replay.NewRunTrail(r.called, all))
	r.tools, err = workspace.Open(workspace.Options{
		Root: r.root, Home: cfg.Home, Config: func() (*config.Config, error) { return cfg, nil }, BuiltIn: builtIn,
		Env: r.env, Makers: workspace.OnDeviceMakers(), Toolsets: toolset.Sets(),
		Trust: true, // the bundle was made by a user who has trusted them
	})
	if err != nil {
		return err
	}
	if err := r.tools.Wait(ctx); err != nil {
		return err
	}
	for _, p := range r.tools.Problems() {
		_, _ = fmt.Fprintf(problems, "warning: %v\n", p)
	}
	return nil
}

// called reads a trail that another one calls.
func (r *runner) called(path string) (*trail.Trail, error) {
	if filepath.IsAbs(path) {
		rel, err := filepath.Rel(r.root, path)
		if err != nil {
			return nil, fault.Wrap(err, fault.Denied, "read trail")
		}
		path = rel
	}
	return r.read(path)
}

// read reads a trail of the workspace.
func (r *runner) read(name string) (*trail.Trail, error) {
	const op = "read trail"
	root, err := os.OpenRoot(r.root)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = root.Close() }()
	data, err := file.ReadIn(root, filepath.FromSlash(name), 1<<20)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, op)
	}
	t, found := trail.Parse(name, data, trail.Strict)
	if err := found.Err(); err != nil || t == nil {
		return nil, err
	}
	t.Dir = filepath.Join(r.root, filepath.Dir(filepath.FromSlash(name)))
	return t, nil
}

// suite makes the run: one trail after the other, since there is one screen.
func (r *runner) suite() *replay.Suite {
	d := dispatch.New(dispatch.Options{
		Registry: r.tools.Registry(), Middleware: []dispatch.Middleware{r.policy.Middleware()},
	})
	s := &replay.Suite{Retries: r.retries, Timeout: r.timeout, Open: r.session, Player: &replay.Player{
		Dispatcher: d, Registry: r.tools.Registry(), Classifiers: classifiers, NeedsModel: tools.NeedsModel(),
		Screenshots: replay.Screenshots(r.screenshots), Observe: r.observe,
	}}
	for _, name := range r.trails {
		j := replay.Job{Path: name, File: filepath.Join(r.root, filepath.FromSlash(name))}
		j.Trail, j.Err = r.read(name)
		s.Jobs = append(s.Jobs, j)
	}
	return s
}

// session opens the session of an attempt.
func (r *runner) session(ctx context.Context, j replay.Job, _ int) (*session.Session,
	func(context.Context, event.Outcome, *fault.Failure), error) {
	mem := memory.New()
	args, err := j.Trail.BindArgs(nil, nil)
	if err != nil {
		return nil, nil, err
	}
	replay.Values{Memory: r.memory, Secrets: r.secrets, Args: args}.Seed(mem, j.Trail)
	r.policy.Seed(mem, r.env)
	if id := cmp.Or(j.Trail.Config.Target, r.target); id != "" {
		mem.Set(tool.TargetKey, id)
	}
	sess, err := session.Open(ctx, session.Options{
		Root: filepath.Join(r.out, "sessions"), Title: cmp.Or(j.Trail.Config.Title, j.Path), Device: r.dev, Memory: mem,
		Labels: map[string]string{"run": r.id}, Version: bundle.Version(),
	})
	if err != nil {
		return nil, nil, err
	}
	return sess, func(_ context.Context, o event.Outcome, f *fault.Failure) { _ = sess.CloseWith(o, f.Err()) }, nil
}

// observe prints the outcome of a trail.
func (r *runner) observe(p replay.Progress) {
	if p.Kind != replay.JobEnded {
		return
	}
	r.say("%-8s %s  %s, %s\n", p.Outcome, cmp.Or(p.Title, p.Path), phrase.Count(p.Total, "step"),
		p.Duration.Round(time.Millisecond))
	if f := p.Failure; f != nil && p.Outcome != event.Passed {
		if p.Failed != nil {
			r.say("      %s:%d: %s\n", p.Path, cmp.Or(p.Failed.CallLine, p.Failed.Line),
				strings.Join(strings.Fields(p.Failed.Text), " "))
		}
		r.say("      %v\n", f.Err())
	}
	for _, n := range p.Notes {
		r.say("      warning: %s\n", n)
	}
}

// report writes the report beside the sessions, as a page, as JSON and for a build server.
func (r *runner) report(results []replay.JobResult) error {
	in := report.Input{ID: r.id, Title: r.bundle.Name}
	for _, res := range results {
		kept := false
		for _, a := range res.Attempts {
			if a.Dir != "" {
				in.Sessions, kept = append(in.Sessions, a.Dir), true
			}
		}
		if last := res.Last().Result; !kept {
			in.Extra = append(in.Extra, report.Trail{
				Path: res.Job.Path, Title: res.Job.Path, Outcome: res.Outcome, Reason: last.Reason, Failure: last.Failure,
			})
		}
	}
	made, err := report.Build(in)
	if err != nil {
		return err
	}
	for name, write := range map[string]func(io.Writer, *report.Report) error{
		"report.html": func(w io.Writer, m *report.Report) error { return report.WriteHTML(w, m, report.HTMLOptions{}) },
		"report.json": report.WriteJSON, "junit.xml": report.WriteJUnit,
	} {
		err := file.ReplaceBy(filepath.Join(r.out, name), 0o644, func(w io.Writer) error { return write(w, made) })
		if err != nil {
			return fault.Wrap(err, fault.Unavailable, "write report")
		}
	}
	return nil
}
