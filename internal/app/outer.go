package app

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
)

// Outer finds the model that plans: the one that is asked for, else that of llm.tiers.outer, else that of every call.
func (m *Models) Outer(ctx context.Context, root, asked string) (*agent.Use, error) {
	if asked == "" {
		cfg, err := m.Settings(root)
		if err != nil {
			return nil, err
		}
		asked = outerTier(cfg)
	}
	return m.one(ctx, root, asked)
}

// outerTier is the model that the settings name for planning, "" for none.
func outerTier(cfg *config.Config) string {
	tiers, _ := cfg.Project.LLM["tiers"].(map[string]any)
	asked, _ := tiers["outer"].(string)
	return asked
}

// use finds the model of a call, and the one that plans for it where the settings name two tiers. A client's own model
// plans for itself.
func (m *Models) use(ctx context.Context, root, asked string) (*agent.Use, error) {
	use, err := m.one(ctx, root, asked)
	if err != nil || use.Strategy != string(toolset.Direct) {
		return use, err
	}
	cfg, err := m.Settings(root)
	if err != nil {
		return nil, err
	}
	if tier := outerTier(cfg); tier != "" {
		if use.Outer, err = m.one(ctx, root, tier); err != nil {
			return nil, fault.New(fault.KindOf(err), "choose model", "llm.tiers.outer is %s: %w", tier, err)
		}
	}
	return use, nil
}
