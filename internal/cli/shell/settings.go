package shell

import (
	"cmp"
	"maps"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
)

// Settings loads the configuration; flags that were given and are named like a setting win over everything.
func (a *Shell) Settings(cmd *cobra.Command) (*config.Config, error) {
	dir, err := a.WorkingDir()
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	given := map[string]string{}
	for _, k := range config.Keys() {
		if f := cmd.Flags().Lookup(k.Name); f != nil && f.Changed {
			given[k.Name] = f.Value.String()
		}
	}
	if f := cmd.Flags().Lookup("headed"); f != nil && f.Changed {
		headed, _ := strconv.ParseBool(f.Value.String())
		given["headless"] = strconv.FormatBool(!headed)
	}
	cfg, err := config.Load(config.Sources{Dir: dir, Env: a.Env, Flags: given})
	if err != nil {
		return nil, err
	}
	for _, w := range cfg.Warnings {
		a.Warn("%s", w)
	}
	return cfg, nil
}

// Pairs reads "name=value" flags.
func Pairs(flag string, given []string) (map[string]string, error) {
	out := map[string]string{}
	for _, g := range given {
		name, value, ok := strings.Cut(g, "=")
		if !ok || strings.TrimSpace(name) == "" {
			shown := g
			if flag == "secret" {
				shown = "…" // it may be the secret itself
			}
			return nil, fault.New(fault.Invalid, "read command line", "--%s %s is not name=value", flag, shown)
		}
		out[strings.TrimSpace(name)] = value
	}
	return out, nil
}

// ReadSecrets gathers --secret flags and TRAILBLAZE_SECRET_<name> variables; flags win. A name all in capitals, as
// variables have it, is also known in camel case: TRAILBLAZE_SECRET_CARD_CODE is CARD_CODE and cardCode.
func (a *Shell) ReadSecrets(flags []string) (map[string]string, error) {
	out := map[string]string{}
	for _, e := range a.Environ() {
		k, v, _ := strings.Cut(e, "=")
		if name, ok := strings.CutPrefix(k, homedir.EnvSecret); ok && name != "" {
			out[name] = v
			if name == strings.ToUpper(name) {
				out[camel(name)] = v
			}
		}
	}
	given, err := Pairs("secret", flags)
	if err != nil {
		return nil, err
	}
	maps.Copy(out, given)
	return out, nil
}

// ClientSecrets gathers the secrets that a client of the daemon gives with its calls: those of readSecrets, and the
// variables that the workspace's policy names. A policy that cannot be read is the daemon's to report.
func (a *Shell) ClientSecrets(workspace string) (map[string]string, error) {
	out, err := a.ReadSecrets(nil)
	if err != nil {
		return nil, err
	}
	all := &app.Workspaces{Env: a.Getenv}
	p, err := all.CurrentPolicy(workspace)
	if err != nil {
		return out, nil //nolint:nilerr // the daemon refuses the call with it
	}
	cfg, err := all.Settings(workspace)
	if err != nil {
		return nil, err
	}
	env := app.Trusted(cfg, p, a.Getenv, a.Warn)
	for _, s := range p.Secrets() {
		if v := env(s.Env); s.Env != "" && v != "" {
			out[s.Name] = v
		}
	}
	return out, nil
}

// camel turns CARD_CODE into cardCode.
func camel(name string) string {
	var b strings.Builder
	for i, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' }) {
		if i > 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
	}
	return b.String()
}

// ModelKeys returns the model settings that a client of the daemon brings, by their variables: the keys in this
// environment, that of the named provider from the keyring, and the settings of config.OfClient. The daemon keeps them
// for the calls of this client alone. Settings that cannot be read name none; the call itself reports them.
func (a *Shell) ModelKeys(workspace, asked string) map[string]string {
	c := llm.Choosing{Env: a.Getenv, Keyring: llm.Keyring, Asked: asked}
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
