package hub

import (
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/event"
)

// openFile says what this hub has open, for the next one should this one be lost: run/live/<random>.json, one per hub,
// because two builds may serve the same home at once.
type openFile struct {
	mu   sync.Mutex
	dir  string // "" keeps nothing
	name string
	last string // content, so that nothing is written twice
	off  bool
}

// openSlot is a slot in the file.
type openSlot struct {
	Spec DeviceSpec `json:"spec"`
	Lost *lost      `json:"live,omitempty"` // its session, as the next hub will find it
}

func newOpenFile(home string) *openFile {
	f := &openFile{name: rand.Text() + ".json"}
	if home != "" {
		f.dir = filepath.Join(home, "run", "live")
	}
	return f
}

// inherit reads and removes the files of hubs that are gone: none of their sessions is being written any more. A hub that has
// no session cannot be told from one that is gone, which matters little: only one that starts takes its slots over.
func (f *openFile) inherit(log *slog.Logger, starting bool) []openSlot {
	if f.dir == "" {
		return nil
	}
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil
	}
	var out []openSlot
	for _, e := range entries {
		path := filepath.Join(f.dir, e.Name())
		if strings.HasPrefix(e.Name(), tempPrefix) || !strings.HasSuffix(e.Name(), ".json") || e.Name() == f.name {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		var slots []openSlot
		if err := json.Unmarshal(data, &slots); err != nil {
			log.Warn("what a lost daemon had open cannot be read", "file", path, "error", err)
		}
		if alive(slots) || !starting && !recording(slots) {
			continue
		}
		if os.Remove(path) == nil { // of two hubs that start at once, one inherits
			out = append(out, slots...)
		}
	}
	return out
}

func recording(slots []openSlot) bool {
	return slices.ContainsFunc(slots, func(s openSlot) bool { return s.Lost != nil })
}

func alive(slots []openSlot) bool {
	for _, s := range slots {
		if s.Lost != nil && s.Lost.Dir != "" && event.Free(s.Lost.Dir) != nil {
			return true
		}
	}
	return false
}

// write replaces the content, when it is another.
func (f *openFile) write(slots []openSlot) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dir == "" || f.off {
		return nil
	}
	data, err := json.Marshal(slots)
	if err != nil || string(data) == f.last {
		return err
	}
	if err := replaceFile(filepath.Join(f.dir, f.name), data); err != nil {
		return err
	}
	f.last = string(data)
	return nil
}

// stop keeps the file as it is from now on.
func (f *openFile) stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.off = true
}

// remove says that nothing is open any more.
func (f *openFile) remove() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dir != "" && f.last != "" {
		_ = os.Remove(filepath.Join(f.dir, f.name))
	}
	f.off = true
}

// keepOpen writes down what is open now. The page's address and the session are masked and no login state is in it.
func (h *Hub) keepOpen() {
	h.keeping.Lock()
	defer h.keeping.Unlock()
	var out []openSlot
	for _, sl := range h.allSlots() {
		sl.mu.Lock()
		o := openSlot{Spec: sl.spec, Lost: sl.lost}
		if l := sl.live; l != nil {
			o.Lost = &lost{Session: l.sess.ID, Title: l.title(), Dir: l.sess.Dir, URL: sl.url, Started: l.started, Why: sl.why}
		}
		if sl.dev != nil || o.Lost != nil {
			out = append(out, o)
		}
		sl.mu.Unlock()
	}
	if err := h.open.write(out); err != nil {
		h.o.Log.Warn("what is open could not be written down", "error", err)
	}
}
