// Package act acts on a device of the web driver as a person does: it waits until the target can be acted on, sends
// real input once, waits until all that this started has ended, and reports the outcome. Navigations are actions
// too.
//
// An action is open while it runs: its guard in the page keeps its events from anything but the target, and its
// watch follows the navigations that begin meanwhile. It waits for events, never for time to pass; the limits in
// settle.go are for pages that never rest.
package act
