package llm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// openAI speaks the chat completions of OpenAI, which Ollama, vLLM, OpenRouter and others speak, too.
type openAI struct {
	Settings
	w *wire
}

var _ Model = (*openAI)(nil)

func newOpenAI(s Settings) Model {
	h := http.Header{}
	if s.Key != "" {
		h.Set("Authorization", "Bearer "+s.Key)
	}
	return &openAI{s, newWire(s.Provider, s.Key, h, s.PerMinute)}
}

type chat map[string]any

// Generate implements Model.
func (m *openAI) Generate(ctx context.Context, r Request, say func(string)) (*Response, error) {
	body := chat{
		"model": m.Model, "messages": chatMessages(r), "stream": true,
		"stream_options": chat{"include_usage": true},
	}
	limit := "max_tokens"
	if m.Provider == OpenAI { // its newer models know only this
		limit = "max_completion_tokens"
	}
	body[limit] = r.limit()
	if len(r.Tools) > 0 {
		var tools []chat
		for _, t := range r.Tools {
			tools = append(tools, chat{"type": "function", "function": chat{
				"name": t.Name, "description": t.Description, "parameters": t.Schema}})
		}
		body["tools"], body["tool_choice"] = tools, r.choice()
	}
	a := &answering{say: say}
	var p *openAIStream
	err := m.w.ask(ctx, m.BaseURL+"/chat/completions", body, func() parser {
		p = &openAIStream{answering: a.anew()}
		return p
	}, a.begun)
	if err != nil {
		return nil, err
	}
	return m.priced(p.response(m.Model)), nil
}

func chatMessages(r Request) []chat {
	var out []chat
	if r.System != "" {
		out = append(out, chat{"role": "system", "content": r.System})
	}
	for _, msg := range r.Messages {
		var parts, calls []chat
		text := ""
		for _, p := range msg.Parts {
			switch {
			case p.Result != nil:
				out = append(out, chat{"role": "tool", "tool_call_id": p.Result.ID, "content": p.Result.Text})
			case p.Call != nil:
				calls = append(calls, chat{"id": p.Call.ID, "type": "function",
					"function": chat{"name": p.Call.Name, "arguments": string(p.Call.Args)}})
			case p.Image != nil:
				parts = append(parts, chat{"type": "image_url", "image_url": chat{"url": dataURL(p.Image)}})
			default:
				text += p.Text
				parts = append(parts, chat{"type": "text", "text": p.Text})
			}
		}
		switch {
		case msg.Role == FromModel && len(calls) > 0:
			out = append(out, chat{"role": "assistant", "content": text, "tool_calls": calls})
		case msg.Role == FromModel:
			out = append(out, chat{"role": "assistant", "content": text})
		case len(parts) > 0:
			out = append(out, chat{"role": "user", "content": parts})
		}
	}
	return out
}

func dataURL(i *Image) string {
	return "data:" + i.MIME + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}

type openAIStream struct {
	*answering
	index map[int]int // of a call in the stream -> in calls
	over  bool
}

type openAIChunk struct {
	Model   string `json:"model"`
	Choices []struct {
		Delta struct {
			Content   string `json:"content"`
			Refusal   string `json:"refusal"`
			ToolCalls []struct {
				Index    int    `json:"index"`
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func (p *openAIStream) event(_ string, data []byte) error {
	if strings.TrimSpace(string(data)) == "[DONE]" {
		if p.stop == "" {
			return errCut
		}
		p.over = true
		return nil
	}
	var c openAIChunk
	if err := decode(data, &c); err != nil {
		return err
	}
	if c.Error != nil {
		return fault.New(fault.Unavailable, op, "the provider broke off: %.500s", c.Error.Message)
	}
	if c.Model != "" {
		p.model = c.Model
	}
	if u := c.Usage; u != nil {
		p.usage = Usage{Input: u.Prompt, CachedInput: u.Details.Cached, Output: u.Completion}
	}
	for _, choice := range c.Choices {
		p.text(choice.Delta.Content)
		if choice.Delta.Refusal != "" {
			p.text(choice.Delta.Refusal)
			p.refused = true
		}
		for _, d := range choice.Delta.ToolCalls {
			if err := p.call(d.Index, d.ID, d.Function.Name, d.Function.Arguments); err != nil {
				return err
			}
		}
		p.ends(choice.FinishReason)
	}
	return nil
}

// call takes in a piece of a tool call. Some servers leave the index at 0 for all and tell calls apart by their ids.
func (p *openAIStream) call(index int, id, name, args string) error {
	if p.index == nil {
		p.index = map[int]int{}
	}
	at, known := p.index[index]
	if !known || id != "" && p.calls[at].ID != "" && p.calls[at].ID != id {
		at = len(p.calls)
		if err := p.begins(Call{ID: id}); err != nil {
			return err
		}
		p.index[index] = at
	}
	c := &p.calls[at]
	c.Name += name
	if id != "" {
		c.ID = id
	}
	c.Args = append(c.Args, args...)
	return nil
}

// done waits for [DONE]: usage comes after the reason why the answer ended. Not all servers send it.
func (p *openAIStream) done() bool { return p.over }

// whole says that the answer has a reason why it ended.
func (a *answering) whole() bool { return a.stop != "" }

func (r Request) limit() int {
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	return 4096
}

func (r Request) choice() string {
	if r.Choice == "" {
		return string(Auto)
	}
	return string(r.Choice)
}

// maxCalls bounds the calls of one answer.
const maxCalls = 64

// answering gathers an answer from its pieces.
type answering struct {
	say     func(string)
	said    *bool
	words   strings.Builder
	calls   []Call
	stop    Stop
	refused bool
	model   string
	usage   Usage
}

// begins takes in a call.
func (a *answering) begins(c Call) error {
	if len(a.calls) >= maxCalls {
		return fault.New(fault.Invalid, op, "the model asked for more than %d calls at once", maxCalls)
	}
	a.calls = append(a.calls, c)
	return nil
}

// ends takes in why an answer ended, in the words of all wires; "" is not yet.
func (a *answering) ends(reason string) {
	switch reason {
	case "":
	case "length", "max_tokens", "model_context_window_exceeded", "MAX_TOKENS":
		a.stop = Cut
	case "stop", "tool_calls", "function_call", "end_turn", "tool_use", "stop_sequence", "pause_turn", "STOP":
		a.stop = Ended
	default: // a filter of the provider, or the model itself
		a.stop = Refused
	}
}

// anew is for the next attempt; it remembers whether anybody has read along.
func (a *answering) anew() *answering {
	if a.said == nil {
		a.said = new(bool)
	}
	return &answering{say: a.say, said: a.said}
}

func (a *answering) begun() bool { return a.said != nil && *a.said }

func (a *answering) text(s string) {
	if s == "" {
		return
	}
	a.words.WriteString(s)
	if a.say != nil {
		*a.said = true
		a.say(s)
	}
}

// response is the answer when it is whole.
func (a *answering) response(model string) *Response {
	r := &Response{Text: a.words.String(), Calls: a.calls, Stop: a.stop, Model: model, Usage: a.usage}
	if a.model != "" {
		r.Model = a.model
	}
	r.Usage.Calls = 1
	for i := range r.Calls {
		if len(r.Calls[i].Args) == 0 {
			r.Calls[i].Args = json.RawMessage("{}")
		}
		if r.Calls[i].ID == "" {
			r.Calls[i].ID = "call_" + string(rune('a'+i%26))
		}
	}
	switch {
	case a.refused:
		r.Stop = Refused
	case r.Stop == Ended && len(r.Calls) > 0:
		r.Stop = Calling
	}
	return r
}
