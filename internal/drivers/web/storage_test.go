package web

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestStorageState proves that a login moves from one device to another, in Playwright's format.
func TestStorageState(t *testing.T) {
	t.Parallel()
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s1", Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
			http.SetCookie(w, &http.Cookie{Name: "keep", Value: "k", MaxAge: 3600})
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<p>x`))
	})
	a := newDevice(t, DeviceOptions{})
	open(t, a, srv.URL+"/")
	eval[any](t, a, `localStorage.setItem('token', 'ünï'); localStorage.setItem('b', '2'); 1`)
	raw, err := a.StorageState(deadline(t))
	if err != nil {
		t.Fatal(err)
	}
	var state storageState
	if err := json.Unmarshal(raw, &state); err != nil {
		t.Fatal(err)
	}
	wantOrigins := []stateOrigin{{Origin: srv.URL, LocalStorage: []stateItem{{"b", "2"}, {"token", "ünï"}}}}
	if diff := cmp.Diff(wantOrigins, state.Origins); diff != "" {
		t.Error(diff)
	}
	for _, c := range state.Cookies {
		if c.Name == "sid" && (c.Expires != -1 || !c.HTTPOnly || c.SameSite != "Strict" || c.Domain != "127.0.0.1") ||
			c.Name == "keep" && c.Expires < 1e9 {
			t.Errorf("cookie %+v", c)
		}
	}
	b := newDevice(t, DeviceOptions{StorageState: raw})
	open(t, b, srv.URL+"/other")
	if got := eval[string](t, b, `localStorage.getItem('token')`); got != "ünï" {
		t.Errorf("token %q", got)
	}
	again, err := b.StorageState(deadline(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(raw), string(again)); diff != "" {
		t.Error(diff)
	}
	tabs, err := b.Tabs(deadline(t))
	if err != nil || len(tabs) != 1 || tabs[0].ID != "t1" || !tabs[0].Active {
		t.Errorf("tabs %+v, %v", tabs, err)
	}
	c := newDevice(t, DeviceOptions{})
	open(t, c, srv.URL+"/other")
	if got := eval[any](t, c, `localStorage.getItem('token')`); got != nil {
		t.Errorf("a fresh device has %v", got)
	}
	wantFault(t, c.SetStorageState(deadline(t), json.RawMessage(`[]`)), fault.Invalid, "not a storage state")
}
