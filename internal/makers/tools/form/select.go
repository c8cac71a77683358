package form

import (
	"embed"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "CORE_INTERACTION", WebGroup: "web_core"}

var web = set.Web

type selectIn struct {
	locator.Target
	Values []string `json:"values" minItems:"1" jsonschema:"options to choose, by label, value or index"`
	action.Terms
}

func webSelectOption() tool.Tool {
	return action.DefineOn(web("web_selectOption", "Select option").With(tool.Facts{
		Default: 9, Idempotent: true, Occasion: tool.AtChoice, Purpose: tool.Choose,
		Sentence: func(p tool.Phrase) string { return "Choose " + p.Quoted("values") + tool.Join(" in ", p.Target) },
	}), func(_ tool.Env, in selectIn) action.Request {
		return action.Request{
			Query: in.Query(in.Target).For(locator.Choice),
			Did:   fmt.Sprintf("Chose %s in", strings.Join(in.Values, ", ")),
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.SelectOption{Target: t, Options: in.Values}
			},
		}
	})
}

type setCheckedIn struct {
	locator.Target
	Checked bool `json:"checked" default:"true" jsonschema:"the state to bring it to"`
	action.Terms
}

func webSetChecked() tool.Tool {
	return action.DefineOn(web("web_setChecked", "Set checked").With(tool.Facts{
		Idempotent: true, Sentence: checking, Occasion: tool.AtBox, Purpose: tool.SetChecked,
	}), func(_ tool.Env, in setCheckedIn) action.Request {
		did := "Checked"
		if !in.Checked {
			did = "Unchecked"
		}
		return action.Request{
			Query: in.Query(in.Target).For(locator.Checkable), Did: did,
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.SetChecked{Target: t, Checked: in.Checked}
			},
		}
	})
}

func checking(p tool.Phrase) string {
	if p.Args["checked"] == false {
		return p.On("Uncheck")
	}
	return p.On("Check")
}
