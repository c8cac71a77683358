package manage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const (
	runTimeout = time.Hour // of a whole trail: each of its steps has its own limit
	pageSize   = 20
)

func (d *trailTools) trails() []tool.Tool {
	return []tool.Tool{
		tool.Define(lasting(spec("trail", "Trail", tool.Action, "trail").With(tool.Facts{
			Categories: []string{"TRAIL", "AGENT"}, Effects: &tool.Effects{CallsTools: true, Files: savedTrail},
		}), runTimeout), d.trail),
		tool.Define(destructive(spec("trailEdit", "Edit trail", tool.Action, "trail").With(tool.Facts{
			Effects: &tool.Effects{Files: editedTrail},
		})), d.trailEdit),
	}
}

type trailIn struct {
	Action    string            `json:"action" enum:"LIST,RUN,SAVE,START,END,VALIDATE" jsonschema:"RUN plays a trail on this session's device; SAVE makes one of what was done"`
	Name      string            `json:"name,omitempty" jsonschema:"the trail: its file, id or title; for SAVE and START the title"`
	File      string            `json:"file,omitempty" jsonschema:"the trail's file below the workspace"`
	YAML      string            `json:"yaml,omitempty" jsonschema:"RUN, VALIDATE: the text of a trail, instead of a file"`
	Args      map[string]string `json:"args,omitempty" jsonschema:"RUN: values of the arguments that the trail declares"`
	Memory    map[string]string `json:"memory,omitempty" jsonschema:"RUN: values to remember before it begins"`
	From      int               `json:"from,omitempty" minimum:"1" jsonschema:"RUN: the first step to play"`
	To        int               `json:"to,omitempty" minimum:"1" jsonschema:"RUN: the last"`
	Device    string            `json:"device,omitempty" jsonschema:"RUN: instead of this session's device"`
	Filter    string            `json:"filter,omitempty" jsonschema:"LIST: only files, titles and tags with this text"`
	Page      int               `json:"page,omitempty" minimum:"1" default:"1" jsonschema:"LIST: 20 a page"`
	Overwrite bool              `json:"overwrite,omitempty" jsonschema:"SAVE: replace this platform's recording in the file"`
}

// trailLine is a trail file as a client sees it.
type trailLine struct {
	File      string   `json:"file"`
	ID        string   `json:"id,omitempty"`
	Title     string   `json:"title,omitempty"`
	Steps     int      `json:"steps"`
	Tags      []string `json:"tags,omitempty"`
	Platforms []string `json:"platforms,omitempty" jsonschema:"that it has recordings for"`
	Problem   string   `json:"problem,omitempty" jsonschema:"why it cannot be run"`
}

func (l trailLine) text() string {
	text := l.File
	if l.Title != "" {
		text += ": " + l.Title
	}
	if l.Problem != "" {
		return text + ". It cannot be run: " + l.Problem
	}
	text += ", " + phrase.Count(l.Steps, "step")
	if len(l.Platforms) > 0 {
		text += ", " + strings.Join(l.Platforms, " ")
	}
	if len(l.Tags) > 0 {
		text += " [" + strings.Join(l.Tags, " ") + "]"
	}
	return text
}

type trailOut struct {
	Done     string        `json:"done,omitempty"`
	Trails   []trailLine   `json:"trails,omitempty"`
	Run      *trailRun     `json:"run,omitempty"`
	Saved    *record.Saved `json:"saved,omitempty"`
	Problems []string      `json:"problems,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
}

// Text implements tool.Texter.
func (o trailOut) Text() string {
	var lines []string
	if o.Done != "" {
		lines = append(lines, o.Done)
	}
	for _, t := range o.Trails {
		lines = append(lines, t.text())
	}
	lines = append(lines, o.Problems...)
	for _, w := range o.Warnings {
		lines = append(lines, "Note: "+w)
	}
	return strings.Join(lines, "\n")
}

func (d *trailTools) trail(ctx context.Context, _ tool.Env, in trailIn) (*tool.Result, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	var out trailOut
	switch action(in.Action) {
	case "LIST":
		out, err = d.listTrails(ctx, s, in)
	case "RUN":
		return d.run(ctx, s, in)
	case "SAVE":
		out, err = d.saveTrail(ctx, s, in)
	case "START":
		var st devices.SessionStatus
		if st, err = d.hub.StartSession(ctx, s, in.Name); err == nil {
			out.Done = fmt.Sprintf("Recording on %s. Act, with an intent for each step; then SAVE.", st.Device)
		}
	case "END":
		var ended sessionOut
		if ended, err = d.stop(ctx, s, ""); err == nil {
			out.Done = ended.Done
		}
	default:
		out, err = d.validate(ctx, s, in)
	}
	if err != nil {
		return nil, err
	}
	return tool.ValueResult(out, out.Text())
}

func (d *trailTools) saveTrail(ctx context.Context, s *clients.Client, in trailIn) (trailOut, error) {
	saved, err := d.save(ctx, s, sessionIn{Title: in.Name, Path: in.File, Overwrite: in.Overwrite})
	return trailOut{Done: saved.Done, Saved: saved.Saved, Warnings: saved.Warnings}, err
}

// listTrails lists the trail files of the workspace.
func (d *trailTools) listTrails(ctx context.Context, s *clients.Client, in trailIn) (trailOut, error) {
	all, err := trailsOf(ctx, s.State().Workspace)
	if err != nil {
		return trailOut{}, err
	}
	var found []trailLine
	for _, f := range all {
		if l := f.line(); matches(in.Filter, l.File, l.Title, l.ID, strings.Join(l.Tags, " ")) {
			found = append(found, l)
		}
	}
	pages := max((len(found)+pageSize-1)/pageSize, 1)
	page := max(in.Page, 1)
	if page > pages {
		return trailOut{}, fault.New(fault.Invalid, "list trails", "there is no page %d: there are %d", page, pages)
	}
	out := trailOut{Trails: found[(page-1)*pageSize : min(page*pageSize, len(found))]}
	switch {
	case len(found) == 0:
		out.Done = "No trail is there. Act, then SAVE."
	case pages > 1:
		out.Done = fmt.Sprintf("Page %d of %d, %s:", page, pages, phrase.Count(len(found), "trail"))
	}
	return out, nil
}

// validate lists the mistakes in a trail. A mistake is an answer, not a failure.
func (d *trailTools) validate(ctx context.Context, s *clients.Client, in trailIn) (trailOut, error) {
	f, err := d.find(ctx, s, in)
	if err != nil {
		return trailOut{}, err
	}
	problems := f.problems
	if d.Lint != nil {
		problems = d.Lint(s.State().Workspace, f.path, f.data)
	}
	out := trailOut{Trails: []trailLine{f.line()}}
	for _, p := range problems {
		out.Problems = append(out.Problems, p.String())
	}
	switch n := len(problems.Errors()); {
	case n > 0:
		out.Done = fmt.Sprintf("%s has %s.", f.path, phrase.Count(n, "error"))
	case len(problems.Warnings()) > 0:
		out.Done = f.path + " can be run, with " + phrase.Count(len(problems.Warnings()), "warning") + "."
	default:
		out.Done = "Nothing is wrong with " + f.path + "."
	}
	return out, nil
}

// find reads the trail that the arguments name.
func (d *trailTools) find(ctx context.Context, s *clients.Client, in trailIn) (*trailFile, error) {
	const op = "find trail"
	if in.YAML != "" {
		return parsed("inline.trail.yaml", []byte(in.YAML)), nil
	}
	want := cmp.Or(in.File, in.Name)
	if want == "" {
		return nil, missing(op, "name", "trails/login.trail.yaml")
	}
	ws := s.State().Workspace
	for _, path := range spellings(want) {
		data, err := readIn(ws, path)
		if err == nil {
			return parsed(path, data), nil
		}
		if fault.KindOf(err) == fault.Denied {
			return nil, err
		}
	}
	all, err := trailsOf(ctx, ws)
	if err != nil {
		return nil, err
	}
	var hits []*trailFile
	for _, f := range all {
		if f.trail != nil && (strings.EqualFold(f.trail.Config.ID, want) || strings.EqualFold(f.trail.Config.Title, want)) {
			hits = append(hits, f)
		}
	}
	switch len(hits) {
	case 1:
		return hits[0], nil
	case 0:
		return nil, fault.New(fault.NotFound, op, "there is no trail %q in the workspace", want).
			WithHint("%s shows all.", fault.Action{Tool: "trail", Action: "LIST"})
	}
	var paths []string
	for _, f := range hits {
		paths = append(paths, f.path)
	}
	return nil, fault.New(fault.Conflict, op, "%d trails are called %q: %s", len(hits), want, strings.Join(paths, ", ")).
		WithHint("Give the file.")
}

// spellings are the files that a name may mean.
func spellings(name string) []string {
	out := []string{name}
	if !strings.HasSuffix(name, ".yaml") && !strings.HasSuffix(name, ".yml") {
		out = []string{name + ".trail.yaml", name + "/trail.yaml"}
	}
	for _, n := range slices.Clone(out) {
		if !strings.HasPrefix(n, record.Folder+"/") {
			out = append(out, record.Folder+"/"+n)
		}
	}
	return out
}
