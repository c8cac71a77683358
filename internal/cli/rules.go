package cli

import (
	"log/slog"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/policy"
)

// policies reads the policy of each workspace once: what a page was allowed stays so while its browser lives.
type policies struct {
	env func(string) string
	log *slog.Logger

	mu   sync.Mutex
	read map[string]*policy.Policy
}

func (p *policies) of(workspace string) (*policy.Policy, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if have := p.read[workspace]; have != nil {
		return have, nil
	}
	cfg, err := config.Load(config.Sources{Dir: workspace, Env: p.env})
	if err != nil {
		return nil, err
	}
	o := policy.Options{Workspace: workspace, File: p.env(policy.EnvFile), Log: p.log}
	if url := cfg.String("base-url"); url != "" {
		o.Base = []string{url}
	}
	pol, err := policy.Load(o)
	if err != nil {
		return nil, err // not kept: the file may be mended
	}
	if p.read == nil {
		p.read = map[string]*policy.Policy{}
	}
	p.read[workspace] = pol
	return pol, nil
}
