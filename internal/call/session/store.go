package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// Summary is a kept session as a listing shows it.
type Summary struct {
	event.Session
	Dir     string    `json:"dir"`
	Started time.Time `json:"started"`
	Running bool      `json:"running,omitempty"` // no end was written: it runs, or its process died
	Damaged bool      `json:"damaged,omitempty"` // its log cannot be read
}

// List reads the sessions kept under root, newest first. Other folders are passed over; a root that does not exist yet
// has none.
func List(root string) ([]Summary, error) {
	ids, err := ids(root)
	if err != nil {
		return nil, err
	}
	var out []Summary
	for _, id := range ids {
		if s, ok := summarise(filepath.Join(root, id), id); ok {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b Summary) int { return b.Started.Compare(a.Started) })
	return out, nil
}

func ids(root string) ([]string, error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "list sessions")
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() && ValidID(e.Name()) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

func summarise(dir, id string) (Summary, bool) {
	out := Summary{Session: event.Session{ID: id}, Dir: dir, Running: true}
	first, last, err := event.Ends(dir)
	if err != nil {
		out.Damaged, out.Running = true, false
		return out, fault.KindOf(err) != fault.NotFound
	}
	out.Damaged = first.Type == event.Damaged || last.Type == event.Damaged
	if first.Type == event.SessionStarted && first.Session != nil {
		out.Session, out.Started = *first.Session, first.Time
	}
	if last.Type == event.SessionEnded && last.Session != nil {
		out.Outcome, out.Error, out.Duration, out.Running = last.Session.Outcome, last.Session.Error,
			last.Session.Duration, false
	}
	return out, true
}

// Find completes a session id from its beginning; an exact id always wins. "last" is the newest.
func Find(root, prefix string) (id string, err error) {
	const op = "find session"
	all, err := ids(root)
	if err != nil {
		return "", err
	}
	if prefix == "last" {
		list, err := List(root)
		if err != nil || len(list) == 0 {
			return "", fault.New(fault.NotFound, op, "there are no sessions in %s", root).
				WithHint("Run a trail or call a tool: both keep a session.")
		}
		return list[0].ID, nil
	}
	if slices.Contains(all, prefix) {
		return prefix, nil
	}
	match := slices.DeleteFunc(all, func(id string) bool { return !strings.HasPrefix(id, prefix) })
	switch {
	case prefix == "" || len(match) == 0:
		return "", fault.New(fault.NotFound, op, "no session %q in %s", prefix, root).
			WithHint("List the sessions to see their ids.")
	case len(match) > 1:
		return "", fault.New(fault.Conflict, op, "%q is the beginning of %d sessions: %s", prefix, len(match),
			strings.Join(match[:min(5, len(match))], ", ")).
			WithHint("Type more of the id.")
	}
	return match[0], nil
}

// Delete removes a kept session, and nothing outside root whatever the id says. A session that is being written is
// refused.
func Delete(root, id string) error {
	const op = "delete session"
	if !ValidID(id) {
		return fault.New(fault.Invalid, op, "%q is not a session id", id)
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = r.Close() }()
	info, err := r.Lstat(id)
	if err != nil || !info.IsDir() {
		return fault.New(fault.NotFound, op, "no session %q in %s", id, root)
	}
	if err := event.Free(filepath.Join(root, id)); err != nil {
		return err
	}
	return fault.Wrap(r.RemoveAll(id), fault.Unavailable, op)
}
