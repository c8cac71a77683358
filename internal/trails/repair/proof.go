package repair

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/text"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// maxProofs limits the detours of a trail that are tried to be left out; each takes one more replay.
const maxProofs = 8

// proof replays what a model has recorded, on fresh devices and without the model.
type proof struct {
	Room
	job  replay.Job
	into []byte // the file that recordings are merged into
}

// trailhead is the step index of the trailhead.
const trailhead = -1

// screens holds the screen after each call of a replay, by step.
type screens map[int][]look

type look struct {
	screen string // without refs
	url    string
	actor  string // on whose device
	bound  bool   // the call may have done something that no screen shows
	acts   bool
}

// replay plays a trail with these recordings.
func (p *proof) replay(ctx context.Context, t *trail.Trail) (data []byte, s screens, notes []string, err error) {
	data, notes, err = trail.Merge(p.into, t, t.Config.Classes(p.Classifiers[0])...)
	if err != nil {
		return nil, nil, nil, err
	}
	made, problems := trail.Parse(p.job.Path, data, trail.Strict)
	if err := problems.Err(); err != nil {
		return nil, nil, nil, err
	}
	made.Dir = p.job.Trail.Dir
	s = screens{}
	player := *p.Suite.Player
	player.Assist, player.Observe, player.Heal = nil, nil, false
	var seen sync.Mutex // actors make calls at once
	player.Made = func(m replay.Made) {
		l := p.look(ctx, m)
		seen.Lock()
		defer seen.Unlock()
		s[m.Step] = append(s[m.Step], l)
	}
	again := replay.Suite{Timeout: p.Suite.Timeout, Player: &player, Open: p.Suite.Open}
	job := p.job
	job.Trail = made
	if out := again.Attempt(ctx, job).Result; out.Outcome != event.Passed {
		kind := fault.KindOf(out.Failure.Err())
		if out.Outcome == event.Failed { // what a trail does not find is no wrong use of the command
			kind = fault.Assertion
		}
		return nil, nil, nil, fault.Wrap(out.Failure.Err(), kind, "it does not replay")
	}
	return data, s, notes, nil
}

var (
	refs   = regex.Lazy(`(?m) e\d+( |$)`)
	states = regex.Lazy(` \[[^\]"]*\]`)
)

// passing are states that a detour may leave behind: where the focus is, and that what was opened is closed. Whether
// they matter to what comes after, the replay without the detour tells.
var passing = []string{"focused", "collapsed"}

// lasting is a screen as text, without refs and what passes.
func lasting(text string) string {
	return states().ReplaceAllStringFunc(refs().ReplaceAllString(text, "$1"), func(list string) string {
		left := slices.DeleteFunc(strings.Split(strings.Trim(list, " []"), ", "), func(s string) bool {
			return slices.Contains(passing, s)
		})
		return strings.Join(left, ", ")
	})
}

// How long a screen has to rest before it is compared with others, and how long that is waited for.
const (
	rest = 150 * time.Millisecond
	most = 2 * time.Second
)

// rested is the screen when nothing moves on it any more, such as a menu that fades.
func rested(ctx context.Context, dev driver.Device) (*screen.Snapshot, error) {
	w, ok := driver.As[driver.Waiter](dev)
	for end := time.Now().Add(most); ; {
		snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil || !ok || !time.Now().Before(end) {
			return snap, err
		}
		wait, cancel := context.WithTimeout(ctx, rest)
		err = w.WaitChange(wait, snap)
		cancel()
		if err != nil { // nothing changed
			return snap, ctx.Err()
		}
	}
}

func (p *proof) look(ctx context.Context, m replay.Made) look {
	l := look{bound: true, actor: m.Session.Actor}
	if snap, err := rested(ctx, m.Session.Device); err == nil {
		l.screen = lasting(text.Of(snap, text.Options{Detail: []string{text.DetailOffscreen}}))
	}
	if nav, ok := driver.As[driver.Navigator](m.Session.Device); ok {
		l.url, _ = nav.URL(ctx)
	}
	t, ok := p.Tools.Get(m.Call.Name)
	if !ok {
		return l
	}
	s := t.Spec()
	l.acts = s.Kind == tool.Action
	l.bound = unseen(s)
	if ev := m.Result.Evidence; ev != nil && ev.Effect != nil {
		c := ev.Effect.Changes
		loads := c.Navigation || c.URL
		l.bound = l.bound || c.Download || c.Tabs || c.Dialog || c.Requests > 0 && !loads
	}
	return l
}

// unseen reports whether a tool may do something that no screen shows.
func unseen(s *tool.Spec) bool {
	return s.Origin != "" || s.Kind == tool.Action && s.Device == tool.NoDevice ||
		s.Effects != nil && (s.Effects.Remembers != "" || s.Effects.CallsTools)
}

// sideEffectTools names the tools of a recording that change something beside the device, anew with each call.
func (p *proof) sideEffectTools(t *trail.Trail) (names []string) {
	for _, s := range t.Steps {
		for _, c := range s.Recordings[t.Config.Class(s.On, p.Classifiers[0])] {
			tl, ok := p.Tools.Get(c.Name)
			if !ok || slices.Contains(names, c.Name) {
				continue
			}
			if s := tl.Spec(); s.Kind == tool.Action && s.Device == tool.NoDevice && !s.Idempotent {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// detour is a run of calls within a step after which the screen was as before them.
type detour struct{ step, from, to int } // calls from, …, to-1

// detours finds the longest ones of the steps that a model carried out, the last first.
func detours(s screens, blazed func(int) bool) (out []detour) {
	for step, calls := range s {
		if !blazed(step) {
			continue
		}
		before := s.before(step)
		for from := 0; from < len(calls); from++ {
			if n := longest(before, calls[from:]); n > 0 {
				out = append(out, detour{step, from, from + n})
				from += n - 1
			}
			before = calls[from]
		}
	}
	slices.SortFunc(out, func(a, b detour) int { return (b.step-a.step)*1000 + b.from - a.from })
	return out[:min(len(out), maxProofs)]
}

// before returns the screen of a step's device before its first call.
func (s screens) before(step int) look {
	for i := step - 1; i >= trailhead; i-- {
		if n := len(s[i]); n > 0 && s[i][n-1].actor == s[step][0].actor {
			return s[i][n-1]
		}
	}
	return look{}
}

// longest returns how many calls lead back to the screen before them; 0 when they never do.
func longest(before look, calls []look) (n int) {
	acts := false
	for i, l := range calls {
		if l.bound || before.screen == "" {
			break
		}
		acts = acts || l.acts
		if acts && l.screen == before.screen && l.url == before.url {
			n = i + 1
		}
	}
	return n
}

// optimise leaves out of the recordings what a later run does not need. Each detour goes only when a replay without it
// passes and shows the same at the end of every step. It returns the file, and how many calls are left out.
func (p *proof) optimise(ctx context.Context, t *trail.Trail, blazed func(int) bool) (
	data []byte, notes []string, dropped int, err error,
) {
	data, full, notes, err := p.replay(ctx, t)
	if err != nil {
		return nil, nil, 0, err
	}
	if names := p.sideEffectTools(t); len(names) > 0 { // not eight times more for the sake of a shorter recording
		note := fmt.Sprintf("%s: each replay does again what is beside the device (%s); so did the one that proves "+
			"this recording, and none was made to shorten it", p.job.Path, strings.Join(names, ", "))
		return data, append(notes, note), 0, nil
	}
	for _, d := range detours(full, blazed) {
		shorter := without(t, p.Classifiers[0], d)
		if shorter == nil {
			continue
		}
		next, s, more, err := p.replay(ctx, shorter)
		if err != nil || !sameEnds(full, s) {
			continue
		}
		data, notes, t, dropped = next, more, shorter, dropped+d.to-d.from
	}
	return data, notes, dropped, nil
}

// without is a trail without the calls of a detour; nil when none would be left of the step.
func without(t *trail.Trail, classifier string, d detour) *trail.Trail {
	if d.step < 0 || d.step >= len(t.Steps) {
		return nil
	}
	classifier = t.Config.Class(t.Steps[d.step].On, classifier)
	calls := t.Steps[d.step].Recordings[classifier]
	if d.to > len(calls) || d.to-d.from >= len(calls) {
		return nil
	}
	out := *t
	out.Steps = slices.Clone(t.Steps)
	s := &out.Steps[d.step]
	s.Recordings = maps.Clone(s.Recordings)
	s.Recordings[classifier] = slices.Delete(slices.Clone(calls), d.from, d.to)
	return &out
}

// sameEnds reports whether each step ended on the same screen.
func sameEnds(a, b screens) bool {
	for step, calls := range a {
		other := b[step]
		if len(other) == 0 || other[len(other)-1].screen != calls[len(calls)-1].screen ||
			other[len(other)-1].url != calls[len(calls)-1].url {
			return false
		}
	}
	return true
}
