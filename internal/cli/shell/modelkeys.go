package shell

import (
	"cmp"

	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/llm"
)

// ModelKeys are the keys of models that a client of the daemon brings, by their variables: those in this environment,
// and that of the named provider from the keyring. The daemon keeps them for this client's calls alone. Settings that
// cannot be read name none; the call itself tells of them.
func (a *Shell) ModelKeys(workspace, asked string) map[string]string {
	c := llm.Choosing{Env: a.Getenv, Keyring: a.keyring, Asked: asked}
	if cfg, err := config.Load(config.Sources{Dir: workspace, Env: a.Env}); err == nil {
		c.Config, c.Asked = cfg.Project.LLM, cmp.Or(asked, cfg.String("llm"))
	}
	return llm.Keys(c)
}

// keyring is that of the caller's session, which the daemon may not be in.
func (a *Shell) keyring(provider string) string {
	if a.Host != nil {
		_ = a.Host.Decline() // what follows has no way to the daemon
		return ""
	}
	return llm.Keyring(provider)
}
