package client

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Message is what was said to a model, or by it.
type Message struct {
	Role    string // "user" or "assistant"
	Content string
}

// Question is what a model is asked.
type Question struct {
	Messages          []Message
	System            string
	MaxTokens         int64 // of the answer; 0: 1000
	IncludeScreenshot bool  // the model sees the screen
}

// Answer is what the model said.
type Answer struct{ Content, Model string }

// Sampling asks the model that Trailblaze was given, in the call that a client is of.
type Sampling func(context.Context, Question) (*Answer, error)

// CreateMessage asks. A nil Sampling refuses.
func (s Sampling) CreateMessage(ctx context.Context, q Question) (*Answer, error) {
	if s == nil {
		return nil, fault.New(fault.Unsupported, "ask model", "this call may not ask the model").
			WithHint("Write sampling: true to the server in trailblaze.yaml, and configure a model.")
	}
	return s(ctx, q)
}
