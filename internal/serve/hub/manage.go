package hub

import (
	"context"
	"slices"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
)

// Devices lists the managed devices, and those that could be connected. A nested call sees none of another workspace.
func (h *Hub) Devices(ctx context.Context) []devices.Status {
	by, _ := calls.ClientFrom(ctx)
	return slices.DeleteFunc(h.devices.Devices(ctx), func(st devices.Status) bool { return foreign(ctx, by, st) })
}

// ReadOnly lends the device that a client's calls go to, or the one that is named, for looking at
// it. It takes no lease, so it never keeps a call from acting, and opens nothing.
func (h *Hub) ReadOnly(
	ctx context.Context, c *clients.Client, device string,
) (dev driver.Device, id string, err error) {
	if err := h.within(ctx, c, device, "look at device"); err != nil {
		return nil, "", err
	}
	return h.devices.ReadOnly(c, device)
}

// Connect opens a device for a client and makes it the client's. A device that is open with another
// spec is opened anew, which ends its session; a zero spec takes it as it is.
func (h *Hub) Connect(ctx context.Context, by *clients.Client, spec devices.Spec) (devices.Status, error) {
	c, err := h.begin(ctx, by, spec.ID, "connect")
	if err != nil {
		return devices.Status{}, err
	}
	defer c.End()
	return h.devices.Connect(c, spec)
}

// Reserve opens a device that fits a wish, makes it the client's and refuses it to others, until the client disconnects
// it or makes no call on it for the limit.
func (h *Hub) Reserve(ctx context.Context, by *clients.Client, wish devices.Wish) (devices.Status, error) {
	verb := "reserve"
	if wish.Held {
		verb = "hold"
	}
	c, err := h.begin(ctx, by, wish.Device, verb)
	if err != nil {
		return devices.Status{}, err
	}
	defer c.End()
	return h.devices.Reserve(c, wish)
}

// Disconnect ends a device's session and closes the device. "" is the client's device. The client's own calls there
// are cancelled; another client's running call is waited for only a moment.
func (h *Hub) Disconnect(ctx context.Context, by *clients.Client, device string) error {
	c, err := h.begin(ctx, by, device, "disconnect")
	if err != nil {
		return err
	}
	defer c.End()
	return h.devices.Disconnect(c)
}

// Sessions lists the sessions, orphaned ones too.
func (h *Hub) Sessions() []devices.SessionStatus { return h.devices.Sessions() }

// SessionsIn lists them as a call sees them: a nested one sees none of another workspace.
func (h *Hub) SessionsIn(ctx context.Context) []devices.SessionStatus {
	by, _ := calls.ClientFrom(ctx)
	return slices.DeleteFunc(h.devices.Sessions(), func(st devices.SessionStatus) bool {
		return h.within(ctx, by, st.Device, "") != nil
	})
}

// Session is the session that a client means: that of its device, or of the only one. It is there
// for saving even when it is orphaned; nothing is opened.
func (h *Hub) Session(c *clients.Client) (devices.SessionStatus, error) { return h.devices.Session(c) }

// SessionByID returns a session by its id, while it runs on a device: that of a Reply, for data that belongs to it.
func (h *Hub) SessionByID(id string) (*session.Session, bool) { return h.devices.SessionByID(id) }

// RunningSession is the session that a client's calls go to, while it runs on a device.
func (h *Hub) RunningSession(c *clients.Client) (*session.Session, bool) {
	return h.devices.RunningSession(c)
}

// StartSession begins a new session on the client's device, ending the one that runs there.
func (h *Hub) StartSession(ctx context.Context, by *clients.Client, title string) (devices.SessionStatus, error) {
	c, err := h.begin(ctx, by, "", "session start")
	if err != nil {
		return devices.SessionStatus{}, err
	}
	defer c.End()
	ws, leave, err := h.workspaces.use(c.Context(), by.State().Workspace)
	if err != nil {
		return devices.SessionStatus{}, err
	}
	defer leave()
	return h.devices.StartSession(c, title, ws.memory)
}

// StopSession ends a session: the one with this id, or with "" that of the client's device. The
// device stays open.
func (h *Hub) StopSession(ctx context.Context, by *clients.Client, id string) (devices.SessionStatus, error) {
	for _, st := range h.devices.Sessions() {
		if err := h.within(ctx, by, st.Device, "session stop"); err != nil && st.ID == id {
			return devices.SessionStatus{}, err
		}
	}
	c, err := h.begin(ctx, by, "", "session stop")
	if err != nil {
		return devices.SessionStatus{}, err
	}
	defer c.End()
	return h.devices.StopSession(c, id)
}
