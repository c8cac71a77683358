package run

import (
	"context"
	"errors"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/callback"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/workspace"
)

// toolsTime is what the sources of a workspace may take to load before a run.
const toolsTime = time.Minute

// loadTools loads the tools of a workspace and says which are left out. The caller closes them.
func loadTools(
	ctx context.Context, a *shell.Shell, root string, cfg *config.Config, back *callback.Server,
) (*workspace.Sources, error) {
	s, err := app.Tools(app.ToolOptions{
		Root: root, Home: cfg.Home, Env: a.Getenv, Config: func() (*config.Config, error) { return cfg, nil },
		Callback: back,
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, toolsTime)
	defer cancel()
	if err := s.Wait(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for _, p := range s.Problems() {
		a.Warn("%v", p)
	}
	return s, nil
}
