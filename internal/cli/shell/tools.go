package shell

import (
	"context"
	"errors"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// toolsTime limits the time in which the sources of a workspace load. It is more than an external server has for it,
// so that one of them does not hold up a run for good.
const toolsTime = 90 * time.Second

// TrustHelp is the text of --trust.
const TrustHelp = "let the project start the servers and tools that it declares, this once; see trailblaze trust"

// LoadTools loads the tools of a workspace and says which are left out. The caller closes them.
func (a *Shell) LoadTools(ctx context.Context, cfg *config.Config, o app.ToolOptions) (*workspace.Sources, error) {
	s, err := a.OpenTools(ctx, cfg, o)
	if err == nil {
		a.WarnOfTools(s.Problems())
	}
	return s, err
}

// WarnOfTools lists the tools that are left out, with the reasons.
func (a *Shell) WarnOfTools(list []tool.Problem) {
	for _, p := range list {
		a.Warn("%v", p)
		if hint := fault.HintOf(p.Err); hint != "" {
			a.Errorf(" hint: %s\n", hint)
		}
	}
}

// OpenTools loads the tools of a workspace. The caller closes them.
func (a *Shell) OpenTools(ctx context.Context, cfg *config.Config, o app.ToolOptions) (*workspace.Sources, error) {
	o.Home, o.Env = cfg.Home, a.Getenv
	o.Config = func() (*config.Config, error) { return cfg, nil }
	s, err := app.Tools(o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, toolsTime)
	defer cancel()
	if err := s.Wait(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for _, text := range s.Started() {
		a.Errorf("%s\n", text)
	}
	return s, nil
}
