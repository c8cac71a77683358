package agent

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/screen/text"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The tools that ask a model one question about the screen. They are recorded, and a replay asks again: it needs a
// model for those steps alone.

type judgeIn struct {
	Prompt string `json:"prompt" jsonschema:"the statement in plain language" minLength:"1"`
	Model  string `json:"llm,omitempty" jsonschema:"model to ask: provider/model; default: that of the settings"`
}

type keepIn struct {
	Prompt   string `json:"prompt" jsonschema:"what to remember, in plain language" minLength:"1"`
	Variable string `json:"variable" jsonschema:"name to remember it under" minLength:"1"`
	Model    string `json:"llm,omitempty" jsonschema:"model to ask: provider/model; default: that of the settings"`
}

// aiSpec returns the common part of the specs of these tools.
func aiSpec(name, title string, remembers string) tool.Spec {
	s := set.Of(tool.Assertion).Any(name, title, "memory").With(tool.Facts{
		Categories: []string{"MEMORY"}, Unlisted: []string{"llm"}, Effects: &tool.Effects{Remembers: remembers},
		Sentence: func(p tool.Phrase) string {
			if remembers != "" {
				return "Remember " + p.Plain("prompt") + " as " + p.Plain(remembers)
			}
			return p.Plain("prompt")
		},
	})
	s.NeedsModel, s.Timeout = true, stepTime
	return s
}

// assertWithAi lets a model judge a statement.
func assertWithAi(from Source) tool.Tool {
	return tool.Define(aiSpec("assertWithAi", "Assert with AI", ""),
		func(ctx context.Context, env tool.Env, in judgeIn) (*tool.Result, error) {
			out, err := askAlone(ctx, from, env, in.Model,
				"Does this hold on the screen? Answer yes or no, and then why in a few words: "+in.Prompt)
			if err != nil {
				return nil, err
			}
			said := strings.ToLower(strings.TrimLeft(out.Answer, " \"'*"))
			word := strings.FieldsFunc(said, func(r rune) bool { return r < 'a' || r > 'z' })
			switch {
			case len(word) > 0 && word[0] == "yes":
				return judgedBy(out, fmt.Sprintf("%q: %s says %s", in.Prompt, out.Model, out.Answer)), nil
			case len(word) > 0 && word[0] == "no":
				return nil, fault.New(fault.Assertion, "assert with AI", "%q does not hold, says %s: %s", in.Prompt, out.Model,
					out.Answer)
			}
			return nil, fault.New(fault.Degraded, "assert with AI", "%s answered neither yes nor no: %s", out.Model, out.Answer)
		})
}

// remembering makes the tools that keep an answer. read says what is kept of it.
func remembering(from Source, name, title, ask string,
	read func(ctx context.Context, env tool.Env, answer string) (any, error),
) tool.Tool {
	return tool.Define(aiSpec(name, title, "variable"),
		func(ctx context.Context, env tool.Env, in keepIn) (*tool.Result, error) {
			out, err := askAlone(ctx, from, env, in.Model, ask+in.Prompt)
			if err != nil {
				return nil, err
			}
			value, err := read(ctx, env, strings.TrimSpace(out.Answer))
			if err != nil {
				return nil, err
			}
			env.Memory().Set(in.Variable, value)
			return judgedBy(out, fmt.Sprintf("%s is %v", in.Variable, value)), nil
		})
}

func judgedBy(out *Outcome, checked string) *tool.Result {
	r := tool.TextResult("%s", checked)
	r.Evidence = &tool.Evidence{Checked: checked}
	return r
}

// confirmAnswer returns an answer that stands on the screen, and refuses one that the model has made up.
func confirmAnswer(ctx context.Context, env tool.Env, answer string) (any, error) {
	snap, err := env.Device().Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	text := text.Of(snap, text.Options{MaxTokens: 4 * screenTokens, Detail: []string{text.DetailOffscreen}})
	if answer != "" && (len(snap.FindText(answer)) > 0 || strings.Contains(text, answer)) {
		return answer, nil
	}
	return nil, fault.New(fault.Assertion, "remember text", "the model answers %q, which the screen does not show",
		clip(answer, 200)).WithHint("Use rememberWithAi for what is not a text of the screen.")
}

var numeral = regex.Lazy(`[-−]?\d[\d,  ]*(?:\.\d+)?`)

// number is the only number of an answer.
func number(_ context.Context, _ tool.Env, answer string) (any, error) {
	found := numeral().FindAllString(answer, 2)
	if len(found) == 1 {
		plain := strings.NewReplacer(",", "", " ", "", "\u00a0", "", "−", "-").Replace(found[0])
		if v, err := strconv.ParseFloat(plain, 64); err == nil {
			return strconv.FormatFloat(v, 'f', -1, 64), nil
		}
	}
	return nil, fault.New(fault.Degraded, "remember number", "the model answers %q, which is not one number",
		clip(answer, 200))
}

// asIs is any answer.
func asIs(_ context.Context, _ tool.Env, answer string) (any, error) { return answer, nil }

// askAlone asks one question about the screen, with no tools but to answer.
func askAlone(ctx context.Context, from Source, env tool.Env, asked, text string) (*Outcome, error) {
	h, ok := env.(host)
	switch {
	case from == nil || !ok:
		return nil, fault.New(fault.Unsupported, op, "there is no model here").WithHint("Call it through the daemon.")
	case env.Device() == nil:
		return nil, fault.New(fault.Unsupported, op, "there is no device").WithHint("Connect one first.")
	}
	use, err := from(ctx, asked)
	if err != nil {
		return nil, err
	}
	none, err := tool.NewRegistry()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, op)
	}
	a := Of(use, none)
	a.Device, a.Memory, a.Log = env.Device(), env.Memory(), h.Log()
	out, err := a.Run(ctx, Objective{Kind: Ask, Text: text})
	if err != nil {
		return nil, err
	}
	return out, out.Err()
}

// aiTools are the tools that ask one question.
func aiTools(from Source) []tool.Tool {
	return []tool.Tool{
		assertWithAi(from),
		remembering(from, "rememberText", "Remember a text with AI",
			"Find this on the screen, and answer with its text alone, as it is written there: ", confirmAnswer),
		remembering(from, "rememberNumber", "Remember a number with AI",
			"Find this number, and answer with the number alone, in digits with a point: ", number),
		remembering(from, "rememberWithAi", "Remember with AI", "Answer as short as can be: ", asIs),
	}
}

const findText = "This step of a recorded flow can no longer find its element: %q\n" +
	"The element was, when it was recorded:\n%s\n" +
	"Which element of the screen is it now? Answer with its ref alone, such as e12. It must do the very same thing. " +
	"If no element does, or you are not sure, the answer is none."

// findAsks bounds the questions of one search.
const findAsks = 6

// Find asks which element of the screen a recorded step means that was done on another, and returns the model's answer,
// a ref where it found one. The model may look, and not act.
func (a *Agent) Find(ctx context.Context, step string, was identity.Fingerprint) (ref, why string, err error) {
	if a.Limits.Asks <= 0 || a.Limits.Asks > findAsks {
		a.Limits.Asks = findAsks
	}
	lies := fmt.Sprintf("%s %q", was.Role, was.Name)
	for _, place := range was.Within {
		lies += "\nin " + place
	}
	out, err := a.Run(ctx, Objective{Kind: Ask, Text: fmt.Sprintf(findText, step, observe.MarkUntrusted(lies))})
	if err != nil {
		return "", "", fault.Wrap(err, "", "find element")
	}
	if out.Status == Failed { // an answer, too: there is no such element
		return "", out.Explanation, nil
	}
	return out.Answer, out.Explanation, nil
}
