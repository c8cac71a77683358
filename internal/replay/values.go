package replay

import (
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Values are what a caller puts into the memory of a trail's session before the first step.
type Values struct {
	BaseURL string
	Memory  map[string]string
	Secrets map[string]string
	Origins map[string]string // origin that a secret is bound to, by the secret's name
	Args    map[string]any    // as trail.Trail.BindArgs returns them
}

// Seed fills a memory: the trail's own values first, then the caller's, secrets last. A name that already holds a
// secret keeps it. A nil trail has no values of its own.
func (v Values) Seed(m *memory.Store, t *trail.Trail) {
	set := func(name, value string) {
		if !m.IsSecret(name) {
			m.Set(name, value)
		}
	}
	if t != nil {
		for name, value := range t.Config.Memory {
			set(name, value)
		}
	}
	if v.BaseURL != "" {
		set("baseUrl", v.BaseURL)
	}
	for name, value := range v.Memory {
		set(name, value)
	}
	for name, value := range v.Secrets {
		m.SetSecret(name, value)
	}
	for name, origin := range v.Origins {
		m.BindOrigin(name, origin)
	}
	if t != nil {
		m.SetArgs(v.Args)
	}
}
