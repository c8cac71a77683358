package web

import (
	"context"
	"slices"

	"github.com/chromedp/cdproto/domstorage"
	"github.com/chromedp/cdproto/storage"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

var _ driver.AppManager = (*Device)(nil)

// LaunchApp implements driver.AppManager: an app is a URL, and its data is its origin's.
func (d *Device) LaunchApp(ctx context.Context, id, mode string) (*driver.Effect, error) {
	if mode == "REINSTALL" {
		if err := d.ClearAppData(ctx, id); err != nil {
			return nil, err
		}
	}
	return d.Navigate(ctx, driver.Navigation{URL: id})
}

// StopApp implements driver.AppManager: the active tab leaves the app's page.
func (d *Device) StopApp(ctx context.Context, id string) error {
	here, err := d.URL(ctx)
	if here == "" && err != nil {
		return err
	}
	if id != "" && driver.Origin(here) != driver.Origin(id) {
		return fault.New(fault.NotFound, "stop app", "%s is not open, %s is", id, here)
	}
	_, err = d.Navigate(ctx, driver.Navigation{URL: "about:blank"})
	return err
}

// InstalledApps implements driver.AppManager: the origins that are open.
func (d *browserContext) InstalledApps(context.Context) ([]string, error) {
	out := []string{}
	for origin := range d.origins() {
		out = append(out, origin)
	}
	return out, nil
}

// ClearAppData implements driver.AppManager: everything the origin has stored goes, the session
// storage of tabs that show it included. Cookies are a host's, whatever its port.
func (d *browserContext) ClearAppData(ctx context.Context, id string) error {
	const op = "clear app data"
	origin := driver.Origin(id)
	if origin == "" {
		return fault.New(fault.Invalid, op, "%q has no origin whose data could be cleared", id)
	}
	t, err := d.frames.Current()
	if err != nil {
		return err
	}
	err = cdp.Do(ctx, t.Session, storage.ClearDataForOrigin,
		storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "all"})
	if err != nil {
		return fault.Wrap(err, "", op)
	}
	for _, s := range d.showing(origin) {
		id := &domstorage.StorageID{SecurityOrigin: origin}
		err := cdp.Do(ctx, s, domstorage.Clear, domstorage.ClearParams{StorageID: id})
		if err != nil && (ctx.Err() != nil || slices.Contains(d.showing(origin), s)) { // else the tab has left it meanwhile
			return fault.Wrap(err, "", op)
		}
	}
	return nil
}

// showing are the sessions of the tabs with a frame of that origin, one each.
func (d *browserContext) showing(origin string) []*cdp.Session {
	d.frames.Lock()
	defer d.frames.Unlock()
	var out []*cdp.Session
	for _, t := range d.frames.Tabs {
		for _, f := range t.Frames {
			if driver.Origin(f.URL) == origin && f.Host != nil {
				out = append(out, f.Host.Session)
				break
			}
		}
	}
	return out
}
