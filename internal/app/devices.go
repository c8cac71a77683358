package app

import (
	"context"
	"errors"
	"log/slog"
	"path"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/policy"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Platform is a family of devices, with its names in trails.
type Platform struct {
	Name        driver.Platform
	Classifiers []string // keys of recordings that are for it
	Made        bool     // its devices are made when they are opened, and so never all taken
	drives      func(driver string) bool
}

// platforms are those that can be driven.
var platforms = []Platform{
	{
		Name: driver.WebPlatform, Made: true, Classifiers: []string{string(driver.WebPlatform)},
		drives: func(name string) bool {
			return strings.HasPrefix(name, "PLAYWRIGHT") || strings.EqualFold(name, string(driver.WebPlatform))
		},
	},
	{
		Name: driver.AndroidPlatform, Classifiers: []string{string(driver.AndroidPlatform), "phone"},
		drives: func(name string) bool {
			return strings.HasPrefix(name, "ANDROID") || strings.EqualFold(name, string(driver.AndroidPlatform))
		},
	},
}

// PlatformOf returns the platform of a device id, such as web/checkout or android/emulator-5554.
func PlatformOf(id string) (Platform, error) {
	name, _, _ := strings.Cut(id, "/")
	for _, p := range platforms {
		if string(p.Name) == name {
			return p, nil
		}
	}
	return Platform{}, fault.New(fault.Unsupported, "choose device", "%q cannot be driven yet", id).
		WithHint("Use web or web/<name>, android or android/<serial>.")
}

// AllDevices names all devices that can be driven: one of each platform whose devices are made, and those that are
// connected of the others.
func AllDevices() string {
	var names []string
	for _, p := range platforms {
		name := string(p.Name)
		if !p.Made {
			name += "/*"
		}
		names = append(names, name)
	}
	return strings.Join(names, ",")
}

// Named returns the ids that a list of devices names, such as android/*,web: a pattern stands for the connected devices
// that it matches.
func (d *Devices) Named(ctx context.Context, list string) ([]string, error) {
	const op = "choose devices"
	var ids []string
	var found []driver.Info
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !strings.ContainsAny(name, "*?[") {
			if !slices.Contains(ids, name) {
				ids = append(ids, name)
			}
			continue
		}
		if _, err := path.Match(name, ""); err != nil {
			return nil, fault.New(fault.Invalid, op, "%q is not a pattern", name)
		}
		if found == nil {
			var err error
			if found, err = d.Available(ctx); err != nil {
				return nil, err
			}
		}
		for _, i := range found {
			if ok, _ := path.Match(name, i.ID); ok && !slices.Contains(ids, i.ID) {
				ids = append(ids, i.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil, fault.New(fault.NotFound, op, "no connected device matches %s", list).
			WithHint("`trailblaze device list --all` shows what is connected.")
	}
	return ids, nil
}

// Drives reports whether a driver that a trail names is the platform's. A trail that names none runs on each.
func (p Platform) Drives(name string) bool { return name == "" || p.drives(name) }

// DeviceOptions shape Devices.
type DeviceOptions struct {
	Config     *config.Config                                 // browser, window and viewport
	Policy     func(workspace string) (*policy.Policy, error) // what devices may reach; nil: no limit
	Profiles   string                                         // folder of kept login states; "" keeps none
	AllowFiles bool                                           // pages may be files outside of the workspace
	Keep       bool                                           // a browser without devices stays for the next one
	Env        func(string) string                            // where adb is; nil: no variables
	Log        *slog.Logger                                   // nil discards
}

// opener opens the devices of one platform.
type opener interface {
	Check(s devices.Spec) error
	Open(ctx context.Context, s devices.Spec) (driver.Device, error)
	facts(ctx context.Context, id string) trail.Facts
	Close() error
}

// Devices opens devices of every platform. It implements devices.Provider.
type Devices struct {
	openers map[driver.Platform]opener
	phones  *phones
}

// NewDevices makes a provider. Nothing is started until a device is opened.
func NewDevices(o DeviceOptions) *Devices {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	p := newPhones(o.Env)
	return &Devices{phones: p, openers: map[driver.Platform]opener{
		driver.WebPlatform: newBrowsers(o), driver.AndroidPlatform: p,
	}}
}

// Check returns the mistake in a spec. It opens nothing.
func (d *Devices) Check(s devices.Spec) error {
	o, err := d.opener(s.ID)
	if err != nil {
		return err
	}
	return o.Check(s)
}

// Open implements devices.Provider.
func (d *Devices) Open(ctx context.Context, s devices.Spec) (driver.Device, error) {
	o, err := d.opener(s.ID)
	if err != nil {
		return nil, err
	}
	return o.Open(ctx, s)
}

func (d *Devices) opener(id string) (opener, error) {
	name, _, _ := strings.Cut(id, "/")
	if o := d.openers[driver.Platform(name)]; o != nil {
		return o, nil
	}
	return nil, fault.New(fault.NotFound, "open device", "there is no device %q", id).
		WithHint("Browsers are named web or web/<name>, phones android or android/<serial>; " +
			"`trailblaze device list --all` shows what is connected.")
}

// Available implements devices.Provider. Browsers are made, not found.
func (d *Devices) Available(ctx context.Context) ([]driver.Info, error) {
	return d.phones.available(ctx)
}

// Facts returns what is known of a device without opening it, for the requirements of trails.
func (d *Devices) Facts(ctx context.Context, id string) trail.Facts {
	o, err := d.opener(id)
	if err != nil {
		return trail.Facts{}
	}
	return o.facts(ctx, id)
}

// Close ends what the devices ran in.
func (d *Devices) Close() error {
	var errs []error
	for _, o := range d.openers {
		errs = append(errs, o.Close())
	}
	return errors.Join(errs...)
}
