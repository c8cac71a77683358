package web

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/security"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

var _ driver.Viewport = (*Device)(nil)

// emulationState is what pages are told about the device they run on.
type emulationState struct {
	device    Preset
	userAgent string // overrides the preset's
	options   *DeviceOptions
}

func (o *DeviceOptions) emulation() (emulationState, error) {
	e := emulationState{options: o, userAgent: o.UserAgent}
	e.device = Preset{Width: defaultWidth, Height: defaultHeight, Scale: 1}
	if o.Preset != "" {
		p, err := FindPreset(o.Preset)
		if err != nil {
			return e, err
		}
		e.device = p
	} else if o.Width > 0 && o.Height > 0 {
		e.device.Width, e.device.Height = o.Width, o.Height
	}
	return e, nil
}

// pixels is the size of a screenshot.
func (e *emulationState) pixels() (w, h int) {
	return int(float64(e.device.Width) * e.device.Scale), int(float64(e.device.Height) * e.device.Scale)
}

// apply sends the overrides to a host. Frames in other processes have the user agent and locale of their own.
func (e *emulationState) apply(h *host) {
	s := h.sess
	if h.parent == nil {
		cdp.Send(s, emulation.SetDeviceMetricsOverride, e.metrics())
		if g := e.options.Geolocation; g != nil {
			cdp.Send(s, emulation.SetGeolocationOverride, emulation.SetGeolocationOverrideParams{
				Latitude: new(g.Latitude), Longitude: new(g.Longitude), Accuracy: new(g.Accuracy),
			})
		}
		if e.device.Touch {
			cdp.Send(s, emulation.SetTouchEmulationEnabled, e.touch())
		}
	}
	if ua := e.agent(); ua != "" || e.options.Locale != "" {
		cdp.Send(s, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: ua, AcceptLanguage: e.options.Locale})
	}
	if e.options.Locale != "" {
		cdp.Send(s, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: e.options.Locale})
	}
	if e.options.Timezone != "" {
		cdp.Send(s, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: e.options.Timezone})
	}
	if e.options.ColorScheme != "" {
		cdp.Send(s, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: e.options.ColorScheme}},
		})
	}
	if len(e.options.Headers) > 0 {
		cdp.Send(s, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: headers(e.options.Headers)})
	}
	if e.options.Insecure {
		cdp.Send(s, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
	}
}

func headers(m map[string]string) network.Headers {
	h := network.Headers{}
	for k, v := range m {
		h[k] = v
	}
	return h
}

func (e *emulationState) agent() string {
	if e.userAgent != "" {
		return e.userAgent
	}
	return e.device.UserAgent
}

func (e *emulationState) metrics() emulation.SetDeviceMetricsOverrideParams {
	p := e.device
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

func (e *emulationState) touch() emulation.SetTouchEmulationEnabledParams {
	if !e.device.Touch {
		return emulation.SetTouchEmulationEnabledParams{}
	}
	return emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 5}
}

// Resize implements driver.Viewport. It keeps what else is emulated.
func (d *Device) Resize(ctx context.Context, width, height int) error {
	if width < 1 || height < 1 || width > 10000 || height > 10000 {
		return fault.New(fault.Invalid, "resize viewport", "%d x %d is not a size between 1 and 10000", width, height)
	}
	d.mu.Lock()
	d.emulation.device.Width, d.emulation.device.Height = width, height
	d.changed()
	d.mu.Unlock()
	return d.reemulate(ctx, "resize viewport")
}

// Emulate implements driver.Viewport. Pages learn a new user agent with their next load.
func (d *Device) Emulate(ctx context.Context, preset string) error {
	p := Preset{Width: defaultWidth, Height: defaultHeight, Scale: 1}
	if d.options.Width > 0 && d.options.Height > 0 {
		p.Width, p.Height = d.options.Width, d.options.Height
	}
	if preset != "" {
		var err error
		if p, err = FindPreset(preset); err != nil {
			return err
		}
	}
	d.mu.Lock()
	d.emulation.device = p
	d.changed()
	d.mu.Unlock()
	return d.reemulate(ctx, "emulate device")
}

func (d *Device) reemulate(ctx context.Context, op string) error {
	d.mu.Lock()
	metrics, touch, agent := d.emulation.metrics(), d.emulation.touch(), d.emulation.agent()
	tabs := append([]*tab(nil), d.tabs...)
	d.mu.Unlock()
	for _, t := range tabs {
		err := cdp.Do(ctx, t.sess, emulation.SetDeviceMetricsOverride, metrics)
		if err == nil {
			err = cdp.Do(ctx, t.sess, emulation.SetTouchEmulationEnabled, touch)
		}
		if err == nil {
			err = cdp.Do(ctx, t.sess, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
				UserAgent: agent, AcceptLanguage: d.options.Locale,
			})
		}
		if err != nil && !t.closed() {
			return fault.Wrap(err, fault.Unavailable, op)
		}
	}
	d.pulse.beat()
	return nil
}

// setPermissions grants what the options name and denies the rest: a prompt would hang a page forever.
func (d *Device) setPermissions(ctx context.Context) error {
	granted := map[string]bool{}
	for _, p := range d.options.Permissions {
		granted[strings.ToLower(p)] = true
	}
	for _, name := range permissions {
		setting := browser.PermissionSettingDenied
		if granted[name] {
			setting = browser.PermissionSettingGranted
		}
		delete(granted, name)
		params := browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: setting, BrowserContextID: d.context,
		}
		if setting == browser.PermissionSettingDenied {
			cdp.Send(d.browser.conn.Root(), browser.SetPermission, params)
		} else if err := cdp.Do(ctx, d.browser.conn.Root(), browser.SetPermission, params); err != nil {
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
