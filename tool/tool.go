package tool

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

// Kind is the kind of a tool, which decides how it fails: queries never fail on "not found", assertions do, actions
// report their changes.
type Kind string

// The kinds.
const (
	Action    Kind = "action"
	Query     Kind = "query"
	Assertion Kind = "assertion"
)

// Spec is the public description of a tool. It is immutable once registered.
type Spec struct {
	Name        string // underscores, never dots; see ValidName
	Title       string // for people, "Click"
	Description string // what the model reads: the .md file beside the tool
	Kind        Kind
	Input       Schema            // of the arguments object; context never appears in it
	Output      Schema            // of Result.Value, nil when there is none
	Platforms   []driver.Platform // empty: all
	Drivers     []string          // empty: all
	Groups      []string          // toolset ids: "web_core", "core_interaction", "memory", …

	ExposedToLLM bool
	Recordable   bool
	Delegating   bool // replaced in a recording by what it expands to
	NeedsModel   bool // a replay of it needs a language model
	Keyboard     bool // keyboard input: a call that names no element goes to what has the focus
	Destructive  bool // may lose data
	Version      string
	Origin       string // of a tool that is not built in: "trails/config/tools/login.tool.yaml:3", "MCP server acme"
	Hash         string // of the content that a tool which is not built in was made from; recorded beside its calls

	Timeout      time.Duration // the call's own deadline; 0: the dispatcher's default
	PhoneTimeout time.Duration // the same on a phone, where an app's process may have to start; 0: Timeout

	// Durable makes the call that a recording keeps, of the arguments and of the Record that the function of Define gave;
	// nil: that Record is the call.
	Durable func(args json.RawMessage, given *Call) (*Call, error)

	Facts
}

// Call is a tool call as every caller makes it.
type Call struct {
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"` // an object; nil means {}
}

// Held is a call that the arguments of another one hold.
type Held struct {
	Call
	At      string // where its own arguments stand, such as "tools[0].web_click"; "": nowhere as an object
	Decides bool   // only what it answers is used, so it must not act
}

// Content is a piece of a result that a person or a model reads.
type Content struct {
	Type string `json:"type"` // "text" or "image"
	Text string `json:"text,omitempty"`
	Data []byte `json:"data,omitempty"`
	MIME string `json:"mime,omitempty"`
}

// Result is the result of a call. IsError marks a failure of the tool, which a model may react to; a call that
// could not be carried out at all is a Go error instead.
type Result struct {
	Content []Content       `json:"content,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"` // typed data, described by Spec.Output
	IsError bool            `json:"isError,omitempty"`
	Fault   error           `json:"-"` // with IsError: the failure as a *fault.Error, for exit codes and reports

	// calls the dispatcher makes next, in order, in place of this one
	Delegates []Call `json:"-"`
	// asked before each delegate but the first: an error ends it there
	Between func(ctx context.Context, done int, last *Evidence) error `json:"-"`
	// this very call is recorded as its delegates, because its arguments mean nothing later
	Unfold bool `json:"-"`
	// the calls that were made in place of this one, in order
	Made []Made `json:"-"`
	// the durable form of this call (a ref replaced by its selector); nil: as called
	Record   *Call     `json:"-"`
	Evidence *Evidence `json:"evidence,omitempty"`
}

// Made is a call that was made in place of another, with its result. A verdict looks at each: a composite is only as
// good as the worst of them.
type Made struct {
	Call     Call
	Evidence *Evidence
}

// Evidence is the proof of an honest green: the target as it was before the action, and the changes.
type Evidence struct {
	Target   *identity.Fingerprint `json:"target,omitempty"`
	Selector *screen.Selector      `json:"selector,omitempty"`
	Bounds   *screen.Rect          `json:"bounds,omitempty"` // of the target, for marking it in a screenshot
	Effect   *driver.Effect        `json:"effect,omitempty"`
	// assertions and queries: the thing that was looked at and found, one sentence
	Checked string `json:"checked,omitempty"`
	// the capture the target was found in, or was last looked for in
	Screen *screen.Snapshot `json:"-"`
	None   string           `json:"none,omitempty"` // the declared reason why no effect is expected ("waits 1 s")
	// the outcome that was expected, nil: nothing beyond that it works
	Expect *Expectation `json:"expect,omitempty"`
}

// InVain reports whether an action was carried out, nothing changed, and no caller declared that nothing should.
func (e *Evidence) InVain() bool {
	return e != nil && e.Effect != nil && !e.Effect.Changes.Any() && e.None == "" &&
		(e.Expect == nil || e.Expect.Effect != NoEffect)
}

// Tool is a function that every caller can call. Run is safe for concurrent use.
type Tool interface {
	Spec() *Spec
	Run(ctx context.Context, env Env, args json.RawMessage) (*Result, error)
}

// Env is all a running tool sees of the world. Anything more is asked of the device by driver.As. Tokens in the
// arguments of a nested call are expanded as in any call: pass text that comes from a screen through memory.Escape.
type Env interface {
	Device() driver.Device // nil when the session has none
	Memory() *memory.Store
	Call(ctx context.Context, c Call) (*Result, error) // nested call: in the event log, never in the recording
}

// Source makes tools from somewhere else: YAML files, scripts, other MCP servers. It is safe for concurrent use.
type Source interface {
	// Origin returns the source of the tools, for people: "trails/config/tools", "MCP server acme".
	Origin() string
	// Load makes the tools in their present state. A mistake in one tool is reported as a problem and does not keep
	// the others away; an error means that there are none. Load is called again after a change and must then be
	// cheap for unchanged tools.
	Load(ctx context.Context) ([]Tool, []Problem, error)
	// Close ends what the source has started, and returns when it has ended.
	Close() error
}

// Notifier is implemented by sources that learn of changes in another way than by their files, such as a server that
// says that its list has changed.
type Notifier interface {
	// Notify has fn called after each change, until stop.
	Notify(fn func()) (stop func())
}

// TargetKey is the name in the memory of a session under which tools find the id of the app under test.
const TargetKey = "target.id"

// Invoked is implemented by the Env of a call that other processes may call back to.
type Invoked interface {
	InvocationID() string // a capability: whoever holds it may act in the session while the call runs
	SessionID() string
	Within(invocationID string) bool // this call was set off by that one, however deep
}

// Facts are the properties of a tool that other packages read here, so that none of them keeps a list of names.
type Facts struct {
	Categories []string // of the toolset: "TABS", "FILES", …; none: those that the groups name
	Default    int      // place in the list of a client that chose no category; 0: not in it
	Occasion   Occasion // when an agent offers it to its model unasked; "": when the model looks for it
	Usual      []string // arguments that most calls need, which a brief listing names alone; nil: all
	Replaces   string   // the tool of which it is another form; hidden where that one is listed
	Purpose    Purpose  // asked for by callers that know no names
	Device     Need     // none, or that of the session
	Target     string   // the app that the tool belongs to; listed when that is the target, "": always
	Off        bool     // not listed until the project or the target names one of its groups
	Effects    *Effects // what a call may touch; nil: anything
	Secrets    []string // arguments that may hold secrets, besides those that the schema marks: see Secret
	Verbatim   bool     // tokens in its arguments stay as they are: they are for the calls that it makes
	// Calls are those that the arguments of a call hold, for a tool that makes them; nil: none.
	Calls      func(args json.RawMessage) []Held
	Asks       []string            // arguments by which a query asks after something, so that its answer is yes or no
	Idempotent bool                // called twice it does what it does once
	Unlisted   []string            // arguments that models do better without; they are accepted all the same
	Sentence   func(Phrase) string // the text of a step that nobody described; nil or "": made of the name
}

// With returns the spec with these facts; those that f leaves out stay.
func (s Spec) With(f Facts) Spec {
	to, from := reflect.ValueOf(&s.Facts).Elem(), reflect.ValueOf(f)
	for i := range from.NumField() {
		if v := from.Field(i); !v.IsZero() {
			to.Field(i).Set(v)
		}
	}
	return s
}

// Holds are the calls that the arguments of a call hold and that are written like any other, with their tokens.
func (s *Spec) Holds(args json.RawMessage) []Held {
	if !s.Verbatim || s.Calls == nil {
		return nil
	}
	return s.Calls(args)
}

// Decides reports whether the answer of a call is a yes or a no about the device: that of an assertion, of a query that
// names what it asks after, or of a query that is not built in.
func (s *Spec) Decides(args json.RawMessage) bool {
	switch {
	case s.Effects != nil && s.Effects.Remembers != "":
		return false
	case s.Kind == Assertion:
		return s.Device != NoDevice
	case s.Kind != Query || s.Origin != "":
		return s.Kind == Query
	}
	var given map[string]json.RawMessage
	return json.Unmarshal(args, &given) == nil &&
		slices.ContainsFunc(s.Asks, func(name string) bool { return !empty(given[name]) })
}

// Secret reports whether an argument may hold a secret: the tool says so, or its schema has it written and never read.
func (s *Spec) Secret(argument string) bool {
	if slices.Contains(s.Secrets, argument) {
		return true
	}
	return s.Input != nil && hidden(s.Input().Properties[argument])
}

// LostSecrets returns the arguments that are declared to hold secrets and that the schema of the arguments does not
// have: they mask nothing. A schema that names no arguments takes any.
func (s *Spec) LostSecrets() (lost []string) {
	in := s.Input.Get()
	if in == nil || len(in.Properties) == 0 {
		return nil
	}
	for _, name := range s.Secrets {
		if in.Properties[name] == nil {
			lost = append(lost, name)
		}
	}
	return lost
}

// HoldsSecrets reports whether any argument may hold a secret.
func (s *Spec) HoldsSecrets() bool {
	if len(s.Secrets) > 0 || s.Input == nil {
		return len(s.Secrets) > 0
	}
	for _, p := range s.Input().Properties {
		if hidden(p) {
			return true
		}
	}
	return false
}

func hidden(p *jsonschema.Schema) bool { return p != nil && (p.WriteOnly || p.Format == "password") }

// ToFocus reports whether a call is keyboard input that names no element, so that it goes to the element with the
// focus.
func (s *Spec) ToFocus(args json.RawMessage) bool {
	if !s.Keyboard {
		return false
	}
	var named struct {
		Ref          json.RawMessage `json:"ref"`
		NodeSelector json.RawMessage `json:"nodeSelector"`
	}
	return len(args) == 0 || json.Unmarshal(args, &named) == nil && empty(named.Ref) && empty(named.NodeSelector)
}

func empty(raw json.RawMessage) bool {
	return len(raw) == 0 || string(raw) == `""` || string(raw) == "null"
}
