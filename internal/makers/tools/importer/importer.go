package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Options say for what a file is read.
type Options struct {
	Spec     func(name string) *tool.Spec // of the tools that calls are made of; their sentences become those of steps
	Platform driver.Platform              // of the recordings of Maestro's flows; "": what the flow says, else Android
	// Called is the path of the trail that a flow becomes, as runTrail takes it. File is as the flow names it.
	Called func(file string) string
}

// Flow is a flow or a test, as a trail.
type Flow struct {
	Title    string
	Trail    *trail.Trail
	Commands int      // that the file has
	Left     []Left   // those that have no equal
	Notes    []Left   // what a person should know about the rest
	Calls    []string // files of other flows that it runs, as it names them
}

// Left is a command that was not imported, or one with a remark.
type Left struct {
	Pos     trail.Pos
	Command string // its name
	Text    string // as it is written, in one line
	Reason  string
}

// Imported counts the commands that have become calls, or that need none here.
func (f *Flow) Imported() int { return f.Commands - len(f.Left) }

// builder makes the steps of a flow.
type builder struct {
	o     Options
	class string // device class of the recordings
	flow  *Flow
}

func newBuilder(o Options, platform driver.Platform, title string) *builder {
	b := &builder{o: o, class: string(platform), flow: &Flow{Title: title}}
	b.flow.Trail = &trail.Trail{Format: trail.Unified}
	b.flow.Trail.Config.Title = title
	return b
}

// made is a call with what it acts on in words.
type made struct {
	tool   string
	args   map[string]any
	target string
}

func (m made) call() (tool.Call, error) {
	raw, err := json.Marshal(m.args)
	if m.args == nil {
		raw = []byte("{}")
	}
	return tool.Call{Name: m.tool, Args: raw}, err
}

// add appends a step with these calls. Its sentence is the label, else that of the first call.
func (b *builder) add(pos trail.Pos, label string, calls ...made) {
	s := trail.Step{Kind: trail.VerifyStep, Text: strings.TrimSpace(label), Recordable: true, Pos: pos}
	var recorded []trail.Recorded
	for _, m := range calls {
		spec := b.o.Spec(m.tool)
		c, err := m.call()
		if spec == nil || err != nil {
			b.leave(pos, m.tool, "", fmt.Sprintf("there is no tool %s here", m.tool))
			return
		}
		if spec.Kind != tool.Assertion {
			s.Kind = trail.ActionStep
		}
		if s.Text == "" && spec.Sentence != nil {
			s.Text = spec.Sentence(tool.Phrase{Args: plainArgs(c.Args), Target: m.target})
		}
		if s.Text == "" && m.target != "" { // the tools that upstream named have no sentence of their own
			s.Text = tool.Capital(m.target) + " is visible"
			if spec.Kind == tool.Action {
				s.Text = "Tap " + m.target
			}
		}
		s.Text = cmp.Or(s.Text, spec.Title)
		recorded = append(recorded, trail.Recorded{Call: c})
	}
	s.Recordings = map[string][]trail.Recorded{b.class: recorded}
	b.flow.Trail.Steps = append(b.flow.Trail.Steps, s)
}

// plainArgs are arguments as JSON decodes them, for sentences.
func plainArgs(raw json.RawMessage) (args tool.Args) {
	_ = json.Unmarshal(raw, &args)
	return args
}

const longest = 160 // characters of a command that are shown

// leave notes a command without an equal. A step without a recording stands in its place: a run refuses the trail until
// somebody has decided what becomes of it.
func (b *builder) leave(pos trail.Pos, command, source, reason string) {
	source = phrase.Clip(strings.Join(strings.Fields(source), " "), longest)
	b.flow.Left = append(b.flow.Left, Left{Pos: pos, Command: command, Text: source, Reason: reason})
	b.flow.Trail.Steps = append(b.flow.Trail.Steps, trail.Step{Kind: trail.ActionStep, Recordable: true, Pos: pos,
		Text: "Not imported (" + reason + "): " + cmp.Or(source, command)})
}

// note tells a person something about a command that was imported.
func (b *builder) note(pos trail.Pos, command, reason string) {
	b.flow.Notes = append(b.flow.Notes, Left{Pos: pos, Command: command, Reason: reason})
}

// unequal is the reason why a command has no equal.
func unequal(format string, args ...any) error {
	return fault.New(fault.Unsupported, "", format, args...)
}
