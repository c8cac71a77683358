package hubtest

import (
	"context"
	"fmt"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// Perform implements driver.Device.
func (d *Device) Perform(ctx context.Context, a driver.Action) (*driver.Effect, error) {
	what := fmt.Sprintf("%T", a)
	if err := d.begin(ctx, what); err != nil {
		return nil, err
	}
	e := &driver.Effect{Changes: driver.Changes{Tree: 1, Received: true},
		Settle: driver.Settle{Reason: "quiet", Waited: time.Millisecond}}
	if t, ok := a.(driver.TypeText); ok {
		d.mu.Lock()
		d.value = t.Text
		d.mu.Unlock()
		e.Changes.Value = true
		if !t.Secret {
			e.Value = t.Text
		}
	}
	d.note(what)
	d.mu.Lock()
	defer d.mu.Unlock()
	e.URL = d.url
	return e, nil
}

func (d *Device) begin(ctx context.Context, what string) error {
	select {
	case d.entered <- what:
	default:
	}
	if err := d.answer(ctx); err != nil {
		return err
	}
	d.mu.Lock()
	held := d.held
	d.mu.Unlock()
	if held == nil {
		return nil
	}
	select {
	case <-held:
		return d.answer(ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Navigate implements driver.Navigator.
func (d *Device) Navigate(ctx context.Context, n driver.Navigation) (*driver.Effect, error) {
	if err := d.begin(ctx, "navigate"); err != nil {
		return nil, err
	}
	d.mu.Lock()
	if n.URL != "" {
		d.url = n.URL
	}
	url := d.url
	d.mu.Unlock()
	d.note("navigate " + url)
	return &driver.Effect{Changes: driver.Changes{URL: true, Navigation: true, Tree: 1},
		Settle: driver.Settle{Reason: "navigated"}, URL: url, Status: 200}, nil
}
