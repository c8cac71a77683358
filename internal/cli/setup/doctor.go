package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/launch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/phone"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// doctorCmd walks the real path: each thing that it calls working has just worked.
type doctorCmd struct {
	*shell.Shell
	cfg    *config.Config
	checks []checkedDoc
	dead   bool     // a check failed that the next ones stand on
	ready  []string // the phones that can be driven

	runner *app.Runner
	shop   *demo.Shop
	sess   *session.Session
	end    func(context.Context, event.Outcome, *fault.Failure)
}

type doctorDoc struct {
	Schema   string           `json:"schema"`
	OK       bool             `json:"ok"`
	Version  string           `json:"version"`
	Checks   []checkedDoc     `json:"checks"`
	Settings []config.Setting `json:"settings"`
}

type checkedDoc struct {
	Name   string  `json:"name"`
	OK     bool    `json:"ok"`
	Ran    bool    `json:"ran"`
	MS     float64 `json:"ms"`
	Detail string  `json:"detail,omitempty"`
	Hint   string  `json:"hint,omitempty"`
}

// doctorTimeout bounds a check: a browser that hangs is an answer too.
const doctorTimeout = 20 * time.Second

// NewDoctor makes the command trailblaze doctor.
func NewDoctor(a *shell.Shell) *cobra.Command {
	c := &doctorCmd{Shell: a}
	cmd := &cobra.Command{
		Use: "doctor", Short: "Walk the real path: launch, navigate, look, click, close", GroupID: "setup",
		Long: `Walk the path that every run takes, on a page of our own, and say what each part took and what to do
about what does not work: folders, phones, our helper on each of them, the JDK that a phone to test on needs, browser,
launch, navigation, capture, click, assertion, picture, close. A machine without phones or a JDK is well.`,
		Example: "  trailblaze doctor\n  trailblaze doctor --browser /opt/chrome/chrome --json",
		Args:    shell.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if c.cfg, err = a.Settings(cmd); err != nil {
				return err
			}
			return c.Run(cmd.Context(), args)
		},
	}
	cmd.Flags().String("browser", "", "`path` or name of the browser")
	cmd.Flags().Bool("headed", false, "show the browser")
	return cmd
}

// Run walks the path and prints what it found.
func (c *doctorCmd) Run(ctx context.Context, _ []string) error {
	if !c.JSON {
		c.Printf("%s on %s\n", c.Style().Bold("trailblaze "+shell.BuildVersion().Version), thisMachine().os)
	}
	for _, step := range []struct {
		name  string
		do    func(context.Context) (string, error)
		alone bool // no other stands on it
	}{
		{"folders", c.folders, false}, {"phones", c.phones, true}, {"helper", c.helper, true}, {"java", c.java, true},
		{"browser", c.browser, false}, {"launch", c.launch, false}, {"navigate", c.navigate, false},
		{"snapshot", c.snapshot, false}, {"click", c.click, false}, {"verify", c.verify, false},
		{"screenshot", c.screenshot, false}, {"close", c.close, false},
	} {
		c.dead = !c.check(ctx, step.name, step.do) && !step.alone || c.dead
	}
	c.cleanUp(ctx)
	doc := doctorDoc{Schema: "trailblaze.doctor/1", OK: true, Version: shell.BuildVersion().Version, Checks: c.checks,
		Settings: c.cfg.Settings()}
	for _, k := range c.checks {
		doc.OK = doc.OK && k.OK
	}
	if c.JSON {
		if err := c.PrintJSON(doc); err != nil {
			return err
		}
	} else if doc.OK {
		c.Printf("%s\n", c.Style().Good("All well."))
	}
	if !doc.OK {
		return shell.Exit(shell.ExitBroken)
	}
	return nil
}

// check does one part and prints it at once, so that a part that hangs is seen to. It reports whether the part works.
func (c *doctorCmd) check(ctx context.Context, name string, do func(context.Context) (string, error)) bool {
	k := checkedDoc{Name: name}
	if !c.dead {
		ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
		start := time.Now()
		detail, err := do(ctx)
		cancel()
		k.Ran, k.OK, k.Detail, k.MS = true, err == nil, detail, float64(time.Since(start).Microseconds())/1000
		if err != nil {
			k.Detail, k.Hint = err.Error(), fault.HintOf(err)
		}
	}
	c.checks = append(c.checks, k)
	if c.JSON {
		return k.OK
	}
	st := c.Style()
	switch {
	case !k.Ran:
		c.Printf("  %s %s\n", st.Dim("-"), st.Dim(name))
	case k.OK:
		c.Printf("  %s %-11s %7.1f ms  %s\n", st.Good("✓"), name, k.MS, st.Dim(k.Detail))
	default:
		c.Printf("  %s %-11s %7.1f ms  %s\n", st.Bad("✗"), name, k.MS, k.Detail)
		if k.Hint != "" {
			c.Printf("    %s %s\n", st.Warn("do:"), k.Hint)
		}
	}
	return k.OK
}

func (c *doctorCmd) folders(context.Context) (string, error) {
	for _, dir := range []string{c.cfg.Sessions(), c.cfg.Reports()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", fault.New(fault.Denied, "make folder", "%w", err).
				WithHint("Set $%s to a folder that may be written.", homedir.Env)
		}
		f, err := os.CreateTemp(dir, ".doctor-*")
		if err != nil {
			return "", fault.New(fault.Denied, "write to folder", "%w", err).
				WithHint("Set $%s to a folder that may be written.", homedir.Env)
		}
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	return filepath.Dir(c.cfg.Sessions()), nil
}

// phones says which Android phones could be driven. A machine without any is well.
func (c *doctorCmd) phones(ctx context.Context) (string, error) {
	path, err := adb.Find(os.Getenv)
	s := adb.NewServer(os.Getenv)
	switch runs := s.Runs(ctx); {
	case err != nil && !runs:
		return "none: there is no adb, which drives Android phones", nil
	case err != nil:
		path = "the adb server at " + s.Address()
	case !runs:
		return path + ", whose server does not run", nil
	}
	list, err := s.Phones(ctx)
	if err != nil {
		return path + ": " + err.Error(), nil
	}
	out := path + ", " + phrase.Count(len(list), "phone")
	for _, l := range list {
		out += ", " + l.Serial
		if err := l.Unready(); err != nil {
			out += " (" + l.State + ": " + fault.HintOf(err) + ")"
		} else {
			c.ready = append(c.ready, l.Serial)
		}
	}
	return out, nil
}

// helper starts our program on each phone that can be driven, and ends it again.
func (c *doctorCmd) helper(ctx context.Context) (string, error) {
	var works []string
	for _, serial := range c.ready {
		hello, err := android.Try(ctx, adb.NewServer(os.Getenv), serial)
		if err != nil {
			return "", fault.Wrap(err, "", "try helper on "+serial)
		}
		works = append(works, fmt.Sprintf("%s (API %d)", serial, hello.API))
	}
	if len(works) == 0 {
		return "no phone to start it on", nil
	}
	return "starts on " + strings.Join(works, ", "), nil
}

// java says whether this machine could start a phone to test on. One without Java is well.
func (c *doctorCmd) java(ctx context.Context) (string, error) {
	jdk, err := phone.JDK(ctx)
	if err != nil && ctx.Err() == nil {
		return "none for `trailblaze phone start`: " + err.Error(), nil
	}
	return jdk, err
}

func (c *doctorCmd) browser(context.Context) (string, error) {
	return launch.Find(c.cfg.String("browser"))
}

func (c *doctorCmd) launch(ctx context.Context) (string, error) {
	tools, err := app.Tools(app.ToolOptions{}) // those that are built in
	if err != nil {
		return "", err
	}
	r := app.NewRunner(app.RunnerOptions{
		Tools: tools, Devices: app.NewDevices(app.DeviceOptions{Config: c.cfg}),
		Device: devices.Spec{ID: string(driver.WebPlatform)}, Version: shell.BuildVersion().Version,
	})
	c.runner = r
	if c.sess, c.end, err = r.Session(ctx, "doctor", memory.New(), nil, true); err != nil {
		return "", err
	}
	return c.sess.Info().Browser, nil
}

func (c *doctorCmd) navigate(ctx context.Context) (string, error) {
	var err error
	if c.shop, err = demo.Serve(context.WithoutCancel(ctx)); err != nil {
		return "", err
	}
	return c.call(ctx, tool.OpenPage, map[string]any{"url": c.shop.URL + "/product/cedar-mug"})
}

func (c *doctorCmd) snapshot(ctx context.Context) (string, error) {
	snap, err := c.sess.Device.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return "", err
	}
	return "quality " + snap.Quality.Verdict, nil
}

func (c *doctorCmd) click(ctx context.Context) (string, error) {
	return c.call(ctx, tool.Click, map[string]any{"ref": `button "Add to cart"`})
}

func (c *doctorCmd) verify(ctx context.Context) (string, error) {
	return c.call(ctx, tool.CheckText, map[string]any{"text": "Added Cedar Mug to your cart"})
}

func (c *doctorCmd) screenshot(ctx context.Context) (string, error) {
	img, err := c.sess.Device.Screenshot(ctx, driver.ScreenshotOptions{})
	if err != nil {
		return "", err
	}
	return sizeText(len(img.Data)), nil
}

func (c *doctorCmd) close(ctx context.Context) (string, error) {
	c.cleanUp(ctx)
	return "", nil
}

func (c *doctorCmd) cleanUp(ctx context.Context) {
	if c.end != nil {
		c.end(ctx, event.Passed, nil)
		c.end = nil
	}
	if c.runner != nil {
		c.runner.Close(ctx)
		c.runner = nil
	}
	if c.shop != nil {
		_ = c.shop.Close()
		c.shop = nil
	}
}

func (c *doctorCmd) call(ctx context.Context, p tool.Purpose, args map[string]any) (string, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return "", fault.Wrap(err, fault.Internal, string(p))
	}
	name := c.runner.Registry.Call(p, c.sess.Device.Info().Platform)
	res, err := c.runner.Dispatcher.Call(ctx, c.sess, dispatch.CLI, tool.Call{Name: name, Args: raw})
	if err != nil {
		return "", err
	}
	return phrase.Clip(res.Text(), 90), res.Err()
}

func sizeText(n int) string { return fmt.Sprintf("%d kB", n/1024) }
