package web

import (
	"context"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

var _ driver.Downloader = (*Device)(nil)

// watchDownloads follows the downloads of all devices: the browser reports them on its own session.
func (b *Browser) watchDownloads(root *cdp.Session) {
	cdp.On(root, browser.DownloadWillBegin, func(e browser.EventDownloadWillBegin) {
		if d := b.deviceOfFrame(e.FrameID); d != nil {
			d.frames.Locked(func() { d.downloads.Begin(e) })
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
			d.frames.Locked(func() { d.downloads.Progress(e) })
		}
	})
}

func (b *Browser) deviceOfFrame(id proto.FrameID) *Device {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.devices {
		if d.frames.Knows(id) {
			return d
		}
	}
	return nil
}

// Downloads implements driver.Downloader.
func (d *Device) Downloads(context.Context) ([]driver.Download, error) {
	d.frames.Lock()
	defer d.frames.Unlock()
	return append([]driver.Download{}, d.downloads.Since(0)...), nil
}

// WaitDownload implements driver.Downloader: the next download that has ended and was not handed
// out yet.
func (d *Device) WaitDownload(ctx context.Context) (*driver.Download, error) {
	var got driver.Download
	err := d.frames.Await(ctx, "download", func() (ok bool, err error) {
		got, ok = d.downloads.Next()
		return ok, nil
	})
	if err != nil {
		return nil, err
	}
	if got.State != "completed" {
		return &got, fault.New(fault.Unavailable, "wait for download", "download of %s ended %s", got.URL, got.State)
	}
	return &got, nil
}
