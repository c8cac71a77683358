// Package index answers questions about kept sessions (which ran, which failed, when a step was last green, where a
// text occurs) without reading every log. It is a cache: an SQLite file beside the session directories, rebuilt from
// their event files whenever it is missing, damaged or of another version. Nothing is lost by deleting it.
//
// History, report and replay ask it. An Index is safe for concurrent use, and several processes may have the same one
// open.
//
//	x, err := index.Open(ctx, root)
//	defer x.Close()
//	err = x.Sync(ctx)
//	green, err := x.Baseline(ctx, "/home/me/shop/trails/checkout.trail.yaml", 2, 2, 1)
package index

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	_ "modernc.org/sqlite" // the driver "sqlite": pure Go, so the binary stays static

	"github.com/trailblaze-dev/trailblaze/fault"
)

// File is the name of the index in the root of the sessions. It is hidden, so it cannot be taken for a session.
const File = ".index.sqlite"

// version changes with the tables; an index of another version is made anew.
const version = 2

//go:embed schema.sql
var schema string

// Index is an open index.
type Index struct {
	root string
	db   atomic.Pointer[sql.DB] // replaced when the file turns out to be damaged
}

// Open opens the index of the sessions under root, making it when it is missing or cannot be used. Call Sync to bring
// it up to date.
func Open(ctx context.Context, root string) (*Index, error) {
	const op = "open session index"
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, fault.Wrap(err, fault.Denied, op)
	}
	x := &Index{root: root}
	err := x.connect(ctx)
	if damaged(err) {
		err = x.remake(ctx)
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	return x, nil
}

// opening is held while an index is opened: see private.
var opening sync.Mutex

// private makes the file one that only its user reads; SQLite gives its other files the same mode. A file that is there
// is never opened here: closing it would take away the locks that SQLite holds on it for this process.
func private(path string) {
	if f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err == nil {
		_ = f.Close()
		return
	}
	_ = os.Chmod(path, 0o600)
}

func (x *Index) connect(ctx context.Context) error {
	q := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(ON)"},
		"_txlock": {"immediate"}}
	file := url.URL{Scheme: "file", Opaque: url.PathEscape(filepath.ToSlash(filepath.Join(x.root, File))),
		RawQuery: q.Encode()}
	opening.Lock()
	defer opening.Unlock()
	private(filepath.Join(x.root, File))
	db, err := sql.Open("sqlite", file.String())
	if err != nil {
		return err
	}
	if err := prepare(ctx, db); err != nil {
		return errors.Join(err, db.Close())
	}
	if old := x.db.Swap(db); old != nil {
		return old.Close()
	}
	return nil
}

// remake throws the file away and makes an empty index: the event files have everything.
func (x *Index) remake(ctx context.Context) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(x.root, File+suffix)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return x.connect(ctx)
}

// prepare makes the tables, and makes them anew when they are of another version. Two processes may do this at once,
// so the version is read again under the write lock.
func prepare(ctx context.Context, db *sql.DB) error {
	if v, err := userVersion(ctx, db); err != nil || v == version {
		return err
	}
	return write(ctx, db, func(tx *sql.Tx) error {
		v, err := userVersion(ctx, tx)
		if err != nil || v == version {
			return err
		}
		for _, table := range []string{"texts", "calls", "screens", "steps", "trails", "sessions"} {
			if _, err := tx.ExecContext(ctx, "DROP TABLE IF EXISTS "+table); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
		return err
	})
}

func userVersion(ctx context.Context, q interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
},
) (v int, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v)
	return v, err
}

// write runs fn in a transaction that holds the write lock from its start.
func write(ctx context.Context, db *sql.DB, fn func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// damaged distinguishes a damaged file from one that is only in use or out of reach.
func damaged(err error) bool {
	var coded interface{ Code() int }
	if !errors.As(err, &coded) {
		return false
	}
	switch coded.Code() & 0xff {
	case codeError, codeCorrupt, codeNotADB: // a generic error is a table that is not as we made it
		return true
	}
	return false
}

// SQLite's result codes: they are part of its file format's contract and never change.
const (
	codeError   = 1
	codeCorrupt = 11
	codeNotADB  = 26
)

// Close closes the index.
func (x *Index) Close() error {
	return fault.Wrap(x.db.Load().Close(), fault.Unavailable, "close session index")
}
