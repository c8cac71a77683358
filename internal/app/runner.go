package app

import (
	"context"
	"encoding/json"
	"maps"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/event/index"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/serve/callback"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// RunnerOptions shape a Runner.
type RunnerOptions struct {
	Tools      *workspace.Sources    // loaded; the runner closes them
	Callback   *callback.Server      // of the tools; nil: none may call back. The runner binds and closes it
	Devices    *Devices              // the runner closes them
	Device     devices.Spec          // of each session
	Sessions   string                // root; "" keeps nothing
	Version    string                // of trailblaze
	Middleware []dispatch.Middleware // around every call
	Seed       func(*memory.Store)   // the secrets of the policy; may be nil
}

// Runner plays trails without a daemon, each in a session of its own on a fresh device.
type Runner struct {
	RunnerOptions
	Registry   *tool.Registry
	Dispatcher *dispatch.Dispatcher
	baselines  *baselines
}

// NewRunner makes a runner. It starts no browser: a run that cannot begin needs none.
func NewRunner(o RunnerOptions) *Runner {
	reg := o.Tools.Registry()
	d := dispatch.New(dispatch.Options{Registry: reg, Middleware: o.Middleware})
	if o.Callback != nil { // the doctor's runner has none
		o.Callback.Bind(d)
	}
	return &Runner{RunnerOptions: o, Registry: reg, Dispatcher: d}
}

// Player makes the player of a run. Close ends it.
func (r *Runner) Player(ctx context.Context) *replay.Player {
	p, b := newPlayer(ctx, r.Registry, r.Sessions)
	p.Dispatcher, r.baselines = r.Dispatcher, b
	return p
}

// newPlayer makes a player as `trailblaze run` and the daemon use it. It has no dispatcher yet. Without a root of
// sessions it compares no failure with earlier passes.
func newPlayer(ctx context.Context, reg *tool.Registry, sessions string) (*replay.Player, *baselines) {
	p := &replay.Player{Registry: reg, NeedsModel: tools.NeedsModel()}
	b := &baselines{ctx: context.WithoutCancel(ctx), root: sessions}
	if sessions != "" {
		p.Baselines = b
	}
	return p, b
}

// Session opens one sitting, on a fresh device if there is anything to do. The returned function ends both.
func (r *Runner) Session(
	ctx context.Context, title string, mem *memory.Store, labels map[string]string, withDevice bool,
) (*session.Session, func(context.Context, event.Outcome, *fault.Failure), error) {
	return r.SessionOn(ctx, r.Device.ID, title, mem, labels, withDevice)
}

// SessionOn opens one sitting as Session does, on the device with this id.
func (r *Runner) SessionOn(
	ctx context.Context, id, title string, mem *memory.Store, labels map[string]string, withDevice bool,
) (*session.Session, func(context.Context, event.Outcome, *fault.Failure), error) {
	var dev driver.Device
	closeDevice := func() {}
	if withDevice {
		spec := r.Device
		spec.ID = id
		d, err := r.Devices.Open(ctx, spec)
		if err != nil {
			return nil, nil, err
		}
		dev, closeDevice = d, func() { _ = d.Close() }
	}
	if r.Seed != nil && mem != nil {
		r.Seed(mem)
	}
	sess, err := session.Open(ctx, session.Options{
		Root: r.Sessions, Title: title, Device: dev, Memory: mem, Labels: maps.Clone(labels), Version: r.Version,
	})
	if err != nil {
		closeDevice()
		return nil, nil, err
	}
	return sess, func(_ context.Context, o event.Outcome, f *fault.Failure) {
		closeDevice()
		_ = sess.CloseWith(o, f.Err())
	}, nil
}

// Join opens the device of each actor and joins it to a session. The returned function closes the devices.
func (r *Runner) Join(ctx context.Context, s *session.Session, actors []replay.Actor) (func(), error) {
	opened := make([]driver.Device, len(actors))
	errs := make([]error, len(actors))
	var work sync.WaitGroup
	for i, a := range actors {
		work.Go(func() {
			spec := r.Device
			spec.ID = a.Device.ID
			if opened[i], errs[i] = r.Devices.Open(ctx, spec); errs[i] != nil {
				errs[i] = &replay.Unopened{Device: spec.ID, Err: fault.Wrap(errs[i], "", "open the device of "+a.Name)}
			}
		})
	}
	work.Wait()
	closeAll := func() {
		for i, d := range opened {
			if errs[i] == nil {
				work.Go(func() { _ = d.Close() })
			}
		}
		work.Wait()
	}
	for _, err := range errs {
		if err != nil {
			closeAll()
			return nil, err
		}
	}
	for i, a := range actors {
		s.Join(a.Name, opened[i])
	}
	return closeAll, nil
}

// closeTime bounds the work left when a run ends: an interrupted run must end within a second.
const closeTime = 700 * time.Millisecond

// Close ends everything that the runner started.
func (r *Runner) Close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	_ = r.Dispatcher.Close(ctx)
	_ = r.Devices.Close()
	_ = r.Tools.Close()
	if r.Callback != nil {
		_ = r.Callback.Close(ctx)
	}
	if r.baselines != nil {
		r.baselines.close()
	}
}

// maxState bounds a login state.
const maxState = 16 << 20

// StorageState reads a login state from a file in Playwright's format.
func StorageState(path string) (json.RawMessage, error) {
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

// baselines finds the screens of earlier passes. It opens the history when a step has failed, because most runs need
// none.
type baselines struct {
	ctx   context.Context // of the run; the index lives as long
	root  string
	once  sync.Once
	index *index.Index
}

// Baselines implements replay.Baselines.
func (b *baselines) Baselines(file string, step, then, n int) []*screen.Snapshot {
	if !b.open() {
		return nil
	}
	return index.Baselines{Index: b.index}.Baselines(file, step, then, n)
}

// open reports whether there is a history.
func (b *baselines) open() bool {
	b.once.Do(func() {
		x, err := index.Open(b.ctx, b.root)
		if err != nil {
			return
		}
		if err := x.Sync(b.ctx); err != nil {
			_ = x.Close()
			return
		}
		b.index = x
	})
	return b.index != nil
}

// Took returns how long the trail of a job took when it last passed, 0 when that is not known.
func (r *Runner) Took(j replay.Job) time.Duration {
	b := r.baselines
	if j.File == "" || b == nil || b.root == "" || !b.open() {
		return 0
	}
	return b.index.Took(b.ctx, j.File)
}

func (b *baselines) close() {
	b.once.Do(func() {})
	if b.index != nil {
		_ = b.index.Close()
	}
}
