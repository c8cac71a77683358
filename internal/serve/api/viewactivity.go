package api

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/trailblaze-dev/trailblaze/driver"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// maxActivity bounds each list of what pages did.
const maxActivity = 500

// ReadActivity implements ViewService. Headers and bodies of requests stay where they are.
func (s *viewService) ReadActivity(
	ctx context.Context, r *pb.ReadActivityRequest,
) (*pb.ReadActivityResponse, error) {
	dev, err := s.openDevice(ctx, r.DeviceId)
	if err != nil {
		return nil, errorOf(err)
	}
	masks := s.masks(r.DeviceId)
	shown := func(text string) string {
		for _, mask := range masks {
			text = mask(text)
		}
		return text
	}
	out := &pb.ReadActivityResponse{}
	if n, ok := driver.As[driver.Network](dev); ok {
		all, err := n.Requests(ctx, 0)
		if err != nil {
			return nil, errorOf(err)
		}
		for _, q := range newest(all) {
			out.Requests = append(out.Requests, &pb.PageRequest{
				Method: q.Method, Url: shown(q.URL), Type: q.Type, Error: shown(q.Error), MimeType: q.MIME, Mocked: q.Mocked,
				Status:  int32(q.Status), //nolint:gosec // of HTTP
				Started: timestamppb.New(q.Started), DurationMs: float64(q.Duration.Microseconds()) / 1000,
			})
		}
	}
	if c, ok := driver.As[driver.Console](dev); ok {
		all, err := c.ConsoleMessages(ctx, 0)
		if err != nil {
			return nil, errorOf(err)
		}
		for _, m := range newest(all) {
			out.Console = append(out.Console, &pb.ConsoleLine{
				Level: m.Level, Text: shown(m.Text), Source: shown(m.Source), Time: timestamppb.New(m.Time),
			})
		}
	}
	if d, ok := driver.As[driver.Downloader](dev); ok {
		all, err := d.Downloads(ctx)
		if err != nil {
			return nil, errorOf(err)
		}
		for _, f := range newest(all) {
			out.Files = append(out.Files,
				&pb.SavedFile{Name: shown(f.Name), Url: shown(f.URL), Bytes: f.Bytes, State: f.State})
		}
	}
	return out, nil
}

func newest[T any](all []T) []T { return all[max(len(all)-maxActivity, 0):] }
