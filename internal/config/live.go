package config

import (
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/file"
)

// Live is the settings of a process that outlives changes of their files. It is safe for concurrent
// use.
type Live struct {
	sources Sources

	mu     sync.Mutex
	loaded bool
	stamps [3]file.Stamp // of the files in the order of Load
	config *Config
	err    error
}

// Follow makes a Live. Nothing is read yet.
func Follow(s Sources) *Live { return &Live{sources: s} }

// Current gives the settings as the files hold them now. It looks at the files' states and reads
// them only after a change. A file that cannot be read is an error until somebody mends it.
func (l *Live) Current() (*Config, error) {
	at, err := Locate(l.sources)
	if err != nil {
		return nil, err
	}
	stamps := [3]file.Stamp{
		file.StampOf(at.UserFile()), file.StampOf(at.rootPath), file.StampOf(at.manifestPath),
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.loaded || stamps != l.stamps {
		l.loaded, l.stamps = true, stamps
		l.config, l.err = Load(l.sources)
	}
	return l.config, l.err
}
