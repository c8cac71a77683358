package report

import (
	"encoding/json"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Schema names the JSON form and its version. Fields are only ever added; a change of meaning takes a new number.
const Schema = "trailblaze.report/1"

// Report is a run. Durations and times since a start are milliseconds.
type Report struct {
	Schema     string        `json:"schema"`
	ID         string        `json:"id"`
	Title      string        `json:"title"`
	Version    string        `json:"version,omitempty"`  // of trailblaze
	Platform   string        `json:"platform,omitempty"` // of the first device
	Browser    string        `json:"browser,omitempty"`  // and its version; the system of a phone
	Started    time.Time     `json:"started"`
	DurationMS float64       `json:"durationMs"`
	Outcome    event.Outcome `json:"outcome"`
	Counts     Counts        `json:"counts"`
	Devices    []Device      `json:"devices,omitempty"` // with more than one, in the order of their ids
	Trails     []Trail       `json:"trails"`
	Price      *event.Price  `json:"price,omitempty"` // of the questions to a model, all trails and attempts
	Notes      []string      `json:"notes,omitempty"` // what a reader must know about the report itself

	blobs map[string]blob // blob name -> where it lies
}

// Counts counts the trails by outcome.
type Counts struct {
	Total     int `json:"total"`
	Passed    int `json:"passed"`
	Failed    int `json:"failed"`
	Broken    int `json:"error"`
	Skipped   int `json:"skipped"`
	Canceled  int `json:"canceled"`
	Flaky     int `json:"flaky"`
	Healed    int `json:"healed,omitempty"`
	Undecided int `json:"inconclusive"`
}

// Device is one that trails of the run were played on, and how they ended there.
type Device struct {
	ID     string `json:"id"`
	Counts Counts `json:"counts"`
}

// Trail is one trail of the run and how its attempts ended.
type Trail struct {
	Path       string         `json:"path,omitempty"`
	ID         string         `json:"id,omitempty"`
	Title      string         `json:"title"`
	Tags       []string       `json:"tags,omitempty"`
	Repeat     int            `json:"repeat,omitempty"` // from 1 with --repeat
	Device     string         `json:"device,omitempty"` // left out in a run on one device
	Outcome    event.Outcome  `json:"outcome"`
	Reason     string         `json:"reason,omitempty"` // of a skip
	Failure    *fault.Failure `json:"failure,omitempty"`
	DurationMS float64        `json:"durationMs"`
	Attempts   []Attempt      `json:"attempts,omitempty"`
	Price      *event.Price   `json:"price,omitempty"` // of all attempts
}

// Attempt is one playing of a trail.
type Attempt struct {
	Number     int            `json:"number"` // from 1
	Session    string         `json:"session"`
	Device     string         `json:"device,omitempty"`
	Platform   string         `json:"platform,omitempty"`
	Browser    string         `json:"browser,omitempty"` // and its version; the system of a phone
	Width      int            `json:"width,omitempty"`
	Height     int            `json:"height,omitempty"`
	Started    time.Time      `json:"started"`
	DurationMS float64        `json:"durationMs"`
	Outcome    event.Outcome  `json:"outcome"`
	Reason     string         `json:"reason,omitempty"`
	Failure    *fault.Failure `json:"failure,omitempty"`
	Actors     []event.Actor  `json:"actors,omitempty"` // the devices of a trail on several, in its order
	Steps      []Step         `json:"steps"`
	Notes      []Note         `json:"notes,omitempty"`
	Screens    []Screen       `json:"screens,omitempty"` // those of no step
	Price      *event.Price   `json:"price,omitempty"`   // of all steps, and of questions in no step
	Pages      *Pages         `json:"pages,omitempty"`   // what pages did, of a session that has ended

	repeat  int
	hash    string
	path    string
	id      string
	title   string
	tags    []string
	version string
}

// Note is a remark of the run.
type Note struct {
	Level string `json:"level"`
	Text  string `json:"text"`
}

// Step is one step of an attempt.
type Step struct {
	Index      int            `json:"index"` // from 0; -1 is the trailhead, -2 what happened outside any step
	Kind       string         `json:"kind"`
	Text       string         `json:"text,omitempty"`
	Line       int            `json:"line,omitempty"`
	Mode       string         `json:"mode,omitempty"`
	Actor      string         `json:"actor,omitempty"` // one of Attempt.Actors
	Outcome    event.Outcome  `json:"outcome"`
	Failure    *fault.Failure `json:"failure,omitempty"`
	StartMS    float64        `json:"startMs"` // since the attempt began
	DurationMS float64        `json:"durationMs"`
	Calls      []Call         `json:"calls,omitempty"`
	Screens    []Screen       `json:"screens,omitempty"`
	Heals      []Heal         `json:"heals,omitempty"`
	Price      *event.Price   `json:"price,omitempty"` // of the questions to a model; left out: none was asked
}

// Heal is a call that was carried out in another way than it is recorded.
type Heal struct {
	Line int             `json:"line"`
	Text string          `json:"text"` // what was done and why, for people
	Was  json.RawMessage `json:"was"`  // arguments
	Now  json.RawMessage `json:"now,omitempty"`
}

// Call is one tool call.
type Call struct {
	ID         string          `json:"id"`
	Parent     string          `json:"parent,omitempty"`
	Role       string          `json:"role,omitempty"` // left out for "top"
	Name       string          `json:"name"`
	Kind       string          `json:"kind,omitempty"`
	Args       json.RawMessage `json:"args,omitempty"`     // as executed, secrets masked
	Authored   json.RawMessage `json:"authored,omitempty"` // as written, when that differs
	Text       string          `json:"text,omitempty"`
	Value      json.RawMessage `json:"value,omitempty"`
	Evidence   *Evidence       `json:"evidence,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	Failure    *fault.Failure  `json:"failure,omitempty"`
	Price      *event.Price    `json:"price,omitempty"` // of the questions to a model that it set off
	StartMS    float64         `json:"startMs"`
	DurationMS float64         `json:"durationMs"`
}

// Evidence proves the green of a call, in words and numbers that a reader can follow.
type Evidence struct {
	Target   string           `json:"target,omitempty"`   // `button "Save" in form "Login"`
	Selector *screen.Selector `json:"selector,omitempty"` // how it was found
	Bounds   *screen.Rect     `json:"bounds,omitempty"`
	Changes  []string         `json:"changes,omitempty"`
	Settle   string           `json:"settle,omitempty"`
	SettleMS float64          `json:"settleMs,omitempty"`
	Method   string           `json:"method,omitempty"`
	Taken    string           `json:"taken,omitempty"`
	URL      string           `json:"url,omitempty"`
	Status   int              `json:"status,omitempty"`
	Checked  string           `json:"checked,omitempty"`
	None     string           `json:"none,omitempty"`
	Retries  []string         `json:"retries,omitempty"`
}

// Screen is a picture or a capture that belongs to a step.
type Screen struct {
	Blob   string        `json:"blob"` // name of the blob in the session's folder
	MIME   string        `json:"mime"`
	Why    string        `json:"why,omitempty"`
	Name   string        `json:"name,omitempty"`
	Actor  string        `json:"actor,omitempty"`
	Call   string        `json:"call,omitempty"`
	Width  int           `json:"width,omitempty"`
	Height int           `json:"height,omitempty"`
	Marks  []screen.Rect `json:"marks,omitempty"` // boxes of targets, in the picture's CSS pixels
	Text   string        `json:"text,omitempty"`  // a capture as text
}
