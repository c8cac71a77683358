package mcpfront

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// hear reads the client until its end.
func (f *front) hear() error {
	in := newLines(f.o.In, f.o.maxLine)
	for {
		line, err := in.next()
		switch {
		case errors.Is(err, errLong):
			f.say(refusal("", codeInvalid, "a message may have 64 MB; this one is longer and was dropped"))
		case err != nil:
			return err
		default:
			f.fromClient(line)
		}
	}
}

// fromClient passes a line on, or keeps it for the daemon to come.
func (f *front) fromClient(line []byte) {
	trimmed := bytes.TrimSpace(line)
	if len(trimmed) == 0 {
		return
	}
	if !json.Valid(trimmed) {
		f.say(refusal("", codeParse, "this line is not JSON"))
		return
	}
	if trimmed[0] == '[' {
		f.batch(trimmed)
		return
	}
	s, ok := read(trimmed, false)
	if !ok {
		f.say(refusal(string(s.id), codeInvalid, "this line is not a JSON-RPC message"))
		return
	}
	if s.id != nil && s.method != "" && s.id[0] != '"' && !number(s.id) {
		f.say(refusal("", codeInvalid, "the id of a request is a string or a number, not %.40s", s.id))
		return
	}
	if bytes.IndexByte(trimmed, '\r') >= 0 { // a line is a line to us and to the daemon
		line = append(bytes.ReplaceAll(trimmed, []byte("\r"), nil), '\n')
	}
	f.up.Lock()
	defer f.up.Unlock()
	if s.method == "" {
		f.answerFromClient(s, line)
		return
	}
	line = f.ids.toDaemon(s, line)
	m := &message{id: string(s.id), key: keyOf(s.id), method: s.method, line: line}
	if s.method == methodCall {
		m.tool = toolOf(s.params)
	}
	f.mu.Lock()
	if s.method == methodCancelled && f.drop(s.params) {
		f.mu.Unlock()
		return
	}
	f.queue = append(f.queue, m)
	w := f.wire
	f.mu.Unlock()
	if w == nil {
		f.want()
		return
	}
	f.send(w, m)
}

// batch takes a list of messages, as the protocol of 2025-03-26 has them, for so many lines. The answers come one by one.
func (f *front) batch(line []byte) {
	var lines []json.RawMessage
	_ = json.Unmarshal(line, &lines) // it is valid, and a list
	if len(lines) == 0 {
		f.say(refusal("", codeInvalid, "this list has no messages"))
	}
	for _, l := range lines {
		if l = bytes.TrimSpace(l); l[0] == '[' {
			f.say(refusal("", codeInvalid, "a list in a list is not a JSON-RPC message"))
			continue
		}
		f.fromClient(append(bytes.Clone(l), '\n'))
	}
}

// answerFromClient passes on the answer to something the daemon asked. A daemon that is gone gets none, and its successor
// not that of another.
func (f *front) answerFromClient(s surface, line []byte) {
	f.mu.Lock()
	id, ok := f.asked[string(s.id)]
	delete(f.asked, string(s.id))
	delete(f.stale, string(s.id))
	if !ok {
		f.mu.Unlock()
		return
	}
	if id != string(s.id) {
		line = withID(line, id)
	}
	m := &message{line: line, answers: true}
	f.queue = append(f.queue, m)
	w := f.wire
	f.mu.Unlock()
	if w != nil { // else the daemon asked before the way to it was open: what waits is about to be sent
		f.send(w, m)
	}
}

// drop forgets a request that the client takes back: no later daemon is asked it, and nobody answers it in a daemon's
// stead. It reports whether no daemon has seen it, so that none need be told; mu is held.
func (f *front) drop(params json.RawMessage) bool {
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil || p.ID == nil {
		return false
	}
	at := slices.IndexFunc(f.queue, func(m *message) bool { return m.asks() && m.key == keyOf(p.ID) })
	if at < 0 {
		return false
	}
	m := f.queue[at]
	f.queue = slices.Delete(f.queue, at, at+1)
	f.settleIdle()
	return !m.sent
}

// send writes a message to the daemon; up is held. When it fails, the reader of the connection finds out too and takes it
// from there.
func (f *front) send(w *wire, m *message) {
	f.mu.Lock()
	m.sent, m.begun = true, m.method != methodCall || !w.receipts
	if !m.asks() {
		f.forget(m)
	}
	f.mu.Unlock()
	w.watch.sent()
	n, err := w.conn.Write(m.line)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		if n < len(m.line)-1 { // without its end it is no message: nobody has acted on it
			m.sent, m.begun = false, false
			if !m.asks() {
				f.queue = append(f.queue, m)
			}
		}
		w.close()
		return
	}
	if m.method == methodInitialized {
		f.past.initialized = m.line
	}
}

// forget takes a message off the queue; mu is held.
func (f *front) forget(m *message) {
	if at := slices.Index(f.queue, m); at >= 0 {
		f.queue = slices.Delete(f.queue, at, at+1)
	}
	f.settleIdle()
}
