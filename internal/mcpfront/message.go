package mcpfront

import (
	"bytes"
	"encoding/json"
)

// The methods a front has to tell apart.
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

	// methodReceived is between a daemon and us: it has read a call, and begins with it from now on.
	methodReceived = "trailblaze/received"
)

// message is a line of the client that still matters: a request until it is answered, anything else until it is sent.
type message struct {
	id     string // raw JSON; "" for a notification
	key    string // the id, however it is spelled
	method string
	tool   string // of a tools/call
	line   []byte
	sent   bool
	begun  bool // the daemon may have begun with it
	tries  int  // how many daemons were lost over it

	answers bool // what this daemon asked, and no other
	rests   bool // a stream that was open at a lost daemon: it goes on at the next, and is no reason to start one
}

func (m *message) asks() bool { return m.id != "" }

// repeatable reports whether asking twice is the same as asking once; mu is held.
func (f *front) repeatable(m *message) bool {
	switch m.method {
	case methodCall:
		return f.readOnly[m.tool]
	case methodInitialize, "ping", methodTools, methodListen, methodSubscribe, methodUnsubscribe, methodLevel,
		"server/discover", "resources/list", "resources/templates/list", "resources/read", "prompts/list", "prompts/get",
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
	_ = json.Unmarshal(params, &p) // the daemon refuses what it cannot read
	return p.Name
}

// learn remembers from the answer to tools/list which tools change nothing.
func (f *front) learn(line []byte) {
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
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range answer.Result.Tools {
		f.readOnly[t.Name] = t.Annotations.ReadOnly
	}
}

// withID returns the message with another id.
func withID(line []byte, id string) []byte {
	var m map[string]json.RawMessage
	if json.Unmarshal(line, &m) != nil {
		return line
	}
	m["id"] = json.RawMessage(id)
	return encode(m)
}

// encode is one line of JSON. HTML escapes would only make it longer.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // only values made here
	return b.Bytes()
}
