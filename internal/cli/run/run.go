package run

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/policy"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/trails/repair"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// NewRun makes the command trailblaze run.
func NewRun(a *shell.Shell) *cobra.Command {
	c := &runCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "run [file|folder|glob]...", Short: "Replay trails", GroupID: "trails",
		Long: `Replay trails on a real browser. Every action leaves evidence: who its target was, and what it changed.
Steps with a recording ask no language model. A step without one is carried out by a model, if there is one: when the
trail passes, what was done is replayed at once on a fresh device, and saved into the trail if that passes, too. In a
project, no argument means all its trails: those of trailsDir in trailblaze.yaml, or of trails/.`,
		Example: `  trailblaze run                                      # all trails of the project
  trailblaze run trails/login/                        # everything below a folder
  trailblaze run login.trail.yaml --headed            # watch one
  trailblaze run trails/ -j 4 --retries 1 --junit out.xml
  trailblaze run trails/ --format github --ctrf ctrf.json   # in a workflow of GitHub
  trailblaze run trails/ --device 'android/*,web' -j 8    # each on the first free device that it is for
  trailblaze run trails/ --all-devices --per-device -j 4  # each on every device that it is for
  trailblaze run trails/ --tags smoke,core --tags '!slow' --shard 2/3
  trailblaze run trails/ --heal                       # then: trailblaze heal, trailblaze heal apply
  trailblaze run old.trail.yaml --record new.trail.yaml   # with durable selectors and fingerprints
  trailblaze run trails/buy.trail.yaml --description "Open {{memory.baseUrl}} and buy a mug"   # asks a model, once
  TRAILBLAZE_SECRET_PASSWORD=… trailblaze run login.trail.yaml   # {{memory.password}}`,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := a.Settings(cmd)
			if err != nil {
				return err
			}
			if len(args) == 0 && cfg.Workspace == "" {
				return shell.Misuse(cmd, "expected trail files, folders or globs; only in a project are they known without")
			}
			if cmd.Flags().Changed("description") && strings.TrimSpace(c.description) == "" {
				return shell.Misuse(cmd, "--description is empty: say what the trail does")
			}
			if len(args) == 0 {
				args = []string{cfg.TrailsDir()}
			}
			c.cfg = cfg
			return c.Run(cmd.Context(), args)
		},
	}
	c.flags(cmd)
	return cmd
}

func (c *runCmd) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&c.tags, "tags", nil,
		"only trails with one of these `tags` (a,b); given again, both must hold; !x excludes")
	f.StringP("device", "d", string(driver.WebPlatform),
		"`devices` to run on: web, web/<name>, android, android/<serial>, android/* for those connected; several with "+
			"commas")
	f.BoolVar(&c.allDevices, "all-devices", false, "run on a browser and on all connected phones")
	f.BoolVar(&c.perDevice, "per-device", false,
		"play each trail on every device that it is for, not on the first free one")
	f.String("browser", "", "`path` or name of the browser; default: the first that is found")
	f.Bool("headed", false, "show the browser")
	f.Bool("headless", true, "run the browser without a window")
	f.String("viewport", "1280x800", "`size` of the page")
	f.StringVar(&c.emulate, "emulate", "", "emulate a `device`, such as \"iPhone 14\"")
	f.StringSliceVar(&c.permissions, "permission", nil,
		"let pages do this: clipboard-read, geolocation, … (`names`, separated by commas)")
	f.StringVar(&c.geolocation, "geolocation", "",
		"tell pages to be at this `place`, such as 52.52,13.40; they need the permission to ask")
	f.StringVar(&c.storageState, "storage-state", "", "begin with the login state in this `file` (Playwright's format)")
	f.BoolVar(&c.allowFiles, "allow-files", false,
		"let trails open local files outside of the workspace, those that the policy lets them read")
	f.StringVar(&c.record, "record", "", "write what ran to this `file`, as a trail with durable selectors")
	f.StringVar(&c.description, "description", "",
		"make the trail, which is not there yet, of this `text` in plain language, and run it")
	f.StringArrayVar(&c.actors, "actor", nil, "with --description: one of those who act, and on which device: "+
		"`name=device`, such as alice=web")
	f.IntVar(&c.repeat, "repeat", 1,
		"play each trail `n` times")
	f.Int("retries", 0, "play a trail that fails up to `n` more times; a later pass is flaky")
	f.IntP("jobs", "j", 1, "play `n` trails at once, each in an isolated context")
	f.StringVar(&c.shard, "shard", "", "play only share `i/n` of the trails")
	f.Duration("timeout", 10*time.Minute, "stop an attempt at a trail after this `time`")
	f.Duration("step-timeout", time.Minute, "stop a step after this `time`")
	f.String("screenshots", "failure", "take pictures: `failure`, steps or off; with --storyboard steps, unless it is set")
	f.StringArrayVar(&c.memory, "memory", nil, "remember `name=value`")
	f.StringArrayVar(&c.secrets, "secret", nil,
		"remember `name=value` and show it nowhere; TRAILBLAZE_SECRET_<name> keeps it out of process lists")
	f.StringArrayVar(&c.origins, "secret-origin", nil, "type a secret only into pages of an origin: `name=https://…`")
	f.StringArrayVar(&c.args, "arg", nil, "value of a declared argument: `name=value`")
	f.StringVar(&c.argsFile, "args-file", "", "YAML or JSON `file` with values of declared arguments")
	f.String("base-url", "", "remember this `URL` as baseUrl")
	f.String("policy", "", "obey this policy `file`; default trails/config/policy.yaml, if there is one")
	c.outputs.flags(cmd)
	f.StringVar(&c.reportDir, "report-dir", "", "write the report into this `folder`")
	f.BoolVar(&c.noReport, "no-report", false, "write no report")
	_ = cmd.RegisterFlagCompletionFunc("device", c.completeDevices)
	f.BoolVar(&c.noLogging, "no-logging", false, "keep no session log, and so no report")
	f.BoolVar(&c.heal, "heal", false, "where a step finds its element no longer, look for what it has become, with a "+
		"model have the agent do what is left of the step, and propose a repair; nothing is written into trails (exit "+
		"status 4)")
	f.BoolVar(&c.trust, "trust", false, shell.TrustHelp)
	f.String("llm", "", "`model` for steps without a recording: provider/model, a provider or none; default: that of "+
		"the settings, else the first provider whose key is in the environment")
	shell.Exclusive(cmd, [2]string{"headed", "headless"}, [2]string{"no-report", "report-dir"},
		[2]string{"no-logging", "report-dir"}, [2]string{"no-logging", "junit"}, [2]string{"no-logging", "ctrf"},
		[2]string{"no-logging", "markdown"}, [2]string{"no-logging", "format"}, [2]string{"no-logging", "storyboard"},
		[2]string{"device", "all-devices"})
}

// completeDevices offers the platforms and the devices that are connected, the last after the commas of a list.
func (c *runCmd) completeDevices(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	before := word[:strings.LastIndexByte(word, ',')+1]
	cfg, err := c.Settings(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), shell.CompleteLimit)
	defer cancel()
	all := app.NewDevices(app.DeviceOptions{Config: cfg, Env: c.Getenv})
	defer func() { _ = all.Close() }()
	var out []string
	for name := range strings.SplitSeq(app.AllDevices(), ",") {
		out = append(out, before+name)
	}
	connected, _ := all.Available(ctx)
	for _, d := range connected {
		out = append(out, before+d.ID)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// Run plays the trails, writes the reports and says how it went.
func (c *runCmd) Run(ctx context.Context, args []string) error {
	c.paths = args
	if err := c.check(); err != nil {
		return err
	}
	if err := c.find(ctx); err != nil {
		return err
	}
	if c.description != "" {
		if err := c.generate(ctx); err != nil {
			return err
		}
	}
	jobs, err := c.jobs(c.selection)
	if err != nil {
		return err
	}
	if c.record != "" && len(jobs) != 1 {
		return fault.New(fault.Invalid, "read command line", "--record takes one trail, played once; there are %d", len(jobs))
	}
	c.id = session.NewID(time.Now(), "run")
	return c.play(ctx, jobs)
}

// check looks at what can be wrong before any file is read.
func (c *runCmd) check() error {
	bad := func(format string, args ...any) error {
		return fault.New(fault.Invalid, "read command line", format, args...)
	}
	c.baseURL = c.cfg.String("base-url")
	if c.root == "" {
		if c.root = c.cfg.Workspace; c.root == "" {
			dir, err := c.WorkingDir()
			if err != nil {
				return fault.Wrap(err, fault.Unavailable, "find working directory")
			}
			c.root = dir
		}
	}
	switch {
	case !slices.Contains([]string{"failure", "steps", "off"}, c.cfg.String("screenshots")):
		return bad("--screenshots %q is not failure, steps or off", c.cfg.String("screenshots"))
	case len(c.actors) > 0 && c.description == "":
		return bad("--actor is for a trail that --description makes; other trails name their actors in config.actors")
	case c.repeat < 1:
		return bad("--repeat must be 1 or more")
	case c.cfg.Int("jobs") < 1:
		return bad("--jobs must be 1 or more")
	}
	return c.outputs.check()
}

// find looks up the devices to run on.
func (c *runCmd) find(ctx context.Context) error {
	list := c.cfg.String("device")
	if c.allDevices {
		list = app.AllDevices()
	}
	all := app.NewDevices(app.DeviceOptions{Config: c.cfg, Env: c.Getenv})
	ids, err := all.Named(ctx, list)
	if err = errors.Join(err, all.Close()); err != nil {
		return err
	}
	c.connected = func(list string) ([]string, error) { return all.Named(ctx, list) }
	known := map[string]trail.Facts{}
	c.facts = func(id string) trail.Facts {
		if _, ok := known[id]; !ok {
			known[id] = all.Facts(ctx, id)
		}
		return known[id]
	}
	for _, id := range ids {
		p, err := app.PlatformOf(id)
		if err != nil {
			return err
		}
		c.devices = append(c.devices, replay.Device{ID: id, Classifiers: p.Classifiers, Made: p.Made})
		if !slices.ContainsFunc(c.platforms, func(q app.Platform) bool { return q.Name == p.Name }) {
			c.platforms = append(c.platforms, p)
		}
	}
	if len(c.platforms) > 1 && (c.heal || c.record != "" || c.description != "") {
		return fault.New(fault.Unsupported, "read command line",
			"--heal, --record and --description write for one platform; the devices are of %d", len(c.platforms)).
			WithHint("Give --device those of one platform.")
	}
	return nil
}

// classifiers are those of the devices' platform. On several platforms no model is asked and nothing is written into
// trails, so the first one stands for all.
func (c *runCmd) classifiers() []string { return c.platforms[0].Classifiers }

// play is the run itself.
func (c *runCmd) play(ctx context.Context, jobs []chosen) error {
	start := time.Now()
	r, err := c.runner(ctx)
	if err != nil {
		return err
	}
	defer r.Close(ctx)
	show := newProgress(c.Shell, len(jobs))
	suite := c.suite(ctx, r, jobs, show)
	if suite.Player.Assist, err = c.assist(ctx, r, jobs); err != nil {
		return err
	}
	if c.heal {
		if suite.Player.Find, err = c.models.Find(ctx, r, c.root, c.cfg.String("llm")); err != nil {
			return err
		}
	}
	blazing := func(job int) bool {
		return suite.Player.Assist != nil && repair.Unrecorded(jobs[job].Trail, c.classifiers())
	}
	show.later = blazing
	results := suite.Run(ctx)
	show.stop()

	took := time.Since(start)
	var doc runDoc
	for _, a := range suite.LeftOut {
		doc.Notes = append(doc.Notes, a.Device+" was left out: "+fault.FailureOf(a.Err).Message)
	}
	blazed := slices.ContainsFunc(results, func(r replay.JobResult) bool { return blazing(r.Job.Number) })
	c.keep(ctx, r, suite, jobs, results, blazed, &doc, func() { show.settle(results) })
	c.writeReports(ctx, results, &doc)
	return c.conclude(ctx, doc, results, took)
}

// runner wires what the trails are played with. It refuses a device and a policy that cannot be.
func (c *runCmd) runner(ctx context.Context) (*app.Runner, error) {
	state, err := app.StorageState(c.storageState)
	if err != nil {
		return nil, err
	}
	ws := app.NewWorkspace(c.root, c.cfg, nil)
	pol, err := ws.Policy.Current() // the one policy of the whole run
	if err != nil {
		return nil, err
	}
	env := c.Getenv
	if !c.trust {
		env = app.Trusted(c.cfg, pol, env, c.Warn)
	}
	o := app.RunnerOptions{
		Version: shell.BuildVersion().Version, Middleware: []dispatch.Middleware{pol.Middleware()},
		Devices: app.NewDevices(app.DeviceOptions{
			Config: c.cfg, Policy: func(string) (*policy.Policy, error) { return pol, nil },
			AllowFiles: c.allowFiles, Keep: true, Env: c.Getenv,
		}),
		Device: devices.Spec{
			ID: c.devices[0].ID, Emulate: c.emulate, Permissions: c.permissions, Geolocation: c.geolocation,
			StorageState: state, Workspace: c.root,
		},
		Seed: func(m *memory.Store) { pol.Seed(m, env) },
	}
	if !c.noLogging {
		o.Sessions = c.cfg.Sessions()
	}
	for _, d := range c.devices {
		spec := o.Device
		spec.ID = d.ID
		if err := o.Devices.Check(spec); err != nil {
			return nil, err
		}
	}
	o.Callback = app.NewCallback(nil)
	c.models = &app.Models{Settings: func(string) (*config.Config, error) { return c.cfg, nil }, Env: c.Getenv,
		Keyring: llm.Keyring, Named: inCI(c.Getenv), Trust: c.trust || c.Getenv(workspace.EnvTrust) == "1"}
	given := app.ToolOptions{Root: c.root, Trust: c.trust, Callback: o.Callback, Model: c.models.Of(c.root)}
	if o.Tools, err = c.LoadTools(ctx, c.cfg, given); err != nil {
		return nil, errors.Join(err, o.Devices.Close())
	}
	return app.NewRunner(o), nil
}

func (c *runCmd) suite(ctx context.Context, r *app.Runner, jobs []chosen, show *progress) *replay.Suite {
	s := &replay.Suite{
		Workers: c.cfg.Int("jobs"), Retries: c.cfg.Int("retries"), Timeout: c.cfg.Duration("timeout"), Player: r.Player(ctx),
		Devices: c.devices, Took: r.Took, Hold: c.hold,
	}
	s.Player.Screenshots = c.screenshots()
	s.Player.Observe, s.Player.StepTimeout = show.observe, c.cfg.Duration("step-timeout")
	s.Player.Heal, s.Player.Classifiers = c.heal, c.classifiers()
	if c.record != "" {
		s.Retries = 0 // a recording is of one playing
	}
	seeds := map[int]chosen{}
	c.logs = map[int]*event.Log{}
	for i, j := range jobs {
		seeds[i] = j
		s.Jobs = append(s.Jobs, j.Job)
	}
	s.Open = func(ctx context.Context, j replay.Job, _ int) (*session.Session,
		func(context.Context, event.Outcome, *fault.Failure), error) {
		playable := s.Player.On(j.Device).Check(j.Trail, nil) == nil
		mem := seeds[j.Number].memory()
		if id := c.target(j.Trail); id != "" && mem != nil {
			mem.Set(tool.TargetKey, id)
			if _, known := mem.Get("baseUrl"); !known && r.Tools.BaseURL(id) != "" {
				mem.Set("baseUrl", r.Tools.BaseURL(id))
			}
		}
		sess, end, err := r.SessionOn(ctx, j.Device.ID, jobTitle(j), mem, map[string]string{"run": c.id},
			playable && len(j.Actors) == 0)
		if err == nil && playable && len(j.Actors) > 0 {
			end, err = c.join(ctx, r, sess, j.Actors, end)
		}
		if err == nil && c.record != "" {
			c.played = sess.Log
		}
		if err == nil {
			c.logging.Lock()
			c.logs[j.Number] = sess.Log
			c.logging.Unlock()
		}
		return sess, end, err
	}
	return s
}

// screenshots says when pictures are taken: a storyboard shows each step, unless a person has set less.
func (c *runCmd) screenshots() replay.Screenshots {
	set, err := c.cfg.Get("screenshots")
	if err == nil && set.Source == "default" && c.storyboard != "" {
		return replay.EachStep
	}
	return replay.Screenshots(c.cfg.String("screenshots"))
}

// join opens the devices of the actors of a trail for its session. The returned function ends both.
func (c *runCmd) join(ctx context.Context, r *app.Runner, sess *session.Session, actors []replay.Actor,
	end func(context.Context, event.Outcome, *fault.Failure),
) (func(context.Context, event.Outcome, *fault.Failure), error) {
	leave, err := r.Join(ctx, sess, actors)
	if err != nil {
		end(ctx, event.OutcomeOf(err), fault.FailureOf(err))
		return nil, err
	}
	return func(ctx context.Context, o event.Outcome, f *fault.Failure) {
		leave()
		end(ctx, o, f)
	}, nil
}

// target is the app under test of a trail: the one that it names, else that of the project.
func (c *runCmd) target(t *trail.Trail) string {
	if t != nil && t.Config.Target != "" {
		return t.Config.Target
	}
	return c.cfg.String("target")
}
