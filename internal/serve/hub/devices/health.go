package devices

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

const (
	cleanTime  = 30 * time.Second // bounds cleaning a phone
	retryAfter = 30 * time.Second // between two attempts to use a device that is quarantined
)

// health is what a pool knows of a device that outlives its clients. A device that is made when it is opened has none.
type health struct {
	made bool
	now  func() time.Time

	mu         sync.Mutex
	quarantine *quarantine // nil: it could be used when it last was to be
	apps       []string    // that its clients have launched, and that are to be cleaned
}

// quarantine says why a device is quarantined: it could not be opened, or not be cleaned after a client. It lasts until
// the device was opened and cleaned.
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

// quarantined says why the device is quarantined, if it is.
func (h *health) quarantined() (q quarantine, yes bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.quarantine == nil {
		return quarantine{}, false
	}
	return *h.quarantine, true
}

// judge notes whether the device could be used.
func (h *health) judge(err error) {
	if h.made {
		return
	}
	switch fault.KindOf(err) {
	case fault.Canceled, fault.Invalid, fault.Unsupported, fault.NotFound, fault.Conflict: // says nothing of the device
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	switch {
	case err == nil:
		h.quarantine = nil
	case h.quarantine == nil:
		h.quarantine = &quarantine{fault.FailureOf(err).Message, now, now}
	default:
		h.quarantine.why, h.quarantine.tried = fault.FailureOf(err).Message, now
	}
}

// noteApps notes which apps were launched through an open device.
func (h *health) noteApps(dev driver.Device) {
	l, ok := driver.As[launcher](dev)
	if !ok {
		return
	}
	launched := l.LaunchedApps()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.apps = slices.Compact(slices.Sorted(slices.Values(append(h.apps, launched...))))
}

// cleanApps removes the data of the apps that were noted; a phone takes their permissions back with it.
func (h *health) cleanApps(ctx context.Context, dev driver.Device) error {
	h.mu.Lock()
	apps := h.apps
	h.mu.Unlock()
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
		return fault.Wrap(err, fault.Unavailable, "clean "+dev.Info().ID)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.apps = nil
	return nil
}

// marked reports whether the device must not be forgotten: it is quarantined, or not cleaned yet.
func (h *health) marked() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.quarantine != nil || len(h.apps) > 0
}

// clean removes what the client that has the device alone leaves on it: the data and the permissions of the apps that
// it launched. A device that cannot be cleaned is quarantined, and cleaned when it is opened again.
func (d *managed) clean() {
	d.mu.Lock()
	dev, reserved := d.dev, d.res != nil
	d.mu.Unlock()
	if dev == nil || !reserved {
		return // what is left of one that died is cleaned when it is opened again
	}
	d.health.noteApps(dev)
	if err := d.health.cleanApps(d.pool.life, dev); err != nil {
		d.pool.o.Log.Warn("device could not be cleaned", "device", d.id, "error", err)
		d.health.judge(err)
	}
}

// healthy leaves out the devices that are quarantined, but for those that are to be tried again, which come last.
func (wish Wish) healthy(p *Pool, ids []string) ([]string, error) {
	var good, again, bad []string
	for _, id := range ids {
		q, yes := p.find(id).health.quarantined()
		switch {
		case !yes:
			good = append(good, id)
		case p.o.Now().Sub(q.tried) >= retryAfter:
			again = append(again, id)
		default:
			bad = append(bad, id+": "+q.why)
		}
	}
	good = append(good, again...)
	if len(good) == 0 && len(bad) > 0 {
		return nil, fault.New(fault.Unavailable, "", "all devices for %s are quarantined: %s", wish.Device,
			strings.Join(bad, "; ")).WithHint("Mend one of them and reserve it by its name.")
	}
	return good, nil
}
