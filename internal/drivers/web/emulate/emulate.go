// Package emulate makes pages see another device: viewport, touch screen, user agent, locale, time zone, place and
// permissions.
package emulate

import (
	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/security"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"

	"context"
	"math"
	"strconv"
	"strings"
)

// Settings describe the device that a context emulates from its beginning to its end.
type Settings struct {
	Width, Height int    // of the viewport in CSS px; 0 is the default
	Preset        string // a device; overrides the size
	UserAgent     string // overrides the preset's
	Locale        string
	Timezone      string
	ColorScheme   string
	Headers       map[string]string
	Geolocation   *Position
	Insecure      bool // certificate errors are ignored
}

// State is the emulation that pages see now. Its owner guards it.
type State struct {
	Device   Preset
	settings Settings
}

// New begins with the preset of the settings, or with their size.
func New(s Settings) (State, error) {
	e := State{settings: s}
	err := e.Switch(s.Preset)
	return e, err
}

// Switch emulates a preset; "" is the size of the settings.
func (e *State) Switch(preset string) error {
	p := Preset{Width: 1280, Height: 800, Scale: 1}
	if s := e.settings; s.Width > 0 && s.Height > 0 {
		p.Width, p.Height = s.Width, s.Height
	}
	if preset != "" {
		var err error
		if p, err = Find(preset); err != nil {
			return err
		}
	}
	e.Device = p
	return nil
}

// Pixels is the size of a screenshot.
func (e *State) Pixels() (w, h int) {
	return int(float64(e.Device.Width) * e.Device.Scale), int(float64(e.Device.Height) * e.Device.Scale)
}

// Apply sends the overrides to a session: to a tab's own, or to that of a frame in another process,
// which has a user agent and a locale of its own.
func (e *State) Apply(s *cdp.Session, tab bool) {
	o := &e.settings
	if tab {
		cdp.Send(s, emulation.SetDeviceMetricsOverride, e.Metrics())
		if g := o.Geolocation; g != nil {
			cdp.Send(s, emulation.SetGeolocationOverride, emulation.SetGeolocationOverrideParams{
				Latitude: new(g.Latitude), Longitude: new(g.Longitude), Accuracy: new(g.Accuracy),
			})
		}
		if e.Device.Touch {
			cdp.Send(s, emulation.SetTouchEmulationEnabled, e.Touch())
		}
	}
	if e.Agent() != "" || o.Locale != "" {
		cdp.Send(s, emulation.SetUserAgentOverride, e.UserAgent())
	}
	if o.Locale != "" {
		cdp.Send(s, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: o.Locale})
	}
	if o.Timezone != "" {
		cdp.Send(s, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: o.Timezone})
	}
	if o.ColorScheme != "" {
		cdp.Send(s, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: o.ColorScheme}},
		})
	}
	if len(o.Headers) > 0 {
		cdp.Send(s, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: headers(o.Headers)})
	}
	if o.Insecure {
		cdp.Send(s, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
	}
}

// UserAgent is the override of the user agent and the accepted languages.
func (e *State) UserAgent() emulation.SetUserAgentOverrideParams {
	return emulation.SetUserAgentOverrideParams{UserAgent: e.Agent(), AcceptLanguage: e.settings.Locale}
}

func headers(m map[string]string) network.Headers {
	h := network.Headers{}
	for k, v := range m {
		h[k] = v
	}
	return h
}

// Agent is the user agent that pages see; "" is the browser's own.
func (e *State) Agent() string {
	if e.settings.UserAgent != "" {
		return e.settings.UserAgent
	}
	return e.Device.UserAgent
}

// Metrics is the viewport and screen that pages see.
func (e *State) Metrics() emulation.SetDeviceMetricsOverrideParams {
	p := e.Device
	o := emulation.SetDeviceMetricsOverrideParams{
		Width: int64(p.Width), Height: int64(p.Height), DeviceScaleFactor: p.Scale, Mobile: p.Mobile,
		ScreenWidth: int64(p.Width), ScreenHeight: int64(p.Height),
	}
	kind, angle := emulation.ScreenOrientationTypeLandscapePrimary, int64(0)
	if p.Height >= p.Width {
		kind = emulation.ScreenOrientationTypePortraitPrimary
	} else if p.Mobile {
		angle = 90
	}
	o.ScreenOrientation = &emulation.ScreenOrientation{Type: kind, Angle: angle}
	return o
}

// Touch is the touch screen that pages see.
func (e *State) Touch() emulation.SetTouchEmulationEnabledParams {
	if !e.Device.Touch {
		return emulation.SetTouchEmulationEnabledParams{}
	}
	return emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 5}
}

// SetPermissions grants a context the named permissions and denies the rest: a prompt would hang a
// page forever.
func SetPermissions(ctx context.Context, root *cdp.Session, id proto.BrowserContextID, names []string) error {
	granted := map[string]bool{}
	for _, p := range names {
		granted[strings.ToLower(p)] = true
	}
	for _, name := range permissions {
		setting := browser.PermissionSettingDenied
		if granted[name] {
			setting = browser.PermissionSettingGranted
		}
		delete(granted, name)
		params := browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: setting, BrowserContextID: id,
		}
		if setting == browser.PermissionSettingDenied {
			cdp.Send(root, browser.SetPermission, params)
		} else if err := cdp.Do(ctx, root, browser.SetPermission, params); err != nil {
			return fault.Wrap(err, fault.Invalid, "grant permission "+name)
		}
	}
	for name := range granted {
		return fault.New(fault.Invalid, "grant permission", "no permission is called %q", name).
			WithHint("Known are: %s.", strings.Join(permissions, ", "))
	}
	return nil
}

// permissions are those a page can prompt for, in the words of the Permissions API.
var permissions = []string{
	"geolocation", "notifications", "camera", "microphone", "midi", "clipboard-read", "clipboard-write",
	"idle-detection", "window-management", "local-fonts", "storage-access", "display-capture",
}

// Position is a place on earth.
type Position struct{ Latitude, Longitude, Accuracy float64 }

// ParsePosition reads "52.52,13.40" or "52.52,13.40,10", the last being the accuracy in meters; ""
// is nil.
func ParsePosition(text string) (*Position, error) {
	if text == "" {
		return nil, nil
	}
	p := Position{Accuracy: 1}
	parts := strings.Split(text, ",")
	into := []*float64{&p.Latitude, &p.Longitude, &p.Accuracy}
	ok := len(parts) == 2 || len(parts) == 3
	for i := 0; ok && i < len(parts); i++ {
		n, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		*into[i], ok = n, err == nil
	}
	if !ok || math.Abs(p.Latitude) > 90 || math.Abs(p.Longitude) > 180 || p.Accuracy < 0 {
		return nil, fault.New(fault.Invalid, "read geolocation", "%q is not a place", text).
			WithHint("Write latitude and longitude in degrees, such as 52.52,13.40.")
	}
	return &p, nil
}
