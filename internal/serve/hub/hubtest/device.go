package hubtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Device is a browser that exists only in memory. Its page shows the name of the device and the calls on it.
type Device struct {
	*tooltest.Device
	Spec devices.Spec

	mu       sync.Mutex
	url      string
	done     []string
	value    string
	wedged   chan struct{} // closed when the page answers again; nil: it answers
	stubborn bool
	held     chan struct{} // actions wait until it is closed
	entered  chan string
	dead     bool
	closed   bool
	launched []string
	cleared  []string
	unclean  error
}

// phone is a device with apps.
type phone struct{ *Device }

var _ driver.AppManager = phone{}

// LaunchApp implements driver.AppManager.
func (p phone) LaunchApp(_ context.Context, id, _ string) (*driver.Effect, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.launched = append(p.launched, id)
	return &driver.Effect{}, nil
}

// StopApp implements driver.AppManager.
func (p phone) StopApp(context.Context, string) error { return nil }

// ClearAppData implements driver.AppManager.
func (p phone) ClearAppData(ctx context.Context, id string) error {
	if err := p.answer(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unclean != nil {
		return p.unclean
	}
	p.cleared = append(p.cleared, id)
	return nil
}

// InstalledApps implements driver.AppManager.
func (p phone) InstalledApps(context.Context) ([]string, error) { return []string{"com.shop"}, nil }

// LaunchedApps lists what was launched.
func (p phone) LaunchedApps() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.launched...)
}

// Launch notes that an app of a phone was launched.
func (d *Device) Launch(id string) { _, _ = phone{d}.LaunchApp(context.Background(), id, "") }

// Cleared lists the apps whose data was removed.
func (d *Device) Cleared() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.cleared...)
}

// Unclean has the data of apps not be removed.
func (d *Device) Unclean(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unclean = err
}

var (
	_ driver.Device      = (*Device)(nil)
	_ driver.Navigator   = (*Device)(nil)
	_ driver.Lifeline    = (*Device)(nil)
	_ driver.Interrupter = (*Device)(nil)
)

func newDevice(spec devices.Spec) *Device {
	d := &Device{Spec: spec, url: "about:blank", entered: make(chan string, 1024)}
	d.Device = tooltest.NewDevice(d.page())
	return d
}

// page returns the device's present screen: a heading, a field (e1), a button (e2), a link (e3), its own name, the
// last action.
func (d *Device) page() *screen.Snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := "nothing was done"
	if n := len(d.done); n > 0 {
		last = fmt.Sprintf("%d done, last: %s", n, d.done[n-1])
	}
	box := func(y float64) screen.Rect { return screen.Rect{X: 10, Y: y, W: 200, H: 30} }
	node := func(role, name, ref string, y float64, tag string) *screen.Node {
		return &screen.Node{Role: role, Name: name, Ref: ref, Bounds: box(y), Native: &screen.Web{Tag: tag}}
	}
	field := node("textbox", "Search", "e1", 50, "input")
	field.Value = d.value
	s := tooltest.Page(
		node("heading", "Shop on "+d.Spec.ID, "", 10, "h1"),
		field,
		node("button", "Buy", "e2", 90, "button"),
		node("link", "Cart", "e3", 130, "a"),
		node("paragraph", last, "", 170, "p"),
	)
	s.URL = d.url
	return s
}

func (d *Device) note(what string) {
	d.mu.Lock()
	d.done = append(d.done, what)
	d.mu.Unlock()
	d.Show(d.page())
}

// Done lists the calls on the device.
func (d *Device) Done() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.done...)
}

// Entered receives the name of every action as it begins, before Hold stops it.
func (d *Device) Entered() <-chan string { return d.entered }

// Hold stops every action until release is called, or its context ends.
func (d *Device) Hold() (release func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	held := make(chan struct{})
	d.held = held
	return sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.held == held {
			d.held = nil
		}
		close(held)
	})
}

// Wedge makes the page answer nothing any more, as an endless loop in a script does, until it is interrupted. A
// stubborn page cannot be interrupted either.
func (d *Device) Wedge(stubborn bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wedged, d.stubborn = make(chan struct{}), stubborn
}

// Kill ends the device as the death of its browser would.
func (d *Device) Kill() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
	if d.wedged != nil {
		close(d.wedged)
		d.wedged = nil
	}
}

// Closed reports whether the device was closed.
func (d *Device) Closed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}

// answer waits until the page answers.
func (d *Device) answer(ctx context.Context) error {
	d.mu.Lock()
	wedged, dead := d.wedged, d.dead || d.closed
	d.mu.Unlock()
	if dead {
		return fault.New(fault.Unavailable, "use device", "the browser is gone")
	}
	if wedged == nil {
		return ctx.Err()
	}
	select {
	case <-wedged:
		return d.answer(ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Info implements driver.Device.
func (d *Device) Info() driver.Info {
	i := d.Device.Info()
	i.ID = d.Spec.ID
	return i
}

// Snapshot implements driver.Device.
func (d *Device) Snapshot(ctx context.Context, o driver.SnapshotOptions) (*screen.Snapshot, error) {
	if err := d.answer(ctx); err != nil {
		return nil, err
	}
	return d.Device.Snapshot(ctx, o)
}

// Screenshot implements driver.Device.
func (d *Device) Screenshot(ctx context.Context, o driver.ScreenshotOptions) (driver.Image, error) {
	if err := d.answer(ctx); err != nil {
		return driver.Image{}, err
	}
	return d.Device.Screenshot(ctx, o)
}

// Gone implements driver.Lifeline.
func (d *Device) Gone() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

// Interrupt implements driver.Interrupter.
func (d *Device) Interrupt(ctx context.Context) (string, error) {
	d.mu.Lock()
	wedged, stubborn := d.wedged, d.stubborn
	if wedged != nil && !stubborn {
		close(wedged)
		d.wedged = nil
	}
	d.mu.Unlock()
	switch {
	case wedged == nil:
		return "", nil
	case stubborn:
		<-ctx.Done()
		return "", ctx.Err()
	}
	return "its script was ended.", nil
}

// Close implements driver.Device.
func (d *Device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.wedged != nil {
		close(d.wedged)
		d.wedged = nil
	}
	return nil
}

// Device is the newest device that was opened under an id, nil when none was.
func (p *Provider) Device(id string) *Device {
	all := p.Opened(id)
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// URL implements driver.Navigator.
func (d *Device) URL(context.Context) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.url, nil
}
