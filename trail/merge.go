package trail

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Merge puts the recordings for device classes into an existing file; everything else in it, comments included, keeps
// its bytes. Steps are aligned by index. The file's sentences and step kinds win; the class's recording is replaced in
// every step that was recorded; further steps are appended; a step with recordable: false receives nothing. Memory and
// arguments that the recording declares and the file does not are added. The notes say where the recording and the
// file drifted apart.
//
// An existing file in an older format is rewritten as a unified one.
func Merge(existing []byte, recorded *Trail, classifiers ...string) (out []byte, notes []string, err error) {
	out = existing
	for _, c := range classifiers {
		var more []string
		if out, more, err = mergeFile(out, recorded, c); err != nil {
			return nil, nil, err
		}
		notes = append(notes, slices.DeleteFunc(more, func(n string) bool { return slices.Contains(notes, n) })...)
	}
	return out, notes, nil
}

// mergeFile puts the recording for one device class into a file.
func mergeFile(existing []byte, recorded *Trail, classifier string) ([]byte, []string, error) {
	const op = "merge recording"
	if !classifierName().MatchString(classifier) {
		return nil, nil, fault.New(fault.Invalid, op, "%q is no device class", classifier)
	}
	path := recorded.Path
	old, problems := Parse(path, existing, Lenient)
	if err := problems.Err(); err != nil {
		return nil, nil, fault.Wrap(err, fault.Invalid, op)
	}
	if old.Format != Unified {
		out, notes, err := mergeOlder(old, recorded, classifier)
		return out, notes, fault.Wrap(err, "", op)
	}
	want, notes := mergeTrails(old, recorded, classifier)
	out, more, err := rewriteFile(existing, old, want, classifier)
	if err != nil {
		return nil, nil, fault.Wrap(err, "", op)
	}
	return out, append(notes, more...), nil
}

// mergeOlder merges into a file of an older format, which is rewritten as a unified one.
func mergeOlder(old, recorded *Trail, classifier string) ([]byte, []string, error) {
	converted, notes, err := Convert(old, classifier)
	if err != nil {
		return nil, nil, err
	}
	notes = append(notes, "the file was in the "+string(old.Format)+" format and is unified now")
	want, more := mergeTrails(converted, recorded, classifier)
	out, err := encode(want, carriedComments(want, old.Source))
	return out, append(notes, more...), err
}

// mergeTrails is the merge without regard to bytes. Parts that do not change are shared with old.
func mergeTrails(old, recorded *Trail, classifier string) (*Trail, []string) {
	out := *old
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }

	if d := recorded.DriverFor([]string{classifier}); d != "" && d != old.DriverFor([]string{classifier}) {
		if was, ok := old.Config.Devices[classifier]; ok && was != d {
			note("the file named the driver %s for %s; it was recorded with %s", was, classifier, d)
		}
		out.Config.Devices = with(old.Config.Devices, classifier, d)
	}
	mergeDeclared(&old.Config, &recorded.Config, &out.Config)
	out.Trailhead = mergeHead(old, recorded, classifier, note)
	out.Steps = slices.Clone(old.Steps)
	for i := range recorded.Steps {
		r := &recorded.Steps[i]
		if i >= len(old.Steps) {
			s := *r
			if s.Kind == ToolsStep || s.Kind == "" {
				s.Kind = ActionStep
			}
			s.Text = strings.TrimSpace(s.Text)
			s.Recordings, s.Pos = nil, Pos{}
			if calls := callsFor(r, recorded, classifier); len(calls) > 0 && s.Recordable {
				s.Recordings = map[string][]Recorded{classifier: calls}
			}
			out.Steps = append(out.Steps, s)
			continue
		}
		s := &out.Steps[i]
		drift(i, s, r, note)
		if platform, _, _ := strings.Cut(classifier, "-"); recorded.Config.Class(r.On, platform) != platform {
			continue // the step of an actor on another device
		}
		calls := callsFor(r, recorded, classifier)
		if !s.Recordable {
			if len(calls) > 0 {
				note("step %d says recordable: false; %d recorded calls were left out", i+1, len(calls))
			}
			continue
		}
		s.Recordings = mergeClass(s.Recordings, classifier, calls,
			func() { note("step %d has no recording for %s any more", i+1, classifier) })
	}
	if n := len(recorded.Steps); n < len(old.Steps) {
		note("the recording ends after step %d; the file has %d", n, len(old.Steps))
	}
	return &out, notes
}

func drift(i int, s, r *Step, note func(string, ...any)) {
	if text := strings.TrimSpace(r.Text); text != s.Text && text != "" {
		note("step %d: the file says %q, the recording %q; the file's text stays", i+1, firstWords(s.Text), firstWords(text))
	}
	if (s.Kind == VerifyStep) != (r.Kind == VerifyStep) {
		note("step %d: the file says it is a %s, the recording a %s; the file's kind stays", i+1, s.Kind, r.Kind)
	}
}

func mergeHead(old, recorded *Trail, classifier string, note func(string, ...any)) *Step {
	if recorded.Trailhead == nil {
		return old.Trailhead
	}
	calls := callsFor(recorded.Trailhead, recorded, classifier)
	switch {
	case len(calls) > 1:
		note("the trailhead made %d calls and can hold one; it is left as it was", len(calls))
		return old.Trailhead
	case len(calls) == 0:
		return old.Trailhead
	}
	head := Step{Kind: TrailheadStep, Recordable: true, Text: strings.TrimSpace(recorded.Trailhead.Text)}
	if head.Text == "" {
		head.Text = callNames(calls)
	}
	if old.Trailhead != nil {
		head = *old.Trailhead
	}
	head.Recordings = mergeClass(head.Recordings, classifier, calls, func() {})
	return &head
}

// mergeClass sets a class's calls. None recorded leaves an explicit no-op as it is and removes anything else: a
// recorder never says "nothing to do here" on its own.
func mergeClass(m map[string][]Recorded, classifier string, calls []Recorded, removed func()) map[string][]Recorded {
	was, had := m[classifier]
	switch {
	case len(calls) > 0 && had && sameCalls(was, calls):
		return m
	case len(calls) > 0:
		return with(m, classifier, calls)
	case had && len(was) > 0:
		removed()
		m = maps.Clone(m)
		delete(m, classifier)
	}
	return m
}

// callsFor finds the recorded calls of a class; a recording of one device may have them under its one-device key. They
// lose their places, which are not ones of the file.
func callsFor(s *Step, t *Trail, classifier string) []Recorded {
	calls, ok := s.Recordings[classifier]
	if !ok && t.Format == V1 {
		calls = s.Recordings[V1Classifier]
	}
	calls = slices.Clone(calls)
	for i := range calls {
		calls[i].Pos = Pos{}
	}
	return calls
}

func with[V any](m map[string]V, key string, v V) map[string]V {
	out := maps.Clone(m)
	if out == nil {
		out = map[string]V{}
	}
	out[key] = v
	return out
}

func sameCalls(a, b []Recorded) bool { return slices.EqualFunc(a, b, sameCall) }

// sameCall compares calls by their effect: spelling and the model's reasons do not count.
func sameCall(a, b Recorded) bool {
	return a.Name == b.Name && a.Hash == b.Hash &&
		(string(a.Args) == string(b.Args) || reflect.DeepEqual(meaning(a.Args), meaning(b.Args)))
}

func meaning(raw json.RawMessage) any {
	if len(raw) == 0 {
		return map[string]any{}
	}
	v, err := decodeJSON(raw)
	if err != nil {
		return string(raw)
	}
	if v == nil { // null: a call without arguments
		return map[string]any{}
	}
	if m, ok := v.(map[string]any); ok {
		delete(m, "reason")
		delete(m, "reasoning")
	}
	return v
}

// sameMeaning is whether two trails say the same, wherever their parts stand.
func sameMeaning(a, b *Trail) bool {
	return reflect.DeepEqual(bare(&a.Config), bare(&b.Config)) &&
		(a.Trailhead == nil) == (b.Trailhead == nil) && (a.Trailhead == nil || sameStep(a.Trailhead, b.Trailhead)) &&
		slices.EqualFunc(a.Steps, b.Steps, func(x, y Step) bool { return sameStep(&x, &y) })
}

// bare is a config without places and without the difference between no map and an empty one.
func bare(c *Config) Config {
	out := *c
	out.Args = slices.Clone(c.Args)
	for i := range out.Args {
		out.Args[i].Pos = Pos{}
	}
	out.Actors = slices.Clone(c.Actors)
	for i := range out.Actors {
		out.Actors[i].Pos = Pos{}
	}
	for _, m := range []*map[string]string{&out.Devices, &out.Requires, &out.Skip, &out.Memory, &out.Metadata} {
		if len(*m) == 0 {
			*m = nil
		}
	}
	if len(out.Tags) == 0 {
		out.Tags = nil
	}
	if len(out.Args) == 0 {
		out.Args = nil
	}
	if len(out.Actors) == 0 {
		out.Actors = nil
	}
	return out
}

func sameStep(a, b *Step) bool {
	return a.Kind == b.Kind && a.Text == b.Text && a.Recordable == b.Recordable &&
		a.On == b.On && a.Together == b.Together &&
		reflect.DeepEqual(a.MaxRetries, b.MaxRetries) &&
		maps.EqualFunc(a.Recordings, b.Recordings, sameCalls)
}
