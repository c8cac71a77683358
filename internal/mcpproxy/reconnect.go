package mcpproxy

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/rpcid"
)

// keepConnected finds a daemon, relays until it is lost, and finds the next, until ctx ends. It
// dials the first while the client's first line is still on its way. It replaces a daemon that
// answered and was lost at once; one that was stopped, or that died without an answer, only when
// the client sends a request, so that a failing daemon is not started over and over.
func (px *proxy) keepConnected(ctx context.Context) {
	for again, wait := false, false; ; again = true {
		if wait {
			select {
			case <-px.wanted:
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return
		}
		if wait && !px.waiting() {
			continue // the request was answered or canceled meanwhile
		}
		w, err := px.find(ctx)
		if err != nil {
			px.giveUp(ctx, err)
			wait = true
			continue
		}
		served := px.serve(ctx, w, again)
		px.lost(w)
		wait = served == 0 || px.o.Dialer.Stopped()
		if px.waiting() {
			px.want()
		}
	}
}

// serve relays over w until it ends. It sends the queue while lines already come back, so that
// neither side blocks.
func (px *proxy) serve(ctx context.Context, w *wire, again bool) (passed int) {
	defer context.AfterFunc(ctx, w.close)()
	if again {
		px.announceTools()
	}
	watching, enough := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { px.flush(w) })
	beside.Go(func() { w.watch.run(watching) })
	passed = px.relay(w)
	w.close()
	enough()
	beside.Wait()
	return passed
}

// flush sends the queue in order and lets later lines go directly.
func (px *proxy) flush(w *wire) {
	px.up.Lock()
	defer px.up.Unlock()
	px.mu.Lock()
	px.wire = w
	waiting := slices.DeleteFunc(slices.Clone(px.queue), func(m *message) bool { return m.sent })
	select { // the queue is on its way
	case <-px.wanted:
	default:
	}
	px.mu.Unlock()
	for _, m := range waiting {
		px.send(w, m)
	}
}

// waiting reports whether the client waits for an answer.
func (px *proxy) waiting() bool {
	px.mu.Lock()
	defer px.mu.Unlock()
	return slices.ContainsFunc(px.queue, func(m *message) bool { return m.asks() && !m.rests })
}

// find dials until a daemon has the state of the last one, or the timeout ends.
func (px *proxy) find(ctx context.Context) (*wire, error) {
	ctx, cancel := context.WithTimeout(ctx, px.o.DialTimeout)
	defer cancel()
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		w, err := px.dial(ctx)
		if err == nil {
			return w, nil
		}
		px.o.Log.Warn("no daemon", "error", err)
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

// final reports whether another attempt is useless.
func final(err error) bool {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Denied, fault.Unsupported, fault.NotFound, fault.Conflict, fault.Canceled:
		return true
	case fault.Timeout, fault.Unavailable, fault.Busy, fault.Internal, fault.Assertion, fault.NotActed, fault.Degraded:
		return false
	}
	return false
}

func (px *proxy) dial(ctx context.Context) (*wire, error) {
	px.mu.Lock()
	clientID := px.clientID
	px.mu.Unlock()
	conn, clientID, err := px.o.Dialer.Dial(ctx, clientID)
	if err != nil {
		return nil, err
	}
	w := newWire(px, conn)
	stop := context.AfterFunc(ctx, w.close)
	err = px.resume(w)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		w.close()
		return nil, err
	}
	px.mu.Lock()
	px.clientID = clientID
	px.mu.Unlock()
	// the whole id would let a reader act as the client
	px.o.Log.Info("connected", "client", clientID[:min(len(clientID), 8)])
	return w, nil
}

// resume sends a new daemon the client's state under ids of the proxy, and drops the answers.
func (px *proxy) resume(w *wire) error {
	px.mu.Lock()
	p := px.state
	px.mu.Unlock()
	if p.initialize == nil {
		return nil
	}
	if err := px.replay(w, p.initialize, 0); err != nil {
		return err
	}
	if p.initialized != nil {
		if _, err := w.conn.Write(p.initialized); err != nil {
			return fault.Wrap(err, fault.Unavailable, "resume session")
		}
	}
	for i, line := range p.requests() {
		if err := px.replay(w, line, i+1); errors.Is(err, errRefused) {
			px.o.Log.Warn("the new daemon refused what the last one granted", "error", err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

var errRefused = errors.New("the daemon refused")

// replay sends a request again and waits for the answer; other lines of the daemon go to the
// client.
func (px *proxy) replay(w *wire, line []byte, n int) error {
	id := strconv.Quote("proxy-replay-" + strconv.Itoa(n))
	if _, err := w.conn.Write(rpcid.With(line, id)); err != nil {
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
			px.fromDaemon(got)
		}
	}
}

// giveUp answers every waiting request with err.
func (px *proxy) giveUp(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	px.mu.Lock()
	waiting := px.queue
	px.queue = slices.DeleteFunc(slices.Clone(waiting), func(m *message) bool { return m.method != methodInitialized })
	px.settleIdle()
	px.mu.Unlock()
	for _, m := range waiting {
		if m.asks() {
			px.writeLine(unreachable(m, err))
		}
	}
}

// announceTools tells the client that the new daemon may have other tools, in the form of its
// protocol: on each stream of a client that listens, as a plain notification to one that
// initialized.
func (px *proxy) announceTools() {
	const method = "notifications/tools/list_changed"
	px.mu.Lock()
	plain := px.state.initialized != nil
	var streams []string
	for _, m := range px.queue {
		if m.method == methodListen && wantsTools(m.line) {
			streams = append(streams, m.id)
		}
	}
	px.mu.Unlock()
	if plain {
		px.writeLine(encode(notification{JSONRPC: "2.0", Method: method}))
	}
	for _, id := range streams {
		px.writeLine(encode(notification{"2.0", method,
			map[string]any{"_meta": map[string]any{subscriptionKey: json.RawMessage(id)}}}))
	}
}

const subscriptionKey = "io.modelcontextprotocol/subscriptionId"

// listening is the subscription of a subscriptions/listen.
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

// listens reports whether a stream stays open: the daemon answers one that asks for nothing at
// once.
func listens(line []byte) bool {
	var l listening
	n := &l.Params.Notifications
	return json.Unmarshal(line, &l) == nil && (n.Tools || n.Prompts || n.Resources || len(n.URIs) > 0)
}
