package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// Input holds the sources of a report.
type Input struct {
	ID, Title string
	Sessions  []string // directories
	Extra     []Trail  // trails that have no session: unreadable, or never begun
	Notes     []string // of the run
}

// blob is the file of a stored picture.
type blob struct{ dir, mime string }

// Build reads the sessions and makes the model. A session that cannot be read becomes a note, since the others can
// still be reported; it is an error only when nothing is left.
func Build(in Input) (*Report, error) {
	r := &Report{Schema: Schema, ID: in.ID, Title: in.Title, blobs: map[string]blob{}, Trails: []Trail{}, Notes: in.Notes}
	var attempts []Attempt
	var firstErr error
	for _, dir := range in.Sessions {
		b := newBuilder(r, dir)
		if err := b.read(); err != nil {
			firstErr = cmp.Or(firstErr, err)
			r.Notes = append(r.Notes, fmt.Sprintf("session %s could not be read: %v", filepath.Base(dir), err))
		}
		attempts = append(attempts, b.finish()...)
	}
	if len(attempts) == 0 && len(in.Extra) == 0 && firstErr != nil {
		return nil, fault.Wrap(firstErr, "", "build report")
	}
	r.fill(attempts, in.Extra)
	r.boundPages()
	return r, nil
}

// fill makes the trails of the attempts, and what is said of all of them.
func (r *Report) fill(attempts []Attempt, extra []Trail) {
	r.Trails = append(group(attempts), extra...)
	slices.SortStableFunc(r.Trails, func(a, b Trail) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.device(), b.device()),
			cmp.Compare(a.Repeat, b.Repeat))
	})
	r.countDevices()
	r.summarise(attempts)
}

// group puts the attempts of each trail together.
func group(attempts []Attempt) []Trail {
	type key struct {
		path, hash, device string
		repeat             int
	}
	index := map[key]int{}
	var trails []Trail
	for _, a := range attempts {
		k := key{a.path, a.hash, a.Device, a.repeat}
		i, ok := index[k]
		if !ok || slices.ContainsFunc(trails[i].Attempts, func(b Attempt) bool { return b.Number == a.Number }) {
			i = len(trails)
			index[k] = i
			trails = append(trails, Trail{Path: a.path, ID: a.id, Title: title(a), Tags: a.tags, Repeat: a.repeat})
		}
		trails[i].Attempts = append(trails[i].Attempts, a)
	}
	for i := range trails {
		trails[i].decide()
	}
	return trails
}

// decide derives the trail's outcome from its attempts: the last one decides, and a pass after a failure is flaky.
func (t *Trail) decide() {
	slices.SortStableFunc(t.Attempts, func(a, b Attempt) int { return cmp.Compare(a.Number, b.Number) })
	last := t.Attempts[len(t.Attempts)-1]
	t.Outcome, t.Reason, t.Failure = last.Outcome, last.Reason, last.Failure
	for _, a := range t.Attempts {
		t.DurationMS += a.DurationMS
		t.Price = t.Price.Plus(a.Price)
		if last.Outcome == event.Passed && a.Outcome != event.Passed {
			t.Outcome = event.Flaky
		}
	}
}

// device is that of the trail's attempts, which are all on one.
func (t *Trail) device() string {
	if len(t.Attempts) == 0 {
		return t.Device
	}
	return t.Attempts[0].Device
}

// countDevices names the devices, if there is more than one.
func (r *Report) countDevices() {
	counts := map[string]*Counts{}
	for i := range r.Trails {
		if id := r.Trails[i].device(); id != "" {
			if counts[id] == nil {
				counts[id] = &Counts{}
			}
			counts[id].add(r.Trails[i].Outcome)
		}
	}
	if len(counts) < 2 {
		for i := range r.Trails {
			r.Trails[i].Device = ""
		}
		return
	}
	for i := range r.Trails {
		r.Trails[i].Device = r.Trails[i].device()
	}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		r.Devices = append(r.Devices, Device{ID: id, Counts: *counts[id]})
	}
}

func title(a Attempt) string {
	switch {
	case a.title != "":
		return a.title
	case a.id != "":
		return a.id
	case a.path != "":
		return strings.TrimSuffix(filepath.Base(a.path), ".trail.yaml")
	}
	return "Session " + a.Session
}

// severity orders outcomes for the run as a whole, the worst last.
var severity = map[event.Outcome]int{
	event.Skipped: 0, event.Passed: 1, event.Flaky: 2, event.Healed: 3, event.Failed: 4, event.Undecided: 5,
	event.Canceled: 6, event.Broken: 7, running: 8,
}

func (r *Report) summarise(attempts []Attempt) {
	var end time.Time
	for _, a := range attempts {
		if r.Started.IsZero() || a.Started.Before(r.Started) {
			r.Started = a.Started
		}
		if e := a.Started.Add(time.Duration(a.DurationMS * float64(time.Millisecond))); e.After(end) {
			end = e
		}
		r.Platform = cmp.Or(r.Platform, a.Platform)
		r.Browser, r.Version = cmp.Or(r.Browser, a.Browser), cmp.Or(r.Version, a.version)
	}
	if end.After(r.Started) {
		r.DurationMS = ms(end.Sub(r.Started))
	}
	r.Outcome = event.Skipped
	for _, t := range r.Trails {
		r.Counts.add(t.Outcome)
		if severity[t.Outcome] > severity[r.Outcome] {
			r.Outcome = t.Outcome
		}
	}
	if r.Title == "" {
		r.Title = "Trailblaze run"
		if len(r.Trails) == 1 {
			r.Title = r.Trails[0].Title
		}
	}
}

func (c *Counts) add(o event.Outcome) {
	c.Total++
	switch o {
	case event.Passed:
		c.Passed++
	case event.Failed:
		c.Failed++
	case event.Skipped:
		c.Skipped++
	case event.Canceled:
		c.Canceled++
	case event.Flaky:
		c.Flaky++
	case event.Healed:
		c.Healed++
	case event.Undecided:
		c.Undecided++
	case event.Broken:
		c.Broken++
	case running:
	default:
		c.Broken++
	}
}

// ms is d in milliseconds with microseconds after the point.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// WriteJSON writes the report as one indented document. Pictures stay in the sessions' folders, named by their blobs.
func WriteJSON(w io.Writer, r *Report) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return fault.Wrap(enc.Encode(r), fault.Unavailable, "write JSON report")
}
