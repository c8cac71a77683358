package web

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/proc"
)

var _ driver.Downloader = (*Device)(nil)

// downloads is what a device received. Device.mu guards it.
type downloads struct {
	dir    string
	ours   bool // we made dir and remove it
	list   []*driver.Download
	served int // how many of the ended ones WaitDownload has handed out
	ended  []*driver.Download
}

func (w *downloads) setup(dir string) error {
	if dir != "" {
		abs, err := filepath.Abs(dir)
		if err == nil {
			err = os.MkdirAll(abs, 0o755)
		}
		w.dir = abs
		return fault.Wrap(err, fault.Invalid, "make download folder")
	}
	tmp, err := proc.MakeFolder("downloads")
	if err != nil {
		return fault.Wrap(err, fault.Internal, "make download folder")
	}
	w.dir, w.ours = tmp, true
	return nil
}

// temporary is the folder to remove at the end, or "".
func (w *downloads) temporary() string {
	if w.ours {
		return w.dir
	}
	return ""
}

// watchDownloads follows the downloads of all devices: the browser reports them on its own session.
func (b *Browser) watchDownloads(root *cdp.Session) {
	cdp.On(root, browser.DownloadWillBegin, func(e browser.EventDownloadWillBegin) {
		if d := b.deviceOfFrame(e.FrameID); d != nil {
			d.locked(func() {
				d.downloads.list = append(d.downloads.list, &driver.Download{
					ID: e.GUID, URL: e.URL, Name: safeName(e.SuggestedFilename), State: "inProgress",
				})
			})
		}
	})
	cdp.On(root, browser.DownloadProgress, func(e browser.EventDownloadProgress) {
		b.mu.Lock()
		devices := make([]*Device, 0, len(b.devices))
		for _, d := range b.devices {
			devices = append(devices, d)
		}
		b.mu.Unlock()
		for _, d := range devices {
			d.locked(func() { d.downloads.progress(e) })
		}
	})
}

func (b *Browser) deviceOfFrame(id proto.FrameID) *Device {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.devices {
		d.mu.Lock()
		_, known := d.frameNo[id]
		for _, t := range d.tabs { // a new tab may turn into a download before it has told us of its frame
			known = known || string(t.target) == string(id)
		}
		d.mu.Unlock()
		if known {
			return d
		}
	}
	return nil
}

func (w *downloads) progress(e browser.EventDownloadProgress) {
	for _, f := range w.list {
		if f.ID != e.GUID || f.State != "inProgress" {
			continue
		}
		f.Bytes = int64(e.ReceivedBytes)
		f.State = string(e.State)
		if f.State == "inProgress" {
			return
		}
		if f.State == "completed" {
			f.Path = w.keep(f)
		}
		w.ended = append(w.ended, f)
		return
	}
}

// keep gives the finished file its own name; the browser stored it under its id so that names cannot collide or escape.
func (w *downloads) keep(f *driver.Download) string {
	from := filepath.Join(w.dir, f.ID)
	stem, ext := strings.TrimSuffix(f.Name, filepath.Ext(f.Name)), filepath.Ext(f.Name)
	for _, name := range []string{f.Name, stem + "-" + f.ID + ext} {
		to := filepath.Join(w.dir, name)
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		if os.Rename(from, to) == nil {
			return to
		}
	}
	return from
}

// safeName reduces what a server suggests to a plain file name.
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

// Downloads implements driver.Downloader.
func (d *Device) Downloads(context.Context) ([]driver.Download, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]driver.Download, len(d.downloads.list))
	for i, f := range d.downloads.list {
		out[i] = *f
	}
	return out, nil
}

// WaitDownload implements driver.Downloader: the next download that has ended and was not handed out yet.
func (d *Device) WaitDownload(ctx context.Context) (*driver.Download, error) {
	var got driver.Download
	err := d.await(ctx, "download", func() (bool, error) {
		w := &d.downloads
		if w.served >= len(w.ended) {
			return false, nil
		}
		got = *w.ended[w.served]
		w.served++
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	if got.State != "completed" {
		return &got, fault.New(fault.Unavailable, "wait for download", "download of %s ended %s", got.URL, got.State)
	}
	return &got, nil
}
