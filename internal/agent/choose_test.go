package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
)

// TestR276WhoIsAsked: the session's strategy and the models that exist decide which one is asked (R207, R208, R238, R276).
func TestR276WhoIsAsked(t *testing.T) {
	answer := func(text string) llm.Asker {
		return func(context.Context, llm.Request) (*llm.Sample, error) {
			return &llm.Sample{Text: text, Model: "m"}, nil
		}
	}
	client, local := llm.Sampled("client", false, answer("")), llm.Sampled("local", false, answer(""))
	for _, c := range []struct {
		strategy      toolset.Strategy
		client, local llm.Model
		want          string
		by            toolset.Strategy
	}{
		{toolset.Direct, client, local, "local", toolset.Direct},
		{"", client, local, "local", toolset.Direct},
		{toolset.MCPSampling, client, local, "client", toolset.MCPSampling},
		{toolset.MCPSampling, nil, local, "local", toolset.Direct},
		{toolset.Direct, client, nil, "client", toolset.MCPSampling},
	} {
		got, by, err := agent.Choose(c.strategy, c.client, c.local)
		if err != nil || got.Name() != c.want || by != c.by {
			t.Errorf("%+v: %v %s %v", c, got, by, err)
		}
	}
	_, _, err := agent.Choose(toolset.MCPSampling, nil, nil)
	if fault.KindOf(err) != fault.Unsupported || !strings.Contains(fault.HintOf(err), "ANTHROPIC_API_KEY") {
		t.Error(err)
	}
}
