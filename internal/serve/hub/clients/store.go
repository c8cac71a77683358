package clients

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

const (
	lifetime  = 7 * 24 * time.Hour // after a client was last active
	maxStored = 4096
)

// store keeps each client in one file. Calls for one client are made one at a time.
type store struct {
	dir string // "" keeps nothing
	now func() time.Time
}

func (s store) path(id string) string { return filepath.Join(s.dir, id+".json") }

func (s store) save(st State) error {
	const op = "save client"
	if s.dir == "" {
		return nil
	}
	data, err := json.Marshal(st)
	if err != nil {
		return fault.Wrap(err, fault.Internal, op)
	}
	return fault.Wrap(file.Replace(s.path(st.ID), data), fault.Unavailable, op)
}

// load reads a client back; ok is false when there is none, or none that is still good.
func (s store) load(id string) (st State, ok bool) {
	if s.dir == "" || !ValidID(id) {
		return st, false
	}
	data, err := os.ReadFile(s.path(id))
	if err != nil || json.Unmarshal(data, &st) != nil || st.ID != id || s.now().Sub(st.LastCall) > lifetime {
		return State{}, false
	}
	return st, true
}

// sweep removes the files of clients that were not active for a week, and beyond maxStored the
// oldest.
func (s store) sweep() {
	if s.dir == "" {
		return
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	saved := map[string]time.Time{}
	for _, e := range entries {
		id, isClient := strings.CutSuffix(e.Name(), ".json")
		isClient = isClient && ValidID(id)
		info, err := e.Info()
		switch {
		case err != nil:
		case file.Abandoned(e.Name()):
			_ = os.Remove(filepath.Join(s.dir, e.Name()))
		case s.now().Sub(info.ModTime()) <= lifetime:
			if isClient {
				saved[e.Name()] = info.ModTime()
			}
		case isClient || strings.HasPrefix(e.Name(), file.TempPrefix):
			_ = os.Remove(filepath.Join(s.dir, e.Name()))
		}
	}
	for _, name := range Oldest(saved, maxStored) {
		_ = os.Remove(filepath.Join(s.dir, name))
	}
}

// Oldest returns the keys of a map that are too many, those with the oldest times first.
func Oldest[K comparable](times map[K]time.Time, most int) []K {
	if len(times) <= most {
		return nil
	}
	keys := slices.SortedFunc(maps.Keys(times), func(a, b K) int { return times[a].Compare(times[b]) })
	return keys[:len(keys)-most]
}
