package attend

import (
	"context"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/gesture"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Device is a device that a person acts on. A call that is made for a gesture finds the screen as it was before that,
// and its action is the gesture; outside of such calls it is the device itself.
type Device struct {
	driver.Device

	mu    sync.Mutex
	now   *gesture.Gesture // that the call under way is for
	acted bool             // its action was asked for
}

var (
	_ driver.Recaller  = (*Device)(nil)
	_ driver.Navigator = (*Device)(nil)
	_ driver.Dialogs   = (*Device)(nil)
	_ driver.Tabs      = (*Device)(nil)
)

// On returns the device for a person to act on.
func On(dev driver.Device) *Device { return &Device{Device: dev} }

// Unwrap lets driver.As find the capabilities of the device itself.
func (d *Device) Unwrap() driver.Device { return d.Device }

// during runs fn with a gesture for the action in it.
func (d *Device) during(g *gesture.Gesture, fn func()) {
	set := func(g *gesture.Gesture) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.now, d.acted = g, false
	}
	set(g)
	defer set(nil)
	fn()
}

func (d *Device) current() (g *gesture.Gesture, acted bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now, d.acted
}

// effect is the effect of the gesture, for the one action of its call; nil outside of such calls.
func (d *Device) effect(ctx context.Context) (*driver.Effect, bool, error) {
	d.mu.Lock()
	g := d.now
	d.acted = g != nil
	d.mu.Unlock()
	if g == nil {
		return nil, false, nil
	}
	e, err := g.Effect(ctx)
	return e, true, err
}

// Snapshot implements driver.Device.
func (d *Device) Snapshot(ctx context.Context, o driver.SnapshotOptions) (*screen.Snapshot, error) {
	g, acted := d.current()
	switch {
	case g == nil:
	case !acted && g.Screen != nil:
		return g.Screen, nil
	default:
		select {
		case <-g.Over:
			return nil, fault.New(fault.NotActed, "capture screen", "the person has done the next thing")
		default:
		}
	}
	return d.Device.Snapshot(ctx, o)
}

// Perform implements driver.Device.
func (d *Device) Perform(ctx context.Context, a driver.Action) (*driver.Effect, error) {
	if e, gesture, err := d.effect(ctx); gesture {
		return e, err
	}
	return d.Device.Perform(ctx, a)
}

// Recall implements driver.Recaller: a gesture is not of the newest screen.
func (d *Device) Recall() *screen.Snapshot {
	if g, _ := d.current(); g != nil {
		return nil
	}
	if r, ok := driver.As[driver.Recaller](d.Device); ok {
		return r.Recall()
	}
	return nil
}

// WaitChange implements driver.Waiter. What comes after the person has done the next thing is no effect of the gesture.
func (d *Device) WaitChange(ctx context.Context, since *screen.Snapshot) error {
	w, ok := driver.As[driver.Waiter](d.Device)
	if !ok {
		return fault.New(fault.Unsupported, "wait for change", "the device cannot")
	}
	g, _ := d.current()
	if g == nil {
		return w.WaitChange(ctx, since)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	waiting := make(chan error, 1)
	go func() { waiting <- w.WaitChange(ctx, since) }()
	select {
	case err := <-waiting:
		return err
	case <-g.Over:
		cancel()
		if err := <-waiting; err == nil {
			return nil
		}
		return fault.New(fault.NotActed, "wait for change", "the person has done the next thing")
	}
}

// Navigate implements driver.Navigator.
func (d *Device) Navigate(ctx context.Context, n driver.Navigation) (*driver.Effect, error) {
	if e, gesture, err := d.effect(ctx); gesture {
		return e, err
	}
	nav, err := capability[driver.Navigator](d, "open page")
	if err != nil {
		return nil, err
	}
	return nav.Navigate(ctx, n)
}

// URL implements driver.Navigator.
func (d *Device) URL(ctx context.Context) (string, error) {
	nav, err := capability[driver.Navigator](d, "open page")
	if err != nil {
		return "", err
	}
	return nav.URL(ctx)
}

// NewTab implements driver.Tabs.
func (d *Device) NewTab(ctx context.Context, url string) (driver.Tab, error) {
	tabs, err := capability[driver.Tabs](d, "open tab")
	if err != nil {
		return driver.Tab{}, err
	}
	g, _ := d.current()
	e, gesture, err := d.effect(ctx)
	if gesture && err == nil {
		return driver.Tab{ID: g.Tab, URL: e.URL}, tabs.SwitchTab(ctx, g.Tab)
	}
	if err != nil {
		return driver.Tab{}, err
	}
	return tabs.NewTab(ctx, url)
}

// Tabs implements driver.Tabs.
func (d *Device) Tabs(ctx context.Context) ([]driver.Tab, error) {
	if g, _ := d.current(); g != nil && g.Tabs != nil {
		return g.Tabs, nil
	}
	tabs, err := capability[driver.Tabs](d, "list tabs")
	if err != nil {
		return nil, err
	}
	return tabs.Tabs(ctx)
}

// SwitchTab implements driver.Tabs.
func (d *Device) SwitchTab(ctx context.Context, id string) error {
	tabs, err := capability[driver.Tabs](d, "switch tab")
	if err != nil {
		return err
	}
	return tabs.SwitchTab(ctx, id)
}

// CloseTab implements driver.Tabs.
func (d *Device) CloseTab(ctx context.Context, id string) error {
	if _, gesture, err := d.effect(ctx); gesture {
		return err
	}
	tabs, err := capability[driver.Tabs](d, "close tab")
	if err != nil {
		return err
	}
	return tabs.CloseTab(ctx, id)
}

// SetDialogPolicy implements driver.Dialogs: the person answers the dialogs, and a call that says how is for replays.
func (d *Device) SetDialogPolicy(context.Context, driver.DialogPolicy) error { return nil }

// HandleDialog implements driver.Dialogs.
func (d *Device) HandleDialog(ctx context.Context, accept bool, answer string) (*driver.DialogEvent, error) {
	dialogs, err := capability[driver.Dialogs](d, "answer dialog")
	if err != nil {
		return nil, err
	}
	return dialogs.HandleDialog(ctx, accept, answer)
}

// DialogLog implements driver.Dialogs.
func (d *Device) DialogLog(ctx context.Context) ([]driver.DialogEvent, error) {
	dialogs, err := capability[driver.Dialogs](d, "list dialogs")
	if err != nil {
		return nil, err
	}
	return dialogs.DialogLog(ctx)
}

func capability[T any](d *Device, op string) (T, error) {
	c, ok := driver.As[T](d.Device)
	if !ok {
		return c, fault.New(fault.Unsupported, op, "device %s cannot do this", d.Info().ID)
	}
	return c, nil
}
