package trail

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// State is which of the three states a step's recording is in for one device.
type State string

// The states. They are far apart in meaning: undeclared needs a model, a no-op succeeds at once, recorded is replayed.
const (
	StateUndeclared State = "undeclared"
	StateNoop       State = "noop"
	StateRecorded   State = "recorded"
)

// ResolvedStep is a step as one device sees it.
type ResolvedStep struct {
	*Step
	Index      int // 0 is the first step; -1 the trailhead
	State      State
	Classifier string // the key that answered; V1Classifier in a v1 file
	Calls      []Recorded
}

// Chain returns the keys to look up for a device with these classifier segments, closest first: the segments joined
// and then shortened from the right, then each segment alone, most specific first.
//
//	Chain([]string{"android", "phone"}) // android-phone, android, phone
func Chain(classifiers []string) []string {
	var segs []string
	for _, c := range classifiers {
		if c = strings.TrimSpace(c); c != "" {
			segs = append(segs, c)
		}
	}
	if len(segs) == 0 {
		return nil
	}
	var out []string
	add := func(from string) {
		for k := from; k != ""; {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
			i := strings.LastIndexByte(k, '-')
			if i < 0 {
				return
			}
			k = k[:i]
		}
	}
	add(strings.Join(segs, "-"))
	for _, s := range slices.Backward(segs) {
		add(s)
	}
	return out
}

// Resolve returns the trailhead (when there is one) and the steps as a device with these classifiers sees them;
// those of an actor as the actor's device does.
func (t *Trail) Resolve(classifiers []string) []ResolvedStep {
	chain := t.chain(classifiers)
	var out []ResolvedStep
	if t.Trailhead != nil {
		out = append(out, resolveStep(t.Trailhead, -1, chain))
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		if a := t.Config.Actor(s.On); a != nil {
			chain = a.chain()
		}
		out = append(out, resolveStep(s, i, chain))
	}
	return out
}

// chain adds the v1 key, under which the recordings of a one-device file stand, and nothing else in such a file.
func (t *Trail) chain(classifiers []string) []string {
	if t.Format == V1 {
		return []string{V1Classifier}
	}
	return Chain(classifiers)
}

func resolveStep(s *Step, index int, chain []string) ResolvedStep {
	r := ResolvedStep{Step: s, Index: index, State: StateUndeclared}
	for _, k := range chain {
		calls, ok := s.Recordings[k]
		if !ok {
			continue
		}
		r.Classifier, r.Calls, r.State = k, calls, StateRecorded
		if len(calls) == 0 {
			r.State = StateNoop
		}
		break
	}
	return r
}

// SkipReason returns the reason why the trail is not to be run on a device with these classifiers; "" means run it.
// With no classifiers the first non-blank reason in key order counts, so that "which trails are skipped" has an
// answer.
func (t *Trail) SkipReason(classifiers []string) string {
	if r := strings.TrimSpace(t.Config.Skip[V1Classifier]); r != "" {
		return r
	}
	chain := Chain(classifiers)
	if len(chain) == 0 {
		chain = sortedKeys(t.Config.Skip)
		for _, k := range chain {
			if r := strings.TrimSpace(t.Config.Skip[k]); r != "" {
				return r
			}
		}
		return ""
	}
	for _, k := range chain {
		if r, ok := t.Config.Skip[k]; ok {
			return strings.TrimSpace(r)
		}
	}
	return ""
}

// DriverFor returns the driver the trail asks for on a device with these classifiers, or "".
func (t *Trail) DriverFor(classifiers []string) string {
	for _, k := range append(Chain(classifiers), V1Classifier) {
		if d, ok := t.Config.Devices[k]; ok {
			return d
		}
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// conditional finds a clause with a condition, such as "if there is a banner, accept it". What follows a word of asking
// is none: "check if the total is 5".
var conditional = regex.Lazy(
	`(?i)(?:^|[\s.,;:(])(?:([\p{L}]+)\s+)?(?:if|unless|in case|falls|wenn|sofern|si|s['’]il)\s`)

// asking are words after which a clause with if is what to find out.
var asking = []string{"check", "checks", "see", "verify", "ask", "tell", "know", "as", "even"}

// Conditional reports whether what a step says to do depends on what the screen shows.
func (s *Step) Conditional() bool {
	return slices.ContainsFunc(conditional().FindAllStringSubmatch(s.Text, -1), func(m []string) bool {
		return !slices.Contains(asking, strings.ToLower(m[1]))
	})
}
