// Package llm asks language models. A Model takes a request (a system text, messages with text, pictures, tool calls
// and results, and the tools it may call) and gives the answer with what it cost. The SDKs of OpenAI and Anthropic make
// the requests, and one wire of our own that of Google (ADR 9 has the figures); attempts, bounds, pace and messages are
// the same for all. The agent and `app` import it. A Model is safe for concurrent use.
//
//	m, err := llm.New(llm.Settings{Provider: "anthropic", Model: "claude-sonnet-4-6", Key: key})
//	answer, err := m.Generate(ctx, llm.Request{System: rules, Messages: []llm.Message{llm.User("Hello")}}, nil)
package llm

import (
	"context"
	"encoding/json"
	"time"
)

// Model answers requests.
type Model interface {
	// Name is the provider and the model, "anthropic/claude-sonnet-4-6".
	Name() string
	// Generate asks once. say gets pieces of the text as they come; nil when there is no reader.
	Generate(ctx context.Context, r Request, say func(text string)) (*Response, error)
}

// Request is one question. Parts that are the same in every question of a run come first (System, Tools), so that a
// provider can keep them in its cache.
type Request struct {
	System    string
	Tools     []Tool
	Messages  []Message
	Choice    Choice
	MaxTokens int // of the answer; 0: 4096

	// Waits is told before the question waits for its provider: how long, and why. Nil: nobody is told.
	Waits func(d time.Duration, why string)
}

// Tool is a function that the model may call.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"` // of the arguments object
}

// Choice says whether the model calls a tool.
type Choice string

// The choices.
const (
	Auto     Choice = "auto" // the default: as the model likes
	Required Choice = "required"
	None     Choice = "none"
)

// Role says whose message it is.
type Role string

// The roles.
const (
	FromUser  Role = "user"
	FromModel Role = "assistant"
)

// Message is one turn of a conversation.
type Message struct {
	Role  Role   `json:"role"`
	Parts []Part `json:"parts"`
}

// Part is a piece of a message: one of its fields is set.
type Part struct {
	Text   string  `json:"text,omitempty"`
	Image  *Image  `json:"image,omitempty"`
	Call   *Call   `json:"call,omitempty"`
	Result *Result `json:"result,omitempty"`
}

// Image is a picture.
type Image struct {
	MIME string `json:"mime"`
	Data []byte `json:"-"` // logs keep no pictures here
}

// Call is a call of a tool that the model wants made.
type Call struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Args      json.RawMessage `json:"args"` // an object; the words of the model when they are no JSON
	Signature string          `json:"-"`    // what a provider wants back with the call, as it came
}

// Result is the result of a call by the model.
type Result struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Text    string `json:"text"`
	IsError bool   `json:"isError,omitempty"`
}

// Stop says why an answer ended.
type Stop string

// The reasons.
const (
	Ended   Stop = "end"
	Calling Stop = "tool_calls"
	Cut     Stop = "length"  // the limit of tokens was reached
	Refused Stop = "refused" // the model or its provider declined to answer
)

// Response is an answer.
type Response struct {
	Text  string
	Calls []Call
	Stop  Stop
	Model string // that answered, as the provider names it
	Usage Usage
}

// Usage is the cost of answers. Input counts all tokens of the question, those from a cache too.
type Usage struct {
	Calls       int     `json:"calls"`
	Input       int     `json:"inputTokens"`
	CachedInput int     `json:"cachedInputTokens,omitempty"`
	Output      int     `json:"outputTokens"`
	Cost        float64 `json:"costUsd,omitempty"` // by the prices of the settings; 0 when they name none
}

// Add adds what another answer took.
func (u *Usage) Add(o Usage) {
	u.Calls += o.Calls
	u.Input += o.Input
	u.CachedInput += o.CachedInput
	u.Output += o.Output
	u.Cost += o.Cost
}

// User is a message of plain text.
func User(text string) Message { return Message{FromUser, []Part{{Text: text}}} }

// Message returns the answer as a turn of the conversation.
func (r *Response) Message() Message {
	m := Message{Role: FromModel}
	if r.Text != "" {
		m.Parts = append(m.Parts, Part{Text: r.Text})
	}
	for i := range r.Calls {
		m.Parts = append(m.Parts, Part{Call: &r.Calls[i]})
	}
	return m
}

type modelKey struct{}

// WithModel gives the calls that are made with ctx the model of their client, such as one behind MCP sampling.
func WithModel(ctx context.Context, m Model) context.Context {
	return context.WithValue(ctx, modelKey{}, m)
}

// ModelFrom is the model of the client of the running call, nil when it brought none.
func ModelFrom(ctx context.Context) Model {
	m, _ := ctx.Value(modelKey{}).(Model)
	return m
}

// Tokens estimates how many tokens a model counts for a text, as text.Tokens does: four bytes each, rounded up.
func Tokens(s string) int { return (len(s) + 3) / 4 }

// Tokens estimates what a question takes, without its pictures.
func (r Request) Tokens() int {
	tools, _ := json.Marshal(r.Tools)       // schemas are JSON
	messages, _ := json.Marshal(r.Messages) // and so is what a model has said
	return Tokens(r.System) + Tokens(string(tools)) + Tokens(string(messages))
}
