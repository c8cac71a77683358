package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Change lists the changes by a reload.
type Change struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	Total   int      `json:"total"`
}

// Reload reads the declarations and every source again, and returns the changes. Calls under way keep their tools.
func (s *Sources) Reload(ctx context.Context) (Change, error) {
	before := s.Registry()
	s.remake(true)
	s.mu.Lock()
	all := slices.Clone(s.all)
	s.mu.Unlock()
	until := make(map[*loader]int, len(all))
	for _, l := range all {
		until[l] = s.ask(l)
	}
	err := s.wait(ctx, until)
	s.tell() // returns when whoever watches has the tools as they are now
	now := s.Registry()
	out := Change{Added: missing(now, before), Removed: missing(before, now), Total: len(now.All())}
	return out, err
}

// missing are the names in a that b lacks.
func missing(a, b *tool.Registry) []string {
	out := []string{}
	for _, name := range a.Names() {
		if _, ok := b.Get(name); !ok {
			out = append(out, name)
		}
	}
	return out
}

// basis is everything that a source of one kind was made from. A source with the same basis needs not be made anew.
func (s *Sources) basis(kind int, src tool.Source, given source.Options) string {
	for _, server := range given.Servers {
		if src.Origin() == server.Title() {
			return fmt.Sprintf("%d %s %#v", kind, src.Origin(), server)
		}
	}
	return fmt.Sprintf("%d %s %#v %#v", kind, src.Origin(), given.Folders, given.Targets)
}

// content returns the further content that a server was made of: after a change of it a reload starts the server
// again.
func (s *Sources) content(src tool.Source, given source.Options) string {
	for _, server := range given.Servers {
		if src.Origin() == server.Title() {
			return s.addContent(server.Process()).Content
		}
	}
	return ""
}

// remake brings the sources into line with the declarations. Those whose declaration has not changed stay, so that no
// server is started again because another one was added. A file that is empty may be about to be written, which is the
// next event: only asked takes it as it is.
func (s *Sources) remake(asked bool) {
	s.making.Lock()
	defer s.making.Unlock()
	given := s.makerOptions(asked)
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	old := make(map[string]*loader, len(s.all))
	for _, l := range s.all {
		old[l.basis] = l
	}
	s.mu.Unlock()
	var now, fresh []*loader
	for kind, makes := range s.o.Makers.Kinds {
		for _, src := range makes(given) {
			key := s.basis(kind, src, given)
			have, content := old[key], ""
			if have == nil || asked {
				content = s.content(src, given)
			}
			if have != nil && (!asked || have.content == content) {
				delete(old, key)
				_ = src.Close() // it was never loaded
				now = append(now, have)
				continue
			}
			l := newLoader(s.life, src, key)
			l.content = content
			now, fresh = append(now, l), append(fresh, l)
		}
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.all = now
	s.publishLocked()
	for _, l := range fresh {
		s.startLocked(l)
	}
	gone := slices.Collect(maps.Values(old))
	if len(gone) > 0 {
		s.work.Go(func() { _ = s.end(gone) })
	}
	relisted := s.relisted
	s.relisted = false
	s.mu.Unlock()
	if len(gone) > 0 || relisted {
		s.tell()
	}
}

// follow keeps the sources up to date with the files of the workspace, until Close. Events that come while something is
// being loaded make one more load.
func (s *Sources) follow() {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		s.o.Log.Warn("changes of tools are not noticed by themselves", "workspace", s.o.Root, "error", err)
		return
	}
	defer func() { _ = w.Close() }()
	s.refresh(w) // of what has changed since Open
	for {
		select {
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			s.noticed(w, e)
		case err := <-w.Errors:
			s.o.Log.Warn("changes of tools may have been missed", "workspace", s.o.Root, "error", err)
			s.refresh(w)
		case <-s.life.Done():
			return
		}
	}
}

// noticed acts on a change of a file.
func (s *Sources) noticed(w *fsnotify.Watcher, e fsnotify.Event) {
	if e.Op == fsnotify.Chmod {
		return
	}
	dir, name := filepath.Split(e.Name)
	dir = filepath.Clean(dir)
	switch {
	case dir == filepath.Clean(cmp.Or(s.o.Home, "-")) && dir != s.o.Root:
		if name == trustName {
			s.askRefused()
		}
	case name == configName, name == manifestName:
		s.refresh(w)
	case dir == s.o.Root:
		if name == "trails" {
			s.refresh(w)
		}
	case s.inTools(e.Name):
		if e.Has(fsnotify.Create) {
			s.watchTree(w, e.Name)
		}
		s.askFiles()
	default:
		s.refresh(w) // a folder above those of the tools
	}
}

// refresh reads the declarations again, and watches the folders that have come.
func (s *Sources) refresh(w *fsnotify.Watcher) {
	s.watchFolders(w) // before: what changes from here on is told
	s.remake(false)
	s.watchFolders(w)
	s.askFiles() // of what was written before it was watched
}

// inTools reports whether a path is below a folder of tools that is known.
func (s *Sources) inTools(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.folders, func(f source.Folder) bool {
		return strings.HasPrefix(path, filepath.Join(s.o.Root, filepath.FromSlash(f.Dir))+string(filepath.Separator))
	})
}

// askFiles has those sources loaded again that have no other way to learn of changes.
func (s *Sources) askFiles() {
	s.askIf(func(l *loader) bool {
		_, notifies := l.Source.(tool.Notifier)
		_, follows := l.Source.(source.Follower)
		return !notifies || follows
	})
}

// askRefused has those sources loaded again that were not trusted.
func (s *Sources) askRefused() {
	s.askIf(func(l *loader) bool {
		return slices.ContainsFunc(l.problems, func(p tool.Problem) bool { return fault.KindOf(p.Err) == fault.Denied })
	})
}

func (s *Sources) askIf(is func(*loader) bool) {
	s.mu.Lock()
	var some []*loader
	for _, l := range s.all {
		if is(l) {
			some = append(some, l)
		}
	}
	s.mu.Unlock()
	for _, l := range some {
		s.ask(l)
	}
}

// watchFolders watches every folder whose files decide which tools there are. Those that are watched already stay so.
func (s *Sources) watchFolders(w *fsnotify.Watcher) {
	above := []string{".", "trails", configDir, trailmapDir}
	maps, _ := os.ReadDir(filepath.Join(s.o.Root, filepath.FromSlash(trailmapDir)))
	for _, m := range maps {
		if m.IsDir() {
			above = append(above, trailmapDir+"/"+m.Name())
		}
	}
	for _, dir := range above {
		_ = w.Add(filepath.Join(s.o.Root, filepath.FromSlash(dir))) // most do not exist
	}
	if s.o.Home != "" {
		_ = w.Add(s.o.Home)
	}
	s.mu.Lock()
	known := slices.Clone(s.folders)
	s.mu.Unlock()
	for _, f := range known {
		s.watchTree(w, filepath.Join(s.o.Root, filepath.FromSlash(f.Dir)))
	}
}

// maxWatched bounds the folders of tools that are watched.
const maxWatched = 1000

// watchTree watches a folder and those below it. A path that is no folder is left alone.
func (s *Sources) watchTree(w *fsnotify.Watcher, root string) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || !e.IsDir():
			return nil //nolint:nilerr // what goes meanwhile is told by the next event
		case path != root && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"):
			return filepath.SkipDir
		case len(w.WatchList()) >= maxWatched:
			return errTooMany
		}
		return w.Add(path)
	})
	if err != nil {
		s.o.Log.Warn("changes below a folder are not noticed by themselves", "folder", root, "error", err)
	}
}

var errTooMany = errors.New("there are too many folders")
