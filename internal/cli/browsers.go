package cli

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/policy"
)

// browsers opens web devices for the hub: isolated contexts in browsers that are started when first needed, shared by all
// slots that want the same kind, and ended with the last of them.
type browsers struct {
	cfg      *config.Config
	profiles string                                         // folder of kept login states
	rules    func(workspace string) (*policy.Policy, error) // what pages may reach
	log      *slog.Logger

	mu     sync.Mutex
	open   map[kindOfBrowser]*sharedBrowser
	closed bool
}

// kindOfBrowser is what makes two slots need two processes.
type kindOfBrowser struct {
	headed bool
	rules  string // the key of its host rules, which hold for the whole process
}

// sharedBrowser is a process and how many devices are in it.
type sharedBrowser struct {
	ready chan struct{} // closed when launched or failed
	b     *web.Browser
	err   error
	users int
}

func newBrowsers(cfg *config.Config, profiles string, rules func(string) (*policy.Policy, error), log *slog.Logger) *browsers {
	return &browsers{cfg: cfg, profiles: profiles, rules: rules, log: log, open: map[kindOfBrowser]*sharedBrowser{}}
}

// Available implements hub.Provider: browsers are made, not found.
func (p *browsers) Available(context.Context) ([]driver.Info, error) { return nil, nil }

// Open implements hub.Provider.
func (p *browsers) Open(ctx context.Context, s hub.DeviceSpec) (driver.Device, error) {
	if s.ID != "web" && !strings.HasPrefix(s.ID, "web/") {
		return nil, fault.New(fault.NotFound, "open device", "there is no device %q", s.ID).
			WithHint("Browsers are named web or web/<name>; `trailblaze device list --all` shows what is connected.")
	}
	o := web.DeviceOptions{ID: s.ID, Preset: s.Emulate, StorageState: s.StorageState, Files: s.Workspace}
	o.Width, o.Height = p.cfg.Size("viewport")
	if s.Viewport != "" {
		var err error
		if o.Width, o.Height, err = config.Size(s.Viewport); err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "open device")
		}
	}
	var err error
	if o.Geolocation, err = web.ParsePosition(s.Geolocation); err != nil {
		return nil, err
	}
	kept, err := p.profile(s.Profile)
	if err != nil {
		return nil, err
	}
	if o.StorageState == nil {
		if o.StorageState, err = kept.load(); err != nil {
			return nil, err
		}
	}
	pol, err := p.rules(s.Workspace)
	if err != nil {
		return nil, err
	}
	if o.Permissions, err = pol.Permissions(s.Permissions); err != nil {
		return nil, err
	}
	hosts := pol.HostRules()
	kind := kindOfBrowser{headed: !p.cfg.Bool("headless"), rules: hosts.Key}
	if s.Headless != nil {
		kind.headed = !*s.Headless
	}
	for retry := true; ; retry = false {
		sb, err := p.get(ctx, kind, hosts)
		if err != nil {
			return nil, err
		}
		dev, err := sb.b.NewDevice(ctx, o)
		if err == nil {
			return &rented{Device: dev, kept: kept, log: p.log, back: sync.OnceFunc(func() { p.put(kind, sb) })}, nil
		}
		if ctx.Err() != nil || !retry || fault.KindOf(err) != fault.Unavailable {
			p.put(kind, sb)
			return nil, err
		}
		p.drop(kind, sb)
	}
}

// get returns a browser of a kind with one more user, launching it when there is none.
func (p *browsers) get(ctx context.Context, kind kindOfBrowser, hosts policy.HostRules) (*sharedBrowser, error) {
	for {
		p.mu.Lock()
		if p.closed {
			p.mu.Unlock()
			return nil, fault.New(fault.Unavailable, "open device", "the daemon is stopping")
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
			sb.b, sb.err = web.Launch(ctx, web.Options{Browser: p.cfg.String("browser"), Headed: kind.headed, Args: hosts.Args, Dial: hosts.Dial})
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

// put takes one user off a browser, and ends it with the last.
func (p *browsers) put(kind kindOfBrowser, sb *sharedBrowser) {
	p.mu.Lock()
	sb.users--
	last := sb.users == 0
	if last && p.open[kind] == sb {
		delete(p.open, kind)
	}
	p.mu.Unlock()
	if last {
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
		p.log.Warn("a browser did not end well", "error", err)
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

// Unwrap is how driver.As finds the capabilities of the device itself.
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

func sscan(data []byte, into ...any) (int, error) { return fmt.Sscan(string(data), into...) }
