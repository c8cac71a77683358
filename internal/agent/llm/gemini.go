package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// gemini speaks the generateContent of Google. It is the one wire of our own: ADR 9 has the figures.
type gemini struct {
	Settings
	w *wire
}

var _ Model = (*gemini)(nil)

func newGemini(s Settings) *gemini { return &gemini{s, newWire(s)} }

type chat map[string]any

// Generate implements Model. Google caches repeated beginnings without being asked.
func (m *gemini) Generate(ctx context.Context, r Request, say func(string)) (*Response, error) {
	to := m.BaseURL + "/models/" + url.PathEscape(m.Model) + ":streamGenerateContent?alt=sse"
	a, err := m.w.ask(ctx, r, say, func(ctx context.Context, c *http.Client, a *answering) error {
		body, err := json.Marshal(m.body(r))
		if err != nil {
			return fault.Wrap(err, fault.Internal, op)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
		if err != nil {
			return fault.New(fault.Invalid, op, "the address of %s cannot be used", m.Provider).
				WithHint("Look at base_url below llm in trailblaze.yaml.")
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
		if m.Key != "" {
			req.Header.Set("X-Goog-Api-Key", m.Key) // never in the address, which ends up in logs
		}
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		return readEvents(resp.Body, func(data []byte) error { return a.candidates(data) })
	})
	if err != nil {
		return nil, err
	}
	return m.priced(a.response(m.Model, r.offered())), nil
}

// readEvents reads the data of server-sent events until the stream ends, as the answer does.
func readEvents(from io.Reader, event func(data []byte) error) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 4096), maxAnswer)
	var data []byte
	for lines.Scan() {
		line := bytes.TrimSuffix(lines.Bytes(), []byte("\r"))
		field, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case string(field) == "data":
			data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		case len(line) == 0 && data != nil:
			if err := event(data); err != nil {
				return err
			}
			data = nil
		}
	}
	if data != nil && lines.Err() == nil {
		return event(data)
	}
	return lines.Err()
}

func (m *gemini) body(r Request) chat {
	config := chat{"maxOutputTokens": m.w.sent.limit(r)}
	if t, ok := m.w.sent.temperature(); ok {
		config[temperature] = t
	}
	if n, ok := m.w.sent.seed(); ok {
		config[seed] = n
	}
	body := chat{"contents": geminiContents(r.Messages), "generationConfig": config}
	if r.System != "" {
		body["systemInstruction"] = chat{"parts": []chat{{"text": r.System}}}
	}
	if len(r.Tools) > 0 {
		var tools []chat
		for _, t := range r.Tools {
			tools = append(tools, chat{"name": t.Name, "description": t.Description, "parametersJsonSchema": t.Schema})
		}
		mode := map[Choice]string{Required: "ANY", None: "NONE", Auto: "AUTO"}[r.choice()]
		body["tools"] = []chat{{"functionDeclarations": tools}}
		body["toolConfig"] = chat{"functionCallingConfig": chat{"mode": mode}}
	}
	return body
}

func geminiContents(in []Message) []chat {
	var out []chat
	for _, msg := range in {
		role := "user"
		if msg.Role == FromModel {
			role = "model"
		}
		var parts []chat
		for _, p := range msg.Parts {
			switch {
			case p.Result != nil:
				key := "result"
				if p.Result.IsError {
					key = "error"
				}
				parts = append(parts, chat{"functionResponse": chat{"name": p.Result.Name,
					"response": chat{key: p.Result.Text}}})
			case p.Call != nil:
				part := chat{"functionCall": chat{"name": p.Call.Name, "args": object(p.Call.Args)}}
				if p.Call.Signature != "" {
					part["thoughtSignature"] = p.Call.Signature
				}
				parts = append(parts, part)
			case p.Image != nil:
				parts = append(parts, chat{"inlineData": chat{"mimeType": p.Image.MIME,
					"data": base64.StdEncoding.EncodeToString(p.Image.Data)}})
			default:
				parts = append(parts, chat{"text": p.Text})
			}
		}
		if len(parts) > 0 {
			out = append(out, chat{"role": role, "parts": parts})
		}
	}
	return out
}

type geminiChunk struct {
	ModelVersion string `json:"modelVersion"`
	Candidates   []struct {
		Content struct {
			Parts []struct {
				Text         string `json:"text"`
				Thought      bool   `json:"thought"`
				Signature    string `json:"thoughtSignature"`
				FunctionCall *struct {
					ID   string          `json:"id"`
					Name string          `json:"name"`
					Args json.RawMessage `json:"args"`
				} `json:"functionCall"`
			} `json:"parts"`
		} `json:"content"`
		FinishReason string `json:"finishReason"`
	} `json:"candidates"`
	PromptFeedback struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *struct {
		Prompt   int `json:"promptTokenCount"`
		Output   int `json:"candidatesTokenCount"`
		Thoughts int `json:"thoughtsTokenCount"`
		Cached   int `json:"cachedContentTokenCount"`
	} `json:"usageMetadata"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// candidates takes in a piece of the stream.
func (a *answering) candidates(data []byte) error {
	var c geminiChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return fault.New(fault.Unavailable, op, "the provider sent what is no JSON: %.80q", data)
	}
	if c.Error != nil {
		return fault.New(fault.Unavailable, op, "the provider broke off: %.500s", c.Error.Message)
	}
	if u := c.Usage; u != nil {
		a.usage = Usage{Input: u.Prompt, CachedInput: u.Cached, Output: u.Output + u.Thoughts}
	}
	if c.ModelVersion != "" {
		a.model = c.ModelVersion
	}
	if c.PromptFeedback.BlockReason != "" {
		a.stop = Refused
	}
	for _, cand := range c.Candidates {
		for _, part := range cand.Content.Parts {
			if !part.Thought {
				a.text(part.Text)
			}
			if f := part.FunctionCall; f != nil {
				id := f.ID
				if id == "" { // it tells calls apart by their order
					id = fmt.Sprintf("call_%d", len(a.calls)+1)
				}
				if err := a.begins(Call{ID: id, Name: f.Name, Args: f.Args, Signature: part.Signature}); err != nil {
					return err
				}
			}
		}
		switch cand.FinishReason {
		case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL":
			return fault.New(fault.Unavailable, op, "the model garbled a call (%s)", cand.FinishReason)
		}
		a.ends(cand.FinishReason)
	}
	return nil
}
