package index

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// writer turns the events of one session into rows.
type writer struct {
	tx      *sql.Tx
	ctx     context.Context // of the one Sync it lives in
	session string
	trail   int // the running trail, -1 outside
	trails  int // the last trail so far
	started bool
	ended   bool
}

func (w *writer) exec(query string, args ...any) error {
	_, err := w.tx.ExecContext(w.ctx, query, args...)
	return err
}

func (w *writer) event(e event.Event) error {
	switch {
	case e.Session != nil:
		return w.lifetime(e)
	case e.Trail != nil:
		return w.trailEvent(e)
	case e.Step != nil && e.Type == event.StepEnded:
		return w.step(e)
	case e.Screen != nil:
		s := e.Screen
		return w.exec("INSERT OR REPLACE INTO screens VALUES (?, ?, ?, ?, ?, ?, ?)", w.session, e.Seq, w.trail, s.Step,
			string(e.Type), s.Why, s.Blob)
	case e.Call != nil && e.Type == event.ToolCall:
		return w.call(e)
	case e.Note != nil:
		return w.text(e, "note", e.Note.Text)
	}
	return nil
}

func (w *writer) lifetime(e event.Event) error {
	s := e.Session
	switch {
	case e.Type == event.SessionStarted && !w.started:
		w.started = true
		if err := w.exec("UPDATE sessions SET title = ?, device = ?, platform = ?, started = ? WHERE id = ?",
			s.Title, s.Device, s.Platform, nanos(e.Time), w.session); err != nil {
			return err
		}
		return w.text(e, "session", s.Title)
	case e.Type == event.SessionEnded && !w.ended: // the first terminal status wins
		w.ended = true
		msg := message(s.Error)
		if err := w.exec("UPDATE sessions SET outcome = ?, message = ?, duration = ? WHERE id = ?",
			string(s.Outcome), msg, int64(s.Duration), w.session); err != nil {
			return err
		}
		return w.text(e, "failure", msg)
	}
	return nil
}

func (w *writer) trailEvent(e event.Event) error {
	t := e.Trail
	switch e.Type {
	case event.TrailStarted:
		w.trails++
		w.trail = w.trails
		if err := w.exec("INSERT OR REPLACE INTO trails (session, n, path, file, trail_id, title, hash, attempt, "+
			"started) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			w.session, w.trail, t.Path, t.File, t.ID, t.Title, t.Hash, t.Attempt, nanos(e.Time)); err != nil {
			return err
		}
		return w.text(e, "trail", strings.Join([]string{t.Title, t.ID, t.Path}, " "))
	case event.TrailEnded:
		msg := message(t.Error)
		err := w.exec("UPDATE trails SET outcome = ?, message = ?, duration = ? WHERE session = ? AND n = ?",
			string(t.Outcome), msg, int64(t.Duration), w.session, w.trail)
		w.trail = -1
		if err != nil {
			return err
		}
		return w.text(e, "failure", msg)
	}
	return nil
}

func (w *writer) step(e event.Event) error {
	s := e.Step
	msg := message(s.Error)
	if err := w.exec("INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", w.session, w.trail, s.Index,
		s.Kind, s.Text,
		string(s.Outcome), msg, nanos(e.Time)-int64(s.Duration), int64(s.Duration)); err != nil {
		return err
	}
	return w.text(e, "step", s.Text+" "+msg)
}

func (w *writer) call(e event.Event) error {
	c := e.Call
	msg := message(c.Error)
	if err := w.exec("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", w.session, e.Seq,
		c.ID, c.Parent, c.Name,
		c.Caller, c.Role, w.trail, c.Step, c.IsError, msg, nanos(e.Time)-int64(c.Duration), int64(c.Duration)); err != nil {
		return err
	}
	return w.text(e, "call", strings.Join([]string{c.Name, string(c.Args), clip(c.Text), msg}, " "))
}

// damaged notes that the session's log cannot be read, or not all of it. The session is listed with the events read
// before.
func (w *writer) damaged(why string) error {
	return w.exec("UPDATE sessions SET outcome = ?, message = ? WHERE id = ?", string(event.Damaged), why, w.session)
}

// text makes something findable.
func (w *writer) text(e event.Event, what, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return w.exec("INSERT INTO texts (session, seq, what, text) VALUES (?, ?, ?, ?)", w.session, e.Seq, what, text)
}

// maxText bounds what of a result is searched: whole page snapshots would make the index larger than the logs.
const maxText = 4 << 10

func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "")
}

func message(f *fault.Failure) string {
	if f == nil {
		return ""
	}
	return f.Message
}

// nanos is 0 for the zero time, whose UnixNano is undefined.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}
