package devices

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/memory/mask"
)

// orphan is a session whose device has gone, or whose daemon: its log is whole, the state of its
// page is not.
type orphan struct {
	Session string    `json:"session"`
	Title   string    `json:"title,omitempty"`
	Dir     string    `json:"dir,omitempty"`
	URL     string    `json:"url,omitempty"`
	Started time.Time `json:"started"`
	Actions int       `json:"actions,omitempty"`
	Why     string    `json:"why,omitempty"`

	memory *memory.Store // nil when its process is gone
	daemon bool          // the daemon was lost, not the device alone
}

func (o *orphan) status(device string) SessionStatus {
	return SessionStatus{
		ID: o.Session, Title: o.Title, Device: device, Dir: o.Dir, Started: o.Started, Actions: o.Actions,
		Orphaned: true,
	}
}

// orphanLife is the time for which an orphaned session waits to be continued.
const orphanLife = 24 * time.Hour

func (o *orphan) old(now time.Time) bool {
	info, err := os.Stat(filepath.Join(o.Dir, event.File))
	return err == nil && now.Sub(info.ModTime()) > orphanLife
}

// history holds the facts of a log about a session that was cut off.
type history struct {
	actions int
	steps   int          // begun
	step    *event.Step  // still open
	running []event.Call // started and never finished: their outcome is unknown
	masked  bool         // a call was given a secret
}

func readHistory(log *event.Log) (history, error) {
	var h history
	started := map[string]event.Call{}
	var order []string
	for e, err := range event.Read(log.Dir()) {
		if err != nil {
			return h, err
		}
		switch {
		case e.Type == event.ToolStarted && e.Call != nil && e.Call.Parent == "":
			started[e.Call.ID] = *e.Call
			order = append(order, e.Call.ID)
		case e.Type == event.ToolCall && e.Call != nil:
			delete(started, e.Call.ID)
		case e.Type == event.Note && e.Note != nil && e.Note.Level == "warning":
			maps.DeleteFunc(started, func(id string, _ event.Call) bool {
				return strings.Contains(e.Note.Text, inDoubt(id)) // an earlier report told of it
			})
		case e.Type == event.StepStarted && e.Step != nil:
			h.step, h.steps = e.Step, max(h.steps, e.Step.Index+1)
		case e.Type == event.StepEnded:
			h.step = nil
		}
		h.count(e)
	}
	h.running = inOrder(started, order)
	return h, nil
}

// count adds an event to the history.
func (h *history) count(e event.Event) {
	if acted(e) {
		h.actions++
	}
	h.masked = h.masked || e.Call != nil && strings.Contains(string(e.Call.Args), mask.Masked)
}

// inOrder are the calls of these ids that are there.
func inOrder(calls map[string]event.Call, ids []string) []event.Call {
	var out []event.Call
	for _, id := range ids {
		if c, ok := calls[id]; ok {
			out = append(out, c)
		}
	}
	return out
}

// interruption returns the notice to a client about a session that was cut off.
func interruption(was *orphan, h history, back string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Session %s was interrupted: %s. All %d recorded actions were kept. %s",
		was.Session, was.Why, h.actions, back)
	b.WriteString(" Cookies, what was typed into forms and the state of the page are gone.")
	if h.masked && was.memory == nil {
		b.WriteString(" A secret that was spelled out in an argument is not masked any more: give it with --secret or " +
			"TRAILBLAZE_SECRET_<name>.")
	}
	for _, c := range h.running {
		fmt.Fprintf(&b, " %s was running %s: its outcome is unknown, look before you repeat it.", c.Name, inDoubt(c.ID))
	}
	return b.String()
}

// inDoubt names a call whose outcome is unknown.
func inDoubt(id string) string { return "(call " + id + ")" }
