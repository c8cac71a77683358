package act

import (
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

// navWatch follows the navigations that begin while an action runs. The lock guards it.
type navWatch struct {
	asked   map[proto.FrameID]bool           // frames whose page asked for a new document
	started map[proto.FrameID]bool           // frames that began to load
	ended   map[proto.FrameID]bool           // frames that stopped loading after that
	from    map[proto.FrameID]proto.LoaderID // what was in them when they began to
	opened  []string                         // URLs of the windows asked for
	stops   []func()
}

// watchNavigation begins to watch a tab. The lock is held.
func (p *Performer) watchNavigation(t *frames.Tab) *navWatch {
	w := &navWatch{
		asked: map[proto.FrameID]bool{}, started: map[proto.FrameID]bool{}, ended: map[proto.FrameID]bool{},
		from: map[proto.FrameID]proto.LoaderID{},
	}
	for _, h := range t.OwnHosts() {
		w.stops = append(w.stops,
			cdp.On(h.Session, page.FrameRequestedNavigation, frames.Locked(p.frames, func(e page.EventFrameRequestedNavigation) {
				switch e.Disposition {
				case page.ClientNavigationDispositionNewTab, page.ClientNavigationDispositionNewWindow:
					w.opened = append(w.opened, e.URL)
				case page.ClientNavigationDispositionDownload:
				default:
					w.asked[e.FrameID] = true
				}
			})),
			cdp.On(h.Session, page.FrameStartedNavigating, frames.Locked(p.frames, func(e page.EventFrameStartedNavigating) {
				if e.NavigationType == page.FrameStartedNavigatingNavigationTypeHistoryDifferentDocument {
					w.asked[e.FrameID] = true // the only one that no page asks the browser for
				}
			})),
			cdp.On(h.Session, page.NavigatedWithinDocument, frames.Locked(p.frames, func(e page.EventNavigatedWithinDocument) {
				if !w.asked[e.FrameID] && e.NavigationType != page.NavigatedWithinDocumentNavigationTypeOther {
					// Another fragment, a route of the page's own; a route that is still being made
					// loads on.
					delete(w.started, e.FrameID)
				}
			})),
			cdp.On(h.Session, page.FrameStartedLoading, frames.Locked(p.frames, func(e page.EventFrameStartedLoading) {
				w.started[e.FrameID], w.ended[e.FrameID] = true, false
				if f := t.Frames[e.FrameID]; f != nil {
					w.from[e.FrameID] = f.Loader
				}
			})),
			cdp.On(h.Session, page.FrameStoppedLoading, frames.Locked(p.frames, func(e page.EventFrameStoppedLoading) {
				w.ended[e.FrameID] = true
				if f := t.Frames[e.FrameID]; f != nil && !w.asked[e.FrameID] && f.Loader == w.from[e.FrameID] {
					delete(w.started, e.FrameID) // it stayed in the document
				}
			})),
			cdp.On(h.Session, page.WindowOpen, frames.Locked(p.frames, func(e page.EventWindowOpen) {
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

// forget drops the navigations that ended without a document.
func (w *navWatch) forget() {
	clear(w.asked)
	clear(w.started)
	clear(w.ended)
}

// arrived makes the documents that are there now the ones that a further navigation leaves.
func (w *navWatch) arrived(a *action) {
	w.forget()
	for id, f := range a.t.Frames {
		a.before.loaders[id] = f.Loader
	}
}

// subject is the frame that is navigating: the main frame when it is, else any. The lock is held
// for this and the rest.
func (w *navWatch) subject(a *action) *frames.Frame {
	m := a.t.Main
	if m != nil && (w.asked[m.ID] || w.started[m.ID] || m.Loader != a.before.loaders[m.ID]) {
		return m
	}
	for id, f := range a.t.Frames {
		was, known := a.before.loaders[id]
		if w.asked[id] || w.started[id] || known && f.Loader != was {
			return f
		}
	}
	return nil
}

func (w *navWatch) frame(a *action) *frames.Frame {
	if f := w.subject(a); f != nil {
		return f
	}
	return a.t.Main
}

func (w *navWatch) leaving(a *action) bool { return w.subject(a) != nil }

func (w *navWatch) begun(a *action) bool {
	f := w.subject(a)
	return f == nil || w.started[f.ID] || w.committed(a)
}

func (w *navWatch) committed(a *action) bool {
	f := w.subject(a)
	return f != nil && f.Loader != a.before.loaders[f.ID]
}

// over: the load was given up, or turned out to be no new document.
func (w *navWatch) over(a *action) bool {
	f := w.subject(a)
	return f == nil || w.started[f.ID] && w.ended[f.ID] && !w.committed(a)
}

func (w *navWatch) usable(a *action) bool {
	f := w.subject(a)
	return f != nil && w.committed(a) && f.Document != nil && (f.Ready == f.Loader || f.Loaded == f.Loader)
}

func (w *navWatch) loaded(a *action) bool {
	f := w.subject(a)
	return f == nil || f.Loaded == f.Loader && f.Document != nil
}
