package sequence

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/phrase"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// maxBatch bounds the calls of one request: after so many somebody should look.
const maxBatch = 50

type batchIn struct {
	Calls []batchCall `json:"calls" jsonschema:"the calls, in order" minItems:"1" maxItems:"50"`
}

type batchCall struct {
	Tool string         `json:"tool" jsonschema:"name of the tool" minLength:"1"`
	Args map[string]any `json:"args,omitempty" jsonschema:"its arguments"`
}

func batch() tool.Tool {
	s := delegating(set.Any("batch", "Several calls at once")).With(tool.Facts{
		Sentence: func(p tool.Phrase) string {
			list, _ := p.Args["calls"].([]any)
			return "Make " + phrase.Count(len(list), "call")
		},
	})
	return tool.Define(s, func(_ context.Context, _ tool.Env, in batchIn) (*tool.Result, error) {
		res := &tool.Result{}
		for i, c := range in.Calls {
			args, err := json.Marshal(c.Args)
			if err != nil {
				return nil, fault.Wrap(err, fault.Invalid, fmt.Sprintf("read calls[%d]", i))
			}
			if c.Args == nil {
				args = json.RawMessage("{}")
			}
			res.Delegates = append(res.Delegates, tool.Call{Name: c.Tool, Args: args})
		}
		res.Between = surprises(res.Delegates)
		return res, nil
	})
}

// surprises says whether the calls that are left may still be made after one was.
func surprises(all []tool.Call) func(int, *tool.Result) error {
	return func(done int, res *tool.Result) error {
		why := surprise(res)
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

// surprise is what came of a call that makes it doubtful whether the next one is still meant; "" for nothing.
func surprise(res *tool.Result) string {
	if res == nil || res.Evidence == nil || res.Evidence.Effect == nil {
		return ""
	}
	e := res.Evidence.Effect
	switch {
	case wanted(res.Evidence):
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

// wanted says whether the call was there to open a page.
func wanted(ev *tool.Evidence) bool { return ev.Expect != nil && ev.Expect.URL != "" }

func place(e *driver.Effect) string {
	if e.URL == "" {
		return "another document"
	}
	return e.URL
}
