package app

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/internal/agent"
)

// Outer finds the model that plans: the one that is asked for, else that of llm.tiers.outer, else that of every call.
func (m *Models) Outer(ctx context.Context, root, asked string) (*agent.Use, error) {
	if asked == "" {
		cfg, err := m.Settings(root)
		if err != nil {
			return nil, err
		}
		tiers, _ := cfg.Project.LLM["tiers"].(map[string]any)
		asked, _ = tiers["outer"].(string)
	}
	return m.use(ctx, root, asked)
}
