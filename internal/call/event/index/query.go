package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Filter narrows a listing. Zero fields do not narrow.
type Filter struct {
	Trail   string // path or id of a trail that was played in it
	Device  string
	Outcome event.Outcome
	Since   time.Time
	Text    string // all of these words occur in its titles, steps, calls, failures or notes
	Limit   int    // 0: 100
}

// Session is one kept session.
type Session struct {
	ID       string        `json:"id"`
	Dir      string        `json:"dir"`
	Title    string        `json:"title,omitempty"`
	Device   string        `json:"device,omitempty"`
	Platform string        `json:"platform,omitempty"`
	Started  time.Time     `json:"started"`
	Outcome  event.Outcome `json:"outcome,omitempty"` // "" while it runs
	Message  string        `json:"message,omitempty"`
	Duration time.Duration `json:"duration,omitempty"`
}

// Sessions lists sessions, newest first.
func (x *Index) Sessions(ctx context.Context, f Filter) ([]Session, error) {
	q := "SELECT id, title, device, platform, started, outcome, message, duration FROM sessions s WHERE 1"
	var args []any
	add := func(cond string, a ...any) {
		q += " AND " + cond
		args = append(args, a...)
	}
	if f.Trail != "" {
		add("EXISTS (SELECT 1 FROM trails t WHERE t.session = s.id AND (t.path = ? OR t.trail_id = ?))", f.Trail, f.Trail)
	}
	if f.Device != "" {
		add("device = ?", f.Device)
	}
	if f.Outcome != "" {
		add("outcome = ?", string(f.Outcome))
	}
	if !f.Since.IsZero() {
		add("started >= ?", f.Since.UnixNano())
	}
	for word := range strings.FieldsSeq(f.Text) { // each word may be in another place of the session
		add("id IN (SELECT session FROM texts WHERE texts MATCH ?)", quote(word))
	}
	if f.Limit <= 0 {
		f.Limit = 100
	}
	rows, err := x.db.Load().QueryContext(ctx, q+" ORDER BY started DESC, id DESC LIMIT ?", append(args, f.Limit)...)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "list sessions")
	}
	defer func() { _ = rows.Close() }()
	var out []Session
	for rows.Next() {
		var s Session
		var started, took int64
		if err := rows.Scan(&s.ID, &s.Title, &s.Device, &s.Platform, &started, &s.Outcome, &s.Message, &took); err != nil {
			return nil, fault.Wrap(err, fault.Unavailable, "list sessions")
		}
		s.Dir, s.Started, s.Duration = filepath.Join(x.root, s.ID), time.Unix(0, started).UTC(), time.Duration(took)
		out = append(out, s)
	}
	return out, fault.Wrap(rows.Err(), fault.Unavailable, "list sessions")
}

// quote makes a search word a phrase: a user's word is never an FTS operator.
func quote(word string) string { return `"` + strings.ReplaceAll(word, `"`, `""`) + `"` }

// Run is one playing of a step, or of a trail.
type Run struct {
	Session  string        `json:"session"`
	Attempt  int           `json:"attempt"`
	Hash     string        `json:"hash,omitempty"` // of the trail file then
	Started  time.Time     `json:"started"`
	Outcome  event.Outcome `json:"outcome"`
	Message  string        `json:"message,omitempty"`
	Duration time.Duration `json:"duration"`
	Device   string        `json:"device,omitempty"`
}

// History lists the playings of a step of a trail, given by its path or id, newest first.
func (x *Index) History(ctx context.Context, trail string, step int) ([]Run, error) {
	rows, err := x.db.Load().QueryContext(ctx, `
		SELECT st.session, t.attempt, t.hash, st.started, st.outcome, st.message, st.duration, s.device
		FROM trails t JOIN steps st ON st.session = t.session AND st.trail = t.n JOIN sessions s ON s.id = t.session
		WHERE (t.path = ? OR t.trail_id = ?) AND st.step = ? ORDER BY st.started DESC LIMIT 500`, trail, trail, step)
	return runsOf(rows, err, "read step history")
}

func runsOf(rows *sql.Rows, err error, op string) ([]Run, error) {
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = rows.Close() }()
	var out []Run
	for rows.Next() {
		var r Run
		var started, took int64
		if err := rows.Scan(&r.Session, &r.Attempt, &r.Hash, &started, &r.Outcome, &r.Message, &took, &r.Device); err != nil {
			return nil, fault.Wrap(err, fault.Unavailable, op)
		}
		r.Started, r.Duration = time.Unix(0, started).UTC(), time.Duration(took)
		out = append(out, r)
	}
	return out, fault.Wrap(rows.Err(), fault.Unavailable, op)
}

// Played lists the last playings of the trail in a file, newest first, at most n.
func (x *Index) Played(ctx context.Context, file string, n int) ([]Run, error) {
	rows, err := x.db.Load().QueryContext(ctx, `SELECT t.session, t.attempt, t.hash, t.started, t.outcome, t.message,
		t.duration, s.device FROM trails t JOIN sessions s ON s.id = t.session
		WHERE t.file = ? ORDER BY t.started DESC LIMIT ?`, file, n)
	return runsOf(rows, err, "read trail history")
}

// Took returns how long the trail of this file took when it last passed; 0 when it never did, or that cannot be read.
func (x *Index) Took(ctx context.Context, file string) time.Duration {
	var took int64
	err := x.db.Load().QueryRowContext(ctx, `SELECT duration FROM trails
		WHERE file = ? AND outcome = 'passed' ORDER BY started DESC LIMIT 1`, file).Scan(&took)
	if err != nil {
		return 0
	}
	return time.Duration(took)
}

// Stored is a capture in the folder of a session.
type Stored struct{ Dir, Blob string }

// maxBaselines bounds how many captures of one step are asked for.
const maxBaselines = 50

// Baseline lists the captures that were kept when a step of a trail passed, the newest n of them, of the runs in which
// the step then passed too: a run that fails there shows what has changed. The trail is that of the file with this full
// path: a copy of it has the same id and may have the same relative path.
func (x *Index) Baseline(ctx context.Context, file string, step, then, n int) ([]Stored, error) {
	const op = "find green runs"
	rows, err := x.db.Load().QueryContext(ctx, `SELECT sc.session, sc.blob
		FROM trails t
		JOIN steps st ON st.session = t.session AND st.trail = t.n
		JOIN screens sc ON sc.session = t.session AND sc.trail = t.n AND sc.step = st.step
		WHERE t.file = ?1 AND ?1 <> '' AND st.step = ?2 AND st.outcome = 'passed'
			AND EXISTS (SELECT 1 FROM steps p
				WHERE p.session = t.session AND p.trail = t.n AND p.step = ?4 AND p.outcome = 'passed')
			AND sc.type = 'snapshot' AND sc.why <> 'failure'
		ORDER BY t.started DESC, sc.why = 'last green' DESC, sc.seq DESC LIMIT ?3`, file, step, min(n, maxBaselines), then)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = rows.Close() }()
	var out []Stored
	for rows.Next() {
		var s Stored
		if err := rows.Scan(&s.Dir, &s.Blob); err != nil {
			return nil, fault.Wrap(err, fault.Unavailable, op)
		}
		s.Dir = filepath.Join(x.root, s.Dir)
		out = append(out, s)
	}
	return out, fault.Wrap(rows.Err(), fault.Unavailable, op)
}

// Baselines reads the captures that Baseline lists.
type Baselines struct{ Index *Index }

// Baselines returns the captures kept when a step passed, and then another, newest first. Those that cannot be read are
// left out: a missing comparison never fails a run.
func (b Baselines) Baselines(file string, step, then, n int) []*screen.Snapshot {
	stored, err := b.Index.Baseline(context.Background(), file, step, then, n)
	if err != nil {
		return nil
	}
	var out []*screen.Snapshot
	for _, st := range stored {
		if s := read(st); s != nil {
			out = append(out, s)
		}
	}
	return out
}

func read(st Stored) *screen.Snapshot {
	data, err := event.ReadBlob(st.Dir, st.Blob)
	if err != nil {
		return nil
	}
	var s screen.Snapshot
	if json.Unmarshal(data, &s) != nil || s.Root == nil {
		return nil
	}
	s.Index()
	return &s
}
