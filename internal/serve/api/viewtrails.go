package api

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event/index"
	"github.com/trailblaze-dev/trailblaze/internal/serve/resource"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/repair"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// The bounds of what is told of trails.
const (
	maxTrails    = 2000
	shownRuns    = 10
	shownReports = 50
)

// ListTrails implements ViewService.
func (s *viewService) ListTrails(ctx context.Context, r *pb.ListTrailsRequest) (*pb.ListTrailsResponse, error) {
	root, err := s.workspaceOf(r.Options)
	if err != nil {
		return nil, errorOf(err)
	}
	paths, err := resource.Trails(root)
	if err != nil {
		return nil, errorOf(err)
	}
	x, err := s.index(ctx)
	if err != nil {
		return nil, errorOf(err)
	}
	defer func() { _ = x.Close() }()
	out := &pb.ListTrailsResponse{}
	for _, path := range paths[:min(len(paths), maxTrails)] {
		info := &pb.TrailInfo{Path: path}
		data, err := resource.WorkspaceFile(root, path)
		if err != nil {
			info.Problem = err.Error()
		} else {
			t, problems := trail.Parse(path, data, trail.Strict)
			describeTrail(info, t, problems)
		}
		if info.Runs, err = played(ctx, x, filepath.Join(root, path)); err != nil {
			return nil, errorOf(err)
		}
		out.Trails = append(out.Trails, info)
	}
	return out, nil
}

// workspaceOf is the folder of a client's project.
func (a *api) workspaceOf(o *pb.CallOptions) (string, error) {
	c, err := a.clientOf(o)
	if err != nil {
		return "", err
	}
	return c.State().Workspace, nil
}

func describeTrail(info *pb.TrailInfo, t *trail.Trail, problems trail.Problems) {
	if errs := problems.Errors(); len(errs) > 0 {
		info.Problem = errs[0].Message
	}
	if t == nil {
		return
	}
	info.Id, info.Title, info.Tags, info.Steps = t.Config.ID, t.Config.Title, t.Config.Tags, int32(len(t.Steps))
	classes := map[string]bool{}
	for _, s := range t.Steps {
		for class := range s.Recordings {
			classes[class] = true
		}
	}
	info.Platforms = slices.Sorted(maps.Keys(classes))
}

func played(ctx context.Context, x *index.Index, file string) (out []*pb.TrailPlaying, err error) {
	runs, err := x.Played(ctx, file, shownRuns)
	for _, r := range runs {
		out = append(out, &pb.TrailPlaying{
			SessionId: r.Session, Started: timestamppb.New(r.Started), Outcome: string(r.Outcome), Message: r.Message,
			DurationMs: float64(r.Duration.Microseconds()) / 1000, Attempt: int32(r.Attempt), //nolint:gosec // a few
			DeviceId: r.Device,
		})
	}
	return out, err
}

// GetTrail implements ViewService.
func (s *viewService) GetTrail(ctx context.Context, r *pb.GetTrailRequest) (*pb.GetTrailResponse, error) {
	root, err := s.workspaceOf(r.Options)
	if err != nil {
		return nil, errorOf(err)
	}
	data, err := resource.WorkspaceFile(root, r.Path)
	if err != nil {
		return nil, errorOf(err)
	}
	t, problems := s.mistakes(root, r.Path, data)
	out := &pb.GetTrailResponse{Info: &pb.TrailInfo{Path: r.Path}, Text: string(data), Problems: problemsOf(problems)}
	describeTrail(out.Info, t, problems)
	if t != nil {
		for _, step := range t.Steps {
			out.Steps = append(out.Steps, &pb.TrailStep{
				Text: step.Text, Kind: string(step.Kind), Line: int32(step.Pos.Line), //nolint:gosec // of a file
				Recordings: slices.Sorted(maps.Keys(step.Recordings)),
			})
		}
	}
	x, err := s.index(ctx)
	if err != nil {
		return nil, errorOf(err)
	}
	defer func() { _ = x.Close() }()
	out.Info.Runs, err = played(ctx, x, filepath.Join(root, r.Path))
	return out, errorOf(err)
}

// mistakes reads a trail and finds what is wrong with it.
func (s *viewService) mistakes(root, path string, data []byte) (*trail.Trail, trail.Problems) {
	t, problems := trail.Parse(path, data, trail.Strict)
	if s.Lint != nil {
		problems = s.Lint(root, path, data)
	}
	return t, problems
}

func problemsOf(problems trail.Problems) (out []*pb.TrailProblem) {
	for _, p := range problems {
		out = append(out, &pb.TrailProblem{
			Severity: string(p.Severity), Message: p.Message, Hint: p.Hint,
			Line: int32(p.Pos.Line), Column: int32(p.Pos.Col), //nolint:gosec // of a file
		})
	}
	return out
}

// WriteTrail implements ViewService. It writes no file but a trail of the workspace.
func (s *viewService) WriteTrail(ctx context.Context, r *pb.WriteTrailRequest) (*pb.WriteTrailResponse, error) {
	const op = "write trail"
	root, err := s.workspaceOf(r.Options)
	if err != nil {
		return nil, errorOf(err)
	}
	paths, err := resource.Trails(root)
	if err != nil {
		return nil, errorOf(err)
	}
	if !slices.Contains(paths, r.Path) {
		return nil, errorOf(fault.New(fault.NotFound, op, "there is no trail %.200q in the workspace", r.Path))
	}
	_, problems := s.mistakes(root, r.Path, []byte(r.Text))
	out := &pb.WriteTrailResponse{Problems: problemsOf(problems)}
	if r.Check || len(problems.Errors()) > 0 {
		return out, nil
	}
	err = record.Rewrite(ctx, root, r.Path, func(old []byte) ([]byte, error) {
		if string(old) != r.Was {
			return nil, fault.New(fault.Conflict, op, "%s has changed since it was read", r.Path).
				WithHint("Read it again, and make the change there.")
		}
		return []byte(r.Text), nil
	})
	if err != nil {
		return nil, errorOf(err)
	}
	out.Written = true
	return out, nil
}

// ListRepairs implements ViewService.
func (s *viewService) ListRepairs(context.Context, *pb.ListRepairsRequest) (*pb.ListRepairsResponse, error) {
	out := &pb.ListRepairsResponse{}
	entries, _ := os.ReadDir(s.Reports) // no folder, no repairs
	for i, e := range slices.Backward(entries) {
		if len(entries)-i > shownReports {
			break
		}
		p, err := repair.Read(filepath.Join(s.Reports, e.Name()))
		if err != nil {
			continue // most runs propose none
		}
		for _, t := range p.Trails {
			one := &pb.ProposedRepair{RunId: e.Name(), Path: t.Path, File: t.File, Diff: t.Diff, Outdated: t.Outdated()}
			for _, h := range t.Heals {
				one.Reasons = append(one.Reasons, h.String())
			}
			out.Repairs = append(out.Repairs, one)
		}
	}
	return out, nil
}

// SettleRepair implements ViewService.
func (s *viewService) SettleRepair(_ context.Context, r *pb.SettleRepairRequest) (*pb.SettleRepairResponse, error) {
	if !filepath.IsLocal(r.RunId) || filepath.Base(r.RunId) != r.RunId || s.Reports == "" {
		return nil, errorOf(fault.New(fault.NotFound, "settle repair", "there is no run %.80q", r.RunId))
	}
	if err := repair.Settle(filepath.Join(s.Reports, r.RunId), r.File, r.Accept); err != nil {
		return nil, errorOf(err)
	}
	return &pb.SettleRepairResponse{}, nil
}
