package mcpfront

import (
	"encoding/json"
	"slices"
)

// past is what a new daemon has to be told before it can go on where the last one stopped: the state that lives in a
// connection. Everything else (mode, categories, device) lives with the seat.
type past struct {
	initialize  []byte
	initialized []byte
	level       []byte
	subscribed  []subscription
}

type subscription struct {
	uri  string
	line []byte
}

// keep remembers a request that was answered well.
func (p *past) keep(m *message) {
	switch m.method {
	case methodInitialize:
		p.initialize = m.line
	case methodLevel:
		p.level = m.line
	case methodSubscribe:
		uri := uriOf(m.line)
		p.unsubscribe(uri)
		p.subscribed = append(p.subscribed, subscription{uri, m.line})
	case methodUnsubscribe:
		p.unsubscribe(uriOf(m.line))
	}
}

func (p *past) unsubscribe(uri string) {
	p.subscribed = slices.DeleteFunc(p.subscribed, func(s subscription) bool { return s.uri == uri })
}

func uriOf(line []byte) string {
	var m struct {
		Params struct {
			URI string `json:"uri"`
		} `json:"params"`
	}
	_ = json.Unmarshal(line, &m) // it was answered well
	return m.Params.URI
}

// requests are what to ask again after initialize, in order.
func (p *past) requests() [][]byte {
	var out [][]byte
	if p.level != nil {
		out = append(out, p.level)
	}
	for _, s := range p.subscribed {
		out = append(out, s.line)
	}
	return out
}
