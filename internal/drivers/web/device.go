package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const (
	defaultWidth  = 1280
	defaultHeight = 800
	closeGrace    = 3 * time.Second
)

// DeviceOptions shape one isolated context. The zero value is a fresh desktop context of 1280 by 800.
type DeviceOptions struct {
	ID            string // "" is "web"
	Width, Height int    // of the viewport, CSS px
	Preset        string // a device to emulate, see Presets; overrides the size
	UserAgent     string
	Locale        string            // "de-DE"
	Timezone      string            // "Europe/Berlin"
	ColorScheme   string            // "light" or "dark"
	Headers       map[string]string // sent with every request
	StorageState  json.RawMessage   // Playwright's storage state
	DownloadDir   string            // "" makes a temporary one that Close removes
	Permissions   []string          // granted to every origin; everything else is denied
	Geolocation   *Position         // where pages are told to be; they need the permission geolocation to ask
	AllowFiles    bool              // file:// URLs may be opened
	Files         string            // folder whose files may be opened all the same; "" is none
	Insecure      bool              // certificate errors are ignored
}

// Position is a place on earth.
type Position struct{ Latitude, Longitude, Accuracy float64 }

// ParsePosition reads "52.52,13.40" or "52.52,13.40,10", the last being the accuracy in meters; "" is nil.
func ParsePosition(text string) (*Position, error) {
	if text == "" {
		return nil, nil
	}
	p := Position{Accuracy: 1}
	parts := strings.Split(text, ",")
	into := []*float64{&p.Latitude, &p.Longitude, &p.Accuracy}
	ok := len(parts) == 2 || len(parts) == 3
	for i := 0; ok && i < len(parts); i++ {
		n, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		*into[i], ok = n, err == nil
	}
	if !ok || math.Abs(p.Latitude) > 90 || math.Abs(p.Longitude) > 180 || p.Accuracy < 0 {
		return nil, fault.New(fault.Invalid, "read geolocation", "%q is not a place", text).WithHint("Write latitude and longitude in degrees, such as 52.52,13.40.")
	}
	return &p, nil
}

// Device is one isolated browser context: its tabs, frames, dialogs, downloads and logs.
type Device struct {
	browser *Browser
	context proto.BrowserContextID
	options DeviceOptions

	acting    chan struct{} // holds one token: whoever has it performs the one action at a time
	capturing chan struct{} // holds one token: captures work on shared mirrors

	pulse pulse // beats whenever anything below changes
	done  chan struct{}

	mu             sync.Mutex
	emulation      emulationState
	tabs           []*tab // in opening order
	privates       []*tab // tabs of our own, see private
	active         *tab
	lastTab        int
	hosts          map[target.SessionID]*host
	frameNo        map[proto.FrameID]int
	lastDoc        int64
	documents      map[int64]*document // those alive, by serial
	ended          map[int64]string    // what became of the others, by serial
	refs           refTable
	secrets        map[screen.NodeID]bool // fields a secret was typed into
	conceal        func() driver.Secrets  // what must not be seen
	canvasWord     string                 // for which canvases tell what was drawn on them; "" while nobody listens
	owned          []string               // folders to remove in the end
	seq            uint64
	marks          []mark           // of the newest captures, for WaitChange
	generation     uint64           // grows whenever frames, tabs or dialogs change
	last           *screen.Snapshot // the newest
	lastCSS        []string         // what it was asked about
	lastGeneration uint64           // when it was taken
	lastSecrets    driver.Secrets   // what was looked for in it
	dialogs        dialogs
	downloads      downloads
	network        traffic
	console        console

	closeOnce sync.Once
	closeErr  error
}

var _ driver.Device = (*Device)(nil)

// NewDevice opens an isolated context with one empty tab.
func (b *Browser) NewDevice(ctx context.Context, o DeviceOptions) (*Device, error) {
	const op = "open device"
	if o.ID == "" {
		o.ID = "web"
	}
	emu, err := o.emulation()
	if err != nil {
		return nil, err
	}
	d := &Device{
		browser: b, options: o, emulation: emu, acting: make(chan struct{}, 1), capturing: make(chan struct{}, 1), done: make(chan struct{}),
		hosts: map[target.SessionID]*host{}, frameNo: map[proto.FrameID]int{},
		secrets: map[screen.NodeID]bool{}, documents: map[int64]*document{}, ended: map[int64]string{},
	}
	d.acting <- struct{}{}
	d.capturing <- struct{}{}
	d.refs.init()
	if b.isClosed() {
		return nil, fault.New(fault.Unavailable, op, "the browser is closed")
	}
	res, err := cdp.Call(ctx, b.conn.Root(), target.CreateBrowserContext, target.CreateBrowserContextParams{DisposeOnDetach: new(true)})
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
	if err := d.downloads.setup(d.options.DownloadDir); err != nil {
		return err
	}
	root := d.browser.conn.Root()
	if err := cdp.Do(ctx, root, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllowAndName, BrowserContextID: d.context,
		DownloadPath: d.downloads.dir, EventsEnabled: new(true),
	}); err != nil {
		return err
	}
	if err := d.setPermissions(ctx); err != nil {
		return err
	}
	if _, err := d.openTab(ctx); err != nil {
		return err
	}
	if len(d.options.StorageState) > 0 {
		return d.SetStorageState(ctx, d.options.StorageState)
	}
	return nil
}

// Info implements driver.Device.
func (d *Device) Info() driver.Info {
	d.mu.Lock()
	defer d.mu.Unlock()
	w, h := d.emulation.pixels()
	return driver.Info{
		ID: d.options.ID, Platform: driver.WebPlatform, Driver: "PLAYWRIGHT_NATIVE",
		Width: w, Height: h, Classifiers: []string{"web"}, Version: d.browser.Version(),
	}
}

// Close implements driver.Device: it disposes of the context with everything in it. It is idempotent.
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
	d.mu.Lock()
	for _, t := range d.tabs {
		d.endTab(t)
	}
	for _, t := range d.privates {
		d.endTab(t)
	}
	d.tabs, d.privates, d.active = nil, nil, nil
	owned := append(d.owned, d.downloads.temporary())
	d.owned = nil
	close(d.done)
	d.mu.Unlock()
	d.pulse.beat()
	for _, dir := range owned {
		if dir != "" {
			_ = os.RemoveAll(dir)
		}
	}
}

// own takes charge of a folder: it is removed with the device.
func (d *Device) own(dir string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.owned = append(d.owned, dir)
}

// current is the active tab, or why there is none.
func (d *Device) current() (*tab, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.currentLocked()
}

func (d *Device) currentLocked() (*tab, error) {
	select {
	case <-d.done:
		return nil, fault.New(fault.Unavailable, "use tab", "the device is closed")
	case <-d.browser.conn.Closed():
		return nil, fault.New(fault.Unavailable, "use tab", "the browser is gone")
	default:
	}
	switch {
	case d.active != nil && d.active.crashed:
		return nil, fault.New(fault.Unavailable, "use tab", "the page in %s crashed", d.active).WithHint("Navigate it to a page again, or close it.")
	case d.active != nil:
		return d.active, nil
	default:
		return nil, fault.New(fault.NotFound, "use tab", "no tab is open").WithHint("Navigate to an address, or open a new tab.")
	}
}

// act takes the right to perform an action; release gives it back.
func (d *Device) act(ctx context.Context) (release func(), err error) {
	select {
	case <-d.acting:
		return func() { d.acting <- struct{}{} }, nil
	case <-ctx.Done():
		return nil, fault.Wrap(fmt.Errorf("another action is still running: %w", ctx.Err()), "", "start action")
	case <-d.done:
		return nil, fault.New(fault.Unavailable, "start action", "the device is closed")
	}
}

// await waits until cond, called with Device.mu held, is true or fails.
func (d *Device) await(ctx context.Context, what string, cond func() (bool, error)) error {
	for {
		beat := d.pulse.wait()
		ok, err := d.look(cond)
		if ok || err != nil {
			return err
		}
		select {
		case <-beat:
		case <-ctx.Done():
			return fault.Wrap(ctx.Err(), "", "wait for "+what)
		case <-d.done:
			return fault.New(fault.Unavailable, "wait for "+what, "the device was closed")
		case <-d.browser.conn.Closed():
			return fault.New(fault.Unavailable, "wait for "+what, "the browser is gone")
		}
	}
}

func (d *Device) look(cond func() (bool, error)) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return cond()
}

// element finds the document and number a NodeID names. The error says what became of it.
func (d *Device) element(id screen.NodeID) (*document, int64, error) {
	serial, element := splitID(id)
	d.mu.Lock()
	defer d.mu.Unlock()
	if doc := d.documents[serial]; doc != nil {
		return doc, element, nil
	}
	why := d.ended[serial]
	if why == "" {
		why = "its document is gone"
	}
	return nil, 0, fault.New(fault.NotFound, "find element", "%s", why).WithHint("Take a new snapshot.")
}

// keepSecret notes that a secret was typed into an element: what it shows leaves the browser neither as text nor as a
// picture from now on.
func (d *Device) keepSecret(doc *document, element int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.secrets[doc.nodeID(element)] = true
	d.changed()
}

// documentGone notes a document's end. Device.mu is held.
func (d *Device) documentGone(doc *document) {
	delete(d.documents, doc.serial)
	d.pulse.beat()
}

func (d *Device) frameNumber(id proto.FrameID) int {
	n, ok := d.frameNo[id]
	if !ok {
		n = len(d.frameNo)
		d.frameNo[id] = n
	}
	return n
}
