package sequence

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const (
	maxTimes = 1000
	enough   = 100 // rounds of a loop that nobody gave a number of times
	longest  = 10 * time.Minute
)

type repeatIn struct {
	Times any              `json:"times,omitempty" jsonschema:"how many rounds at most, 1 to 1000"`
	While *condition       `json:"while,omitempty" jsonschema:"go on as long as this holds; asked before each round"`
	Until *condition       `json:"until,omitempty" jsonschema:"stop as soon as this holds; asked after each round"`
	Tools []map[string]any `json:"tools" minItems:"1" maxItems:"100" jsonschema:"the calls of a round, as trails write them: {web_click: {ref: …}}"`
}

// heldCalls are the calls that the arguments hold, the condition first.
func (in repeatIn) heldCalls() ([]tool.Held, error) {
	list, err := calls(in.Tools, "tools")
	for key, c := range map[string]*condition{"while": in.While, "until": in.Until} {
		if c == nil || err != nil {
			continue
		}
		var h tool.Held
		if h, _, err = c.call(); h.At != "" {
			h.At = key + "." + h.At
		}
		list = append([]tool.Held{h}, list...)
	}
	return list, err
}

// Mistake implements tool.Meaningful.
func (in repeatIn) Mistake() error {
	if in.While != nil && in.Until != nil {
		return fault.New(fault.Invalid, "", "repeat takes while or until, not both")
	}
	if in.While == nil && in.Until == nil && in.Times == nil {
		return fault.New(fault.Invalid, "", "repeat does not say how often").WithHint("Give times, while or until.")
	}
	if text, ok := in.Times.(string); !ok || !strings.Contains(text, "{{") && !strings.Contains(text, "${") {
		if _, err := in.rounds(nil); err != nil {
			return err
		}
	}
	_, err := in.heldCalls()
	return err
}

// rounds returns the largest number of rounds.
func (in repeatIn) rounds(env tool.Env) (int, error) {
	if in.Times == nil {
		return enough, nil
	}
	said := fmt.Sprint(in.Times)
	if env != nil {
		text, _, err := env.Memory().ExpandString(said)
		if err != nil {
			return 0, err
		}
		said = text
	}
	n, err := strconv.Atoi(said)
	if err != nil || n < 1 || n > maxTimes {
		return 0, fault.New(fault.Invalid, "", "parameter times: %q is not a number of rounds, 1 to %d", said, maxTimes)
	}
	return n, nil
}

func repeat() tool.Tool {
	return tool.Define(deciding("repeat", "Repeat", repeatIn.heldCalls), func(
		ctx context.Context, env tool.Env, in repeatIn,
	) (*tool.Result, error) {
		list, err := calls(in.Tools, "tools")
		if err != nil {
			return nil, err
		}
		rounds, err := in.rounds(env)
		if err != nil {
			return nil, err
		}
		l := loop{repeatIn: in, list: list, durable: map[string]*screen.Selector{}}
		for done := false; !done; {
			var failed *tool.Result
			if done, failed, err = l.round(ctx, env, rounds); err != nil {
				return failed, err
			}
		}
		what := "made " + phrase.Count(l.made, "round")
		if l.lastFinding != "" {
			what += "; then " + l.lastFinding
		}
		for i := range in.Tools {
			in.Tools[i] = recordedCall(in.Tools[i], list[i], l.durable)
		}
		return recordedAs(decided(what), "repeat", in, l.durable)
	})
}

// loop is a repeat under way.
type loop struct {
	repeatIn
	list        []tool.Held
	durable     map[string]*screen.Selector
	made        int    // rounds
	lastFinding string // what the condition found last
}

// round makes a round, unless the condition ends it, and reports whether it was the last.
func (l *loop) round(ctx context.Context, env tool.Env, most int) (done bool, failed *tool.Result, err error) {
	where := fmt.Sprintf("round %d", l.made+1)
	asks := func(c *condition) (yes bool) {
		if c != nil && err == nil {
			yes, l.lastFinding, err = c.decide(ctx, env)
			err = fault.Wrap(err, "", where)
		}
		return yes
	}
	if l.While != nil && !asks(l.While) {
		return true, nil, err
	}
	if failed, err = made(ctx, env, l.list, l.durable, where+", "); err != nil {
		return true, failed, err
	}
	l.made++
	if asks(l.Until) || err != nil {
		return true, nil, err
	}
	if l.made == most && (l.Until != nil || l.Times == nil) {
		err = fault.New(fault.Assertion, "", "it did not end within %s: %s", phrase.Count(most, "round"), l.lastFinding).
			WithHint("Give times if it may take more, or another condition.")
	}
	return l.made == most, nil, err
}

type whenIn struct {
	condition
	Tools []map[string]any `json:"tools,omitempty" maxItems:"100" jsonschema:"the calls, as trails write them: {web_click: {ref: …}}"`
	Else  []map[string]any `json:"else,omitempty" maxItems:"100" jsonschema:"the calls when it does not hold"`
	Was   *bool            `json:"was,omitempty" jsonschema:"whether it held when this was recorded, in place of calls; anything else now is inconclusive"`
}

func (in whenIn) heldCalls() ([]tool.Held, error) {
	h, _, err := in.call()
	if err != nil {
		return nil, err
	}
	list := []tool.Held{h}
	for _, branch := range []struct {
		at   string
		list []map[string]any
	}{{"tools", in.Tools}, {"else", in.Else}} {
		more, err := calls(branch.list, branch.at)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// Mistake implements tool.Meaningful.
func (in whenIn) Mistake() error {
	switch calls := len(in.Tools) + len(in.Else); {
	case in.Was == nil && len(in.Tools) == 0:
		return fault.New(fault.Invalid, "", "parameter tools is missing: the calls when the condition holds")
	case in.Was != nil && calls > 0:
		return fault.New(fault.Invalid, "", "when takes calls, or what its condition was, not both").
			WithHint("Take was out: the calls in tools and else say what is done in either case.")
	}
	_, err := in.heldCalls()
	return err
}

func when() tool.Tool {
	s := deciding("when", "When", whenIn.heldCalls).With(tool.Facts{Purpose: tool.AskAgain})
	return tool.Define(s, func(
		ctx context.Context, env tool.Env, in whenIn,
	) (*tool.Result, error) {
		if in.Was != nil {
			said, err := in.decideAs(ctx, env, *in.Was)
			return decided(said + ", as when it was recorded"), err
		}
		yes, said, err := in.decide(ctx, env)
		if err != nil {
			return nil, err
		}
		branch, at := in.Tools, "tools"
		if !yes {
			branch, at = in.Else, "else"
		}
		list, err := calls(branch, at)
		if err != nil {
			return nil, err
		}
		durable := map[string]*screen.Selector{}
		if failed, err := made(ctx, env, list, durable, ""); err != nil {
			return failed, err
		}
		for i := range branch {
			branch[i] = recordedCall(branch[i], list[i], durable)
		}
		return recordedAs(decided(said+", so made "+phrase.Count(len(list), "call")+" of "+at), "when", in, durable)
	})
}

// deciding is a tool that makes the calls in its arguments as something on the screen decides. A recording keeps it as
// it is, so that a replay decides anew.
func deciding[In any](name, title string, held func(In) ([]tool.Held, error)) tool.Spec {
	s := set.Legacy(name, title).With(tool.Facts{
		Effects: &tool.Effects{CallsTools: true}, Verbatim: true,
		Calls: func(args json.RawMessage) []tool.Held {
			var in In
			_ = json.Unmarshal(args, &in) // what is wrong with the arguments is said when they are checked
			list, _ := held(in)
			return list
		},
	})
	s.Timeout = longest
	return s
}

// made makes calls in order and stops at the first that fails. durable gets the selectors of those elements that are
// named by a snapshot's ref.
func made(
	ctx context.Context, env tool.Env, list []tool.Held, durable map[string]*screen.Selector, where string,
) (*tool.Result, error) {
	for _, c := range list {
		res, err := env.Call(ctx, worded(env, c.Call))
		if err != nil {
			return nil, fault.Wrap(err, "", where+c.Name)
		}
		if err := res.Err(); err != nil {
			return &tool.Result{Evidence: res.Evidence}, fault.Wrap(err, "", where+c.Name)
		}
		var named struct{ Ref string }
		if ev := res.Evidence; ev != nil && ev.Selector != nil && json.Unmarshal(c.Args, &named) == nil {
			if _, ref := screen.RefOf(named.Ref); ref {
				durable[c.At] = ev.Selector
			}
		}
	}
	return nil, nil
}

// recordedCall is a call as it is recorded: a snapshot's ref means nothing later.
func recordedCall(as map[string]any, c tool.Held, durable map[string]*screen.Selector) map[string]any {
	args, ok := as[c.Name].(map[string]any)
	if durable[c.At] == nil || !ok {
		return as
	}
	args = maps.Clone(args)
	delete(args, "ref")
	args["nodeSelector"] = durable[c.At]
	return map[string]any{c.Name: args}
}

func recordedAs(res *tool.Result, name string, in any, durable map[string]*screen.Selector) (*tool.Result, error) {
	if len(durable) == 0 {
		return res, nil
	}
	raw, err := json.Marshal(in)
	res.Record = &tool.Call{Name: name, Args: raw}
	return res, fault.Wrap(err, fault.Internal, "record "+name)
}

// decided returns a result with the decision. The calls that were made have their own evidence.
func decided(what string) *tool.Result {
	res := tool.TextResult("%s.", what)
	res.Evidence = &tool.Evidence{None: what}
	return res
}
