package webtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
)

// clearTime bounds the clearing of a context; one that takes longer is not lent again.
const clearTime = 3 * time.Second

// Pool lends browser contexts to tests one after the other. A context goes to the next test only if
// its last one passed and left nothing that clearing cannot undo: another tab, a dialog, a
// download, a route or another size of the window.
type Pool struct {
	Options web.DeviceOptions
	Origins []string // of the pages that the tests load; what these store is cleared

	mu   sync.Mutex
	free []*web.Device
}

// Lend returns a context with one empty tab. It is the test's until the test ends.
func (p *Pool) Lend(t testing.TB) *web.Device {
	t.Helper()
	dev := p.take()
	if dev == nil {
		ctx, cancel := context.WithTimeout(t.Context(), startTime)
		defer cancel()
		var err error
		if dev, err = Browser(t).NewDevice(ctx, p.Options); err != nil {
			t.Fatal(err)
		}
	}
	size := dev.Info()
	t.Cleanup(func() {
		now := dev.Info()
		if !t.Failed() && now.Width == size.Width && now.Height == size.Height && p.clear(dev) {
			p.mu.Lock()
			p.free = append(p.free, dev)
			p.mu.Unlock()
			return
		}
		if err := dev.Close(); err != nil {
			t.Errorf("close device: %v", err)
		}
	})
	return dev
}

func (p *Pool) take() *web.Device {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return nil
	}
	dev := p.free[n-1]
	p.free = p.free[:n-1]
	return dev
}

// clear makes dev as good as new, or reports that it cannot.
func (p *Pool) clear(dev *web.Device) bool {
	ctx, cancel := context.WithTimeout(context.Background(), clearTime)
	defer cancel()
	if _, err := dev.Evaluate(ctx, "0", 0); err != nil { // a page that is stuck would keep its process busy
		return false
	}
	if tabs, err := dev.Tabs(ctx); err != nil || len(tabs) != 1 {
		return false
	}
	if log, err := dev.DialogLog(ctx); err != nil || len(log) > 0 {
		return false
	}
	if files, err := dev.Downloads(ctx); err != nil || len(files) > 0 {
		return false
	}
	if routes, err := dev.Routes(ctx); err != nil || len(routes) > 0 {
		return false
	}
	if dev.SetDialogPolicy(ctx, driver.DialogPolicy{}) != nil {
		return false
	}
	for _, origin := range p.Origins {
		if dev.ClearAppData(ctx, origin) != nil {
			return false
		}
	}
	_, err := dev.Navigate(ctx, driver.Navigation{URL: "about:blank"})
	return err == nil
}

// Close closes the contexts that are not lent.
func (p *Pool) Close() error {
	for dev := p.take(); dev != nil; dev = p.take() {
		if err := dev.Close(); err != nil {
			return err
		}
	}
	return nil
}
