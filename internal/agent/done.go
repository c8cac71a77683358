package agent

import (
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/internal/llm"
)

// Done is the call by which a model says that the objective is reached, for policies that stand in for one.
func Done(explanation string) llm.Call {
	raw, _ := json.Marshal(verdict{Status: Completed, Explanation: explanation}) // two texts
	return llm.Call{Name: statusTool, Args: raw}
}
