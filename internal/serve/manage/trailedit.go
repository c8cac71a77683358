package manage

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

type trailEditIn struct {
	Op       string `json:"op" enum:"GET,INSERT,REPLACE,DELETE,MOVE,CLEAR_RECORDING" jsonschema:"what to do"`
	Name     string `json:"name" minLength:"1" jsonschema:"the trail: its file, id or title"`
	Index    int    `json:"index,omitempty" minimum:"1" jsonschema:"number of the step, from 1"`
	Position *int   `json:"position,omitempty" minimum:"-1" jsonschema:"INSERT, MOVE: after this step; 0 is first, -1 last (default)"`
	Count    int    `json:"count,omitempty" minimum:"1" default:"1" jsonschema:"DELETE, MOVE: how many steps"`
	Prompt   string `json:"prompt,omitempty" jsonschema:"INSERT, REPLACE: what the step is to do"`
	StepType string `json:"stepType,omitempty" enum:"step,verify" jsonschema:"INSERT, REPLACE: verify for a step that checks"`
	Platform string `json:"platform,omitempty" jsonschema:"CLEAR_RECORDING: only this one's, such as web"`
}

// stepLine is a step as a client sees it.
type stepLine struct {
	Index    int      `json:"index"`
	Kind     string   `json:"kind"`
	Text     string   `json:"text"`
	Recorded []string `json:"recorded,omitempty" jsonschema:"platforms that have a recording"`
	Calls    []string `json:"calls,omitempty" jsonschema:"the tools it calls"`
}

func (l stepLine) text() string {
	text := fmt.Sprintf("%d. %s: %s", l.Index, l.Kind, l.Text)
	if len(l.Recorded) == 0 {
		return text + " (no recording)"
	}
	return text + " (" + strings.Join(l.Recorded, " ") + ": " + strings.Join(l.Calls, " ") + ")"
}

type editOut struct {
	File  string     `json:"file"`
	Done  string     `json:"done,omitempty"`
	Steps []stepLine `json:"steps"`
}

// Text implements tool.Texter.
func (o editOut) Text() string {
	lines := []string{o.File + ":"}
	if o.Done != "" {
		lines = []string{o.Done}
	}
	for _, s := range o.Steps {
		lines = append(lines, s.text())
	}
	return strings.Join(lines, "\n")
}

func (d *trailTools) trailEdit(ctx context.Context, _ tool.Env, in trailEditIn) (editOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return editOut{}, err
	}
	f, err := d.find(ctx, s, trailIn{Name: in.Name})
	if err != nil {
		return editOut{}, err
	}
	if op := action(in.Op); op != "GET" {
		err := record.Rewrite(ctx, s.State().Workspace, f.path,
			func(old []byte) ([]byte, error) { return edited(f.path, old, in) })
		if err != nil {
			return editOut{}, err
		}
		data, err := readIn(s.State().Workspace, f.path)
		if err != nil {
			return editOut{}, err
		}
		f = parsed(f.path, data)
	}
	t, err := f.usable()
	if err != nil {
		return editOut{}, err
	}
	out := editOut{File: f.path, Steps: stepLines(t)}
	if action(in.Op) != "GET" {
		out.Done = fmt.Sprintf("%s is changed; it has %s now:", f.path, phrase.Count(len(t.Steps), "step"))
	}
	return out, nil
}

func stepLines(t *trail.Trail) []stepLine {
	out := []stepLine{}
	for i, s := range t.Steps {
		l := stepLine{Index: i + 1, Kind: string(s.Kind), Text: s.Text}
		for classifier, calls := range s.Recordings {
			l.Recorded = append(l.Recorded, classifier)
			for _, c := range calls {
				if !slices.Contains(l.Calls, c.Name) {
					l.Calls = append(l.Calls, c.Name)
				}
			}
		}
		slices.Sort(l.Recorded)
		out = append(out, l)
	}
	return out
}

// edited is the file after an edit. The lines of untouched steps are not touched; the result is read again and must say
// what the edit meant, or nothing is written.
func edited(path string, data []byte, in trailEditIn) ([]byte, error) {
	const op = "edit trail"
	t, problems := trail.Parse(path, data, trail.Lenient)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if t.Format != trail.Unified {
		return nil, fault.New(fault.Unsupported, op, "%s is in the older %s format", path, t.Format).
			WithHint("Save or run --record into it once: that rewrites it as a unified trail.")
	}
	if len(t.Steps) == 0 {
		return nil, fault.New(fault.Unsupported, op, "%s has no steps to edit", path)
	}
	want, err := editedSteps(t.Steps, in)
	if err != nil {
		return nil, err
	}
	b, err := blocksOf(data, t)
	if err == nil {
		data, err = b.edit(in)
	}
	if err != nil {
		return nil, err
	}
	now, problems := trail.Parse(path, data, trail.Lenient)
	if problems.Err() != nil || now == nil || !sameSteps(now.Steps, want) {
		return nil, byHand(path)
	}
	return data, nil
}

func byHand(path string) error {
	return fault.New(fault.Unsupported, "edit trail", "%s is written in a way that cannot be edited line by line", path).
		WithHint("Edit the file by hand.")
}

// editedSteps returns the steps after the edit.
func editedSteps(steps []trail.Step, in trailEditIn) ([]trail.Step, error) {
	const op = "edit trail"
	n := len(steps)
	out := slices.Clone(steps)
	count := max(in.Count, 1)
	at, where := in.Index-1, action(in.Op)
	if where != "INSERT" {
		if in.Index < 1 || in.Index > n {
			return nil, fault.New(fault.Invalid, op, "index %d is not one of the %s", in.Index, phrase.Count(n, "step"))
		}
		count = min(count, n-at)
	}
	to, err := after(in.Position, n)
	if err != nil {
		return nil, err
	}
	if (where == "INSERT" || where == "REPLACE") && strings.TrimSpace(in.Prompt) == "" {
		return nil, missing(op, "prompt", `"Put the lamp in the cart"`)
	}
	switch where {
	case "INSERT":
		return slices.Insert(out, to,
			trail.Step{Kind: kindOr(in.StepType, trail.ActionStep), Text: strings.TrimSpace(in.Prompt), Recordable: true}), nil
	case "REPLACE":
		out[at].Text, out[at].Kind = strings.TrimSpace(in.Prompt), kindOr(in.StepType, out[at].Kind)
	case "DELETE":
		if count == n {
			return nil, fault.New(fault.Invalid, op, "a trail needs a step: %d of %d cannot be deleted", count, n).
				WithHint("Delete the file instead.")
		}
		out = slices.Delete(out, at, at+count)
	case "MOVE":
		return movedSteps(out, at, count, to)
	case "CLEAR_RECORDING":
		out[at].Recordings = otherRecordings(out[at].Recordings, in.Platform)
	}
	return out, nil
}

// movedSteps moves count steps from one index to another, which is counted before the move.
func movedSteps(steps []trail.Step, at, count, to int) ([]trail.Step, error) {
	if to > at && to < at+count {
		return nil, fault.New(fault.Invalid, "edit trail", "steps cannot be moved into themselves")
	}
	moved := slices.Clone(steps[at : at+count])
	steps = slices.Delete(steps, at, at+count)
	if to > at {
		to -= count
	}
	return slices.Insert(steps, to, moved...), nil
}

// otherRecordings are the recordings of other device classes than the one that is cleared; "" clears all.
func otherRecordings(all map[string][]trail.Recorded, cleared string) map[string][]trail.Recorded {
	kept := map[string][]trail.Recorded{}
	for classifier, calls := range all {
		if cleared != "" && classifier != cleared {
			kept[classifier] = calls
		}
	}
	return kept
}

// after is the index that a step put after the given one gets.
func after(position *int, n int) (int, error) {
	if position == nil || *position == -1 {
		return n, nil
	}
	if *position > n {
		return 0, fault.New(fault.Invalid, "edit trail", "position %d is past the %s", *position, phrase.Count(n, "step"))
	}
	return *position, nil
}

func kindOr(kind string, otherwise trail.StepKind) trail.StepKind {
	if kind == "" {
		return otherwise
	}
	return trail.StepKind(strings.ToLower(kind))
}

// sameSteps compares steps by their texts and calls.
func sameSteps(a, b []trail.Step) bool {
	return slices.EqualFunc(a, b, func(x, y trail.Step) bool {
		if x.Kind != y.Kind || x.Text != y.Text || x.Recordable != y.Recordable || len(x.Recordings) != len(y.Recordings) {
			return false
		}
		for classifier, calls := range x.Recordings {
			other, ok := y.Recordings[classifier]
			if !ok || !slices.EqualFunc(calls, other,
				func(c, d trail.Recorded) bool { return c.Name == d.Name && string(c.Args) == string(d.Args) }) {
				return false
			}
		}
		return true
	})
}
