package mcpproxy

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/rpcid"
)

// wire is a connection to a daemon.
type wire struct {
	conn     io.ReadWriteCloser
	in       *lines
	receipts bool
	watch    *watch
	once     sync.Once
}

// Receipter is a connection whose daemon may acknowledge every call before it runs. A call lost
// without a receipt never began, so the next daemon gets it.
type Receipter interface{ Receipts() bool }

func newWire(px *proxy, c io.ReadWriteCloser) *wire {
	r, ok := c.(Receipter)
	w := &wire{conn: c, in: newLines(c, px.o.maxLine), receipts: ok && r.Receipts()}
	w.watch = newWatch(px, w)
	return w
}

func (w *wire) close() { w.once.Do(func() { _ = w.conn.Close() }) }

// relay passes the daemon's lines to the client until the connection ends, and returns their
// number.
func (px *proxy) relay(w *wire) (passed int) {
	for {
		line, err := w.in.next()
		w.watch.lines.Add(1)
		switch {
		case errors.Is(err, errLong):
			if s, ok := read(line, true); ok && s.method == "" {
				px.answered(s, nil)
				px.writeLine(refusal(string(s.id), codeInternal, "the answer has more than 64 MB; ask for less of it"))
			}
		case err != nil:
			px.o.Log.Debug("the connection has ended", "error", err)
			return passed
		default:
			if px.fromDaemon(line) {
				passed++
			}
		}
	}
}

// fromDaemon records a line's effect on the state and passes it on, unless it is for the proxy
// alone.
func (px *proxy) fromDaemon(line []byte) (passed bool) {
	line = px.ids.Restore(line)
	s, ok := read(line, true)
	switch {
	case !ok:
		px.o.Log.Warn("the daemon sent a line that is no message", "bytes", len(line))
		return false
	case s.method == "":
		if !px.answered(s, line) {
			return false
		}
	case s.method == methodReceived:
		px.received(s.params)
		return false
	case s.id != nil:
		line = px.asks(s, line)
	}
	px.writeLine(line)
	return true
}

// received notes that the daemon begins with a call. If the call is unclear, all calls may have
// begun.
func (px *proxy) received(params json.RawMessage) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(params, &p) // no id: see above
	key, found := rpcid.Key(p.ID), false
	px.mu.Lock()
	defer px.mu.Unlock()
	for _, m := range px.queue {
		if m.sent && m.key == key {
			m.begun, found = true, true
		}
	}
	if !found {
		for _, m := range px.queue {
			m.begun = m.begun || m.sent
		}
	}
}

// answered takes the request off the queue and keeps the parts that a later daemon needs. It
// reports whether the answer is for the client: the end of a stream is not, because the next daemon
// opens the stream again.
func (px *proxy) answered(s surface, line []byte) bool {
	px.mu.Lock()
	at := slices.IndexFunc(px.queue, func(m *message) bool { return m.sent && m.key == rpcid.Key(s.id) })
	if at < 0 {
		px.mu.Unlock()
		return true // the client has cancelled the request
	}
	m := px.queue[at]
	if m.method == methodListen && !s.failed && listens(m.line) {
		px.mu.Unlock()
		return false
	}
	px.queue = slices.Delete(px.queue, at, at+1)
	if !s.failed {
		px.state.note(m)
	}
	px.settleIdle()
	px.mu.Unlock()
	if m.method == methodTools && !s.failed {
		px.noteReadOnly(line)
	}
	return true
}

// asks notes a request of the daemon. It replaces an id that a lost daemon used and that the client
// may still answer.
func (px *proxy) asks(s surface, line []byte) []byte {
	px.mu.Lock()
	defer px.mu.Unlock()
	id := string(s.id)
	if _, taken := px.stale[id]; taken {
		px.renamed++
		id = strconv.Quote("again-" + strconv.Itoa(px.renamed))
		line = rpcid.With(line, id)
	}
	px.asked[id] = string(s.id)
	return line
}

// lost cleans up after a connection. Questions wait for the next daemon; actions get an answer that
// says what is unknown; requests of the lost daemon are cancelled. After a hung daemon every sent
// message may have begun, because it will read them when it wakes up.
func (px *proxy) lost(w *wire) {
	w.close()
	hung := w.watch.hung.Load()
	px.up.Lock()
	px.mu.Lock()
	px.wire = nil
	var writeLine [][]byte
	keepConnected := px.queue[:0]
	for _, m := range px.queue {
		if m.answers {
			continue
		}
		m.rests = m.sent && m.method == methodListen
		m.begun = m.begun || hung && m.sent
		m.sent = false
		if m.begun {
			m.begun = false
			m.tries++
			if !px.repeatable(m) || m.tries > 1 && m.method != methodListen {
				if hung {
					writeLine = append(writeLine, noAnswer(m, w.watch.process))
				} else {
					writeLine = append(writeLine, unknown(m))
				}
				continue
			}
		}
		keepConnected = append(keepConnected, m)
	}
	clear(px.queue[len(keepConnected):])
	px.queue = keepConnected
	for id := range px.asked {
		px.stale[id] = struct{}{}
		writeLine = append(writeLine, encode(notification{"2.0", methodCancelled, map[string]any{
			"requestId": json.RawMessage(id), "reason": "the Trailblaze daemon that asked is gone",
		}}))
	}
	clear(px.asked)
	px.settleIdle()
	px.mu.Unlock()
	px.up.Unlock()
	for _, line := range writeLine {
		px.writeLine(line)
	}
}

type notification struct {
	JSONRPC string         `json:"jsonrpc"`
	Method  string         `json:"method"`
	Params  map[string]any `json:"params,omitempty"`
}
