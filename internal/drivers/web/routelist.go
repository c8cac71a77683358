package web

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
)

var _ driver.Routed = (*Device)(nil)

// Routes implements driver.Routed: what is left of the routes, in the order in which they are asked.
func (d *Device) Routes(context.Context) ([]driver.Route, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []driver.Route
	for _, r := range d.network.routes {
		left := r.Route
		if r.Times > 0 {
			left.Times = r.Times - r.used
			if left.Times <= 0 {
				continue
			}
		}
		out = append(out, left)
	}
	return out, nil
}
