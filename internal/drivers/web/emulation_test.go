package web

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestEmulation proves viewport, presets, locale, time zone, colour scheme, headers and
// permissions.
func TestEmulation(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<meta name=viewport content="width=device-width"><p>x`})
	d := newDevice(t, DeviceOptions{Locale: "de-DE", Timezone: "Asia/Tokyo", ColorScheme: "dark", Permissions: []string{"notifications"}})
	open(t, d, srv.URL+"/")
	type seen struct {
		W, H          float64
		Ratio         float64
		Touch         float64
		Lang, Zone    string
		Dark          bool
		Geo, Notified string
		UA            string
	}
	look := func() seen {
		return eval[seen](t, d, `({W:innerWidth,H:innerHeight,Ratio:devicePixelRatio,Touch:navigator.maxTouchPoints,Lang:navigator.language,
			Zone:Intl.DateTimeFormat().resolvedOptions().timeZone,Dark:matchMedia('(prefers-color-scheme: dark)').matches,
			Geo:(await navigator.permissions.query({name:'geolocation'})).state,
			Notified:(await navigator.permissions.query({name:'notifications'})).state,UA:navigator.userAgent})`)
	}
	got := look()
	got.UA = ""
	want := seen{W: 1280, H: 800, Ratio: 1, Lang: "de-DE", Zone: "Asia/Tokyo", Dark: true, Geo: "denied", Notified: "granted"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := d.Resize(deadline(t), 700, 500); err != nil {
		t.Fatal(err)
	}
	if got := look(); got.W != 700 || got.H != 500 {
		t.Errorf("resized: %+v", got)
	}
	if err := d.Emulate(deadline(t), "iphone 14"); err != nil {
		t.Fatal(err)
	}
	open(t, d, srv.URL+"/?2")
	if got := look(); got.W != 390 || got.Ratio != 3 || got.Touch != 5 || !strings.Contains(got.UA, "iPhone") {
		t.Errorf("iPhone: %+v", got)
	}
	if i := d.Info(); i.Width != 1170 {
		t.Errorf("info %+v", i)
	}
	if err := d.Emulate(deadline(t), ""); err != nil {
		t.Fatal(err)
	}
	open(t, d, srv.URL+"/?3")
	if got := look(); got.W != 1280 || got.Touch != 0 || strings.Contains(got.UA, "iPhone") {
		t.Errorf("desktop again: %+v", got)
	}
	wantFault(t, d.Emulate(deadline(t), "Nokia 3310"), fault.Invalid, "Nokia 3310")
	wantFault(t, d.Resize(deadline(t), 0, 5), fault.Invalid, "is not a size")
}
