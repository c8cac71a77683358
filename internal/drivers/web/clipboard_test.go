package web

import "testing"

// TestClipboard proves that text goes to the page's paste and comes back from its copy, with no
// permission for the page.
func TestClipboard(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<textarea>copied</textarea>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	const text = "pasted \"ünï\"\n2"
	if err := d.SetClipboard(deadline(t), text); err != nil {
		t.Fatal(err)
	}
	got, err := d.Clipboard(deadline(t))
	if err != nil || got != text {
		t.Errorf("%q, %v", got, err)
	}
	if got := eval[string](t, d, `await navigator.clipboard.readText().catch(e=>e.name)`); got != "NotAllowedError" {
		t.Errorf("the page read %q", got)
	}
	tabs, err := d.Tabs(deadline(t))
	if err != nil || len(tabs) != 1 || !tabs[0].Active || tabs[0].ID != "t1" {
		t.Errorf("%+v, %v", tabs, err)
	}
}
