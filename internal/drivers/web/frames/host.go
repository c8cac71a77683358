package frames

import (
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// Host is a protocol session that has frames in it: a tab's own, or that of a frame in another
// process.
type Host struct {
	Tab     *Tab
	Parent  *Host // nil for the tab's own
	Target  target.ID
	Session *cdp.Session

	documents map[string]*Document // by the unique id of their isolated world
	mains     map[string]*Frame    // by the unique id of their main world
}

// addHost takes in a session. The lock is held.
func (set *Set) addHost(t *Tab, parent *Host, sess *cdp.Session, id target.ID) *Host {
	h := &Host{
		Tab: t, Parent: parent, Session: sess, Target: id, documents: map[string]*Document{}, mains: map[string]*Frame{},
	}
	set.Hosts[sess.ID()] = h
	return h
}

// AddFrame takes in a frame in a process of its own. The lock is held.
func (set *Set) AddFrame(parent *Host, sess *cdp.Session, info *target.Info) *Host {
	h := set.addHost(parent.Tab, parent, sess, info.TargetID)
	f := parent.Tab.ensureFrame(proto.FrameID(info.TargetID), info.ParentFrameID, h)
	f.Host = h
	f.setDocument(nil) // what was there lived in the parent's process
	f.URL = info.URL
	return h
}

// AddWorker takes in the session of a worker, which has no frames. The lock is held.
func (set *Set) AddWorker(parent *Host, sess *cdp.Session) *Host {
	return set.addHost(parent.Tab, parent, sess, "")
}

// Remove forgets a session with the tab or the frame that it was for, and returns it; nil is one that is not known. The
// lock is held.
func (set *Set) Remove(id target.SessionID) *Host {
	h := set.Hosts[id]
	if h == nil {
		return nil
	}
	delete(set.Hosts, id)
	if h.Parent == nil {
		set.dropTab(h.Tab)
	} else if f := h.Tab.Frames[proto.FrameID(h.Target)]; f != nil && f.Host == h {
		set.explainFrame(f, "its frame was removed from the page")
		h.Tab.removeFrame(f)
	}
	return h
}
