package form

import (
	"context"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type selectIn struct {
	locator.Target
	Values []string `json:"values" minItems:"1" jsonschema:"options to choose, by label, value or index"`
	action.Within
	action.Expect
	action.Note
}

func webSelectOption() tool.Tool {
	return action.Define(web("web_selectOption", "Select option").With(tool.Facts{
		Default: 9, Idempotent: true, Occasion: tool.AtChoice,
		Sentence: func(p tool.Phrase) string { return "Choose " + p.Quoted("values") + tool.Join(" in ", p.Target) },
	}), func(ctx context.Context, env tool.Env, in selectIn) (*tool.Result, error) {
		return action.Do(ctx, env, action.Request{
			Query: in.Query(in.Target).For(locator.Choice), Expect: in.Expect,
			Did: fmt.Sprintf("Chose %s in", strings.Join(in.Values, ", ")),
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.SelectOption{Target: t, Options: in.Values}
			},
		})
	})
}

type setCheckedIn struct {
	locator.Target
	Checked bool `json:"checked" default:"true" jsonschema:"the state to bring it to"`
	action.Within
	action.Expect
	action.Note
}

func webSetChecked() tool.Tool {
	return action.Define(web("web_setChecked", "Set checked").With(tool.Facts{
		Idempotent: true, Sentence: checking, Occasion: tool.AtBox,
	}), func(ctx context.Context, env tool.Env, in setCheckedIn) (*tool.Result, error) {
		did := "Checked"
		if !in.Checked {
			did = "Unchecked"
		}
		return action.Do(ctx, env, action.Request{
			Query: in.Query(in.Target).For(locator.Checkable), Expect: in.Expect, Did: did,
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.SetChecked{Target: t, Checked: in.Checked}
			},
		})
	})
}

func checking(p tool.Phrase) string {
	if p.Args["checked"] == false {
		return p.On("Uncheck")
	}
	return p.On("Check")
}
