package web

import (
	"context"
	"errors"
	"slices"
	"sync"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/act"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/capture"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/emulate"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/gate"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/hands"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/launch"
)

// Options shape the browser process. The zero value is a headless browser that is looked for on
// this machine.
type Options struct {
	Browser string   // path or name of the browser; "" looks for one
	Headed  bool     // with a window
	Args    []string // further command line flags

	// Dial, when set, makes every connection of the browser, in this process: for rules that no
	// flag can say.
	Dial gate.Dial
}

// Browser is one running browser. It is safe for concurrent use; devices in it share nothing but
// the process.
type Browser struct {
	proc *launch.Browser
	conn *cdp.Conn
	way  *gate.Gate // nil when it goes out by itself

	mu      sync.Mutex
	devices map[proto.BrowserContextID]*Device
	closed  bool
}

// Launch starts a browser.
func Launch(ctx context.Context, o Options) (*Browser, error) {
	var way *gate.Gate
	if o.Dial != nil {
		var err error
		if way, err = gate.Open(o.Dial); err != nil {
			return nil, fault.Wrap(err, fault.Unavailable, "start browser")
		}
		o.Args = append(slices.Clone(o.Args), way.Args()...)
	}
	p, err := launch.Start(ctx, launch.Options{Path: o.Browser, Headed: o.Headed, Args: o.Args})
	if err != nil {
		way.Close()
		return nil, err
	}
	b := &Browser{proc: p, conn: p.Conn, way: way, devices: map[proto.BrowserContextID]*Device{}}
	root := b.conn.Root()
	cdp.On(root, target.AttachedToTarget, b.attached)
	cdp.On(root, target.DetachedFromTarget, b.detached)
	b.watchDownloads(root)
	// Every new page waits until we have installed our script and overrides, so that nothing in it
	// is missed.
	pagesOnly := autoAttach() // not the browser's own user interface, which is made of pages too
	pagesOnly.Filter = target.Filter{{Type: "page"}, {Exclude: true}}
	if err := cdp.Do(ctx, root, target.SetAutoAttach, pagesOnly); err != nil {
		p.Stop()
		way.Close()
		return nil, fault.Wrap(err, fault.Unavailable, "start browser")
	}
	return b, nil
}

// Version is the browser's product and version: "Chrome/156.0.8078.79".
func (b *Browser) Version() string { return b.proc.Product }

// PID is the process id of the browser.
func (b *Browser) PID() int { return b.proc.PID() }

// Close closes every device and stops the browser. It is idempotent and returns when the process is
// gone.
func (b *Browser) Close() error {
	b.mu.Lock()
	devices := make([]*Device, 0, len(b.devices))
	for _, d := range b.devices {
		devices = append(devices, d)
	}
	b.closed = true
	b.mu.Unlock()
	for _, d := range devices {
		d.abandon() // disposing contexts one by one would only delay the end of the process
	}
	b.proc.Stop()
	b.way.Close()
	return nil
}

func autoAttach() target.SetAutoAttachParams {
	return target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true)}
}

// attached routes a new page to the device whose context it was opened in.
func (b *Browser) attached(e target.EventAttachedToTarget) {
	b.mu.Lock()
	d := b.devices[e.TargetInfo.BrowserContextID]
	b.mu.Unlock()
	sess := b.conn.Session(e.SessionID)
	if d == nil || !d.attach(nil, sess, e.TargetInfo) {
		release(sess)
	}
}

func (b *Browser) detached(e target.EventDetachedFromTarget) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.devices {
		d.detached(e.SessionID)
	}
}

func (b *Browser) forget(d *Device) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.devices, d.context)
}

// NewDevice opens an isolated context with one empty tab.
func (b *Browser) NewDevice(ctx context.Context, o DeviceOptions) (*Device, error) {
	const op = "open device"
	if o.ID == "" {
		o.ID = "web"
	}
	emu, err := emulate.New(o.emulated())
	if err != nil {
		return nil, err
	}
	d := &Device{
		browserContext: browserContext{browser: b, options: o, frames: frames.New(b.conn.Closed())}, emulation: emu,
	}
	d.Camera = capture.New(d.frames, d.viewport)
	d.Performer = act.New(act.Parts{
		Frames: d.frames, Camera: d.Camera, Emulation: &d.emulation, Dialogs: &d.dialogs, Downloads: &d.downloads,
		Network: &d.network, Console: &d.console, MayOpen: d.mayOpen, Open: d.opening, NewTab: d.openTab, Own: d.own,
	})
	if d.frames.Hands = o.Hands; o.Hands {
		d.Hands = hands.New(hands.Parts{Frames: d.frames, Camera: d.Camera, Performer: d.Performer})
		d.dialogs.SetPolicy(driver.DialogPolicy{Keep: true}) // the person answers
	}
	if b.isClosed() {
		return nil, fault.New(fault.Unavailable, op, "the browser is closed")
	}
	res, err := cdp.Call(ctx, b.conn.Root(), target.CreateBrowserContext,
		target.CreateBrowserContextParams{DisposeOnDetach: new(true)})
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	d.context = res.BrowserContextID
	if err := b.adopt(d); err != nil {
		return nil, err
	}
	if err := d.open(ctx); err != nil {
		return nil, errors.Join(fault.Wrap(err, "", op), d.Close())
	}
	return d, nil
}
