package android

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

var _ driver.AppManager = (*Device)(nil)

// The modes of LaunchApp, by upstream's names.
const (
	reinstall    = "REINSTALL" // begins without data; upstream installs nothing either
	forceRestart = "FORCE_RESTART"
	resume       = "RESUME"
)

var appID = regex.Lazy(`^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$`)

// LaunchApp implements driver.AppManager. An id is a package, or a package and one of its activities: a.b/.Main.
func (d *Device) LaunchApp(ctx context.Context, id, mode string) (*driver.Effect, error) {
	const op = "launch app"
	app, activity, _ := strings.Cut(id, "/")
	if err := checkApp(app, op); err != nil {
		return nil, err
	}
	p, done, err := d.begin(ctx, op)
	if err != nil {
		return nil, err
	}
	defer done()
	p.app = app
	d.mu.Lock()
	d.started = app
	d.mu.Unlock()
	d.note(app)
	switch strings.ToUpper(mode) {
	case "", reinstall:
		err = d.clearData(ctx, app)
	case forceRestart:
		err = d.stop(ctx, app)
	case resume:
	default:
		err = fault.New(fault.Invalid, op, "there is no launch mode %q", mode).
			WithHint("Use REINSTALL, FORCE_RESTART or RESUME.")
	}
	if err == nil && activity == "" {
		id, err = d.launcher(ctx, app)
	}
	if err == nil {
		err = d.start(ctx, "-n", id)
	}
	if err == nil {
		p.logged = d.log.started(ctx, p.logged, app)
		err = p.settle(ctx)
	}
	// A first screen that only leads to another one may be gone before that has a window.
	for end := time.Now().Add(fitTime); err == nil && p.before.app() != app && p.log.crash(p.logged, app) == ""; {
		left := time.Until(end)
		if left <= 0 {
			break
		}
		if _, err = p.await(ctx, p.before.Changes, left); err == nil {
			err = p.settle(ctx)
		}
	}
	if err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	if err := p.crashed(ctx); err != nil {
		return &p.effect, err
	}
	if p.before.app() != app {
		return &p.effect, fault.New(fault.NotActed, op, "%s was started, but another app is in front", app).
			WithHint("Look at the screen: a question of the system may be open. The phone's log says if the app ended.")
	}
	p.effect.Changes.Verified, p.effect.App = true, d.version(ctx, app)
	return &p.effect, nil
}

var versions = regex.Lazy(`version(Name|Code)=(\S+)`)

// version names an app with its version, as far as the phone says it: dev.trailblaze.shop 1.2 (34).
func (d *Device) version(ctx context.Context, app string) string {
	said, _, _, _ := d.Run(ctx, "dumpsys package "+app+" | grep -m 2 version") // a phone without it is none the worse
	name, code := "", ""
	for _, m := range versions().FindAllStringSubmatch(said, -1) {
		if m[1] == "Name" && name == "" {
			name = " " + m[2]
		} else if m[1] == "Code" && code == "" {
			code = " (" + m[2] + ")"
		}
	}
	return app + name + code
}

// launchedApps are the apps that were launched through a device.
type launchedApps struct {
	mu    sync.Mutex
	names []string
}

func (l *launchedApps) note(app string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.names, app) {
		l.names = append(l.names, app)
	}
}

// LaunchedApps lists them, for those who clean the device after a client.
func (l *launchedApps) LaunchedApps() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.names)
}

// begin looks at the screen before something is started, and keeps other actions waiting until done.
func (d *Device) begin(ctx context.Context, op string) (p *act, done func(), err error) {
	if err := d.usable(ctx, op); err != nil {
		return nil, nil, err
	}
	select {
	case d.acting <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, fault.Wrap(context.Cause(ctx), "", op)
	}
	p, done = &act{Device: d, op: op, logged: d.log.newest()}, func() { <-d.acting }
	if p.before, err = d.tree(ctx, 0); err != nil {
		done()
		return nil, nil, err
	}
	return p, done, nil
}

// OpenURL has the app that is for an address open it, as a link does.
func (d *Device) OpenURL(ctx context.Context, address string) (*driver.Effect, error) {
	const op = "open URL"
	if u, err := url.Parse(address); err != nil || u.Scheme == "" {
		return nil, fault.New(fault.Invalid, op, "%.80q is no URL with a scheme", address).
			WithHint("A phone opens whole addresses, such as https://example.com or shop://cart.")
	}
	p, done, err := d.begin(ctx, op)
	if err != nil {
		return nil, err
	}
	defer done()
	if err = d.start(ctx, "-a", "android.intent.action.VIEW", "-d", address); err == nil {
		err = p.settle(ctx)
	}
	if err == nil {
		err = p.crashed(ctx)
	}
	return &p.effect, fault.Wrap(err, "", op)
}

func checkApp(id, op string) error {
	if !appID().MatchString(id) {
		return fault.New(fault.Invalid, op, "%.80q is not the id of an app", id).
			WithHint("An id is a package name such as com.example.shop; `pm list packages` lists them.")
	}
	return nil
}

// launcher finds the activity that a launcher would start.
func (d *Device) launcher(ctx context.Context, app string) (string, error) {
	said, _, _, err := d.Run(ctx, "cmd package resolve-activity --brief -a android.intent.action.MAIN "+
		"-c android.intent.category.LAUNCHER "+app)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, app+"/") {
			return line, nil
		}
	}
	return "", fault.New(fault.NotFound, "find the app's first screen",
		"%s is not installed, or has no screen to start with", app).
		WithHint("`pm list packages` in the phone's shell lists what is installed.")
}

// start starts an activity: -n and its name, or an intent. am says with a status of 0, too, that it could not.
func (d *Device) start(ctx context.Context, intent ...string) error {
	line := "am start -W"
	for _, arg := range intent {
		line += " " + adb.Quote(arg)
	}
	out, problem, exit, err := d.Run(ctx, line)
	if err != nil {
		return err
	}
	said := out + problem
	if exit != 0 || strings.Contains(said, "Error") {
		return fault.New(fault.NotFound, "start "+intent[len(intent)-1], "am says: %.300s", strings.TrimSpace(said)).
			WithHint("Is the app installed, and is the activity one that others may start?")
	}
	return nil
}

// StopApp implements driver.AppManager.
func (d *Device) StopApp(ctx context.Context, id string) error {
	if err := checkApp(id, "stop app"); err != nil {
		return err
	}
	return fault.Wrap(d.stop(ctx, id), "", "stop app")
}

func (d *Device) stop(ctx context.Context, id string) error { return d.run(ctx, "am force-stop "+id) }

// ClearAppData implements driver.AppManager.
func (d *Device) ClearAppData(ctx context.Context, id string) error {
	const op = "clear app data"
	if err := checkApp(id, op); err != nil {
		return err
	}
	return fault.Wrap(d.clearData(ctx, id), "", op)
}

// clearData removes an app's data. pm says Success, whatever its status is.
func (d *Device) clearData(ctx context.Context, id string) error {
	out, problem, _, err := d.Run(ctx, "pm clear "+id)
	if err != nil {
		return err
	}
	if !strings.Contains(out, "Success") {
		said := strings.TrimSpace(out + problem)
		return fault.New(fault.NotActed, "clear the data of "+id, "pm says: %.300s", said).
			WithHint("Is the app installed? The launch mode FORCE_RESTART keeps its data.")
	}
	return nil
}

// run runs a line that has nothing to say but why it failed.
func (d *Device) run(ctx context.Context, line string) error {
	if err := d.usable(ctx, line); err != nil {
		return err
	}
	_, err := adb.Run(ctx, d.phone, line)
	return err
}

// InstalledApps implements driver.AppManager.
func (d *Device) InstalledApps(ctx context.Context) ([]string, error) {
	const op = "list installed apps"
	if err := d.usable(ctx, op); err != nil {
		return nil, err
	}
	said, err := adb.Run(ctx, d.phone, "pm list packages")
	if err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	out := []string{}
	for line := range strings.Lines(said) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "package:"); ok {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out, nil
}
