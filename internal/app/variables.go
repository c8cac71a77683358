package app

import (
	"cmp"
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/call/policy"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

// Variables are the secrets that a project takes from variables of its choice, for origins of its choice, as a person
// is asked to trust them.
func Variables(p *policy.Policy) (out []source.Process) {
	for _, s := range p.Secrets() {
		if s.Place != "" {
			out = append(out, variable(s))
		}
	}
	return out
}

func variable(s policy.Secret) source.Process {
	return source.Process{What: "secret " + s.Name, Place: s.Place, URL: cmp.Or(s.Origin, "any page"),
		Env: map[string]string{s.Name: "$" + s.Env}}
}

// Trusted returns an environment without the untrusted variables that a project names for its secrets. It warns of
// those withheld.
func Trusted(cfg *config.Config, p *policy.Policy, env func(string) string, warn func(string, ...any),
) func(string) string {
	var withheld []string
	for _, s := range p.Secrets() {
		if s.Place == "" || env(s.Env) == "" || env(workspace.EnvTrust) == "1" {
			continue
		}
		if err := (workspace.Trust{Home: cfg.Home}).Check(cfg.Workspace, variable(s)); err != nil {
			warn("%s: $%s is not read for the secret %s, for nobody has trusted this project with it: trailblaze trust",
				s.Place, s.Env, s.Name)
			withheld = append(withheld, s.Env)
		}
	}
	return func(name string) string {
		if slices.Contains(withheld, name) {
			return ""
		}
		return env(name)
	}
}
