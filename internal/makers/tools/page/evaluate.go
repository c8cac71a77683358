package page

import (
	"context"
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type evaluateIn struct {
	Script string `json:"script" minLength:"1" jsonschema:"expression, or a function; with an element the function gets it"`
	locator.Target
	action.Note
}

type evaluateOut struct {
	Result json.RawMessage `json:"result" jsonschema:"what the script returned, as JSON"`
}

// Text implements tool.Texter. A string is written without its quotes, as upstream does.
func (o evaluateOut) Text() string {
	var s string
	if len(o.Result) > 0 && o.Result[0] == '"' && json.Unmarshal(o.Result, &s) == nil {
		return s
	}
	return string(o.Result)
}

// webEvaluate runs a script. It is no query: a script may do anything.
func webEvaluate() tool.Tool {
	s := web("web_evaluate", "Evaluate", tool.Action).With(tool.Facts{
		Categories: []string{"SCRIPT"}, Effects: &tool.Effects{RunsCode: true},
	})
	s.Groups = []string{"web_framework"}
	s.ExposedToLLM, s.Recordable = false, false
	return evaluate(s)
}

// evaluateJs is the command of this name in the public tool list.
func evaluateJs() tool.Tool {
	s := web("evaluateJs", "Evaluate", tool.Action).With(tool.Facts{
		Categories: []string{"SCRIPT"}, Replaces: "web_evaluate", Effects: &tool.Effects{RunsCode: true},
	})
	s.Groups = nil
	s.ExposedToLLM, s.Recordable = false, false
	return evaluate(s)
}

func evaluate(s tool.Spec) tool.Tool {
	s.Output = action.Output[evaluateOut]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in evaluateIn) (*tool.Result, error) {
		eval, err := action.Capability[driver.Evaluator](env, "evaluate script")
		if err != nil {
			return nil, err
		}
		var node screen.NodeID
		ev := &tool.Evidence{None: "a script may change nothing"}
		if !in.Empty() {
			q := locator.Query{Target: in.Target}
			found, err := locator.Resolve(ctx, env.Device(), q)
			ev = action.Evidence(found, q)
			if err != nil {
				return &tool.Result{Evidence: ev}, err
			}
			node, ev.None = found.Node.ID, "a script may change nothing"
		}
		raw, err := eval.Evaluate(ctx, in.Script, node)
		if err != nil {
			return &tool.Result{Evidence: ev}, fault.Wrap(err, "", "evaluate script")
		}
		if len(raw) == 0 {
			raw = json.RawMessage("null")
		}
		out := evaluateOut{Result: raw}
		r, err := tool.ValueResult(out, "")
		if err != nil {
			return nil, err
		}
		r.Content[0].Text, r.Evidence = out.Text(), ev // an empty string is told as one
		return r, nil
	})
}
