package manage

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// sourceSession is the session that a trail is made from.
type sourceSession struct {
	id         string
	dir        string
	transcript *record.Transcript
	memory     *memory.Store // while it lives
}

// read finds the session that an id means and reads its transcript. No id means the one of the client's device, also
// when that device is lost, or else the one that this client ended last.
func (d *sessionTools) read(s *clients.Client, id string) (*sourceSession, error) {
	if id == "" || id == "last" {
		st, err := d.hub.Session(s)
		switch {
		case err == nil:
			id = st.ID
		case id == "" && fault.KindOf(err) == fault.Conflict:
			return nil, err
		case id == "":
			if id, err = d.latest(s); err != nil {
				return nil, err
			}
		}
	}
	if id == "" {
		return nil, fault.New(fault.NotFound, "find session", "nothing has been done yet, and no session id was given").
			WithHint("Act first, or choose a session from %s.", fault.Action{Tool: "session", Action: "LIST"})
	}
	if sess, ok := d.hub.SessionByID(id); ok {
		t, err := record.OfLog(sess.Log)
		return &sourceSession{sess.ID, sess.Dir, t, sess.Memory}, err
	}
	root, err := d.root()
	if err != nil {
		return nil, err
	}
	if id, err = session.Find(root, id); err != nil {
		return nil, err
	}
	dir := sessionDir(root, id)
	t, err := record.Read(dir)
	return &sourceSession{id: id, dir: dir, transcript: t}, err
}

func (d *sessionTools) root() (string, error) {
	if d.Sessions == "" {
		return "", fault.New(fault.Unavailable, "find sessions", "no sessions are kept here")
	}
	return d.Sessions, nil
}

// latest is the session that this client ended last, or else the newest that is kept of its device and workspace: a
// daemon may have ended it. "" is none.
func (d *sessionTools) latest(s *clients.Client) (string, error) {
	st := s.State()
	if id := st.Extra[lastSession]; id != "" || d.Sessions == "" {
		return id, nil
	}
	kept, err := session.List(d.Sessions)
	if err != nil {
		return "", err
	}
	for _, k := range kept {
		if k.Labels["workspace"] == st.Workspace && (st.Device == "" || k.Labels["device"] == st.Device) {
			return k.ID, nil
		}
	}
	return "", nil
}

// ended notes the session that a client has ended, for a save that names none.
func ended(s *clients.Client, id string) error {
	return s.Update(func(st *clients.State) error {
		if st.Extra == nil {
			st.Extra = map[string]string{}
		}
		st.Extra[lastSession] = id
		return nil
	})
}

// compose makes the trail of a session. A session has the name of its device until it is given a title, and that is no
// title for a trail.
func (d *sessionTools) compose(s *clients.Client, id, title, path string) (*record.Composed, *sourceSession, error) {
	t, err := d.read(s, id)
	if err != nil {
		return nil, nil, err
	}
	if title == "" && t.transcript.Session.Title != t.transcript.Session.Device {
		title = t.transcript.Session.Title
	}
	t.transcript.Session.Title = ""
	if file, err := record.Place(s.State().Workspace, path, title); err == nil {
		t.transcript.Since(file) // the trail was played, and mended or gone on with: what was done before is no part of it
	}
	made, err := t.transcript.Compose(record.Plan{Title: title, Memory: t.memory, Tools: d.hub.Tools(s)})
	if others := t.transcript.OfOthers(s.Who()); err == nil && others != "" {
		made.Warnings = append(made.Warnings, "others acted in this session, too, and it holds that: "+others)
	}
	return made, t, err
}

// made makes the trail that a call asks for: of one session, or of the sessions of several actors.
func (d *sessionTools) made(s *clients.Client, in sessionIn) (*record.Composed, *sourceSession, error) {
	if len(in.Actors) == 0 {
		return d.compose(s, in.ID, in.Title, in.Path)
	}
	const op = "make trail"
	if in.Title == "" || in.ID != "" {
		return nil, nil, fault.New(fault.Invalid, op, "a trail of several actors needs a title, and no id").
			WithHint("Call it by what it is about: title \"Write to each other\".")
	}
	var parts []record.Part
	var last *sourceSession
	for _, actor := range slices.Sorted(maps.Keys(in.Actors)) {
		id, err := d.sessionOf(in.Actors[actor])
		if err != nil {
			return nil, nil, fault.Wrap(err, "", op+" of "+actor)
		}
		made, from, err := d.compose(s, id, in.Title, "")
		if err != nil {
			return nil, nil, fault.Wrap(err, "", op+" of "+actor)
		}
		parts, last = append(parts, record.Part{Actor: actor, Composed: made}), from
	}
	return record.Join(in.Title, parts), last, nil
}

// sessionOf returns the id of the live session of a device.
func (d *sessionTools) sessionOf(device string) (string, error) {
	for _, st := range d.hub.Sessions() {
		if st.Device == device {
			return st.ID, nil
		}
	}
	return "", fault.New(fault.NotFound, "find session", "nothing was done on %s", device).
		WithHint("Name the device of each actor as %s shows it.", fault.Action{Tool: "device", Action: "LIST"})
}

func (d *sessionTools) save(ctx context.Context, s *clients.Client, in sessionIn) (sessionOut, error) {
	made, t, err := d.made(s, in)
	if err != nil {
		return sessionOut{}, err
	}
	saved, err := record.Save(ctx, s.State().Workspace, made, record.Target{Path: in.Path, Overwrite: in.Overwrite})
	if err != nil {
		return sessionOut{}, err
	}
	done := map[record.Change]string{
		record.Created: "Saved", record.Merged: "Merged into", record.Replaced: "Replaced the recording in",
		record.Unchanged: "Nothing has changed in",
	}[saved.Change]
	out := sessionOut{Saved: saved, Warnings: saved.Warnings}
	out.Done = fmt.Sprintf("%s %s: %s, %s.", done, saved.Path, phrase.Count(saved.Steps, "step"),
		phrase.Count(saved.Actions, "action")) + leftOut(made)
	if t.memory == nil {
		out.Done += " It was made of session " + t.id + "."
	}
	out.Done += fmt.Sprintf(
		"\nPlay it: trailblaze run %s, or trail {\"action\":\"RUN\",\"file\":%q} of the category TRAIL", saved.Path,
		saved.Path)
	copied := *saved
	copied.Warnings = nil
	out.Saved = &copied
	return out, nil
}

func leftOut(made *record.Composed) string {
	if left := made.Left.String(); left != "" {
		return " Left out: " + left + "."
	}
	return ""
}

func (d *sessionTools) recording(s *clients.Client, in sessionIn) (sessionOut, error) {
	made, t, err := d.made(s, in)
	if err != nil {
		return sessionOut{}, err
	}
	if file, err := record.Place(s.State().Workspace, in.Path, made.Trail.Config.Title); err == nil {
		made.Trail.Config.ID = record.IDOf(file)
	}
	text, err := record.Preview(made)
	return sessionOut{
		Done: fmt.Sprintf("What was done in %s: %s, %s.", t.id, phrase.Count(made.Steps, "step"),
			phrase.Count(made.Actions, "action")) + leftOut(made),
		Trail: text, Warnings: made.Warnings,
	}, err
}
