package trail

import (
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Trail is a parsed trail file, whichever format it was written in.
type Trail struct {
	Path      string // as given to Parse, for messages
	Dir       string // absolute path of the file's folder, set by its reader; "" when it is in none
	Config    Config
	Trailhead *Step // optional deterministic step 0
	Steps     []Step
	Format    Format
	Source    []byte // the bytes it was parsed from
}

// Format is the format of a file.
type Format string

// The formats.
const (
	V1      Format = "v1"      // a list of config, prompts, tools, trailhead
	Unified Format = "unified" // a mapping with config, trailhead, trail
	Draft   Format = "v2"      // the draft between them, read for whoever has such a file and never written
)

// Config is the head of a trail. All fields are optional.
type Config struct {
	ID          string
	Title       string
	Description string
	Priority    string
	Target      string
	Context     string
	Tags        []string
	Platform    string            // v1 only: the device class the file is for
	Devices     map[string]string // classifier -> driver enum name; a v1 file's driver stands under V1Classifier
	Actors      []Actor           // in file order; with any, each step is on one of them
	Requires    map[string]string // api, width or height -> a number, or one after >=, <=, > or <
	Skip        map[string]string // classifier -> reason; "" is the key of a v1 file's plain reason
	Memory      map[string]string
	Args        []Arg // in file order
	Metadata    map[string]string
}

// Arg is a declared parameter of the trail.
type Arg struct {
	Name        string
	Type        string // string, integer, boolean, array, object
	Description string
	Default     json.RawMessage // nil: required
	Pos         Pos
}

// Step is one step.
type Step struct {
	Kind       StepKind
	Text       string
	Recordable bool // default true
	MaxRetries *int
	On         string // the actor whose step it is, "" in a trail on one device
	Together   bool   // it begins with the step before it
	// Recordings maps a classifier to its calls. A missing key is "not declared", an empty list an explicit no-op;
	// a recorder never makes the latter. A v1 file's recordings have the key V1Classifier.
	Recordings map[string][]Recorded
	Pos        Pos
}

// V1Classifier is the recordings key of v1 files, which are for one device class each.
const V1Classifier = ""

// StepKind is the kind of a step.
type StepKind string

// The kinds. ToolsStep is v1's root-level "tools:" item: always executed, never by a model.
const (
	ActionStep    StepKind = "step"
	VerifyStep    StepKind = "verify"
	TrailheadStep StepKind = "trailhead"
	ToolsStep     StepKind = "tools"
)

// Recorded is one recorded tool call and its place in the file.
type Recorded struct {
	tool.Call
	Hash string // of the tool's content when the call was recorded, "" for tools that are built in
	Pos  Pos
}

// Pos is a place in the file; lines and columns count from 1.
type Pos = yaml.Pos
