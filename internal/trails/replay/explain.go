package replay

import (
	"context"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/redact"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Why a capture or picture was kept.
const (
	whyFailure  = "failure"
	whyStep     = "step"
	whyBaseline = "green" // the screen on which a step that passed found its target
	whyLast     = "last"
)

// explain turns a failed call into what a person needs: the search behind it, the screen, and how that screen differs
// from the one on which the step last passed.
func (g *playing) explain(ctx context.Context, r trail.ResolvedStep, c trail.Recorded, res *tool.Result,
	err error) *fault.Failure {
	f := fault.FailureOf(err)
	var ev tool.Evidence
	if res != nil && res.Evidence != nil {
		ev = *res.Evidence
	}
	if fault.KindOf(err) == fault.Canceled {
		return f
	}
	snap := g.collect(ctx, r, ev, f)
	g.keeper.snapshot(snap, whyFailure, r.Index)
	if snap != nil && g.Baselines != nil {
		if green := g.Baselines.Baselines(g.attempt.File, r.Index, r.Index, 1); len(green) > 0 {
			f.SinceGreen = sinceBaseline(green[0], redact.Snapshot(g.session.Memory, snap))
		}
	}
	return f
}

// evidenceTime bounds all that is asked of a device after a call that ran out of time, or whose page did not answer:
// making it answer, and then its picture and capture, side by side.
const evidenceTime = 1500 * time.Millisecond

// collect gathers what explains a failure while the screen still shows it. A page that has no picture to give in time
// is not waited for.
func (g *playing) collect(ctx context.Context, r trail.ResolvedStep, ev tool.Evidence,
	f *fault.Failure) *screen.Snapshot {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	if f.Kind == fault.Timeout || f.Kind == fault.Degraded || f.Kind == fault.Unavailable {
		short, over := context.WithTimeout(ctx, evidenceTime)
		defer over()
		ctx = short
		g.revive(ctx, f)
	}
	snap := ev.Screen
	var all sync.WaitGroup
	if snap == nil {
		all.Go(func() { snap = g.capture(ctx) })
	}
	if g.Screenshots != Off {
		var marks []screen.Rect
		if ev.Bounds != nil {
			marks = append(marks, *ev.Bounds)
		}
		all.Go(func() {
			if fault.KindOf(g.keeper.screenshot(ctx, whyFailure, r.Index, marks...)) == fault.Timeout {
				cancel()
			}
		})
	}
	g.noteDiagnostics(ctx, f)
	all.Wait()
	return snap
}

// revive makes a page answer whose script has no end, or gives the page up, and has the failure say so. A page that
// answers is left alone.
func (g *playing) revive(ctx context.Context, f *fault.Failure) {
	i, ok := driver.As[driver.Interrupter](g.session.Device)
	if !ok {
		return
	}
	if done, err := i.Interrupt(ctx); err == nil && done != "" {
		f.Hint = done + " Mend that script, or what it waits for, and run the trail again."
	}
}

// captureTimeout bounds the look at a page that has just failed a step and may be wedged.
const captureTimeout = 3 * time.Second

func (g *playing) capture(ctx context.Context, css ...string) *screen.Snapshot {
	if g.session.Device == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, captureTimeout)
	defer cancel()
	snap, err := g.session.Device.Snapshot(ctx, driver.SnapshotOptions{CSS: css})
	if err != nil {
		g.keeper.fail(err)
		return nil
	}
	return snap
}

// keepPage stores the screen of a call when the next one of its step was made on another page: the screen that is kept
// at the end of the step does not show what the earlier calls acted on.
func (g *playing) keepPage(r trail.ResolvedStep, before, now *tool.Result) {
	if before == nil || before.Evidence == nil || now.Evidence == nil || before.Evidence.Screen == nil ||
		now.Evidence.Screen == nil || before.Evidence.Screen.URL == now.Evidence.Screen.URL {
		return
	}
	g.keeper.snapshot(before.Evidence.Screen, whyBaseline, r.Index)
}

// keepBaseline stores what a later failure of this step is compared with.
func (g *playing) keepBaseline(ctx context.Context, r trail.ResolvedStep, last *tool.Result) {
	if last.Evidence != nil {
		g.keeper.snapshot(last.Evidence.Screen, whyBaseline, r.Index)
	}
	if g.Screenshots == EachStep {
		var marks []screen.Rect
		if last.Evidence != nil && last.Evidence.Bounds != nil {
			marks = append(marks, *last.Evidence.Bounds)
		}
		_ = g.keeper.screenshot(context.WithoutCancel(ctx), whyStep, r.Index, marks...)
	}
}

// lastFrame keeps how a run that came to its end looked. A failure has its picture already, but for the other actors.
func (g *playing) lastFrame(ctx context.Context, out *Outcome) {
	if g.Screenshots != Off && out.Calls > 0 && g.Screenshots != EachStep &&
		(out.Failed == nil || g.session.Actor != "" && out.Failed.Actor != g.session.Actor) {
		_ = g.keeper.screenshot(context.WithoutCancel(ctx), whyLast, event.NoStep)
	}
}
