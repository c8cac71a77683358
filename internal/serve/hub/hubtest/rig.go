package hubtest

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Provider opens Devices. Set Open to make opening fail or wait.
type Provider struct {
	OnOpen func(ctx context.Context, s devices.Spec) error
	OnNew  func(d *Device) // sees each device before anybody uses it
	Phones []string        // ids of the devices that are connected beside web; the last character of each is its API level

	mu   sync.Mutex
	open map[string][]*Device
}

// Open implements devices.Provider.
func (p *Provider) Open(ctx context.Context, s devices.Spec) (driver.Device, error) {
	if p.OnOpen != nil {
		if err := p.OnOpen(ctx, s); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, fault.Wrap(err, "", "open fake device")
	}
	d := newDevice(s)
	if p.OnNew != nil {
		p.OnNew(d)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open == nil {
		p.open = map[string][]*Device{}
	}
	p.open[s.ID] = append(p.open[s.ID], d)
	if slices.Contains(p.Phones, s.ID) {
		return phone{d}, nil
	}
	return d, nil
}

// Available implements devices.Provider.
func (p *Provider) Available(context.Context) ([]driver.Info, error) {
	out := []driver.Info{{ID: string(driver.WebPlatform), Platform: driver.WebPlatform, Driver: "PLAYWRIGHT_NATIVE"}}
	for _, id := range p.Phones {
		out = append(out, driver.Info{ID: id, Platform: driver.AndroidPlatform})
	}
	return out, nil
}

// Facts implements devices.Provider.
func (p *Provider) Facts(_ context.Context, id string) trail.Facts {
	api, _ := strconv.Atoi(id[len(id)-1:])
	return trail.Facts{API: api}
}

// Opened lists the devices that were opened under an id, oldest first.
func (p *Provider) Opened(id string) []*Device {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*Device(nil), p.open[id]...)
}

// Options shape a Rig.
type Options struct {
	Hub   hub.Options // what is not set gets what the tests need
	Tools []tool.Tool // besides the product's and the demo_ tools
	Bare  bool        // without the product's tools
}

// Rig is a hub with fake devices in a home of its own. It is closed when the test ends.
type Rig struct {
	*hub.Hub
	Provider  *Provider
	Home      string
	Workspace string
	Free      func() // lets demo_stuck end; done when the test ends at the latest

	t testing.TB
	o hub.Options
}

// New makes a Rig.
func New(t testing.TB, o Options) *Rig {
	t.Helper()
	r := &Rig{t: t, Home: t.TempDir(), Workspace: t.TempDir(), Provider: &Provider{}, o: o.Hub}
	free := make(chan struct{})
	r.Free = sync.OnceFunc(func() { close(free) })
	all := append(Tools(free), o.Tools...)
	if !o.Bare {
		all = append(all, tools.BuiltinIn(r.Workspace, nil)...)
	}
	if r.o.Home == "" {
		r.o.Home = r.Home
	}
	if r.o.Sessions == "" {
		r.o.Sessions = filepath.Join(r.Home, "sessions")
	}
	if r.o.Provider == nil {
		r.o.Provider = r.Provider
	}
	if r.o.Management == nil {
		r.o.Management = Management
	}
	if r.o.Workspace == nil {
		r.o.Workspace = func(root string) (*hub.Workspace, error) { return &hub.Workspace{Root: root, Tools: all}, nil }
	}
	r.start()
	t.Cleanup(func() {
		r.Free()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := r.Close(ctx); err != nil {
			t.Errorf("close hub: %v", err)
		}
	})
	return r
}

// Restart starts another hub on the same home, after the one before was closed, dropped or killed.
func (r *Rig) Restart() {
	r.t.Helper()
	r.start()
}

func (r *Rig) start() {
	r.t.Helper()
	h, err := hub.New(r.o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.Hub = h
}

// Crash loses the hub as the death of its process would, and starts another on the same home.
func (r *Rig) Crash() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.Kill(ctx); err != nil {
		r.t.Errorf("kill hub: %v", err)
	}
	r.start()
}

// Client makes a new client in the rig's workspace.
func (r *Rig) Client(kind, name string) *clients.Client {
	r.t.Helper()
	s, err := r.Hub.Client("", clients.Identity{Kind: kind, Name: name, Workspace: r.Workspace})
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// Call calls a tool as a client, on the device that is named, or the client's with "".
func (r *Rig) Call(ctx context.Context, s *clients.Client, device, name, args string) (*calls.Reply, error) {
	return r.Hub.Do(ctx, s,
		calls.Request{Call: tool.Call{Name: name, Args: json.RawMessage(args)}, Device: device, From: dispatch.MCP})
}

// Must calls a tool that has to succeed.
func (r *Rig) Must(s *clients.Client, device, name, args string) *calls.Reply {
	r.t.Helper()
	rep, err := r.Call(r.t.Context(), s, device, name, args)
	if err == nil {
		err = rep.Result.Err()
	}
	if err != nil {
		r.t.Fatalf("%s %s on %q: %v", name, args, device, err)
	}
	return rep
}
