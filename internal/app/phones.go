package app

import (
	"context"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// phones opens Android devices: android is the only phone or the one that ANDROID_SERIAL names, android/<serial> that
// one.
type phones struct {
	server *adb.Server
	env    func(string) string
}

func newPhones(env func(string) string) *phones {
	return &phones{server: adb.NewServer(env), env: env}
}

// Check implements opener.
func (p *phones) Check(s devices.Spec) error {
	if s.Viewport != "" || s.Emulate != "" || s.Profile != "" || s.Geolocation != "" || len(s.Permissions) > 0 ||
		s.Headless != nil || s.StorageState != nil {
		return fault.New(fault.Unsupported, "open device", "%s is a phone, and that is an option of browsers", s.ID).
			WithHint("Connect a phone by its name alone.")
	}
	return nil
}

// Open implements opener.
func (p *phones) Open(ctx context.Context, s devices.Spec) (driver.Device, error) {
	if err := p.Check(s); err != nil {
		return nil, err
	}
	_, serial, _ := strings.Cut(s.ID, "/")
	dev, err := android.Open(ctx, android.Options{ID: s.ID, Server: p.server, Serial: serial})
	if err != nil {
		return nil, err
	}
	return dev, nil
}

// facts implements opener. A phone that does not answer has none.
func (p *phones) facts(ctx context.Context, id string) trail.Facts {
	_, serial, _ := strings.Cut(id, "/")
	h, err := android.Ask(ctx, p.server, serial)
	if err != nil {
		return trail.Facts{}
	}
	return trail.Facts{API: h.API, Width: h.Width, Height: h.Height}
}

// Close implements opener. The adb server is not ours alone.
func (p *phones) Close() error { return nil }

// available lists the phones that adb has. A machine without adb has none.
func (p *phones) available(ctx context.Context) ([]driver.Info, error) {
	if _, err := adb.Find(p.env); err != nil {
		return nil, nil //nolint:nilerr // most machines have none
	}
	list, err := p.server.Phones(ctx)
	if err != nil {
		return nil, err
	}
	var out []driver.Info
	for _, l := range list {
		i := driver.Info{
			ID: string(driver.AndroidPlatform) + "/" + l.Serial, Platform: driver.AndroidPlatform, Driver: android.Driver,
			Version: strings.ReplaceAll(l.Model, "_", " "),
		}
		if err := l.Unready(); err != nil {
			i.Version = strings.TrimSpace(i.Version+" "+l.State) + ": " + fault.HintOf(err)
		}
		out = append(out, i)
	}
	return out, nil
}
