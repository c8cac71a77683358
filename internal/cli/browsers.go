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
)

// browsers opens web devices for the hub: isolated contexts in browsers that are started when first needed, shared by all
// slots that want the same kind, and ended with the last of them.
type browsers struct {
	cfg *config.Config
	dir string
	log *slog.Logger

	mu     sync.Mutex
	open   map[kindOfBrowser]*sharedBrowser
	closed bool
}

// kindOfBrowser is what makes two slots need two processes.
type kindOfBrowser struct {
	headed bool
}

// sharedBrowser is a process and how many devices are in it.
type sharedBrowser struct {
	ready chan struct{} // closed when launched or failed
	b     *web.Browser
	err   error
	users int
}

func newBrowsers(cfg *config.Config, dir string, log *slog.Logger) *browsers {
	return &browsers{cfg: cfg, dir: dir, log: log, open: map[kindOfBrowser]*sharedBrowser{}}
}

// Available implements hub.Provider: browsers are made, not found.
func (p *browsers) Available(context.Context) ([]driver.Info, error) { return nil, nil }

// Open implements hub.Provider.
func (p *browsers) Open(ctx context.Context, s hub.DeviceSpec) (driver.Device, error) {
	if s.ID != "web" && !strings.HasPrefix(s.ID, "web/") {
		return nil, fault.New(fault.NotFound, "open device", "there is no device %q", s.ID).
			WithHint("Browsers are named web or web/<name>; `trailblaze device list --all` shows what is connected.")
	}
	if s.Profile != "" {
		return nil, fault.New(fault.Unsupported, "open device", "kept browser profiles are not built yet").
			WithHint("Keep a login with web_getStorageState, and give it to the next device as storageState.")
	}
	o := web.DeviceOptions{ID: s.ID, Preset: s.Emulate, StorageState: s.StorageState}
	o.Width, o.Height = p.cfg.Size("viewport")
	if s.Viewport != "" {
		var err error
		if o.Width, o.Height, err = config.Size(s.Viewport); err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "open device")
		}
	}
	kind := kindOfBrowser{headed: !p.cfg.Bool("headless")}
	if s.Headless != nil {
		kind.headed = !*s.Headless
	}
	for retry := true; ; retry = false {
		sb, err := p.get(ctx, kind)
		if err != nil {
			return nil, err
		}
		dev, err := sb.b.NewDevice(ctx, o)
		if err == nil {
			return &rented{Device: dev, back: sync.OnceFunc(func() { p.put(kind, sb) })}, nil
		}
		if ctx.Err() != nil || !retry || fault.KindOf(err) != fault.Unavailable {
			p.put(kind, sb)
			return nil, err
		}
		p.drop(kind, sb)
	}
}

// get returns a browser of a kind with one more user, launching it when there is none.
func (p *browsers) get(ctx context.Context, kind kindOfBrowser) (*sharedBrowser, error) {
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
			sb.b, sb.err = web.Launch(ctx, web.Options{Browser: p.cfg.String("browser"), Headed: kind.headed})
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

// rented is a device that gives its browser back when it is closed.
type rented struct {
	driver.Device
	back func()
}

// Unwrap is how driver.As finds the capabilities of the device itself.
func (r *rented) Unwrap() driver.Device { return r.Device }

// Close implements driver.Device.
func (r *rented) Close() error {
	err := r.Device.Close()
	r.back()
	return err
}

func sscan(data []byte, into ...any) (int, error) { return fmt.Sscan(string(data), into...) }
