package web

import (
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// navWatch follows the navigations that begin while an action runs. Device.mu guards it.
type navWatch struct {
	asked   map[proto.FrameID]bool           // frames whose page asked for a new document
	started map[proto.FrameID]bool           // frames that began to load
	ended   map[proto.FrameID]bool           // frames that stopped loading after that
	from    map[proto.FrameID]proto.LoaderID // what was in them when they began to
	opened  []string                         // URLs of the windows asked for
	stops   []func()
}

// watchNavigation begins to watch a tab. Device.mu is held.
func (d *Device) watchNavigation(t *tab) *navWatch {
	w := &navWatch{
		asked: map[proto.FrameID]bool{}, started: map[proto.FrameID]bool{}, ended: map[proto.FrameID]bool{},
		from: map[proto.FrameID]proto.LoaderID{},
	}
	for _, h := range d.hosts {
		if h.tab != t {
			continue
		}
		w.stops = append(w.stops,
			cdp.On(h.sess, page.FrameRequestedNavigation, locked(d, func(e page.EventFrameRequestedNavigation) {
				switch e.Disposition {
				case page.ClientNavigationDispositionNewTab, page.ClientNavigationDispositionNewWindow:
					w.opened = append(w.opened, e.URL)
				case page.ClientNavigationDispositionDownload:
				default:
					w.asked[e.FrameID] = true
				}
			})),
			cdp.On(h.sess, page.FrameStartedNavigating, locked(d, func(e page.EventFrameStartedNavigating) {
				if e.NavigationType == page.FrameStartedNavigatingNavigationTypeHistoryDifferentDocument {
					w.asked[e.FrameID] = true // the only one that no page asks the browser for
				}
			})),
			cdp.On(h.sess, page.NavigatedWithinDocument, locked(d, func(e page.EventNavigatedWithinDocument) {
				if !w.asked[e.FrameID] && e.NavigationType != page.NavigatedWithinDocumentNavigationTypeOther {
					// Another fragment, a route of the page's own; a route that is still being made
					// loads on.
					delete(w.started, e.FrameID)
				}
			})),
			cdp.On(h.sess, page.FrameStartedLoading, locked(d, func(e page.EventFrameStartedLoading) {
				w.started[e.FrameID], w.ended[e.FrameID] = true, false
				if f := t.frames[e.FrameID]; f != nil {
					w.from[e.FrameID] = f.loader
				}
			})),
			cdp.On(h.sess, page.FrameStoppedLoading, locked(d, func(e page.EventFrameStoppedLoading) {
				w.ended[e.FrameID] = true
				if f := t.frames[e.FrameID]; f != nil && !w.asked[e.FrameID] && f.loader == w.from[e.FrameID] {
					delete(w.started, e.FrameID) // it stayed in the document
				}
			})),
			cdp.On(h.sess, page.WindowOpen, locked(d, func(e page.EventWindowOpen) {
				w.opened = append(w.opened, e.URL)
			})),
		)
	}
	return w
}

func (w *navWatch) stop() {
	for _, f := range w.stops {
		f()
	}
}

// forget drops what came to nothing.
func (w *navWatch) forget() {
	clear(w.asked)
	clear(w.started)
	clear(w.ended)
}

// arrived makes the documents that are there now the ones that a further navigation leaves.
func (w *navWatch) arrived(a *action) {
	w.forget()
	for id, f := range a.t.frames {
		a.before.loaders[id] = f.loader
	}
}

// subject is the frame that is navigating: the main frame when it is, else any. Device.mu is held
// for this and the rest.
func (w *navWatch) subject(a *action) *frame {
	m := a.t.main
	if m != nil && (w.asked[m.id] || w.started[m.id] || m.loader != a.before.loaders[m.id]) {
		return m
	}
	for id, f := range a.t.frames {
		was, known := a.before.loaders[id]
		if w.asked[id] || w.started[id] || known && f.loader != was {
			return f
		}
	}
	return nil
}

func (w *navWatch) frame(a *action) *frame {
	if f := w.subject(a); f != nil {
		return f
	}
	return a.t.main
}

func (w *navWatch) leaving(a *action) bool { return w.subject(a) != nil }

func (w *navWatch) begun(a *action) bool {
	f := w.subject(a)
	return f == nil || w.started[f.id] || w.committed(a)
}

func (w *navWatch) committed(a *action) bool {
	f := w.subject(a)
	return f != nil && f.loader != a.before.loaders[f.id]
}

// over: the load was given up, or turned out to be no new document.
func (w *navWatch) over(a *action) bool {
	f := w.subject(a)
	return f == nil || w.started[f.id] && w.ended[f.id] && !w.committed(a)
}

func (w *navWatch) usable(a *action) bool {
	f := w.subject(a)
	return f != nil && w.committed(a) && f.doc != nil && (f.ready == f.loader || f.loaded == f.loader)
}

func (w *navWatch) loaded(a *action) bool {
	f := w.subject(a)
	return f == nil || f.loaded == f.loader && f.doc != nil
}
