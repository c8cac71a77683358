package inspect

import (
	"context"
	"embed"
	"runtime"
	"sync"
	"weak"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Query, Category: "OBSERVATION"}

var spec = set.Any

// last keeps the newest snapshot that was shown in each session, as the base of changes for calls without a reader
// (see tool.Viewer). A session is identified by its memory, of which there is exactly one; when that is collected, its
// snapshot goes with it.
type last struct {
	views sync.Map // weak.Pointer[memory.Store] -> *screen.Snapshot
}

// viewer returns the reader: the one whom the caller named, else the session as a whole.
func (l *last) viewer(ctx context.Context, session *memory.Store) tool.Viewer {
	if v := tool.ViewerOf(ctx); v != nil {
		return v
	}
	return sessionViewer{l, session}
}

// sessionViewer takes all who look in a session for one. They have no bound, and nothing is kept for them.
type sessionViewer struct {
	l       *last
	session *memory.Store
}

// LastView implements tool.Viewer.
func (v sessionViewer) LastView() *screen.Snapshot {
	if v.session == nil {
		return nil
	}
	before, _ := v.l.views.Load(weak.Make(v.session))
	snap, _ := before.(*screen.Snapshot)
	return snap
}

// Show implements tool.Viewer.
func (v sessionViewer) Show(now *screen.Snapshot) {
	if v.session == nil {
		return
	}
	l, key := v.l, weak.Make(v.session)
	if _, seen := l.views.Swap(key, now); !seen {
		runtime.AddCleanup(v.session, func(key weak.Pointer[memory.Store]) { l.views.Delete(key) }, key)
	}
}

// MaxTokens implements tool.Viewer.
func (sessionViewer) MaxTokens() int { return 0 }

// Keep implements tool.Viewer.
func (sessionViewer) Keep(string) string { return "" }

// unrecorded is the spec of a query that scripts and servers call and recordings do not keep.
func unrecorded(name, title string) tool.Spec {
	s := spec(name, title)
	s.ExposedToLLM, s.Recordable = false, false
	return s
}
