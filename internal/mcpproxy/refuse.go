package mcpproxy

import (
	"encoding/json"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// JSON-RPC error codes.
const (
	codeParse    = -32700
	codeInvalid  = -32600
	codeInternal = -32603
	codeNoDaemon = -32010 // of the range left to servers
)

type failure struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   failureBody     `json:"error"`
}

type failureBody struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// refusal is the line of an error answer. With id "" it has JSON-RPC's null id: the request is
// unknown.
func refusal(id string, code int, format string, args ...any) []byte {
	if id == "" {
		id = "null"
	}
	return encode(failure{JSONRPC: "2.0", ID: json.RawMessage(id),
		Error: failureBody{code, fmt.Sprintf(format, args...)}})
}

// unreachable answers a request for which no daemon was found.
func unreachable(m *message, err error) []byte {
	text := fmt.Sprintf("the Trailblaze daemon cannot be reached: %v.", err)
	if hint := fault.HintOf(err); hint != "" {
		text += " " + hint
	} else {
		text += " `trailblaze daemon logs` tells why, `trailblaze doctor` looks for what is missing. The next request " +
			"tries again."
	}
	return refusal(m.id, codeNoDaemon, "%s", text)
}

// unknown answers a request whose daemon was lost while it ran.
func unknown(m *message) []byte {
	what := m.method
	if m.method == methodCall {
		what = m.tool
	}
	text := fmt.Sprintf("The Trailblaze daemon was lost while %s ran. It is unknown whether it took effect, "+
		"and it was not repeated: an action is sent once. "+
		"The recording up to this call is kept, and a new daemon is there for the next call. "+
		"Take a snapshot of the screen first, then decide whether to do it again.", what)
	if m.tries > 1 {
		text = fmt.Sprintf("The Trailblaze daemon was lost twice while %s ran, so it was not asked a third time. "+
			"The recording is kept. `trailblaze daemon logs` tells why.", what)
	}
	return failedCall(m, text)
}

// noAnswer answers a request whose daemon exists but does not answer.
func noAnswer(m *message, process int) []byte {
	what := m.method
	if m.method == methodCall {
		what = m.tool
	}
	return failedCall(m, fmt.Sprintf(
		"The Trailblaze daemon (process %d) gives no sign of life while it runs %s. It is unknown whether that took effect, "+
			"and it is not repeated: an action is sent once. The next call asks the daemon again; should it fail too, "+
			"end that process (kill -9 %d): the call after that starts a new daemon, which goes on with the recording. "+
			"Then take a snapshot of the screen first.", process, what, process))
}

// failedCall answers a request with an error text. For a tool it is a result, so that a model reads
// it.
func failedCall(m *message, text string) []byte {
	if m.method != methodCall {
		return refusal(m.id, codeInternal, "%s", text)
	}
	return encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  lostResult      `json:"result"`
	}{"2.0", json.RawMessage(m.id), lostResult{Content: []textContent{{"text", text}}, IsError: true,
		ResultType: "complete"}})
}

type lostResult struct {
	Content    []textContent `json:"content"`
	IsError    bool          `json:"isError"`
	ResultType string        `json:"resultType"` // required by 2026-07-28, ignored by those before
}

type textContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}
