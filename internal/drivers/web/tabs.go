package web

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"

	proto "github.com/chromedp/cdproto/cdp"
)

var (
	_ driver.Tabs      = (*Device)(nil)
	_ driver.Navigator = (*Device)(nil)
)

// openTab opens an empty tab and waits until our script runs in it. Chromium may give a tab a
// process that has just died, such as the one it keeps ready; such a tab is closed and opened
// again, at most twice.
func (d *browserContext) openTab(ctx context.Context) (*frames.Tab, error) {
	for again := range 3 {
		res, err := cdp.Call(ctx, d.browser.conn.Root(), target.CreateTarget, target.CreateTargetParams{
			URL: "about:blank", BrowserContextID: d.context,
		})
		if err != nil {
			return nil, fault.Wrap(err, fault.Unavailable, "open tab")
		}
		var t *frames.Tab
		crashed := false
		err = d.frames.Await(ctx, "new tab", func() (bool, error) {
			for _, o := range d.frames.Tabs {
				if o.Target == res.TargetID {
					t, d.frames.Active, crashed = o, o, o.Crashed
					return crashed || o.Main != nil && o.Main.Document != nil, nil
				}
			}
			return false, nil
		})
		switch {
		case err != nil:
			return nil, err
		case !crashed && d.options.Bar:
			return t, shrink(ctx, d.frames, t, d.options.Width, d.options.Height)
		case !crashed:
			return t, nil
		}
		if again < 2 {
			cdp.Send(d.browser.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: t.Target})
		}
	}
	return nil, fault.New(fault.Unavailable, "open tab", "its page crashed three times").
		WithHint("Close the device and open it again.")
}

// URL implements driver.Navigator.
func (d *browserContext) URL(context.Context) (string, error) {
	d.frames.Lock()
	defer d.frames.Unlock()
	_, err := d.frames.CurrentLocked()
	if d.frames.Active == nil || d.frames.Active.Main == nil {
		return "", err
	}
	return d.frames.Active.Main.URL, err
}

// Tabs implements driver.Tabs.
func (d *browserContext) Tabs(ctx context.Context) ([]driver.Tab, error) {
	d.frames.Lock()
	tabs := append([]*frames.Tab(nil), d.frames.Tabs...)
	d.frames.Unlock()
	titles := d.titles(ctx, tabs)
	d.frames.Lock()
	defer d.frames.Unlock()
	out := make([]driver.Tab, 0, len(tabs))
	for i, t := range tabs {
		if !t.Closed() {
			out = append(out, d.describeTab(t, titles[i]))
		}
	}
	return out, nil
}

func (d *browserContext) describeTab(t *frames.Tab, title string) driver.Tab {
	r := driver.Tab{ID: t.ID, Title: title, Active: t == d.frames.Active}
	if t.Main != nil {
		r.URL = t.Main.URL
	}
	if t.Opener != nil {
		r.Opener = t.Opener.ID
	}
	return r
}

// titles asks the browser, not the pages: a page that is stuck must not hide the others.
func (d *browserContext) titles(ctx context.Context, tabs []*frames.Tab) []string {
	out := make([]string, len(tabs))
	for i, t := range tabs {
		r, err := cdp.Call(ctx, d.browser.conn.Root(), target.GetTargetInfo, target.GetTargetInfoParams{TargetID: t.Target})
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
	title := d.titles(ctx, []*frames.Tab{t})[0]
	d.frames.Lock()
	defer d.frames.Unlock()
	return d.describeTab(t, title), nil
}

// SwitchTab implements driver.Tabs.
func (d *browserContext) SwitchTab(ctx context.Context, id string) error {
	d.frames.Lock()
	t, err := d.frames.FindTab(id)
	if err == nil {
		d.frames.Active, t.Judged = t, t.Navigations
		d.frames.Changed()
	}
	d.frames.Unlock()
	if err != nil {
		return err
	}
	d.frames.Changes.Notify()
	if err := cdp.Do(ctx, t.Session, page.BringToFront, proto.Empty{}); err != nil {
		return fault.Wrap(err, fault.Unavailable, "switch tab")
	}
	return nil
}

// CloseTab implements driver.Tabs.
func (d *browserContext) CloseTab(ctx context.Context, id string) error {
	d.frames.Lock()
	t, err := d.frames.FindTab(id)
	d.frames.Unlock()
	if err != nil {
		return err
	}
	end := target.CloseTargetParams{TargetID: t.Target}
	if err := cdp.Do(ctx, d.browser.conn.Root(), target.CloseTarget, end); err != nil {
		return fault.Wrap(err, fault.Unavailable, "close tab")
	}
	return d.frames.Await(ctx, "tab to close", func() (bool, error) { return t.Closed(), nil })
}

// shrink puts a small window, at the edge of the desktop, in the place of a tab.
func shrink(ctx context.Context, set *frames.Set, t *frames.Tab, width, height int) error {
	open := fmt.Sprintf("() => void open('about:blank', '', `popup,width=%d,height=%d,top=20,left=${screen.availWidth}`)",
		width, height)
	w, err := set.WorldOf(ctx, t.Main)
	if err == nil {
		_, err = w.Text(ctx, open, nil)
	}
	if err != nil {
		return err
	}
	err = set.Await(ctx, "small window", func() (bool, error) {
		for _, o := range set.Tabs {
			if o != t {
				set.Active = o
				return o.Main != nil && o.Main.Document != nil, nil
			}
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	return cdp.Do(ctx, t.Session.Conn().Root(), target.CloseTarget, target.CloseTargetParams{TargetID: t.Target})
}
