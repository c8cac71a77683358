// Package eval measures an agent: it gives tasks (a goal in plain language, where it starts, and a checker) to a model
// and reports success, calls, tokens, cost, seconds and false passes. A task's checker looks at the device after the
// agent is done; the agent never sees it. Task sets are YAML files, or pages of public sets that start an episode and
// give a reward themselves. The command `eval` is its caller.
//
//	set, problems := eval.Read("shop.tasks.yaml", data, registry)
//	b := eval.Bench{Dispatcher: d, Registry: reg, Open: open}
//	runs := b.Run(ctx, set.Tasks, contenders)
package eval

import (
	"context"
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

const op = "evaluate"

// Task is one thing to do.
type Task struct {
	ID    string
	Goal  string // "": the page says it
	Start []trail.Recorded
	Check []trail.Recorded // on the device, after the agent; one of them is an assertion
	// Script are the calls of a policy that replaces a model: one is an answer, and then the policy says that it is done.
	// They name elements by selectors.
	Script []trail.Recorded
	Page   string // URL of a page that starts an episode and gives a reward
}

// Set is a file of tasks.
type Set struct {
	Name  string
	Tasks []Task
}

// Contender is a model, or the script, that tries the tasks.
type Contender struct {
	Name string // of the tier: what was asked for, or Scripted
	// Use is the model for a task; nil has the task's script played.
	Use func(ctx context.Context) (*agent.Use, error)
	// Outer is the model that plans, and hands steps to that of Use; nil: the task is one objective of that.
	Outer func(ctx context.Context) (*agent.Use, error)
}

// Scripted is the name of the contender that plays the scripts of the tasks.
const Scripted = "scripted"

// Read reads a task set. Problems that are errors leave no set.
func Read(path string, data []byte, reg *tool.Registry) (*Set, trail.Problems) {
	d := trail.ReadDocument(path, data)
	s := &Set{Name: path}
	if !d.Root.Zero() {
		for _, e := range d.Entries(d.Root, "") {
			switch e.Key {
			case "title":
				s.Name = d.Text(e.Value, e.Key)
			case "tasks":
				for _, v := range d.List(e.Value, e.Key, "") {
					s.Tasks = append(s.Tasks, readTask(d, v, reg))
				}
			default:
				d.Unknown(e, "", "", []string{"title", "tasks"})
			}
		}
		if len(s.Tasks) == 0 {
			d.Errorf(d.Root.Pos(), "tasks", "", "there are no tasks")
		}
		once(d, s.Tasks)
	}
	return s, d.Problems()
}

var taskKeys = []string{"id", "goal", "start", "check", "script"}

func readTask(d *trail.Document, v trail.Value, reg *tool.Registry) (t Task) {
	for _, e := range d.Entries(v, "tasks") {
		switch e.Key {
		case "id":
			t.ID = d.Text(e.Value, e.Key)
		case "goal":
			t.Goal = d.Text(e.Value, e.Key)
		case "start":
			t.Start = readCalls(d, e, reg)
		case "check":
			t.Check = readCalls(d, e, reg)
		case "script":
			t.Script = readCalls(d, e, reg)
		default:
			d.Unknown(e, "tasks", "", taskKeys)
		}
	}
	if t.ID == "" || t.Goal == "" {
		d.Errorf(v.Pos(), "tasks", "", "a task needs an id and a goal")
	}
	if !checks(t.Check, reg) {
		d.Errorf(v.Pos(), "check", "Call an assertion, such as "+reg.Call(tool.CheckText, "")+".",
			"the checker of %q asserts nothing, so it would pass everything", t.ID)
	}
	return t
}

func readCalls(d *trail.Document, e trail.Entry, reg *tool.Registry) []trail.Recorded {
	out := []trail.Recorded{} // an empty script is a script
	for _, c := range d.Calls(e.Value, e.Key) {
		if _, ok := reg.Get(c.Name); !ok {
			d.Errorf(c.Pos, c.Field, "", "there is no tool %s", c.Name)
		}
		out = append(out, c.Recorded)
	}
	return out
}

// checks reports whether one of the calls is an assertion.
func checks(calls []trail.Recorded, reg *tool.Registry) bool {
	for _, c := range calls {
		if t, ok := reg.Get(c.Name); ok && t.Spec().Kind == tool.Assertion {
			return true
		}
	}
	return false
}

func once(d *trail.Document, tasks []Task) {
	seen := map[string]bool{}
	for _, t := range tasks {
		if t.ID != "" && seen[t.ID] {
			d.Errorf(d.Root.Pos(), "tasks", "", "two tasks are called %q", t.ID)
		}
		seen[t.ID] = true
	}
}

// evaluate runs a script in the page in front.
func evaluate(ctx context.Context, dev driver.Device, script string, into any) error {
	page, ok := driver.As[driver.Evaluator](dev)
	if !ok {
		return fault.New(fault.Unsupported, op, "this device runs no scripts, and the task is a page that needs one")
	}
	data, err := page.Evaluate(ctx, script, 0)
	if err != nil {
		return err
	}
	return fault.Wrap(json.Unmarshal(data, into), fault.Invalid, op)
}
