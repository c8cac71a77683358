package workspace

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Declares reports whether a workspace has a folder or a server that gives it tools beside those that are built in.
func Declares(root string, p config.Project) bool {
	declared, _ := Declare(root, p)
	return len(Folders(root))+len(declared.folders)+len(p.Servers) > 0
}

// configDir is the folder of the files of a workspace, relative to it.
const configDir = "trails/config"

// toolDirs are the folders in configDir and in a trailmap that hold tools.
var toolDirs = []string{"tools", "shortcuts", "trailheads"}

// makerOptions returns the options for the makers.
func (s *Sources) makerOptions(asked bool) source.Options {
	cfg, err := s.o.Config()
	if err != nil { // the policy refuses each call with it
		s.o.Log.Warn("the settings of a workspace cannot be read", "workspace", s.o.Root, "error", err)
		cfg = s.last
	}
	if cfg.Blank && !asked && len(s.last.Project.Servers) > 0 {
		cfg = s.last
	}
	s.last = cfg
	declared, problems := Declare(s.o.Root, cfg.Project)
	dirs := Folders(s.o.Root)
	for _, dir := range declared.folders {
		if !slices.ContainsFunc(dirs, func(f source.Folder) bool { return f.Dir == dir }) {
			dirs = append(dirs, source.Folder{Dir: dir})
		}
	}
	s.mu.Lock()
	s.relisted = s.relisted || !reflect.DeepEqual(s.declared, declared)
	s.declared, s.wrong, s.folders = declared, problems, dirs
	s.app, _ = cfg.Get("target")
	s.base, _ = cfg.Get("base-url")
	s.mu.Unlock()
	for _, p := range problems {
		s.o.Log.Warn("a declaration is left out", "workspace", s.o.Root, "error", p.Err)
	}
	given := source.Options{
		Root: s.o.Root, Home: s.o.Home, Folders: dirs, Servers: servers(cfg.Project),
		BuiltIn: s.builtIn, Daemon: s.o.Daemon, Tools: s.Registry,
		Targets: declared.Targets, Target: s.targetOf,
		Model: s.o.Model, Report: s.o.Report,
		Trusted: s.trusted, Identity: s.identity, BaseURL: s.o.BaseURL, Grant: s.o.Grant, Env: s.o.Env, Log: s.o.Log,
	}
	given.Script = script.Inline(given)
	if s.o.Makers.Serve != nil {
		given.Serve = s.o.Makers.Serve(given)
	}
	return given
}

// targetOf is the app under test of a session.
func (s *targets) targetOf(m *memory.Store) *source.Target {
	if m == nil {
		return nil
	}
	v, _ := m.Get(tool.TargetKey)
	id, _ := v.(string)
	t, ok := s.Target(id)
	if !ok {
		return nil
	}
	return &t
}

// PageOf returns the address of an app in a browser, by the id of a target or one that the target has on any platform;
// "" when no target has it. The session's baseUrl is the present address of the app under test; the address of another
// app is that of its target.
func (s *targets) PageOf(m *memory.Store, appID string) string {
	same := func(id string) bool { return strings.EqualFold(id, appID) }
	under := s.targetOf(m)
	targets := s.Targets()
	if under != nil {
		targets = append([]source.Target{*under}, targets...)
	}
	for i, t := range targets {
		var ids []string
		for _, p := range t.Platforms {
			ids = append(ids, p.AppIDs...)
		}
		if !same(t.ID) && !slices.ContainsFunc(ids, same) {
			continue
		}
		if under != nil && i == 0 {
			now, _ := m.Get("baseUrl")
			if url, _ := now.(string); url != "" {
				return url
			}
		}
		return t.Platforms[driver.WebPlatform].BaseURL
	}
	return ""
}

// AppOn returns what an app is on a platform, by the id of a target or one that the target has on any platform: its
// address in a browser, or the ids that it may have on a phone, in the order of the target. None: no target has it.
func (s *targets) AppOn(m *memory.Store, p driver.Platform, appID string) []string {
	if p == driver.WebPlatform {
		if url := s.PageOf(m, appID); url != "" {
			return []string{url}
		}
		return nil
	}
	for _, t := range s.Targets() {
		ids := t.Platforms[p].AppIDs
		if slices.Contains(ids, appID) {
			return []string{appID}
		}
		for _, on := range t.Platforms {
			if strings.EqualFold(t.ID, appID) || slices.Contains(on.AppIDs, appID) {
				return ids
			}
		}
	}
	return nil
}

// BaseURL returns a target's own address in a browser, "" when it has none.
func (s *targets) BaseURL(id string) string {
	t, _ := s.Target(id)
	return t.Platforms[driver.WebPlatform].BaseURL
}

// About returns the project's description of the app under test of a session for a model, "" when there is none.
func (s *targets) About(m *memory.Store) string {
	if t := s.targetOf(m); t != nil {
		return t.Prompt
	}
	return ""
}

// Target finds a target by its id.
func (s *targets) Target(id string) (source.Target, bool) {
	for _, t := range s.Targets() {
		if t.ID == id {
			return t, true
		}
	}
	return source.Target{}, false
}

// Targets are the apps that the workspace knows.
func (s *targets) Targets() []source.Target {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.declared.Targets
}

// servers are those that the settings declare.
func servers(p config.Project) (out []source.Server) {
	for _, c := range p.Servers {
		out = append(out, source.Server{
			Name: c.Name, Transport: source.Transport(c.Transport), Command: c.Command, Args: c.Args, Dir: c.Dir,
			Env: c.Env, URL: c.URL, Headers: c.Headers, Sampling: c.Sampling, Secrets: c.Secrets, Timeout: c.Timeout,
			Place: c.Place, Names: source.Names(c.Names), Listed: c.Listed,
		})
	}
	return out
}

// Folders are those of a workspace that exist and may hold tools. Without a workspace there are none.
func Folders(root string) []source.Folder {
	if root == "" {
		return nil
	}
	var out []source.Folder
	add := func(dir, target string) {
		for _, name := range toolDirs {
			if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(dir), name)); err == nil && info.IsDir() {
				out = append(out, source.Folder{Dir: dir + "/" + name, Target: target})
			}
		}
	}
	add(configDir, "")
	maps, _ := os.ReadDir(filepath.Join(root, filepath.FromSlash(configDir), "trailmaps"))
	for _, m := range maps {
		if m.IsDir() {
			add(configDir+"/trailmaps/"+m.Name(), m.Name())
		}
	}
	return out
}

// Folders are those of the workspace that may hold tools, below its root.
func (s *Sources) Folders() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, f := range s.folders {
		out = append(out, f.Dir)
	}
	return out
}
