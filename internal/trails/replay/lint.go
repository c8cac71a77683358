package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Linter looks for mistakes in trails. It is the one place that says what is wrong with a trail: check prints what it
// finds, and no trail in which it finds an error is played.
type Linter struct {
	Registry   *tool.Registry
	NeedsModel []string // names of tools that ask a model and are not registered
	// Secrets are the origins that the known secrets are bound to, "" for none, by their names.
	Secrets map[string]string

	assisted bool // a model plays the steps that have no recording

	ids map[string]string // id -> the first file that has it
}

// File reads a trail and returns what is wrong with it, in file order.
func (l *Linter) File(path string, data []byte) trail.Problems {
	t, problems := trail.Parse(path, data, trail.Strict)
	if t == nil {
		return problems
	}
	if twin := l.Twin(t); twin != nil {
		twin.Severity = trail.SeverityWarning // one run cannot play both; a run for each driver plays one
		problems = append(problems, *twin)
	}
	problems = append(problems, l.trail(t, []string{cleanPath(path)})...)
	slices.SortStableFunc(problems, func(a, b trail.Problem) int {
		return cmp.Or(a.Pos.Line-b.Pos.Line, a.Pos.Col-b.Pos.Col)
	})
	return problems
}

// Twin is the problem that another file had the trail's id before, or nil.
func (l *Linter) Twin(t *trail.Trail) *trail.Problem {
	id := t.Config.ID
	if id == "" {
		return nil
	}
	if first, taken := l.ids[id]; taken {
		p := problem(t, trail.Pos{Line: 1, Col: 1}, trail.SeverityError, "config.id",
			fmt.Sprintf("the id %q is taken by %s", id, first),
			"Two trails with one id share their history, and one run cannot play both: give each its own.")
		return &p
	}
	if l.ids == nil {
		l.ids = map[string]string{}
	}
	l.ids[id] = t.Path
	return nil
}

// Trail returns what is wrong with a trail beyond what its parser has reported.
func (l *Linter) Trail(t *trail.Trail) trail.Problems { return l.trail(t, []string{cleanPath(t.Path)}) }

// trail looks into a trail that was reached on the way of the paths: its own is the last.
func (l *Linter) trail(t *trail.Trail, way []string) trail.Problems {
	in := &linting{Linter: l, trail: t, way: way}
	if len(t.Steps) == 0 {
		in.add(trail.Pos{Line: 1, Col: 1}, trail.SeverityWarning, "", "the file has no steps, so there is nothing to run",
			`Add "trail:" with a list of steps.`)
	}
	if t.Trailhead != nil {
		in.step(t.Trailhead)
	}
	for i := range t.Steps {
		in.step(&t.Steps[i])
	}
	return in.problems
}

// linting is one look into one trail.
type linting struct {
	*Linter
	trail    *trail.Trail
	way      []string
	problems trail.Problems
}

func (l *linting) step(s *trail.Step) {
	for _, classifier := range slices.Sorted(maps.Keys(s.Recordings)) {
		calls := s.Recordings[classifier]
		l.class(s, classifier)
		for _, c := range calls {
			l.call(c, classifier)
		}
		if s.Kind == trail.VerifyStep {
			l.checks(s, classifier, calls)
		}
	}
	if s.MaxRetries != nil && len(s.Recordings) > 0 {
		l.add(s.Pos, trail.SeverityWarning, "maxRetries",
			"maxRetries has no effect on a recorded step: a replay sends each action once",
			"trailblaze run --retries plays the whole trail again.")
	}
	if len(s.Recordings) == 0 && s.Kind != trail.ToolsStep && s.Text != "" {
		l.add(s.Pos, trail.SeverityWarning, "",
			fmt.Sprintf("the step %q has no recording: it needs a language model", s.Text), "")
	}
}

// checks reports a verify step that would be green whatever the screen shows.
func (l *linting) checks(s *trail.Step, classifier string, calls []trail.Recorded) {
	switch {
	case len(calls) == 0:
		sev := trail.SeverityError
		if l.foreign(classifier) {
			sev = trail.SeverityWarning
		}
		l.add(s.Pos, sev, "",
			fmt.Sprintf("the verify step %q checks nothing on %s: its recording is []", s.Text,
				cmp.Or(classifier, "its device")),
			"Record a call such as "+l.Registry.Call(tool.CheckText,
				"")+", or make it a step: only a step may have nothing to do.")
	case !l.asserts(calls, chainOf(classifier), l.way):
		l.add(s.Pos, trail.SeverityError, "",
			fmt.Sprintf("the verify step %q checks nothing: none of its calls is an assertion", s.Text),
			"Record a call such as "+l.Registry.Call(tool.CheckText, "")+", or make it a step.")
	}
}

// call checks one recorded call.
func (l *linting) call(c trail.Recorded, classifier string) {
	t, ok := l.Registry.Get(c.Name)
	if !ok {
		if slices.Contains(l.NeedsModel, c.Name) {
			l.add(c.Pos, trail.SeverityWarning, c.Name, fmt.Sprintf("%s needs a language model", c.Name), "")
			return
		}
		sev := trail.SeverityError
		if l.foreign(classifier) {
			sev = trail.SeverityWarning // it is never called here
		}
		missing := l.Registry.Missing("", c.Name, "See trailblaze toolbox.")
		l.add(c.Pos, sev, c.Name, missing.Error(), missing.Hint)
		return
	}
	spec := t.Spec()
	if p := platformOf(classifier); p != "" && !spec.RunsOn(p, "") {
		l.add(c.Pos, trail.SeverityError, c.Name, fmt.Sprintf("%s does not run on %s", c.Name, p), "")
	}
	if text := changed(spec, c); text != "" {
		l.add(c.Pos, trail.SeverityWarning, c.Name, text,
			"Look whether the step still means the same; recording it again takes the warning away.")
	}
	wrong := mistakes(t, c.Call, true)
	for _, w := range wrong {
		hint := "trailblaze toolbox " + c.Name + " shows its arguments."
		if strings.Contains(w, "want string, got number") || strings.Contains(w, "want string, got boolean") {
			hint = "Put it in quotes, so that YAML reads it as a text."
		}
		l.add(c.Pos, trail.SeverityError, c.Name, c.Name+": "+w, hint)
	}
	if len(wrong) == 0 {
		l.lintHeldCalls(spec, c, classifier)
	}
	l.tokens(c)
	l.secrets(c.Pos, t.Spec(), c.Args)
	l.target(c)
	l.called(t, c)
}

// mistakes are those in the arguments of a call; whole says that nothing of them is still to come.
func mistakes(t tool.Tool, c tool.Call, whole bool) []string {
	wrong, err := argument.Lint(c.Name, t.Spec().Input.Get(), c.Args)
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	if m, ok := t.(interface{ Mistake(json.RawMessage) error }); ok && whole && len(wrong) == 0 {
		if err := m.Mistake(c.Args); err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	return wrong
}

// lintHeldCalls checks the calls that the arguments of another one hold.
func (l *linting) lintHeldCalls(s *tool.Spec, c trail.Recorded, classifier string) {
	for _, h := range s.Holds(c.Args) {
		if t, ok := l.Registry.Get(h.Name); ok && h.Decides && t.Spec().Kind == tool.Action {
			l.add(c.Pos, trail.SeverityError, c.Name, fmt.Sprintf("%s: %s acts, so it cannot decide", c.Name, h.Name),
				"Name a query or an assertion.")
		}
		l.call(trail.Recorded{Call: h.Call, Pos: c.Pos}, classifier)
	}
}

// changed reports a tool that has changed since a call was recorded; "" when it has not, or when that is unknown.
func changed(s *tool.Spec, c trail.Recorded) string {
	if c.Hash == "" || s.Hash == "" || c.Hash == s.Hash {
		return ""
	}
	return fmt.Sprintf("%s has changed since this was recorded (%s)", c.Name, s.Origin)
}

// foreign reports whether a recording is for devices that are not driven here. A v1 file is for the one it names.
func (l *linting) foreign(classifier string) bool {
	if classifier == trail.V1Classifier {
		classifier = l.trail.Config.Platform
	}
	head, _, _ := strings.Cut(classifier, "-")
	return head != "" && driver.Platform(head) != driver.WebPlatform
}

// chainOf are the segments of a classifier; a v1 recording stands for a browser.
func chainOf(classifier string) []string {
	if classifier == trail.V1Classifier {
		return classifiersOf(nil)
	}
	return strings.Split(classifier, "-")
}

// platformOf is the platform that a classifier begins with, "" when it is none we know.
func platformOf(classifier string) driver.Platform {
	head, _, _ := strings.Cut(classifier, "-")
	switch p := driver.Platform(head); p {
	case driver.WebPlatform, driver.AndroidPlatform, driver.IOSPlatform:
		return p
	}
	return ""
}

func (l *linting) add(pos trail.Pos, sev trail.Severity, key, message, hint string) {
	l.problems = append(l.problems, problem(l.trail, pos, sev, key, message, hint))
}

func problem(t *trail.Trail, pos trail.Pos, sev trail.Severity, key, message, hint string) trail.Problem {
	return trail.Problem{
		Path: t.Path, Pos: pos, Severity: sev, Key: key, Message: message, Hint: hint, Excerpt: trail.Excerpt(t.Source, pos),
	}
}

// cleanPath is a path in the form in which two names of one file are most likely equal.
func cleanPath(p string) string { return filepath.ToSlash(filepath.Clean(p)) }
