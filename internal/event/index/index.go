// Package index answers questions about kept sessions (which ran, which failed, when a step was last green, where a text
// occurs) without reading every log. It is a cache: an SQLite file beside the session directories, rebuilt from their
// event files whenever it is missing, damaged or of another version. Nothing is lost by deleting it.
//
// History, report and replay ask it. An Index is safe for concurrent use, and several processes may have the same one
// open.
//
//	x, err := index.Open(ctx, root)
//	defer x.Close()
//	err = x.Sync(ctx)
//	dir, blob, ok, err := x.LastGreen("shop/checkout.trail.yaml", 2)
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

	_ "modernc.org/sqlite" // the driver "sqlite": pure Go, so the binary stays static

	"github.com/trailblaze-dev/trailblaze/fault"
)

// File is the name of the index in the root of the sessions. It is hidden, so it cannot be taken for a session.
const File = ".index.sqlite"

// version changes with the tables; an index of another version is made anew.
const version = 1

//go:embed schema.sql
var schema string

// Index is an open index.
type Index struct {
	root string
	db   *sql.DB
}

// Open opens the index of the sessions under root, making it when it is missing or cannot be used. Call Sync to bring
// it up to date.
func Open(ctx context.Context, root string) (*Index, error) {
	const op = "open session index"
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, fault.Wrap(err, fault.Denied, op)
	}
	path := filepath.Join(root, File)
	x, err := open(ctx, root, path)
	if err == nil || ctx.Err() != nil || busy(err) {
		return x, fault.Wrap(err, fault.Unavailable, op)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} { // damaged: the event files have everything
		if e := os.Remove(path + suffix); e != nil && !errors.Is(e, os.ErrNotExist) {
			return nil, fault.Wrap(errors.Join(err, e), fault.Unavailable, op)
		}
	}
	x, err = open(ctx, root, path)
	return x, fault.Wrap(err, fault.Unavailable, op)
}

func open(ctx context.Context, root, path string) (*Index, error) {
	q := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(ON)"}, "_txlock": {"immediate"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: filepath.ToSlash(path), RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, err
	}
	x := &Index{root: root, db: db}
	if err := x.prepare(ctx); err != nil {
		_ = db.Close()
		return nil, err
	}
	return x, nil
}

// prepare makes the tables, and makes them anew when they are of another version. Two processes may do this at once,
// so the version is read again under the write lock.
func (x *Index) prepare(ctx context.Context) error {
	if v, err := userVersion(ctx, x.db); err != nil {
		return err
	} else if v == version {
		var ok string
		if err := x.db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&ok); err != nil {
			return err
		}
		if ok != "ok" {
			return fmt.Errorf("the index is damaged: %s", ok)
		}
		return nil
	}
	return x.write(ctx, func(tx *sql.Tx) error {
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
func (x *Index) write(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// busy tells a locked index, which must be left alone, from a damaged one.
func busy(err error) bool {
	var coded interface{ Code() int }
	if !errors.As(err, &coded) {
		return false
	}
	code := coded.Code() & 0xff
	return code == 5 || code == 6 // SQLITE_BUSY, SQLITE_LOCKED
}

// Close closes the index.
func (x *Index) Close() error {
	return fault.Wrap(x.db.Close(), fault.Unavailable, "close session index")
}
