package replay

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// expectations are what the trail says about a call beyond that it works.
type expectations struct {
	Effect       string `json:"effect"`       // "none": nothing observable changes
	ExpectStatus int    `json:"expectStatus"` // HTTP status that a navigation ends with
	ExpectOrigin string `json:"expectOrigin"` // origin that a navigation may end on
	URL          string `json:"url"`          // where a navigation asks to go

	from string // the device's URL before the call, "" when unknown
}

// readExpectations ignores what it cannot read: an argument of another type under one of these names is the tool's own.
func readExpectations(args json.RawMessage) expectations {
	var want expectations
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) == nil {
		_ = json.Unmarshal(fields["effect"], &want.Effect)
		_ = json.Unmarshal(fields["expectStatus"], &want.ExpectStatus)
		_ = json.Unmarshal(fields["expectOrigin"], &want.ExpectOrigin)
		_ = json.Unmarshal(fields["url"], &want.URL)
	}
	return want
}

// verdict says whether a call that succeeded is a pass. A call in whose place others were made is judged by all of them: the
// first that is not a pass decides. left are the recorded calls after it: a press that gave nothing but the focus is held until
// the next of them is judged.
func (w *whereabouts) verdict(ctx context.Context, dev driver.Device, mem *memory.Store, reg *tool.Registry, c trail.Recorded, res *tool.Result, left []trail.Recorded) error {
	made := res.Made
	if len(made) == 0 {
		made = []tool.Made{{Call: c.Call, Evidence: res.Evidence}}
	}
	for i, m := range made {
		tl, ok := reg.Get(m.Call.Name)
		if !ok {
			return fault.New(fault.Internal, "play call", "tool %s ran but is not registered", m.Call.Name)
		}
		args, _, err := mem.Expand(m.Call.Args)
		if err != nil {
			return fault.Wrap(err, fault.Invalid, "expand arguments of "+m.Call.Name)
		}
		want := readExpectations(args)
		want.from = w.url
		if err := w.strayed(tl.Spec(), m.Evidence, want); err != nil {
			return err
		}
		err = judge(tl.Spec(), m.Evidence, want)
		switch {
		case w.held != nil && tl.Spec().Kind != tool.Query:
			if err := w.release(tl.Spec(), args, m.Evidence, err); err != nil {
				return err
			}
		case err != nil:
			after := following(reg, made[i+1:], left)
			if !onlyFocus(tl.Spec(), m.Evidence, want) || !mayUseFocus(reg, after) {
				return err
			}
			w.held = &held{err, c, after.Name}
		}
		w.note(ctx, dev, tl.Spec(), m.Evidence, want)
	}
	return nil
}

// checks reports whether a call looked at anything that could have failed it: an assertion, or a trail with one in it.
func checks(reg *tool.Registry, c tool.Call, res *tool.Result) bool {
	asserts := func(name string, ev *tool.Evidence) bool {
		tl, ok := reg.Get(name)
		if !ok || ev == nil || ev.Checked == "" {
			return false
		}
		_, trail := tl.(*runTrailTool)
		return trail || tl.Spec().Kind == tool.Assertion
	}
	return asserts(c.Name, res.Evidence) || slices.ContainsFunc(res.Made, func(m tool.Made) bool { return asserts(m.Call.Name, m.Evidence) })
}

// nothingChecked is why a verify step without any assertion is not a pass.
func nothingChecked() error {
	return fault.New(fault.Degraded, "judge step", "the verify step checked nothing: none of its calls was an assertion").
		WithHint("Record a call such as web_verifyTextVisible, or make it a step.")
}

// judge holds a successful call to its evidence (architecture rule 6). A call that left none did not pass.
func judge(spec *tool.Spec, ev *tool.Evidence, want expectations) error {
	switch spec.Kind {
	case tool.Action:
		if ev == nil || ev.Effect == nil && ev.None == "" {
			return fault.New(fault.NotActed, "judge "+spec.Name, "the call succeeded but left no evidence that anything happened")
		}
		if ev.Effect == nil {
			return nil
		}
		if !ev.Effect.Changes.Any() && ev.None == "" && want.Effect != "none" {
			return fault.New(fault.NotActed, "judge "+spec.Name, "the action was carried out and nothing changed: %s%s", quiet(ev.Effect), uncaught(ev.Effect)).
				WithHint("if this is how it should be, declare `effect: none` on the call")
		}
		return judgeNavigation(spec, ev.Effect, want)
	case tool.Assertion:
		if ev == nil || ev.Checked == "" {
			return fault.New(fault.Degraded, "judge "+spec.Name, "the assertion passed but does not say what it looked at")
		}
	}
	return nil
}

// quiet says in a few words what an effect without changes amounts to.
func quiet(e *driver.Effect) string {
	if e.Changes.Received {
		return "the element got the event, but no content, value, focus, selection, scroll position, URL or network activity followed"
	}
	return "no content, value, focus, selection, scroll position, URL or network activity followed"
}

// uncaught tells the errors of an effect without changes.
func uncaught(e *driver.Effect) string {
	if len(e.Errors) == 0 {
		return ""
	}
	return "; the page reported an error: " + strings.Join(e.Errors, "; ")
}

// judgeNavigation refuses a green for a page that failed to load or that is somebody else's.
func judgeNavigation(spec *tool.Spec, e *driver.Effect, want expectations) error {
	if want.ExpectStatus != 0 && e.Status != want.ExpectStatus {
		return fault.New(fault.Assertion, "judge "+spec.Name, "the navigation ended with HTTP status %d, expected %d, at %s", e.Status, want.ExpectStatus, e.URL)
	}
	if e.Changes.Navigation && e.Status >= 400 && want.ExpectStatus == 0 {
		return fault.New(fault.Assertion, "judge "+spec.Name, "the navigation ended with HTTP status %d at %s", e.Status, e.URL).
			WithHint("if this is how it should be, declare `expectStatus: %d` on the call", e.Status)
	}
	if e.Changes.Navigation && e.Failed != "" {
		return fault.New(fault.Assertion, "judge "+spec.Name, "the page at %s did not load: %s", e.URL, e.Failed)
	}
	if !e.Changes.Navigation && !e.Changes.URL {
		return nil
	}
	got, allowed := driver.Origin(e.URL), driver.Origin(want.ExpectOrigin)
	switch {
	case got == "":
		return nil // about:blank, data:, file: have none to compare
	case want.ExpectOrigin != "":
		if allowed == "" || got != allowed {
			return fault.New(fault.Assertion, "judge "+spec.Name, "the navigation ended on %s, expected origin %s", e.URL, want.ExpectOrigin)
		}
		return nil
	}
	from := driver.Origin(want.URL)
	if from == "" {
		from = driver.Origin(want.from)
	}
	if from != "" && got != from {
		return fault.New(fault.Assertion, "judge "+spec.Name, "the navigation ended on another origin: %s, from %s", e.URL, from).
			WithHint("if this is how it should be, declare `expectOrigin: %s` on the call", got)
	}
	return nil
}
