package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/trailblaze-dev/trailblaze/internal/call/policy"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Workspace is a project folder: its settings and its policy. Calls obey the present files, a browser those at its
// start.
type Workspace struct {
	Root   string
	Policy *policy.Live

	settings func() (*config.Config, error)
	tools    atomic.Pointer[workspace.Sources] // nil while nobody uses them

	mu       sync.Mutex
	baseURLs []string // that the settings have named
}

// NewWorkspace makes a workspace from settings that were read already. The policy file is read when it is needed.
func NewWorkspace(root string, cfg *config.Config, log *slog.Logger) *Workspace {
	return newWorkspace(root, func() (*config.Config, error) { return cfg, nil }, log)
}

func newWorkspace(root string, settings func() (*config.Config, error), log *slog.Logger) *Workspace {
	return &Workspace{Root: root, settings: settings, Policy: policy.Follow(func() (policy.Options, error) {
		cfg, err := settings()
		if err != nil {
			return policy.Options{}, err
		}
		return policyOptions(cfg, root, log), nil
	})}
}

// Memory makes the memory of a session that has no trail: the base URL and the policy's secret bindings. It holds no
// secret, because a secret belongs to the client that gives it with its calls.
func (w *Workspace) Memory() *memory.Store {
	m := memory.New()
	w.Refresh(m)
	if p, err := w.Policy.Current(); err == nil { // an error stops the call itself
		p.Seed(m, nil)
	}
	return m
}

// Registry returns the present tools of the workspace, the built-in ones alone while it is not in use.
func (w *Workspace) Registry() *tool.Registry {
	if s := w.tools.Load(); s != nil {
		return s.Registry()
	}
	reg, _ := tool.Collect(builtIn(w.Root, nil, nil, nil)...)
	return reg
}

// target is the app under test that the settings name, "" when they name none or cannot be read.
func (w *Workspace) target() string {
	cfg, err := w.settings()
	if err != nil {
		return ""
	}
	return cfg.String("target")
}

// baseURL is the name in memory under which tools find the base URL.
const baseURL = "baseUrl"

// Refresh puts the present base URL of the settings, else that of their target, into a session's memory. It leaves one
// alone that they never named, because a call has put it there.
func (w *Workspace) Refresh(m *memory.Store) {
	cfg, err := w.settings()
	if err != nil {
		return // the policy refuses the call with this error
	}
	now := cfg.String("base-url")
	if s := w.tools.Load(); s != nil && now == "" {
		now = s.BaseURL(cfg.String("target"))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	value, _ := m.Get(baseURL)
	have, _ := value.(string)
	switch {
	case have == now || value != nil && !slices.Contains(w.baseURLs, have):
		return
	case now == "":
		m.Delete(baseURL)
		return
	case !slices.Contains(w.baseURLs, now):
		w.baseURLs = append(w.baseURLs, now)
	}
	replay.Values{BaseURL: now}.Seed(m, nil)
}

// Workspaces follows workspaces for a daemon. It keeps the settings and the policy of each, which its calls and its
// browsers obey.
type Workspaces struct {
	Env func(string) string
	Log *slog.Logger

	mu  sync.Mutex
	all map[string]*Workspace
}

// Of is the workspace with this root. Nothing is read yet.
func (w *Workspaces) Of(root string) *Workspace {
	w.mu.Lock()
	defer w.mu.Unlock()
	ws := w.all[root]
	if ws == nil {
		live := config.Follow(config.Sources{Dir: root, Env: envIn(w.Env, root)})
		ws = newWorkspace(root, live.Current, w.Log)
		if w.all == nil {
			w.all = map[string]*Workspace{}
		}
		w.all[root] = ws
	}
	return ws
}

// Settings are the settings of a workspace as their files stand now.
func (w *Workspaces) Settings(root string) (*config.Config, error) { return w.Of(root).settings() }

// CurrentPolicy is the policy of a workspace as its file stands now.
func (w *Workspaces) CurrentPolicy(root string) (*policy.Policy, error) {
	return w.Of(root).Policy.Current()
}

// Tools implements manage.ToolFiles: it makes the tools that are files, for looking at them.
func (w *Workspaces) Tools(ctx context.Context, root string) ([]*tool.Spec, []tool.Problem, error) {
	ws := w.Of(root)
	loaded, err := workspace.Open(workspace.Options{
		Root: root, Config: ws.settings, BuiltIn: builtIn(root, nil, nil, nil), Daemon: ofDaemon,
		Env: w.Env, Log: slog.New(slog.DiscardHandler),
		Makers: workspace.FileMakers(), Toolsets: toolset.Sets(),
	})
	if err != nil {
		return nil, nil, err
	}
	err = loaded.Wait(ctx)
	var specs []*tool.Spec
	for _, t := range loaded.Registry().All() {
		if s := t.Spec(); s.Origin != "" {
			specs = append(specs, s)
		}
	}
	return specs, loaded.Problems(), errors.Join(err, loaded.Close())
}

// Reload implements manage.ToolFiles.
func (w *Workspaces) Reload(ctx context.Context, root string) error {
	if s := w.Of(root).tools.Load(); s != nil {
		_, err := s.Reload(ctx)
		return err
	}
	return nil
}

var _ manage.ToolFiles = (*Workspaces)(nil)

// envIn returns the environment that holds in a workspace. TRAILBLAZE_CONFIG_DIR may name the folder of one project; a
// daemon that was started from there also serves other projects, whose settings are in their own files.
func envIn(env func(string) string, workspace string) func(string) string {
	if env == nil || workspace == "" || env(homedir.EnvConfig) == "" ||
		sameFolder(config.WorkspaceOf(workspace, env), workspace) {
		return env
	}
	return func(name string) string {
		if name == homedir.EnvConfig {
			return ""
		}
		return env(name)
	}
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// policyOptions returns the policy files of a workspace: the user's, and the project's, which adds to it. A file named
// by a flag or a variable holds alone. A setting in the project's own file is relative to the project.
func policyOptions(cfg *config.Config, workspace string, log *slog.Logger) policy.Options {
	o := policy.Options{Workspace: workspace, Log: log}
	user, project, alone := cfg.Policies()
	if o.File = user; project != "" {
		o.Project = filepath.Join(workspace, filepath.FromSlash(project))
	} else if user != "" && !alone {
		o.Project = o.WorkspaceFile()
	}
	if url := cfg.String("base-url"); url != "" {
		o.Base = []string{url}
	}
	return o
}
