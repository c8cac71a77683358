package web

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/domstorage"
	"github.com/chromedp/cdproto/fetch"
	protopage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

var _ driver.Clipboard = (*Device)(nil)

const clipboardOrigin = "https://clipboard.trailblaze.invalid" // secure, and never on the network

// private runs fn with a tab that no list shows and in which every request is answered with
// an empty page: a place to do what the browser lets only a page of an origin do.
func (d *browserContext) private(ctx context.Context, fn func(t *frames.Tab) error) (err error) {
	defer d.frames.Private()()
	res, err := cdp.Call(ctx, d.browser.conn.Root(), target.CreateTarget, target.CreateTargetParams{
		URL: frames.PrivateURL, BrowserContextID: d.context, Background: new(true),
	})
	if err != nil {
		return err
	}
	defer func() {
		e := cdp.Do(ctx, d.browser.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: res.TargetID})
		if err == nil {
			err = e
		}
	}()
	var t *frames.Tab
	err = d.frames.Await(ctx, "private tab", func() (bool, error) {
		t = d.frames.FindPrivate(res.TargetID)
		return t != nil, nil
	})
	if err != nil {
		return err
	}
	if err := cdp.Do(ctx, t.Session, fetch.Enable, enableFetch("*")); err != nil {
		return err
	}
	return fn(t)
}

// seedOrigins writes local storage, each origin's in an empty page of that origin.
func (d *browserContext) seedOrigins(ctx context.Context, origins []stateOrigin) error {
	return d.private(ctx, func(t *frames.Tab) error {
		for _, o := range origins {
			if err := show(ctx, t, o.Origin+"/"); err != nil {
				return err
			}
			for _, it := range o.LocalStorage {
				if err := cdp.Do(ctx, t.Session, domstorage.SetDOMStorageItem, domstorage.SetDOMStorageItemParams{
					StorageID: &domstorage.StorageID{SecurityOrigin: o.Origin, IsLocalStorage: true}, Key: it.Name, Value: it.Value,
				}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func show(ctx context.Context, t *frames.Tab, url string) error {
	r, err := cdp.Call(ctx, t.Session, protopage.Navigate, protopage.NavigateParams{URL: url})
	if err == nil && r.ErrorText != "" {
		err = fault.New(fault.Unavailable, "show "+url, "%s", r.ErrorText)
	}
	return err
}

// SetClipboard implements driver.Clipboard.
func (d *browserContext) SetClipboard(ctx context.Context, text string) error {
	_, err := d.clipboard(ctx, "write clipboard", "function(t){return navigator.clipboard.writeText(t)}", text)
	return err
}

// Clipboard implements driver.Clipboard.
func (d *browserContext) Clipboard(ctx context.Context) (string, error) {
	return d.clipboard(ctx, "read clipboard", "function(){return navigator.clipboard.readText()}")
}

func (d *browserContext) clipboard(ctx context.Context, op, fn string, args ...string) (string, error) {
	var text string
	err := d.private(ctx, func(t *frames.Tab) error {
		for _, name := range []string{"clipboard-read", "clipboard-write"} {
			if err := cdp.Do(ctx, d.browser.conn.Root(), browser.SetPermission, browser.SetPermissionParams{
				Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted,
				Origin: clipboardOrigin, BrowserContextID: d.context,
			}); err != nil {
				return err
			}
		}
		if err := show(ctx, t, clipboardOrigin+"/"); err != nil {
			return err
		}
		var world frames.World
		err := d.frames.Await(ctx, "private page", func() (bool, error) {
			if t.Main == nil || t.Main.World.Session == nil || !strings.HasPrefix(t.Main.URL, clipboardOrigin) {
				return false, nil
			}
			world = t.Main.World
			return true, nil
		})
		if err != nil {
			return err
		}
		text, err = world.Text(ctx, fn, args)
		return err
	})
	return text, fault.Wrap(err, fault.Unavailable, op)
}
