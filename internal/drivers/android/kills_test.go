package android_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
)

var kills = flag.Int("kills", 30, "how often TestKills ends something; make kills: 200")

// Whatever ends between the driver and the phone, the next call works, no tap is sent twice, and refs stay. The kill
// comes between two calls or at the moment of the touch.
func TestKills(t *testing.T) {
	srv, p := adbtest.Start(t), androidtest.New("p1")
	srv.Set(p.Adb())
	d, err := android.Open(t.Context(), android.Options{Server: adb.NewServer(srv.Env())})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	var onTap func()
	p.Show(androidtest.Button("Count", func() {
		if onTap != nil {
			onTap()
		}
	}))
	count := named(t, look(t, d), "Count")
	ends := []func(){func() { go srv.Cut() }, p.Kill, p.Disconnect}
	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test plays the same game each time
	for i := range *kills {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		kill, before := ends[dice.IntN(len(ends))], p.Taps()
		if i%2 == 0 {
			p.Do(kill)
			if s, err := d.Snapshot(ctx, driver.SnapshotOptions{}); err != nil || named(t, s, "Count").Ref != count.Ref {
				t.Fatalf("kill %d: the snapshot after it: %v", i, err)
			}
			cancel()
			continue
		}
		p.Do(func() { onTap = kill })
		_, err := d.Perform(ctx, driver.Tap{Target: driver.Target{Node: count.ID, Wait: 10 * time.Second}, Force: true})
		if got := p.Taps() - before; got > 1 || err == nil && got != 1 {
			t.Fatalf("kill %d: %d taps, %v", i, got, err)
		}
		p.Do(func() { onTap = nil })
		cancel()
		if d.Gone() {
			t.Fatalf("kill %d: the device is gone", i)
		}
	}
}
