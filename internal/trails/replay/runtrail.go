package replay

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

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
		Name: "runTrail", Title: "Run a trail", Description: runTrailText, Kind: tool.Action,
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
	if err := alone(t); err != nil {
		return tool.Fail(err), nil
	}
	classifiers := classifiersOf(env.Device())
	if err := Preflight(t, classifiers, reg, nil); err != nil {
		return tool.Fail(err), nil
	}
	ctx = tool.WithRecorded(tool.InFolder(ctx, t.Dir))
	steps := t.Resolve(classifiers)
	p := &inner{env: env, judge: evidence.New(env.Device(), reg), path: path, left: calls(steps)}
	asserted := false
	for _, step := range steps {
		checked, failed, err := p.step(ctx, step)
		if failed != nil || err != nil {
			return failed, err
		}
		asserted = asserted || checked
	}
	if p.made == 0 {
		return tool.Fail(fault.New(fault.Assertion, "run trail "+path, "it has no call to carry out on this device")), nil
	}
	made := phrase.Count(p.made, "call")
	res := tool.TextResult("%s: all %s passed", titleOf(t), made)
	res.Evidence = &tool.Evidence{None: "played"}
	if asserted {
		res.Evidence.Checked = fmt.Sprintf("%s of %s passed, each with its own evidence", made, path)
	}
	return res, nil
}

// inner is a trail that is played inside another, as a call of it.
type inner struct {
	env   tool.Env
	judge *evidence.Judge
	path  string
	made  int              // calls
	left  []trail.Recorded // calls that are still to be made
}

// step makes the calls of a step and reports whether one of them checked something. It returns the result of a trail
// that failed here, nil when it continues.
func (p *inner) step(ctx context.Context, step trail.ResolvedStep) (checked bool, failed *tool.Result, err error) {
	for _, c := range step.Calls {
		p.made, p.left = p.made+1, p.left[1:]
		res, err := p.call(ctx, c)
		if res == nil {
			return false, nil, fmt.Errorf("%s line %d: %w", p.path, c.Pos.Line, err)
		}
		if err != nil {
			return false, p.failed(c, res, err), nil
		}
		checked = checked || p.judge.Checks(c.Call, res)
	}
	if step.Kind == trail.VerifyStep && !checked {
		return false, tool.Fail(fault.Wrap(p.judge.NothingChecked(), "",
			fmt.Sprintf("%s line %d", p.path, step.Pos.Line))), nil
	}
	return checked, nil, nil
}

// call makes a call and judges it; without a result it could not be made.
func (p *inner) call(ctx context.Context, c trail.Recorded) (*tool.Result, error) {
	res, _, err := followTab(ctx, p.env.Device(), p.judge, func() (*tool.Result, error) {
		res, err := p.env.Call(ctx, c.Call)
		if err != nil {
			return nil, err
		}
		if err = p.judge.Failure(res.Err()); err == nil {
			err = p.judge.Call(ctx, c, res, p.left)
		}
		return res, err
	})
	return res, err
}

// failed is the result of a trail of which this call failed.
func (p *inner) failed(c trail.Recorded, res *tool.Result, err error) *tool.Result {
	c = p.judge.Blamed(c, err)
	failed := tool.Fail(fault.Wrap(err, "", fmt.Sprintf("%s line %d: %s", p.path, c.Pos.Line, c.Name)))
	failed.Evidence = res.Evidence
	if p.made > 1 && (res.Evidence == nil || res.Evidence.None == "") { // some of it is done and must not be done again
		ev := tool.Evidence{}
		if res.Evidence != nil {
			ev = *res.Evidence
		}
		ev.None = "played"
		failed.Evidence = &ev
	}
	return failed
}
