package hub

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// MaxIdleWorkspaces bounds the loaded workspaces that no call uses.
const MaxIdleWorkspaces = 32

// workspaceCloseTime limits the time in which the tools of a workspace end.
const workspaceCloseTime = 10 * time.Second

var errClosing = fault.New(fault.Canceled, "", "the daemon is stopping")

// workspaces are those that are loaded. They know the tools and the targets of each client.
type workspaces struct {
	hub  *Hub
	life context.Context // of loading and closing workspaces: a lifetime owner
	stop context.CancelCauseFunc
	work sync.WaitGroup // goroutines that close workspaces

	mu       sync.Mutex
	byRoot   map[string]*workspace
	failed   map[string]bool // roots whose last load failed
	watchers map[*func(root string)]struct{}
	closed   bool
}

// workspace is a workspace in use. Its dispatcher holds its tools, which may be replaced by others
// while calls run.
type workspace struct {
	root       string
	ready      chan struct{} // closed when the rest is set
	ws         *Workspace
	dispatcher *dispatch.Dispatcher
	unwatch    func() // ends Workspace.Changes; may be nil
	err        error

	users int       // calls in it, under workspaces.mu
	used  time.Time // under workspaces.mu
}

func (w *workspaces) init(h *Hub) {
	w.hub, w.byRoot, w.failed = h, map[string]*workspace{}, map[string]bool{}
	w.watchers = map[*func(string)]struct{}{}
	w.life, w.stop = context.WithCancelCause(context.Background())
}

// use returns the workspace with this root, which it loads if need be; leave says that the caller
// is done with it. Callers that come while it is being loaded wait for that one load. A load that
// failed is tried again by the next caller.
func (w *workspaces) use(ctx context.Context, root string) (_ *workspace, leave func(), err error) {
	w.mu.Lock()
	ws := w.byRoot[root]
	mine := ws == nil
	if mine {
		if w.closed {
			w.mu.Unlock()
			return nil, nil, errClosing
		}
		ws = &workspace{root: root, ready: make(chan struct{})}
		w.byRoot[root] = ws
	}
	ws.users++
	if mine {
		w.forgetIdleLocked()
	}
	w.mu.Unlock()
	leave = sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		ws.users--
		ws.used = w.hub.o.Now()
	})
	if mine && w.load(ws) {
		w.changed(root)
	}
	select {
	case <-ws.ready:
		if ws.err != nil {
			leave()
			return nil, nil, ws.err
		}
		return ws, leave, nil
	case <-ctx.Done():
		leave()
		return nil, nil, fault.Wrap(context.Cause(ctx), fault.KindOf(ctx.Err()), "load workspace")
	}
}

// load loads a workspace, and reports whether its tools are others than before: an earlier load failed, so that
// clients saw the management tools alone.
func (w *workspaces) load(ws *workspace) (others bool) {
	defer close(ws.ready)
	h := w.hub
	ws.ws, ws.err = h.o.Workspace(ws.root)
	w.mu.Lock()
	others = ws.err == nil && w.failed[ws.root]
	delete(w.failed, ws.root)
	if ws.err != nil {
		ws.err = fault.Wrap(ws.err, "", "load workspace")
		w.failed[ws.root] = true
		delete(w.byRoot, ws.root)
	}
	w.mu.Unlock()
	if ws.err != nil {
		return false
	}
	ws.dispatcher = dispatch.New(dispatch.Options{
		Registry: w.registry(ws, ws.ws.Tools), Middleware: slices.Concat(h.o.Middleware, ws.ws.Middleware),
		Counter: h.o.Counter,
	})
	if ws.ws.Changes != nil {
		ws.unwatch = ws.ws.Changes(func(tools []tool.Tool) {
			ws.dispatcher.SetRegistry(w.registry(ws, tools))
			w.changed(ws.root)
		})
	}
	return others
}

// registry holds the management tools and those of a workspace that are in order. The others are
// left out: a mistake in one tool must not take the rest away.
func (w *workspaces) registry(ws *workspace, tools []tool.Tool) *tool.Registry {
	h := w.hub
	all, lacks := slices.Clone(h.management), []tool.Problem{}
	for _, t := range tools {
		name := t.Spec().Name
		if !h.manages[name] {
			all = append(all, t)
			continue
		}
		lacks = append(lacks, tool.Problem{Name: name, Err: fault.New(fault.Conflict, "register tools",
			"the tool %q of the workspace is named like the management tool %q", name, name).WithHint("Rename it.")})
	}
	reg, problems := tool.Collect(all...)
	lacks = append(lacks, problems...)
	for _, p := range lacks {
		h.o.Log.Warn("a tool is left out", "workspace", ws.root, "tool", p.Name, "error", p.Err)
	}
	if ws.ws.LeftOut != nil {
		lacks = append(lacks, ws.ws.LeftOut()...) // the source has told the log
	}
	return reg.Lacking(lacks)
}

// changed notifies the watchers that the tools of a workspace have changed.
func (w *workspaces) changed(root string) {
	w.mu.Lock()
	watchers := slices.Collect(maps.Keys(w.watchers))
	w.mu.Unlock()
	for _, fn := range watchers {
		(*fn)(root)
	}
}

// WatchTools calls fn with the root of a workspace after its tools have changed, until stop.
func (w *workspaces) WatchTools(fn func(root string)) (stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watchers[&fn] = struct{}{}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.watchers, &fn)
	}
}

// forgetIdleLocked closes workspaces that no call uses. The next call in one loads it again. mu is
// held.
func (w *workspaces) forgetIdleLocked() {
	idle := map[string]time.Time{}
	for root, ws := range w.byRoot {
		if ws.users == 0 {
			idle[root] = ws.used
		}
	}
	for _, root := range clients.Oldest(idle, MaxIdleWorkspaces) {
		ws := w.byRoot[root]
		delete(w.byRoot, root)
		w.work.Go(func() {
			ctx, cancel := context.WithTimeout(w.life, workspaceCloseTime)
			defer cancel()
			if err := ws.close(ctx); err != nil {
				w.hub.o.Log.Warn("a workspace did not close cleanly", "workspace", root, "error", err)
			}
		})
	}
}

// refuse loads no workspace from now on.
func (w *workspaces) refuse() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
}

// close closes all workspaces.
func (w *workspaces) close(ctx context.Context, cause error) error {
	w.refuse()
	w.stop(cause)
	errs := []error{calls.Wait(ctx, &w.work, "workspaces")}
	w.mu.Lock()
	all := w.byRoot
	w.byRoot = map[string]*workspace{}
	w.mu.Unlock()
	for _, ws := range all {
		errs = append(errs, ws.close(ctx))
	}
	return errors.Join(errs...)
}

func (ws *workspace) close(ctx context.Context) error {
	<-ws.ready
	if ws.err != nil {
		return nil
	}
	if ws.unwatch != nil {
		ws.unwatch()
	}
	err := ws.dispatcher.Close(ctx)
	if ws.ws.Close != nil {
		err = errors.Join(err, ws.ws.Close())
	}
	return err
}

func (ws *workspace) memory() *memory.Store {
	if ws.ws.Memory != nil {
		if m := ws.ws.Memory(); m != nil {
			return m
		}
	}
	return memory.New()
}

// ReloadTools reads the tools of the client's workspace again.
func (w *workspaces) ReloadTools(ctx context.Context, c *clients.Client) (Reloaded, error) {
	ws, leave, err := w.use(ctx, c.State().Workspace)
	if err != nil {
		return Reloaded{}, err
	}
	defer leave()
	if ws.ws.Reload == nil {
		return Reloaded{Total: len(ws.ws.Tools)}, nil
	}
	return ws.ws.Reload(ctx)
}

// Tools is everything that the client's workspace has, management tools too. When the workspace
// cannot be loaded it is the management tools alone; Do says why.
func (w *workspaces) Tools(c *clients.Client) *tool.Registry {
	ws, leave, err := w.use(w.life, c.State().Workspace)
	if err == nil {
		defer leave()
		return ws.dispatcher.Registry()
	}
	w.hub.o.Log.Warn("workspace cannot be loaded", "error", err)
	reg, err := tool.NewRegistry(w.hub.management...)
	if err != nil {
		reg, _ = tool.NewRegistry()
	}
	return reg
}
