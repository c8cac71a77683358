package sequence

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type batchIn struct {
	Calls []batchCall `json:"calls" jsonschema:"the calls, in order" minItems:"1" maxItems:"50"`
}

type batchCall struct {
	Tool string         `json:"tool" jsonschema:"name of the tool" minLength:"1"`
	Args map[string]any `json:"args,omitempty" jsonschema:"its arguments"`
}

// calls are the calls of a batch.
func (in batchIn) calls() ([]tool.Call, error) {
	out := make([]tool.Call, len(in.Calls))
	for i, c := range in.Calls {
		out[i] = tool.Call{Name: c.Tool, Args: json.RawMessage("{}")}
		if c.Args == nil {
			continue
		}
		args, err := json.Marshal(c.Args)
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, fmt.Sprintf("read calls[%d]", i))
		}
		out[i].Args = args
	}
	return out, nil
}

func batch(specs func(name string) *tool.Spec) tool.Tool {
	s := delegating(set.Any("batch", "Several calls at once")).With(tool.Facts{
		Calls: func(args json.RawMessage) []tool.Held {
			var in batchIn
			_ = json.Unmarshal(args, &in) // what is wrong with the arguments is said when they are checked
			list, _ := in.calls()
			out := make([]tool.Held, len(list))
			for i, c := range list {
				out[i] = tool.Held{Call: c, At: fmt.Sprintf("calls[%d].args", i)}
			}
			return out
		},
		Sentence: func(p tool.Phrase) string {
			list, _ := p.Args["calls"].([]any)
			return "Make " + phrase.Count(len(list), "call")
		},
	})
	return tool.Define(s, func(_ context.Context, env tool.Env, in batchIn) (*tool.Result, error) {
		list, err := in.calls()
		for i, c := range list {
			list[i] = worded(env, c)
		}
		res := &tool.Result{Delegates: list}
		res.Between = Between(env.Device(), res.Delegates, specs)
		return res, err
	})
}

// Between reports whether the remaining calls may still be made after one was: given the number of calls made and the
// result of the last, it returns the surprise that ends them.
func Between(
	dev driver.Device, all []tool.Call, specs func(string) *tool.Spec,
) func(context.Context, int, *tool.Evidence) error {
	return func(ctx context.Context, done int, ev *tool.Evidence) error {
		why := surprise(ev)
		if next := specs(all[done].Name); why == "" && next != nil && next.ToFocus(all[done].Args) && !focused(ctx, dev) {
			why = "no element has the focus"
		}
		if why == "" {
			return nil
		}
		var left []string
		for _, c := range all[done:] {
			left = append(left, c.Name)
		}
		return fault.New(fault.Conflict, "", "%s, so the calls after it were not made: %s", why, strings.Join(left, ", ")).
			WithHint("Look at the screen, then make them if they still fit.")
	}
}

// surprise returns the effect of a call that makes it doubtful whether the next one is still meant; "" for none.
func surprise(ev *tool.Evidence) string {
	if ev == nil || ev.Effect == nil {
		return ""
	}
	e := ev.Effect
	switch {
	case ev.Expect != nil && ev.Expect.URL != "": // it was there to open a page
		return ""
	case e.Changes.Dialog || len(e.Dialogs) > 0:
		return "a dialog came up"
	case e.Changes.Tabs || len(e.NewTabs) > 0:
		return "a tab opened or closed"
	case e.Changes.Navigation:
		return "the page went to " + place(e)
	}
	return ""
}

// focused reports whether an element has the focus, so that keyboard input goes somewhere. A screen that cannot be
// read is no reason to stop.
func focused(ctx context.Context, dev driver.Device) bool {
	if dev == nil {
		return true
	}
	snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil || snap.Root == nil {
		return true
	}
	return holds(snap.Root.Children, screen.Focused)
}

func holds(nodes []*screen.Node, s screen.State) bool {
	return slices.ContainsFunc(nodes, func(n *screen.Node) bool { return n.State.Has(s) || holds(n.Children, s) })
}

func place(e *driver.Effect) string {
	if e.URL == "" {
		return "another document"
	}
	return e.URL
}
