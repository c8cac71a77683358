package mcpfront

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// keep finds a daemon, relays until it is lost, and finds the next, until ctx ends. The first is dialed while the client's
// first line is still on its way. A daemon that answered and was lost is replaced at once; one that was stopped, or that
// dies without having said a word, only when the client wants something: nobody starts it over and over.
func (f *front) keep(ctx context.Context) {
	for again, wait := false, false; ; again = true {
		if wait {
			select {
			case <-f.wanted:
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return
		}
		if wait && !f.waiting() {
			continue // it was answered or canceled meanwhile
		}
		w, err := f.find(ctx)
		if err != nil {
			f.giveUp(ctx, err)
			wait = true
			continue
		}
		served := f.serve(ctx, w, again)
		f.lost(w)
		wait = served == 0 || f.o.Dialer.Stopped()
		if f.waiting() {
			f.want()
		}
	}
}

// serve relays over w until it ends. What waited is sent while lines already come back, so that neither side blocks.
func (f *front) serve(ctx context.Context, w *wire, again bool) (passed int) {
	defer context.AfterFunc(ctx, w.close)()
	if again {
		f.announce()
	}
	watching, enough := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { f.flush(w) })
	beside.Go(func() { w.watch.run(watching) })
	passed = f.relay(w)
	w.close()
	enough()
	beside.Wait()
	return passed
}

// flush sends what waited, in order, and opens the way for what comes.
func (f *front) flush(w *wire) {
	f.up.Lock()
	defer f.up.Unlock()
	f.mu.Lock()
	f.wire = w
	waiting := slices.DeleteFunc(slices.Clone(f.queue), func(m *message) bool { return m.sent })
	select { // what waited is on its way
	case <-f.wanted:
	default:
	}
	f.mu.Unlock()
	for _, m := range waiting {
		f.send(w, m)
	}
}

// waiting reports whether the client waits for an answer.
func (f *front) waiting() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.queue, func(m *message) bool { return m.asks() && !m.rests })
}

// find dials until there is a daemon that knows what the last one knew, or patience ends.
func (f *front) find(ctx context.Context) (*wire, error) {
	ctx, cancel := context.WithTimeout(ctx, f.o.Patience)
	defer cancel()
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		w, err := f.dial(ctx)
		if err == nil {
			return w, nil
		}
		f.o.Log.Warn("no daemon", "error", err)
		if final(err) {
			return nil, err
		}
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return nil, err
		}
	}
}

// final reports whether trying again is of no use.
func final(err error) bool {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Denied, fault.Unsupported, fault.NotFound, fault.Conflict, fault.Canceled:
		return true
	case fault.Timeout, fault.Unavailable, fault.Busy, fault.Internal, fault.Assertion, fault.NotActed, fault.Degraded:
		return false
	}
	return false
}

func (f *front) dial(ctx context.Context) (*wire, error) {
	f.mu.Lock()
	seat := f.seat
	f.mu.Unlock()
	conn, seat, err := f.o.Dialer.Dial(ctx, seat)
	if err != nil {
		return nil, err
	}
	w := newWire(f, conn)
	stop := context.AfterFunc(ctx, w.close)
	err = f.resume(w)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		w.close()
		return nil, err
	}
	f.mu.Lock()
	f.seat = seat
	f.mu.Unlock()
	f.o.Log.Info("connected", "seat", seat[:min(len(seat), 8)]) // whoever knows all of it has the seat
	return w, nil
}

// resume tells a new daemon what the client told the last one, under ids of our own, and swallows the answers.
func (f *front) resume(w *wire) error {
	f.mu.Lock()
	p := f.past
	f.mu.Unlock()
	if p.initialize == nil {
		return nil
	}
	if err := f.replay(w, p.initialize, 0); err != nil {
		return err
	}
	if p.initialized != nil {
		if _, err := w.conn.Write(p.initialized); err != nil {
			return fault.Wrap(err, fault.Unavailable, "resume session")
		}
	}
	for i, line := range p.requests() {
		if err := f.replay(w, line, i+1); errors.Is(err, errRefused) {
			f.o.Log.Warn("the new daemon refused what the last one granted", "error", err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

var errRefused = errors.New("the daemon refused")

// replay asks again and waits for the answer; what else the daemon says meanwhile goes to the client.
func (f *front) replay(w *wire, line []byte, n int) error {
	id := strconv.Quote("front-replay-" + strconv.Itoa(n))
	if _, err := w.conn.Write(withID(line, id)); err != nil {
		return fault.Wrap(err, fault.Unavailable, "resume session")
	}
	for {
		got, err := w.in.next()
		if err != nil {
			return fault.Wrap(err, fault.Unavailable, "resume session")
		}
		s, ok := read(got, true)
		switch {
		case !ok:
		case s.method == "" && string(s.id) == id && s.failed:
			return fault.New(fault.Unavailable, "resume session", "%w: %s", errRefused, got)
		case s.method == "" && string(s.id) == id:
			return nil
		default:
			f.fromDaemon(got)
		}
	}
}

// giveUp answers everything that waited.
func (f *front) giveUp(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	f.mu.Lock()
	waiting := f.queue
	f.queue = slices.DeleteFunc(slices.Clone(waiting), func(m *message) bool { return m.method != methodInitialized })
	f.settleIdle()
	f.mu.Unlock()
	for _, m := range waiting {
		if m.asks() {
			f.say(unreachable(m, err))
		}
	}
}

// announce tells the client that the new daemon may have other tools, in the way of its era: a client that listens gets it
// on each of its streams, one that initialized gets it plainly.
func (f *front) announce() {
	const method = "notifications/tools/list_changed"
	f.mu.Lock()
	plain := f.past.initialized != nil
	var streams []string
	for _, m := range f.queue {
		if m.method == methodListen && wantsTools(m.line) {
			streams = append(streams, m.id)
		}
	}
	f.mu.Unlock()
	if plain {
		f.say(encode(notification{JSONRPC: "2.0", Method: method}))
	}
	for _, id := range streams {
		f.say(encode(notification{"2.0", method, map[string]any{"_meta": map[string]any{subscriptionKey: json.RawMessage(id)}}}))
	}
}

const subscriptionKey = "io.modelcontextprotocol/subscriptionId"

// listening is what a subscriptions/listen asks to be told of.
type listening struct {
	Params struct {
		Notifications struct {
			Tools     bool     `json:"toolsListChanged"`
			Prompts   bool     `json:"promptsListChanged"`
			Resources bool     `json:"resourcesListChanged"`
			URIs      []string `json:"resourceSubscriptions"`
		} `json:"notifications"`
	} `json:"params"`
}

func wantsTools(line []byte) bool {
	var l listening
	return json.Unmarshal(line, &l) == nil && l.Params.Notifications.Tools
}

// listens reports whether a stream stays open: one that asks for nothing is answered at once.
func listens(line []byte) bool {
	var l listening
	n := &l.Params.Notifications
	return json.Unmarshal(line, &l) == nil && (n.Tools || n.Prompts || n.Resources || len(n.URIs) > 0)
}
