package web

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

// TestTabs proves tabs and popups (issue 5): a popup stays behind, knows its opener, and gives the
// focus back.
func TestTabs(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<title>Main</title>`, "/pop": `<title>Pop</title><p>popup`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	eval[any](t, d, `window.open('/pop', 'w', 'width=300,height=300'); 1`)
	ready := func(n int) {
		t.Helper()
		if err := d.frames.Await(deadline(t), "tabs", func() (bool, error) {
			return len(d.frames.Tabs) == n && func(m *frames.Frame) bool {
				return m != nil && m.Document != nil && m.Loaded == m.Loader && !strings.HasPrefix(m.URL, "about:")
			}(d.frames.Tabs[n-1].Main), nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	ready(2)
	want := []driver.Tab{
		{ID: "t1", URL: srv.URL + "/", Title: "Main", Active: true},
		{ID: "t2", URL: srv.URL + "/pop", Title: "Pop", Opener: "t1"},
	}
	got, err := d.Tabs(deadline(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := eval[string](t, d, "document.visibilityState+document.title"); got != "visibleMain" {
		t.Errorf("behind the popup the active page is %q", got)
	}
	if err := d.SwitchTab(deadline(t), "t2"); err != nil {
		t.Fatal(err)
	}
	if err := d.CloseTab(deadline(t), "t2"); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, d, "document.title"); got != "Main" {
		t.Errorf("after the close the active page is %q", got)
	}
	wantFault(t, d.SwitchTab(deadline(t), "t2"), fault.NotFound, `no tab "t2"`)
	tab, err := d.NewTab(deadline(t), srv.URL+"/pop")
	if err != nil || tab.ID != "t3" || !tab.Active || tab.Title != "Pop" {
		t.Errorf("new tab %+v, %v", tab, err)
	}
	eval[any](t, d, `window.open('/pop', 'w2', 'width=300,height=300'); 1`)
	ready(3)
	if err := d.SwitchTab(deadline(t), "t4"); err != nil {
		t.Fatal(err)
	}
	eval[any](t, d, "setTimeout(()=>window.close()); 1")
	ready(2)
	if err := d.CloseTab(deadline(t), "t3"); err != nil {
		t.Fatal(err)
	}
	if err := d.CloseTab(deadline(t), "t1"); err != nil {
		t.Fatal(err)
	}
	_, err = d.Snapshot(deadline(t), driver.SnapshotOptions{})
	wantFault(t, err, fault.NotFound, "no tab is open")
	if _, err := d.NewTab(deadline(t), ""); err != nil {
		t.Error(err)
	}
}
