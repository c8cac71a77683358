package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/memory/mask"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Plan describes the trail to make of a transcript. Zero fields are filled from the session.
type Plan struct {
	Title      string
	ID         string
	Classifier string         // of the recordings, such as "web"; the platform when empty
	Memory     *memory.Store  // of the session when it still runs: what its tokens stand for, secrets apart, is declared
	Tools      *tool.Registry // what a later run can call; nil: whatever was called

	// Only selects the steps of a trail that are recorded again; nil: all.
	Only func(step int) bool
	// Blazed selects those of them that a model has carried out: their recordings are tidied, and values that Lift knows
	// become tokens in them.
	Blazed func(step int) bool
	Lift   map[string]string // tokens by value: {"Cedar Mug": "{{args.product}}"}
}

// Composed is a trail made of a transcript.
type Composed struct {
	Trail      *trail.Trail
	Classifier string
	Steps      int
	Actions    int
	Left       Left
	Warnings   []string // what a person should look at before relying on it

	began      []time.Time // of the steps, when they were done
	remembered []remembered
}

// Left counts the calls that are not in a trail.
type Left struct {
	Failed   int // calls that failed
	Looks    int // that changed nothing and judged nothing
	Repeated int // checks that were made twice, texts that were typed over
}

// String lists them in words; nothing left out is "".
func (l Left) String() string {
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{l.Failed, "1 call that failed", "%d calls that failed"},
		{l.Looks, "1 look at the screen", "%d looks at the screen"}, {l.Repeated, "1 repetition", "%d repetitions"}} {
		switch {
		case p.n == 1:
			parts = append(parts, p.one)
		case p.n > 1:
			parts = append(parts, fmt.Sprintf(p.many, p.n))
		}
	}
	return strings.Join(parts, ", ")
}

// Compose makes a trail of the transcript: a step for each purpose, with the calls that a later run can repeat.
func (t *Transcript) Compose(p Plan) (*Composed, error) {
	c := t.composer(p)
	c.steps()
	if c.actions == 0 {
		return nil, fault.New(fault.NotFound, "make trail", "nothing that a trail could repeat was done in this session").
			WithHint("Act or check something first: looking at the screen is not recorded, and failed calls are not.")
	}
	out := &Composed{Trail: &trail.Trail{Format: trail.Unified, Config: c.config, Steps: c.out},
		Classifier: c.plan.Classifier, Steps: len(c.out), Actions: c.actions}
	c.header(&out.Trail.Config)
	c.suspicions()
	out.Left, out.Warnings, out.began, out.remembered = c.left, c.warnings, c.began, c.values()
	out.Left.Failed = t.Failed
	return out, nil
}

func (t *Transcript) composer(p Plan) *composer {
	p.Classifier = cmp.Or(p.Classifier, strings.ToLower(t.Session.Platform), string(driver.WebPlatform))
	p.Title = cmp.Or(p.Title, t.Session.Title)
	return &composer{Transcript: t, plan: p}
}

// composer makes one trail.
type composer struct {
	*Transcript
	plan     Plan
	config   trail.Config
	out      []trail.Step
	began    []time.Time // of out
	actions  int
	kept     []Action
	left     Left
	warnings []string
}

func (c *composer) warn(text string) {
	if !slices.Contains(c.warnings, text) {
		c.warnings = append(c.warnings, text)
	}
}

// steps makes a step of every group in which something is left to repeat.
func (c *composer) steps() {
	groups := slices.Clone(c.Groups)
	for i := range groups {
		var left Left
		groups[i].Actions, left = c.tidy(c.conditions(groups[i]))
		c.left.Looks += left.Looks
		c.left.Repeated += left.Repeated
	}
	c.useFocus(groups)
	c.replaceByTokens(groups)
	for _, g := range groups {
		actions := g.Actions
		if len(actions) == 0 {
			continue
		}
		if len(c.out) == 0 {
			c.opening(actions[0])
		}
		s := trail.Step{Kind: kindOf(g.Kind, actions), Text: legible(g.Intent), Recordable: true}
		if s.Text == "" {
			s.Text = c.sentence(actions[0])
		}
		g.sign(&c.config, s.Text)
		c.add(s, actions)
	}
}

// replaceByTokens puts the token of a value that a call put into memory in its place in later calls: another run gets
// another value, such as a one-time code.
func (c *composer) replaceByTokens(groups []Group) {
	tokens := map[string]string{}
	for _, g := range groups {
		for i := range g.Actions {
			a := &g.Actions[i]
			if c.plan.Blazed == nil || c.blazed(g.Actions) { // what an author wrote stays
				a.Call.Args = lift(a.Call.Args, tokens)
			}
			for name, v := range a.Kept {
				if text := fmt.Sprint(v); utf8.RuneCountInString(text) >= leastLifted && !strings.Contains(text, mask.Masked) {
					tokens[text] = "{{" + name + "}}"
				}
			}
		}
	}
}

// useFocus expects an effect again of a press that gave nothing but the focus, where the keyboard input after it used
// that.
func (c *composer) useFocus(groups []Group) {
	var press *Action
	for _, g := range groups {
		for i := range g.Actions {
			a := &g.Actions[i]
			if a.Kind == tool.Query {
				continue
			}
			if t, ok := c.plan.Tools.Get(a.Call.Name); press != nil && ok && a.Effect.Used && t.Spec().ToFocus(a.Call.Args) {
				press.expect = without(press.expect, evidence.EffectArg)
			}
			if press = nil; a.Effect.Focused {
				press = a
			}
		}
	}
}

// spec returns the spec of an action's tool, nil when it is unknown here.
func (c *composer) spec(a Action) *tool.Spec {
	if t, ok := c.plan.Tools.Get(a.Call.Name); ok {
		return t.Spec()
	}
	return &tool.Spec{}
}

func (c *composer) sentence(a Action) string { return sentence(c.spec(a), a) }

// legible is a text without characters that no file of text should hold.
func legible(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, s))
}

func (c *composer) add(s trail.Step, actions []Action) {
	var calls []trail.Recorded
	for i := range actions {
		c.expect(&actions[i])
		calls = append(calls, trail.Recorded{Call: actions[i].Call, Hash: actions[i].Hash})
	}
	s.Recordings = map[string][]trail.Recorded{c.plan.Classifier: calls}
	c.out, c.began = append(c.out, s), append(c.began, actions[0].At)
	c.kept = append(c.kept, actions...)
	c.actions += len(actions)
}

// expect declares what a replay is to expect of an action.
func (c *composer) expect(a *Action) {
	var spec *tool.Spec
	if c.plan.Tools != nil {
		t, ok := c.plan.Tools.Get(a.Call.Name)
		if !ok {
			c.warn(fmt.Sprintf("There is no tool %s here any more: a run of the trail will refuse it.", a.Call.Name))
			return
		}
		spec = t.Spec()
	}
	for _, x := range a.expect {
		if x.Key == evidence.EffectArg {
			also := ","
			if len(a.Effect.Errors) > 0 {
				also = fmt.Sprintf(" while the page reported an error (%s),", strings.Join(a.Effect.Errors, "; "))
			}
			c.warn(fmt.Sprintf("%s: it changed nothing that could be seen%s and is saved as `effect: none`. Was it meant to "+
				"do something?", c.sentence(*a), also))
		}
	}
	var left []evidence.Declaration
	a.Call.Args, left = declare(a.Call.Args, a.expect, spec)
	for _, x := range left {
		c.warn(fmt.Sprintf("%s: %s does not know the argument %s, which would say that this outcome (%v) is meant.",
			c.sentence(*a), a.Call.Name, x.Key, x.Value))
	}
}

// kindOf returns the kind of a step: one that only checks is a verification, and so is one that was called that and
// checks.
func kindOf(said trail.StepKind, actions []Action) trail.StepKind {
	checks := 0
	for _, a := range actions {
		if a.Kind == tool.Assertion {
			checks++
		}
	}
	if checks == len(actions) || checks > 0 && said == trail.VerifyStep {
		return trail.VerifyStep
	}
	return trail.ActionStep
}
