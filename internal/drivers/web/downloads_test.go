package web

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestDownloads proves that files arrive under their own names, never outside the folder, and never
// over one another.
func TestDownloads(t *testing.T) {
	t.Parallel()
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/file":
			w.Header().Set("Content-Disposition", `attachment; filename="../../report.csv"`)
			_, _ = w.Write([]byte("a,b"))
		case "/cut":
			w.Header().Set("Content-Disposition", `attachment; filename="cut.bin"`)
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("x"))
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<a href=/file>get</a>`))
		}
	})
	dir := t.TempDir()
	d := newDevice(t, DeviceOptions{DownloadDir: dir})
	open(t, d, srv.URL+"/")
	for range 2 {
		eval[any](t, d, `document.querySelector('a').click(); 1`)
		f, err := d.WaitDownload(deadline(t))
		if err != nil {
			t.Fatal(err)
		}
		if f.Bytes != 3 || f.State != "completed" || filepath.Dir(f.Path) != dir || f.URL != srv.URL+"/file" {
			t.Errorf("%+v", f)
		}
		if data, err := os.ReadFile(f.Path); err != nil || string(data) != "a,b" {
			t.Errorf("%q, %v", data, err)
		}
	}
	eval[any](t, d, `const a=document.querySelector('a'); a.target='_blank'; a.click(); 1`)
	if f, err := d.WaitDownload(deadline(t)); err != nil || f.Bytes != 3 {
		t.Errorf("from a new tab: %+v, %v", f, err)
	}
	if !strings.Contains(sharedBrowser(t).proc.Path, "headless") { // a headless shell leaves the tab open
		if err := d.frames.Await(deadline(t), "tab to go", func() (bool, error) { return len(d.frames.Tabs) == 1, nil }); err != nil {
			t.Error(err)
		}
	}
	e, err := d.Navigate(deadline(t), driver.Navigation{URL: srv.URL + "/cut"})
	if err != nil || !e.Changes.Download || e.Changes.Navigation {
		t.Errorf("%+v, %v", e, err)
	}
	_, err = d.WaitDownload(deadline(t))
	wantFault(t, err, fault.Unavailable, "canceled")
	all, err := d.Downloads(deadline(t))
	if err != nil || len(all) != 4 || all[0].Path == all[1].Path {
		t.Errorf("%+v, %v", all, err)
	}
}
