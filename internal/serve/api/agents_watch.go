package api

import (
	"context"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// updateInterval is the shortest time between two messages about one session: a flow changes a page many times a
// second, and a subscriber reads all of it after each message.
const updateInterval = 200 * time.Millisecond

// sessionWatch notes which sessions have something new for one stream.
type sessionWatch struct {
	*Agents
	client *clients.Client
	more   chan struct{} // one token

	noting sync.Mutex
	due    map[string]string // device by session
	stops  map[string]func() // by session; each stops observing its log
}

// WatchSessions implements AgentService. It watches the session that the client's device is in, which others may drive
// too, and every session in which a model makes a call.
func (s *Agents) WatchSessions(
	ctx context.Context, r *pb.WatchSessionsRequest, send func(*pb.WatchSessionsResponse) error,
) error {
	c, err := s.client(r.ClientId)
	if err != nil {
		return err
	}
	ctx, done, err := s.stream(ctx)
	if err != nil {
		return err
	}
	defer done()
	w := &sessionWatch{Agents: s, client: c, more: make(chan struct{}, 1), due: map[string]string{},
		stops: map[string]func(){}}
	s.mu.Lock()
	s.watchers[w] = struct{}{}
	s.mu.Unlock()
	defer w.stop()
	w.listen()
	if err := send(&pb.WatchSessionsResponse{}); err != nil {
		return err
	}
	return w.run(ctx, send)
}

func (w *sessionWatch) run(ctx context.Context, send func(*pb.WatchSessionsResponse) error) error {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-w.more:
		case <-ctx.Done():
			return ctx.Err()
		}
		pause.Reset(updateInterval)
		select {
		case <-pause.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		w.noting.Lock()
		due := w.due
		w.due = map[string]string{}
		w.noting.Unlock()
		for session, device := range due {
			if err := send(&pb.WatchSessionsResponse{SessionId: session, DeviceId: device}); err != nil {
				return err
			}
		}
	}
}

func (w *sessionWatch) stop() {
	w.mu.Lock()
	delete(w.watchers, w)
	w.mu.Unlock()
	w.noting.Lock()
	stops := w.stops
	w.stops = nil
	w.noting.Unlock()
	for _, stop := range stops {
		stop()
	}
}

// listen observes the log of the client's running session.
func (w *sessionWatch) listen() {
	live, ok := w.o.Hub.RunningSession(w.client)
	if !ok {
		return
	}
	w.noting.Lock()
	defer w.noting.Unlock()
	if w.stops == nil || w.stops[live.ID] != nil {
		return
	}
	id, device := live.ID, live.Info().Device
	w.stops[id] = live.Log.Observe(func(e event.Event) {
		if e.Type == event.ToolCall || e.Type == event.SessionEnded || e.Type == event.Screenshot {
			go w.note(id, device) // inside of Append, which listen may wait for
		}
	})
}

func (w *sessionWatch) note(session, device string) {
	w.noting.Lock()
	w.due[session] = device
	w.noting.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
}

// touched runs after a call of any client, which may have begun a session.
func (s *Agents) touched(r *calls.Reply) {
	if r == nil || r.Session == "" {
		return
	}
	s.mu.Lock()
	var all []*sessionWatch
	for w := range s.watchers {
		all = append(all, w)
	}
	s.mu.Unlock()
	for _, w := range all {
		w.listen()
		w.note(r.Session, r.Device)
	}
}
