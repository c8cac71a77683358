package client

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// Meta is what Trailblaze sends along with the call of a tool in another process.
type Meta struct {
	BaseURL      string          `json:"baseUrl"` // where the tool calls back
	SessionID    string          `json:"sessionId"`
	InvocationID string          `json:"invocationId"` // the right to call back, until the call ends
	Device       *Device         `json:"device"`       // nil when the session has none
	Memory       map[string]any  `json:"memory"`       // secrets are not in it
	Target       *Target         `json:"target"`       // the app under test; nil when none is chosen
	Capabilities map[string]bool `json:"capabilities"` // "sampling": the server may ask the model
}

// Device is the device of a call, as it was when the call began.
type Device struct {
	ID         string `json:"id"`
	Platform   string `json:"platform"`
	Width      int    `json:"width"` // px
	Height     int    `json:"height"`
	DriverType string `json:"driverType"`
}

// Target is the app under test.
type Target struct {
	ID          string   `json:"id"`
	DisplayName string   `json:"displayName"`
	AppIDs      []string `json:"appIds"`
	URL         string   `json:"resolvedBaseUrl"` // its address on this platform
}

// FromMeta makes the client of a call: its calls go to the session and device of that call, and end with it. meta is
// the _meta of tools/call.
func FromMeta(meta map[string]any) (*Client, error) {
	data, err := json.Marshal(meta["trailblaze"])
	m := &Meta{}
	if err == nil {
		err = json.Unmarshal(data, m)
	}
	if err != nil || m.BaseURL == "" || m.InvocationID == "" {
		return nil, fault.New(fault.Invalid, "read _meta", "the call has no _meta.trailblaze with an address to call back").
			WithHint("Call the tool through Trailblaze, or make the client with Dial.")
	}
	o := Options{URL: m.BaseURL, Session: m.SessionID, invocation: m.InvocationID}
	if m.Device != nil {
		o.Platform = driver.Platform(strings.ToLower(m.Device.Platform))
	}
	c := New(o)
	c.Meta = m
	return c, nil
}

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
