package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/tools"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// linter looks at what a trail says about tools, which the parser knows nothing of.
type linter struct {
	registry *tool.Registry
	ids      map[string]string // id -> the first file that has it
	root     string            // trails to call are read below it
	data     []byte            // the file being looked at
	path     string
	problems trail.Problems
}

// file checks one trail file, and returns its problems in file order.
func (l *linter) file(path string, data []byte) trail.Problems {
	t, problems := trail.Parse(path, data, trail.Strict)
	l.path, l.data, l.problems = path, data, problems
	if t == nil {
		return l.problems
	}
	if id := t.Config.ID; id != "" {
		if first, taken := l.ids[id]; taken {
			l.add(trail.Pos{Line: 1, Col: 1}, trail.SeverityError, "config.id", fmt.Sprintf("the id %q is taken by %s", id, first), "Two trails with one id share their history: give each its own.")
		} else {
			l.ids[id] = path
		}
	}
	if t.Trailhead != nil {
		l.step(t.Trailhead)
	}
	for i := range t.Steps {
		l.step(&t.Steps[i])
	}
	slices.SortStableFunc(l.problems, func(a, b trail.Problem) int {
		return (a.Pos.Line-b.Pos.Line)*10_000 + a.Pos.Col - b.Pos.Col
	})
	return l.problems
}

func (l *linter) step(s *trail.Step) {
	for _, classifier := range keys(s.Recordings) {
		calls := s.Recordings[classifier]
		l.class(s, classifier)
		asserts := false
		for _, c := range calls {
			spec := l.call(c, classifier)
			asserts = asserts || spec == nil || spec.Kind == tool.Assertion || spec.Name == "runTrail"
		}
		if s.Kind == trail.VerifyStep && len(calls) > 0 && !asserts {
			l.add(s.Pos, trail.SeverityError, "", fmt.Sprintf("the verify step %q checks nothing: none of its calls is an assertion", s.Text),
				"Record a call such as web_verifyTextVisible, or make it a step.")
		}
	}
	if s.MaxRetries != nil && len(s.Recordings) > 0 {
		l.add(s.Pos, trail.SeverityWarning, "maxRetries", "maxRetries has no effect on a recorded step: a replay sends each action once", "trailblaze run --retries plays the whole trail again.")
	}
	if len(s.Recordings) == 0 && s.Kind != trail.ToolsStep && s.Text != "" {
		l.add(s.Pos, trail.SeverityWarning, "", fmt.Sprintf("the step %q has no recording: it needs a language model", s.Text), "")
	}
}

// call checks one recorded call and returns its spec, nil when there is no such tool.
func (l *linter) call(c trail.Recorded, classifier string) *tool.Spec {
	t, ok := l.registry.Get(c.Name)
	if !ok {
		if slices.Contains(tools.NeedsModel(), c.Name) {
			l.add(c.Pos, trail.SeverityWarning, c.Name, fmt.Sprintf("%s needs a language model", c.Name), "")
			return nil
		}
		hint := "See trailblaze toolbox."
		if near := l.registry.Near(c.Name); len(near) > 0 {
			hint = "Did you mean " + strings.Join(near[:min(3, len(near))], " or ") + "?"
		}
		l.add(c.Pos, trail.SeverityError, c.Name, fmt.Sprintf("there is no tool %q", c.Name), hint)
		return nil
	}
	spec := t.Spec()
	if p := platformOf(classifier); p != "" && !spec.RunsOn(p, "") {
		l.add(c.Pos, trail.SeverityError, c.Name, fmt.Sprintf("%s does not run on %s", c.Name, p), "")
	}
	wrong, err := dispatch.Lint(spec, c.Args)
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	for _, w := range wrong {
		hint := "trailblaze toolbox " + c.Name + " shows its arguments."
		if strings.Contains(w, "want string, got number") || strings.Contains(w, "want string, got boolean") {
			hint = "Put it in quotes, so that YAML reads it as a text."
		}
		l.add(c.Pos, trail.SeverityError, c.Name, c.Name+": "+w, hint)
	}
	l.tokens(c)
	l.target(c)
	l.called(c)
	l.selectors(c)
	return spec
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

// selectors looks into the selectors of a call for what would be ignored without a word.
func (l *linter) selectors(c trail.Recorded) {
	var args map[string]json.RawMessage
	if json.Unmarshal(c.Args, &args) != nil {
		return
	}
	for _, key := range keys(args) {
		if key != "nodeSelector" && key != "selector" && !strings.HasSuffix(key, "NodeSelector") || !strings.HasPrefix(string(args[key]), "{") {
			continue
		}
		_, warnings, err := screen.ParseSelector(args[key])
		if err != nil {
			l.add(c.Pos, trail.SeverityError, c.Name+"."+key, fmt.Sprintf("%s: %s: %v", c.Name, key, err), "")
		}
		for _, w := range warnings {
			l.add(c.Pos, trail.SeverityError, c.Name+"."+key, fmt.Sprintf("%s: %s: %s", c.Name, key, w), "")
		}
	}
}

func (l *linter) add(pos trail.Pos, sev trail.Severity, key, message, hint string) {
	l.problems = append(l.problems, trail.Problem{
		Path: l.path, Pos: pos, Severity: sev, Key: key, Message: message, Hint: hint, Excerpt: trail.Excerpt(l.data, pos),
	})
}
