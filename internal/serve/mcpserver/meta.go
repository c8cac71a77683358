package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/serve/jsonsize"
)

// envelope holds the fields that a client may send beside a request, in _meta.trailblaze.
type envelope struct {
	ClientID  string `json:"trailblazeSessionId,omitempty"`
	Intent    string `json:"intent,omitempty"`
	Device    string `json:"device,omitempty"`
	MaxTokens int    `json:"maxTokens,omitempty"`
	Workspace string `json:"workspace,omitempty"`

	// The running call in whose place this one is made, and its session.
	InvocationID string `json:"invocationId,omitempty"`
	SessionID    string `json:"sessionId,omitempty"`
}

const metaKey = "trailblaze"

// maxInitialize bounds the initialize message, icons included: the session keeps it.
const maxInitialize = 1 << 20

// oversize returns the reason why a message is too large to read, "" when it is not. A text takes up its length, keys
// and items far more.
func oversize(raw []byte, max int64) string {
	if int64(len(raw)) > max {
		return tooLong(max)
	}
	if err := jsonsize.Check(raw); err != nil {
		return "the message is too large: " + err.Error()
	}
	if len(raw) <= maxInitialize {
		return ""
	}
	var m struct {
		Method string `json:"method"`
	}
	if json.Unmarshal(raw, &m) == nil && m.Method == "initialize" {
		return "the message is too large: initialize may have 1 MiB"
	}
	return ""
}

func tooLong(max int64) string {
	return fmt.Sprintf("a message may have %d MB; this one is longer and was dropped", max>>20)
}

// envelopeOf reads _meta.trailblaze. It skips unknown fields, which newer clients may send.
func envelopeOf(meta mcp.Meta) (e envelope) {
	raw, ok := meta[metaKey].(map[string]any)
	if !ok {
		return e
	}
	e.ClientID, _ = raw["trailblazeSessionId"].(string)
	e.Intent, _ = raw["intent"].(string)
	e.Device, _ = raw["device"].(string)
	e.Workspace, _ = raw["workspace"].(string)
	e.InvocationID, _ = raw["invocationId"].(string)
	e.SessionID, _ = raw["sessionId"].(string)
	if n, ok := raw["maxTokens"].(float64); ok && n > 0 && n < 1e9 {
		e.MaxTokens = int(n)
	}
	return e
}

// message is the part of a JSON-RPC request that routing needs.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  struct {
		Meta struct {
			Version    string             `json:"io.modelcontextprotocol/protocolVersion"`
			Client     mcp.Implementation `json:"io.modelcontextprotocol/clientInfo"`
			Trailblaze envelope           `json:"trailblaze"`
		} `json:"_meta"`
		ClientInfo mcp.Implementation `json:"clientInfo"`
		Arguments  json.RawMessage    `json:"arguments"`
		State      string             `json:"requestState"`
	} `json:"params"`
}

// read reads a message and reports whether it is one. It accepts parameters of the wrong type, which the handler
// refuses.
func (m *message) read(body []byte) bool {
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(body, m); err != nil && !errors.As(err, &wrong) {
		return false
	}
	return m.JSONRPC == "2.0"
}

func (m *message) stateless() bool {
	return m.Params.Meta.Version >= firstStateless || m.Method == "server/discover"
}

// client is the name of the client program, as far as the message has it.
func (m *message) client() string {
	if n := m.Params.ClientInfo.Name; n != "" {
		return n
	}
	return m.Params.Meta.Client.Name
}

// clientID is the client id in the message, "" when it has none.
func (m *message) clientID() string {
	if h := m.Params.Meta.Trailblaze.ClientID; h != "" || m.Method != "tools/call" {
		return h
	}
	var args struct {
		ClientID string `json:"trailblazeSessionId"`
	}
	if json.Unmarshal(m.Params.Arguments, &args) != nil {
		return ""
	}
	return args.ClientID
}
