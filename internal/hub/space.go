package hub

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// space is a workspace in use: its tools, and the dispatcher that calls them.
type space struct {
	root  string
	ready chan struct{} // closed when the rest is set
	ws    *Workspace
	reg   *tool.Registry
	d     *dispatch.Dispatcher
	err   error

	users int       // calls in it, under Hub.mu
	used  time.Time // under Hub.mu
}

// space finds the workspace with this root, or loads it; leave says that the caller is done with it. Who comes while it is being loaded waits for that one load. A
// load that failed is tried again by the next caller.
func (h *Hub) space(ctx context.Context, root string) (_ *space, leave func(), err error) {
	h.mu.Lock()
	sp := h.spaces[root]
	mine := sp == nil
	if mine {
		if h.closed {
			h.mu.Unlock()
			return nil, nil, errClosing
		}
		sp = &space{root: root, ready: make(chan struct{})}
		h.spaces[root] = sp
	}
	sp.users++
	if mine {
		h.forgetSpacesLocked()
	}
	h.mu.Unlock()
	leave = sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		sp.users--
		sp.used = h.now()
	})
	if mine {
		h.load(sp)
	}
	select {
	case <-sp.ready:
		if sp.err != nil {
			leave()
			return nil, nil, sp.err
		}
		return sp, leave, nil
	case <-ctx.Done():
		leave()
		return nil, nil, fault.Wrap(context.Cause(ctx), fault.KindOf(ctx.Err()), "load workspace")
	}
}

func (h *Hub) load(sp *space) {
	defer close(sp.ready)
	sp.ws, sp.err = h.o.Workspace(sp.root)
	if sp.err == nil {
		// A desk tool has precedence: it does the same with the house around it.
		tools := slices.DeleteFunc(slices.Clone(sp.ws.Tools), func(t tool.Tool) bool { return h.isDesk[t.Spec().Name] })
		sp.reg, sp.err = tool.NewRegistry(append(tools, h.desk...)...)
	}
	if sp.err != nil {
		sp.err = fault.Wrap(sp.err, "", "load workspace")
		h.mu.Lock()
		delete(h.spaces, sp.root)
		h.mu.Unlock()
		return
	}
	sp.d = dispatch.New(dispatch.Options{Registry: sp.reg, Middleware: slices.Concat(h.o.Middleware, sp.ws.Middleware)})
}

// Tools is everything the seat's workspace has, desk tools too. When the workspace cannot be loaded it is the desk tools
// alone; Do says why.
func (h *Hub) Tools(s *Seat) *tool.Registry {
	sp, leave, err := h.space(h.life, s.State().Workspace)
	if err == nil {
		defer leave()
		return sp.reg
	}
	h.o.Log.Warn("workspace cannot be loaded", "error", err)
	reg, err := tool.NewRegistry(h.desk...)
	if err != nil {
		reg, _ = tool.NewRegistry()
	}
	return reg
}

func (sp *space) memory() *memory.Store {
	if sp.ws.Memory != nil {
		if m := sp.ws.Memory(); m != nil {
			return m
		}
	}
	return memory.New()
}

func (sp *space) close(ctx context.Context) error {
	<-sp.ready
	if sp.err != nil {
		return nil
	}
	err := sp.d.Close(ctx)
	if sp.ws.Close != nil {
		err = errors.Join(err, sp.ws.Close())
	}
	return err
}
