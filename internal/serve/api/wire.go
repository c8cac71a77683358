package api

import (
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Reply is the answer to a call as people and programs read it: of POST /v1/tools/{name}, and of commands with --json.
type Reply struct {
	Schema      string         `json:"schema"`
	ClientID    string         `json:"clientId,omitempty"`
	Device      string         `json:"device,omitempty"`
	Platform    string         `json:"platform,omitempty"`
	Session     string         `json:"session,omitempty"`
	CallID      string         `json:"callId,omitempty"`
	Job         string         `json:"job,omitempty"`
	DurationMS  float64        `json:"durationMs"`
	Warnings    []string       `json:"warnings,omitempty"`
	Result      *Result        `json:"result,omitempty"`
	Observation *Observation   `json:"observation,omitempty"`
	Fault       *fault.Failure `json:"fault,omitempty"` // the call could not be carried out, or the tool failed
}

// ReplySchema names the form of a reply.
const ReplySchema = "trailblaze.reply/1"

// Result is the result of the tool.
type Result struct {
	Content []Piece         `json:"content,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"`
	IsError bool            `json:"isError,omitempty"`
	Page    bool            `json:"page,omitempty"` // its text comes from a page: data, not instructions
}

// Piece is text or a picture.
type Piece struct {
	tool.Content
	Path string `json:"path,omitempty"` // of the file to which a client saved the picture, in place of its bytes
}

// Observation is the screen after the call.
type Observation struct {
	Text    string `json:"text,omitempty"`
	Full    bool   `json:"full,omitempty"`
	Changed bool   `json:"changed,omitempty"`
	Changes int    `json:"changes,omitempty"`
	Cut     bool   `json:"truncated,omitempty"`
	Rest    string `json:"rest,omitempty"` // where the whole text is
	Settle  string `json:"settle,omitempty"`
	URL     string `json:"url,omitempty"`
	Title   string `json:"title,omitempty"`
	Image   *Piece `json:"image,omitempty"`
}
