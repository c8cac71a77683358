package hub

import (
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// Peek lends the device that a seat's calls go to, or the one that is named, to somebody who only looks: there is no turn
// and no claim, so that looking never keeps anybody from acting. Nothing is opened for it.
func (h *Hub) Peek(s *Seat, device string) (dev driver.Device, id string, err error) {
	sl, err := h.meant(s.State(), device)
	if err != nil {
		return nil, "", err
	}
	if sl != nil {
		if dev, _, _ := sl.look(); dev != nil {
			return dev, sl.id, nil
		}
	}
	return nil, "", fault.New(fault.NotFound, "look at device", "no device is open").WithHint("The first action opens one.")
}
