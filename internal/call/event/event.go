// Package event is the log of a session: typed events, appended as NDJSON lines beside content-addressed blobs, on disk
// before the call that caused them returns. Report, viewer and history read it back; a process that lacks the tool that
// wrote a line still reads it (name and raw arguments are kept).
//
// A Log is safe for concurrent use; there is one writer process per session directory.
//
//	log, _ := event.Create(dir)
//	log.Append(event.Event{Type: event.ToolCall, Call: &event.Call{Name: name}})
package event

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Type names an event. The values reach disk; unknown ones are kept when read.
type Type string

// The event types.
const (
	SessionStarted Type = "session_started"
	SessionEnded   Type = "session_ended"
	TrailStarted   Type = "trail_started"
	TrailEnded     Type = "trail_ended"
	StepStarted    Type = "step_started"
	StepEnded      Type = "step_ended"
	ToolStarted    Type = "tool_started"
	ToolCall       Type = "tool_call" // a finished call
	Snapshot       Type = "snapshot"
	Screenshot     Type = "screenshot"
	Note           Type = "note" // warnings and remarks for the report
	StepHealed     Type = "step_healed"
	Retracted      Type = "retracted" // a call that a person took back: no recording keeps it
	PageActivity   Type = "page_activity"
)

// Event is one line of the log. Exactly the field that belongs to Type is set.
type Event struct {
	Seq     uint64    `json:"seq"`
	Time    time.Time `json:"time"`
	Type    Type      `json:"type"`
	Session *Session  `json:"session,omitempty"`
	Trail   *Trail    `json:"trail,omitempty"`
	Step    *Step     `json:"step,omitempty"`
	Call    *Call     `json:"call,omitempty"`
	Screen  *Screen   `json:"screen,omitempty"`
	Note    *NoteText `json:"note,omitempty"`
	Heal    *Heal     `json:"heal,omitempty"`

	Activity *Activity `json:"activity,omitempty"`

	AgentRun  *AgentRun       `json:"agentRun,omitempty"`
	Iteration *AgentIteration `json:"iteration,omitempty"`
	Sampling  *Sampling       `json:"sampling,omitempty"`
	AgentTool *AgentTool      `json:"agentTool,omitempty"`
	Policy    *Decision       `json:"policy,omitempty"`

	Unknown json.RawMessage `json:"-"` // the whole line, when Type is not one of ours
}

// Session describes a session.
type Session struct {
	ID       string            `json:"id"`
	Title    string            `json:"title,omitempty"`
	Device   string            `json:"device,omitempty"`
	Platform string            `json:"platform,omitempty"`
	Driver   string            `json:"driver,omitempty"`
	Browser  string            `json:"browser,omitempty"` // product and version
	Width    int               `json:"width,omitempty"`
	Height   int               `json:"height,omitempty"`
	Version  string            `json:"version,omitempty"` // of trailblaze
	Labels   map[string]string `json:"labels,omitempty"`
	Outcome  Outcome           `json:"outcome,omitempty"`
	Error    *fault.Failure    `json:"error,omitempty"`
	Duration time.Duration     `json:"duration,omitempty"` // ns
}

// Trail is a trail being played.
type Trail struct {
	Path     string         `json:"path,omitempty"`
	File     string         `json:"file,omitempty"` // the path in full: Path and ID may be those of a copy elsewhere, too
	ID       string         `json:"id,omitempty"`
	Title    string         `json:"title,omitempty"`
	Hash     string         `json:"hash,omitempty"` // of the file's bytes
	Tags     []string       `json:"tags,omitempty"`
	Attempt  int            `json:"attempt"` // from 1
	Repeat   int            `json:"repeat,omitempty"`
	Steps    int            `json:"steps,omitempty"`
	Actors   []Actor        `json:"actors,omitempty"`
	Outcome  Outcome        `json:"outcome,omitempty"`
	Reason   string         `json:"reason,omitempty"` // of a skip
	Error    *fault.Failure `json:"error,omitempty"`
	Duration time.Duration  `json:"duration,omitempty"`
}

// Actor is one of several devices that a trail is played on.
type Actor struct {
	Name     string `json:"name"`
	Device   string `json:"device"`
	Platform string `json:"platform,omitempty"`
	Version  string `json:"version,omitempty"` // of the browser, or of the phone
	Width    int    `json:"width,omitempty"`
	Height   int    `json:"height,omitempty"`
}

// Step is one step of a trail.
type Step struct {
	Index    int            `json:"index"` // from 0; -1 is the trailhead
	Kind     string         `json:"kind"`  // step, verify, trailhead, tools
	Text     string         `json:"text,omitempty"`
	Line     int            `json:"line,omitempty"` // in the trail file
	Mode     string         `json:"mode,omitempty"` // recorded, noop, assisted
	Actor    string         `json:"actor,omitempty"`
	Calls    int            `json:"calls,omitempty"`
	Outcome  Outcome        `json:"outcome,omitempty"`
	Error    *fault.Failure `json:"error,omitempty"`
	Duration time.Duration  `json:"duration,omitempty"`
}

// Call is a tool call. Args are as executed with secrets masked; Authored are as written, tokens and all.
type Call struct {
	ID       string          `json:"id"`
	Parent   string          `json:"parent,omitempty"`
	Caller   string          `json:"caller"`           // cli, replay, mcp, agent, script, api, tool, person
	Client   string          `json:"client,omitempty"` // of the daemon: its name, and the beginning of its id
	Role     string          `json:"role"`             // top, delegate, nested
	Name     string          `json:"name"`
	Kind     tool.Kind       `json:"kind,omitempty"`
	Hash     string          `json:"hash,omitempty"` // of the content of a tool that is not built in
	Args     json.RawMessage `json:"args,omitempty"`
	Authored json.RawMessage `json:"authored,omitempty"`
	Recorded *tool.Call      `json:"recorded,omitempty"` // what a recording keeps
	Kept     json.RawMessage `json:"kept,omitempty"`     // values that a tool that is not built in put into memory, by name
	Text     string          `json:"text,omitempty"`     // the result's text
	Value    json.RawMessage `json:"value,omitempty"`
	Evidence *tool.Evidence  `json:"evidence,omitempty"`
	Page     string          `json:"page,omitempty"` // address of the page that the call looked at
	Error    *fault.Failure  `json:"error,omitempty"`
	IsError  bool            `json:"isError,omitempty"`
	Step     int             `json:"step"` // index of the step it ran in, -2 outside steps
	Device   string          `json:"device,omitempty"`
	Price    *Price          `json:"price,omitempty"` // of the questions to a model that it asked, itself and by other calls
	Duration time.Duration   `json:"duration,omitempty"`
}

// Screen points at a stored snapshot or screenshot.
type Screen struct {
	Blob   string          `json:"blob"` // sha256 name under blobs/
	MIME   string          `json:"mime"`
	Why    string          `json:"why,omitempty"` // "failure", "step", "takeSnapshot", "last green"
	Name   string          `json:"name,omitempty"`
	Step   int             `json:"step"`
	Actor  string          `json:"actor,omitempty"`
	CallID string          `json:"call,omitempty"`
	Width  int             `json:"width,omitempty"`
	Height int             `json:"height,omitempty"`
	Marks  json.RawMessage `json:"marks,omitempty"` // [{x,y,w,h}] boxes of targets
}

// Heal is a call that could not be carried out as it is recorded: the recorded call, the deed in its place, and the
// reason. It was carried out on another element, or an agent did the rest of its step.
type Heal struct {
	Step    int             `json:"step"` // index; -1 is the trailhead
	Call    string          `json:"call"` // the tool
	Line    int             `json:"line"` // of the call in the trail file
	Column  int             `json:"column"`
	Was     json.RawMessage `json:"was"` // arguments as recorded
	Now     json.RawMessage `json:"now,omitempty"`
	Element string          `json:"element,omitempty"` // for people: button "Add to basket"
	Why     []string        `json:"why"`
	Score   int             `json:"score,omitempty"`
	Past    int             `json:"past,omitempty"`   // screens of green runs that it was checked against
	Redone  int             `json:"redone,omitempty"` // calls that an agent made in place of it and of those after it
}

// String returns a sentence about it for a person.
func (h Heal) String() string {
	why := strings.Join(h.Why, "; ")
	if h.Redone > 0 {
		return fmt.Sprintf("the agent did what was left of the step with %s, because %s failed (%s)",
			phrase.Count(h.Redone, "call"), h.Call, why)
	}
	return fmt.Sprintf("%s was carried out on %s (%s)", h.Call, h.Element, why)
}

// Activity points at what the pages of a session did, as session.Activity has it, and counts it.
type Activity struct {
	Blob     string `json:"blob"`
	Requests int    `json:"requests,omitempty"`
	Console  int    `json:"console,omitempty"`
	Files    int    `json:"files,omitempty"`
}

// NoteText is a remark.
type NoteText struct {
	Level string `json:"level"` // info, warning, waiting
	Text  string `json:"text"`
}

// LevelWaiting is the level of a note that says what is waited for, and how long.
const LevelWaiting = "waiting"

// Outcome is the way in which something ended.
type Outcome string

// The outcomes. Flaky passed after a retry; Healed passed, but not as it is recorded.
const (
	Passed    Outcome = "passed"
	Failed    Outcome = "failed"
	Broken    Outcome = "error" // infrastructure: nothing is known about the app
	Skipped   Outcome = "skipped"
	Canceled  Outcome = "canceled"
	Flaky     Outcome = "flaky"
	Healed    Outcome = "healed"
	Undecided Outcome = "inconclusive"
)

// Outcomes are all of them.
func Outcomes() []Outcome {
	return []Outcome{Passed, Failed, Broken, Skipped, Canceled, Flaky, Healed, Undecided}
}

// NoStep is the step index of events outside any step.
const NoStep = -2

// OutcomeOf returns the outcome of something that ended with err.
func OutcomeOf(err error) Outcome {
	switch fault.KindOf(err) {
	case "":
		return Passed
	case fault.Assertion, fault.NotFound, fault.NotActed:
		return Failed
	case fault.Canceled:
		return Canceled
	case fault.Degraded:
		return Undecided
	default:
		if errors.Is(err, context.Canceled) {
			return Canceled
		}
		return Broken
	}
}

// PolicyDecision is a decision of the policy: a denial, or, once in a session, a permission.
const PolicyDecision Type = "policy_decision"

// Decision is a decision of the policy.
type Decision struct {
	Call    string `json:"call,omitempty"` // Call.ID
	Tool    string `json:"tool,omitempty"`
	Allowed bool   `json:"allowed"`
	Subject string `json:"subject"`         // a tool, a host, a file
	Rule    string `json:"rule"`            // that decided
	Where   string `json:"where,omitempty"` // it stands: file:line:col, or the profile
	Profile string `json:"profile"`
}
