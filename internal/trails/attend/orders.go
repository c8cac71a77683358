package attend

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/gesture"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Pause leaves out what the person does from now on, until it is called with false.
func (r *Recorder) Pause(on bool) { r.paused, r.last = on, made{} }

// Name makes one step of all that follows, until the next name; "" makes a step of each thing again.
func (r *Recorder) Name(text string) error {
	r.last = made{}
	if text = strings.TrimSpace(text); text == "" {
		r.Session.SetStep(event.NoStep)
		return nil
	}
	r.Session.SetStep(r.named)
	_, err := r.Session.Log.Append(event.Event{Type: event.StepStarted,
		Step: &event.Step{Index: r.named, Kind: "step", Text: text}})
	r.named++
	return err
}

// TakeBack takes the last thing out of the recording. The page stays as it is.
func (r *Recorder) TakeBack() error {
	n := len(r.done) - 1
	for n >= 0 && len(r.done[n].calls) == 0 {
		n--
	}
	if n < 0 {
		return fault.New(fault.NotFound, "take back", "nothing is recorded")
	}
	last := r.done[n]
	for _, id := range slices.Clone(last.calls) {
		if err := r.Retract(id); err != nil {
			return err
		}
	}
	r.done, r.tab, r.last = r.done[:n], last.tab, made{}
	return nil
}

// Check records that the person sees an element (tool.CheckElement), its text (tool.CheckText) or what the field holds
// (tool.CheckValue).
func (r *Recorder) Check(ctx context.Context, p tool.Purpose, e *gesture.Element) error {
	g := &gesture.Gesture{Screen: e.Screen}
	n := e.Screen.Node(e.Node)
	if n == nil {
		return fault.New(fault.NotFound, "check", "there is nothing that the screen shows").WithHint("Point at an element.")
	}
	in := args{"ref": ref(g, driver.Target{Node: e.Node})}
	switch p {
	case tool.CheckText:
		if inner := e.Screen.Node(e.Inner); inner != nil {
			n = inner
		}
		return r.CheckText(ctx, e.Tab, cmp.Or(n.FullText(), n.Value, n.Name))
	case tool.CheckValue:
		switch {
		case n.State.Has(screen.Password):
			return fault.New(fault.Invalid, "check value", "it is a password")
		case !n.State.Has(screen.Editable) && n.Value == "":
			return fault.New(fault.Invalid, "check value", "%s holds no value", n.Descriptor()).
				WithHint("Point at a field or a list, or check its text.")
		}
		in["type"], in["expected"] = "VALUE", n.Value
	}
	return r.see(ctx, e.Tab, p, in)
}

// CheckText records that the person sees a text in a tab; "" is the last one that they acted in.
func (r *Recorder) CheckText(ctx context.Context, tab, text string) error {
	const long = 200
	m := r.Session.Memory
	switch text = strings.Join(strings.Fields(text), " "); {
	case text == "":
		return fault.New(fault.Invalid, "check text", "the element has no text").WithHint("Point at one that has.")
	case len(text) > long:
		return fault.New(fault.Invalid, "check text", "the text has more than %d characters", long).
			WithHint("Point at a smaller element.")
	}
	for _, name := range m.Names() {
		if v, ok := m.Get(name); ok && m.IsSecret(name) && strings.Contains(text, fmt.Sprint(v)) {
			return fault.New(fault.Invalid, "check text", "the text holds a password")
		}
	}
	return r.see(ctx, tab, tool.CheckText, args{"text": text})
}

// see makes the call of a check.
func (r *Recorder) see(ctx context.Context, tab string, p tool.Purpose, in args) error {
	r.done = append(r.done, thing{tab: r.tab})
	if err := r.to(ctx, tab); err != nil {
		return err
	}
	return r.call(ctx, nil, p, in)
}

// to makes the calls that follow act on a tab.
func (r *Recorder) to(ctx context.Context, tab string) error {
	if tab == r.tab || tab == "" {
		return nil
	}
	if err := r.call(ctx, nil, tool.SwitchTab, args{"tab": tab}); err != nil {
		return err
	}
	r.tab = tab
	return nil
}
