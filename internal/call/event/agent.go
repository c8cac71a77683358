package event

import (
	"encoding/json"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// The events of agents and of the clients that call tools over MCP.
const (
	McpAgentRun       Type = "mcp_agent_run"       // an agent's run: its beginning, and again its end
	McpAgentIteration Type = "mcp_agent_iteration" // one turn of it
	McpSampling       Type = "mcp_sampling"        // one question to a model
	McpAgentTool      Type = "mcp_agent_tool"      // one tool call, as the client's side sees it
)

// AgentRun is an agent at work on an objective. Outcome is empty until it has ended.
type AgentRun struct {
	ID         string         `json:"id"`
	Objective  string         `json:"objective"`
	Transport  string         `json:"transport"`          // MCP_IN_PROCESS, MCP_OVER_HTTP, MCP_OVER_STDIO
	Strategy   string         `json:"strategy,omitempty"` // DIRECT, MCP_SAMPLING
	Iterations int            `json:"iterations"`
	Outcome    Outcome        `json:"outcome,omitempty"`
	Result     string         `json:"result,omitempty"`
	Error      *fault.Failure `json:"error,omitempty"`
	Duration   time.Duration  `json:"duration,omitempty"`
	// of an outer agent: the tokens of the lists of tools that were sent, and those that all tools would have taken
	ToolTokens    int `json:"toolTokens,omitempty"`
	AllToolTokens int `json:"allToolTokens,omitempty"`
}

// AgentIteration is one turn of a run: the model's answer and its result.
type AgentIteration struct {
	Run        string          `json:"run"`
	Iteration  int             `json:"iteration"` // from 1
	Completion string          `json:"completion"`
	Tool       string          `json:"tool,omitempty"`
	Args       json.RawMessage `json:"args,omitempty"`
	Result     string          `json:"result,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	Duration   time.Duration   `json:"duration,omitempty"`
}

// Sampling is a question to a model and its answer.
type Sampling struct {
	Run               string          `json:"run,omitempty"`
	Actor             string          `json:"actor,omitempty"`    // on whose device the agent works
	Strategy          string          `json:"strategy"`           // DIRECT, MCP_SAMPLING
	Messages          json.RawMessage `json:"messages,omitempty"` // pictures left out
	Completion        string          `json:"completion,omitempty"`
	Model             string          `json:"model,omitempty"`  // that answered
	Asked             string          `json:"asked,omitempty"`  // as the settings name it: provider/model
	Judge             bool            `json:"judge,omitempty"`  // it asks for a judgement of what was done
	Ruling            string          `json:"ruling,omitempty"` // of the judge: holds, does not, cannot tell
	InputTokens       int             `json:"inputTokens,omitempty"`
	CachedInputTokens int             `json:"cachedInputTokens,omitempty"` // the part of these that came from a cache
	OutputTokens      int             `json:"outputTokens,omitempty"`
	CostUSD           float64         `json:"costUsd,omitempty"`
	Error             *fault.Failure  `json:"error,omitempty"`
	Duration          time.Duration   `json:"duration,omitempty"`
}

// AgentTool is a tool call of an MCP client. The call itself is a ToolCall of the same id; this adds the client and
// how it asked.
type AgentTool struct {
	Call      string          `json:"call,omitempty"` // Call.ID
	Run       string          `json:"run,omitempty"`
	ToolName  string          `json:"toolName"`
	Args      json.RawMessage `json:"args,omitempty"`
	Result    string          `json:"result,omitempty"` // its beginning
	IsError   bool            `json:"isError,omitempty"`
	Duration  time.Duration   `json:"duration"`  // as the client waited
	Transport string          `json:"transport"` // as AgentRun.Transport
	Session   string          `json:"mcpSession,omitempty"`
	// its beginning: the whole id is all that the client's state is found by
	ClientID string `json:"clientId,omitempty"`
	Client   string `json:"client,omitempty"`
	Job      string `json:"job,omitempty"` // the call went on as this job
}
