package phone

import (
	"cmp"
	"context"
	"crypto/rsa"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/phone/adbd"
)

const (
	startTime = 5 * time.Minute // for a first start, which translates and compiles
	systemPID = 1               // of what the phone itself logs
	model     = "Trailblaze Phone"
	product   = "trailblaze_phone"
	device    = "trailblaze"
	keyboard  = "dev.trailblaze.phone/.Keyboard" // the name of our input method
)

// Options describe a phone. The zero value of each is a sensible default.
type Options struct {
	APKs    []string // are installed; the first is started
	Port    int      // of 127.0.0.1; 0 is any free one
	API     int      // 34, 35 or 36; 0 is 35
	Width   int      // in pixels; 0 is 1080
	Height  int      // in pixels; 0 is 2400
	Density int      // in dots per inch; 0 is 420
	Locale  string   // "" is en-US
	// the folder of what is downloaded; "" is trailblaze/phone in the user's cache folder
	Cache string
	Open  bool                             // let in each host; otherwise those with the user's own key of adb
	Keys  []string                         // files with keys of further hosts
	Say   func(format string, args ...any) // is told what takes long; nil ignores it
}

// config is the configuration of the phone, which may change while it runs.
type config struct {
	API, Width, Height, Density int
	Locale                      string
	FontScale                   float64
	Night, Land                 bool
}

// qualifiers are the configuration in the form that Robolectric reads.
func (c config) qualifiers() string {
	width, height := c.Width*160/c.Density, c.Height*160/c.Density
	orientation := "port"
	if c.Land {
		orientation, width, height = "land", height, width
	}
	language, region, _ := strings.Cut(c.Locale, "-")
	night := "notnight"
	if c.Night {
		night = "night"
	}
	if region != "" {
		language += "-r" + region
	}
	return fmt.Sprintf("%s-w%ddp-h%ddp-%s-%s-%ddpi", language, width, height, orientation, night, c.Density)
}

func (c config) width() int  { return c.side(c.Width, c.Height) }
func (c config) height() int { return c.side(c.Height, c.Width) }

// side is a side of the display as it is held.
func (c config) side(upright, turned int) int {
	if c.Land {
		return turned
	}
	return upright
}

// Phone is a running phone.
type Phone struct {
	options Options
	tools   *toolchain
	folder  string // temporary: the files of the phone, and those of its processes
	adbd    *adbd.Server
	log     *log
	booted  atomic.Int64    // when the phone was started, in milliseconds since 1970
	life    context.Context // ends with the phone
	end     context.CancelFunc
	work    sync.WaitGroup // what events have begun

	files    *os.Root
	sequence atomic.Int64 // numbers processes
	helpers  helpers
	starting sync.Mutex // is held while a process starts or ends

	mu      sync.Mutex
	config  config
	apps    []*installed
	running map[string]*process // by their package
	front   *process
	wrong   request           // has a fault in an app that starts; nil: in none
	turned  chan struct{}     // is closed when another process comes in front
	props   map[string]string // that setprop has set
	set     map[string]string // settings, by namespace and name
}

// installed is an app on the phone.
type installed struct {
	App
	apk     string
	granted []string // permissions
}

func newPhone(o Options) *Phone {
	life, end := context.WithCancel(context.Background())
	p := &Phone{options: o, life: life, end: end, log: newLog(), running: map[string]*process{},
		helpers: helpers{count: map[string]int{}}, turned: make(chan struct{}),
		config: config{API: o.api(), Width: o.width(), Height: o.height(), Density: o.density(), Locale: o.locale(),
			FontScale: 1},
		props: map[string]string{}, set: defaultSettings()}
	p.booted.Store(time.Now().UnixMilli())
	return p
}

// Start starts a phone. Its first start downloads 730 MB, and takes a minute; each other one takes about ten seconds.
func Start(ctx context.Context, o Options) (_ *Phone, err error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Say == nil {
		o.Say = func(string, ...any) {}
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if o.api() >= 36 {
		if _, err := checkJDK(ctx, newJDK); err != nil {
			return nil, err
		}
	}
	s, err := openStore(o.Cache, o.Say)
	if err != nil {
		return nil, err
	}
	p := newPhone(o)
	if p.tools, err = s.prepare(ctx, o.api()); err != nil {
		return nil, err
	}
	if p.folder, err = proc.MakeFolder("phone"); err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "make the phone's folder")
	}
	defer func() {
		if err != nil {
			_ = p.Close()
		}
	}()
	if err = p.makeFiles(); err != nil {
		return nil, err
	}
	for _, name := range o.APKs {
		o.Say("Starting %s", filepath.Base(name))
		apk, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		if _, err = p.install(ctx, apk); err != nil {
			return nil, err
		}
	}
	if _, err = p.startIntent(ctx, intent{request: request{"main": true}, target: p.apps[0].Package}); err != nil {
		return nil, err
	}
	p.adbd, err = adbd.Listen(context.WithoutCancel(ctx), adbd.Options{
		Port: o.Port, Run: p.run, Folder: p.root(), Keys: p.keys(), Dial: p.dial, Reboot: p.reboot,
		Banner: map[string]string{"ro.product.name": product, "ro.product.model": model, "ro.product.device": device},
	})
	if err != nil {
		return nil, fault.New(fault.Unavailable, "open the phone's port", "%w", err).
			WithHint("Give another --port, or none for a free one.")
	}
	return p, nil
}

// Check returns what is wrong with the options, before anything is downloaded or started.
func (o Options) Check() error {
	const op = "start phone"
	if len(o.APKs) == 0 {
		return fault.New(fault.Invalid, op, "there is no app to start").WithHint("Name one with --apk FILE.")
	}
	for _, name := range o.APKs {
		if _, err := os.Stat(name); err != nil {
			return fault.Wrap(err, fault.Invalid, op)
		}
	}
	if o.Port < 0 || o.Port > 65535 {
		return fault.New(fault.Invalid, op, "%d is no port", o.Port).WithHint("Give one up to 65535; 0 is any free one.")
	}
	for _, name := range o.Keys {
		if len(adbd.ReadKeys(name)) == 0 {
			return fault.New(fault.Invalid, op, "there is no public key of adb in %s", name).
				WithHint("adb keeps it in ~/.android/adbkey.pub of the user who connects.")
		}
	}
	return cmp.Or(checkDensity(o.density()), checkLocale(o.locale()))
}

func (o Options) api() int       { return cmp.Or(o.API, 35) }
func (o Options) width() int     { return cmp.Or(o.Width, 1080) }
func (o Options) height() int    { return cmp.Or(o.Height, 2400) }
func (o Options) density() int   { return cmp.Or(o.Density, 420) }
func (o Options) locale() string { return cmp.Or(o.Locale, "en-US") }

func frameworkUse(api int) string { return fmt.Sprintf("api%d", api) }

// launch starts the process of an app.
func (p *Phone) launch(ctx context.Context, apk string) (*process, error) {
	temp, err := os.MkdirTemp(p.folder, "process-")
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	c, wrong := p.config, p.wrong
	p.mu.Unlock()
	data := filepath.Join(p.root(), "data", "data")
	own, err := launch(ctx, p.tools, c, apk, place{temp: temp, data: data, number: p.sequence.Add(1)}, p.take)
	if err != nil || wrong == nil {
		return own, err
	}
	if _, err = own.ask(ctx, wrong, nil); err != nil {
		own.close()
		return nil, err
	}
	return own, nil
}

// take takes what a process says without being asked. It returns at once: the process says no more until then.
func (p *Phone) take(e event) {
	switch e.Event {
	case "log":
		p.log.add(e.logLine)
	case "crash":
		p.log.say("W", "ActivityTaskManager", "Process %s has crashed: %s", e.Package, e.Reason)
		p.work.Go(func() { p.retire(e.Package) })
	case "ended":
		p.work.Go(func() { p.bury(e.Package) })
	case "turn": // the helper has asked for it
		p.work.Go(func() {
			ctx, cancel := context.WithTimeout(p.life, stopTime)
			defer cancel()
			if err := p.configure(ctx, func(c *config) { c.Land = e.Land }); err != nil {
				p.log.say("E", "WindowManager", "turn: %v", err)
			}
		})
	case "launch": // a tap on the home screen
		p.work.Go(func() {
			ctx, cancel := context.WithTimeout(p.life, startTime)
			defer cancel()
			if _, err := p.startIntent(ctx, intent{request: request{"main": true}, target: e.Package}); err != nil {
				p.log.say("E", "ActivityTaskManager", "start %s: %v", e.Package, err)
			}
		})
	}
}

// Addr is the address for `adb connect`.
func (p *Phone) Addr() string { return p.adbd.Addr() }

// Close ends the phone with all of its processes, and removes its files.
func (p *Phone) Close() error {
	p.end()
	if p.adbd != nil {
		_ = p.adbd.Close()
	}
	p.work.Wait()
	p.starting.Lock()
	defer p.starting.Unlock()
	for _, own := range p.running {
		own.close()
	}
	if p.front != nil {
		p.front.close()
	}
	if p.files != nil {
		_ = p.files.Close()
	}
	if p.folder != "" {
		proc.RemoveFolder(p.folder)
	}
	return nil
}

// keys returns the keys of the hosts that are let in: those that adb made for this user.
func (p *Phone) keys() func() []*rsa.PublicKey {
	if p.options.Open {
		return nil
	}
	files := p.options.Keys
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".android", "adbkey.pub"))
	}
	return func() []*rsa.PublicKey { return adbd.ReadKeys(files...) }
}
