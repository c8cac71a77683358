package devices

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

const (
	cleanTime  = 30 * time.Second // bounds cleaning a phone
	retryAfter = 30 * time.Second // between two attempts to use a device that is quarantined
)

// quarantine says why a device is quarantined: it could not be opened, or not be cleaned after a client. It lasts until the
// device was opened and cleaned.
type quarantine struct {
	why          string
	since, tried time.Time
}

// launcher is a device that outlives its clients and knows which apps they launched.
type launcher interface{ LaunchedApps() []string }

// made reports whether a device is made when it is opened, and so never quarantined.
func made(id string) bool {
	platform, _, _ := strings.Cut(id, "/")
	return platform == string(driver.WebPlatform)
}

// judge notes whether a device could be used.
func (d *managed) judge(err error) {
	if made(d.id) {
		return
	}
	switch fault.KindOf(err) {
	case fault.Canceled, fault.Invalid, fault.Unsupported: // says nothing of the device
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.pool.o.Now()
	switch {
	case err == nil:
		d.quarantine = nil
	case d.quarantine == nil:
		d.quarantine = &quarantine{fault.FailureOf(err).Message, now, now}
	default:
		d.quarantine.why, d.quarantine.tried = fault.FailureOf(err).Message, now
	}
}

// healthy leaves out the devices that are quarantined, but for those that are to be tried again, which come last.
func (p *Pool) healthy(ids []string, pattern string) ([]string, error) {
	var good, again, bad []string
	for _, id := range ids {
		d := p.find(id)
		d.mu.Lock()
		a := d.quarantine
		d.mu.Unlock()
		switch {
		case a == nil:
			good = append(good, id)
		case p.o.Now().Sub(a.tried) >= retryAfter:
			again = append(again, id)
		default:
			bad = append(bad, id+": "+a.why)
		}
	}
	good = append(good, again...)
	if len(good) == 0 && len(bad) > 0 {
		return nil, fault.New(fault.Unavailable, "", "all devices for %s are quarantined: %s", pattern, strings.Join(bad, "; ")).
			WithHint("Mend one of them and reserve it by its name.")
	}
	return good, nil
}

// clean removes what a client leaves on a device that outlives it: the data and the permissions of the apps that it
// launched. A device that cannot be cleaned is quarantined, and cleaned when it is opened again.
func (d *managed) clean() {
	dev := d.device()
	if dev == nil {
		return // what is left of one that died is cleaned when it is opened again
	}
	d.noteApps(dev)
	if err := d.cleanApps(d.pool.life, dev); err != nil {
		d.pool.o.Log.Warn("device could not be cleaned", "device", d.id, "error", err)
		d.judge(err)
	}
}

// noteApps notes which apps were launched through an open device.
func (d *managed) noteApps(dev driver.Device) {
	l, ok := driver.As[launcher](dev)
	if !ok {
		return
	}
	launched := l.LaunchedApps()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.apps = slices.Compact(slices.Sorted(slices.Values(append(d.apps, launched...))))
}

// cleanApps removes the data of the apps that were noted; a phone takes their permissions back with it.
func (d *managed) cleanApps(ctx context.Context, dev driver.Device) error {
	d.mu.Lock()
	apps := d.apps
	d.mu.Unlock()
	m, ok := driver.As[driver.AppManager](dev)
	if !ok || len(apps) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, cleanTime)
	defer cancel()
	installed, err := m.InstalledApps(ctx)
	for _, app := range apps {
		if err == nil && slices.Contains(installed, app) { // one that was removed has left nothing
			err = m.ClearAppData(ctx, app)
		}
	}
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "clean "+d.id)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.apps = nil
	return nil
}

// marked reports whether the device must not be forgotten: it is quarantined, or not cleaned yet.
func (d *managed) marked() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.quarantine != nil || len(d.apps) > 0
}
