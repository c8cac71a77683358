package manage

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// lastSession is the key of the id of the session that a client ended last, which a save without an id means.
const lastSession = "lastSession"

func (d *sessionTools) sessions() []tool.Tool {
	return []tool.Tool{
		tool.Define(destructive(lasting(spec(Session, "Session", tool.Action, "session").With(tool.Facts{
			Categories: []string{"SESSION", "AGENT"}, Default: 2, Purpose: tool.ManageSession,
			Unlisted: []string{"limit", "filter", "actors"},
			Effects:  &tool.Effects{Files: savedSession},
		}), connectTimeout)), d.session),
		tool.Define(destructive(spec("endSession", "End session", tool.Action, "session").With(tool.Facts{
			Idempotent: true,
		})), d.endSession),
	}
}

type sessionIn struct {
	Action    string            `json:"action" enum:"START,STOP,SAVE,INFO,LIST,ARTIFACTS,RECORDING,DELETE" jsonschema:"RECORDING shows what SAVE would write"`
	Title     string            `json:"title,omitempty" jsonschema:"of the session or the trail"`
	ID        string            `json:"id,omitempty" jsonschema:"session id or its beginning, or last; default: the live one"`
	Actors    map[string]string `json:"actors,omitempty" jsonschema:"SAVE, RECORDING: one trail of several devices: {\"alice\": \"web/a\"} names that of each actor"`
	Path      string            `json:"path,omitempty" jsonschema:"SAVE: file below the trails folder; default: from the title"`
	Overwrite bool              `json:"overwrite,omitempty" jsonschema:"SAVE: replace this platform's recording in the file"`
	Limit     int               `json:"limit,omitempty" minimum:"1" maximum:"200" default:"20" jsonschema:"LIST: at most so many"`
	Filter    string            `json:"filter,omitempty" jsonschema:"LIST: only titles and ids with this text"`
}

// sessionLine is a session as a client sees it.
type sessionLine struct {
	ID      string `json:"id"`
	Title   string `json:"title,omitempty"`
	Device  string `json:"device,omitempty"`
	State   string `json:"state" jsonschema:"live, ended or lost"`
	Outcome string `json:"outcome,omitempty"`
	Started string `json:"started,omitempty"`
	For     string `json:"for,omitempty" jsonschema:"how long it has run"`
	Actions int    `json:"actions,omitempty"`
}

func (l sessionLine) text() string {
	parts := []string{l.ID}
	if l.Title != "" && l.Title != l.Device {
		parts = append(parts, "“"+l.Title+"”")
	}
	if l.Device != "" {
		parts = append(parts, "on "+l.Device)
	}
	parts = append(parts, cmp.Or(l.Outcome, l.State))
	if l.Actions > 0 {
		parts = append(parts, phrase.Count(l.Actions, "action"))
	}
	if l.For != "" {
		parts = append(parts, l.For)
	}
	return strings.Join(parts, ", ")
}

type sessionOut struct {
	Done      string        `json:"done,omitempty"`
	Sessions  []sessionLine `json:"sessions,omitempty"`
	Saved     *record.Saved `json:"saved,omitempty"`
	Trail     string        `json:"trail,omitempty" jsonschema:"RECORDING: the trail file as SAVE would write it"`
	Artifacts []artifact    `json:"artifacts,omitempty"`
	Warnings  []string      `json:"warnings,omitempty"`
}

// Text implements tool.Texter.
func (o sessionOut) Text() string {
	var b strings.Builder
	line := func(s string) { b.WriteString(s + "\n") }
	if o.Done != "" {
		line(o.Done)
	}
	for _, s := range o.Sessions {
		line(s.text())
	}
	for _, a := range o.Artifacts {
		line(a.text())
	}
	if o.Trail != "" {
		line(strings.TrimSuffix(o.Trail, "\n"))
	}
	for _, w := range o.Warnings {
		line("Note: " + w)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (d *sessionTools) session(ctx context.Context, _ tool.Env, in sessionIn) (sessionOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return sessionOut{}, err
	}
	if err := d.checkWorkspace(ctx, s, in.ID); err != nil {
		return sessionOut{}, err
	}
	switch action(in.Action) {
	case "START":
		st, err := d.hub.StartSession(ctx, s, in.Title)
		if err != nil {
			return sessionOut{}, err
		}
		return sessionOut{Done: "A new session records what is done from now on.",
			Sessions: []sessionLine{lineOfLive(st, d.Now())}}, nil
	case "STOP":
		return d.stop(ctx, s, in.ID)
	case "SAVE":
		return d.save(ctx, s, in)
	case "RECORDING":
		return d.recording(s, in)
	case "INFO":
		return d.sessionInfo(s, in.ID)
	case "LIST":
		return d.listSessions(ctx, s, in)
	case "ARTIFACTS":
		return d.artifacts(s, in.ID)
	default:
		return d.deleteSession(in.ID)
	}
}

// foreign reports whether a kept session is another workspace's, in a call that is limited to its own.
func foreign(ctx context.Context, s *clients.Client, k session.Summary) bool {
	return dispatch.IsNested(ctx) && k.Labels["workspace"] != s.State().Workspace
}

// checkWorkspace refuses a call that names a session of another workspace, and is limited to its own.
func (d *sessionTools) checkWorkspace(ctx context.Context, s *clients.Client, id string) error {
	if id == "" || id == "last" || !dispatch.IsNested(ctx) {
		return nil
	}
	kept, err := session.List(d.Sessions)
	if err != nil {
		return err
	}
	for _, k := range kept {
		if k.ID == id && !foreign(ctx, s, k) {
			return nil
		}
	}
	return fault.New(fault.NotFound, "find session", "this workspace has no session %s", id).
		WithHint("A tool or a trail reaches the sessions of its own workspace only.")
}

func (d *sessionTools) stop(ctx context.Context, s *clients.Client, id string) (sessionOut, error) {
	if id == "last" {
		id = ""
	}
	st, err := d.hub.StopSession(ctx, s, id)
	if err != nil {
		return sessionOut{}, err
	}
	line := lineOfLive(st, d.Now())
	line.State = "ended"
	return sessionOut{Done: "The session has ended. SAVE still makes a trail of it; the next action starts a new one.",
		Sessions: []sessionLine{line}}, ended(s, st.ID)
}

func (d *sessionTools) endSession(ctx context.Context, _ tool.Env, _ noArgs) (sessionOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return sessionOut{}, err
	}
	return d.stop(ctx, s, "")
}

func (d *sessionTools) sessionInfo(s *clients.Client, id string) (sessionOut, error) {
	if id == "" {
		st, err := d.hub.Session(s)
		switch {
		case err == nil:
			return sessionOut{Sessions: []sessionLine{lineOfLive(st, d.Now())}}, nil
		case fault.KindOf(err) == fault.Conflict:
			return sessionOut{}, err
		}
		return sessionOut{Done: "No session runs: the first action starts one, and all that is done in it is recorded."}, nil
	}
	for _, st := range d.hub.Sessions() {
		if st.ID == id {
			return sessionOut{Sessions: []sessionLine{lineOfLive(st, d.Now())}}, nil
		}
	}
	t, err := d.read(s, id)
	if err != nil {
		return sessionOut{}, err
	}
	info := t.transcript.Session
	line := sessionLine{
		ID: t.id, Title: info.Title, Device: info.Device, State: "ended", Outcome: string(info.Outcome),
		Actions: t.transcript.Actions(),
		Started: t.transcript.Started.Format(time.RFC3339), For: spokenDuration(t.transcript.Ended.Sub(t.transcript.Started)),
	}
	if !t.transcript.Closed {
		line.State = "lost"
	}
	return sessionOut{Sessions: []sessionLine{line}}, nil
}

func (d *sessionTools) listSessions(ctx context.Context, s *clients.Client, in sessionIn) (sessionOut, error) {
	var out sessionOut
	live := map[string]bool{}
	for _, st := range d.hub.SessionsIn(ctx) {
		live[st.ID] = true
		if matches(in.Filter, st.ID, st.Title) {
			out.Sessions = append(out.Sessions, lineOfLive(st, d.Now()))
		}
	}
	if d.Sessions != "" {
		kept, err := session.List(d.Sessions)
		if err != nil {
			return sessionOut{}, err
		}
		for _, k := range kept {
			if live[k.ID] || !matches(in.Filter, k.ID, k.Title) || foreign(ctx, s, k) {
				continue
			}
			l := sessionLine{ID: k.ID, Title: k.Title, Device: k.Device, State: "ended", Outcome: string(k.Outcome),
				Started: k.Started.Format(time.RFC3339)}
			switch {
			case k.Damaged:
				l.State = "damaged"
			case k.Running:
				l.State = "lost"
			}
			if k.Duration > 0 {
				l.For = spokenDuration(k.Duration)
			}
			out.Sessions = append(out.Sessions, l)
		}
	}
	if limit := max(in.Limit, 1); len(out.Sessions) > limit {
		out.Done = fmt.Sprintf("%d of %d sessions:", limit, len(out.Sessions))
		out.Sessions = out.Sessions[:limit]
	}
	if len(out.Sessions) == 0 {
		out.Done = "There is no such session."
	}
	return out, nil
}

func (d *sessionTools) deleteSession(id string) (sessionOut, error) {
	const op = "delete session"
	if id == "" || id == "last" {
		return sessionOut{}, missing(op, "id", "2026_11_21_09_05_12_web_17")
	}
	root, err := d.root()
	if err != nil {
		return sessionOut{}, err
	}
	if id, err = session.Find(root, id); err != nil {
		return sessionOut{}, err
	}
	if err := session.Delete(root, id); err != nil {
		return sessionOut{}, err
	}
	return sessionOut{Done: "Deleted " + id + " and all that was kept of it."}, nil
}

func lineOfLive(st devices.SessionStatus, now time.Time) sessionLine {
	l := sessionLine{ID: st.ID, Title: st.Title, Device: st.Device, State: "live", Actions: st.Actions,
		Started: st.Started.Format(time.RFC3339)}
	if !st.Started.IsZero() {
		l.For = spokenDuration(now.Sub(st.Started))
	}
	if st.Orphaned {
		l.State = "lost"
	}
	return l
}

func matches(filter string, in ...string) bool {
	for _, s := range in {
		if strings.Contains(strings.ToLower(s), strings.ToLower(filter)) {
			return true
		}
	}
	return false
}
