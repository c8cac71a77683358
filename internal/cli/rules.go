package cli

import (
	"log/slog"
	"os"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/policy"
)

// policies follows the policy of each workspace: calls obey the file as it stands, browsers as it was when they began.
type policies struct {
	env func(string) string
	log *slog.Logger

	mu     sync.Mutex
	follow map[string]*policy.Live
}

func (p *policies) live(workspace string) (*policy.Live, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if have := p.follow[workspace]; have != nil {
		return have, nil
	}
	cfg, err := config.Load(config.Sources{Dir: workspace, Env: envIn(p.env, workspace)})
	if err != nil {
		return nil, err
	}
	if p.follow == nil {
		p.follow = map[string]*policy.Live{}
	}
	l := policy.Follow(policyOptions(cfg, workspace, p.log))
	p.follow[workspace] = l
	return l, nil
}

// of is the policy of a workspace as it stands.
func (p *policies) of(workspace string) (*policy.Policy, error) {
	l, err := p.live(workspace)
	if err != nil {
		return nil, err
	}
	return l.Current()
}

// envIn is the environment as it counts in a workspace. TRAILBLAZE_CONFIG_DIR may name the folder of one project; a daemon
// that was started from there serves others too, and what holds in those stands in their own files.
func envIn(env func(string) string, workspace string) func(string) string {
	if env == nil || workspace == "" || env(config.EnvConfigDir) == "" || sameFolder(config.WorkspaceOf(workspace, env), workspace) {
		return env
	}
	return func(name string) string {
		if name == config.EnvConfigDir {
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
