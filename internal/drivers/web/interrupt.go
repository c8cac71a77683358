package web

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	protopage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

var (
	_ driver.Interrupter = (*Device)(nil)
	_ driver.Lifeline    = (*Device)(nil)
)

// answerTime limits the time in which a page computes 1. A page that takes longer accepts no action either.
const answerTime = 250 * time.Millisecond

// freeTime limits the time in which a page answers after its script was ended. It is longer, since closing the page
// loses its content.
const freeTime = 400 * time.Millisecond

// closeTime limits the time in which a page that was given up closes.
const closeTime = 100 * time.Millisecond

// Gone implements driver.Lifeline.
func (d *browserContext) Gone() bool {
	select {
	case <-d.frames.Done:
		return true
	case <-d.browser.conn.Closed():
		return true
	default:
		return false
	}
}

// Interrupt implements driver.Interrupter. A script that never ends is ended, and its page lives
// on; a page that does not answer even then is closed, and its tab is empty.
func (d *browserContext) Interrupt(ctx context.Context) (string, error) {
	const op = "interrupt page"
	if d.Gone() {
		return "", cdp.BrowserGone(op)
	}
	stuck := d.silent(ctx, d.pages(), answerTime)
	if len(stuck) == 0 {
		return "", nil
	}
	for _, h := range stuck {
		cdp.Send(h.Session, runtime.TerminateExecution, proto.Empty{})
	}
	pages := d.where(stuck)
	if stuck = d.silent(ctx, stuck, freeTime); len(stuck) == 0 {
		return fmt.Sprintf("a script in %s did not end and was ended.", pages), nil
	}
	pages = d.where(stuck)
	if err := d.discard(ctx, stuck); err != nil {
		return "", fault.Wrap(err, fault.Unavailable, op)
	}
	return fmt.Sprintf("%s could not be stopped and was closed with all that was in it. "+
		"Navigate to where you want to be.", pages), nil
}

// pages lists the hosts that run scripts of a page: tabs, and frames in processes of their own. A
// tab that crashed or shows a dialog has nothing to interrupt.
func (d *browserContext) pages() []*frames.Host {
	d.frames.Lock()
	defer d.frames.Unlock()
	var out []*frames.Host
	for _, h := range d.frames.Hosts {
		if t := h.Tab; h.Target != "" && !t.Private && !t.Crashed && t.Dialog == nil && !t.Closed() {
			out = append(out, h)
		}
	}
	return out
}

// silent lists the hosts that do not answer in time.
func (d *browserContext) silent(ctx context.Context, hosts []*frames.Host, limit time.Duration) []*frames.Host {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	silent := make([]bool, len(hosts))
	var all sync.WaitGroup
	for i, h := range hosts {
		all.Go(func() {
			_, err := cdp.Call(ctx, h.Session, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
			silent[i] = err != nil && ctx.Err() != nil
		})
	}
	all.Wait()
	var out []*frames.Host
	for i, h := range hosts {
		if silent[i] {
			out = append(out, h)
		}
	}
	return out
}

// where names the pages of hosts for people.
func (d *browserContext) where(hosts []*frames.Host) string {
	d.frames.Lock()
	defer d.frames.Unlock()
	var out []string
	named := map[*frames.Tab]bool{}
	for _, h := range hosts {
		if t := h.Tab; !named[t] && t.Main != nil {
			named[t] = true
			out = append(out, fmt.Sprintf("the page %s (%s)", t.Main.URL, t))
		}
	}
	return strings.Join(out, " and ")
}

// discard ends the processes of pages that cannot be stopped and closes their tabs: a page that
// could not be stopped once would not be stopped when it is loaded again. In place of the active
// tab there is an empty one.
func (d *browserContext) discard(ctx context.Context, hosts []*frames.Host) error {
	whole := map[*frames.Tab]bool{}
	for _, h := range hosts {
		cdp.Send(h.Session, protopage.Crash, proto.Empty{})
		if h.Parent == nil { // else only a frame dies, and the page around it goes on
			whole[h.Tab] = true
		}
	}
	d.frames.Lock()
	active := d.frames.Active
	d.frames.Unlock()
	if whole[active] {
		if _, err := d.openTab(ctx); err != nil {
			return err
		}
	}
	for t := range whole {
		cdp.Send(d.browser.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: t.Target})
	}
	// The device is usable now; that the old page has gone is worth only a moment.
	soon, cancel := context.WithTimeout(ctx, closeTime)
	defer cancel()
	_ = d.frames.Await(soon, "page to close", func() (bool, error) {
		for t := range whole {
			if !t.Closed() {
				return false, nil
			}
		}
		return true, nil
	})
	return nil
}
