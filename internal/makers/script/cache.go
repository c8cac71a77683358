package script

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// cacheFormat is another number whenever a file would be described in another way.
const cacheFormat = 2

// maxCache bounds the file of a cache.
const maxCache = 32 << 20

// cache keeps what files were found to define, so that a daemon starts without running them. It holds no code.
type cache struct {
	Format string             `json:"format"`
	Files  map[string]*record `json:"files"`
}

// record holds the definitions of one file, as long as its inputs have not changed.
type record struct {
	Inputs map[string]string `json:"inputs"` // hashes by path
	Tools  []described       `json:"tools,omitempty"`

	program *program // when the file was bundled in this process
}

// loaded are the tools of one file.
type loaded struct {
	*record
	tools    []tool.Tool
	problems []tool.Problem
}

// note keeps that the record was made of a file.
func (r *record) note(name string, data []byte) {
	sum := sha256.Sum256(data)
	r.Inputs[name] = hex.EncodeToString(sum[:])
}

// current reports whether every file that the record was made of is as it was, and no description has come.
func (r *record) current(root *os.Root, desc []descriptor) bool {
	if slices.ContainsFunc(desc, func(d descriptor) bool { return r.Inputs[d.File] == "" }) {
		return false
	}
	for name, want := range r.Inputs {
		data, err := file.ReadIn(root, name, maxNodeFile)
		sum := sha256.Sum256(data)
		if err != nil || hex.EncodeToString(sum[:]) != want {
			return false
		}
	}
	return true
}

// hash is one hash of all that the record was made of.
func (r *record) hash() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(r.Inputs)) {
		_, _ = fmt.Fprintln(h, name, r.Inputs[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// format distinguishes the caches of builds that describe files in different ways.
func format() string {
	sum := sha256.Sum256([]byte(defineJS + runtimeJS + webJS + urlJS + intlJS))
	return fmt.Sprintf("%d-%x", cacheFormat, sum[:6])
}

func (s *Source) cacheFile() string {
	if s.o.Home == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(s.o.Root + "\n" + s.folder.Dir))
	return filepath.Join(s.o.Home, "cache", "scripts", hex.EncodeToString(sum[:8])+".json")
}

// readCache reads a cache, an empty one when there is none that fits.
func readCache(name string) *cache {
	empty := &cache{Format: format(), Files: map[string]*record{}}
	if name == "" {
		return empty
	}
	data, err := file.Read(name, maxCache)
	if err != nil {
		return empty
	}
	c := &cache{}
	if json.Unmarshal(data, c) != nil || c.Format != empty.Format || c.Files == nil {
		return empty
	}
	return c
}

// forget drops the files that are gone, and writes the cache when it has changed. A cache that cannot be written costs
// time at the next start and nothing else.
func (s *Source) forget(names []string) {
	gone := func(name string) bool { return !slices.Contains(names, name) }
	maps.DeleteFunc(s.kept, func(name string, _ *loaded) bool { return gone(name) })
	before := len(s.cache.Files)
	maps.DeleteFunc(s.cache.Files, func(name string, _ *record) bool { return gone(name) })
	if !s.changed && before == len(s.cache.Files) {
		return
	}
	s.changed = false
	if name := s.cacheFile(); name != "" {
		if data, err := json.Marshal(s.cache); err == nil {
			_ = file.Replace(name, data)
		}
	}
}
