package android_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// realPhone opens the phone that TRAILBLAZE_PHONE names, on which ApiDemos is installed.
func realPhone(t *testing.T) *android.Device {
	serial := os.Getenv("TRAILBLAZE_PHONE")
	if serial == "" {
		t.Skip("no phone: TRAILBLAZE_PHONE names none")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	d, err := android.Open(ctx, android.Options{Server: adb.NewServer(os.Getenv), Serial: serial})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestLook(t *testing.T) {
	d := realPhone(t)
	began := time.Now()
	s, err := d.Snapshot(t.Context(), driver.SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v in %v\n%s", d.Info(), time.Since(began), text.Of(s, text.Options{}))
}
