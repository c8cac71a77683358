package page_test

import (
	"flag"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var wpt = flag.String("wpt", "", "a checkout of web-platform-tests: compare names and roles on its pages with Chromium's own")

// stubs stand for the harness of the pages: what they assert about another tool is not asked here.
const stubs = `for (const f of ['test', 'async_test', 'promise_test', 'setup', 'done', 'add_completion_callback', 'assert_equals',
'assert_true', 'explicit_done'])
  globalThis[f] = () => {}; globalThis.test_driver = new Proxy({}, { get: () => async () => '' });`

// TestWPTAgreement compares role and name of every element on the pages of the public suites with
// Chromium's own tree.
func TestWPTAgreement(t *testing.T) {
	if *wpt == "" {
		t.Skip("run by make wpt")
	}
	files := http.FileServer(http.Dir(*wpt))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/resources/") {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(stubs))
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	l := newLab(t)
	a := agreement{lab: l}
	for _, suite := range []string{"accname", "html-aam", "wai-aria"} {
		err := fs.WalkDir(os.DirFS(*wpt), suite, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".html" || strings.HasSuffix(path, "-ref.html") {
				return err
			}
			l.open(srv.URL + "/" + path)
			a.page(path, true)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d elements so far, %d agree", suite, a.total, a.agreed)
	}
	a.verdict(3000, 0.99)
}
