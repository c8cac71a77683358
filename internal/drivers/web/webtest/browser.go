package webtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/drivertest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
)

// startTime bounds the start of a browser and the opening of a context on a loaded machine.
const startTime = time.Minute

var shared struct {
	once sync.Once
	b    *web.Browser
	err  error
}

// Browser returns the one browser of this test binary and starts it on first use. Nobody but
// Closing closes it.
func Browser(t testing.TB) *web.Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	shared.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), startTime) // the browser outlives the test
		defer cancel()
		shared.b, shared.err = web.Launch(ctx, web.Options{})
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.b
}

// Device opens a context of its own for the test, and closes it at the end.
func Device(t testing.TB, o web.DeviceOptions) *web.Device {
	t.Helper()
	b := Browser(t)
	ctx, cancel := context.WithTimeout(t.Context(), startTime)
	defer cancel()
	dev, err := b.NewDevice(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Errorf("close device: %v", err)
		}
	})
	return dev
}

// Pool lends contexts with these options. Origins are those of the pages that its tests load.
func Pool(t testing.TB, o web.DeviceOptions, origins ...string) *drivertest.Pool[*web.Device] {
	t.Helper()
	b := Browser(t)
	return &drivertest.Pool[*web.Device]{Origins: origins,
		Open: func(ctx context.Context) (*web.Device, error) { return b.NewDevice(ctx, o) }}
}

// Tests is the value that TestMain runs: a *testing.M.
type Tests interface{ Run() int }

// Closing runs the tests of m and closes the browser after them, so that a check for leaks can
// follow.
func Closing(m Tests) Tests { return closing{m} }

type closing struct{ m Tests }

func (c closing) Run() int {
	code := c.m.Run()
	if shared.b != nil {
		_ = shared.b.Close() // the check for leaks that follows finds what is left
	}
	return code
}
