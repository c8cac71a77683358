package llm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// gemini speaks the generateContent of Google.
type gemini struct {
	Settings
	w *wire
}

var _ Model = (*gemini)(nil)

func newGemini(s Settings) Model {
	h := http.Header{}
	h.Set("X-Goog-Api-Key", s.Key) // never in the address, which ends up in logs
	return &gemini{s, newWire(s.Provider, s.Key, h, s.PerMinute)}
}

// Generate implements Model. Google keeps repeated beginnings in its cache by itself.
func (m *gemini) Generate(ctx context.Context, r Request, say func(string)) (*Response, error) {
	body := chat{"contents": geminiContents(r.Messages), "generationConfig": chat{"maxOutputTokens": r.limit()}}
	if r.System != "" {
		body["systemInstruction"] = chat{"parts": []chat{{"text": r.System}}}
	}
	if len(r.Tools) > 0 {
		var tools []chat
		for _, t := range r.Tools {
			tools = append(tools, chat{"name": t.Name, "description": t.Description, "parametersJsonSchema": t.Schema})
		}
		mode := map[string]string{string(Required): "ANY", string(None): "NONE", string(Auto): "AUTO"}[r.choice()]
		body["tools"] = []chat{{"functionDeclarations": tools}}
		body["toolConfig"] = chat{"functionCallingConfig": chat{"mode": mode}}
	}
	a := &answering{say: say}
	var p *geminiStream
	to := m.BaseURL + "/models/" + url.PathEscape(m.Model) + ":streamGenerateContent?alt=sse"
	err := m.w.ask(ctx, to, body, func() parser {
		p = &geminiStream{answering: a.anew()}
		return p
	}, a.begun)
	if err != nil {
		return nil, err
	}
	return m.priced(p.response(m.Model)), nil
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
				args := p.Call.Args
				if !object(args) {
					args = json.RawMessage("{}")
				}
				part := chat{"functionCall": chat{"name": p.Call.Name, "args": args}}
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

type geminiStream struct{ *answering }

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

func (p *geminiStream) event(_ string, data []byte) error {
	var c geminiChunk
	if err := decode(data, &c); err != nil {
		return err
	}
	if c.Error != nil {
		return fault.New(fault.Unavailable, op, "the provider broke off: %.500s", c.Error.Message)
	}
	if u := c.Usage; u != nil {
		p.usage = Usage{Input: u.Prompt, CachedInput: u.Cached, Output: u.Output + u.Thoughts}
	}
	if c.ModelVersion != "" {
		p.model = c.ModelVersion
	}
	if c.PromptFeedback.BlockReason != "" {
		p.stop = Refused
	}
	for _, cand := range c.Candidates {
		for _, part := range cand.Content.Parts {
			if !part.Thought {
				p.text(part.Text)
			}
			if f := part.FunctionCall; f != nil {
				id := f.ID
				if id == "" { // it tells calls apart by their order
					id = fmt.Sprintf("call_%d", len(p.calls)+1)
				}
				if err := p.begins(Call{ID: id, Name: f.Name, Args: f.Args, Signature: part.Signature}); err != nil {
					return err
				}
			}
		}
		switch cand.FinishReason {
		case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL":
			return fault.New(fault.Unavailable, op, "the model garbled a call (%s)", cand.FinishReason)
		}
		p.ends(cand.FinishReason)
	}
	return nil
}

// done is never: the stream itself ends with the answer.
func (p *geminiStream) done() bool { return false }
