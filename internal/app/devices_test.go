package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/policy"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
)

// TestCheckDevice proves that a spec is refused before anything is started.
func TestCheckDevice(t *testing.T) {
	home := t.TempDir()
	cfg, err := config.Load(config.Sources{Dir: home, Env: func(name string) string {
		return map[string]string{homedir.Env: home}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the policy is broken")
	d := NewDevices(DeviceOptions{Config: cfg, Policy: func(workspace string) (*policy.Policy, error) {
		if workspace == "broken" {
			return nil, broken
		}
		return policy.Load(policy.Options{Workspace: workspace})
	}})
	tests := []struct {
		name string
		spec devices.Spec
		want fault.Kind // "" is no error
	}{
		{"a browser", devices.Spec{ID: "web"}, ""},
		{"another browser", devices.Spec{ID: "web/checkout", Viewport: "800x600"}, ""},
		{"a platform that nothing drives", devices.Spec{ID: "emulator-5554"}, fault.NotFound},
		{"a name that only begins like one", devices.Spec{ID: "website"}, fault.NotFound},
		{"a viewport that is none", devices.Spec{ID: "web", Viewport: "wide"}, fault.Invalid},
		{"a profile without a folder", devices.Spec{ID: "web", Profile: "admin"}, fault.Unsupported},
		{"a profile that leads elsewhere", devices.Spec{ID: "web", Profile: "../admin"}, fault.Invalid},
		{"a place that is none", devices.Spec{ID: "web", Geolocation: "here"}, fault.Invalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := d.Check(tt.spec)
			if tt.want == "" && err != nil || tt.want != "" && fault.KindOf(err) != tt.want {
				t.Errorf("Check = %v, want a fault of kind %q", err, tt.want)
			}
		})
	}
	if err := d.Check(devices.Spec{ID: "web", Workspace: "broken"}); !errors.Is(err, broken) {
		t.Errorf("with a broken policy: %v", err)
	}
}

// TestNamedDevices proves that a list of devices is read in its order, each once, with patterns for those connected.
func TestNamedDevices(t *testing.T) {
	srv := adbtest.Start(t)
	srv.Set(&adbtest.Phone{Serial: "p2"}, &adbtest.Phone{Serial: "p1"}, &adbtest.Phone{Serial: "tab"})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "adb"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	d := &Devices{phones: newPhones(srv.Env())}
	for list, want := range map[string]string{
		"web": "web", " web/a , web ": "web/a web", "web,web": "web", "android": "android",
		"android/p*,web": "android/p2 android/p1 web", "android/p1,android/*": "android/p1 android/p2 android/tab",
		AllDevices(): "web android/p2 android/p1 android/tab", "android/x*,web": "web",
		"android/x*": "not_found", "android/[": "invalid",
	} {
		got, err := d.Named(t.Context(), list)
		if s := strings.Join(got, " ") + string(fault.KindOf(err)); s != want {
			t.Errorf("Named(%q) = %s (%v), want %s", list, s, err, want)
		}
	}
}
