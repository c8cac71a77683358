package shell

import (
	"cmp"

	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/llm"
)

// ModelKeys returns the model settings that a client of the daemon brings, by their variables: the keys in this
// environment, that of the named provider from the keyring, and the settings of config.OfClient. The daemon keeps them
// for the calls of this client alone. Settings that cannot be read name none; the call itself reports them.
func (a *Shell) ModelKeys(workspace, asked string) map[string]string {
	c := llm.Choosing{Env: a.Getenv, Keyring: a.keyring, Asked: asked}
	if cfg, err := config.Load(config.Sources{Dir: workspace, Env: a.Env}); err == nil {
		c.Config, c.Asked = cfg.Project.LLM, cmp.Or(asked, cfg.String("llm"))
	}
	keys := llm.Keys(c)
	for _, name := range config.OfClient {
		if k, err := config.Lookup(name); err == nil && a.Getenv(k.Env) != "" {
			if keys == nil {
				keys = map[string]string{}
			}
			keys[k.Env] = a.Getenv(k.Env)
		}
	}
	return keys
}

// keyring is that of the caller's session, which the daemon may not be in.
func (a *Shell) keyring(provider string) string {
	if a.Host != nil {
		_ = a.Host.Decline() // what follows has no way to the daemon
		return ""
	}
	return llm.Keyring(provider)
}
