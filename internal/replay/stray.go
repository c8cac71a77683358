package replay

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// whereabouts is where the device was left by the calls of a trail.
type whereabouts struct {
	url     string // after the last call, "" until known
	allowed string // the origin that a navigation may end on, as it was declared last
	status  int    // the HTTP status, likewise
	opened  string // the tab that the last action opened, while nothing says whether the flow goes on there
	held    *held  // the press before, when only the next call can say whether it did anything
}

// addressed is the tool that says itself where the page must be.
const addressed = "web_waitForUrl"

// strayed refuses a call that was carried out on another origin than the one the call before it was judged on: a page
// that moves there by itself after its action has settled is caught by the next call.
func (w *whereabouts) strayed(spec *tool.Spec, ev *tool.Evidence, want expectations) error {
	at := seenAt(ev)
	from, got := driver.Origin(w.url), driver.Origin(at)
	if spec.Name == addressed || from == "" || got == "" || got == from || got == driver.Origin(w.allowed) || got == driver.Origin(want.ExpectOrigin) {
		return nil
	}
	return fault.New(fault.Assertion, "judge "+spec.Name, "the page went to another origin after the call before: %s, from %s", at, from).
		WithHint("if this is how it should be, declare `expectOrigin: %s` on the call that leads there", got)
}

// leaveTimeout bounds how long the end of a trail waits for a page that is on its way to another one.
const leaveTimeout = 10 * time.Second

// ended judges where the page is once a navigation that it began by itself after the last call has arrived: nothing
// else would see it. So is one that has arrived since the last action: assertions do not look at how a page was answered.
func (w *whereabouts) ended(ctx context.Context, dev driver.Device, name string) error {
	l, ok := driver.As[driver.Leaver](dev)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	e, err := l.Leave(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return fault.New(fault.Timeout, "end trail", "the page began to go to another one after %s, which did not come within %s", name, leaveTimeout)
	case err != nil || e == nil || !e.Changes.Navigation:
		return nil // a device without a page has none that left
	}
	want := expectations{from: w.url}
	if driver.Origin(e.URL) == driver.Origin(w.allowed) {
		want.ExpectOrigin = w.allowed
	}
	if e.Status == w.status {
		want.ExpectStatus = w.status
	}
	if err := judgeNavigation(&tool.Spec{Name: name}, e, want); err != nil {
		return fault.New(fault.Assertion, "end trail", "after the last call (%s) the page went on by itself: %w", name, err).
			WithHint("If this is how it should be, let the trail wait for that page with web_waitForUrl, or open it with web_navigate and declare what is expected there.")
	}
	return nil
}

// seenAt is the address of the page that a call looked at or acted on, "" when the evidence does not say.
func seenAt(ev *tool.Evidence) string {
	switch {
	case ev == nil:
		return ""
	case ev.Screen != nil:
		return ev.Screen.URL
	case ev.Effect != nil && !ev.Effect.Changes.Navigation && !ev.Effect.Changes.URL && !ev.Effect.Changes.Tabs:
		return ev.Effect.URL
	}
	return ""
}

// note keeps where a call that was found good has left the device.
func (w *whereabouts) note(ctx context.Context, dev driver.Device, spec *tool.Spec, ev *tool.Evidence, want expectations) {
	if want.ExpectOrigin != "" {
		w.allowed = want.ExpectOrigin
	}
	if want.ExpectStatus != 0 {
		w.status = want.ExpectStatus
	}
	switch {
	case ev != nil && ev.Effect != nil && ev.Effect.Changes.Tabs:
		w.opened = ""
		if n := len(ev.Effect.NewTabs); n > 0 {
			w.opened = ev.Effect.NewTabs[n-1]
		}
	case seenAt(ev) != "":
		w.opened = ""
	}
	switch {
	case ev != nil && ev.Effect != nil && ev.Effect.Changes.Tabs, // the tab that was acted in need not be the one in front now
		spec.Kind == tool.Action && !declares(spec) && !pauses[spec.Name]: // a script, a trail in a trail
		w.url = ""
		if n, ok := driver.As[driver.Navigator](dev); ok {
			w.url, _ = n.URL(ctx)
		}
	case ev != nil && ev.Effect != nil && ev.Effect.URL != "":
		w.url = ev.Effect.URL
	case seenAt(ev) != "":
		w.url = seenAt(ev)
	}
}

// declares reports whether a tool can be told where it leads.
func declares(spec *tool.Spec) bool {
	return spec.Input != nil && spec.Input.Properties["expectOrigin"] != nil
}

// pauses are the tools that do nothing but let time pass.
var pauses = map[string]bool{"wait": true, "web_wait": true}
