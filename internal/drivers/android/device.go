package android

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/automation"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Driver is upstream's name for a driver that reads the accessibility tree.
const Driver = "ANDROID_ONDEVICE_ACCESSIBILITY"

// Options shape a Device.
type Options struct {
	ID     string // "": android/ and the serial
	Server *adb.Server
	Serial string     // "": the only phone, or the one that ANDROID_SERIAL names
	Own    adb.Device // the phone that this program runs on, in place of Server; ID is needed
	Folder string     // on the phone, for the helper; "": automation.Folder
}

// asker answers the requests of the helper's wire.
type asker interface {
	Call(ctx context.Context, request, out any) error
	Close()
}

// Device is one phone.
type Device struct {
	phone   adb.Device
	ask     asker
	limited string // why the phone's own programs stand in for the helper; "": they do not
	acting  chan struct{}
	life    context.Context // of what follows the phone
	end     context.CancelFunc
	work    sync.WaitGroup
	log     *log
	left    struct { // by the action before: guarded by acting
		app    string // that was in front
		logged uint64 // the newest line of the log
	}

	launchedApps

	mu      sync.Mutex // guards what follows
	info    driver.Info
	names   *names
	seq     uint64
	byID    map[screen.NodeID]*node
	changes map[uint64]int64 // of the screen, by the number of a capture
	started string           // the app that was started last
	inFront string           // the app in front, as the newest capture has it
	pids    struct {         // that have logged errors
		apps string          // which are asked about
		ours map[string]bool // whether a process is one of theirs
	}
	secrets func() driver.Secrets
	gone    bool
	closed  bool
}

var (
	_ driver.Device    = (*Device)(nil)
	_ driver.Waiter    = (*Device)(nil)
	_ driver.StaleRefs = (*Device)(nil)
	_ driver.Lifeline  = (*Device)(nil)
	_ driver.Concealer = (*Device)(nil)
	_ driver.Console   = (*Device)(nil)
	_ driver.Clipboard = (*Device)(nil)
	_ screen.Namer     = (*Device)(nil)
)

// Open connects to a phone and starts the helper on it.
func Open(ctx context.Context, o Options) (*Device, error) {
	const op = "open device"
	d := &Device{
		phone: o.Own, acting: make(chan struct{}, 1), names: newNames(), changes: map[uint64]int64{}, log: &log{},
	}
	w := &warm{
		phone: o.Own, folder: cmp.Or(o.Folder, automation.Folder), turn: make(chan struct{}, 1),
		await: func(context.Context) error { return nil },
	}
	serial := ""
	if o.Own == nil {
		var err error
		if serial, err = choose(ctx, o.Server, o.Serial); err != nil {
			return nil, fault.Wrap(err, "", op)
		}
		if o.ID == "" {
			o.ID = string(driver.AndroidPlatform) + "/" + serial
		}
		d.phone = o.Server.Phone(serial)
		w.phone, w.await = d.phone, func(ctx context.Context) error { return o.Server.Await(ctx, serial) }
	}
	hello, err := w.hello(ctx)
	switch {
	case err == nil:
		d.ask = w
	case ctx.Err() != nil:
		return nil, fault.Wrap(err, "", op)
	default:
		p := &programs{phone: d.phone}
		if problem := p.Call(ctx, map[string]any{"do": "hello"}, &hello); problem != nil {
			return nil, fault.Wrap(err, "", op)
		}
		var problem error
		if p.appium, problem = findAppium(ctx, d.phone); problem != nil {
			err = errors.Join(err, problem)
		}
		d.ask, d.limited = p, "the helper did not start, so that "+p.reader()+" gives the tree: "+err.Error()
	}
	d.info = driver.Info{
		ID: o.ID, Platform: driver.AndroidPlatform, Driver: Driver, Width: hello.Width, Height: hello.Height,
		Classifiers: []string{string(driver.AndroidPlatform), formFactor(hello)},
		Version:     d.describe(ctx, hello.API),
	}
	d.life, d.end = context.WithCancel(context.WithoutCancel(ctx))
	if o.Own == nil {
		d.work.Go(func() { d.follow(o.Server, serial) })
	}
	d.work.Go(func() { d.log.follow(d.life, d.phone, w.await) })
	return d, nil
}

// Ask returns the size and the API level of a phone. It starts nothing on it.
func Ask(ctx context.Context, server *adb.Server, serial string) (automation.Hello, error) {
	serial, err := choose(ctx, server, serial)
	if err != nil {
		return automation.Hello{}, fault.Wrap(err, "", "ask phone")
	}
	return (&programs{phone: server.Phone(serial)}).hello(ctx)
}

// Try starts the helper on a phone and ends it again. While another program has the helper's place there it is refused,
// and that program goes on.
func Try(ctx context.Context, server *adb.Server, serial string) (automation.Hello, error) {
	c, err := automation.Start(ctx, server.Phone(serial), automation.Folder)
	if err != nil {
		return automation.Hello{}, err
	}
	defer c.Close()
	return c.Hello, nil
}

// describe names the phone, its system and how full its battery is: Android 15 (API 35), Pixel 9, battery 80%.
func (d *Device) describe(ctx context.Context, api int) string {
	out := "Android"
	res, err := d.phone.Shell(ctx, adb.Command{
		Line: "getprop ro.build.version.release; getprop ro.product.model; dumpsys battery | grep level",
	})
	level := ""
	lines := []string{"", "", ""}
	if err == nil && res.Exit == 0 {
		copy(lines, strings.Split(string(res.Stdout), "\n"))
		_, level, _ = strings.Cut(lines[2], "level: ")
	}
	if release := strings.TrimSpace(lines[0]); release != "" {
		out += " " + release
	}
	out += " (API " + strconv.Itoa(api) + ")"
	if model := strings.TrimSpace(lines[1]); model != "" {
		out += ", " + model
	}
	if level = strings.TrimSpace(level); level != "" {
		out += ", battery " + level + "%"
	}
	return out
}

// formFactor tells tablets, whose shorter side is at least 600 dp, from phones.
func formFactor(h automation.Hello) string {
	if h.Density > 0 && min(h.Width, h.Height)*160/h.Density >= 600 {
		return "tablet"
	}
	return "phone"
}

// choose finds the serial of the phone that is meant.
func choose(ctx context.Context, s *adb.Server, serial string) (string, error) {
	const op = "choose phone"
	if serial == "" {
		serial = s.Preferred()
	}
	list, err := s.Phones(ctx)
	if err != nil {
		return "", err
	}
	var ready, all []string
	for _, l := range list {
		if l.Serial == serial {
			if l.Unready() != nil && strings.Contains(serial, ":") {
				break // it is connected to anew
			}
			return serial, l.Unready()
		}
		all = append(all, l.Serial)
		if l.State == adb.Ready {
			ready = append(ready, l.Serial)
		}
	}
	switch {
	case serial != "" && strings.Contains(serial, ":"):
		return serial, s.Await(ctx, serial)
	case serial != "" && len(all) > 0:
		return "", fault.New(fault.NotFound, op, "no phone %q is connected; there are: %s", serial, strings.Join(all, ", ")).
			WithHint("`adb devices -l` lists what adb sees.")
	case len(ready) == 1:
		return ready[0], nil
	case len(ready) > 1:
		return "", fault.New(fault.Conflict, op, "there are %d phones: %s", len(ready), strings.Join(ready, ", ")).
			WithHint("Name one, such as android/%s, or set ANDROID_SERIAL.", ready[0])
	case len(list) > 0 && strings.Contains(list[0].Serial, ":"):
		return list[0].Serial, s.Await(ctx, list[0].Serial)
	case len(list) > 0:
		return "", list[0].Unready()
	}
	return "", fault.New(fault.NotFound, op, "no phone is connected to the adb server at %s", s.Address()).
		WithHint("Plug one in with USB debugging on, start an emulator, or `adb connect` one on the network. A daemon asks " +
			"the server that was named to it as it started: `trailblaze daemon stop` has the next command name another.")
}

// follow notices when the phone goes away. The adb server may end, as `adb kill-server` has it: the next one is asked.
func (d *Device) follow(s *adb.Server, serial string) {
	for d.life.Err() == nil {
		_ = s.Track(d.life, func(list []adb.Listed) {
			if !slices.ContainsFunc(list, func(l adb.Listed) bool {
				return l.Serial == serial && l.State == adb.Ready
			}) {
				d.lost()
			}
		})
		if d.Gone() || d.life.Err() != nil {
			return
		}
		if s.Await(d.life, serial) != nil {
			d.lost()
			return
		}
	}
}

func (d *Device) lost() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gone = true
}

// Gone implements driver.Lifeline.
func (d *Device) Gone() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.gone
}

// Info implements driver.Device.
func (d *Device) Info() driver.Info {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.info
}

// Close implements driver.Device. The phone stays as it is.
func (d *Device) Close() error {
	d.mu.Lock()
	closed := d.closed
	d.closed = true
	d.mu.Unlock()
	if !closed {
		d.end()
		d.ask.Close()
	}
	d.work.Wait()
	return nil
}

// usable is the reason why nothing can be asked of the device.
func (d *Device) usable(ctx context.Context, op string) error {
	if ctx.Err() != nil {
		return fault.Wrap(context.Cause(ctx), "", op)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return fault.New(fault.Unavailable, op, "%s is closed", d.info.ID)
	}
	return nil
}

// tree reads the screen, with what views have said of clicks since a time, unless that is 0.
func (d *Device) tree(ctx context.Context, since int64) (*tree, error) {
	t, request := &tree{}, map[string]any{"do": "tree"}
	if since > 0 {
		request["clicks"] = since
	}
	if err := d.ask.Call(ctx, request, t); err != nil {
		return nil, fault.Wrap(err, "", "read screen")
	}
	if d.limited != "" {
		t.reasons = append(t.reasons, d.limited)
	}
	t.link()
	d.mu.Lock()
	d.info.Width, d.info.Height = t.Width, t.Height // a phone turns
	d.mu.Unlock()
	return t, nil
}

// Snapshot implements driver.Device.
func (d *Device) Snapshot(ctx context.Context, _ driver.SnapshotOptions) (*screen.Snapshot, error) {
	const op = "capture screen"
	if err := d.usable(ctx, op); err != nil {
		return nil, err
	}
	t, err := d.tree(ctx, 0)
	if err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.snapshot(t)
	d.changes[s.Seq] = t.Changes
	delete(d.changes, s.Seq-keptChanges)
	return s, nil
}

// keptChanges is the number of captures whose changes can be waited for exactly.
const keptChanges = 64

// waitSlice is the time of one question to the helper, which answers it at the first change.
const waitSlice = 10 * time.Second

// WaitChange implements driver.Waiter.
func (d *Device) WaitChange(ctx context.Context, since *screen.Snapshot) error {
	const op = "wait for a change"
	if err := d.usable(ctx, op); err != nil {
		return err
	}
	from := int64(-1)
	if since != nil {
		d.mu.Lock()
		if c, ok := d.changes[since.Seq]; ok {
			from = c
		}
		d.mu.Unlock()
	}
	if from < 0 {
		var err error
		if from, err = d.await(ctx, from, 0); err != nil {
			return fault.Wrap(err, "", op)
		}
	}
	for {
		if now, err := d.await(ctx, from, waitSlice); err != nil || now != from {
			return fault.Wrap(err, "", op)
		}
	}
}

// await waits until the count of changes is another one, for at most so long, and returns it. The phone does not wait
// for longer than the caller.
func (d *Device) await(ctx context.Context, since int64, most time.Duration) (int64, error) {
	if end, ok := ctx.Deadline(); ok {
		most = min(most, max(time.Until(end), 0)+quiet)
	}
	var now struct{ Changes int64 }
	err := d.ask.Call(ctx, map[string]any{"do": "wait", "since": since, "most": most.Milliseconds()}, &now)
	return now.Changes, err
}

// WriteFile writes a file on the phone.
func (d *Device) WriteFile(ctx context.Context, path string, data []byte) error {
	const op = "write a file on the phone"
	if err := d.usable(ctx, op); err != nil {
		return err
	}
	return fault.Wrap(d.phone.Push(ctx, path, 0o644, bytes.NewReader(data)), "", op)
}

// Run runs a line in the phone's shell. A status other than 0 is no error.
func (d *Device) Run(ctx context.Context, line string) (stdout, stderr string, exit int, err error) {
	if err := d.usable(ctx, "run a command on the phone"); err != nil {
		return "", "", 0, err
	}
	res, err := d.phone.Shell(ctx, adb.Command{Line: line})
	if err != nil {
		return "", "", 0, err
	}
	return string(res.Stdout), string(res.Stderr), res.Exit, nil
}
