package callback

import "encoding/json"

// request is a callback. Each key is read in both of its spellings.
type request struct {
	Version           *int   `json:"version"` // nil: 1
	SessionID         string `json:"session_id"`
	SessionIDCamel    string `json:"sessionId"`
	InvocationID      string `json:"invocation_id"`
	InvocationIDCamel string `json:"invocationId"`
	Action            action `json:"action"`
}

// action is the action that a callback asks for. The arguments are the text of a JSON object.
type action struct {
	Type               string `json:"type"`
	ToolName           string `json:"tool_name"`
	ToolNameCamel      string `json:"toolName"`
	ArgumentsJSON      string `json:"arguments_json"`
	ArgumentsJSONCamel string `json:"argumentsJson"`
}

// result is the result of a callback, by its Type: a call's, or the reason why there was none.
type result struct {
	Type    string
	call    *callResult
	message string
	code    int // of JSON-RPC; 0: none
}

// callResult is written in both spellings: those of the founding document, and those of the programs that were there
// first.
type callResult struct {
	Type         string          `json:"type"`
	Success      bool            `json:"success"`
	TextContent  string          `json:"textContent"`
	ErrorMessage string          `json:"errorMessage"`
	Text         string          `json:"text_content"`
	Error        string          `json:"error_message"`
	Structured   json.RawMessage `json:"structured_content"`
}

// errorResult is the reason why there was no call.
type errorResult struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Code    int    `json:"code,omitempty"`
}

// rpcError is the same as JSON-RPC writes it.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// wire is the answer as it is sent.
func (r result) wire() any {
	if r.call != nil {
		r.call.Type = r.Type
		return map[string]any{"result": r.call}
	}
	out := map[string]any{"result": errorResult{r.Type, r.message, r.code}}
	if r.code != 0 {
		out["error"] = rpcError{r.code, r.message}
	}
	return out
}
