package web

import (
	"context"

	"github.com/chromedp/cdproto/domstorage"
	"github.com/chromedp/cdproto/fetch"
	protopage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// seedOrigins writes local storage. The browser only lets a document of an origin do that, so a private tab shows an
// empty page of each, made up by us.
func (d *Device) seedOrigins(ctx context.Context, origins []stateOrigin) (err error) {
	d.mu.Lock()
	before := d.active
	d.mu.Unlock()
	t, err := d.openTab(ctx)
	if err != nil {
		return err
	}
	d.mu.Lock()
	t.seeding = true
	t.opener = before // which becomes active again when this one closes
	d.mu.Unlock()
	defer func() {
		if e := cdp.Do(ctx, d.browser.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: t.target}); e == nil {
			e = d.await(ctx, "private tab to close", func() (bool, error) { return t.closed(), nil })
			if err == nil {
				err = e
			}
		}
	}()
	if err := cdp.Do(ctx, t.sess, fetch.Enable, enableFetch()); err != nil {
		return err
	}
	for _, o := range origins {
		if _, err := cdp.Call(ctx, t.sess, protopage.Navigate, protopage.NavigateParams{URL: o.Origin + "/"}); err != nil {
			return err
		}
		for _, it := range o.LocalStorage {
			if err := cdp.Do(ctx, t.sess, domstorage.SetDOMStorageItem, domstorage.SetDOMStorageItemParams{
				StorageID: &domstorage.StorageID{SecurityOrigin: o.Origin, IsLocalStorage: true}, Key: it.Name, Value: it.Value,
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
