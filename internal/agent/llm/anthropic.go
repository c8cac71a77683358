package llm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// claude speaks the messages of Anthropic by its SDK.
type claude struct {
	Settings
	w        *wire
	messages anthropic.MessageService
}

var _ Model = (*claude)(nil)

func newAnthropic(s Settings) *claude {
	// The service, unlike the client of the SDK, reads nothing from the environment or from files.
	opts := []option.RequestOption{option.WithBaseURL(s.BaseURL), option.WithMaxRetries(0),
		option.WithHeader("Anthropic-Version", "2023-06-01")}
	if s.Key != "" {
		opts = append(opts, option.WithAPIKey(s.Key))
	}
	return &claude{s, newWire(s), anthropic.NewMessageService(opts...)}
}

// Generate implements Model.
func (m *claude) Generate(ctx context.Context, r Request, say func(string)) (*Response, error) {
	a, err := m.w.ask(ctx, r, say, func(ctx context.Context, c *http.Client, a *answering) error {
		s := m.messages.NewStreaming(ctx, m.params(r), option.WithHTTPClient(c))
		defer func() { _ = s.Close() }()
		for s.Next() {
			if over, err := a.event(s.Current()); over || err != nil {
				return err
			}
		}
		if e, is := errors.AsType[*anthropic.Error](s.Err()); is {
			return brokeOff(e.RawJSON())
		}
		if s.Err() != nil {
			return s.Err()
		}
		return errCut // message_stop did not come
	})
	if err != nil {
		return nil, err
	}
	return m.priced(a.response(m.Model, r.offered())), nil
}

// params marks the tools and the system text, which are the same in every request of a run, as what to cache.
func (m *claude) params(r Request) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{Model: m.Model, MaxTokens: int64(m.w.sent.limit(r)),
		Messages: claudeMessages(r.Messages)}
	if t, ok := m.w.sent.temperature(); ok {
		p.Temperature = anthropic.Float(t)
	}
	kept := anthropic.NewCacheControlEphemeralParam()
	if r.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: r.System, CacheControl: kept}}
	}
	for i, t := range r.Tools {
		x := anthropic.ToolUnionParamOfTool(param.Override[anthropic.ToolInputSchemaParam](t.Schema), t.Name)
		x.OfTool.Description = anthropic.String(t.Description)
		if i == len(r.Tools)-1 {
			x.OfTool.CacheControl = kept
		}
		p.Tools = append(p.Tools, x)
	}
	if len(p.Tools) > 0 {
		single := param.Opt[bool]{}
		if yes, ok := m.w.sent.parallel(); ok {
			single = anthropic.Bool(!yes)
		}
		switch r.choice() {
		case Required:
			p.ToolChoice.OfAny = &anthropic.ToolChoiceAnyParam{DisableParallelToolUse: single}
		case None:
			none := anthropic.NewToolChoiceNoneParam()
			p.ToolChoice.OfNone = &none
		default:
			p.ToolChoice.OfAuto = &anthropic.ToolChoiceAutoParam{DisableParallelToolUse: single}
		}
	}
	return p
}

func claudeMessages(in []Message) (out []anthropic.MessageParam) {
	for _, msg := range in {
		var parts []anthropic.ContentBlockParamUnion
		for _, p := range msg.Parts {
			switch {
			case p.Result != nil:
				parts = append(parts, anthropic.NewToolResultBlock(p.Result.ID, p.Result.Text, p.Result.IsError))
			case p.Call != nil:
				parts = append(parts, anthropic.NewToolUseBlock(p.Call.ID, object(p.Call.Args), p.Call.Name))
			case p.Image != nil:
				parts = append(parts, anthropic.NewImageBlockBase64(p.Image.MIME,
					base64.StdEncoding.EncodeToString(p.Image.Data)))
			case p.Text != "": // an empty text is an error there
				parts = append(parts, anthropic.NewTextBlock(p.Text))
			}
		}
		if len(parts) > 0 {
			out = append(out, anthropic.MessageParam{Role: anthropic.MessageParamRole(msg.Role), Content: parts})
		}
	}
	return out
}

// event takes in an event of the stream. over says that the answer is there.
func (a *answering) event(e anthropic.MessageStreamEventUnion) (over bool, err error) {
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		a.model = e.Message.Model
		a.usage = Usage{Input: int(u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens),
			CachedInput: int(u.CacheReadInputTokens), Output: int(u.OutputTokens)}
	case "content_block_start":
		a.text(e.ContentBlock.Text)
		if e.ContentBlock.Type == "tool_use" {
			return false, a.at(e.Index, Call{ID: e.ContentBlock.ID, Name: e.ContentBlock.Name})
		}
	case "content_block_delta":
		a.text(e.Delta.Text)
		if c := a.of(e.Index); c != nil {
			c.Args = append(c.Args, e.Delta.PartialJSON...)
		}
	case "message_delta":
		a.usage.Output = max(a.usage.Output, int(e.Usage.OutputTokens))
		a.ends(string(e.Delta.StopReason))
	case "message_stop":
		if a.stop == "" {
			return true, errCut
		}
		return true, nil
	}
	return false, nil
}

// brokeOff words an error in the midst of a stream.
func brokeOff(raw string) error {
	var doc struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	}
	_ = json.Unmarshal([]byte(raw), &doc) // what is not there stays blank
	kind := fault.Degraded
	passing := []string{"", "overloaded_error", "api_error", "rate_limit_error", "timeout_error"}
	if slices.Contains(passing, doc.Error.Type) {
		kind = fault.Unavailable
	}
	return fault.New(kind, op, "the provider broke off (%s): %.500s", doc.Error.Type, doc.Error.Message)
}
