package manage

import (
	"context"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type statusIn struct {
	All bool `json:"all,omitempty" jsonschema:"of every client, not only this one"`
}

type callLine struct {
	ID     string `json:"id"`
	Tool   string `json:"tool"`
	Client string `json:"client,omitempty"`
	Device string `json:"device,omitempty"`
	For    string `json:"for"`
	Waits  bool   `json:"waits,omitempty" jsonschema:"for the device"`
}

type statusOut struct {
	Version  string       `json:"version,omitempty"`
	Uptime   string       `json:"uptime"`
	ClientID string       `json:"clientId" jsonschema:"names this session at the daemon"`
	Clients  int          `json:"clients"`
	Calls    []callLine   `json:"calls"`
	Devices  []deviceLine `json:"devices"`
	Jobs     []jobLine    `json:"jobs,omitempty"`
}

// Text implements tool.Texter.
func (o statusOut) Text() string {
	lines := []string{strings.TrimSpace(fmt.Sprintf("Daemon %s", o.Version)) +
		fmt.Sprintf(", up %s, %s. This session is %s.", o.Uptime, phrase.Count(o.Clients, "client"), o.ClientID)}
	for _, c := range o.Calls {
		text := c.Tool + " runs"
		if c.Waits {
			text = c.Tool + " waits"
		}
		if c.Device != "" {
			text += " on " + c.Device
		}
		lines = append(lines, text+" for "+c.For+" (call "+c.ID+")")
	}
	for _, l := range o.Devices {
		lines = append(lines, l.text())
	}
	for _, j := range o.Jobs {
		lines = append(lines, j.text())
	}
	return strings.Join(lines, "\n")
}

// status never waits for a call or a device.
func (d *manager) status(ctx context.Context, _ tool.Env, in statusIn) (statusOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return statusOut{}, err
	}
	st := d.hub.Status()
	in.All = in.All && !dispatch.IsNested(ctx)
	return statusOut{Version: d.Version, Uptime: spokenDuration(st.Uptime), ClientID: s.ID(), Clients: len(st.Clients),
		Calls: callLines(ctx, st, s, in.All), Devices: d.openDevices(ctx, st, s, in.All), Jobs: jobLines(st, s, in.All),
	}, nil
}

// callLines lists the calls of the client, or of all. A nested call does not get their ids, which are the right to act
// in them.
func callLines(ctx context.Context, st hub.Status, s *clients.Client, all bool) []callLine {
	out := []callLine{}
	for _, client := range st.Clients {
		if !all && !is(s, client.ID) {
			continue
		}
		for _, c := range client.Calls {
			if c.Tool == "status" {
				continue // the one that asks
			}
			if dispatch.IsNested(ctx) {
				c.ID = ""
			}
			out = append(out, callLine{ID: c.ID, Tool: c.Tool, Client: c.Name, Device: c.Device,
				For: spokenDuration(c.Elapsed), Waits: c.Waiting})
		}
	}
	return out
}

// openDevices are the devices in use that the call may see.
func (d *manager) openDevices(ctx context.Context, st hub.Status, s *clients.Client, all bool) []deviceLine {
	seen := map[string]bool{}
	if dispatch.IsNested(ctx) {
		for _, dev := range d.hub.Devices(ctx) {
			seen[dev.ID] = true
		}
	}
	out := []deviceLine{}
	for _, dev := range st.Devices {
		hidden := dispatch.IsNested(ctx) && !seen[dev.ID]
		if hidden || dev.State == devices.StateAvailable || dev.State == devices.StateClosed {
			continue
		}
		out = append(out, lineOf(dev, s, all))
	}
	return out
}

func jobLines(st hub.Status, s *clients.Client, all bool) (out []jobLine) {
	for _, j := range st.Jobs {
		if all || is(s, j.Client) {
			out = append(out, lineOfJob(j))
		}
	}
	return out
}

type cancelIn struct {
	CallID string `json:"callId,omitempty" jsonschema:"only this call; default: all that this session runs"`
	Device string `json:"device,omitempty" jsonschema:"only what runs on this device"`
}

// cancel ends the calls of this client, and no others.
func (d *manager) cancel(ctx context.Context, _ tool.Env, in cancelIn) (*tool.Result, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	own := calls.CancelRequest{Client: s.ID(), Device: in.Device, CallID: in.CallID, Why: "the client cancelled it"}
	n := 0
	for _, id := range d.running(s, own) {
		own.CallID = id
		n += d.hub.Cancel(own)
	}
	if n == 0 {
		return tool.TextResult("Nothing of this session runs."), nil
	}
	return tool.TextResult("Cancelled %s.", phrase.Count(n, "call")), nil
}

// running are the calls of the client that a request means, the one that asks apart.
func (d *manager) running(s *clients.Client, want calls.CancelRequest) []string {
	var ids []string
	for _, client := range d.hub.Status().Clients {
		for _, c := range client.Calls {
			if is(s, client.ID) && c.Tool != "cancel" && (want.CallID == "" || c.ID == want.CallID) &&
				(want.Device == "" || c.Device == want.Device) {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids
}
