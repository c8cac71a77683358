package page

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

func TestAbsolute(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "page.html"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const here = "https://shop.test/cart/list?x=1"
	page := "file://" + filepath.ToSlash(filepath.Join(root, "page.html"))
	tests := []struct {
		name, where, here, want string // "" is refused
	}{
		{"a URL", "https://a.test/x", here, "https://a.test/x"},
		{"white space around it", " https://a.test ", here, "https://a.test"},
		{"about", "about:blank", here, "about:blank"},
		{"data", "data:text/html,hi", here, "data:text/html,hi"},
		{"a host", "a.test/x", here, "https://a.test/x"},
		{"a local host", "localhost:8080/x", here, "http://localhost:8080/x"},
		{"a local address", "127.0.0.1:8080", here, "http://127.0.0.1:8080"},
		{"a host and port", "a.test:8080/x", here, "https://a.test:8080/x"},
		{"a path", "/x", here, "https://shop.test/x"},
		{"a path that is a file here too", "/etc/hostname", here, "https://shop.test/etc/hostname"},
		{"a relative path", "./x", here, "https://shop.test/cart/x"},
		{"a query", "?y=2", here, "https://shop.test/cart/list?y=2"},
		{"a fragment", "#top", here, "https://shop.test/cart/list?x=1#top"},
		{"without a scheme", "//a.test/x", here, "https://a.test/x"},
		{"a file", "page.html", "about:blank", "file://" + filepath.ToSlash(filepath.Join(root, "page.html"))},
		{"a file beside the trail", "../page.html", "about:blank", page},
		{"a file beside the trail, from a site", "../page.html", here, page},
		{"a file beside the trail with a query and a fragment", "../page.html?x=1#top", "about:blank", page + "?x=1#top"},
		{"a path of the base URL", "/x", "about:blank", "https://base.test/x"},
		{"a relative path of the base URL", "../x", "about:blank", "https://base.test/x"},
		{"a path of a page of the file system", "./x", page, "https://base.test/app/x"},
		{"an absolute path of a file", filepath.Join(root, "page.html"), "nobase", page},
		{"a path on no page", "/no/such/file", "nobase", ""},
		{"a relative path of nothing", "../../app/index.html", "nobase", ""},
		{"words", "my page", here, ""},
		{"nothing there", "nothing", here, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			at := places{page: tt.here, trail: filepath.Join(root, "trails"), base: "https://base.test/app/", root: root}
			if tt.here == "nobase" {
				at.page, at.base = "about:blank", ""
			}
			got, err := absolute(tt.where, at)
			if got != tt.want || (tt.want == "") != (fault.KindOf(err) == fault.Invalid) {
				t.Errorf("absolute(%q, %q) = %q, %v, want %q", tt.where, tt.here, got, err, tt.want)
			}
		})
	}
}

func FuzzAbsolute(f *testing.F) {
	for _, s := range []string{"https://a.test", "localhost:1", "/x", "?", "#", ".", "//", "C:\\x", "mailto:a", " ", "%zz", "a b.c"} {
		f.Add(s, "https://shop.test/")
		f.Add(s, "about:blank")
	}
	f.Fuzz(func(t *testing.T, where, here string) {
		got, err := absolute(where, places{page: here})
		if (got == "") == (err == nil) {
			t.Errorf("absolute(%q, %q) = %q, %v: want a URL or an error", where, here, got, err)
		}
	})
}
