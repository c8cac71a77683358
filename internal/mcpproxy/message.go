package mcpproxy

import (
	"bytes"
	"encoding/json"
)

// The methods that a proxy treats differently.
const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
	methodCall        = "tools/call"
	methodTools       = "tools/list"
	methodListen      = "subscriptions/listen"
	methodSubscribe   = "resources/subscribe"
	methodUnsubscribe = "resources/unsubscribe"
	methodLevel       = "logging/setLevel"

	// methodReceived is the daemon's receipt for a call: the daemon begins with it now.
	methodReceived = "trailblaze/received"
)

// message is a line of the client that still matters: a request until it is answered, any other
// message until it is sent.
type message struct {
	id     string // raw JSON; "" for a notification
	key    string // the id in its canonical form
	method string
	tool   string // of a tools/call
	line   []byte
	sent   bool
	begun  bool // the daemon may have begun with it
	tries  int  // how many daemons were lost while it ran

	answers bool // an answer to a request of this daemon
	rests   bool // a stream of a lost daemon: it goes on at the next, and starts none
}

func (m *message) asks() bool { return m.id != "" }

// repeatable reports whether sending the message twice has the effect of sending it once; mu is
// held.
func (px *proxy) repeatable(m *message) bool {
	switch m.method {
	case methodCall:
		return px.readOnly[m.tool]
	case methodInitialize, "ping", methodTools, methodListen, methodSubscribe, methodUnsubscribe, methodLevel,
		"server/discover", "resources/list", "resources/templates/list", "resources/read", "prompts/list",
		"prompts/get",
		"completion/complete", "tasks/get", "tasks/list", "tasks/result":
		return true
	}
	return false
}

// toolOf is the name in the params of a tools/call.
func toolOf(params json.RawMessage) string {
	var p struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(params, &p) // the daemon refuses unreadable params
	return p.Name
}

// noteReadOnly notes from the answer to tools/list which tools change nothing.
func (px *proxy) noteReadOnly(line []byte) {
	var answer struct {
		Result struct {
			Tools []struct {
				Name        string `json:"name"`
				Annotations struct {
					ReadOnly bool `json:"readOnlyHint"`
				} `json:"annotations"`
			} `json:"tools"`
		} `json:"result"`
	}
	if json.Unmarshal(line, &answer) != nil {
		return
	}
	px.mu.Lock()
	defer px.mu.Unlock()
	for _, t := range answer.Result.Tools {
		px.readOnly[t.Name] = t.Annotations.ReadOnly
	}
}

// encode is one line of JSON without HTML escapes, which only make it longer.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // only values made here
	return b.Bytes()
}
