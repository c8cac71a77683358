package assert

import (
	"context"
	"fmt"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type untilIn struct {
	Text string `json:"text,omitempty" jsonschema:"text that must become visible, in whole words"`
	ID   string `json:"id,omitempty" jsonschema:"instead of text: test id or id attribute"`
	locator.Target
	within
	action.Note
}

// Mistake implements tool.Meaningful.
func (in untilIn) Mistake() error { return blank(in.Text) }

func (in untilIn) ask() (locator.Query, locator.Accept, error) {
	return in.wait(locator.Query{Target: in.Target, Text: in.Text, ID: in.ID}), nil, nil
}

type cssIn struct {
	Selector     string                `json:"selector,omitempty" jsonschema:"CSS selector"`
	NodeSelector *screen.Selector      `json:"nodeSelector,omitempty" jsonschema:"durable selector, as recordings keep it"`
	Fingerprint  *identity.Fingerprint `json:"fingerprint,omitempty" jsonschema:"who the element was when it was recorded"`
	within
	action.Note
}

func (in cssIn) ask() (locator.Query, locator.Accept, error) {
	t := locator.Target{Ref: locator.CSSRef(in.Selector), NodeSelector: in.NodeSelector, Fingerprint: in.Fingerprint}
	return in.wait(locator.Query{Target: t}), nil, nil
}

type waitIn struct {
	Seconds int `json:"timeToWaitInSeconds,omitempty" minimum:"0" maximum:"300" default:"5" jsonschema:"how long"`
	action.Note
}

// CallTimeout implements tool.Timed.
func (in waitIn) CallTimeout() time.Duration {
	return action.Limit(time.Duration(in.Seconds) * time.Second)
}

func wait() tool.Tool {
	s := spec("wait", "Wait", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_wait", Purpose: tool.Pause, Idempotent: true,
	})
	s.Kind = tool.Action
	return action.Define(s, func(ctx context.Context, _ tool.Env, in waitIn) (*tool.Result, error) {
		return pause(ctx, in.Seconds)
	})
}

type webWaitIn struct {
	Seconds int `json:"seconds,omitempty" default:"1" jsonschema:"how long, 1 to 30"`
	action.Note
}

// CallTimeout implements tool.Timed.
func (in webWaitIn) CallTimeout() time.Duration { return action.Limit(longest * time.Second) }

const longest = 30 // seconds that web_wait waits at most, as upstream

func webWait() tool.Tool {
	s := web("web_wait", "Wait").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION"}, Purpose: tool.Pause, Idempotent: true,
	})
	s.Kind, s.Groups = tool.Action, []string{"web_core"}
	return action.Define(s, func(ctx context.Context, _ tool.Env, in webWaitIn) (*tool.Result, error) {
		return pause(ctx, min(max(in.Seconds, 1), longest))
	})
}

func pause(ctx context.Context, seconds int) (*tool.Result, error) {
	t := time.NewTimer(time.Duration(seconds) * time.Second)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
		return nil, fault.Wrap(ctx.Err(), "", "wait")
	}
	r := tool.TextResult("Waited %d s.", seconds)
	r.Evidence = &tool.Evidence{None: fmt.Sprintf("waits %d s", seconds)}
	return r, nil
}

type changeIn struct {
	TimeoutMs     int  `json:"timeoutMs,omitempty" minimum:"0" default:"8000" jsonschema:"how long to wait in all"`
	QuietWindowMs int  `json:"quietWindowMs,omitempty" minimum:"0" default:"300" jsonschema:"how long nothing may change for the screen to count as settled"`
	RequireChange bool `json:"requireChange" default:"true" jsonschema:"fail when nothing changes at all"`
	action.Note
}

// CallTimeout implements tool.Timed.
func (in changeIn) CallTimeout() time.Duration {
	return action.Limit(time.Duration(in.TimeoutMs) * time.Millisecond)
}

func waitForChange() tool.Tool {
	return action.Define(spec("waitForChange", "Wait for change", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "OBSERVATION", "MOBILE"},
	}), func(ctx context.Context, env tool.Env, in changeIn) (*tool.Result, error) {
		dev, err := action.Device(env)
		if err != nil {
			return nil, err
		}
		w, ok := driver.As[driver.Waiter](dev)
		if !ok {
			return nil, fault.New(fault.Unsupported, "wait for change", "device %s does not tell changes", dev.Info().ID)
		}
		return in.watch(ctx, w)
	})
}

// watch waits for a first change, when one is required, and then until the screen has rested.
func (in changeIn) watch(ctx context.Context, w driver.Waiter) (*tool.Result, error) {
	total, cancel := context.WithTimeout(ctx, time.Duration(in.TimeoutMs)*time.Millisecond)
	defer cancel()
	changes := 0
	if in.RequireChange {
		if err := w.WaitChange(total, nil); err != nil {
			return nil, notChanged(ctx, total, err)
		}
		changes++
	}
	for {
		quiet, done := context.WithTimeout(total, time.Duration(in.QuietWindowMs)*time.Millisecond)
		err := w.WaitChange(quiet, nil)
		done()
		switch {
		case err == nil:
			changes++
			continue
		case ctx.Err() != nil:
			return nil, fault.Wrap(ctx.Err(), "", "wait for change")
		case total.Err() == nil && quiet.Err() == nil:
			return nil, fault.Wrap(err, "", "wait for change")
		}
		ev := &tool.Evidence{Checked: fmt.Sprintf("the screen changed %d times and settled", changes)}
		if total.Err() != nil {
			ev.Checked = fmt.Sprintf("the screen changed %d times and was still changing at the end", changes)
		}
		r := tool.TextResult("%s.", ev.Checked)
		r.Evidence = ev
		return r, nil
	}
}

func notChanged(ctx, total context.Context, err error) error {
	if ctx.Err() == nil && total.Err() != nil {
		return fault.New(fault.Assertion, "wait for change", "nothing changed on the screen")
	}
	return fault.Wrap(err, "", "wait for change")
}
