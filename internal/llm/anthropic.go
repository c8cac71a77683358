package llm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// anthropic speaks the messages of Anthropic.
type anthropic struct {
	Settings
	w *wire
}

var _ Model = (*anthropic)(nil)

func newAnthropic(s Settings) Model {
	h := http.Header{}
	h.Set("X-Api-Key", s.Key)
	h.Set("Anthropic-Version", "2023-06-01")
	return &anthropic{s, newWire(s.Provider, s.Key, h, s.PerMinute)}
}

// kept marks the end of what the provider is to keep in its cache.
var kept = chat{"type": "ephemeral"}

// Generate implements Model. Tools and the system text are the same in every request of a run: both are cached.
func (m *anthropic) Generate(ctx context.Context, r Request, say func(string)) (*Response, error) {
	body := chat{"model": m.Model, "messages": anthropicMessages(r.Messages), "max_tokens": r.limit(), "stream": true}
	if r.System != "" {
		body["system"] = []chat{{"type": "text", "text": r.System, "cache_control": kept}}
	}
	if len(r.Tools) > 0 {
		var tools []chat
		for _, t := range r.Tools {
			tools = append(tools, chat{"name": t.Name, "description": t.Description, "input_schema": t.Schema})
		}
		tools[len(tools)-1]["cache_control"] = kept
		choice := r.choice()
		if choice == string(Required) {
			choice = "any"
		}
		body["tools"], body["tool_choice"] = tools, chat{"type": choice}
	}
	a := &answering{say: say}
	var p *anthropicStream
	err := m.w.ask(ctx, m.BaseURL+"/v1/messages", body, func() parser {
		p = &anthropicStream{answering: a.anew(), index: map[int]int{}}
		return p
	}, a.begun)
	if err != nil {
		return nil, err
	}
	return m.priced(p.response(m.Model)), nil
}

func anthropicMessages(in []Message) []chat {
	var out []chat
	for _, msg := range in {
		var parts []chat
		for _, p := range msg.Parts {
			switch {
			case p.Result != nil:
				parts = append(parts, chat{"type": "tool_result", "tool_use_id": p.Result.ID, "content": p.Result.Text,
					"is_error": p.Result.IsError})
			case p.Call != nil:
				args := p.Call.Args
				if !object(args) {
					args = json.RawMessage("{}")
				}
				parts = append(parts, chat{"type": "tool_use", "id": p.Call.ID, "name": p.Call.Name, "input": args})
			case p.Image != nil:
				parts = append(parts, chat{"type": "image", "source": chat{"type": "base64", "media_type": p.Image.MIME,
					"data": base64.StdEncoding.EncodeToString(p.Image.Data)}})
			case p.Text != "": // an empty text is an error there
				parts = append(parts, chat{"type": "text", "text": p.Text})
			}
		}
		if len(parts) > 0 {
			out = append(out, chat{"role": msg.Role, "content": parts})
		}
	}
	return out
}

// object says whether raw is a JSON object.
func object(raw json.RawMessage) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal(raw, &m) == nil && m != nil
}

type anthropicStream struct {
	*answering
	index map[int]int // of a block -> in calls
	over  bool
}

type anthropicUsage struct {
	Input   int `json:"input_tokens"`
	Read    int `json:"cache_read_input_tokens"`
	Created int `json:"cache_creation_input_tokens"`
	Output  int `json:"output_tokens"`
}

type anthropicEvent struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		Model string         `json:"model"`
		Usage anthropicUsage `json:"usage"`
	} `json:"message"`
	Block struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Text  string          `json:"text"`
		Input json.RawMessage `json:"input"`
	} `json:"content_block"`
	Delta struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Partial string `json:"partial_json"`
		Stop    string `json:"stop_reason"`
	} `json:"delta"`
	Usage anthropicUsage `json:"usage"`
	Error struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"error"`
}

func (p *anthropicStream) event(_ string, data []byte) error {
	var e anthropicEvent
	if err := decode(data, &e); err != nil {
		return err
	}
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		p.model = e.Message.Model
		p.usage = Usage{Input: u.Input + u.Read + u.Created, CachedInput: u.Read, Output: u.Output}
	case "content_block_start":
		p.text(e.Block.Text)
		if e.Block.Type == "tool_use" {
			p.index[e.Index] = len(p.calls)
			return p.begins(Call{ID: e.Block.ID, Name: e.Block.Name})
		}
	case "content_block_delta":
		p.text(e.Delta.Text)
		if at, ok := p.index[e.Index]; ok {
			p.calls[at].Args = append(p.calls[at].Args, e.Delta.Partial...)
		}
	case "message_delta":
		p.usage.Output = max(p.usage.Output, e.Usage.Output)
		p.ends(e.Delta.Stop)
	case "message_stop":
		if p.stop == "" {
			return errCut
		}
		p.over = true
	case "error":
		kind := fault.Invalid
		if slices.Contains([]string{"overloaded_error", "api_error", "rate_limit_error", "timeout_error"}, e.Error.Type) {
			kind = fault.Unavailable
		}
		return fault.New(kind, op, "the provider broke off (%s): %.500s", e.Error.Type, e.Error.Message)
	}
	return nil
}

func (p *anthropicStream) done() bool { return p.over }

func (p *anthropicStream) whole() bool { return p.over }
