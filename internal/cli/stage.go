package cli

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/file"
	"github.com/trailblaze-dev/trailblaze/internal/policy"
	"github.com/trailblaze-dev/trailblaze/internal/replay"
	"github.com/trailblaze-dev/trailblaze/internal/session"
	"github.com/trailblaze-dev/trailblaze/internal/tools"
	"github.com/trailblaze-dev/trailblaze/internal/yaml"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// stage is what trails are played on: tools, dispatcher, one browser, and sessions in isolated contexts of it. The browser
// is started with the first device, so that a run that cannot begin starts none.
type stage struct {
	registry   *tool.Registry
	dispatcher *dispatch.Dispatcher
	sessions   string // root; "" keeps nothing
	browser    web.Options
	device     web.DeviceOptions
	seed       func(*memory.Store) // declared secrets, by the policy; may be nil

	mu      sync.Mutex
	running *web.Browser
}

// newRegistry lists all tools. Files to upload and trails to call are read below root.
func newRegistry(root string) (*tool.Registry, error) {
	var reg *tool.Registry
	all := append(tools.BuiltinIn(root), replay.NewRunTrail(
		func(path string) (*trail.Trail, error) { return loadTrailIn(root, path) },
		func() *tool.Registry { return reg },
	))
	reg, err := tool.NewRegistry(all...)
	return reg, err
}

func newStage(root string, middleware ...dispatch.Middleware) (*stage, error) {
	reg, err := newRegistry(root)
	if err != nil {
		return nil, err
	}
	return &stage{registry: reg, dispatcher: dispatch.New(dispatch.Options{Registry: reg, Middleware: middleware})}, nil
}

// obey makes the browser and the sessions keep to a policy. Its middleware is given to newStage.
func (s *stage) obey(p *policy.Policy, env func(string) string) {
	hosts := p.HostRules()
	s.browser.Args, s.browser.Dial = append(s.browser.Args, hosts.Args...), hosts.Dial
	s.seed = func(m *memory.Store) {
		if m != nil {
			p.Seed(m, env)
		}
	}
}

// open gives a fresh device, launching the browser when there is none and once more when it has died.
func (s *stage) open(ctx context.Context) (driver.Device, error) {
	for retry := true; ; retry = false {
		b, err := s.launched(ctx)
		if err != nil {
			return nil, err
		}
		d, err := b.NewDevice(ctx, s.device)
		if err == nil {
			return d, nil
		}
		if !retry || ctx.Err() != nil || fault.KindOf(err) != fault.Unavailable {
			return nil, err
		}
		s.drop(b)
	}
}

func (s *stage) launched(ctx context.Context) (*web.Browser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		b, err := web.Launch(ctx, s.browser)
		if err != nil {
			return nil, err
		}
		s.running = b
	}
	return s.running, nil
}

func (s *stage) drop(dead *web.Browser) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == dead {
		s.running = nil
	}
	_ = dead.Close()
}

// shutDown bounds what is left to do when a run ends: an interrupted run must end within a second.
const shutDown = 700 * time.Millisecond

// close ends everything the stage started.
func (s *stage) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutDown)
	defer cancel()
	_ = s.dispatcher.Close(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		_ = s.running.Close()
		s.running = nil
	}
}

// session opens one sitting, with a fresh device unless there will be nothing to do on it. The returned function ends
// both.
func (s *stage) session(ctx context.Context, title string, mem *memory.Store, labels map[string]string, withDevice bool) (*session.Session, func(context.Context, event.Outcome, *event.Failure), error) {
	var dev driver.Device
	closeDevice := func() {}
	if withDevice {
		d, err := s.open(ctx)
		if err != nil {
			return nil, nil, err
		}
		dev, closeDevice = d, func() { _ = d.Close() }
	}
	if s.seed != nil {
		s.seed(mem)
	}
	sess, err := session.Open(ctx, session.Options{
		Root: s.sessions, Title: title, Device: dev, Memory: mem, Labels: maps.Clone(labels), Version: buildVersion().Version,
	})
	if err != nil {
		closeDevice()
		return nil, nil, err
	}
	return sess, func(_ context.Context, o event.Outcome, f *event.Failure) {
		closeDevice()
		_ = sess.CloseWith(o, asError(f))
	}, nil
}

// asError turns a reported failure back into an error of its kind.
func asError(f *event.Failure) error {
	if f == nil {
		return nil
	}
	err := fault.New(fault.Kind(f.Kind), "", "%s", f.Message)
	if f.Hint != "" {
		err = err.WithHint("%s", f.Hint)
	}
	return err
}

// loadTrailIn reads a trail below root, for trails that call others.
func loadTrailIn(root, path string) (*trail.Trail, error) {
	const op = "read trail"
	if root == "" {
		root = "."
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = dir.Close() }()
	rel := filepath.FromSlash(path)
	if filepath.IsAbs(rel) {
		abs, err := filepath.Abs(root)
		if err != nil {
			return nil, fault.Wrap(err, fault.Internal, op)
		}
		if rel, err = filepath.Rel(abs, rel); err != nil {
			return nil, fault.Wrap(err, fault.Denied, op)
		}
	}
	data, err := file.ReadIn(dir, rel, yaml.MaxSize)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, op)
	}
	t, problems := trail.Parse(path, data, trail.Strict)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if t.Dir, err = filepath.Abs(filepath.Join(root, filepath.Dir(rel))); err != nil {
		return nil, fault.Wrap(err, fault.Internal, op)
	}
	return t, nil
}

// maxState bounds a login state.
const maxState = 16 << 20

// storageState reads a login state from a file in Playwright's format.
func storageState(path string) (json.RawMessage, error) {
	if path == "" {
		return nil, nil
	}
	data, err := file.Read(path, maxState)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "read storage state")
	}
	if !json.Valid(data) {
		return nil, fault.New(fault.Invalid, "read storage state", "%s is not JSON", path)
	}
	return data, nil
}
