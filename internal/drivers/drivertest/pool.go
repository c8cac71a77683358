package drivertest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// openTime bounds the opening of a context on a loaded machine.
const openTime = time.Minute

// clearTime bounds the clearing of a context; one that takes longer is not lent again.
const clearTime = 3 * time.Second

// Lendable lists the capabilities that clearing a context needs.
type Lendable interface { //nolint:interfacebloat // each capability is one thing to clear
	driver.Device
	driver.Navigator
	driver.Evaluator
	driver.Tabs
	driver.Dialogs
	driver.Downloader
	driver.Network
	driver.Routed
	driver.AppManager
}

// Pool lends browser contexts to tests one after the other, since clearing one costs a quarter of opening it. A
// context goes to the next test only if its last one passed and left nothing that clearing cannot undo: another tab, a
// dialog, a download, a route or another size of the window.
type Pool[D Lendable] struct {
	Open    func(context.Context) (D, error)
	Origins []string                       // of the pages that tests load: what they store is cleared
	Also    func(context.Context, D) error // what else makes a context as good as new; nil is nothing

	mu   sync.Mutex
	free []D
}

// Acquire returns a context with one empty tab. It is the test's until the test ends.
func (p *Pool[D]) Acquire(t testing.TB) D {
	t.Helper()
	dev, ok := p.take()
	if !ok {
		ctx, cancel := context.WithTimeout(t.Context(), openTime)
		defer cancel()
		var err error
		if dev, err = p.Open(ctx); err != nil {
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

func (p *Pool[D]) take() (dev D, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return dev, false
	}
	dev = p.free[n-1]
	p.free = p.free[:n-1]
	return dev, true
}

// clear makes dev as good as new, or reports that it cannot.
func (p *Pool[D]) clear(dev D) bool {
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
	if _, err := dev.Navigate(ctx, driver.Navigation{URL: "about:blank"}); err != nil {
		return false
	}
	return p.Also == nil || p.Also(ctx, dev) == nil
}

// Close closes the contexts that are not lent.
func (p *Pool[D]) Close() error {
	for dev, ok := p.take(); ok; dev, ok = p.take() {
		if err := dev.Close(); err != nil {
			return err
		}
	}
	return nil
}
