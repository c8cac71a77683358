package replay

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// whereabouts is where the device was left by the calls of a trail.
type whereabouts struct {
	url     string // after the last call, "" until known
	allowed string // the origin that a navigation may end on, as it was declared last
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
