package mcpproxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/rpcid"
)

// readClient reads the client's lines until their end.
func (px *proxy) readClient() error {
	in := newLines(px.o.In, px.o.maxLine)
	for {
		line, err := in.next()
		switch {
		case errors.Is(err, errLong):
			px.writeLine(refusal("", codeInvalid, "a message may have 64 MB; this one is longer and was dropped"))
		case err != nil:
			return err
		default:
			px.fromClient(line)
		}
	}
}

// fromClient passes a line on, or keeps it for the next daemon.
func (px *proxy) fromClient(line []byte) {
	trimmed := bytes.TrimSpace(line)
	if len(trimmed) == 0 {
		return
	}
	if !json.Valid(trimmed) {
		px.writeLine(refusal("", codeParse, "this line is not JSON"))
		return
	}
	if trimmed[0] == '[' {
		px.batch(trimmed)
		return
	}
	s, ok := read(trimmed, false)
	if !ok {
		px.writeLine(refusal(string(s.id), codeInvalid, "this line is not a JSON-RPC message"))
		return
	}
	if s.method != "" && !rpcid.Usable(s.written, s.method) {
		px.writeLine(refusal("", codeInvalid, "the id of a request is a string or a number, not %.40s", s.written))
		return
	}
	if len(line) > maxMessage && s.method != "" { // the daemon would not read its id
		px.writeLine(refusal(string(s.id), codeInvalid,
			"a message may have %d MB; this one is longer and was dropped", maxMessage>>20))
		return
	}
	if bytes.IndexByte(trimmed, '\r') >= 0 { // the daemon would end the line there
		line = append(bytes.ReplaceAll(trimmed, []byte("\r"), nil), '\n')
	}
	px.up.Lock()
	defer px.up.Unlock()
	if s.method == "" {
		px.answerFromClient(s, line)
		return
	}
	line = px.ids.Replace(line, s.id, s.method, s.params)
	m := &message{id: string(s.id), key: rpcid.Key(s.id), method: s.method, line: line}
	if s.method == methodCall {
		m.tool = toolOf(s.params)
	}
	px.mu.Lock()
	if s.method == methodCancelled && px.drop(s.params) {
		px.mu.Unlock()
		return
	}
	px.queue = append(px.queue, m)
	w := px.wire
	px.mu.Unlock()
	if w == nil {
		px.want()
		return
	}
	px.send(w, m)
}

// batch splits a list of messages, as protocol 2025-03-26 has them, into lines. The answers come
// one by one.
func (px *proxy) batch(line []byte) {
	var lines []json.RawMessage
	_ = json.Unmarshal(line, &lines) // it is valid, and a list
	if len(lines) == 0 {
		px.writeLine(refusal("", codeInvalid, "this list has no messages"))
	}
	for _, l := range lines {
		if l = bytes.TrimSpace(l); l[0] == '[' {
			px.writeLine(refusal("", codeInvalid, "a list in a list is not a JSON-RPC message"))
			continue
		}
		px.fromClient(append(bytes.Clone(l), '\n'))
	}
}

// answerFromClient passes on the answer to a request of the daemon. A lost daemon gets none, and
// its successor no answer to a request of another.
func (px *proxy) answerFromClient(s surface, line []byte) {
	px.mu.Lock()
	id, ok := px.asked[string(s.id)]
	delete(px.asked, string(s.id))
	delete(px.stale, string(s.id))
	if !ok {
		px.mu.Unlock()
		return
	}
	if id != string(s.id) {
		line = rpcid.With(line, id)
	}
	m := &message{line: line, answers: true}
	px.queue = append(px.queue, m)
	w := px.wire
	px.mu.Unlock()
	if w != nil { // else flush is about to send the queue
		px.send(w, m)
	}
}

// drop forgets a request that the client cancels, so that no later daemon gets it. It reports
// whether no daemon has seen the request and none needs the cancellation; mu is held.
func (px *proxy) drop(params json.RawMessage) bool {
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil || p.ID == nil {
		return false
	}
	at := slices.IndexFunc(px.queue, func(m *message) bool { return m.asks() && m.key == rpcid.Key(p.ID) })
	if at < 0 {
		return false
	}
	m := px.queue[at]
	px.queue = slices.Delete(px.queue, at, at+1)
	px.settleIdle()
	return !m.sent
}

// send writes a message to the daemon; up is held. When the write fails, the reader of the
// connection fails too and handles the loss.
func (px *proxy) send(w *wire, m *message) {
	px.mu.Lock()
	m.sent, m.begun = true, m.method != methodCall || !w.receipts
	if !m.asks() {
		px.forget(m)
	}
	px.mu.Unlock()
	w.watch.sent()
	n, err := w.conn.Write(m.line)
	px.mu.Lock()
	defer px.mu.Unlock()
	if err != nil {
		if n < len(m.line)-1 { // a line without its end is no message, so no daemon has acted on it
			m.sent, m.begun = false, false
			if !m.asks() {
				px.queue = append(px.queue, m)
			}
		}
		w.close()
		return
	}
	if m.method == methodInitialized {
		px.state.initialized = m.line
	}
}

// forget takes a message off the queue; mu is held.
func (px *proxy) forget(m *message) {
	if at := slices.Index(px.queue, m); at >= 0 {
		px.queue = slices.Delete(px.queue, at, at+1)
	}
	px.settleIdle()
}
