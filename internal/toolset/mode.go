package toolset

import "strings"

// Mode says who decides what to do, and whose model thinks (R190–R193).
type Mode string

// The modes. The last two names are what later documents call the first two; both are accepted everywhere (R196).
const (
	ClientAsAgent     Mode = "MCP_CLIENT_LIKE_GOOSE_AS_AGENT"      // the client decides; we carry out, and need no model
	AgentWhileLoop    Mode = "TRAILBLAZE_AGENT_WHILE_LOOP"         // we decide, with the model that is configured here
	ClientSampling    Mode = "MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING" // we decide, with the client's model
	AgentRecursive    Mode = "TRAILBLAZE_AGENT_RECURSIVE_MCP"      // as AgentWhileLoop, through our own MCP tools
	AliasClient       Mode = "MCP_CLIENT_AS_AGENT"
	AliasTrailblaze   Mode = "TRAILBLAZE_AS_AGENT"
	DefaultMode            = ClientAsAgent
	DefaultScreenshot      = NoScreenshot
	DefaultVerbosity       = MinimalVerbosity
	DefaultStrategy        = Direct
	DefaultTransport       = InProcess
)

// Modes are the four modes, without aliases.
func Modes() []Mode { return []Mode{ClientAsAgent, AgentWhileLoop, ClientSampling, AgentRecursive} }

// Enum implements tool.Enumerated.
func (Mode) Enum() []any { return values(append(Modes(), AliasClient, AliasTrailblaze)) }

// Canonical is the mode under its own name: aliases and other cases resolved, the default when there is none.
func (m Mode) Canonical() Mode {
	switch up := Mode(strings.ToUpper(string(m))); up {
	case "":
		return DefaultMode
	case AliasClient:
		return ClientAsAgent
	case AliasTrailblaze:
		return AgentWhileLoop
	default:
		return up
	}
}

// Thinks says whether the mode leaves the deciding to us, which needs a model.
func (m Mode) Thinks() bool { return m.Canonical() != ClientAsAgent }

// About says in one sentence what the mode is.
func (m Mode) About() string {
	switch m.Canonical() {
	case AgentWhileLoop:
		return "You give tasks with runPrompt; the model that is configured here decides and acts."
	case ClientSampling:
		return "You give tasks with runPrompt; they are thought through with your own model (MCP sampling)."
	case AgentRecursive:
		return "You give tasks with runPrompt; the model that is configured here acts through our own MCP tools."
	}
	return "You decide and call the tools that act; no model is needed here."
}

// ScreenshotFormat says how pictures come with results.
type ScreenshotFormat string

// The formats.
const (
	ImageContent ScreenshotFormat = "IMAGE_CONTENT"
	NoScreenshot ScreenshotFormat = "NONE"
)

// Enum implements tool.Enumerated.
func (ScreenshotFormat) Enum() []any { return values([]ScreenshotFormat{ImageContent, NoScreenshot}) }

// Verbosity says how much of the screen is told after an action (R273).
type Verbosity string

// The verbosities.
const (
	MinimalVerbosity  Verbosity = "MINIMAL"  // what changed
	StandardVerbosity Verbosity = "STANDARD" // what changed, and what can be acted on when much did
	FullVerbosity     Verbosity = "FULL"     // the whole screen, every time
)

// Enum implements tool.Enumerated.
func (Verbosity) Enum() []any {
	return values([]Verbosity{MinimalVerbosity, StandardVerbosity, FullVerbosity})
}

// Strategy says whose model is asked in the modes that think.
type Strategy string

// The strategies.
const (
	Direct      Strategy = "DIRECT"
	MCPSampling Strategy = "MCP_SAMPLING"
)

// Enum implements tool.Enumerated.
func (Strategy) Enum() []any { return values([]Strategy{Direct, MCPSampling}) }

// AgentToolTransport says how an agent of ours calls tools.
type AgentToolTransport string

// The transports.
const (
	InProcess AgentToolTransport = "MCP_IN_PROCESS"
	OverHTTP  AgentToolTransport = "MCP_OVER_HTTP"
)

// Enum implements tool.Enumerated.
func (AgentToolTransport) Enum() []any { return values([]AgentToolTransport{InProcess, OverHTTP}) }

func values[T any](in []T) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = v
	}
	return out
}
