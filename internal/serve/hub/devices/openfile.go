package devices

import (
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

// openFile lists the open devices of this pool, for the next one should this one be lost: <random>.json, one per pool,
// because two builds may serve the same home at once.
type openFile struct {
	mu   sync.Mutex
	dir  string // "" keeps nothing
	name string
	last string // content, so that nothing is written twice
	off  bool
}

// openDevice is a device in the file.
type openDevice struct {
	Spec   Spec    `json:"spec"`
	Orphan *orphan `json:"live,omitempty"` // its session, as the next pool will find it
}

func newOpenFile(dir string) *openFile { return &openFile{dir: dir, name: rand.Text() + ".json"} }

// inherit reads and removes the files of pools that are gone: none of their sessions is being written any more. A pool
// that has no session looks like one that is gone, which matters little: only one that starts takes its devices over.
func (f *openFile) inherit(log *slog.Logger, starting bool) []openDevice {
	if f.dir == "" {
		return nil
	}
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil
	}
	var out []openDevice
	for _, e := range entries {
		path := filepath.Join(f.dir, e.Name())
		if file.Abandoned(e.Name()) {
			_ = os.Remove(path)
		}
		if strings.HasPrefix(e.Name(), file.TempPrefix) || !strings.HasSuffix(e.Name(), ".json") || e.Name() == f.name {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		var open []openDevice
		if err := json.Unmarshal(data, &open); err != nil {
			log.Warn("what a lost daemon had open cannot be read", "file", path, "error", err)
		}
		if alive(open) || !starting && !recording(open) {
			continue
		}
		if os.Remove(path) == nil { // of two pools that start at once, one inherits
			out = append(out, open...)
		}
	}
	return out
}

func recording(open []openDevice) bool {
	return slices.ContainsFunc(open, func(d openDevice) bool { return d.Orphan != nil })
}

func alive(open []openDevice) bool {
	return slices.ContainsFunc(open, func(d openDevice) bool {
		return d.Orphan != nil && d.Orphan.Dir != "" && event.Free(d.Orphan.Dir) != nil
	})
}

// write replaces the content, when it is another.
func (f *openFile) write(open []openDevice) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dir == "" || f.off {
		return nil
	}
	data, err := json.Marshal(open)
	if err != nil || string(data) == f.last {
		return err
	}
	if err := file.Replace(filepath.Join(f.dir, f.name), data); err != nil {
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

// remove notes that nothing is open any more.
func (f *openFile) remove() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dir != "" && f.last != "" {
		_ = os.Remove(filepath.Join(f.dir, f.name))
	}
	f.off = true
}
