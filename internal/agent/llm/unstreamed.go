package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
)

// inPieces makes an answer that came as one JSON document into the events that the same answer has when it is
// streamed: some servers and proxies do not stream, whatever they are asked for. wire is that of the provider.
func inPieces(resp *http.Response, wire string) error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind != "application/json" {
		return nil
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	_ = resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(raw))
	if trimmed := bytes.TrimSpace(raw); !bytes.HasPrefix(trimmed, []byte("{")) && !bytes.HasPrefix(trimmed, []byte("[")) {
		return nil // it streams, under a wrong type
	}
	split := map[string]func([]byte) ([]any, error){
		OpenAI: chatPieces, Anthropic: messagePieces, Google: candidatePieces,
	}
	pieces, err := split[wire](raw)
	if err != nil {
		return fmt.Errorf("%w: %.80q", err, raw)
	}
	var out bytes.Buffer
	for _, p := range pieces {
		if e, ok := p.(map[string]any); ok && e["type"] != nil {
			fmt.Fprintf(&out, "event: %v\n", e["type"])
		}
		data, err := json.Marshal(p)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "data: %s\n\n", data)
	}
	if wire == OpenAI {
		out.WriteString("data: [DONE]\n\n")
	}
	resp.Header.Set("Content-Type", "text/event-stream")
	resp.Body = io.NopCloser(&out)
	return nil
}

// chatPieces returns the pieces of a chat completion of OpenAI: its message is the delta of a stream.
func chatPieces(raw []byte) ([]any, error) {
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	choices, _ := doc["choices"].([]any)
	for _, c := range choices {
		choice, _ := c.(map[string]any)
		message, _ := choice["message"].(map[string]any)
		calls, _ := message["tool_calls"].([]any)
		for i, c := range calls {
			if call, ok := c.(map[string]any); ok {
				call["index"] = i
			}
		}
		if message != nil {
			choice["delta"] = message
			delete(choice, "message")
		}
	}
	return []any{doc}, nil
}

// messagePieces is a message of Anthropic.
func messagePieces(raw []byte) ([]any, error) {
	type object = map[string]any
	var doc struct {
		Model      string            `json:"model"`
		Content    []json.RawMessage `json:"content"`
		StopReason string            `json:"stop_reason"`
		Usage      json.RawMessage   `json:"usage"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	out := []any{object{"type": "message_start", "message": object{"model": doc.Model, "usage": doc.Usage}}}
	for i, block := range doc.Content {
		out = append(out, object{"type": "content_block_start", "index": i, "content_block": block})
		var call struct {
			Input json.RawMessage `json:"input"`
		}
		if err := json.Unmarshal(block, &call); err != nil {
			return nil, err
		}
		if call.Input != nil {
			out = append(out, object{"type": "content_block_delta", "index": i,
				"delta": object{"type": "input_json_delta", "partial_json": string(call.Input)}})
		}
		out = append(out, object{"type": "content_block_stop", "index": i})
	}
	return append(out, object{"type": "message_delta", "delta": object{"stop_reason": doc.StopReason}, "usage": doc.Usage},
		object{"type": "message_stop"}), nil
}

// candidatePieces is an answer of Google, or the list of its pieces.
func candidatePieces(raw []byte) (out []any, err error) {
	if json.Unmarshal(raw, &out) == nil {
		return out, nil
	}
	var one any
	err = json.Unmarshal(raw, &one)
	return []any{one}, err
}
