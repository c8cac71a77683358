package api

import (
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// callRequest is a call as every door of the API makes it.
type callRequest struct {
	ClientID   string // "": the workspace's own client for this kind of program
	Client     string // "cli", or the name of the program
	Workspace  string // absolute path of the client's project
	Device     string
	Session    string // that the call belongs to; it names the device, too
	Tool       string
	Args       json.RawMessage
	Texts      []string // name=value, typed by the tool's schema here
	Intent     string
	MaxTokens  int
	Detach     bool              // a call that lasts may go on as a job
	Secrets    map[string]string // that the client's environment holds
	Keys       map[string]string // of models, by their variables; for this call alone
	Invocation string            // of the call in flight from inside of which this one comes
}

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

func replyOf(clientID string, r *calls.Reply, err error) *Reply {
	out := &Reply{Schema: ReplySchema, ClientID: clientID, Fault: fault.FailureOf(err)}
	if r == nil {
		return out
	}
	out.Device, out.Platform, out.Session, out.CallID, out.Job = r.Device, string(r.Platform), r.Session, r.CallID,
		r.Job
	out.DurationMS = float64(r.Duration.Microseconds()) / 1000
	out.Warnings, out.Observation = r.Warnings, observation(r.Observation)
	if r.Result != nil {
		out.Result = &Result{Content: pieces(r.Result.Content), Value: r.Result.Value, IsError: r.Result.IsError}
		if err == nil && r.Result.IsError {
			out.Fault = fault.FailureOf(r.Result.Err())
		}
	}
	return out
}

func observation(o *observe.Observation) *Observation {
	if o == nil {
		return nil
	}
	out := &Observation{
		Text: o.Text, Full: o.Full, Changed: o.Changed, Changes: o.Changes, Cut: o.Truncated, Rest: o.Overflow.Where(),
		Settle: o.Settle, URL: o.URL, Title: o.Title,
	}
	if o.Image != nil {
		out.Image = &Piece{Content: *o.Image}
	}
	return out
}

func pieces(content []tool.Content) []Piece {
	out := make([]Piece, len(content))
	for i, c := range content {
		out[i].Content = c
	}
	return out
}
