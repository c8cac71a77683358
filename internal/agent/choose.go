package agent

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
)

// Choose picks whose model is asked: with DIRECT the local one, even when the client could answer; with MCP_SAMPLING
// the client's. Where that one is missing, the other is asked. Either may be nil.
func Choose(want toolset.Strategy, client, local llm.Model) (llm.Model, toolset.Strategy, error) {
	switch {
	case client != nil && (want == toolset.MCPSampling || local == nil):
		return client, toolset.MCPSampling, nil
	case local != nil:
		return local, toolset.Direct, nil
	}
	return nil, "", fault.New(fault.Unsupported, "choose model", "this takes a language model, and none is configured").
		WithHint("Set a provider's key (one of %s) in the environment of this command, run Ollama, or name a model: "+
			"trailblaze config set llm provider/model. An MCP client that offers sampling needs none of these. Recorded "+
			"trails replay without a model.", strings.Join(llm.KeyVariables(), ", "))
}
