package evidence

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// pageState is the state in which the calls of a trail left the page.
type pageState struct {
	url     string // after the last call, "" until known
	allowed string // the origin that a navigation may end on, as it was declared last
	status  int    // the HTTP status, likewise
	opened  string // the tab that the last action opened, while nothing says whether the flow goes on there
}

// leftOrigin refuses a call that was carried out on another origin than the one the call before it was judged on: a
// page that moves there after its action has settled is caught by the next call.
func (p *pageState) leftOrigin(spec *tool.Spec, ev *tool.Evidence, want tool.Expectation) error {
	at := pageAddress(ev)
	from, got := driver.Origin(p.url), driver.Origin(at)
	declared := got == driver.Origin(p.allowed) || got == driver.Origin(want.Origin)
	if spec.Purpose == tool.AwaitAddress || from == "" || got == "" || got == from || declared {
		return nil
	}
	return fault.New(fault.Assertion, "judge "+spec.Name,
		"the page went to another origin after the call before: %s, from %s", at, from).
		WithHint("if this is how it should be, declare `expectOrigin: %s` on the call that leads there", got)
}

// leaveTimeout bounds how long the end of a trail waits for a page that is on its way to another
// one.
const leaveTimeout = 10 * time.Second

// pageAddress is the address of the page that a call looked at or acted on, "" when the evidence does
// not say.
func pageAddress(ev *tool.Evidence) string {
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
func (p *pageState) note(
	ctx context.Context, dev driver.Device, spec *tool.Spec, ev *tool.Evidence, want tool.Expectation,
) {
	if want.Origin != "" {
		p.allowed = want.Origin
	}
	if want.Status != 0 {
		p.status = want.Status
	}
	effect := new(driver.Effect)
	if ev != nil && ev.Effect != nil {
		effect = ev.Effect
	}
	switch {
	case effect.Changes.Tabs:
		p.opened = ""
		if n := len(effect.NewTabs); n > 0 {
			p.opened = effect.NewTabs[n-1]
		}
	case pageAddress(ev) != "":
		p.opened = ""
	}
	switch {
	case effect.Changes.Tabs, // another tab may be in front now
		spec.Kind == tool.Action && !declares(spec) && spec.Purpose != tool.Pause: // a script, a trail in a trail
		p.url = ""
		if n, ok := driver.As[driver.Navigator](dev); ok {
			p.url, _ = n.URL(ctx)
		}
	case effect.URL != "":
		p.url = effect.URL
	case pageAddress(ev) != "":
		p.url = pageAddress(ev)
	}
}

// declares reports whether a tool takes the argument that says where it leads.
func declares(spec *tool.Spec) bool {
	return spec.Input != nil && spec.Input.Get().Properties[OriginArg] != nil
}

// Moved returns the origin of the page that a call saw or acted on, where it differs from that of the page the call
// before it left: the page moved after that action, which has to declare the origin. It is "" where the page stayed.
// at is the address of the page that the call saw, "" when only its evidence shows it.
func Moved(ev *tool.Evidence, at, from string) string {
	if at == "" {
		at = pageAddress(ev)
	}
	if was, now := driver.Origin(from), driver.Origin(at); was != "" && now != was {
		return now
	}
	return ""
}
