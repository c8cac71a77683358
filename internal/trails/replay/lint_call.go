package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// ScriptCall is a call that a script makes.
type ScriptCall struct {
	tool.Call
	Pos  trail.Pos
	Open bool // arguments may be there that are not written out
}

// Script returns what is wrong with the calls of a script. A tool that may be there, and was not loaded, is a warning,
// and so is one of a platform that is not driven here.
func (l *Linter) Script(path string, text []byte, calls []ScriptCall) trail.Problems {
	in := &linting{Linter: l, trail: &trail.Trail{Path: path, Source: text}}
	for _, c := range calls {
		t, ok := l.Registry.Get(c.Name)
		if !ok {
			if slices.Contains(l.NeedsModel, c.Name) {
				continue
			}
			missing, sev := l.Registry.Missing("", c.Name, "See trailblaze toolbox."), trail.SeverityError
			elsewhere := !strings.HasPrefix(c.Name, string(driver.WebPlatform)+"_") &&
				slices.ContainsFunc(tool.Reserved, func(p string) bool { return strings.HasPrefix(c.Name, p) })
			if elsewhere || errors.Unwrap(missing.Err) != nil {
				sev = trail.SeverityWarning
			}
			in.add(c.Pos, sev, c.Name, missing.Error(), missing.Hint)
			continue
		}
		whole := !c.Open && !bytes.Contains(c.Args, []byte("{{")) // a token stands for what is computed
		for _, w := range mistakes(t, c.Call, whole) {
			if !c.Open || !strings.Contains(w, " is missing") {
				in.add(c.Pos, trail.SeverityError, c.Name, c.Name+": "+w, "trailblaze toolbox "+c.Name+" shows its arguments.")
			}
		}
	}
	return in.problems
}

// tokens reports a token that can never be replaced, such as {{args.a | upper}}. The values of tokens are not known
// yet.
func (l *linting) tokens(c trail.Recorded) {
	if t, ok := l.Registry.Get(c.Name); ok && len(t.Spec().Holds(c.Args)) > 0 {
		return // they are those of the calls that it holds
	}
	if _, _, err := memory.New().Expand(c.Args); err != nil {
		l.add(c.Pos, trail.SeverityError, c.Name, fmt.Sprintf("%s: %v", c.Name, err),
			"Write {{args.name}}, {{args.name.field}} or a sum such as {{args.name + 1}}.")
	}
}

// secrets reports a token of a secret in an argument that does not take one. The call would be denied.
func (l *linting) secrets(pos trail.Pos, s *tool.Spec, raw json.RawMessage) {
	if len(l.Secrets) == 0 {
		return
	}
	var fields map[string]json.RawMessage
	var args tool.Args
	if s.Verbatim || json.Unmarshal(raw, &fields) != nil || json.Unmarshal(raw, &args) != nil {
		return
	}
	for _, argument := range slices.Sorted(maps.Keys(fields)) {
		for _, t := range memory.TokensInJSON(fields[argument]) {
			if bound, secret := l.Secrets[t.Name]; secret && !admits(s, argument, bound, args) {
				l.add(pos, trail.SeverityError, s.Name+"."+argument,
					fmt.Sprintf("%s: the argument %s would hold the secret %s", s.Name, argument, t.Name),
					s.Where(argument, t.Name, bound))
			}
		}
	}
}

// admits reports whether a secret is allowed in an argument, as far as that is known before tokens are replaced.
func admits(s *tool.Spec, argument, bound string, args tool.Args) bool {
	if s.Admits(argument, bound, args) {
		return true
	}
	if bound == "" || s.Takes(argument) != tool.Sent {
		return false
	}
	return slices.ContainsFunc(args.Texts(s.Effects.Opens...), func(url string) bool {
		at := strings.IndexAny(url, "{$")
		return at >= 0 && driver.Origin(url[:at]) == ""
	})
}

// target warns of an element that is named by a snapshot's ref alone: the ref means nothing in the session of a replay.
func (l *linting) target(c trail.Recorded) {
	var args struct {
		Ref          string          `json:"ref"`
		NodeSelector json.RawMessage `json:"nodeSelector"`
	}
	if json.Unmarshal(c.Args, &args) != nil || len(args.NodeSelector) > 0 {
		return
	}
	if ref, ok := screen.RefOf(args.Ref); ok {
		l.add(c.Pos, trail.SeverityWarning, c.Name+".ref",
			fmt.Sprintf("%s: %s is a ref of a snapshot, and names nothing when the trail is replayed", c.Name, ref),
			`Name the element by role and name (ref: 'button "Save"') or by a nodeSelector.`)
	}
}

// called looks into the trail that a call plays: it must be there, be free of mistakes, and not lead back to where it
// came from.
func (l *linting) called(t tool.Tool, c trail.Recorded) {
	inner, p, err := calledTrail(t, c)
	report := func(text, hint string) {
		l.add(c.Pos, trail.SeverityError, c.Name+".path", c.Name+": "+text, hint)
	}
	switch {
	case err != nil:
		text, _, _ := strings.Cut(err.Error(), "\n")
		report(text, "The path is relative to the workspace.")
	case inner == nil:
	case slices.Contains(l.way, p):
		report(fmt.Sprintf("%s leads back to %s", strings.Join(append(l.way[slices.Index(l.way, p):], p), " calls "), p),
			"Put what both share into a trail of its own.")
	default:
		if errs := l.trailErrors(inner, append(slices.Clip(l.way), p)); len(errs) > 0 {
			report(errs[0], "trailblaze check "+p+" tells all that is wrong with it.")
		}
	}
}

// trailErrors are the errors in a called trail, each with its place.
func (l *linting) trailErrors(t *trail.Trail, way []string) []string {
	var out []string
	for _, e := range l.Linter.trail(t, way).Errors() {
		out = append(out, fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Pos.Line, e.Pos.Col, e.Message))
	}
	if len(t.Steps) == 0 {
		out = append(out, t.Path+" has no steps, so there is nothing to run")
	}
	return out
}

// asserts reports whether one of the calls can fail a check. An unknown tool may be one; it is reported elsewhere. A
// trail that is called counts for what its own calls are, and one that cannot be read yet may hold anything.
func (l *Linter) asserts(calls []trail.Recorded, classifiers, way []string) bool {
	return slices.ContainsFunc(calls, func(c trail.Recorded) bool {
		t, ok := l.Registry.Get(c.Name)
		if !ok || t.Spec().Kind == tool.Assertion {
			return true
		}
		var held []trail.Recorded
		for _, h := range t.Spec().Holds(c.Args) {
			if !h.Decides {
				held = append(held, trail.Recorded{Call: h.Call})
			}
		}
		if l.asserts(held, classifiers, way) {
			return true
		}
		if _, calls := t.(*runTrailTool); !calls {
			return false
		}
		inner, p, err := calledTrail(t, c)
		if err != nil || inner == nil {
			return true
		}
		return !slices.Contains(way, p) && slices.ContainsFunc(inner.Resolve(classifiers), func(s trail.ResolvedStep) bool {
			return l.asserts(s.Calls, classifiers, append(slices.Clip(way), p))
		})
	})
}

// calledTrail reads the trail that a call plays, and returns its path as it is compared with others. It is nil when the
// call plays none, or one whose name is not known yet.
func calledTrail(t tool.Tool, c trail.Recorded) (*trail.Trail, string, error) {
	player, ok := t.(*runTrailTool)
	var args RunTrailInput
	if !ok || json.Unmarshal(c.Args, &args) != nil || args.Path == "" || strings.Contains(args.Path, "{{") ||
		strings.Contains(args.Path, "${") {
		return nil, "", nil
	}
	inner, err := player.load(args.Path)
	return inner, cleanPath(args.Path), err
}

// class warns of a device class that is no platform's and looks like a slip of the finger.
func (l *linting) class(s *trail.Step, classifier string) {
	head, _, _ := strings.Cut(classifier, "-")
	if platformOf(classifier) != "" {
		return
	}
	for _, p := range []driver.Platform{driver.WebPlatform, driver.AndroidPlatform, driver.IOSPlatform} {
		if slip(head, string(p)) {
			l.add(s.Pos, trail.SeverityWarning, "recording."+classifier,
				fmt.Sprintf("the step %q has a recording for %q, which is no platform", s.Text, classifier),
				fmt.Sprintf("Did you mean %q?", strings.Replace(classifier, head, string(p), 1)))
		}
	}
}

// slip reports whether a word is another one with one letter too many, too few, wrong, or two swapped.
func slip(got, want string) bool {
	if got == want {
		return false
	}
	i, j := 0, 0 // letters that agree at the beginning and at the end
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	for j < min(len(got), len(want))-i && got[len(got)-1-j] == want[len(want)-1-j] {
		j++
	}
	a, b := got[i:len(got)-j], want[i:len(want)-j]
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
