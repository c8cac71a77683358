package app

import (
	"context"
	"log/slog"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/policy"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/emulate"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// browsers opens web devices: isolated contexts in browsers that are started when first needed, and shared by all
// devices that want the same kind of browser.
type browsers struct {
	DeviceOptions

	mu     sync.Mutex
	open   map[kindOfBrowser]*sharedBrowser
	closed bool
}

// kindOfBrowser holds the properties of a whole process: two devices that differ in one need two processes.
type kindOfBrowser struct {
	headed bool
	rules  string // the key of the host rules
}

// sharedBrowser is a process and the number of devices in it.
type sharedBrowser struct {
	ready chan struct{} // closed when launched or failed
	b     *web.Browser
	err   error
	users int
}

func newBrowsers(o DeviceOptions) *browsers {
	return &browsers{DeviceOptions: o, open: map[kindOfBrowser]*sharedBrowser{}}
}

// order is a device to open: the driver's options, the browser that it needs, and its profile.
type order struct {
	web.DeviceOptions
	kind  kindOfBrowser
	hosts policy.HostRules
	kept  keptProfile
}

// Check implements opener.
func (p *browsers) Check(s devices.Spec) error {
	_, err := p.order(s)
	return err
}

// Open launches a browser when there is none, and once more when the one there was has died.
func (p *browsers) Open(ctx context.Context, s devices.Spec) (driver.Device, error) {
	o, err := p.order(s)
	if err != nil {
		return nil, err
	}
	for retry := true; ; retry = false {
		sb, err := p.get(ctx, o.kind, o.hosts)
		if err != nil {
			return nil, err
		}
		dev, err := sb.b.NewDevice(ctx, o.DeviceOptions)
		if err == nil {
			back := sync.OnceFunc(func() { p.put(o.kind, sb) })
			return &rented{Device: dev, kept: o.kept, log: p.Log, back: back}, nil
		}
		if ctx.Err() != nil || !retry || fault.KindOf(err) != fault.Unavailable {
			p.put(o.kind, sb)
			return nil, err
		}
		p.drop(o.kind, sb)
	}
}

// facts implements opener: a browser is as large as the settings say.
func (p *browsers) facts(context.Context, string) (f trail.Facts) {
	f.Width, f.Height = p.Config.Size("viewport")
	return f
}

// order reads a spec in the light of the settings and the policy.
func (p *browsers) order(s devices.Spec) (o order, err error) {
	o.DeviceOptions = web.DeviceOptions{
		ID: s.ID, Preset: s.Emulate, StorageState: s.StorageState, Files: s.Workspace, AllowFiles: p.AllowFiles,
		Permissions: s.Permissions, Hands: s.Hands, Bar: s.Bar,
	}
	o.Width, o.Height = p.Config.Size("viewport")
	if s.Viewport != "" {
		if o.Width, o.Height, err = config.Size(s.Viewport); err != nil {
			return o, fault.Wrap(err, fault.Invalid, "open device")
		}
	}
	if o.Geolocation, err = emulate.ParsePosition(s.Geolocation); err != nil {
		return o, err
	}
	if o.kept, err = p.profile(s.Profile); err != nil {
		return o, err
	}
	if o.StorageState == nil {
		if o.StorageState, err = o.kept.load(); err != nil {
			return o, err
		}
	}
	o.kind.headed = !p.Config.Bool("headless")
	if s.Headless != nil {
		o.kind.headed = !*s.Headless
	}
	if p.Policy == nil {
		return o, nil
	}
	pol, err := p.Policy(s.Workspace)
	if err != nil {
		return o, err
	}
	o.hosts = pol.HostRules()
	o.kind.rules = o.hosts.Key
	o.Permissions, err = pol.Permissions(s.Permissions)
	return o, err
}

// get returns a browser of a kind with one more user, launching it when there is none.
func (p *browsers) get(ctx context.Context, kind kindOfBrowser, hosts policy.HostRules) (*sharedBrowser, error) {
	for {
		p.mu.Lock()
		if p.closed {
			p.mu.Unlock()
			return nil, fault.New(fault.Unavailable, "open device", "trailblaze is stopping")
		}
		sb := p.open[kind]
		mine := sb == nil
		if mine {
			sb = &sharedBrowser{ready: make(chan struct{})}
			p.open[kind] = sb
		}
		sb.users++
		p.mu.Unlock()
		if mine {
			sb.b, sb.err = web.Launch(ctx, web.Options{
				Browser: p.Config.String("browser"), Headed: kind.headed, Args: hosts.Args, Dial: hosts.Dial,
			})
			close(sb.ready)
		}
		select {
		case <-sb.ready:
		case <-ctx.Done():
			p.put(kind, sb)
			return nil, fault.Wrap(ctx.Err(), "", "wait for the browser to start")
		}
		if sb.err == nil {
			return sb, nil
		}
		p.drop(kind, sb)
		if mine || ctx.Err() != nil {
			return nil, sb.err
		}
	}
}

// put takes one user off a browser, and ends it with the last, unless later devices shall find it.
func (p *browsers) put(kind kindOfBrowser, sb *sharedBrowser) {
	p.mu.Lock()
	sb.users--
	listed := p.open[kind] == sb
	end := sb.users == 0 && !(p.Keep && listed)
	if end && listed {
		delete(p.open, kind)
	}
	p.mu.Unlock()
	if end {
		p.end(sb)
	}
}

// drop forgets a browser that is dead, and takes one user off it.
func (p *browsers) drop(kind kindOfBrowser, sb *sharedBrowser) {
	p.mu.Lock()
	if p.open[kind] == sb {
		delete(p.open, kind)
	}
	p.mu.Unlock()
	p.put(kind, sb)
}

func (p *browsers) end(sb *sharedBrowser) {
	<-sb.ready
	if sb.b == nil {
		return
	}
	if err := sb.b.Close(); err != nil {
		p.Log.Warn("a browser did not end well", "error", err)
	}
}

// Close ends every browser.
func (p *browsers) Close() error {
	p.mu.Lock()
	p.closed = true
	var all []*sharedBrowser
	for _, sb := range p.open {
		all = append(all, sb)
	}
	clear(p.open)
	p.mu.Unlock()
	for _, sb := range all {
		p.end(sb)
	}
	return nil
}

// rented is a device that keeps its login state, when it has a profile, and gives its browser back when it is closed.
type rented struct {
	driver.Device
	kept keptProfile
	log  *slog.Logger
	back func()
	once sync.Once
}

// Unwrap lets driver.As find the capabilities of the device itself.
func (r *rented) Unwrap() driver.Device { return r.Device }

// Close implements driver.Device.
func (r *rented) Close() error {
	r.once.Do(func() {
		if err := r.kept.save(r.Device); err != nil {
			r.log.Warn("a profile could not be kept", "profile", r.kept.name, "error", err)
		}
	})
	err := r.Device.Close()
	r.back()
	return err
}
