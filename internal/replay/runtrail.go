package replay

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/evidence"
	"github.com/trailblaze-dev/trailblaze/internal/phrase"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// RunTrailTool is the name of the tool that plays another trail in place.
const RunTrailTool = "runTrail"

//go:embed runtrail.md
var runTrailText string

// RunTrailInput are the arguments of runTrail.
type RunTrailInput struct {
	Path string `json:"path" jsonschema:"path of the trail file, relative to the workspace"`
}

// NewRunTrail makes the runTrail tool. load reads a trail by path, confined to the trails folder; registry is
// asked when the tool runs, since the tool is itself one of its entries.
func NewRunTrail(load func(path string) (*trail.Trail, error), registry func() *tool.Registry) tool.Tool {
	spec := tool.Spec{
		Name: RunTrailTool, Title: "Run a trail", Description: runTrailText, Kind: tool.Action,
		Groups: []string{"core_interaction", "web_core"}, ExposedToLLM: true, Recordable: true,
		Timeout: defaultTrailTimeout,
		Facts: tool.Facts{
			Categories: []string{"CORE_INTERACTION", "TRAIL"}, Purpose: tool.PlayTrail, Effects: &tool.Effects{CallsTools: true},
			Sentence: func(p tool.Phrase) string { return "Play the trail " + p.Plain("path") },
		},
	}
	return &runTrailTool{load: load,
		Tool: tool.Define(spec, func(ctx context.Context, env tool.Env, in RunTrailInput) (*tool.Result, error) {
			return runTrail(ctx, env, in.Path, load, registry())
		})}
}

// runTrailTool can be asked for the trails that it would play, so that they can be looked into before anything is
// played.
type runTrailTool struct {
	tool.Tool
	load func(path string) (*trail.Trail, error)
}

// Check reports what is wrong with the definition.
func (r *runTrailTool) Check() error {
	if c, ok := r.Tool.(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

func runTrail(ctx context.Context, env tool.Env, path string, load func(string) (*trail.Trail, error),
	reg *tool.Registry) (*tool.Result, error) {
	t, err := load(path)
	if err != nil {
		return tool.Fail(err), nil
	}
	classifiers := classifiersOf(env.Device())
	if err := Preflight(t, classifiers, reg, nil); err != nil {
		return tool.Fail(err), nil
	}
	ctx = tool.WithRecorded(tool.InFolder(ctx, t.Dir))
	made, asserted := 0, false
	judge, steps := evidence.New(env.Device(), reg), t.Resolve(classifiers)
	left := calls(steps)
	for _, step := range steps {
		checked := false
		for _, c := range step.Calls {
			made, left = made+1, left[1:]
			res, _, err := followTab(ctx, env.Device(), judge, func() (*tool.Result, error) {
				res, err := env.Call(ctx, c.Call)
				if err != nil {
					return nil, err
				}
				if err = judge.Failure(res.Err()); err == nil {
					err = judge.Call(ctx, c, res, left)
				}
				return res, err
			})
			if res == nil {
				return nil, fmt.Errorf("%s line %d: %w", path, c.Pos.Line, err)
			}
			if err != nil {
				c = judge.Blamed(c, err)
				failed := tool.Fail(fault.Wrap(err, "", fmt.Sprintf("%s line %d: %s", path, c.Pos.Line, c.Name)))
				failed.Evidence = res.Evidence
				if made > 1 && (res.Evidence == nil || res.Evidence.None == "") { // some of it is done and must not be done again
					ev := tool.Evidence{}
					if res.Evidence != nil {
						ev = *res.Evidence
					}
					ev.None = "played"
					failed.Evidence = &ev
				}
				return failed, nil
			}
			checked = checked || judge.Checks(c.Call, res)
		}
		if step.Kind == trail.VerifyStep && !checked {
			return tool.Fail(fault.Wrap(judge.NothingChecked(), "", fmt.Sprintf("%s line %d", path, step.Pos.Line))), nil
		}
		asserted = asserted || checked
	}
	if made == 0 {
		return tool.Fail(fault.New(fault.Assertion, "run trail "+path, "it has no call to carry out on this device")), nil
	}
	res := tool.TextResult("%s: all %s passed", titleOf(t), phrase.Count(made, "call"))
	res.Evidence = &tool.Evidence{None: "played"}
	if asserted {
		res.Evidence.Checked = fmt.Sprintf("%s of %s passed, each with its own evidence", phrase.Count(made, "call"), path)
	}
	return res, nil
}
