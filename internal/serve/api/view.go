package api

import (
	"context"
	"encoding/json"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/event/index"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// viewService implements ViewService.
type viewService struct{ *api }

// WatchStatus implements ViewService.
func (s *viewService) WatchStatus(
	ctx context.Context, _ *pb.WatchStatusRequest, out *connect.ServerStream[pb.WatchStatusResponse],
) error {
	return errorOf(hub.Changes(ctx, s.Hub, updateInterval, func() error {
		now := time.Now()
		st := &pb.WatchStatusResponse{Version: s.Version, Sessions: s.sessions()}
		for _, d := range s.Hub.Devices(ctx) {
			st.Devices = append(st.Devices, openDeviceOf(d, now))
		}
		return out.Send(st)
	}))
}

func openDeviceOf(d devices.Status, now time.Time) *pb.OpenDevice {
	out := &pb.OpenDevice{
		DeviceId: d.ID, Platform: d.Platform, State: d.State, Version: d.Version, Workspace: d.Workspace,
		Width: int32(d.Width), Height: int32(d.Height), SessionId: d.Session, Url: d.URL, //nolint:gosec // pixels
		Actions: int32(d.Actions), //nolint:gosec // of a session
	}
	if d.Holder != "" {
		out.Holder = d.Client + " (" + d.Holder + ")"
	}
	if r := d.Running; r != nil {
		out.Running, out.RunningClient, out.CallId = r.Tool, r.Name, r.ID
		out.RunningSince = timestamppb.New(now.Add(-r.Elapsed))
	}
	if r := d.Reserved; r != nil {
		out.ReservedBy, out.ReservedSince = r.Name+" ("+r.By+")", timestamppb.New(now.Add(-r.For))
	}
	return out
}

// maxKept bounds the sessions of one list.
const maxKept = 1000

// index opens the index of the kept sessions, brought up to date. The caller closes it.
func (a *api) index(ctx context.Context) (*index.Index, error) {
	if a.Sessions == "" {
		return nil, fault.New(fault.Unavailable, "list sessions", "no sessions are kept here")
	}
	x, err := index.Open(ctx, a.Sessions)
	if err != nil {
		return nil, err
	}
	if err := x.Sync(ctx); err != nil {
		_ = x.Close()
		return nil, err
	}
	return x, nil
}

// ListKeptSessions implements ViewService.
func (s *viewService) ListKeptSessions(
	ctx context.Context, r *pb.ListKeptSessionsRequest,
) (*pb.ListKeptSessionsResponse, error) {
	x, err := s.index(ctx)
	if err != nil {
		return nil, errorOf(err)
	}
	defer func() { _ = x.Close() }()
	kept, err := x.Sessions(ctx, index.Filter{
		Text: r.Search, Trail: r.Trail, Outcome: event.Outcome(r.Outcome), Limit: min(int(r.Limit), maxKept),
	})
	if err != nil {
		return nil, errorOf(err)
	}
	out := &pb.ListKeptSessionsResponse{}
	for _, k := range kept {
		_, running := s.Hub.SessionByID(k.ID)
		out.Sessions = append(out.Sessions, &pb.KeptSession{
			SessionId: k.ID, Title: k.Title, DeviceId: k.Device, Platform: k.Platform, Started: timestamppb.New(k.Started),
			Outcome: string(k.Outcome), Message: k.Message, DurationMs: float64(k.Duration.Microseconds()) / 1000,
			Running: running,
		})
	}
	return out, nil
}

// growth is how often the log of a session in another process is looked at.
const growth = 300 * time.Millisecond

// WatchReport implements ViewService.
func (s *viewService) WatchReport(
	ctx context.Context, r *pb.WatchReportRequest, out *connect.ServerStream[pb.WatchReportResponse],
) error {
	dir, err := s.sessionDir(r.SessionId)
	if err != nil {
		return errorOf(err)
	}
	more := make(chan struct{}, 1)
	running, ours := s.Hub.SessionByID(r.SessionId)
	if ours {
		defer running.Log.Observe(func(event.Event) {
			select {
			case more <- struct{}{}:
			default:
			}
		})()
	}
	tail, err := event.OpenTail(dir)
	if err != nil {
		return errorOf(err)
	}
	defer func() { _ = tail.Close() }()
	live, ended := report.Follow(dir), false
	for ctx.Err() == nil {
		err := tail.Read(func(e event.Event) error {
			live.Take(e)
			ended = ended || e.Type == event.SessionEnded
			return ctx.Err()
		})
		if err == nil {
			err = sendChanges(live, !ended, out)
		}
		if err != nil || ended {
			return errorOf(err)
		}
		pause := updateInterval
		if ours {
			select {
			case <-more:
			case <-ctx.Done():
			}
		} else {
			pause = growth
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	return errorOf(ctx.Err())
}

func sendChanges(live *report.Live, running bool, out *connect.ServerStream[pb.WatchReportResponse]) (err error) {
	m := &pb.WatchReportResponse{Running: running}
	whole, attempt, first := live.Changes()
	switch {
	case whole != nil:
		m.Report, err = json.Marshal(whole)
	case attempt != nil:
		m.FirstStep = int32(first) //nolint:gosec // a step of a trail
		m.Attempt, err = json.Marshal(attempt)
	default:
		return nil
	}
	if err != nil {
		return fault.Wrap(err, fault.Internal, "write report")
	}
	return out.Send(m)
}
