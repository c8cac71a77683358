package policy

import (
	"cmp"

	"github.com/trailblaze-dev/trailblaze/memory"
)

// Secret is a declared secret. Its value never stands in a file of the workspace.
type Secret struct {
	Name   string
	Origin string // the only one it is typed into
	Env    string // the variable that holds it; "" is TRAILBLAZE_SECRET_<name>
	at     place
}

// EnvSecret begins the names of the variables that hold secrets.
const EnvSecret = "TRAILBLAZE_SECRET_"

// Secrets are the declared ones.
func (p *Policy) Secrets() []Secret { return p.secrets }

// Seed puts the declared secrets into a session's memory, bound to their origins. A binding holds for a secret of that
// name wherever its value comes from, so it is made even when there is no value yet.
func (p *Policy) Seed(m *memory.Store, env func(string) string) {
	for _, s := range p.secrets {
		if env != nil {
			if v := env(cmp.Or(s.Env, EnvSecret+s.Name)); v != "" {
				m.SetSecret(s.Name, v)
			}
		}
		if s.Origin != "" {
			m.BindOrigin(s.Name, s.Origin)
		}
	}
}
