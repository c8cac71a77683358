package api

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// ReadActivity implements ViewService. Headers and bodies of requests stay where they are.
func (s *viewService) ReadActivity(
	ctx context.Context, r *pb.ReadActivityRequest,
) (*pb.ReadActivityResponse, error) {
	did, err := s.activity(ctx, r)
	if err != nil {
		return nil, errorOf(err)
	}
	out := &pb.ReadActivityResponse{}
	for _, q := range did.Requests {
		out.Requests = append(out.Requests, &pb.PageRequest{
			Method: q.Method, Url: q.URL, Type: q.Type, Error: q.Error, MimeType: q.MIME, Mocked: q.Mocked,
			Status:  int32(q.Status), //nolint:gosec // of HTTP
			Started: timestamppb.New(q.Started), DurationMs: float64(q.Duration.Microseconds()) / 1000,
		})
	}
	for _, m := range did.Console {
		out.Console = append(out.Console, &pb.ConsoleLine{
			Level: m.Level, Text: m.Text, Source: m.Source, Time: timestamppb.New(m.Time),
		})
	}
	for _, f := range did.Files {
		out.Files = append(out.Files, &pb.SavedFile{Name: f.Name, Url: f.URL, Bytes: f.Bytes, State: f.State})
	}
	return out, nil
}

// activity asks the device, or reads what a session that has ended kept.
func (s *viewService) activity(ctx context.Context, r *pb.ReadActivityRequest) (session.Activity, error) {
	var since time.Time
	if (r.SessionId == "") == (r.DeviceId == "") {
		return session.Activity{}, fault.New(fault.Invalid, "read activity", "name a device or a session")
	}
	if r.SessionId != "" {
		running, ok := s.Hub.SessionByID(r.SessionId)
		if !ok {
			dir, err := s.sessionDir(r.SessionId)
			if err != nil {
				return session.Activity{}, err
			}
			return session.KeptActivity(dir)
		}
		r.DeviceId, since = running.Info().Device, running.Started()
	}
	dev, err := s.openDevice(ctx, r.DeviceId)
	if err != nil {
		return session.Activity{}, err
	}
	masks := s.masks(r.DeviceId)
	return session.ActivityOf(ctx, dev, since, func(text string) string {
		for _, mask := range masks {
			text = mask(text)
		}
		return text
	})
}
