package web

import (
	"context"

	"github.com/chromedp/cdproto/emulation"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/emulate"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

var _ driver.Viewport = (*Device)(nil)

func (o *DeviceOptions) emulated() emulate.Settings {
	return emulate.Settings{
		Width: o.Width, Height: o.Height, Preset: o.Preset, UserAgent: o.UserAgent, Locale: o.Locale, Timezone: o.Timezone,
		ColorScheme: o.ColorScheme, Headers: o.Headers, Geolocation: o.Geolocation, Insecure: o.Insecure,
	}
}

// Resize implements driver.Viewport. It keeps what else is emulated.
func (d *Device) Resize(ctx context.Context, width, height int) error {
	if width < 1 || height < 1 || width > 10000 || height > 10000 {
		return fault.New(fault.Invalid, "resize viewport", "%d x %d is not a size between 1 and 10000", width, height)
	}
	d.frames.Lock()
	d.emulation.Device.Width, d.emulation.Device.Height = width, height
	d.frames.Changed()
	d.frames.Unlock()
	return d.reemulate(ctx, "resize viewport")
}

// Emulate implements driver.Viewport. Pages learn a new user agent with their next load.
func (d *Device) Emulate(ctx context.Context, preset string) error {
	d.frames.Lock()
	err := d.emulation.Switch(preset)
	if err == nil {
		d.frames.Changed()
	}
	d.frames.Unlock()
	if err != nil {
		return err
	}
	return d.reemulate(ctx, "emulate device")
}

func (d *Device) reemulate(ctx context.Context, op string) error {
	d.frames.Lock()
	metrics, touch, agent := d.emulation.Metrics(), d.emulation.Touch(), d.emulation.UserAgent()
	tabs := append([]*frames.Tab(nil), d.frames.Tabs...)
	d.frames.Unlock()
	for _, t := range tabs {
		err := cdp.Do(ctx, t.Session, emulation.SetDeviceMetricsOverride, metrics)
		if err == nil {
			err = cdp.Do(ctx, t.Session, emulation.SetTouchEmulationEnabled, touch)
		}
		if err == nil {
			err = cdp.Do(ctx, t.Session, emulation.SetUserAgentOverride, agent)
		}
		if err != nil && !t.Closed() {
			return fault.Wrap(err, fault.Unavailable, op)
		}
	}
	d.frames.Changes.Notify()
	return nil
}
