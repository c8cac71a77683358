package action

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// lateEffect is the time in which an action that changed nothing at once may still show an effect.
const lateEffect = 1500 * time.Millisecond

// baseline is the time at first in which a change may be the page's own, if it then continues.
const baseline = 300 * time.Millisecond

// settleLate gives an action without any effect a moment more. It only watches: nothing is sent again. A change that
// began before the action, such as a clock that ticks, is no effect.
func settleLate(ctx context.Context, dev driver.Device, before *screen.Snapshot, e *driver.Effect, want Expect) {
	w, ok := driver.As[driver.Waiter](dev)
	if e == nil || e.Changes.Any() || want.Effect == tool.NoEffect || !ok {
		return
	}
	limit := lateEffect
	if e.Changes.Focused && !e.Due && !tool.IsRecorded(ctx) { // the caller has an answer; a replay gives a verdict
		limit = baseline
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	effect, own, unsure := watchLate(ctx, dev, w, before, e.Roams)
	e.Changes.Own += own
	e.Changes.Unsure += unsure
	if effect {
		e.Changes.Tree = 1
		e.Settle.Reason = "late"
		e.Settle.Waited += time.Since(began)
	}
}

// awaitEffect waits for a late effect where there is none yet, and reports the errors of an action that has none.
func awaitEffect(ctx context.Context, dev driver.Device, before *screen.Snapshot, e *driver.Effect, want Expect) {
	tellErrors(ctx, dev, e)
	settleLate(ctx, dev, before, e, want)
	tellErrors(ctx, dev, e)
}

// tellErrors notes the uncaught errors since the action began, where they are its only outcome. A request beside them
// is no effect: pages report their errors to a server.
func tellErrors(ctx context.Context, dev driver.Device, e *driver.Effect) {
	if e == nil {
		return
	}
	e.Errors = nil
	seen := e.Changes
	seen.Requests = 0
	c, ok := driver.As[driver.Console](dev)
	if seen.Any() || !ok {
		return
	}
	list, err := c.ConsoleMessages(ctx, e.Logged)
	if err != nil {
		return
	}
	for _, m := range list {
		text, _, _ := strings.Cut(strings.TrimSpace(m.Text), "\n")
		if r := []rune(text); len(r) > errorText {
			text = string(r[:errorText-1]) + "…"
		}
		if m.Level == "exception" && len(e.Errors) < maxErrors && !slices.Contains(e.Errors, text) {
			e.Errors = append(e.Errors, text)
		}
	}
	if len(e.Errors) > 0 {
		e.Changes.Requests = 0
	}
}

// These limit the errors in an effect, and the text of each.
const maxErrors, errorText = 3, 240

// watchLate watches until something happens that did not happen while the action ran, at most until ctx ends. roams
// says that the page changes its own address all the time. own and unsure count the places that the screen changes
// without the action, or may have.
func watchLate(
	ctx context.Context, dev driver.Device, w driver.Waiter, before *screen.Snapshot, roams bool,
) (effect bool, own, unsure int) {
	last, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return false, 0, 0
	}
	if before == nil {
		before = last
	}
	changed, moved := places(before, last, roams)
	causes := ascribe(ctx, dev, changed)
	open := changed // of the screen itself, if it goes on; else the effect, seen a little late
	again := map[screen.NodeID]bool{}
	for began := time.Now(); !moved && !acted(causes) && w.WaitChange(ctx, last) == nil; {
		now, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil {
			break
		}
		changed, moved = places(last, now, roams)
		told := ascribe(ctx, dev, changed)
		if ctx.Err() != nil {
			break // before it could be told
		}
		maps.Copy(causes, told)
		moved = goesOn(open, again, changed, time.Since(began)) || moved || now.Focus != last.Focus
		last = now
	}
	own, unsure = count(causes, driver.OwnCause), count(causes, driver.UnsureCause)
	return moved || acted(causes) || len(again) < len(open), own, unsure
}

// goesOn notes which places have changed, and which again, and reports a change at a place that was at rest until then.
func goesOn(open, again, changed map[screen.NodeID]bool, since time.Duration) (fresh bool) {
	for id := range changed {
		switch {
		case open[id]:
			again[id] = true
		case since > baseline:
			fresh = true
		default:
			open[id] = true
		}
	}
	return fresh
}

// ascribe removes the places that the screen changes without the action, or may have, as far as the device knows, and
// returns the causes of the changes.
func ascribe(ctx context.Context, dev driver.Device, places map[screen.NodeID]bool) map[screen.NodeID]driver.Cause {
	causes := map[screen.NodeID]driver.Cause{}
	if a, ok := driver.As[driver.Ascriber](dev); ok && len(places) > 0 {
		causes = a.Ascribe(ctx, slices.Collect(maps.Keys(places)))
	}
	maps.DeleteFunc(places, func(id screen.NodeID, _ bool) bool { return causes[id] >= driver.OwnCause })
	return causes
}

func count(causes map[screen.NodeID]driver.Cause, of driver.Cause) (n int) {
	for _, c := range causes {
		if c == of {
			n++
		}
	}
	return n
}

func acted(causes map[screen.NodeID]driver.Cause) bool { return count(causes, driver.ActionCause) > 0 }

// places are the elements in or under which two captures differ, 0 the title. Moved reports a change of the whole:
// another address, page or dialog. Where the focus went with the press the driver has judged already.
func places(old, now *screen.Snapshot, roams bool) (ids map[screen.NodeID]bool, moved bool) {
	d := diff.Between(old, now)
	ids = map[screen.NodeID]bool{}
	for _, c := range d.Changed {
		ids[c.Node.ID] = true
	}
	for _, n := range slices.Concat(d.Revealed, d.Concealed, d.Moved) {
		ids[n.ID] = true
	}
	for _, n := range slices.Concat(d.Added, d.Removed) {
		if n.Parent != nil {
			n = n.Parent // a list that is written anew has new items each time
		}
		ids[n.ID] = true
	}
	if d.Title != "" {
		ids[0] = true
	}
	return ids, d.NewPage || d.URL != "" && !roams || d.Dialog != ""
}
