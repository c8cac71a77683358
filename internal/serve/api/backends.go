package api

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/proto/descriptor"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// GetBackends implements ToolService. It opens nothing: without a device, it returns the platform of the device that
// the next call would open.
func (s *toolService) GetBackends(ctx context.Context, r *pb.GetBackendsRequest) (*pb.GetBackendsResponse, error) {
	client, err := s.clientOf(r.Options)
	if err != nil {
		return nil, errorOf(err)
	}
	named := &pb.CallToolRequest{DeviceId: r.DeviceId, SessionId: r.SessionId}
	device, err := call{api: s.api, CallToolRequest: named}.device()
	if err != nil {
		return nil, errorOf(err)
	}
	platform, err := s.platformOf(ctx, client, device)
	if err != nil {
		return nil, errorOf(err)
	}
	out := &pb.GetBackendsResponse{Platform: string(platform)}
	switch platform {
	case driver.WebPlatform:
		out.Web = s.backend(client, "WebCommands", platform)
	case driver.AndroidPlatform, driver.IOSPlatform:
		out.Mobile = s.backend(client, "MobileCommands", platform)
	default:
		out.Desktop = s.backend(client, "DesktopCommands", platform)
	}
	return out, nil
}

// backend is a service with its tools that work on a platform; nil when there are none.
func (s *toolService) backend(client *clients.Client, service protoreflect.Name, on driver.Platform) *pb.Backend {
	file, err := descriptor.Commands()
	if err != nil {
		return nil
	}
	d := file.Services().ByName(service)
	out := &pb.Backend{Service: string(d.FullName())}
	reg := s.Hub.Tools(client)
	for i := range d.Methods().Len() {
		name, _ := proto.GetExtension(d.Methods().Get(i).Options(), pb.E_Tool).(string)
		t, ok := reg.Get(name)
		if ok && (len(t.Spec().Platforms) == 0 || slices.Contains(t.Spec().Platforms, on)) {
			out.Tools = append(out.Tools, name)
		}
	}
	if len(out.Tools) == 0 {
		return nil
	}
	return out
}

// platformOf is the platform of a device that is open or could be.
func (s *toolService) platformOf(ctx context.Context, client *clients.Client, device string) (driver.Platform, error) {
	if device == "" {
		device = client.State().Device
	}
	all := s.Hub.Devices(ctx)
	for _, d := range all {
		if d.ID == device || device == "" && len(all) == 1 {
			return driver.Platform(d.Platform), nil
		}
	}
	switch kind, _, _ := strings.Cut(device, "/"); driver.Platform(kind) {
	case "", driver.WebPlatform:
		return driver.WebPlatform, nil // what the first call opens
	case driver.AndroidPlatform:
		return driver.AndroidPlatform, nil
	}
	return "", fault.New(fault.NotFound, "find device", "no device is called %.80q", device).
		WithHint("The tool device lists them.")
}
