package web

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// TestFilesOfFolder proves that pages of the given folder open, and that neither an address, a link
// nor a frame leads out of it.
func TestFilesOfFolder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	inside, outside := filepath.Join(root, "in"), filepath.Join(root, "out")
	for _, dir := range []string{inside, outside} {
		if err := os.Mkdir(dir, 0o750); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path, text string) string {
		if err := os.WriteFile(path, []byte("<!doctype html>"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
	}
	secret := write(filepath.Join(outside, "secret.html"), "<p>Not for you</p>")
	write(filepath.Join(inside, "other.html"), "<h1>Other page</h1>")
	page := write(filepath.Join(inside, "page.html"), `<h1>Page</h1><iframe src="`+secret+
		`"></iframe><iframe src="other.html"></iframe><script src="`+secret+`" onload="document.title='loaded'"></script>`)
	link := filepath.Join(inside, "link.html")
	if err := os.Symlink(filepath.Join(outside, "secret.html"), link); err != nil {
		t.Skip("no links here:", err)
	}
	d := newDevice(t, DeviceOptions{Files: inside})
	open := func(u string) error {
		_, err := d.Navigate(t.Context(), driver.Navigation{URL: u})
		return err
	}
	for _, u := range []string{secret, "file://" + filepath.ToSlash(link), "file://" + filepath.ToSlash(inside) + "/../out/secret.html",
		"FILE://" + filepath.ToSlash(outside) + "/secret.html", "file://elsewhere" + filepath.ToSlash(inside) + "/page.html"} {
		if err := open(u); fault.KindOf(err) != fault.Denied {
			t.Errorf("%s: %v, want it denied", u, err)
		}
	}
	if err := open(page); err != nil {
		t.Fatal(err)
	}
	snap, err := d.Snapshot(t.Context(), driver.SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text := text.Of(snap, text.Options{})
	if strings.Contains(text, "Not for you") || snap.Title == "loaded" || !strings.Contains(text, "Other page") {
		t.Errorf("the page shows %q, title %q: want the other page and nothing from outside", text, snap.Title)
	}
}
