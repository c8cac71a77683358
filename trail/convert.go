package trail

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/token"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

// Convert makes a unified trail of one in an older format, whose recordings become those of classifier. The notes say
// what could not be carried over as it was.
func Convert(t *Trail, classifier string) (*Trail, []string, error) {
	var notes []string
	if classifier == "" && t.oneDevice() {
		return nil, nil, fault.New(fault.Invalid, "convert trail",
			"the file does not say which device class its recordings are for").
			WithHint("Add \"platform: web\" (or android, ios) to its config.")
	}
	out := &Trail{Path: t.Path, Config: t.Config, Format: Unified, Source: t.Source}
	c := &out.Config
	c.Platform = ""
	c.Devices, c.Skip = rekey(c.Devices, classifier), rekey(c.Skip, classifier)
	if t.Trailhead != nil {
		head := *t.Trailhead
		head.Recordings = rekey(head.Recordings, classifier)
		if calls := head.Recordings[classifier]; len(calls) > 1 {
			rest := Step{Kind: ActionStep, Text: callNames(calls[1:]), Recordable: true, Pos: calls[1].Pos,
				Recordings: map[string][]Recorded{classifier: calls[1:]}}
			head.Recordings[classifier] = calls[:1]
			out.Steps = append(out.Steps, rest)
			notes = append(notes,
				fmt.Sprintf("the trailhead has %d calls and a unified one has one; the others became the first step", len(calls)))
		}
		out.Trailhead = &head
	}
	for i, s := range t.Steps {
		s.Recordings = rekey(s.Recordings, classifier)
		if s.Kind == ToolsStep {
			s.Kind = ActionStep
			notes = append(notes, fmt.Sprintf("step %d had no text of its own; it is called %q", i+1, s.Text))
		}
		out.Steps = append(out.Steps, s)
	}
	return out, notes, nil
}

// oneDevice reports whether anything in t has the key V1Classifier.
func (t *Trail) oneDevice() bool {
	_, driver := t.Config.Devices[V1Classifier]
	_, skip := t.Config.Skip[V1Classifier]
	if driver || skip {
		return true
	}
	if t.Trailhead != nil && t.Trailhead.Recordings != nil {
		return true
	}
	for _, s := range t.Steps {
		if s.Recordings != nil {
			return true
		}
	}
	return false
}

// rekey moves the value of V1Classifier to classifier; the map it is given stays as it is.
func rekey[V any](m map[string]V, classifier string) map[string]V {
	v, ok := m[V1Classifier]
	if !ok {
		return m
	}
	m = maps.Clone(m)
	delete(m, V1Classifier)
	m[classifier] = v
	return m
}

// carriedComments collects the comments of the source, each under the line of the step or call that follows it, or
// that it is on. Comments before none of them go under line 0, the head of the file.
func carriedComments(t *Trail, data []byte) map[int][]string {
	src, bad := newSource(t.Path, data)
	if bad != nil {
		return nil
	}
	anchors := t.anchorLines()
	var code []int // lines that hold more than a comment
	for i, l := range src.lines {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			code = append(code, i+1)
		}
	}
	out := map[int][]string{}
	for _, c := range src.comments() {
		to := anchorFor(anchors, code, c.line, c.own)
		out[to] = append(out[to], c.text)
	}
	return out
}

// comment is one comment of a file; own says that nothing else is on its line.
type comment struct {
	line int
	text string
	own  bool
}

func (s *source) comments() []comment {
	var out []comment
	tokens, _ := yaml.Tokens(s.text) // a text over the bounds is no trail
	for _, tok := range tokens {
		if tok.Type != token.CommentType {
			continue
		}
		line := tok.Position.Line
		own := line >= 1 && line <= len(s.lines) && strings.HasPrefix(strings.TrimSpace(s.lines[line-1]), "#")
		out = append(out, comment{line: line, text: "#" + strings.TrimRight(tok.Value, " \t\r"), own: own})
	}
	return out
}

// anchorLines are the source lines of the trailhead, steps and calls, in order.
func (t *Trail) anchorLines() []int {
	lines := map[int][]string{}
	add := func(s *Step) {
		lines[s.Pos.Line] = nil
		for _, calls := range s.Recordings {
			for _, c := range calls {
				lines[c.Pos.Line] = nil
			}
		}
	}
	if t.Trailhead != nil {
		add(t.Trailhead)
	}
	for i := range t.Steps {
		add(&t.Steps[i])
	}
	delete(lines, 0) // what stands in no source
	return sortedLines(lines)
}

// anchorFor finds the anchor of a comment. One at the end of a line belongs to the anchor of that line. One on a
// line of its own belongs to the next anchor; before the first it does so only when there are nothing but comments
// between, and else belongs to the head of the file (0); after the last it belongs to the end.
func anchorFor(anchors, code []int, line int, own bool) int {
	next := slices.IndexFunc(anchors, func(a int) bool { return a > line })
	if !own {
		switch next {
		case 0:
			return 0
		case -1:
			next = len(anchors)
		}
		if next == 0 {
			return 0
		}
		return anchors[next-1]
	}
	switch {
	case next < 0 && len(anchors) == 0:
		return 0
	case next < 0:
		return math.MaxInt
	case next == 0 && slices.ContainsFunc(code, func(l int) bool { return l > line && l < anchors[0] }):
		return 0
	}
	return anchors[next]
}
