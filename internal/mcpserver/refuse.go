package mcpserver

import (
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// refuseEnded answers a request whose session has ended, in the form of the protocol.
func refuseEnded(w http.ResponseWriter, id json.RawMessage) {
	refuse(w, http.StatusNotFound, id, codeSessionGone,
		"this MCP session has ended; send initialize again, with the same "+headerSession+" to get your settings back")
}

const codeSessionGone = -32001

func refuse(w http.ResponseWriter, status int, id json.RawMessage, code int64, text string) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": code, "message": text}})
	if err != nil {
		body = []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"bad request"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func refuseFault(w http.ResponseWriter, id json.RawMessage, err error) {
	text := err.Error()
	if hint := fault.HintOf(err); hint != "" {
		text += ". " + hint
	}
	status, code := http.StatusInternalServerError, int64(jsonrpc.CodeInternalError)
	if k := fault.KindOf(err); k == fault.Invalid || k == fault.NotFound || k == fault.Denied {
		status, code = http.StatusBadRequest, jsonrpc.CodeInvalidParams
	}
	refuse(w, status, id, code, text)
}
