package hands

import (
	"strings"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	protopage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

// recent is the time after something that a person did in which going back and forth may be the page's doing: the
// browser does not report which of the two it is.
const recent = time.Second

// follow hears of the pages that the browser opens in a tab without being asked by a page. Its handlers run one after
// the other.
func (h *Hands) follow(host *frames.Host) {
	if host.Parent != nil {
		return
	}
	s, t := host.Session, host.Tab
	f := following{h: h, tab: t, at: -1}
	mine := func(id proto.FrameID) (main bool) {
		h.Frames.Locked(func() {
			if main = t.Main != nil && t.Main.ID == id; main && f.here == "" {
				f.here = t.Main.URL
			}
		})
		return main
	}
	cdp.On(s, protopage.FrameRequestedNavigation, func(e protopage.EventFrameRequestedNavigation) {
		f.asked = f.asked || mine(e.FrameID)
	})
	cdp.On(s, protopage.FrameStartedNavigating, func(e protopage.EventFrameStartedNavigating) {
		if mine(e.FrameID) {
			f.began(e)
		}
	})
	cdp.On(s, protopage.FrameNavigated, func(e protopage.EventFrameNavigated) {
		if e.Frame.ParentID == "" {
			f.arrived(e.Frame.URL)
			if e.Type == protopage.NavigationTypeBackForwardCacheRestore {
				f.look()
			}
		}
	})
	cdp.On(s, protopage.NavigatedWithinDocument, func(e protopage.EventNavigatedWithinDocument) {
		if mine(e.FrameID) {
			f.arrived(e.URL)
			f.look()
		}
	})
	cdp.On(s, protopage.FrameStoppedLoading, func(e protopage.EventFrameStoppedLoading) {
		if mine(e.FrameID) { // before that the history may still be the one before
			f.look()
		}
	})
}

// following follows the pages that come into a tab.
type following struct {
	h     *Hands
	tab   *frames.Tab
	asked bool   // a page asked for the next one
	next  string // how a person has the browser open the next one: goto, reload, history, tab; "" when they do not
	url   string // of the next one
	here  string // address of the page that is there
	at    int64  // its place in the history; -1 until that is known
	moved bool   // it is there by way of the history, in which direction is not known
}

// newTab begins the address of what the browser shows in a tab that a person opens.
const newTab = "chrome://new"

func (f *following) began(e protopage.EventFrameStartedNavigating) {
	f.next, f.url = "goto", e.URL
	switch {
	case f.asked:
		f.next = ""
	case e.NavigationType == protopage.FrameStartedNavigatingNavigationTypeReload,
		e.NavigationType == protopage.FrameStartedNavigatingNavigationTypeReloadBypassingCache:
		f.next = "reload"
	case e.NavigationType == protopage.FrameStartedNavigatingNavigationTypeHistoryDifferentDocument,
		e.NavigationType == protopage.FrameStartedNavigatingNavigationTypeHistorySameDocument:
		if f.next = "history"; f.h.acted(f.tab) {
			f.next = ""
		}
	case strings.HasPrefix(f.here, newTab):
		f.next = "tab"
	case f.here == "" || strings.HasPrefix(f.here, "about:"): // a page has opened the tab with this one in it
		f.next = ""
	}
	f.asked = false
}

func (f *following) arrived(url string) {
	switch f.next {
	case "goto":
		f.h.opened(f.tab, driver.Navigation{Action: f.next, URL: f.url})
	case "reload":
		f.h.opened(f.tab, driver.Navigation{Action: f.next})
	case "tab":
		f.h.opened(f.tab, driver.Navigation{URL: f.url})
	}
	f.moved, f.next, f.here = f.next == "history", "", url
	f.h.mu.Lock()
	defer f.h.mu.Unlock()
	f.h.leaves = nil
}

// look finds the place of the page in the history.
func (f *following) look() {
	cdp.Go(f.tab.Session, protopage.GetNavigationHistory, proto.Empty{},
		func(r protopage.GetNavigationHistoryResult, err error) {
			if err != nil {
				return
			}
			was := f.at
			f.at = r.CurrentIndex
			if !f.moved || was < 0 {
				return
			}
			f.moved = false
			switch f.at - was {
			case -1:
				f.h.opened(f.tab, driver.Navigation{Action: "back"})
			case 1:
				f.h.opened(f.tab, driver.Navigation{Action: "forward"})
			default:
				f.h.opened(f.tab, driver.Navigation{Action: "goto", URL: f.here})
			}
		})
}

// acted reports whether a person has done something in the page of a tab a moment ago.
func (h *Hands) acted(t *frames.Tab) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	x := h.last
	return x != nil && x.doc.Frame.Tab == t && x.doc.Ended() == nil && time.Since(x.began) < recent
}

// opened makes a gesture of a page that a person had the browser open.
func (h *Hands) opened(t *frames.Tab, n driver.Navigation) {
	h.mu.Lock()
	if !h.heard {
		h.mu.Unlock()
		return
	}
	over := h.leave()
	h.takeClosed()
	h.browsing = &browsing{Navigation: n, tab: t, over: make(chan struct{})}
	h.ready = append(h.ready, &doing{browsing: h.browsing, taken: true})
	h.mu.Unlock()
	over(nil, nil)
	h.changed.Notify()
}

// Detached hears that a session is about to end. When a person closes a tab, that is a gesture as soon as they do
// something else, as somebody who closes the window closes all of its tabs. A page in the process of the page that
// opened it ends without an event, so the end of its tab is no gesture.
func (h *Hands) Detached(id target.SessionID) {
	var t *frames.Tab
	var open []driver.Tab
	h.Frames.Locked(func() {
		if host := h.Frames.Hosts[id]; host != nil && host.Parent == nil && !host.Tab.Private {
			t = host.Tab
		}
		for _, o := range h.Frames.Tabs {
			open = append(open, driver.Tab{ID: o.ID})
		}
	})
	h.mu.Lock()
	if t == nil || !h.heard || h.leaves == nil || h.leaves.Frame != t.Main {
		h.mu.Unlock()
		return
	}
	over := h.leave()
	h.closed = append(h.closed, &doing{browsing: &browsing{tab: t, tabs: open, over: make(chan struct{})}, taken: true})
	h.mu.Unlock()
	over(nil, nil)
	h.changed.Notify()
}
