package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// availableTime bounds asking the provider what could be connected.
const availableTime = 5 * time.Second

// Devices lists the slots, and what could be connected.
func (h *Hub) Devices(ctx context.Context) []DeviceStatus {
	var out []DeviceStatus
	listed := map[string]bool{}
	for _, sl := range h.allSlots() {
		if st := sl.status(); st.State != StateClosed {
			out = append(out, st)
			listed[st.ID] = true
		}
	}
	ctx, cancel := context.WithTimeout(ctx, availableTime)
	defer cancel()
	more, err := h.o.Provider.Available(ctx)
	if err != nil {
		h.o.Log.Warn("what could be connected is not known", "error", err)
	}
	for _, i := range more {
		if !listed[i.ID] {
			out = append(out, DeviceStatus{
				ID: i.ID, Platform: string(i.Platform), Driver: i.Driver, Version: i.Version, State: StateAvailable,
				Width: i.Width, Height: i.Height, Spec: DeviceSpec{ID: i.ID},
			})
		}
	}
	return out
}

// errand is a call that the hub makes for a desk tool: it takes its turn on a slot like any other.
func (h *Hub) errand(ctx context.Context, s *Seat, what string) (*call, func(), error) {
	ctx, cancel := context.WithCancelCause(ctx)
	c, err := h.begin(ctx, cancel, s, Request{Call: tool.Call{Name: what}})
	if err != nil {
		cancel(err)
		return nil, nil, err
	}
	return c, func() {
		h.mu.Lock()
		delete(h.calls, c.id)
		h.active = h.now()
		h.mu.Unlock()
		cancel(nil)
		h.work.Done()
	}, nil
}

// Connect opens a slot for a seat and binds the seat to it. A slot that is open with another spec is opened anew, which
// ends its session; a zero spec takes it as it is.
func (h *Hub) Connect(ctx context.Context, s *Seat, spec DeviceSpec) (DeviceStatus, error) {
	const op = "connect device"
	c, end, err := h.errand(ctx, s, "connect")
	if err != nil {
		return DeviceStatus{}, err
	}
	defer end()
	id := cmp.Or(spec.ID, DeviceFrom(ctx))
	if id == "" {
		id = defaultSlot
		if sl, err := h.meant(SeatState{Workspace: s.State().Workspace}, ""); err == nil && sl != nil {
			id = sl.id
		} else if err == nil {
			id = h.freeName(s.State().Workspace)
		}
	}
	sl, _, done, err := h.target(s, id)
	if err != nil {
		return DeviceStatus{}, err
	}
	defer done()
	if err := c.connect(sl, spec); err != nil {
		return DeviceStatus{}, fault.Wrap(err, "", op)
	}
	c.parent.ran(sl, nil)
	if err := s.Update(func(st *SeatState) error { st.Device = sl.id; return nil }); err != nil {
		return DeviceStatus{}, err
	}
	return sl.status(), nil
}

// connect makes sure that the slot has a device of this spec. One that has needs no turn: whoever uses it goes on.
func (c *call) connect(sl *slot, spec DeviceSpec) error {
	c.place(sl)
	if dev, _, _ := sl.look(); dev != nil && !gone(dev) && sl.suits(spec) {
		return nil
	}
	if err := sl.claim.take(c.ctx, c, c.hub.o.ClaimWait); err != nil {
		return err
	}
	defer sl.claim.give(c)
	sl.respec(spec, c.seat)
	if dev, _, _ := sl.look(); dev != nil && gone(dev) {
		sl.drop("its browser or phone died")
	}
	if err := sl.opened(c.ctx, c); err != nil {
		return err
	}
	c.hub.keepOpen()
	return nil
}

// suits says whether the slot is as the spec wants it. A spec that says nothing wants it as it is.
func (sl *slot) suits(want DeviceSpec) bool {
	sl.mu.Lock()
	is := sl.spec
	sl.mu.Unlock()
	want.ID, want.Workspace = is.ID, is.Workspace
	return reflect.DeepEqual(want, DeviceSpec{ID: is.ID, Workspace: is.Workspace}) || reflect.DeepEqual(want, is)
}

// respec gives the slot another spec when one is asked for, closing a device that does not fit it. The caller has the claim.
func (sl *slot) respec(want DeviceSpec, by *Seat) {
	if sl.suits(want) {
		return
	}
	sl.mu.Lock()
	has := sl.dev != nil
	want.ID, want.Workspace = sl.spec.ID, sl.spec.Workspace
	sl.mu.Unlock()
	if has {
		sl.tell(sl.id+" was opened anew by "+by.who()+", with other settings.", by)
		if err := sl.end(event.Passed, nil); err != nil {
			sl.hub.o.Log.Warn("device did not close cleanly", "device", sl.id, "error", err)
		}
	}
	want.StorageState = append(json.RawMessage(nil), want.StorageState...)
	sl.mu.Lock()
	defer sl.mu.Unlock()
	sl.spec = want
}

// Disconnect ends a slot's live session and closes its device. "" is the seat's device. What the seat itself runs there is
// cancelled; another seat's running call is waited for only a moment.
func (h *Hub) Disconnect(ctx context.Context, s *Seat, id string) error {
	const op = "disconnect device"
	c, end, err := h.errand(ctx, s, "disconnect")
	if err != nil {
		return err
	}
	defer end()
	sl, err := h.existing(s, cmp.Or(id, DeviceFrom(ctx)))
	if err != nil {
		return fault.Wrap(err, "", op)
	}
	if _, r := sl.claim.now(); r != nil && r.seat == s {
		r.cancel(fault.New(fault.Canceled, "", "its device was disconnected"))
	}
	c.place(sl)
	if err := sl.claim.take(c.ctx, c, h.o.ClaimWait); err != nil {
		return fault.Wrap(err, "", op)
	}
	defer sl.claim.give(c)
	err = sl.end(event.Passed, nil)
	sl.tell(sl.id+" was closed by "+s.who()+" meanwhile: this is a new one.", s)
	sl.claim.release(s)
	if s.State().Device == sl.id {
		_ = s.Update(func(st *SeatState) error { st.Device = ""; return nil })
	}
	return fault.Wrap(err, "", op)
}

// existing is the slot that a seat means, which must have a device or a session.
func (h *Hub) existing(s *Seat, named string) (*slot, error) {
	h.choosing.Lock()
	sl, err := h.meant(s.State(), named)
	h.choosing.Unlock()
	if err != nil {
		return nil, err
	}
	if sl == nil || !sl.counts() {
		if named == "" {
			return nil, fault.New(fault.NotFound, "find device", "no device is connected").WithHint("Connect one first.")
		}
		return nil, fault.New(fault.NotFound, "find device", "%s is not connected", named).WithHint("List the devices to see which are.")
	}
	return sl, nil
}
