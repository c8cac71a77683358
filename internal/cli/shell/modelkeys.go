package shell

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/llm"
)

// KeysPath is where a daemon takes the keys of models.
const KeysPath = "/v1/model/keys"

// ModelKeys are the keys of models in this environment, by their variables. Settings that cannot be read name none; the
// call itself tells of them.
func (a *Shell) ModelKeys(workspace string) map[string]string {
	var own map[string]any
	if cfg, err := config.Load(config.Sources{Dir: workspace, Env: a.Getenv}); err == nil {
		own = cfg.Project.LLM
	}
	out := map[string]string{}
	for _, name := range llm.Variables(own) {
		if v := a.Getenv(name); v != "" {
			out[name] = v
		}
	}
	return out
}

// GiveKeys hands the keys of this environment to the daemon. They travel on the loopback connection that every call
// takes, and stay in its memory.
func (a *Shell) GiveKeys(ctx context.Context, workspace string) error {
	keys := a.ModelKeys(workspace)
	if len(keys) == 0 || a.Daemon != nil {
		return nil
	}
	to, err := a.Link(ctx, true)
	if err != nil {
		return err
	}
	defer to.Close()
	var none struct{}
	return to.Post(ctx, KeysPath, keys, &none)
}
