package config

import (
	"slices"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

// Live is the settings of a process that outlives changes of their files. It is safe for concurrent
// use.
type Live struct {
	sources Sources

	mu     sync.Mutex
	loaded bool
	stamps []file.Stamp // of the files in the order of Load, and of those that they name
	config *Config
	err    error
}

// Follow makes a Live. Nothing is read yet.
func Follow(s Sources) *Live { return &Live{sources: s} }

// Current returns the present settings of the files. It compares the files' states and reads them only after a change.
// A file that cannot be read is an error until it is mended.
func (l *Live) Current() (*Config, error) {
	at, err := Locate(l.sources)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	files := []string{at.UserFile(), at.rootPath, at.manifestPath}
	if l.config != nil { // a file that was not named before is read once more, so that no change of it is missed
		files = append(files, l.config.named...)
	}
	stamps := make([]file.Stamp, len(files))
	for i, name := range files {
		stamps[i] = file.StampOf(name)
	}
	if !l.loaded || !slices.Equal(stamps, l.stamps) {
		l.loaded, l.stamps = true, stamps
		l.config, l.err = Load(l.sources)
	}
	return l.config, l.err
}
