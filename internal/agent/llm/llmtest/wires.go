package llmtest

import (
	"encoding/json"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
)

// Turn is one answer, or what goes wrong instead.
type Turn struct {
	Text        string
	Calls       []llm.Call
	Stop        llm.Stop // "": what fits
	Cached      int      // tokens of the question that came from a cache
	Status      int      // instead of an answer: this status, with Text as the reason
	Retry       string   // with Status: the header Retry-After
	Code        string   // with Status: the code of the error
	OneDocument bool     // the answer comes as one JSON document, as from a server that does not stream
	Cut         bool     // the connection ends in the middle
	Garbage     bool     // what comes is no JSON
	Hang        bool     // nothing comes until the client leaves
	Huge        bool     // text without end
	Null        bool     // each piece says that there is no error, where the wire is OpenAI's
}

type obj = map[string]any

// inputTokens is the number of tokens that every question is said to have taken.
const inputTokens = 1000

func sse(name string, data any) string {
	raw, _ := json.Marshal(data) // of what is above
	if name != "" {
		name = "event: " + name + "\n"
	}
	return name + "data: " + string(raw) + "\n\n"
}

// halves cuts a text in two, so that a reader must put pieces together.
func halves(s string) []string {
	r := []rune(s)
	return []string{string(r[:len(r)/2]), string(r[len(r)/2:])}
}

func openAI(t Turn) (out []string) {
	chunk := func(delta obj, finish any) string {
		o := obj{"id": "x", "object": "chat.completion.chunk", "model": "scripted-1",
			"choices": []obj{{"index": 0, "delta": delta, "finish_reason": finish}}}
		if t.Null {
			o["error"] = nil
		}
		return sse("", o)
	}
	out = append(out, chunk(obj{"role": "assistant", "content": ""}, nil))
	key := "content"
	if t.Stop == llm.Refused {
		key = "refusal"
	}
	for _, h := range halves(t.Text) {
		out = append(out, chunk(obj{key: h}, nil))
	}
	for i, c := range t.Calls {
		out = append(out, chunk(obj{"tool_calls": []obj{{"index": i, "id": c.ID, "type": "function",
			"function": obj{"name": c.Name, "arguments": ""}}}}, nil))
		for _, h := range halves(string(c.Args)) {
			out = append(out, chunk(obj{"tool_calls": []obj{{"index": i, "function": obj{"arguments": h}}}}, nil))
		}
	}
	finish := "stop"
	switch {
	case t.Stop == llm.Cut:
		finish = "length"
	case len(t.Calls) > 0:
		finish = "tool_calls"
	}
	out = append(out, chunk(obj{}, finish))
	usage := obj{"prompt_tokens": inputTokens, "completion_tokens": 20,
		"prompt_tokens_details": obj{"cached_tokens": t.Cached}}
	return append(out, sse("", obj{"choices": []obj{}, "usage": usage}), "data: [DONE]\n\n")
}

func anthropic(t Turn) (out []string) {
	ev := func(e obj) { out = append(out, sse(fmt.Sprint(e["type"]), e)) }
	ev(obj{"type": "message_start", "message": obj{"id": "m", "role": "assistant", "model": "scripted-1",
		"usage": obj{"input_tokens": inputTokens - t.Cached, "cache_read_input_tokens": t.Cached, "output_tokens": 1}}})
	ev(obj{"type": "ping"})
	at := 0
	if t.Text != "" {
		ev(obj{"type": "content_block_start", "index": at, "content_block": obj{"type": "text", "text": ""}})
		for _, h := range halves(t.Text) {
			ev(obj{"type": "content_block_delta", "index": at, "delta": obj{"type": "text_delta", "text": h}})
		}
		ev(obj{"type": "content_block_stop", "index": at})
		at++
	}
	for _, c := range t.Calls {
		ev(obj{"type": "content_block_start", "index": at,
			"content_block": obj{"type": "tool_use", "id": c.ID, "name": c.Name, "input": obj{}}})
		for _, h := range halves(string(c.Args)) {
			ev(obj{"type": "content_block_delta", "index": at, "delta": obj{"type": "input_json_delta", "partial_json": h}})
		}
		ev(obj{"type": "content_block_stop", "index": at})
		at++
	}
	stop := "end_turn"
	switch {
	case t.Stop == llm.Refused:
		stop = "refusal"
	case t.Stop == llm.Cut:
		stop = "max_tokens"
	case len(t.Calls) > 0:
		stop = "tool_use"
	}
	ev(obj{"type": "message_delta", "delta": obj{"stop_reason": stop}, "usage": obj{"output_tokens": 20}})
	ev(obj{"type": "message_stop"})
	return out
}

func google(t Turn) (out []string) {
	chunk := func(parts []obj, more obj) {
		c := obj{"content": obj{"role": "model", "parts": parts}}
		if f, ok := more["finishReason"]; ok {
			c["finishReason"] = f
			delete(more, "finishReason")
		}
		more["candidates"], more["modelVersion"] = []obj{c}, "scripted-1"
		out = append(out, sse("", more))
	}
	for _, h := range halves(t.Text) {
		chunk([]obj{{"text": h}}, obj{})
	}
	for _, c := range t.Calls {
		chunk([]obj{{"functionCall": obj{"name": c.Name, "args": c.Args}, "thoughtSignature": "c2ln"}}, obj{})
	}
	finish := "STOP"
	switch t.Stop {
	case llm.Refused:
		finish = "SAFETY"
	case llm.Cut:
		finish = "MAX_TOKENS"
	}
	chunk(nil, obj{"finishReason": finish, "usageMetadata": obj{"promptTokenCount": inputTokens,
		"candidatesTokenCount": 20, "cachedContentTokenCount": t.Cached}})
	return out
}

// completion is the answer of OpenAI to a request that does not stream.
func completion(t Turn) any {
	message := obj{"role": "assistant", "content": t.Text}
	finish := "stop"
	calls := []obj{}
	for _, c := range t.Calls {
		finish = "tool_calls"
		calls = append(calls, obj{"id": c.ID, "type": "function",
			"function": obj{"name": c.Name, "arguments": string(c.Args)}})
	}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	return obj{"id": "x", "object": "chat.completion", "model": "scripted-1",
		"choices": []obj{{"index": 0, "message": message, "finish_reason": finish}},
		"usage": obj{"prompt_tokens": inputTokens, "completion_tokens": 20,
			"prompt_tokens_details": obj{"cached_tokens": t.Cached}}}
}

// message is the answer of Anthropic to a request that does not stream.
func message(t Turn) any {
	stop := "end_turn"
	content := []obj{}
	if t.Text != "" {
		content = append(content, obj{"type": "text", "text": t.Text})
	}
	for _, c := range t.Calls {
		stop = "tool_use"
		content = append(content, obj{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Args})
	}
	return obj{"id": "m", "type": "message", "role": "assistant", "model": "scripted-1", "content": content,
		"stop_reason": stop, "usage": obj{"input_tokens": inputTokens - t.Cached, "cache_read_input_tokens": t.Cached,
			"output_tokens": 20}}
}

// candidates is the answer of Google to a request that does not stream.
func candidates(t Turn) any {
	parts := []obj{}
	if t.Text != "" {
		parts = append(parts, obj{"text": t.Text})
	}
	for _, c := range t.Calls {
		parts = append(parts, obj{"functionCall": obj{"name": c.Name, "args": c.Args}})
	}
	return obj{"modelVersion": "scripted-1",
		"candidates": []obj{{"content": obj{"role": "model", "parts": parts}, "finishReason": "STOP"}},
		"usageMetadata": obj{"promptTokenCount": inputTokens, "candidatesTokenCount": 20,
			"cachedContentTokenCount": t.Cached}}
}
