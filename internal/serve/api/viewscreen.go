package api

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

// openDevice is a device that is open, by its id. Looking at it takes no lease.
func (s *viewService) openDevice(ctx context.Context, id string) (driver.Device, error) {
	by, err := s.clientOf(&pb.CallOptions{Client: "app"})
	if err != nil {
		return nil, err
	}
	dev, _, err := s.Hub.ReadOnly(ctx, by, id)
	return dev, err
}

// screencaster is a device that shows its screen to people while it changes. Width and Height of a picture are those of
// the screen. Once a secret is known it gives no picture and ends with fault.Denied.
type screencaster interface {
	Screencast(ctx context.Context, maxSize int, show func(driver.Image) error) error
}

// WatchScreen implements ViewService.
func (s *viewService) WatchScreen(
	ctx context.Context, r *pb.WatchScreenRequest, out *connect.ServerStream[pb.WatchScreenResponse],
) error {
	dev, err := s.openDevice(ctx, r.DeviceId)
	if err != nil {
		return errorOf(err)
	}
	slow := false
	show := func(img driver.Image) error {
		return out.Send(&pb.WatchScreenResponse{
			Data: img.Data, MimeType: img.MIME, Slow: slow, Taken: timestamppb.Now(),
			Width: int32(img.Width), Height: int32(img.Height), //nolint:gosec // pixels
		})
	}
	size := max(0, int(r.MaxSize))
	if caster, ok := driver.As[screencaster](dev); ok {
		if err = caster.Screencast(ctx, size, show); fault.KindOf(err) != fault.Denied {
			return ended(ctx, err)
		}
	}
	slow = true
	return ended(ctx, pictures(ctx, dev, size, show))
}

// ended is the end of the pictures of a device. That the device was closed is no error.
func ended(ctx context.Context, err error) error {
	if ctx.Err() == nil && fault.KindOf(err) == fault.Unavailable {
		return nil
	}
	return errorOf(err)
}

// pictureInterval is the shortest time between two single pictures.
const pictureInterval = 500 * time.Millisecond

// pictures shows a device that has no stream of pictures, or whose pictures have something painted over: a new one
// after each change.
func pictures(ctx context.Context, dev driver.Device, size int, show func(driver.Image) error) error {
	info := dev.Info()
	for {
		img, err := dev.Screenshot(ctx, driver.ScreenshotOptions{MaxSize: size, AnswerTime: 2 * time.Second})
		switch kind := fault.KindOf(err); {
		case err == nil:
			img.Width, img.Height = info.Width, info.Height
			if err := show(img); err != nil {
				return err
			}
		case ctx.Err() != nil || kind == fault.Unavailable:
			return err
		}
		pause := time.NewTimer(pictureInterval)
		if w, ok := driver.As[driver.Waiter](dev); ok && err == nil {
			_ = w.WaitChange(ctx, nil)
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// snapshot is the screen of a device that is open, without the secrets that its session knows.
func (s *viewService) snapshot(ctx context.Context, id string) (*screen.Snapshot, error) {
	dev, err := s.openDevice(ctx, id)
	if err != nil {
		return nil, err
	}
	snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return nil, err
	}
	for _, mask := range s.masks(id) {
		snap = snap.Masked(mask)
	}
	return snap, nil
}

// masks hide the secrets that the session of a device knows.
func (s *viewService) masks(id string) (out []func(string) string) {
	for _, st := range s.Hub.Sessions() {
		if running, ok := s.Hub.SessionByID(st.ID); ok && st.Device == id {
			out = append(out, running.Memory.Mask)
		}
	}
	return out
}

// maxElements bounds the elements of one screen.
const maxElements = 5000

// ReadScreen implements ViewService.
func (s *viewService) ReadScreen(ctx context.Context, r *pb.ReadScreenRequest) (*pb.ReadScreenResponse, error) {
	snap, err := s.snapshot(ctx, r.DeviceId)
	if err != nil {
		return nil, errorOf(err)
	}
	out := &pb.ReadScreenResponse{Url: snap.URL, Title: snap.Title,
		Width: int32(snap.Width), Height: int32(snap.Height)} //nolint:gosec // pixels
	var list func(n *screen.Node, depth int)
	list = func(n *screen.Node, depth int) {
		if len(out.Elements) >= maxElements {
			return
		}
		if n.Ref != "" || n.Called()+n.Text+n.Value != "" {
			out.Elements = append(out.Elements, elementOf(n, depth))
			depth++
		}
		for _, c := range n.Children {
			list(c, depth)
		}
	}
	if snap.Root != nil {
		list(snap.Root, 0)
	}
	return out, nil
}

// shownStates are the states that people are shown.
var shownStates = []struct {
	is   screen.State
	word string
}{
	{screen.Focused, "focused"}, {screen.Disabled, "disabled"}, {screen.Checked, "checked"}, {screen.Selected, "selected"},
	{screen.Expanded, "expanded"}, {screen.Editable, "editable"}, {screen.Password, "password"},
	{screen.Clickable, "clickable"},
}

func elementOf(n *screen.Node, depth int) *pb.ScreenElement {
	out := &pb.ScreenElement{
		Ref: n.Ref, Role: n.Role, Name: cmp.Or(n.Called(), n.Text), Value: n.Value,
		Depth: int32(depth), //nolint:gosec // of a tree
		X:     n.Bounds.X, Y: n.Bounds.Y, Width: n.Bounds.W, Height: n.Bounds.H,
	}
	for _, st := range shownStates {
		if n.State.Has(st.is) {
			out.States = append(out.States, st.word)
		}
	}
	switch n.Visibility {
	case screen.Visible:
	case screen.Offscreen:
		out.States = append(out.States, "offscreen")
	default:
		out.States = append(out.States, n.Visibility.Mark())
	}
	return out
}

// maxChoices bounds the selectors of one element.
const maxChoices = 8

// ListSelectors implements ViewService.
func (s *viewService) ListSelectors(
	ctx context.Context, r *pb.ListSelectorsRequest,
) (*pb.ListSelectorsResponse, error) {
	snap, err := s.snapshot(ctx, r.DeviceId)
	if err != nil {
		return nil, errorOf(err)
	}
	n := snap.ByRef(r.Ref)
	if n == nil {
		return nil, errorOf(fault.New(fault.NotFound, "list selectors", "%s is not on the screen any more", r.Ref).
			WithHint("Read the screen again."))
	}
	choices, err := identity.Choices(snap, n.ID, maxChoices)
	if err != nil {
		return nil, errorOf(err)
	}
	out := &pb.ListSelectorsResponse{}
	for _, c := range choices {
		data, err := json.Marshal(c.Selector)
		if err != nil {
			return nil, errorOf(fault.Wrap(err, fault.Internal, "write selector"))
		}
		out.Selectors = append(out.Selectors,
			&pb.ElementSelector{Selector: string(data), Matches: int32(c.Matches)}) //nolint:gosec // of one screen
	}
	return out, nil
}
