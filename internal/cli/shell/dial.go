package shell

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/api"
	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/client"
	"github.com/trailblaze-dev/trailblaze/internal/proc"
)

// caller carries out tool calls: the daemon in life, a fake in tests. Ending ctx ends the call.
type caller interface {
	Call(ctx context.Context, r api.CallRequest, progress func(api.Progress)) (*api.Reply, error)
}

// Dial finds the daemon, or starts it.
func (a *Shell) Dial(ctx context.Context) (caller, error) {
	if a.Daemon != nil {
		return a.Daemon, nil
	}
	c, err := a.Link(ctx, true)
	if err != nil {
		return nil, err
	}
	return linked{c}, nil
}

// Link is the way to the daemon of this home; start says whether one may be started.
func (a *Shell) Link(ctx context.Context, start bool) (*client.Client, error) {
	home, err := config.HomeOf(a.Getenv)
	if err != nil {
		return nil, err
	}
	return client.Dial(ctx, client.Options{Home: home, Start: start, Env: a.DaemonEnv()})
}

// pathEnv are the variables that hold a path. The browser's may be a name, too.
var pathEnv = []string{config.EnvConfigDir, "TRAILBLAZE_POLICY", "TRAILBLAZE_LOGS_DIR", "TRAILBLAZE_REPORTS_DIR",
	"TRAILBLAZE_BROWSER"}

// DaemonEnv is the environment of a daemon that we start: what programs need to run here and our settings, no secrets
// and nothing else of a shell's. Relative paths become absolute, since a daemon stands in another folder.
func (a *Shell) DaemonEnv() []string {
	if a.Environ == nil {
		return nil
	}
	env := proc.Env(a.Environ(), func(name string) bool {
		return strings.HasPrefix(name, "TRAILBLAZE_") && !strings.HasPrefix(name, SecretEnv) ||
			strings.HasPrefix(name, "OTEL_")
	})
	for i, e := range env {
		name, path, _ := strings.Cut(e, "=")
		if path == "" || !slices.Contains(pathEnv, name) || !strings.ContainsAny(path, `/\`) && name == "TRAILBLAZE_BROWSER" {
			continue
		}
		if abs, err := filepath.Abs(path); err == nil {
			env[i] = name + "=" + abs
		}
	}
	return env
}

// linked makes calls at the daemon's JSON door.
type linked struct{ *client.Client }

// Call implements caller. Ending ctx closes the connection, and that ends the call over there.
func (l linked) Call(ctx context.Context, r api.CallRequest, progress func(api.Progress)) (*api.Reply, error) {
	var out api.Reply
	return &out, l.WithHealthCheck(ctx, client.CheckEvery, ControlTime, func(ctx context.Context) error {
		if progress == nil {
			return l.Post(ctx, "/v1/call", r, &out)
		}
		return l.PostLines(ctx, "/v1/call", r, func(line json.RawMessage) {
			var p api.Progress
			if json.Unmarshal(line, &p) == nil {
				progress(p)
			}
		}, &out)
	})
}

// TextOf is what a reply says.
func TextOf(r *api.Reply) string {
	if r.Result == nil {
		return ""
	}
	out := ""
	for _, piece := range r.Result.Content {
		if piece.Text != "" {
			if out != "" {
				out += "\n"
			}
			out += piece.Text
		}
	}
	return out
}
