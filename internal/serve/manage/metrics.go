package manage

import (
	"context"
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Metrics are the counts of an agent's work. internal/serve/metrics implements it.
type Metrics interface {
	AgentMetrics(clientID string) json.RawMessage
	ClearAgentMetrics(clientID string)
}

func (d *manager) agentMetrics(ctx context.Context, _ tool.Env, _ noArgs) (*tool.Result, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	if d.Metrics == nil {
		return nil, fault.New(fault.Unsupported, "read metrics", "no metrics are kept here")
	}
	v := d.Metrics.AgentMetrics(s.ID())
	return &tool.Result{Value: v, Content: []tool.Content{{Type: "text", Text: string(v)}}}, nil
}

func (d *manager) clearMetrics(ctx context.Context, _ tool.Env, _ noArgs) (*tool.Result, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	if d.Metrics == nil {
		return nil, fault.New(fault.Unsupported, "clear metrics", "no metrics are kept here")
	}
	d.Metrics.ClearAgentMetrics(s.ID())
	return tool.TextResult("The metrics of this session begin anew."), nil
}
