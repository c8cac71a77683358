package web

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/act"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/capture"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/console"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/dialog"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/download"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/emulate"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/hands"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/network"
)

const closeGrace = 3 * time.Second

// DeviceOptions shape one isolated context. The zero value is a fresh desktop context of 1280 by
// 800.
type DeviceOptions struct {
	ID            string // "" is "web"
	Width, Height int    // of the viewport, CSS px
	Preset        string // a device to emulate, see emulate.Presets; overrides the size
	UserAgent     string
	Locale        string            // "de-DE"
	Timezone      string            // "Europe/Berlin"
	ColorScheme   string            // "light" or "dark"
	Headers       map[string]string // sent with every request
	StorageState  json.RawMessage   // Playwright's storage state
	DownloadDir   string            // "" makes a temporary one that Close removes
	Permissions   []string          // granted to every origin; everything else is denied
	Geolocation   *emulate.Position // where pages are told to be; they need the permission geolocation to ask
	AllowFiles    bool              // file:// URLs may be opened
	Files         string            // folder whose files may be opened all the same; "" is none
	Insecure      bool              // certificate errors are ignored
	Hands         bool              // a person acts on it, and NextGesture tells what they do
	Bar           bool              // a small window without tabs, which a person may resize
}

// browserContext is one isolated context of a browser: its tabs with their pages, and its storage.
type browserContext struct {
	browser *Browser
	context proto.BrowserContextID
	options DeviceOptions
	frames  *frames.Set
}

// Device is one isolated browser context with its dialogs, downloads and logs.
type Device struct {
	browserContext // the lock of its frames guards all that follows
	*capture.Camera
	*act.Performer
	*hands.Hands // nil when nobody acts on it by hand

	emulation   emulate.State
	owned       []string // folders to remove in the end
	dialogs     dialog.Log
	downloads   download.Folder
	network     network.Log
	intercepted interception
	console     console.Log
	closeOnce   sync.Once
	closeErr    error
}

var _ driver.Device = (*Device)(nil)

func (b *Browser) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

func (b *Browser) adopt(d *Device) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return fault.New(fault.Unavailable, "open device", "browser is closed")
	}
	b.devices[d.context] = d
	return nil
}

// open sets the context up and opens its first tab.
func (d *Device) open(ctx context.Context) error {
	if err := d.downloads.Prepare(d.options.DownloadDir); err != nil {
		return err
	}
	root := d.browser.conn.Root()
	if err := cdp.Do(ctx, root, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllowAndName, BrowserContextID: d.context,
		DownloadPath: d.downloads.Dir(), EventsEnabled: new(true),
	}); err != nil {
		return err
	}
	if err := emulate.SetPermissions(ctx, root, d.context, d.options.Permissions); err != nil {
		return err
	}
	t, err := d.openTab(ctx)
	if err != nil {
		return err
	}
	if d.options.Hands {
		if err := d.fitWindow(ctx, t); err != nil {
			return err
		}
	}
	if len(d.options.StorageState) > 0 {
		return d.SetStorageState(ctx, d.options.StorageState)
	}
	return nil
}

// What a window has around its page: the tabs, the address, and that a program controls it.
const aroundWidth, aroundHeight = 20, 180

// fitWindow makes the window of a tab as large as a person needs it to see all of the page.
func (d *Device) fitWindow(ctx context.Context, t *frames.Tab) error {
	root := d.browser.conn.Root()
	w, err := cdp.Call(ctx, root, browser.GetWindowForTarget, browser.GetWindowForTargetParams{TargetID: t.Target})
	if err != nil {
		return err
	}
	d.frames.Lock()
	size := d.viewport()
	d.frames.Unlock()
	return cdp.Do(ctx, root, browser.SetWindowBounds, browser.SetWindowBoundsParams{WindowID: w.WindowID,
		Bounds: &browser.Bounds{Width: int64(size.Width + aroundWidth), Height: int64(size.Height + aroundHeight)}})
}

// viewport is the size that is emulated. The lock is held.
func (d *Device) viewport() capture.Viewport {
	v := d.emulation.Device
	return capture.Viewport{Width: v.Width, Height: v.Height, Scale: max(v.Scale, 1)}
}

// Info implements driver.Device.
func (d *Device) Info() driver.Info {
	d.frames.Lock()
	defer d.frames.Unlock()
	w, h := d.emulation.Pixels()
	return driver.Info{
		ID: d.options.ID, Platform: driver.WebPlatform, Driver: "PLAYWRIGHT_NATIVE",
		Width: w, Height: h, Classifiers: []string{"web"}, Version: d.browser.Version(),
	}
}

// Close implements driver.Device: it disposes of the context with everything in it. It is
// idempotent.
func (d *Device) Close() error {
	d.closeOnce.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
		defer cancel()
		select {
		case <-d.browser.conn.Closed():
		default:
			err := cdp.Do(ctx, d.browser.conn.Root(), target.DisposeBrowserContext,
				target.DisposeBrowserContextParams{BrowserContextID: d.context})
			if err != nil && fault.KindOf(err) != fault.Unavailable {
				d.closeErr = fault.Wrap(err, "", "close device")
			}
		}
		d.end()
	})
	return d.closeErr
}

// abandon is Close when the browser is about to end anyway.
func (d *Device) abandon() {
	d.closeOnce.Do(d.end)
}

func (d *Device) end() {
	d.browser.forget(d)
	d.frames.Lock()
	d.frames.Close()
	owned := append(d.owned, d.downloads.Temporary())
	d.owned = nil
	d.frames.Unlock()
	d.frames.Changes.Notify()
	for _, dir := range owned {
		if dir != "" {
			_ = os.RemoveAll(dir)
		}
	}
}

// own takes charge of a folder: it is removed with the device.
func (d *Device) own(dir string) {
	d.frames.Lock()
	defer d.frames.Unlock()
	d.owned = append(d.owned, dir)
}
