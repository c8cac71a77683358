package mcpfront

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"
)

// wire is a connection to a daemon.
type wire struct {
	conn     io.ReadWriteCloser
	in       *lines
	receipts bool
	watch    *watch
	once     sync.Once
}

// Receipter is a connection whose daemon may tell of every call before it begins with it. One that was lost without that
// word was not begun, and the next daemon gets it.
type Receipter interface{ Receipts() bool }

func newWire(f *front, c io.ReadWriteCloser) *wire {
	r, ok := c.(Receipter)
	w := &wire{conn: c, in: newLines(c, f.o.maxLine), receipts: ok && r.Receipts()}
	w.watch = newWatch(f, w)
	return w
}

func (w *wire) close() { w.once.Do(func() { _ = w.conn.Close() }) }

// relay passes the daemon's lines to the client until the connection ends, and returns how many it passed.
func (f *front) relay(w *wire) (passed int) {
	for {
		line, err := w.in.next()
		w.watch.lines.Add(1)
		switch {
		case errors.Is(err, errLong):
			if s, ok := read(line, true); ok && s.method == "" {
				f.answered(s, nil)
				f.say(refusal(string(s.id), codeInternal, "the answer has more than 64 MB; ask for less of it"))
			}
		case err != nil:
			f.o.Log.Debug("the connection has ended", "error", err)
			return passed
		default:
			if f.fromDaemon(line) {
				passed++
			}
		}
	}
}

// fromDaemon notes what a line means and passes it on, unless it is not for the client.
func (f *front) fromDaemon(line []byte) (passed bool) {
	s, ok := read(line, true)
	if raw, aliased := f.ids.original(s.id); ok && aliased && s.method == "" {
		s.id, line = raw, withID(line, string(raw))
	}
	switch {
	case !ok:
		f.o.Log.Warn("the daemon sent a line that is no message", "bytes", len(line))
		return false
	case s.method == "":
		if !f.answered(s, line) {
			return false
		}
	case s.method == methodReceived:
		f.received(s.params)
		return false
	case s.id != nil:
		line = f.asks(s, line)
	}
	f.say(line)
	return true
}

// received notes that the daemon begins with a call. Should it not be clear which, all may have begun.
func (f *front) received(params json.RawMessage) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(params, &p) // no id: see above
	if raw, aliased := f.ids.original(p.ID); aliased {
		p.ID = raw
	}
	key, found := keyOf(p.ID), false
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.queue {
		if m.sent && m.key == key {
			m.begun, found = true, true
		}
	}
	if !found {
		for _, m := range f.queue {
			m.begun = m.begun || m.sent
		}
	}
}

// answered takes the request off the queue and keeps what a later daemon has to know of it. It reports whether the answer
// is for the client: that a stream ends because its daemon does is not, the next daemon opens it again.
func (f *front) answered(s surface, line []byte) bool {
	f.mu.Lock()
	at := slices.IndexFunc(f.queue, func(m *message) bool { return m.sent && m.key == keyOf(s.id) })
	if at < 0 {
		f.mu.Unlock()
		return true // to what the client has taken back
	}
	m := f.queue[at]
	if m.method == methodListen && !s.failed && listens(m.line) {
		f.mu.Unlock()
		return false
	}
	f.queue = slices.Delete(f.queue, at, at+1)
	if !s.failed {
		f.past.keep(m)
	}
	f.settleIdle()
	f.mu.Unlock()
	if m.method == methodTools && !s.failed {
		f.learn(line)
	}
	return true
}

// asks notes a request of the daemon. An id that a lost daemon used, and that the client may still answer, gets another.
func (f *front) asks(s surface, line []byte) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := string(s.id)
	if _, taken := f.stale[id]; taken {
		f.renamed++
		id = strconv.Quote("again-" + strconv.Itoa(f.renamed))
		line = withID(line, id)
	}
	f.asked[id] = string(s.id)
	return line
}

// lost puts things in order after a connection: questions wait for the next daemon, actions are answered with what is not
// known, and what the lost one asked of the client is taken back. Of a daemon that only hangs everything sent may be begun:
// what it has not read yet it will find when it wakes up.
func (f *front) lost(w *wire) {
	w.close()
	hung := w.watch.hung.Load()
	f.up.Lock()
	f.mu.Lock()
	f.wire = nil
	var say [][]byte
	keep := f.queue[:0]
	for _, m := range f.queue {
		if m.answers {
			continue
		}
		m.rests = m.sent && m.method == methodListen
		m.begun = m.begun || hung && m.sent
		m.sent = false
		if m.begun {
			m.begun = false
			m.tries++
			if !f.repeatable(m) || m.tries > 1 && m.method != methodListen {
				if hung {
					say = append(say, unanswered(m, w.watch.process))
				} else {
					say = append(say, unknown(m))
				}
				continue
			}
		}
		keep = append(keep, m)
	}
	clear(f.queue[len(keep):])
	f.queue = keep
	for id := range f.asked {
		f.stale[id] = struct{}{}
		say = append(say, encode(notification{"2.0", methodCancelled, map[string]any{
			"requestId": json.RawMessage(id), "reason": "the Trailblaze daemon that asked is gone",
		}}))
	}
	clear(f.asked)
	f.settleIdle()
	f.mu.Unlock()
	f.up.Unlock()
	for _, line := range say {
		f.say(line)
	}
}

type notification struct {
	JSONRPC string         `json:"jsonrpc"`
	Method  string         `json:"method"`
	Params  map[string]any `json:"params,omitempty"`
}
