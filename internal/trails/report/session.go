package report

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/text"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// builder reads one session's log into attempts. Attempts that a killed run left unfinished are closed as canceled.
type builder struct {
	report   *Report
	dir      string
	session  event.Session
	began    time.Time
	last     time.Time
	attempts []Attempt
	current  *Attempt // of the trail being read, or of the calls outside any
	outside  bool     // current holds calls outside any trail
	at       int      // the step that goes on, event.NoStep between steps
	steps    map[int]int
	activity string // the blob of what its pages did

	changed int  // the first step that has changed since Live.Changes
	fresh   bool // current has begun since
}

// unchanged is the place of a first changed step when none has changed.
const unchanged = math.MaxInt

func newBuilder(r *Report, dir string) *builder {
	return &builder{report: r, dir: dir, session: event.Session{ID: filepath.Base(dir)}, at: event.NoStep,
		changed: unchanged}
}

func (b *builder) read() error {
	for e, err := range event.Read(b.dir) {
		if err != nil {
			return err
		}
		b.observe(e)
	}
	return nil
}

// observe takes an event with its time.
func (b *builder) observe(e event.Event) {
	if b.began.IsZero() {
		b.began = e.Time
	}
	if e.Time.After(b.last) {
		b.last = e.Time
	}
	b.take(e)
}

func (b *builder) take(e event.Event) {
	switch e.Type {
	case event.SessionStarted:
		if e.Session != nil {
			b.session = *e.Session
		}
	case event.SessionEnded:
		b.sessionEnded(e)
	case event.TrailStarted:
		if e.Trail != nil {
			b.begin(e.Time, *e.Trail)
		}
	case event.TrailEnded:
		b.trailEnded(e)
	case event.StepStarted:
		b.stepStarted(e)
	case event.StepEnded:
		b.stepEnded(e)
	case event.ToolCall:
		if e.Call != nil {
			b.call(e.Time, e.Call)
		}
	case event.Screenshot, event.Snapshot:
		if e.Screen != nil {
			b.screen(e)
		}
	case event.Note, event.StepHealed, event.McpSampling:
		b.note(e)
	case event.PageActivity:
		if e.Activity != nil {
			b.activity = e.Activity.Blob
		}
	case event.ToolStarted: // a call that never ended shows in the step that never ended
	}
}

func (b *builder) stepStarted(e event.Event) {
	if e.Step == nil {
		return
	}
	s := b.step(e.Step.Index, e.Time)
	b.at = e.Step.Index // behind step, which may begin an attempt
	s.Kind, s.Text, s.Line, s.Mode, s.Actor = e.Step.Kind, e.Step.Text, e.Step.Line, e.Step.Mode, e.Step.Actor
}

// asked adds what a question to a model took to its step, to its attempt and to the whole.
func (b *builder) asked(e event.Event) {
	p := e.Sampling.Price()
	s := b.step(b.at, e.Time)
	s.Price, b.current.Price, b.report.Price = s.Price.Plus(p), b.current.Price.Plus(p), b.report.Price.Plus(p)
}

func (b *builder) note(e event.Event) {
	if h := e.Heal; h != nil {
		s := b.step(h.Step, e.Time)
		s.Heals = append(s.Heals, Heal{Line: h.Line, Was: h.Was, Now: h.Now, Text: h.String()})
	}
	if e.Sampling != nil {
		b.asked(e)
	}
	if e.Note == nil {
		return
	}
	a := b.attempt(e.Time)
	b.changed = min(b.changed, len(a.Steps))
	a.Notes = append(a.Notes, Note{e.Note.Level, e.Note.Text})
}

// begin starts an attempt.
func (b *builder) begin(at time.Time, t event.Trail) {
	b.flush()
	b.current = &Attempt{
		Number: max(t.Attempt, 1), Session: b.session.ID, Device: b.session.Device,
		Platform: b.session.Platform, Browser: b.session.Browser, Width: b.session.Width, Height: b.session.Height,
		Started: at, Outcome: event.Canceled, Steps: []Step{},
		Actors: t.Actors,
		repeat: t.Repeat, hash: t.Hash, path: t.Path, id: t.ID, title: t.Title, tags: t.Tags, version: b.session.Version,
	}
	b.steps, b.outside, b.at, b.fresh = map[int]int{}, false, event.NoStep, true
}

// attempt returns the current one, or one for events outside any trail.
func (b *builder) attempt(at time.Time) *Attempt {
	if b.current == nil {
		b.begin(at, event.Trail{Title: b.session.Title})
		b.outside = true
		b.current.Outcome = event.Passed
	}
	return b.current
}

func (b *builder) flush() {
	if b.current == nil {
		return
	}
	a := b.current
	b.current = nil
	if b.outside && len(a.Steps) == 0 && len(a.Notes) == 0 && len(a.Screens) == 0 {
		return
	}
	if a.DurationMS == 0 {
		a.DurationMS = ms(b.last.Sub(a.Started))
	}
	b.attempts = append(b.attempts, *a)
}

func (b *builder) finish() []Attempt {
	b.flush()
	b.sharePages()
	return b.attempts
}

func (b *builder) trailEnded(e event.Event) {
	if e.Trail == nil || b.current == nil {
		return
	}
	a := b.current
	a.Outcome, a.Reason, a.Failure, a.DurationMS = e.Trail.Outcome, e.Trail.Reason, e.Trail.Error, ms(e.Trail.Duration)
}

// sessionEnded closes a trail that never said how it ended the way its session did.
func (b *builder) sessionEnded(e event.Event) {
	if e.Session == nil || b.current == nil || !b.outside {
		return
	}
	if e.Session.Outcome != "" {
		b.current.Outcome, b.current.Failure = e.Session.Outcome, e.Session.Error
	}
}

// step is the step with that index of the current attempt.
func (b *builder) step(index int, at time.Time) *Step {
	a := b.attempt(at)
	i, ok := b.steps[index]
	if !ok {
		i = len(a.Steps)
		b.steps[index] = i
		a.Steps = append(a.Steps, Step{Index: index, Outcome: event.Canceled, StartMS: ms(at.Sub(a.Started))})
		if index == event.NoStep {
			a.Steps[i].Text, a.Steps[i].Outcome = "Outside any step", event.Passed
		}
	}
	b.changed = min(b.changed, i)
	return &a.Steps[i]
}

func (b *builder) stepEnded(e event.Event) {
	if e.Step == nil {
		return
	}
	b.at = event.NoStep
	s := b.step(e.Step.Index, e.Time)
	s.Kind, s.Text, s.Line, s.Mode, s.Actor = e.Step.Kind, e.Step.Text, e.Step.Line, e.Step.Mode, e.Step.Actor
	s.Failure, s.DurationMS = e.Step.Error, ms(e.Step.Duration)
	if s.Outcome = e.Step.Outcome; s.Outcome == "" {
		s.Outcome = event.Passed
	}
}

func (b *builder) call(at time.Time, c *event.Call) {
	s := b.step(c.Step, at)
	out := Call{
		ID: c.ID, Parent: c.Parent, Name: c.Name, Kind: string(c.Kind), Args: c.Args, Text: c.Text, Value: c.Value,
		Evidence: evidenceOf(c.Evidence, isPhone(b.session.Platform)), IsError: c.IsError || c.Error != nil, Failure: c.Error,
		StartMS: ms(at.Add(-c.Duration).Sub(b.current.Started)), DurationMS: ms(c.Duration), Price: c.Price,
	}
	if c.Role != "top" {
		out.Role = c.Role
	}
	if !sameJSON(c.Authored, c.Args) {
		out.Authored = c.Authored
	}
	if s.Index == event.NoStep {
		s.DurationMS += out.DurationMS
		if out.IsError {
			s.Outcome = event.Failed
		}
	}
	s.Calls = append(s.Calls, out)
}

// screen files a picture or capture under its step. Pictures are stored late, so their place in the log says nothing.
func (b *builder) screen(e event.Event) {
	if e.Screen.Why == whyBaseline {
		return // kept for comparing later runs; of no use to a reader
	}
	s := Screen{
		Blob: e.Screen.Blob, MIME: e.Screen.MIME, Why: e.Screen.Why, Name: e.Screen.Name, Actor: e.Screen.Actor,
		Call:  e.Screen.CallID,
		Width: e.Screen.Width, Height: e.Screen.Height,
	}
	_ = json.Unmarshal(e.Screen.Marks, &s.Marks) // marks that cannot be read mark nothing
	if e.Type == event.Snapshot {
		s.Text = b.captureText(e.Screen.Blob)
	} else {
		b.report.blobs[s.Blob] = blob{b.dir, s.MIME}
	}
	a := b.attempt(e.Time)
	b.changed = min(b.changed, len(a.Steps))
	if e.Screen.Step == event.NoStep {
		a.Screens = append(a.Screens, s)
		return
	}
	st := b.step(e.Screen.Step, e.Time)
	st.Screens = append(st.Screens, s)
}

// whyBaseline marks the capture that the player keeps for every green step.
const whyBaseline = "green"

// maxCaptureTokens bounds a capture's text in a report.
const maxCaptureTokens = 6000

func (b *builder) captureText(name string) string {
	data, err := event.ReadBlob(b.dir, name)
	if err != nil {
		return ""
	}
	var snap screen.Snapshot
	if err := json.Unmarshal(data, &snap); err != nil {
		return ""
	}
	snap.Index()
	return text.Of(&snap, text.Options{MaxTokens: maxCaptureTokens})
}

// sameJSON compares two documents without regard to white space.
func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(x.Bytes(), y.Bytes())
}

// evidenceOf puts evidence into words.
func evidenceOf(e *tool.Evidence, phone bool) *Evidence {
	if e == nil {
		return nil
	}
	out := &Evidence{Selector: e.Selector, Bounds: e.Bounds, Checked: e.Checked, None: e.None}
	if e.Target != nil {
		out.Target = target(e.Target)
	}
	if f := e.Effect; f != nil {
		out.Changes = changes(f.Changes, phone)
		out.Settle, out.SettleMS = f.Settle.Reason, ms(f.Settle.Waited)
		out.Taken = f.Taken
		out.Method, out.URL, out.Status, out.Retries = f.Method, f.URL, f.Status, f.Retries
		if out.Bounds == nil {
			out.Bounds = f.Bounds
		}
		for _, d := range f.Dialogs {
			out.Changes = append(out.Changes, d.Type+" dialog "+answered(d.Accepted)+": "+d.Message)
		}
		for _, d := range f.Files {
			out.Changes = append(out.Changes, "download "+d.Name)
		}
	}
	return out
}
