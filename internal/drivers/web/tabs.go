package web

import (
	"context"
	"strconv"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"

	proto "github.com/chromedp/cdproto/cdp"
)

var _ driver.Tabs = (*Device)(nil)

// newTab makes the record of a new page target. A tab that a page opens stays behind the active one until somebody switches
// to it: what goes on in the new tab says so. When the active tab closes, its opener becomes active, or else the newest tab.
func (d *Device) newTab(info *target.Info) *tab {
	t := &tab{
		dev: d, target: info.TargetID, gone: make(chan struct{}),
		frames: map[proto.FrameID]*frame{},
	}
	if isPrivate(info) {
		t.id, t.private = "private", true
		d.privates = append(d.privates, t)
		return t
	}
	d.lastTab++
	t.id = "t" + strconv.Itoa(d.lastTab)
	for _, o := range d.tabs {
		if info.OpenerID != "" && o.target == info.OpenerID {
			t.opener = o
		}
	}
	d.tabs = append(d.tabs, t)
	if d.active == nil {
		d.active = t
	} else {
		d.front()
	}
	d.changed()
	return t
}

// front brings the active tab to the front of the browser: a tab in the background does not paint. Device.mu is held.
func (d *Device) front() {
	if d.active != nil && !d.active.closed() {
		cdp.Send(d.active.sess, page.BringToFront, proto.Empty{})
	}
}

// dropTab forgets a closed tab. Device.mu is held.
func (d *Device) dropTab(t *tab) {
	d.tabs = without(d.tabs, t)
	d.privates = without(d.privates, t)
	d.changed()
	d.endTab(t)
	if d.active != t {
		return
	}
	d.active = nil
	if t.opener != nil && !t.opener.closed() {
		d.active = t.opener
	} else if n := len(d.tabs); n > 0 {
		d.active = d.tabs[n-1]
	}
	d.front()
}

func without(tabs []*tab, t *tab) []*tab {
	kept := tabs[:0:0]
	for _, o := range tabs {
		if o != t {
			kept = append(kept, o)
		}
	}
	return kept
}

func (d *Device) endTab(t *tab) {
	if t.closed() {
		return
	}
	close(t.gone)
	d.dialogs.tabGone(t)
	for _, f := range t.frames {
		d.explainFrame(f, "its tab "+t.id+" was closed")
	}
	for _, f := range t.frames {
		f.setDocument(nil)
	}
	for id, h := range d.hosts {
		if h.tab == t {
			delete(d.hosts, id)
		}
	}
}

// openTab opens an empty tab and waits until our script runs in it.
func (d *Device) openTab(ctx context.Context) (*tab, error) {
	res, err := cdp.Call(ctx, d.browser.conn.Root(), target.CreateTarget, target.CreateTargetParams{
		URL: "about:blank", BrowserContextID: d.context,
	})
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "open tab")
	}
	var t *tab
	err = d.await(ctx, "new tab", func() (bool, error) {
		for _, o := range d.tabs {
			if o.target == res.TargetID {
				t, d.active = o, o
				return o.main != nil && o.main.doc != nil, nil
			}
		}
		return false, nil
	})
	return t, err
}

// Tabs implements driver.Tabs.
func (d *Device) Tabs(ctx context.Context) ([]driver.Tab, error) {
	d.mu.Lock()
	tabs := append([]*tab(nil), d.tabs...)
	d.mu.Unlock()
	titles := d.titles(ctx, tabs)
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]driver.Tab, 0, len(tabs))
	for i, t := range tabs {
		if !t.closed() {
			out = append(out, d.describeTab(t, titles[i]))
		}
	}
	return out, nil
}

func (d *Device) describeTab(t *tab, title string) driver.Tab {
	r := driver.Tab{ID: t.id, Title: title, Active: t == d.active}
	if t.main != nil {
		r.URL = t.main.url
	}
	if t.opener != nil {
		r.Opener = t.opener.id
	}
	return r
}

// titles asks the browser, not the pages: a page that is stuck must not hide the others.
func (d *Device) titles(ctx context.Context, tabs []*tab) []string {
	out := make([]string, len(tabs))
	for i, t := range tabs {
		r, err := cdp.Call(ctx, d.browser.conn.Root(), target.GetTargetInfo, target.GetTargetInfoParams{TargetID: t.target})
		if err == nil && r.TargetInfo != nil {
			out[i] = r.TargetInfo.Title
		}
	}
	return out
}

// NewTab implements driver.Tabs.
func (d *Device) NewTab(ctx context.Context, url string) (driver.Tab, error) {
	if err := d.mayOpen(url); err != nil {
		return driver.Tab{}, err
	}
	t, err := d.openTab(ctx)
	if err != nil {
		return driver.Tab{}, err
	}
	if url != "" && url != "about:blank" {
		if _, err := d.Navigate(ctx, driver.Navigation{URL: url}); err != nil {
			return driver.Tab{}, err
		}
	}
	title := d.titles(ctx, []*tab{t})[0]
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.describeTab(t, title), nil
}

// findTab finds a tab by its id. Device.mu is held.
func (d *Device) findTab(id string) (*tab, error) {
	for _, t := range d.tabs {
		if t.id == id {
			return t, nil
		}
	}
	return nil, fault.New(fault.NotFound, "find tab", "no tab %q is open", id).WithHint("List the tabs to see their ids.")
}

// SwitchTab implements driver.Tabs.
func (d *Device) SwitchTab(ctx context.Context, id string) error {
	d.mu.Lock()
	t, err := d.findTab(id)
	if err == nil {
		d.active, t.judged = t, t.navigations
		d.changed()
	}
	d.mu.Unlock()
	if err != nil {
		return err
	}
	d.pulse.beat()
	if err := cdp.Do(ctx, t.sess, page.BringToFront, proto.Empty{}); err != nil {
		return fault.Wrap(err, fault.Unavailable, "switch tab")
	}
	return nil
}

// CloseTab implements driver.Tabs.
func (d *Device) CloseTab(ctx context.Context, id string) error {
	d.mu.Lock()
	t, err := d.findTab(id)
	d.mu.Unlock()
	if err != nil {
		return err
	}
	if err := cdp.Do(ctx, d.browser.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: t.target}); err != nil {
		return fault.Wrap(err, fault.Unavailable, "close tab")
	}
	return d.await(ctx, "tab to close", func() (bool, error) { return t.closed(), nil })
}
