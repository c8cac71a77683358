package app

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/page"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/callback"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// ToolOptions shape the tools of a workspace.
type ToolOptions struct {
	Root     string                         // files to upload and trails to call are read below it
	Home     string                         // the user's own folder
	Config   func() (*config.Config, error) // the settings as their files stand; nil: none
	Env      func(string) string            // nil: no variables
	Callback *callback.Server               // where processes call back; nil: nowhere
	Trust    bool                           // the user trusts the workspace for now
	Follow   bool                           // changes of files are followed
	Idle     bool                           // load no source: see workspace.Options
	Model    agent.Source                   // of the tools that ask one; nil: there is none
	Makers   workspace.Makers               // none: of every kind
	Log      *slog.Logger                   // nil discards
}

// Tools makes the tools of a workspace, built in and of its sources. The caller closes them.
func Tools(o ToolOptions) (*workspace.Sources, error) {
	var s *workspace.Sources
	model := o.Model
	if model != nil {
		model = func(ctx context.Context, asked string) (*agent.Use, error) {
			use, err := o.Model(ctx, asked)
			if err != nil {
				return nil, err
			}
			own := *use
			own.About = s.About
			return &own, nil
		}
	}
	apps := func(m *memory.Store, p driver.Platform, appID string) []string { return s.AppOn(m, p, appID) }
	all := builtIn(o.Root, func() *tool.Registry { return s.Registry() }, model, apps)
	if o.Makers.Kinds == nil {
		o.Makers = workspace.AllMakers()
	}
	given := workspace.Options{
		Root: o.Root, Home: o.Home, Config: o.Config, BuiltIn: all, Daemon: ofDaemon, Env: o.Env, Trust: o.Trust,
		Follow: o.Follow, Idle: o.Idle, Log: o.Log, Makers: o.Makers, Toolsets: toolset.Sets(),
		Report: func(ctx context.Context, message string, done, total int) {
			if c := calls.From(ctx); c != nil {
				c.Tell(calls.Progress{Event: "server", Message: message, Step: done + 1, Total: total})
			}
		},
	}
	if o.Model != nil {
		given.Model = completer(o.Model)
	}
	if o.Callback != nil {
		given.BaseURL = o.Callback.URL
		given.Grant = func(reach func(string) []string) (string, func()) { return o.Callback.Grant(reach) }
	}
	s, err := workspace.Open(given)
	return s, err
}

// builtIn are the tools of the product. A trail that a trail calls finds its tools with reg.
func builtIn(root string, reg func() *tool.Registry, model agent.Source, apps page.Apps) []tool.Tool {
	return append(append(append(tools.BuiltinIn(root, apps), agent.Tools(model)...), replay.NewRunTrail(
		func(path string) (*trail.Trail, error) { return loadIn(root, path) }, reg,
	)), compiled...)
}

// BuiltInTools are the tools that every trail can call.
func BuiltInTools() []tool.Tool { return builtIn("", nil, nil, nil) }

// compiled are the tools of a team that were built into the program.
var compiled []tool.Tool

// Compile puts the tools of a team beside those of the product, for as long as the process lives. It is called once,
// before anything else.
func Compile(own ...tool.Tool) error {
	for _, t := range own {
		s := t.Spec()
		if err := tool.ValidCustomName(s.Name); err != nil {
			return err
		}
		if s.Origin == "" {
			s.Origin = "Go code of this program"
		}
		if len(s.Categories) == 0 {
			s.Categories = []string{string(toolset.Custom)}
		}
	}
	if _, err := tool.NewRegistry(append(builtIn("", nil, nil, nil), own...)...); err != nil {
		return err
	}
	compiled = own
	return nil
}

// Catalog lists the tools of the product, the management tools of the daemon too. It describes them; it cannot run
// them.
func Catalog() (*tool.Registry, error) {
	return tool.NewRegistry(append(builtIn("", nil, nil, nil), manage.Tools(nil, manage.Options{})...)...)
}

// managed describes the management tools.
var managed = sync.OnceValue(func() *tool.Registry {
	reg, _ := tool.Collect(manage.Tools(nil, manage.Options{})...)
	return reg
})

// ofDaemon finds a management tool. A YAML tool may call one, as a script may.
func ofDaemon(name string) (*tool.Spec, bool) {
	t, ok := managed().Get(name)
	if !ok {
		return nil, false
	}
	return t.Spec(), true
}

// Linter makes a linter that knows these tools.
func Linter(reg *tool.Registry) *replay.Linter {
	return &replay.Linter{Registry: reg, NeedsModel: tools.NeedsModel()}
}

// LoadTrail reads the trail file name. Messages call it shown. The warnings come back with or without an error.
func LoadTrail(name, shown string) (*trail.Trail, trail.Problems, error) {
	data, err := file.Read(name, yaml.MaxSize)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.Invalid, "read trail")
	}
	return parse(shown, data, filepath.Dir(name))
}

// loadIn reads a trail below root, for trails that call others.
func loadIn(root, path string) (*trail.Trail, error) {
	const op = "read trail"
	if root == "" {
		root = "."
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = dir.Close() }()
	rel := filepath.FromSlash(path)
	if filepath.IsAbs(rel) {
		abs, err := filepath.Abs(root)
		if err != nil {
			return nil, fault.Wrap(err, fault.Internal, op)
		}
		if rel, err = filepath.Rel(abs, rel); err != nil {
			return nil, fault.Wrap(err, fault.Denied, op)
		}
	}
	data, err := file.ReadIn(dir, rel, yaml.MaxSize)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, op)
	}
	t, _, err := parse(path, data, filepath.Join(root, filepath.Dir(rel)))
	return t, err
}

// parse reads a trail strictly. The trails that it calls are found from dir.
func parse(shown string, data []byte, dir string) (*trail.Trail, trail.Problems, error) {
	t, problems := trail.Parse(shown, data, trail.Strict)
	if err := problems.Err(); err != nil || t == nil {
		return nil, problems.Warnings(), err
	}
	var err error
	if t.Dir, err = filepath.Abs(dir); err != nil {
		return nil, problems.Warnings(), fault.Wrap(err, fault.Internal, "read trail")
	}
	return t, problems.Warnings(), nil
}

// NewCallback makes the server for tools in other processes: the door of callbacks, and the typed services beside it.
func NewCallback(log *slog.Logger) *callback.Server {
	return callback.New(callback.Options{
		Log:      log,
		Services: func(calls callback.Calls, knows func(string) bool) http.Handler { return api.Inside(calls, knows) },
	})
}
