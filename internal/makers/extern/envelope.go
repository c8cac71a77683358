package extern

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// device is the device of a call as tool servers read it.
type device struct {
	ID           string `json:"id,omitempty"`
	Platform     string `json:"platform"`
	Width        int    `json:"width,omitempty"`
	Height       int    `json:"height,omitempty"`
	WidthPixels  int    `json:"widthPixels"`
	HeightPixels int    `json:"heightPixels"`
	DriverType   string `json:"driverType"`
}

// legacy is the context as it was handed over first: in an argument, with no more than this.
type legacy struct {
	Memory map[string]any `json:"memory"`
	Device *device        `json:"device,omitempty"`
}

// envelope is the context of a call. State that changes while the tool runs, such as the screen, is not in it: the
// tool asks.
type envelope struct {
	BaseURL      string          `json:"baseUrl,omitempty"`
	SessionID    string          `json:"sessionId"`
	InvocationID string          `json:"invocationId"`
	Device       *device         `json:"device,omitempty"`
	Memory       map[string]any  `json:"memory"`
	Target       *target         `json:"target,omitempty"`
	Capabilities map[string]bool `json:"capabilities"`
}

// target is the app under test.
type target struct {
	ID          string            `json:"id"`
	DisplayName string            `json:"displayName,omitempty"`
	AppIDs      []string          `json:"appIds,omitempty"`
	AppID       string            `json:"appId,omitempty"`
	BaseURLs    map[string]string `json:"baseUrls,omitempty"`
	ResolvedURL string            `json:"resolvedBaseUrl,omitempty"`
}

// params are those of tools/call: the arguments, and the context in both of its forms.
func (t *remote) params(
	ctx context.Context, env tool.Env, who tool.Invoked, args json.RawMessage,
) (*mcp.CallToolParams, error) {
	e := envelope{
		SessionID: who.SessionID(), InvocationID: who.InvocationID(), Device: deviceOf(env.Device()),
		Memory: map[string]any{}, Capabilities: map[string]bool{"sampling": t.server.ready(ctx)},
	}
	if m := env.Memory(); m != nil {
		e.Memory = m.Public()
	}
	if t.server.o.BaseURL != nil {
		e.BaseURL = t.server.o.BaseURL()
	}
	e.Target = t.server.targetOf(env)
	fields := map[string]json.RawMessage{}
	if len(args) > 0 {
		if err := json.Unmarshal(args, &fields); err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "call "+t.spec.Name)
		}
	}
	if t.legacy {
		old := legacy{Memory: e.Memory}
		if e.Device != nil {
			d := *e.Device
			d.ID, d.Width, d.Height = "", 0, 0
			old.Device = &d
		}
		raw, err := json.Marshal(old)
		if err != nil {
			return nil, fault.Wrap(err, fault.Internal, "call "+t.spec.Name)
		}
		fields[legacyKey] = raw
	}
	p := &mcp.CallToolParams{Name: t.own, Arguments: fields}
	p.Meta = mcp.Meta{"trailblazeInvocationId": e.InvocationID, "trailblaze": e}
	p.SetProgressToken(e.InvocationID)
	return p, nil
}

func deviceOf(d driver.Device) *device {
	if d == nil {
		return nil
	}
	i := d.Info()
	return &device{
		ID: i.ID, Platform: strings.ToLower(string(i.Platform)), Width: i.Width, Height: i.Height, WidthPixels: i.Width,
		HeightPixels: i.Height, DriverType: strings.ToLower(strings.ReplaceAll(i.Driver, "_", "-")),
	}
}

// targetOf is the app under test of a call's session, nil when none is chosen.
func (s *declaration) targetOf(env tool.Env) *target {
	if s.o.Target == nil || env.Memory() == nil {
		return nil
	}
	t := s.o.Target(env.Memory())
	if t == nil {
		return nil
	}
	out := &target{ID: t.ID, DisplayName: t.Name, BaseURLs: map[string]string{}}
	for platform, p := range t.Platforms {
		if p.BaseURL != "" {
			out.BaseURLs[string(platform)] = p.BaseURL
		}
	}
	if dev := env.Device(); dev != nil {
		p := t.Platforms[dev.Info().Platform]
		out.AppIDs, out.ResolvedURL = p.AppIDs, p.BaseURL
		if len(p.AppIDs) > 0 {
			out.AppID = p.AppIDs[0]
		}
	}
	return out
}
