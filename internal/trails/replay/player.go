package replay

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Screenshots says when the player takes pictures.
type Screenshots string

// The choices. The last frame of a run is kept with all but Off.
const (
	OnFailure Screenshots = "failure" // the default
	EachStep  Screenshots = "steps"
	Off       Screenshots = "off"
)

// Baselines finds the screens of a step when it passed. The history index implements it.
type Baselines interface {
	// Baselines returns the last n stored captures of a step, newest first, of runs in which it passed, and the step then.
	Baselines(file string, step, then, n int) []*screen.Snapshot
}

// Player plays trails. The zero value of each field but Dispatcher and Registry is usable.
type Player struct {
	Dispatcher  *dispatch.Dispatcher
	Registry    *tool.Registry
	Classifiers []string // of the devices that are opened for trails; nil: those of a browser
	NeedsModel  []string // names of tools that ask a model and are not registered
	Screenshots Screenshots
	Assist      Assist         // carries out steps without a recording; nil: such trails are refused before they begin
	Baselines   Baselines      // nil: failures are not compared with an earlier pass
	Observe     func(Progress) // called in order for each trail, from several goroutines for several
	StepTimeout time.Duration  // of one step; default 60 s
	Heal        bool           // looks for elements that a recording does not find, see package heal, then asks Assist
	Find        Find           // with Heal: names an element that relocation declines to; may be nil
	Made        func(Made)     // called after each recorded call that passed, before the next; may be nil
}

// Made is a recorded call that passed.
type Made struct {
	Step    int // index of its step
	Call    trail.Recorded
	Result  *tool.Result
	Session *session.Session
}

// Assist has an agent carry out a step. It says how many calls the agent made; they are in the session's log.
type Assist func(ctx context.Context, s *session.Session, t Task) (calls int, err error)

// Task is a step that an agent is to carry out.
type Task struct {
	Step   trail.Step
	Before []string // the texts of the steps before it
	// Done are the calls of its recording that were made, each with its result; the last could not be carried out. nil:
	// it has no recording.
	Done []string
}

// Find asks a model which element a step means that was recorded on another; it may look at the page, and not act. The
// answer is a ref, or anything else for none.
type Find func(ctx context.Context, s *session.Session, step string, was identity.Fingerprint) (
	ref, why string, err error,
)

const (
	assistTimeout       = 15 * time.Minute // of a step that has no recording
	defaultStepTimeout  = 60 * time.Second
	defaultTrailTimeout = 10 * time.Minute // of a trail played inside another
)

// Attempt says which playing of a trail this is.
type Attempt struct {
	Number int    // from 1
	Repeat int    // from 1; 0 when there is no --repeat
	File   string // of the trail, in full: a failure is compared with green runs of it; "" with none
	Job    int
	Device string // id; "" when the run has only one
	From   int    // the first step that is played, from 1; 0: the trail from its beginning
	To     int    // the last one; 0: to its end
}

// part reports whether a trail is not played as a whole. Its outcome then is none of the trail.
func (a Attempt) part() bool { return a.From > 0 || a.To > 0 }

// steps leaves out the steps that are not played.
func (a Attempt) steps(all []trail.ResolvedStep) []trail.ResolvedStep {
	return slices.DeleteFunc(all, func(r trail.ResolvedStep) bool {
		return a.From > 1 && r.Index < a.From-1 || a.To > 0 && r.Index >= a.To
	})
}

// Outcome is the result of a trail.
type Outcome struct {
	Outcome  event.Outcome
	Reason   string // of a skip
	Failure  *fault.Failure
	Failed   *StepOutcome // the step that did not pass
	Steps    []StepOutcome
	Calls    int      // tool calls carried out
	Notes    []string // warnings of the run, and what went wrong below the screen before a failure
	Heals    []event.Heal
	Duration time.Duration
}

// StepOutcome is the result of a step.
type StepOutcome struct {
	Index    int // -1 is the trailhead
	Kind     trail.StepKind
	Text     string
	Line     int
	Mode     string // recorded or noop
	Actor    string // whose step it is, "" in a trail on one device
	Calls    int
	Call     string       // the tool that did not pass, "" when none was called
	CallLine int          // and where it is written
	Price    *event.Price // of the questions to a model; nil: none was asked
	Outcome  event.Outcome
	Failure  *fault.Failure
	Duration time.Duration
}

// Shown returns the text of a step for people, behind the name of its actor.
func (s *StepOutcome) Shown() string {
	if s.Actor == "" {
		return s.Text
	}
	return s.Actor + ": " + s.Text
}

// Play plays t in s and returns how it went. It never returns an error of its own: whatever happens is an Outcome.
// Every step that finished is in the session's log before the next one starts.
func (p *Player) Play(ctx context.Context, s *session.Session, t *trail.Trail, a Attempt) *Outcome {
	start := time.Now()
	t, actors := onActors(s, t)
	g := p.playing(s, t, a)
	for _, on := range actors {
		g.actors = append(g.actors, p.playing(s.Of(on.Name), t, a))
	}
	head := event.Trail{Path: t.Path, File: a.File, ID: t.Config.ID, Title: t.Config.Title, Hash: hash(t.Source),
		Tags: t.Config.Tags, Attempt: max(a.Number, 1), Repeat: a.Repeat, Steps: len(t.Steps), Actors: actors}
	if a.part() {
		head.Path, head.File, head.ID = "", "", ""
		head.Title = fmt.Sprintf("%s, steps %d to %d", titleOf(t), max(a.From, 1), cmp.Or(a.To, len(t.Steps)))
	}
	g.log(event.Event{Type: event.TrailStarted, Trail: &head})
	p.observe(Progress{Kind: TrailStarted, Attempt: a, Path: t.Path, Title: titleOf(t), Total: len(t.Steps)})

	var notes []string
	var noting sync.Mutex
	unwatch := s.Log.Observe(func(e event.Event) {
		switch {
		case e.Type != event.Note:
		case e.Note.Level == event.LevelWaiting:
			p.observe(Progress{Kind: Waiting, Attempt: a, Path: t.Path, Title: titleOf(t), Text: e.Note.Text})
		case e.Note.Level == "warning":
			noting.Lock()
			defer noting.Unlock()
			notes = append(notes, e.Note.Text)
		}
	})
	out := g.play(ctx)
	out.Duration = time.Since(start)

	for _, of := range g.parts() {
		of.lastFrame(ctx, out)
		of.keeper.close()
	}
	unwatch()
	noting.Lock()
	out.Notes = notes
	noting.Unlock()
	tail := head
	tail.Outcome, tail.Reason, tail.Error, tail.Duration = out.Outcome, out.Reason, out.Failure, out.Duration
	g.log(event.Event{Type: event.TrailEnded, Trail: &tail})
	p.observe(Progress{Kind: TrailEnded, Attempt: a, Path: t.Path, Title: titleOf(t), Total: len(t.Steps),
		Outcome: out.Outcome, Failure: out.Failure, Duration: out.Duration, Text: out.Reason})
	return out
}

func (p *Player) observe(ev Progress) {
	if p.Observe != nil {
		p.Observe(ev)
	}
}

// playing is one Play in progress, or the part of an actor in it.
type playing struct {
	*Player
	session *session.Session
	trail   *trail.Trail
	attempt Attempt
	keeper  *keeper
	judge   *evidence.Judge
	last    trail.Recorded   // the last call that passed
	left    []trail.Recorded // the calls that are still to be made
	all     []trail.Recorded // every call of the trail
	after   []trail.Recorded // the calls of all actors in the steps after the current one
	heals   []event.Heal
	actors  []*playing           // the parts, in a trail with actors
	idle    []trail.ResolvedStep // that passed because their conditions said that nothing was to do

	unanswered error // of the step: why the model that was to heal it gave no answer

	before time.Time // when the step before the current one began
	began  time.Time // when the current one did
}

func (p *Player) playing(s *session.Session, t *trail.Trail, a Attempt) *playing {
	return &playing{Player: p, session: s, trail: t, attempt: a, keeper: newKeeper(s),
		judge: evidence.New(s.Device, p.Registry)}
}

// Check returns how playing t would end before any call is made (skipped, or stopped by the preflight), and nil when
// there is something to play. It touches no device; a nil device stands for one that would be opened.
func (p *Player) Check(t *trail.Trail, dev driver.Device) *Outcome {
	classifiers := p.classifiers(dev)
	if why := t.SkipReason(classifiers); why != "" {
		return &Outcome{Outcome: event.Skipped, Reason: why}
	}
	l := &Linter{Registry: p.Registry, NeedsModel: p.NeedsModel, assisted: p.Assist != nil}
	if err := l.preflight(t, classifiers); err != nil {
		return &Outcome{Outcome: event.OutcomeOf(err), Failure: fault.FailureOf(err)}
	}
	return nil
}

// On returns the player for a device: what is no device yet has its classifiers.
func (p *Player) On(d Device) *Player {
	if len(d.Classifiers) == 0 {
		return p
	}
	on := *p
	on.Classifiers = d.Classifiers
	return &on
}

// classifiers are those of a device, or of the one that would be opened.
func (p *Player) classifiers(dev driver.Device) []string {
	if dev == nil && len(p.Classifiers) > 0 {
		return p.Classifiers
	}
	return classifiersOf(dev)
}

// classifiersOf are the device's, most general first.
func classifiersOf(dev driver.Device) []string {
	if dev == nil {
		return []string{string(driver.WebPlatform)}
	}
	return dev.Info().Classifiers
}

// log appends an event. A log that cannot be written ends nothing here: the dispatcher refuses the next call.
func (g *playing) log(e event.Event) {
	if _, err := g.session.Log.Append(e); err != nil {
		g.keeper.fail(err)
	}
}

// hash identifies the bytes of a trail in the log.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func titleOf(t *trail.Trail) string {
	switch {
	case t.Config.Title != "":
		return t.Config.Title
	case t.Config.ID != "":
		return t.Config.ID
	}
	return t.Path
}

// ProgressKind names a moment of a run.
type ProgressKind string

// The moments.
const (
	TrailStarted ProgressKind = "trail_started"
	StepStarted  ProgressKind = "step_started"
	Waiting      ProgressKind = "waiting" // in a step: for the model
	StepEnded    ProgressKind = "step_ended"
	TrailEnded   ProgressKind = "trail_ended"
	JobEnded     ProgressKind = "job_ended" // all attempts of a trail are over
)

// Progress is the news for a person watching a run.
type Progress struct {
	Kind     ProgressKind
	Attempt  Attempt
	Path     string
	Title    string
	Step     int // index
	Total    int // steps of the trail
	Text     string
	Outcome  event.Outcome
	Failure  *fault.Failure // with JobEnded of a flaky trail: that of its first attempt
	Failed   *StepOutcome   // with JobEnded: the step that did not pass
	Notes    []string       // with JobEnded: the warnings of the last attempt
	Heals    []event.Heal   // with JobEnded of a healed trail
	Price    *event.Price   // with StepEnded: of the questions to a model
	Duration time.Duration
}

// Values are the values that a caller puts into the memory of a trail's session before the first step.
type Values struct {
	BaseURL string
	Memory  map[string]string
	Secrets map[string]string
	Origins map[string]string // origin that a secret is bound to, by the secret's name
	Args    map[string]any    // as trail.Trail.BindArgs returns them
	Keep    bool              // what the memory has already stays
}

// Seed fills a memory: the trail's own values first, then the caller's, secrets last. A name that already holds a
// secret keeps it. A nil trail has no values of its own.
func (v Values) Seed(m *memory.Store, t *trail.Trail) {
	set := func(name, value string) {
		if _, has := m.Get(name); !m.IsSecret(name) && !(has && v.Keep) {
			m.Set(name, value)
		}
	}
	if t != nil {
		for name, value := range t.Config.Memory {
			set(name, value)
		}
	}
	if v.BaseURL != "" {
		set("baseUrl", v.BaseURL)
	}
	for name, value := range v.Memory {
		set(name, value)
	}
	for name, value := range v.Secrets {
		m.SetSecret(name, value)
	}
	for name, origin := range v.Origins {
		m.BindOrigin(name, origin)
	}
	if t != nil {
		m.SetArgs(v.Args)
	}
}
