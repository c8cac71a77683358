package manage

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

const (
	connectTimeout = 2 * time.Minute // a browser may have to start first
	reserveTimeout = 24 * time.Hour  // what is held is kept as long as the call lasts
)

func (d *manager) devices() []tool.Tool {
	return []tool.Tool{
		tool.Define(lasting(spec(Device, "Device", tool.Action, "session", "device").With(tool.Facts{
			Categories: []string{"SESSION", "DEVICE", "AGENT"}, Default: 1, Effects: &tool.Effects{Files: stateFile},
			Unlisted: []string{"permissions", "geolocation", "profile", "detail", "requires", "limitMs", "timeoutMs", "hold"},
		}), reserveTimeout), d.device),
		tool.Define(lasting(spec("connectToDevice", "Connect to device", tool.Action, "device").With(tool.Facts{
			Idempotent: true,
		}), connectTimeout), d.connectTo),
	}
}

// MostWait is the longest wait of RESERVE, in milliseconds.
const MostWait = 600_000

type deviceIn struct {
	Action       string   `json:"action" enum:"LIST,CONNECT,DISCONNECT,CREATE_WEB,INFO,WEB,ANDROID,IOS,RESERVE" jsonschema:"WEB, ANDROID and IOS connect to one of that platform"`
	DeviceID     string   `json:"deviceId,omitempty" jsonschema:"web, web/checkout, emulator-5554; default: this session's"`
	Headless     *bool    `json:"headless,omitempty" jsonschema:"run the browser without a window"`
	Viewport     string   `json:"viewport,omitempty" jsonschema:"size of the page, 1280x800"`
	Emulate      string   `json:"emulate,omitempty" jsonschema:"a device such as iPhone 14"`
	Profile      string   `json:"profile,omitempty" jsonschema:"name of a kept browser profile"`
	Permissions  []string `json:"permissions,omitempty" jsonschema:"clipboard-read"`
	Geolocation  string   `json:"geolocation,omitempty" jsonschema:"such as 52.52,13.40"`
	StorageState string   `json:"storageState,omitempty" jsonschema:"workspace file with a login state"`
	Requires     []string `json:"requires,omitempty" jsonschema:"RESERVE: what the device must have, such as api>=30, width>=720"`
	LimitMs      int      `json:"limitMs,omitempty" minimum:"0" maximum:"3600000" default:"600000" jsonschema:"RESERVE: given back after this time without a call on it"`
	TimeoutMs    int      `json:"timeoutMs,omitempty" minimum:"0" maximum:"600000" default:"30000" jsonschema:"RESERVE: how long to wait while others have all that fit"`
	Hold         bool     `json:"hold,omitempty" jsonschema:"RESERVE: keep it for another process as long as the call lasts; opens nothing"`
	Detail       string   `json:"detail,omitempty" enum:"SUMMARY,FULL" default:"SUMMARY" jsonschema:"how much to tell of each"`
}

// deviceLine is a device as a client sees it.
type deviceLine struct {
	ID         string `json:"id"`
	Platform   string `json:"platform,omitempty"`
	State      string `json:"state"`
	Yours      bool   `json:"yours,omitempty" jsonschema:"this session's calls go to it"`
	Holder     string `json:"holder,omitempty" jsonschema:"who used it last"`
	Running    string `json:"running,omitempty" jsonschema:"the tool that runs on it now"`
	Reserved   string `json:"reserved,omitempty" jsonschema:"who has it alone, and for how long"`
	Quarantine string `json:"quarantine,omitempty" jsonschema:"why it could not be used, and since when"`
	URL        string `json:"url,omitempty"`
	Session    string `json:"session,omitempty" jsonschema:"its live session"`
	Actions    int    `json:"actions,omitempty"`
	Size       string `json:"size,omitempty"`
	Version    string `json:"version,omitempty"`
	Workspace  string `json:"workspace,omitempty"`
}

type deviceOut struct {
	Devices []deviceLine `json:"devices"`
	Done    string       `json:"done,omitempty"`
}

// Text implements tool.Texter.
func (o deviceOut) Text() string {
	var b strings.Builder
	if o.Done != "" {
		b.WriteString(o.Done + "\n")
	}
	for _, l := range o.Devices {
		b.WriteString(l.text() + "\n")
	}
	if b.Len() == 0 {
		return `No device is connected. The first action opens a browser; device {"action":"WEB"} does so now.`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (l deviceLine) text() string {
	parts := []string{l.ID, l.State}
	for _, p := range []struct{ label, value string }{
		{"", l.URL}, {"", l.Size}, {"", l.Version}, {"runs ", l.Running}, {"used by ", l.Holder},
		{"reserved by ", l.Reserved}, {"", l.Quarantine}, {"session ", l.Session}, {"workspace ", l.Workspace},
	} {
		if p.value != "" {
			parts = append(parts, p.label+p.value)
		}
	}
	if l.Yours {
		parts = append(parts, "yours")
	}
	return strings.Join(parts, ", ")
}

func (d *manager) device(ctx context.Context, _ tool.Env, in deviceIn) (deviceOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return deviceOut{}, err
	}
	full := in.Detail == "FULL"
	switch action(in.Action) {
	case "LIST":
		return d.list(ctx, s, full), nil
	case "INFO":
		return d.info(ctx, s, in.DeviceID)
	case "DISCONNECT":
		id := cmp.Or(in.DeviceID, s.State().Device)
		if id == "" {
			return deviceOut{}, missing("disconnect device", "deviceId", string(driver.WebPlatform))
		}
		return d.disconnect(ctx, s, id, full)
	case "CONNECT":
		if in.DeviceID == "" {
			return deviceOut{}, missing("connect device", "deviceId", "web/checkout")
		}
		return d.connect(ctx, s, in, in.DeviceID)
	case "RESERVE":
		return d.reserve(ctx, s, in)
	case "CREATE_WEB":
		return d.createWeb(ctx, s, in)
	case "WEB":
		return d.connect(ctx, s, in, cmp.Or(in.DeviceID, string(driver.WebPlatform)))
	default:
		return d.connectPlatform(ctx, s, in)
	}
}

func (d *manager) connect(ctx context.Context, s *clients.Client, in deviceIn, id string) (deviceOut, error) {
	spec := devices.Spec{ID: id, Headless: in.Headless, Viewport: in.Viewport, Emulate: in.Emulate, Profile: in.Profile,
		Permissions: in.Permissions, Geolocation: in.Geolocation, Workspace: s.State().Workspace}
	if in.StorageState != "" {
		state, err := readIn(s.State().Workspace, in.StorageState)
		if err != nil {
			return deviceOut{}, err
		}
		if !json.Valid(state) {
			return deviceOut{}, fault.New(fault.Invalid, "read storage state", "%s is not JSON", in.StorageState)
		}
		spec.StorageState = state
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	got, err := d.hub.Connect(ctx, s, spec)
	if err != nil {
		return deviceOut{}, err
	}
	return deviceOut{
		Devices: []deviceLine{lineOf(got, s, in.Detail == "FULL")},
		Done:    "Connected to " + got.ID + ". This session's calls go there.",
	}, nil
}

// reserve has a device that fits kept for the client alone.
func (d *manager) reserve(ctx context.Context, s *clients.Client, in deviceIn) (deviceOut, error) {
	requires, err := trail.ParseRequires(in.Requires)
	if err != nil {
		return deviceOut{}, err
	}
	wish := devices.Wish{
		Device: cmp.Or(in.DeviceID, string(driver.WebPlatform)), Requires: requires,
		Limit: time.Duration(in.LimitMs) * time.Millisecond, Wait: time.Duration(in.TimeoutMs) * time.Millisecond,
		Held: in.Hold,
	}
	got, err := d.hub.Reserve(ctx, s, wish)
	if err != nil {
		return deviceOut{}, err
	}
	return deviceOut{
		Devices: []deviceLine{lineOf(got, s, in.Detail == "FULL")},
		Done: fmt.Sprintf("Reserved %s. This session's calls go there, and those of others are refused, until you "+
			"disconnect it or make no call on it for %s.", got.ID, calls.DurationText(got.Reserved.Limit)),
	}, nil
}

func (d *manager) disconnect(ctx context.Context, s *clients.Client, id string, full bool) (deviceOut, error) {
	session := ""
	for _, live := range d.hub.SessionsIn(ctx) {
		if live.Device == id {
			session = live.ID
		}
	}
	if err := d.hub.Disconnect(ctx, s, id); err != nil {
		return deviceOut{}, err
	}
	out := d.list(ctx, s, full)
	out.Done = "Closed " + id + "."
	if session == "" {
		return out, nil
	}
	out.Done += " Its session has ended and can still be saved."
	return out, ended(s, session)
}

// createWeb opens a browser of the client's own, beside those that are there.
func (d *manager) createWeb(ctx context.Context, s *clients.Client, in deviceIn) (deviceOut, error) {
	id := in.DeviceID
	taken := map[string]bool{}
	for _, st := range d.hub.Status().Devices {
		taken[st.ID] = st.State != devices.StateAvailable && st.State != devices.StateClosed
	}
	if id == "" {
		for n := 2; id == "" || taken[id]; n++ {
			id = string(driver.WebPlatform) + "/" + strconv.Itoa(n)
		}
	}
	if !strings.Contains(id, "/") && id != string(driver.WebPlatform) {
		id = string(driver.WebPlatform) + "/" + id
	}
	if taken[id] {
		return deviceOut{}, fault.New(fault.Conflict, "create device", "there is a browser called %s already", id).
			WithHint("Give another deviceId, leave it out, or use CONNECT.")
	}
	return d.connect(ctx, s, in, id)
}

// connectPlatform takes the first phone of a platform that can be connected.
func (d *manager) connectPlatform(ctx context.Context, s *clients.Client, in deviceIn) (deviceOut, error) {
	platform := strings.ToLower(in.Action)
	if in.DeviceID != "" {
		return d.connect(ctx, s, in, in.DeviceID)
	}
	all := d.hub.Devices(ctx)
	slices.SortStableFunc(all, func(a, b devices.Status) int { return rank(a.State) - rank(b.State) })
	for _, st := range all {
		if strings.EqualFold(st.Platform, platform) {
			return d.connect(ctx, s, in, st.ID)
		}
	}
	return deviceOut{}, fault.New(fault.Unavailable, "connect device", "no %s device is there", in.Action).
		WithHint("Start one, and look with %s.", fault.Action{Tool: "device", Action: "LIST"})
}

func rank(state string) int {
	if state == devices.StateOpen {
		return 0
	}
	return 1
}

func (d *manager) list(ctx context.Context, s *clients.Client, full bool) deviceOut {
	out := deviceOut{Devices: []deviceLine{}}
	for _, st := range d.hub.Devices(ctx) {
		if st.State != devices.StateClosed {
			out.Devices = append(out.Devices, lineOf(st, s, full))
		}
	}
	return out
}

func (d *manager) info(ctx context.Context, s *clients.Client, id string) (deviceOut, error) {
	id = cmp.Or(id, s.State().Device)
	all := d.hub.Devices(ctx)
	if id == "" {
		all = slices.DeleteFunc(all, func(st devices.Status) bool {
			return st.State == devices.StateAvailable || st.State == devices.StateClosed
		})
		if len(all) != 1 {
			return deviceOut{}, fault.New(fault.Invalid, "show device", "no device is named, and %d are open", len(all)).
				WithHint("Name one, such as web; %s shows all.", fault.Action{Tool: "device", Action: "LIST"})
		}
		id = all[0].ID
	}
	for _, st := range all {
		if st.ID == id {
			return deviceOut{Devices: []deviceLine{lineOf(st, s, true)}}, nil
		}
	}
	return deviceOut{}, fault.New(fault.NotFound, "show device", "there is no device %s", id).
		WithHint("%s shows all.", fault.Action{Tool: "device", Action: "LIST"})
}

func lineOf(st devices.Status, s *clients.Client, full bool) deviceLine {
	l := deviceLine{
		ID: st.ID, Platform: st.Platform, State: st.State, Yours: st.ID == s.State().Device,
		URL: st.URL, Session: st.Session, Actions: st.Actions,
	}
	if st.Holder != "" && !is(s, st.Holder) {
		l.Holder = cmp.Or(st.Client, "another client")
	}
	if st.Running != nil {
		l.Running = fmt.Sprintf("%s for %s", st.Running.Tool, spokenDuration(st.Running.Elapsed))
	}
	if r := st.Reserved; r != nil {
		name := r.Name
		if is(s, r.By) {
			name = "you"
		}
		l.Reserved = name + " for " + calls.DurationText(r.For)
	}
	if a := st.Quarantine; a != nil {
		l.Quarantine = fmt.Sprintf("for %s: %s", calls.DurationText(a.For), a.Why)
	}
	if full {
		l.Version, l.Workspace = st.Version, st.Workspace
		if st.Width > 0 {
			l.Size = fmt.Sprintf("%dx%d", st.Width, st.Height)
		}
	}
	return l
}

type connectIn struct {
	ID string `json:"trailblazeDeviceId" minLength:"1" jsonschema:"name of the device"`
}

func (d *manager) connectTo(ctx context.Context, env tool.Env, in connectIn) (deviceOut, error) {
	return d.device(ctx, env, deviceIn{Action: "CONNECT", DeviceID: in.ID})
}
