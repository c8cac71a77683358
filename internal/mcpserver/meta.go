package mcpserver

import (
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// envelope is what a client may say beside a request, in _meta.trailblaze (R229).
type envelope struct {
	Handle    string `json:"trailblazeSessionId,omitempty"`
	Intent    string `json:"intent,omitempty"`
	Device    string `json:"device,omitempty"`
	MaxTokens int    `json:"maxTokens,omitempty"`
	Workspace string `json:"workspace,omitempty"`
}

const metaKey = "trailblaze"

// envelopeOf reads _meta.trailblaze. What is not understood is passed over: newer clients may say more.
func envelopeOf(meta mcp.Meta) (e envelope) {
	raw, ok := meta[metaKey].(map[string]any)
	if !ok {
		return e
	}
	e.Handle, _ = raw["trailblazeSessionId"].(string)
	e.Intent, _ = raw["intent"].(string)
	e.Device, _ = raw["device"].(string)
	e.Workspace, _ = raw["workspace"].(string)
	if n, ok := raw["maxTokens"].(float64); ok && n > 0 && n < 1e9 {
		e.MaxTokens = int(n)
	}
	return e
}

// message is the part of a JSON-RPC request that routing asks for.
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

// read reads a message, and says whether it is one. A parameter of the wrong type is not routing's business.
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

// client is the name of the client program, as far as the message tells.
func (m *message) client() string {
	if n := m.Params.ClientInfo.Name; n != "" {
		return n
	}
	return m.Params.Meta.Client.Name
}

// handle is the seat that the message names.
func (m *message) handle() string {
	if h := m.Params.Meta.Trailblaze.Handle; h != "" || m.Method != "tools/call" {
		return h
	}
	var args struct {
		Handle string `json:"trailblazeSessionId"`
	}
	if json.Unmarshal(m.Params.Arguments, &args) != nil {
		return ""
	}
	return args.Handle
}
