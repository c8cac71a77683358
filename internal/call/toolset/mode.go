package toolset

import "strings"

// Mode decides who the agent is and whose model thinks.
type Mode string

// The modes. The names are the public ones; the short ones are aliases.
const (
	ClientAsAgent      Mode = "MCP_CLIENT_LIKE_GOOSE_AS_AGENT"
	AgentWhileLoop     Mode = "TRAILBLAZE_AGENT_WHILE_LOOP"
	ClientWithSampling Mode = "MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING"
	AgentRecursiveMCP  Mode = "TRAILBLAZE_AGENT_RECURSIVE_MCP"

	clientAsAgentAlias Mode = "MCP_CLIENT_AS_AGENT"
	agentAlias         Mode = "TRAILBLAZE_AS_AGENT"
)

// DefaultMode works with no model at all.
const DefaultMode = ClientAsAgent

// Modes are the four modes under their own names.
func Modes() []Mode {
	return []Mode{ClientAsAgent, AgentWhileLoop, ClientWithSampling, AgentRecursiveMCP}
}

// Enum implements tool.Enumerated. Aliases are listed for those who know them.
func (Mode) Enum() []any {
	return values(append(Modes(), clientAsAgentAlias, agentAlias))
}

// Canonical is the mode's own name, whichever alias and case was written; "" is the default.
func (m Mode) Canonical() Mode {
	switch up := Mode(strings.ToUpper(string(m))); up {
	case "":
		return DefaultMode
	case clientAsAgentAlias:
		return ClientAsAgent
	case agentAlias:
		return AgentWhileLoop
	default:
		return up
	}
}

// Thinks reports whether Trailblaze itself is the agent, wholly or in part, and so needs a model.
func (m Mode) Thinks() bool { return m.Canonical() != ClientAsAgent }

// Describe is one sentence about a mode.
func (m Mode) Describe() string {
	switch m.Canonical() {
	case ClientAsAgent:
		return "The client decides and calls primitive tools; no model is needed here."
	case AgentWhileLoop:
		return "The client hands over a task; Trailblaze thinks with its own model."
	case ClientWithSampling:
		return "The client hands over a task; Trailblaze thinks with the client's model (MCP sampling)."
	case AgentRecursiveMCP:
		return "As TRAILBLAZE_AGENT_WHILE_LOOP, with the inner agent calling this server's own MCP tools."
	}
	return ""
}

// ScreenshotFormat is the form of pictures in results.
type ScreenshotFormat string

// The formats.
const (
	ImageContent ScreenshotFormat = "IMAGE_CONTENT"
	NoScreenshot ScreenshotFormat = "NONE"
)

// Enum implements tool.Enumerated.
func (ScreenshotFormat) Enum() []any { return []any{ImageContent, NoScreenshot} }

// Verbosity is the amount of the screen in a reply to an action.
type Verbosity string

// The verbosities: what changed, shortly; what changed; the whole screen.
const (
	Minimal  Verbosity = "MINIMAL"
	Standard Verbosity = "STANDARD"
	Full     Verbosity = "FULL"
)

// The settings of a new client. Upstream's are the same but for its screenshot format: here NONE means that a client
// takes no pictures at all, so the default is that it does; without a request none come either way.
const (
	DefaultVerbosity  = Minimal
	DefaultScreenshot = ImageContent
	DefaultStrategy   = Direct
)

// Enum implements tool.Enumerated.
func (Verbosity) Enum() []any { return []any{Minimal, Standard, Full} }

// Strategy decides whose model is asked in the modes that think.
type Strategy string

// The strategies.
const (
	Direct      Strategy = "DIRECT"
	MCPSampling Strategy = "MCP_SAMPLING"
)

// Enum implements tool.Enumerated.
func (Strategy) Enum() []any { return []any{Direct, MCPSampling} }

// AgentToolTransport is the way of an agent's tool calls, for logs.
type AgentToolTransport string

// The transports.
const (
	InProcess AgentToolTransport = "MCP_IN_PROCESS"
	OverHTTP  AgentToolTransport = "MCP_OVER_HTTP"
	OverStdio AgentToolTransport = "MCP_OVER_STDIO"
)

// Enum implements tool.Enumerated.
func (AgentToolTransport) Enum() []any { return []any{InProcess, OverHTTP, OverStdio} }
