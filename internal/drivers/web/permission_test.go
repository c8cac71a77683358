package web

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/emulate"
)

// TestPermissions proves that a page gets the permissions its device was opened with and no others:
// copying, reading the clipboard, the place it is told to be at.
func TestPermissions(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<button id=c onclick="navigator.clipboard.writeText('copied').then(()=>{o.textContent='ok'}
,e=>{o.textContent=e.name})">Copy</button>
		<button id=p onclick="navigator.clipboard.readText().then(s=>{o.textContent='got '+s},e=>{o.textContent=e.name})">Paste</button>
		<button id=g onclick="navigator.geolocation.getCurrentPosition(x=>{o.textContent=x.coords.latitude+' '+x.coords.longitude}
,e=>{o.textContent='code '+e.code})">Where</button><p id=o></p>`})
	here, err := emulate.ParsePosition("52.5, 13.25")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		options DeviceOptions
		want    [3]string
	}{
		{DeviceOptions{Permissions: []string{"clipboard-write", "clipboard-read", "geolocation"}, Geolocation: here}, [3]string{"ok", "got copied", "52.5 13.25"}},
		{DeviceOptions{Permissions: []string{"clipboard-write"}, Geolocation: here}, [3]string{"ok", "NotAllowedError", "code 1"}},
	} {
		d := newDevice(t, tt.options)
		open(t, d, srv.URL+"/")
		for i, id := range []string{"#c", "#p", "#g"} {
			eval[any](t, d, `o.textContent='';1`)
			perform(t, d, driver.Tap{Target: at(node(t, d, id))})
			got := eval[string](t, d, `new Promise(r=>{const f=()=>o.textContent?r(o.textContent):setTimeout(f,10);f()})`)
			if got != tt.want[i] {
				t.Errorf("%v, %s: %q, want %q", tt.options.Permissions, id, got, tt.want[i])
			}
		}
	}
	for _, bad := range []string{"52", "91,0", "0,181", "a,b", "1,2,3,4", "1,2,-1"} {
		_, err := emulate.ParsePosition(bad)
		wantFault(t, err, fault.Invalid, "is not a place")
	}
}
