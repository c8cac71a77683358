package mcpproxy

import (
	"encoding/json"
	"slices"
)

// replayedState is the state that lives in a connection, which a new daemon needs before it can go
// on. Everything else (mode, categories, device) belongs to the client in the hub.
type replayedState struct {
	initialize  []byte
	initialized []byte
	level       []byte
	subscribed  []subscription
}

type subscription struct {
	uri  string
	line []byte
}

// note remembers a request that succeeded.
func (s *replayedState) note(m *message) {
	switch m.method {
	case methodInitialize:
		s.initialize = m.line
	case methodLevel:
		s.level = m.line
	case methodSubscribe:
		uri := uriOf(m.line)
		s.unsubscribe(uri)
		s.subscribed = append(s.subscribed, subscription{uri, m.line})
	case methodUnsubscribe:
		s.unsubscribe(uriOf(m.line))
	}
}

func (s *replayedState) unsubscribe(uri string) {
	s.subscribed = slices.DeleteFunc(s.subscribed, func(s subscription) bool { return s.uri == uri })
}

func uriOf(line []byte) string {
	var m struct {
		Params struct {
			URI string `json:"uri"`
		} `json:"params"`
	}
	_ = json.Unmarshal(line, &m) // the daemon accepted it
	return m.Params.URI
}

// requests are the requests to send after initialize, in order.
func (s *replayedState) requests() [][]byte {
	var out [][]byte
	if s.level != nil {
		out = append(out, s.level)
	}
	for _, s := range s.subscribed {
		out = append(out, s.line)
	}
	return out
}
