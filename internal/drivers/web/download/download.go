// Package download keeps the files that a browser context received: their folder, their names and
// their progress.
package download

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/browser"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

const (
	maxName = 1 << 10 // bytes: more than any file system lets a file be called
	maxURL  = 16 << 10
)

// Folder holds the downloads of one context. Its owner guards it.
type Folder struct {
	dir     string
	ownsDir bool // we made dir and remove it
	list    []*driver.Download
	served  int // how many of the ended ones Next has handed out
	ended   []*driver.Download
}

// Prepare makes the folder; "" is a temporary one.
func (f *Folder) Prepare(dir string) error {
	if dir != "" {
		abs, err := filepath.Abs(dir)
		if err == nil {
			err = os.MkdirAll(abs, 0o755)
		}
		f.dir = abs
		return fault.Wrap(err, fault.Invalid, "make download folder")
	}
	tmp, err := proc.MakeFolder("downloads")
	if err != nil {
		return fault.Wrap(err, fault.Internal, "make download folder")
	}
	f.dir, f.ownsDir = tmp, true
	return nil
}

// Dir is the folder's path.
func (f *Folder) Dir() string { return f.dir }

// Temporary is the folder to remove at the end, or "".
func (f *Folder) Temporary() string {
	if f.ownsDir {
		return f.dir
	}
	return ""
}

// Begin takes in a download that the browser announced.
func (f *Folder) Begin(e browser.EventDownloadWillBegin) {
	f.list = append(f.list, &driver.Download{
		ID: e.GUID, URL: cdp.Clip(e.URL, maxURL), Name: safeName(cdp.Clip(e.SuggestedFilename, maxName)), State: "inProgress",
	})
}

// Progress takes in how far a download has come. A download of another folder is ignored.
func (f *Folder) Progress(e browser.EventDownloadProgress) {
	for _, x := range f.list {
		if x.ID != e.GUID || x.State != "inProgress" {
			continue
		}
		x.Bytes = int64(e.ReceivedBytes)
		x.State = string(e.State)
		if x.State == "inProgress" {
			return
		}
		if x.State == "completed" {
			x.Path = f.keep(x)
		}
		f.ended = append(f.ended, x)
		return
	}
}

// Len counts the downloads that began.
func (f *Folder) Len() int { return len(f.list) }

// Since copies the downloads that began after the first n.
func (f *Folder) Since(n int) []driver.Download {
	var out []driver.Download
	for _, x := range f.list[min(n, len(f.list)):] {
		out = append(out, *x)
	}
	return out
}

// Next copies the oldest download that has ended and that Next has not returned yet.
func (f *Folder) Next() (driver.Download, bool) {
	if f.served >= len(f.ended) {
		return driver.Download{}, false
	}
	f.served++
	return *f.ended[f.served-1], true
}

// keep renames the finished file to its own name; the browser stored it under its id so that names cannot collide or
// escape.
func (f *Folder) keep(x *driver.Download) string {
	from := filepath.Join(f.dir, x.ID)
	stem, ext := strings.TrimSuffix(x.Name, filepath.Ext(x.Name)), filepath.Ext(x.Name)
	for _, name := range []string{x.Name, stem + "-" + x.ID + ext} {
		to := filepath.Join(f.dir, name)
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		if os.Rename(from, to) == nil {
			return to
		}
	}
	return from
}

// safeName reduces the name that a server suggests to a plain file name.
func safeName(s string) string {
	s = filepath.Base(strings.ReplaceAll(s, `\`, "/"))
	s = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, s)
	if s = strings.TrimLeft(s, "."); s == "" {
		return "download"
	}
	return s
}
