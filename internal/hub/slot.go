package hub

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// slot is a named place for a device. It is made when it is first meant; its device comes and goes, and when there are many
// those are forgotten that have none.
// Only the call that has the claim changes it; mu is for those who only look.
type slot struct {
	id    string
	hub   *Hub
	claim claim

	mu      sync.Mutex
	spec    DeviceSpec
	dev     driver.Device // nil: none is open
	info    driver.Info
	wanted  int           // calls that are about to use it
	used    time.Time     // when a call last wanted it
	live    *live         // nil: no session runs
	lost    *lost         // a session that runs, whose device is gone
	past    *memory.Store // of the newest session: what was secret stays secret for as long as the slot lives
	notices []notice
	why     string // the session will be left, for whoever resumes it
	url     string // where the device was last seen
}

// notice is what everybody who used the slot before must be told once.
type notice struct {
	text string
	at   time.Time
	told map[string]bool // by handle
}

const maxNotices = 8

// tell leaves a notice for those who were here before now, except those who know.
func (sl *slot) tell(text string, knows ...*Seat) {
	told := map[string]bool{}
	for _, s := range knows {
		told[s.handle] = true
	}
	sl.mu.Lock()
	defer sl.mu.Unlock()
	sl.notices = append(sl.notices, notice{text, sl.hub.now(), told})
	if len(sl.notices) > maxNotices {
		sl.notices = slices.Delete(sl.notices, 0, 1)
	}
}

// news is what this seat has not been told yet.
func (sl *slot) news(s *Seat) []string {
	created := s.State().Created
	sl.mu.Lock()
	defer sl.mu.Unlock()
	var out []string
	for _, n := range sl.notices {
		if !n.told[s.handle] && !created.After(n.at) {
			n.told[s.handle] = true
			out = append(out, n.text)
		}
	}
	return out
}

// look is what stands in the slot now.
func (sl *slot) look() (driver.Device, *live, *lost) {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	return sl.dev, sl.live, sl.lost
}

// counts says whether the slot is one that a client can mean without naming it.
func (sl *slot) counts() bool {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	return sl.dev != nil || sl.lost != nil || sl.wanted > 0
}

// reserve keeps the slot for a workspace. What another workspace wanted of a device that is no more does not bind it.
func (sl *slot) reserve(workspace string) {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	if sl.dev == nil && sl.lost == nil && sl.wanted == 0 && sl.spec.Workspace != workspace {
		sl.spec, sl.notices = DeviceSpec{ID: sl.id, Workspace: workspace}, nil
	}
	sl.wanted++
	sl.used = sl.hub.now()
}

func (sl *slot) unreserve() {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	sl.wanted--
}

func (sl *slot) workspace() string {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	return sl.spec.Workspace
}

// ready makes sure that the slot has a device that lives and a session that records. The caller has the claim.
func (sl *slot) ready(ctx context.Context, c *call, sp *space) (*live, error) {
	dev, _, _ := sl.look()
	if dev != nil && gone(dev) {
		sl.drop("its browser or phone died")
	}
	if err := sl.opened(ctx, c); err != nil {
		return nil, err
	}
	return sl.recording(ctx, c, sp)
}

// gone asks a device whether it is dead, without waiting for it.
func gone(dev driver.Device) bool {
	l, ok := driver.As[driver.Lifeline](dev)
	return ok && l.Gone()
}

// drop gives up a device that is of no use any more. Its session goes on with the next one; everybody is told. The caller
// has the claim.
func (sl *slot) drop(why string) {
	sl.mu.Lock()
	dev, l, url := sl.dev, sl.live, sl.url
	sl.dev, sl.live = nil, nil
	if l != nil {
		sl.lost = l.lost(url, why)
	}
	sl.mu.Unlock()
	if l != nil {
		if err := l.leave(); err != nil {
			sl.hub.o.Log.Warn("session did not close cleanly", "session", l.sess.ID, "error", err)
		}
	}
	if dev != nil { // a dead device may take its time to close
		sl.hub.work.Go(func() { _ = dev.Close() })
	}
	sl.tell(sl.id + " had to be opened anew: " + why + ". What was not saved is gone: cookies, what was typed into forms, the state of the page.")
	sl.hub.keepOpen()
}

// end ends the slot's session and closes its device. A login state that was given goes with it: who opens the slot next may
// be somebody else. The caller has the claim, or nobody can have it any more.
func (sl *slot) end(outcome event.Outcome, why error) error {
	sl.mu.Lock()
	dev, l, gone := sl.dev, sl.live, sl.lost
	sl.dev, sl.live, sl.lost, sl.url = nil, nil, nil, ""
	sl.spec.StorageState = nil
	sl.mu.Unlock()
	var errs []error
	if l != nil {
		errs = append(errs, l.end(outcome, why))
	}
	if gone != nil {
		errs = append(errs, gone.end(sl.hub, why))
	}
	if dev != nil {
		errs = append(errs, dev.Close())
	}
	sl.hub.keepOpen()
	return errors.Join(errs...)
}

// shut is end for a hub that closes.
func (sl *slot) shut() {
	if err := sl.end(event.Passed, nil); err != nil {
		sl.hub.o.Log.Warn("slot did not end cleanly", "device", sl.id, "error", err)
	}
}

// place notes where the device is, when it can say so without being asked.
func (sl *slot) place(ctx context.Context, mem *memory.Store) {
	dev, _, _ := sl.look()
	nav, ok := driver.As[driver.Navigator](dev)
	if dev == nil || !ok {
		return
	}
	url, err := nav.URL(ctx)
	if err != nil {
		return
	}
	url = mem.Mask(url)
	sl.mu.Lock()
	moved := url != sl.url
	sl.url = url
	sl.mu.Unlock()
	if moved {
		sl.hub.keepOpen()
	}
}

// masked says whether a secret was cut out of a text.
func masked(text string) bool { return strings.Contains(text, memory.Masked) }
