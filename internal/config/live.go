package config

import (
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/file"
)

// Live is the settings of a process that outlives changes of their files. It is safe for concurrent
// use.
type Live struct {
	sources Sources

	mu        sync.Mutex
	loaded    bool
	user, own file.Stamp
	config    *Config
	err       error
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
	user, own := file.StampOf(at.UserFile()), file.StampOf(at.WorkspaceFile())
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.loaded || user != l.user || own != l.own {
		l.loaded, l.user, l.own = true, user, own
		l.config, l.err = Load(l.sources)
	}
	return l.config, l.err
}
