package hub

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// defaultSlot is what is opened for a client that names nothing.
const defaultSlot = "web"

// slotPattern is compiled when it is first asked: commands that have no hub must not pay for it.
var slotPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}(/[A-Za-z0-9][A-Za-z0-9._:-]{0,63})?$`)
})

// slotID is the name under which a slot is known; "web/" and " web" are ways to write it.
func slotID(raw string) (string, error) {
	id := strings.TrimSuffix(strings.TrimSpace(raw), "/")
	if !slotPattern().MatchString(id) {
		return "", fault.New(fault.Invalid, "find device", "%.40q is not the name of a device", raw).
			WithHint("A device is called like web, web/checkout or emulator-5554.")
	}
	return id, nil
}

// target is the slot a call goes to: the one it names, the seat's, the only one in the seat's workspace, or a new one. The
// slot is reserved: until done is called nobody else takes it for free. Bind says that it was made for this seat.
func (h *Hub) target(s *Seat, named string) (sl *slot, bind bool, done func(), err error) {
	st := s.State()
	h.choosing.Lock()
	defer h.choosing.Unlock()
	sl, err = h.meant(st, named)
	if err != nil {
		return nil, false, nil, err
	}
	if sl == nil {
		sl, bind = h.slot(h.freeName(st.Workspace)), true
	}
	sl.reserve(st.Workspace)
	h.forgetSlots()
	return sl, bind, sync.OnceFunc(sl.unreserve), nil
}

// meant is the slot that a client of this seat means, nil when there is none yet.
func (h *Hub) meant(st SeatState, named string) (*slot, error) {
	if named == "" {
		named = st.Device
	}
	if named != "" {
		id, err := slotID(named)
		if err != nil {
			return nil, err
		}
		return h.slot(id), nil
	}
	mine := h.slotsOf(st.Workspace)
	switch len(mine) {
	case 0:
		return nil, nil
	case 1:
		return mine[0], nil
	}
	names := idsOf(mine)
	return nil, fault.New(fault.Conflict, "choose device", "there are %d devices: %s", len(names), strings.Join(names, ", ")).
		WithHint("Say which one: give the call a device, or connect to one and every later call goes there.")
}

func idsOf(slots []*slot) []string {
	var out []string
	for _, sl := range slots {
		out = append(out, sl.id)
	}
	return out
}

// slot finds a slot by its name, or makes it.
func (h *Hub) slot(id string) *slot {
	h.mu.Lock()
	defer h.mu.Unlock()
	sl := h.slots[id]
	if sl == nil {
		sl = &slot{id: id, hub: h, spec: DeviceSpec{ID: id}}
		h.slots[id] = sl
	}
	return sl
}

// allSlots lists the slots by name.
func (h *Hub) allSlots() []*slot {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]*slot, 0, len(h.slots))
	for _, sl := range h.slots {
		out = append(out, sl)
	}
	slices.SortFunc(out, func(a, b *slot) int { return strings.Compare(a.id, b.id) })
	return out
}

// slotsOf lists the slots that a client of this workspace can mean without naming one.
func (h *Hub) slotsOf(workspace string) []*slot {
	return slices.DeleteFunc(h.allSlots(), func(sl *slot) bool { return !sl.counts() || sl.workspace() != workspace })
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// freeName is the slot for a workspace that has none: web, or web/<its folder> while another workspace has that.
func (h *Hub) freeName(workspace string) string {
	free := func(id string) bool {
		sl := h.slot(id)
		return sl.workspace() == workspace || !sl.counts()
	}
	if free(defaultSlot) {
		return defaultSlot
	}
	base := strings.Trim(notInName.ReplaceAllString(filepath.Base(workspace), "-"), "-._")
	if len(base) > 40 {
		base = base[:40]
	}
	if base == "" {
		base = "workspace"
	}
	for n := 1; ; n++ {
		id := defaultSlot + "/" + base
		if n > 1 {
			id += "-" + strconv.Itoa(n)
		}
		if free(id) {
			return id
		}
	}
}
