package api

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// settings are those of a client's workspace.
func (s *viewService) settings(o *pb.CallOptions) (*config.Config, error) {
	root, err := s.workspaceOf(o)
	if err != nil {
		return nil, err
	}
	if s.Settings == nil {
		return nil, fault.New(fault.Unavailable, "read settings", "no settings files are read here")
	}
	return s.Settings(root)
}

// ListSettings implements ViewService.
func (s *viewService) ListSettings(
	_ context.Context, r *pb.ListSettingsRequest,
) (*pb.ListSettingsResponse, error) {
	cfg, err := s.settings(r.Options)
	if err != nil {
		return nil, errorOf(err)
	}
	out := &pb.ListSettingsResponse{UserFile: cfg.UserFile(), ProjectFile: cfg.WorkspaceFile(), Warnings: cfg.Warnings}
	for _, v := range cfg.Settings() {
		k, err := config.Lookup(v.Key)
		if err != nil {
			return nil, errorOf(err)
		}
		one := &pb.SettingInfo{
			Key: v.Key, Value: v.Value, Source: v.Source, Owner: string(v.Owner), Help: k.Help, Kind: k.Kind,
			Choices: k.Choices(), DefaultValue: k.Default,
		}
		if v.Narrowed != nil {
			one.NarrowedValue, one.NarrowedSource = v.Narrowed.Value, v.Narrowed.Source
		}
		out.Settings = append(out.Settings, one)
	}
	return out, nil
}

// ChangeSetting implements ViewService. A setting that a project may not set names programs, folders or hosts: a page
// changes none of these.
func (s *viewService) ChangeSetting(
	_ context.Context, r *pb.ChangeSettingRequest,
) (*pb.ChangeSettingResponse, error) {
	const op = "change setting"
	cfg, err := s.settings(r.Options)
	if err != nil {
		return nil, errorOf(err)
	}
	k, err := config.Lookup(r.Key)
	if err != nil {
		return nil, errorOf(err)
	}
	if k.Owner != config.ProjectSets {
		return nil, errorOf(fault.New(fault.Denied, op, "%s is set at a shell alone", k.Name).
			WithHint("Run: trailblaze config set %s <value>", k.Name))
	}
	file := cfg.UserFile()
	if r.Project {
		if file = cfg.WorkspaceFile(); file == "" {
			return nil, errorOf(fault.New(fault.NotFound, op, "there is no project here").
				WithHint("Run trailblaze app in the folder of your project."))
		}
	}
	if r.Unset {
		_, err = cfg.Unset(file, k.Name)
	} else {
		err = cfg.Set(file, k.Name, r.Value)
	}
	if err != nil {
		return nil, errorOf(err)
	}
	return &pb.ChangeSettingResponse{}, nil
}
