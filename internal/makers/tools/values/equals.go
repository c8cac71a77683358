package values

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type pairIn struct {
	Actual   json.RawMessage `json:"actual" jsonschema:"what is; usually a token such as {{total}}"`
	Expected json.RawMessage `json:"expected" jsonschema:"what it is compared with"`
	action.Note
}

func assertEquals() tool.Tool {
	return tool.Define(spec("assertEquals", "Assert equals", tool.Assertion).With(tool.Facts{
		Device:   tool.NoDevice,
		Sentence: func(p tool.Phrase) string { return p.Quoted("actual") + " equals " + p.Quoted("expected") },
	}), func(_ context.Context, _ tool.Env, in pairIn) (*tool.Result, error) {
		a, b := plain(in.Actual), plain(in.Expected)
		if a != b {
			return nil, fault.New(fault.Assertion, "compare", "%q is not %q", a, b)
		}
		return judged("%q is as expected.", a), nil
	})
}

func assertNotEquals() tool.Tool {
	return tool.Define(spec("assertNotEquals", "Assert not equals", tool.Assertion).
		With(tool.Facts{Device: tool.NoDevice}), func(_ context.Context, _ tool.Env, in pairIn) (*tool.Result, error) {
		a, b := plain(in.Actual), plain(in.Expected)
		if a == b {
			return nil, fault.New(fault.Assertion, "compare", "both are %q", a)
		}
		return judged("%q is not %q, as expected.", a, b), nil
	})
}

// plain is a value as text: a string without quotes and without white space around it, anything else its JSON.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return strings.TrimSpace(s)
	}
	return strings.TrimSpace(string(raw))
}

func judged(format string, args ...any) *tool.Result {
	text := fmt.Sprintf(format, args...)
	r := tool.TextResult("%s", text)
	r.Evidence = &tool.Evidence{Checked: text}
	return r
}

type mathIn struct {
	Expression string `json:"expression" minLength:"1" jsonschema:"arithmetic, such as {{price}} * 3 + 2"`
	Expected   string `json:"expected" minLength:"1" jsonschema:"what it must come to, within 0.0001"`
	action.Note
}

// tolerance is upstream's: decimal fractions do not come out even.
const tolerance = 0.0001

func assertMath() tool.Tool {
	facts := tool.Facts{Device: tool.NoDevice, Purpose: tool.Calculate, Occasion: tool.AtValue}
	return tool.Define(spec("assertMath", "Assert math", tool.Assertion).With(facts),
		func(ctx context.Context, env tool.Env, in mathIn) (*tool.Result, error) {
			expression, err := asked(ctx, env, in.Expression)
			if err != nil {
				return nil, err
			}
			got, err := Calculate(expression)
			if err != nil {
				return nil, err
			}
			want, err := Calculate(in.Expected)
			if err != nil {
				return nil, err
			}
			if diff := got - want; diff > tolerance || diff < -tolerance || diff != diff {
				return nil, fault.New(fault.Assertion, "calculate", "%s is %v, not %v", in.Expression, got, want)
			}
			return judged("%s is %v, as expected.", in.Expression, got), nil
		})
}

var question = regex.Lazy(`\[\[(.+?)\]\]`)

// asked is the expression with each [[question]] in it replaced by the number that a model answers.
func asked(ctx context.Context, env tool.Env, expression string) (string, error) {
	const variable = "assertMath.answer"
	var failed error
	out := question().ReplaceAllStringFunc(expression, func(q string) string {
		if failed != nil {
			return q
		}
		args, err := json.Marshal(map[string]string{"prompt": q[2 : len(q)-2], "variable": variable})
		if err != nil {
			failed = fault.Wrap(err, fault.Internal, "calculate")
			return q
		}
		res, err := env.Call(ctx, tool.Call{Name: "rememberNumber", Args: args})
		if err == nil {
			err = res.Err()
		}
		if err != nil {
			failed = fault.Wrap(err, "", "ask for a number")
			return q
		}
		number, _ := env.Memory().Get(variable)
		env.Memory().Delete(variable)
		return fmt.Sprintf("(%v)", number)
	})
	return out, failed
}
