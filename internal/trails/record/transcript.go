package record

import (
	"cmp"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// LabelURL is the session label that says which page a session began on. A recording that opens no
// page itself begins by opening that one.
const LabelURL = "url"

// Transcript holds the calls of a session, read from its log. The log is the one source of truth: it is complete after
// a crash, and while the session still runs.
type Transcript struct {
	Session event.Session
	Groups  []Group  // in the order they began
	Runs    []Run    // of trails that were played in it
	Failed  int      // calls that failed, and are in no group
	Unkept  []string // tools that are not recordable and acted: a later run cannot repeat that
	// Declined are the intents of steps that the judge does not call done; their calls are left out.
	Declined []string
	Values   map[string]string // what tokens stood for when they were first used, by name; "args.x" for arguments
	Started  time.Time
	Ended    time.Time // of the last event
	Closed   bool      // the session has ended
}

// Run is the place in a transcript where a trail began to be played.
type Run struct {
	Path  string // of the trail file
	Group int    // index of the first group of it

	failed, unkept int // calls, before it
}

// Since leaves in the transcript only the calls from the last playing of a trail on, and reports whether there was
// one. A trail that was played, failed and was mended by hand is saved that way without the calls before.
func (t *Transcript) Since(path string) bool {
	for _, r := range slices.Backward(t.Runs) {
		if r.Path == path {
			t.Groups, t.Runs, t.Failed = t.Groups[r.Group:], nil, t.Failed-r.failed
			t.Unkept = t.Unkept[r.unkept:]
			return true
		}
	}
	return false
}

// Group holds the actions for one purpose.
type Group struct {
	Intent  string         // the reason, as the client gave it; "" when it gave none
	Kind    trail.StepKind // as a trail that was played called it; else ActionStep
	Actions []Action
	Looks   []Look   // what was asked meanwhile, and is no action of its own
	Models  []string // that made them, as the settings name them
	Ruling  string   // of the judge, "" when none was asked
}

// Look is a question about the device that was answered yes or no.
type Look struct {
	Call   tool.Call
	Yes    bool
	Before int // index of the action that came next
	Step   int // as of an action
	by     string
}

// Action is one call that a later run can repeat.
type Action struct {
	Call   tool.Call // refs replaced by selectors, tokens as they were written
	Hash   string    // of the tool's content, "" for tools that are built in
	Kind   tool.Kind
	Target *identity.Fingerprint // the element that it was done to
	Effect Effect
	At     time.Time
	ID     string         // of the call in the log
	Client string         // who called, "" when the log does not say
	Step   int            // index of the step it ran in, event.NoStep outside steps
	Kept   map[string]any // values that it put into memory, as a tool that is not built in
	Began  *tool.Call     // the first action that it set off, nil when it did everything itself
	Played bool           // as a recording has it

	expect []evidence.Declaration // what a trail must declare of it
	within string                 // id of the call that it was a part of, "" for none
}

// Effect holds the facts about an action's effect that a later decision needs.
type Effect struct {
	URL     string // after, "" when unknown
	Alone   bool   // nothing but the target's own value, focus and caret changed
	Checked string // of assertions
	Focused bool   // all that a press did was to give an element the focus
	Used    bool   // more changed than the focus and the caret
	Errors  []string
	Nothing bool // an action without a sign that it did anything: a replay of it is inconclusive
}

// Read reads the transcript of a session directory.
func Read(dir string) (*Transcript, error) {
	t, err := Of(event.Read(dir))
	return t, fault.Wrap(err, "", "read session")
}

// OfLog reads the transcript of a log that may be in memory.
func OfLog(l *event.Log) (*Transcript, error) {
	return ofLog(l, func(event.Event) bool { return true })
}

// OfActor reads of the log of a trail with actors what one of them did.
func OfActor(l *event.Log, actor string) (*Transcript, error) {
	own := map[int]bool{} // by the index of the step
	return ofLog(l, func(e event.Event) bool {
		switch {
		case e.Step != nil:
			own[e.Step.Index] = e.Step.Actor == actor
			return own[e.Step.Index]
		case e.Call != nil:
			return own[e.Call.Step]
		case e.Sampling != nil:
			return e.Sampling.Actor == actor
		}
		return true
	})
}

// ofLog reads the transcript of those events of a log that count.
func ofLog(l *event.Log, counts func(event.Event) bool) (*Transcript, error) {
	events, err := l.Events()
	if err != nil {
		return nil, fault.Wrap(err, "", "read session")
	}
	return Of(func(yield func(event.Event, error) bool) {
		for _, e := range events {
			if counts(e) && !yield(e, nil) {
				return
			}
		}
	})
}

// Of makes a transcript of events.
func Of(events iter.Seq2[event.Event, error]) (*Transcript, error) {
	r := reader{t: &Transcript{Values: map[string]string{}}, open: map[int]int{}, now: -1, began: map[string]tool.Call{},
		standIn: map[string]bool{}, made: map[string]bool{}}
	for e, err := range events {
		if err != nil {
			return nil, err
		}
		r.read(e)
	}
	return r.t, nil
}

// reader makes a transcript, event by event.
type reader struct {
	t    *Transcript
	open map[int]int // step index -> index of its group: the last that began with that number
	now  int         // index of the group of the last step that began; -1 before the first
	url  string      // where the device was after the last call
	led  *spot       // of the last action
	// declined says that the judge was asked within the call that is under way, and does not agree.
	declined bool
	// began are the first actions within calls, by the ids of those.
	began map[string]tool.Call
	// standIn are the calls in whose place others are recorded, made those that made any, by their ids.
	standIn, made map[string]bool
}

// spot is the place of an action in a transcript.
type spot struct{ group, action int }

func (r *reader) read(e event.Event) {
	t := r.t
	if t.Started.IsZero() {
		t.Started = e.Time
	}
	t.Ended = e.Time
	switch {
	case e.Type == event.SessionStarted && e.Session != nil:
		// A session that another process took up again starts a second time. Its title is the last one.
		first := t.Session
		t.Session = *e.Session
		t.Session.Title = cmp.Or(e.Session.Title, first.Title)
		if t.Session.Labels == nil {
			t.Session.Labels = first.Labels
		}
		t.Closed = false
	case e.Type == event.SessionEnded:
		t.Closed = true
	case e.Type == event.TrailStarted && e.Trail != nil:
		t.Runs = append(t.Runs, Run{e.Trail.Path, len(t.Groups), t.Failed, len(t.Unkept)})
	case e.Type == event.StepStarted && e.Step != nil:
		r.step(e.Step)
	case e.Sampling != nil:
		r.asked(e.Sampling)
	case e.Type == event.Retracted && e.Call != nil:
		r.retracted(e.Call.ID)
	case e.Type == event.ToolCall && e.Call != nil:
		r.call(e)
		r.declined = r.declined && e.Call.Role != "top"
	}
}

// retracted takes back an action that a person took back.
func (r *reader) retracted(id string) {
	for i := range r.t.Groups {
		g := &r.t.Groups[i]
		g.Actions = slices.DeleteFunc(g.Actions, func(a Action) bool { return a.ID == id })
	}
	r.led = nil
}

// asked notes a question of the agent, or to the judge.
func (r *reader) asked(q *event.Sampling) {
	if q.Judge {
		r.declined = q.Ruling != "holds"
	}
	if r.now < 0 || q.Asked == "" {
		return
	}
	g := &r.t.Groups[r.now]
	if q.Judge {
		g.Ruling = q.Ruling
	}
	if !slices.Contains(g.Models, q.Asked) {
		g.Models = append(g.Models, q.Asked)
	}
}

// step opens a group. Steps of one purpose that follow each other are one: it is tried again, or continued.
func (r *reader) step(s *event.Step) {
	intent := strings.TrimSpace(s.Text)
	kind := trail.StepKind(s.Kind)
	if kind != trail.VerifyStep {
		kind = trail.ActionStep
	}
	// a trail begins with this
	begun := slices.ContainsFunc(r.t.Runs, func(run Run) bool { return run.Group == len(r.t.Groups) })
	if last := len(r.t.Groups) - 1; last >= 0 && intent != "" && r.t.Groups[last].Intent == intent && !begun {
		r.open[s.Index], r.now = last, last
		return
	}
	r.t.Groups = append(r.t.Groups, Group{Intent: intent, Kind: kind})
	r.now = len(r.t.Groups) - 1
	r.open[s.Index] = r.now
}

func (r *reader) call(e event.Event) {
	c := e.Call
	before := r.url
	learn(r.t.Values, c.Authored, c.Args)
	var did *driver.Effect
	if c.Evidence != nil {
		did = c.Evidence.Effect
	}
	if did != nil && (did.URL != "" || did.Changes.Tabs) {
		r.url = did.URL
	}
	r.partOf(c)
	r.look(c)
	switch {
	case c.IsError:
		if c.Role == "top" {
			r.t.Failed++
		}
		r.refuted(c)
		return
	case c.Recorded == nil:
		r.within(c)
		r.unkept(c)
		return
	case groped(c):
		return
	}
	before = r.late(c, before)
	a := Action{Call: *c.Recorded, Kind: c.Kind, At: e.Time, ID: c.ID, Step: c.Step, Client: c.Client,
		Played: c.Caller == replayed, within: c.Parent}
	if first, ok := r.began[c.ID]; ok {
		a.Began = &first
	}
	if a.Call.Name == c.Name {
		a.Hash = c.Hash
	}
	if c.Kind == tool.Action {
		a.expect = evidence.Declarations(c.Evidence, before)
	}
	_ = json.Unmarshal(c.Kept, &a.Kept) // most keep nothing
	if ev := c.Evidence; ev != nil {
		a.Target, a.Effect = ev.Target, effectOf(ev, r.url)
	}
	a.Effect.Nothing = !r.made[c.ID] && signless(c)
	at := r.keep(c.Step, a)
	if c.Kind == tool.Action {
		r.led = &spot{at, len(r.t.Groups[at].Actions) - 1}
	}
}

// refuted takes back what was done for a call that failed, where it does not show or do what the call says: the
// assertions of a check, and the calls of a step that the judge does not call one.
func (r *reader) refuted(c *event.Call) {
	if !r.declined && c.Kind != tool.Assertion {
		return
	}
	for i := range r.t.Groups {
		g := &r.t.Groups[i]
		of := func(a Action) bool { return a.within == c.ID }
		if slices.ContainsFunc(g.Actions, func(a Action) bool { return of(a) && a.Kind == tool.Action }) {
			r.t.Declined, r.led = append(r.t.Declined, g.Intent), nil
		}
		g.Actions = slices.DeleteFunc(g.Actions, of)
	}
}

// replayed is the caller of a call that a recording has.
const replayed = "replay"

// undecided takes back what was asked for an objective that acts nowhere: it decided nothing of a step.
func (r *reader) undecided(c *event.Call) {
	if c.Kind == tool.Action || c.Role != "top" {
		return
	}
	for i := range r.t.Groups {
		g := &r.t.Groups[i]
		g.Looks = slices.DeleteFunc(g.Looks, func(l Look) bool { return l.by == c.ID })
	}
}

// look notes a question that was answered and that no action of the transcript is: a query, or an assertion that says
// no.
func (r *reader) look(c *event.Call) {
	r.undecided(c)
	no := c.Kind == tool.Assertion && c.Error != nil &&
		(c.Error.Kind == fault.Assertion || c.Error.Kind == fault.NotFound)
	i, open := r.open[c.Step]
	if !open || c.Role == "nested" || c.Caller == replayed || !no && (c.Kind != tool.Query || c.IsError) {
		return
	}
	call := tool.Call{Name: c.Name, Args: json.RawMessage(cmp.Or(string(c.Authored), string(c.Args)))}
	if c.Recorded != nil {
		call = *c.Recorded
	}
	g := &r.t.Groups[i]
	answer := tool.TextResult("%s", c.Text)
	answer.Value = c.Value
	g.Looks = append(g.Looks, Look{Call: call, Yes: !no && answer.Affirms(), Before: len(g.Actions), Step: c.Step,
		by: c.Parent})
}

// groped reports whether a call was a failed attempt of the agent: a look, or an action without an effect. The agent
// saw that and continued; a replay would fail at it.
func groped(c *event.Call) bool {
	if c.Caller != "agent" || len(c.Kept) > 0 {
		return false
	}
	return c.Kind == tool.Query || c.Kind == tool.Action && c.Evidence.InVain() && !c.Evidence.Effect.Changes.Focused
}

// within notes the first action of the call that set this one off.
func (r *reader) within(c *event.Call) {
	if _, known := r.began[c.Parent]; known || c.Parent == "" || c.Kind != tool.Action {
		return
	}
	first, ok := r.began[c.ID]
	if !ok {
		first = tool.Call{Name: c.Name, Args: c.Args}
	}
	r.began[c.Parent] = first
}

// partOf notes of the call that set this one off that it made one, and whether one replaces it.
func (r *reader) partOf(c *event.Call) {
	if !c.IsError && c.Parent != "" {
		r.made[c.Parent] = true
		r.standIn[c.Parent] = r.standIn[c.Parent] || c.Recorded != nil
	}
}

// signless reports whether a call is an action without a sign of its own that it did anything.
func signless(c *event.Call) bool {
	ev := c.Evidence
	return c.Kind == tool.Action && (ev == nil || ev.Effect == nil && ev.None == "")
}

// unkept notes a call that acted, and of which nothing is recorded.
func (r *reader) unkept(c *event.Call) {
	_, acted := r.began[c.ID]
	if ev := c.Evidence; ev != nil && (ev.None != "" || ev.Effect != nil && ev.Effect.Changes.Any()) || len(c.Kept) > 0 {
		acted = true
	}
	switch {
	case r.standIn[c.ID]:
		r.standIn[c.Parent] = true
	case c.Role != "nested" && c.Kind == tool.Action && acted:
		r.t.Unkept = append(r.t.Unkept, c.Name)
	}
}

// late declares on the last action that the page went to another origin after that action had
// settled, if this call found the page there. It returns the address of the page before the call.
func (r *reader) late(c *event.Call, before string) string {
	origin := evidence.Moved(c.Evidence, c.Page, before)
	if origin == "" || r.led == nil {
		return before
	}
	a := &r.t.Groups[r.led.group].Actions[r.led.action]
	a.expect = append(a.expect, evidence.Declaration{Key: evidence.OriginArg, Value: origin})
	before = cmp.Or(c.Page, before)
	if c.Evidence == nil || c.Evidence.Effect == nil {
		r.url = before
	}
	return before
}

func effectOf(ev *tool.Evidence, url string) Effect {
	out := Effect{URL: url, Checked: ev.Checked}
	if x := ev.Effect; x != nil {
		ch := x.Changes
		out.Focused, out.Used, out.Errors = ch.Focused && !ch.Any(), ch.BeyondFocus(), x.Errors
		out.Alone = ch.Tree == 0 && ch.Requests == 0 && !ch.URL && !ch.Navigation && !ch.Tabs && !ch.Dialog && !ch.Download
	}
	return out
}

// keep puts an action into the group of its step. An action without a step is a group of its own. The order in which
// things happened is kept: a step that continues after another one acted is a group again.
func (r *reader) keep(step int, a Action) (group int) {
	i, ok := r.open[step]
	if !ok || step == event.NoStep {
		r.t.Groups = append(r.t.Groups, Group{Kind: trail.ActionStep, Actions: []Action{a}})
		return len(r.t.Groups) - 1
	}
	if slices.ContainsFunc(r.t.Groups[i+1:], func(g Group) bool { return len(g.Actions) > 0 }) {
		r.t.Groups = append(r.t.Groups, Group{Intent: r.t.Groups[i].Intent, Kind: r.t.Groups[i].Kind})
		i = len(r.t.Groups) - 1
		r.open[step] = i
	}
	r.t.Groups[i].Actions = append(r.t.Groups[i].Actions, a)
	return i
}

// Actions counts the actions.
func (t *Transcript) Actions() int {
	n := 0
	for _, g := range t.Groups {
		n += len(g.Actions)
	}
	return n
}

// OfOthers returns how many actions other clients made, and which clients, "" when the client made all.
func (t *Transcript) OfOthers(client string) string {
	by := map[string]int{}
	for _, g := range t.Groups {
		for _, a := range g.Actions {
			if a.Client != "" && a.Client != client {
				by[a.Client]++
			}
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(by)) {
		who, _, _ := strings.Cut(name, " tb_")
		if strings.HasPrefix(client, who+" tb_") { // the id tells two of one name apart
			who = name
		}
		out = append(out, phrase.Count(by[name], "action")+" of "+who)
	}
	return strings.Join(out, ", ")
}
