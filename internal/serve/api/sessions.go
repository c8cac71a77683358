package api

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// sessionService implements SessionService.
type sessionService struct{ *api }

// ListSessions implements SessionService.
func (s *sessionService) ListSessions(context.Context, *pb.ListSessionsRequest) (*pb.ListSessionsResponse, error) {
	return &pb.ListSessionsResponse{Sessions: s.sessions()}, nil
}

// sessions lists the sessions that are open.
func (a *api) sessions() (out []*pb.Session) {
	platforms := map[string]string{}
	for _, d := range a.Hub.Status().Devices {
		platforms[d.ID] = d.Platform
	}
	for _, st := range a.Hub.Sessions() {
		out = append(out, &pb.Session{
			SessionId: st.ID, DeviceId: st.Device, Title: st.Title, Platform: platforms[st.Device],
		})
	}
	return out
}

// WatchEvents implements SessionService. Each client reads the log for itself, at its own pace: the maker of a call
// only leaves a mark that there is more.
func (s *sessionService) WatchEvents(
	ctx context.Context, r *pb.WatchEventsRequest, out *connect.ServerStream[pb.WatchEventsResponse],
) error {
	dir, err := s.sessionDir(r.SessionId)
	if err != nil {
		return errorOf(err)
	}
	more := make(chan struct{}, 1)
	running, follow := s.Hub.SessionByID(r.SessionId)
	if follow = follow && !r.NoFollow; follow {
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
	after := uint64(r.After) //nolint:gosec // not negative
	for {
		err := tail.Read(func(e event.Event) error { return send(ctx, e, after, out) })
		switch {
		case errors.Is(err, io.EOF), err == nil && !follow:
			return nil
		case err != nil:
			return errorOf(err)
		}
		select {
		case <-more:
		case <-ctx.Done():
			return errorOf(ctx.Err())
		}
	}
}

// send sends an event that the client does not have. The last one of a session ends the stream: io.EOF.
func send(ctx context.Context, e event.Event, after uint64, out *connect.ServerStream[pb.WatchEventsResponse]) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if e.Seq > after {
		line, err := e.Line()
		if err != nil {
			return fault.Wrap(err, fault.Internal, "write event")
		}
		data := &structpb.Struct{}
		if err := data.UnmarshalJSON(line); err != nil { // a damaged line is no object
			data = &structpb.Struct{Fields: map[string]*structpb.Value{"text": structpb.NewStringValue(string(line))}}
		}
		seq := int64(e.Seq) //nolint:gosec // the log refuses larger ones
		err = out.Send(&pb.WatchEventsResponse{Event: &pb.Event{
			Seq: seq, Time: timestamppb.New(e.Time), Type: string(e.Type), Data: data,
		}})
		if err != nil {
			return err
		}
	}
	if e.Type == event.SessionEnded {
		return io.EOF
	}
	return nil
}

// sessionDir is the directory of a session, open or not.
func (a *api) sessionDir(id string) (string, error) {
	dir := filepath.Join(a.Sessions, id)
	if session.ValidID(id) && a.Sessions != "" {
		if _, err := os.Stat(dir); err == nil {
			return dir, nil
		}
	}
	return "", fault.New(fault.NotFound, "find session", "no session is called %.80q", id).
		WithHint("ListSessions names those that are open.")
}

// chunk is the size of the parts of an artifact.
const chunk = 256 << 10

// ReadArtifact implements SessionService.
func (s *sessionService) ReadArtifact(
	ctx context.Context, r *pb.ReadArtifactRequest, out *connect.ServerStream[pb.ReadArtifactResponse],
) error {
	f, _, err := s.openBlob(r.SessionId, r.Hash)
	if err != nil {
		return errorOf(err)
	}
	defer func() { _ = f.Close() }()
	part := make([]byte, chunk)
	for ctx.Err() == nil {
		n, err := f.Read(part)
		if n > 0 {
			if err := out.Send(&pb.ReadArtifactResponse{Data: part[:n]}); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errorOf(fault.Wrap(err, fault.Unavailable, "read artifact"))
		}
	}
	return errorOf(ctx.Err())
}

// GetMemory implements SessionService.
func (s *sessionService) GetMemory(_ context.Context, r *pb.GetMemoryRequest) (*pb.GetMemoryResponse, error) {
	running, ok := s.Hub.SessionByID(r.SessionId)
	if !ok {
		return nil, errorOf(fault.New(fault.NotFound, "read memory", "no session %.80q is open", r.SessionId).
			WithHint("ListSessions names those that are open."))
	}
	values, err := structOf(running.Memory.Public())
	if err != nil {
		return nil, errorOf(err)
	}
	return &pb.GetMemoryResponse{Values: values}, nil
}
