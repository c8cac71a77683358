package e2e

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands"
)

// phoneWithApps is a stand-in of a phone behind an adb server, and the environment of a user who has it.
func phoneWithApps(t *testing.T) *sitting {
	t.Helper()
	srv, p := adbtest.Start(t), androidtest.New("p1")
	p.Show(androidtest.Label("Home"))
	p.Do(func() {
		p.Commands = func(line string, out, _ io.Writer) int {
			if strings.HasPrefix(line, "pm list packages") {
				_, _ = io.WriteString(out, "package:com.shop\npackage:com.android.settings\n")
			}
			return 0
		}
	})
	srv.Set(p.Adb())
	s := newSitting(t)
	s.env = append(s.env, "ADB_SERVER_SOCKET="+srv.Env()("ADB_SERVER_SOCKET"), "TRAILBLAZE_BIN="+binary)
	return s
}

// R20, R32, R224, R225: client.mobile.listInstalledApps() from Go, through the daemon to a phone, which has a mobile
// backend and no web one.
func TestInstalledApps(t *testing.T) {
	s := phoneWithApps(t)
	for _, kv := range s.env {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "TRAILBLAZE_") || strings.HasPrefix(name, "ADB_") {
			t.Setenv(name, value)
		}
	}
	o := client.Options{Binary: binary, Workspace: s.work, Device: "android", Timeout: time.Minute}
	tb, err := client.Dial(t.Context(), &o)
	if err != nil {
		t.Fatal(err)
	}
	if tb.Platform != driver.AndroidPlatform || tb.Mobile == nil || tb.Web != nil {
		t.Fatalf("%s: mobile %v, web %v", tb.Platform, tb.Mobile, tb.Web)
	}
	got, err := tb.Mobile.ListInstalledApps(t.Context(), &commandsv1.MobileListInstalledAppsRequest{})
	if d := cmp.Diff([]string{"com.android.settings", "com.shop"}, got.GetAppIds()); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
}

// R39, R225: the same from Python and TypeScript.
func TestSDKInstalledApps(t *testing.T) {
	dir, python := installed(t)
	for name, command := range map[string][]string{
		"python": {python, "-c", `
from trailblaze import SyncTrailblazeClient
tb = SyncTrailblazeClient.connect(device="android")
assert tb.web is None and tb.mobile is not None
print(tb.mobile.list_installed_apps())`},
		"typescript": {"node", "--input-type=module", "-e", `
import { TrailblazeClient } from '@trailblaze/client';
const tb = await TrailblazeClient.connect({ device: 'android' });
if (tb.web || !tb.mobile) throw new Error('backends');
console.log(JSON.stringify(await tb.mobile.listInstalledApps()));`},
	} {
		t.Run(name, func(t *testing.T) {
			s := phoneWithApps(t)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, command[0], command[1:]...)
			cmd.Dir, cmd.Env = filepath.Join(dir, "build", "acme"), append(s.env, "HOME="+os.Getenv("HOME"))
			said, err := cmd.CombinedOutput()
			if text := string(said); err != nil || !strings.Contains(text, "com.android.settings") || !strings.Contains(text, "com.shop") {
				t.Errorf("%v %s", err, said)
			}
		})
	}
}
