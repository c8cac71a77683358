package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/shared"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// openAI speaks the chat completions of OpenAI by its SDK; Ollama, vLLM, OpenRouter and others speak them as well.
type openAI struct {
	Settings
	w     *wire
	chats openai.ChatCompletionService
}

var _ Model = (*openAI)(nil)

func newOpenAI(s Settings) *openAI {
	// The service, unlike the client of the SDK, reads nothing from the environment.
	opts := []option.RequestOption{option.WithBaseURL(s.BaseURL), option.WithMaxRetries(0),
		option.WithMiddleware(noNullErrors)}
	if s.Key != "" {
		opts = append(opts, option.WithAPIKey(s.Key))
	}
	return &openAI{s, newWire(s), openai.NewChatCompletionService(opts...)}
}

// Generate implements Model.
func (m *openAI) Generate(ctx context.Context, r Request, say func(string)) (*Response, error) {
	a, err := m.w.ask(ctx, r, say, func(ctx context.Context, c *http.Client, a *answering) error {
		s := m.chats.NewStreaming(ctx, m.params(r), option.WithHTTPClient(c))
		defer func() { _ = s.Close() }()
		for s.Next() {
			if err := a.chunk(s.Current()); err != nil {
				return err
			}
		}
		if e, is := errors.AsType[*ssestream.StreamError](s.Err()); is {
			return fault.New(fault.Unavailable, op, "the provider broke off: %.500s", e.Message)
		}
		return s.Err()
	})
	if err != nil {
		return nil, err
	}
	return m.priced(a.response(m.Model, r.offered())), nil
}

// noNullErrors takes "error": null out of the pieces of an answer. Some servers write it into each, and the SDK takes
// any such member for the end of the answer.
func noNullErrors(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(r)
	if err == nil && resp != nil {
		resp.Body = &withoutNullErrors{Closer: resp.Body, lines: bufio.NewReader(resp.Body)}
	}
	return resp, err
}

type withoutNullErrors struct {
	io.Closer
	lines *bufio.Reader // of a body that is bounded
	left  []byte        // of the last line
}

// Read implements io.Reader.
func (b *withoutNullErrors) Read(p []byte) (int, error) {
	if len(b.left) == 0 {
		line, err := b.lines.ReadBytes('\n')
		if len(line) == 0 {
			return 0, err
		}
		b.left = withoutNullError(line)
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

func withoutNullError(line []byte) []byte {
	const prefix, member = "data:", "error"
	var piece map[string]json.RawMessage
	data, is := bytes.CutPrefix(line, []byte(prefix))
	if !is || !bytes.Contains(data, []byte(member)) || json.Unmarshal(data, &piece) != nil ||
		string(piece[member]) != "null" {
		return line
	}
	delete(piece, member)
	data, _ = json.Marshal(piece) // it was JSON
	return append([]byte(prefix), append(data, '\n')...)
}

func (m *openAI) params(r Request) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{Model: m.Model, Messages: chatMessages(r),
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}}
	if limit := openai.Int(int64(m.w.sent.limit(r))); m.Provider == OpenAI { // its newer models know only this
		p.MaxCompletionTokens = limit
	} else {
		p.MaxTokens = limit
	}
	if t, ok := m.w.sent.temperature(); ok {
		p.Temperature = openai.Float(t)
	}
	if n, ok := m.w.sent.seed(); ok {
		p.Seed = openai.Int(n)
	}
	if len(r.Tools) > 0 {
		if yes, ok := m.w.sent.parallel(); ok {
			p.ParallelToolCalls = openai.Bool(yes)
		}
		p.ToolChoice.OfAuto = openai.String(string(r.choice()))
	}
	for _, t := range r.Tools {
		p.Tools = append(p.Tools, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.Name, Description: openai.String(t.Description), Parameters: inOrder(t.Schema)}))
	}
	return p
}

// inOrder is a schema as the SDK takes it, with its properties in the order of their author.
func inOrder(schema json.RawMessage) shared.FunctionParameters {
	var m map[string]json.RawMessage
	if json.Unmarshal(schema, &m) != nil {
		return nil
	}
	out := shared.FunctionParameters{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

func chatMessages(r Request) (out []openai.ChatCompletionMessageParamUnion) {
	if r.System != "" {
		out = append(out, openai.SystemMessage(r.System))
	}
	for _, msg := range r.Messages {
		var parts []openai.ChatCompletionContentPartUnionParam
		said := openai.ChatCompletionAssistantMessageParam{}
		text := ""
		for _, p := range msg.Parts {
			switch {
			case p.Result != nil:
				out = append(out, openai.ToolMessage(p.Result.Text, p.Result.ID))
			case p.Call != nil:
				said.ToolCalls = append(said.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
					OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{ID: p.Call.ID,
						Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{
							Name: p.Call.Name, Arguments: string(p.Call.Args)}}})
			case p.Image != nil:
				parts = append(parts, openai.ImageContentPart(
					openai.ChatCompletionContentPartImageImageURLParam{URL: dataURL(p.Image)}))
			default:
				text += p.Text
				parts = append(parts, openai.TextContentPart(p.Text))
			}
		}
		switch {
		case msg.Role == FromModel:
			said.Content.OfString = openai.String(text)
			out = append(out, openai.ChatCompletionMessageParamUnion{OfAssistant: &said})
		case len(parts) > 0:
			out = append(out, openai.UserMessage(parts))
		}
	}
	return out
}

func dataURL(i *Image) string {
	return "data:" + i.MIME + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}

// chunk takes in a piece of the stream. Usage comes after the reason why the answer ended.
func (a *answering) chunk(c openai.ChatCompletionChunk) error {
	if c.Model != "" {
		a.model = c.Model
	}
	if u := c.Usage; c.JSON.Usage.Valid() {
		a.usage = Usage{Input: int(u.PromptTokens), CachedInput: int(u.PromptTokensDetails.CachedTokens),
			Output: int(u.CompletionTokens)}
	}
	for _, choice := range c.Choices {
		a.text(choice.Delta.Content)
		if choice.Delta.Refusal != "" {
			a.text(choice.Delta.Refusal)
			a.refused = true
		}
		for _, d := range choice.Delta.ToolCalls {
			if err := a.toolCall(d); err != nil {
				return err
			}
		}
		a.ends(choice.FinishReason)
	}
	return nil
}

// toolCall takes in a piece of a call. Some servers leave the index at 0 for all and distinguish calls by their ids.
func (a *answering) toolCall(d openai.ChatCompletionChunkChoiceDeltaToolCall) error {
	c := a.of(d.Index)
	if c == nil || d.ID != "" && c.ID != "" && c.ID != d.ID {
		if err := a.at(d.Index, Call{ID: d.ID}); err != nil {
			return err
		}
		c = a.of(d.Index)
	}
	c.Name += d.Function.Name
	if d.ID != "" {
		c.ID = d.ID
	}
	c.Args = append(c.Args, d.Function.Arguments...)
	return nil
}
