package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// stamp is the size and time of a session's event file when it was read.
type stamp struct{ size, modified int64 }

// Sync reads the sessions whose event file is new or has changed since it was last read, and forgets those that are
// gone. It costs one stat per session when nothing changed.
//
// An index that turns out to be damaged is made anew.
func (x *Index) Sync(ctx context.Context) error {
	err := x.sync(ctx)
	if !damaged(err) {
		return err
	}
	if err := x.remake(ctx); err != nil {
		return fault.Wrap(err, fault.Unavailable, "make session index anew")
	}
	return x.sync(ctx)
}

func (x *Index) sync(ctx context.Context) error {
	const op = "sync session index"
	known, err := x.stamps(ctx)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	entries, err := os.ReadDir(x.root)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		info, err := os.Stat(filepath.Join(x.root, e.Name(), event.File))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var now stamp // of a log that cannot be looked at
		if err == nil {
			now = stamp{info.Size(), info.ModTime().UnixNano()}
		}
		was, seen := known[e.Name()]
		delete(known, e.Name())
		if seen && was == now {
			continue
		}
		if err := x.read(ctx, e.Name(), now); err != nil {
			return fault.Wrap(err, fault.Unavailable, op)
		}
	}
	for id := range known {
		if err := x.Delete(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) stamps(ctx context.Context) (map[string]stamp, error) {
	rows, err := x.db.Load().QueryContext(ctx, "SELECT id, size, modified FROM sessions")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	out := map[string]stamp{}
	for rows.Next() {
		var id string
		var s stamp
		if err := rows.Scan(&id, &s.size, &s.modified); err != nil {
			return nil, err
		}
		out[id] = s
	}
	return out, rows.Err()
}

// Delete forgets a session. Its files are session.Delete's business.
func (x *Index) Delete(ctx context.Context, id string) error {
	err := write(ctx, x.db.Load(), func(tx *sql.Tx) error { return forget(ctx, tx, id) })
	return fault.Wrap(err, fault.Unavailable, "delete session from index")
}

func forget(ctx context.Context, tx *sql.Tx, id string) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM texts WHERE session = ?", id); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM sessions WHERE id = ?", id) // the rest goes with it
	return err
}

// read replaces the rows of one session. The stamp was taken before, so events appended meanwhile are read by the next
// Sync.
func (x *Index) read(ctx context.Context, id string, at stamp) error {
	return write(ctx, x.db.Load(), func(tx *sql.Tx) error {
		if err := forget(ctx, tx, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO sessions (id, size, modified) VALUES (?, ?, ?)", id, at.size,
			at.modified); err != nil {
			return err
		}
		lines := 0
		w := &writer{tx: tx, ctx: ctx, session: id, trail: -1, trails: -1}
		for e, err := range event.Read(filepath.Join(x.root, id)) {
			if fault.KindOf(err) == fault.NotFound { // deleted since it was listed
				return forget(ctx, tx, id)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				return w.damaged(err.Error())
			}
			if e.Type == event.Damaged {
				lines++
				continue
			}
			if err := w.event(e); err != nil {
				return err
			}
		}
		if lines > 0 {
			return w.damaged(fmt.Sprintf("%d lines of its log are no events", lines))
		}
		return nil
	})
}
