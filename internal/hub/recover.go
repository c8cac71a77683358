package hub

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/session"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// lost is a session whose device is gone, or whose daemon: its log is whole, the state of its page is not.
type lost struct {
	Session string    `json:"session"`
	Title   string    `json:"title,omitempty"`
	Dir     string    `json:"dir,omitempty"`
	URL     string    `json:"url,omitempty"`
	Started time.Time `json:"started"`
	Actions int       `json:"actions,omitempty"`
	Why     string    `json:"why,omitempty"`

	memory *memory.Store // nil when its process is gone
	daemon bool          // it was the daemon that was lost
}

func (l *lost) status(device string) SessionStatus {
	return SessionStatus{ID: l.Session, Title: l.Title, Device: device, Dir: l.Dir, Started: l.Started, Actions: l.Actions, Lost: true}
}

// recover takes over what lost daemons left behind, and those that made way only now. Nothing is opened before it is needed.
func (h *Hub) recover(starting bool) {
	entries := h.open.inherit(h.o.Log, starting)
	if len(entries) == 0 {
		return
	}
	for _, entry := range entries {
		id, err := slotID(entry.Spec.ID)
		if err != nil {
			continue
		}
		h.choosing.Lock() // or the slot may be forgotten before it has what it inherits
		taken := h.slot(id).inherit(entry)
		h.choosing.Unlock()
		if taken || entry.Lost == nil {
			continue
		}
		if err := entry.Lost.end(h, errLost); err != nil {
			h.o.Log.Warn("a lost session could not be ended", "session", entry.Lost.Session, "error", err)
		}
	}
	h.keepOpen()
}

// inherit puts what a lost daemon had in this slot into it, unless something newer is there already or it is too old: then
// its session is over.
func (sl *slot) inherit(entry openSlot) bool {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	if sl.dev != nil || sl.live != nil || sl.lost != nil || entry.Lost != nil && entry.Lost.old(sl.hub.now()) {
		return false
	}
	entry.Spec.ID = sl.id
	sl.spec = entry.Spec
	if entry.Lost != nil {
		l := *entry.Lost
		l.daemon, l.Why = true, cmp.Or(l.Why, "the daemon was lost")
		sl.lost, sl.url = &l, l.URL
	}
	return true
}

// lostLife is how long a session waits for somebody to come back to it.
const lostLife = 24 * time.Hour

func (l *lost) old(now time.Time) bool {
	info, err := os.Stat(filepath.Join(l.Dir, event.File))
	return err == nil && now.Sub(info.ModTime()) > lostLife
}

var errLost = fault.New(fault.Unavailable, "", "the daemon was lost and nobody came back to the session")

// kept is what a log says about a session that was cut off.
type kept struct {
	actions int
	steps   int          // begun
	step    *event.Step  // still open
	running []event.Call // started and never finished: what they did is unknown
}

func readKept(log *event.Log) (kept, error) {
	var k kept
	started := map[string]event.Call{}
	var order []string
	for e, err := range event.Read(log.Dir()) {
		if err != nil {
			return k, err
		}
		switch {
		case e.Type == event.ToolStarted && e.Call != nil && e.Call.Parent == "":
			started[e.Call.ID] = *e.Call
			order = append(order, e.Call.ID)
		case e.Type == event.ToolCall && e.Call != nil:
			delete(started, e.Call.ID)
		case e.Type == event.Note && e.Note != nil && e.Note.Level == "warning": // an earlier story told of these already
			maps.DeleteFunc(started, func(id string, _ event.Call) bool { return strings.Contains(e.Note.Text, inDoubt(id)) })
		case e.Type == event.StepStarted && e.Step != nil:
			k.step, k.steps = e.Step, max(k.steps, e.Step.Index+1)
		case e.Type == event.StepEnded:
			k.step = nil
		}
		if acted(e) {
			k.actions++
		}
	}
	for _, id := range order {
		if c, ok := started[id]; ok {
			k.running = append(k.running, c)
		}
	}
	return k, nil
}

// returnTimeout bounds opening the last page again: a site that is down must not keep the client from its session.
const returnTimeout = 10 * time.Second

// resume continues a lost session on a fresh device, brings it to where it was, and says what is missing: in the log once,
// and to every seat that was here before.
func (sl *slot) resume(ctx context.Context, c *call, sp *space, dev driver.Device, was *lost) (*live, error) {
	mem := was.memory
	if mem == nil {
		mem = sp.memory()
	}
	sess, err := session.Open(ctx, session.Options{
		Root: sl.hub.o.Sessions, ID: was.Session, Device: dev, Memory: mem, Version: sl.hub.o.Version, Now: sl.hub.o.Now, Resume: true,
	})
	if err != nil {
		return nil, err
	}
	k, err := readKept(sess.Log)
	if err != nil {
		_ = sess.Leave()
		return nil, err
	}
	l := watch(sess, was.Started, k.actions)
	l.steps.next = k.steps
	if k.step != nil {
		_, _ = sess.Log.Append(event.Event{Type: event.StepEnded, Step: &event.Step{
			Index: k.step.Index, Kind: k.step.Kind, Text: k.step.Text, Outcome: event.Undecided,
		}})
	}
	c.feed.tell(Progress{Event: "device", Message: "going back to " + was.URL})
	text := story(was, k, goBack(ctx, dev, was.URL))
	if _, err := sess.Log.Append(event.Event{Type: event.Note, Note: &event.NoteText{Level: "warning", Text: text}}); err != nil {
		_ = sess.Leave()
		return nil, err
	}
	if was.daemon {
		sl.tell(text)
	}
	return sl.seated(l), nil
}

// goBack opens the last page again and says, when that cannot be, why.
func goBack(ctx context.Context, dev driver.Device, url string) string {
	nav, ok := driver.As[driver.Navigator](dev)
	switch {
	case url == "" || strings.HasPrefix(url, "about:"):
		return "No page was open."
	case !ok:
		return "Open where you were again."
	case masked(url):
		return "The last page was not opened again, because its address holds a secret."
	}
	back, cancel := context.WithTimeout(ctx, returnTimeout)
	defer cancel()
	if _, err := nav.Navigate(back, driver.Navigation{URL: url}); err != nil {
		if back.Err() != nil && ctx.Err() == nil { // it may be the page itself that lets nobody in
			mend, done := context.WithTimeout(ctx, mendTime)
			defer done()
			_, _ = interrupt(mend, dev)
		}
		return fmt.Sprintf("%s could not be opened again: %v.", url, err)
	}
	return fmt.Sprintf("%s was opened again.", url)
}

// story is what a client must know about a session that was cut off.
func story(was *lost, k kept, back string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Session %s was interrupted: %s. All %d recorded actions were kept. %s", was.Session, was.Why, k.actions, back)
	b.WriteString(" Cookies, what was typed into forms and the state of the page are gone.")
	for _, c := range k.running {
		fmt.Fprintf(&b, " %s was running %s: its outcome is unknown, look before you repeat it.", c.Name, inDoubt(c.ID))
	}
	return b.String()
}

// inDoubt names a call whose outcome is unknown.
func inDoubt(id string) string { return "(call " + id + ")" }

// end ends a session that nobody comes back to.
func (l *lost) end(h *Hub, why error) error {
	sess, err := session.Open(context.WithoutCancel(h.life), session.Options{Root: h.o.Sessions, ID: l.Session, Resume: true})
	if err != nil {
		return err
	}
	outcome := event.Passed
	if why != nil {
		outcome = event.Broken
	}
	return sess.CloseWith(outcome, why)
}
