package form

import (
	"context"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/tools/locate"
	"github.com/trailblaze-dev/trailblaze/internal/tools/perform"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type selectIn struct {
	locate.Target
	Values []string `json:"values" minItems:"1" jsonschema:"options to choose, by label, value or index"`
	perform.Within
	perform.Expect
	perform.Note
}

func webSelectOption() tool.Tool {
	return perform.Define(web("web_selectOption", "Select option"), func(ctx context.Context, env tool.Env, in selectIn) (*tool.Result, error) {
		return perform.Do(ctx, env, perform.Job{
			Query: in.Query(in.Target).For(locate.Choice), Expect: in.Expect, Did: fmt.Sprintf("Chose %s in", strings.Join(in.Values, ", ")),
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.SelectOption{Target: t, Options: in.Values}
			},
		})
	})
}

type setCheckedIn struct {
	locate.Target
	Checked bool `json:"checked" default:"true" jsonschema:"the state to bring it to"`
	perform.Within
	perform.Expect
	perform.Note
}

func webSetChecked() tool.Tool {
	return perform.Define(web("web_setChecked", "Set checked"), func(ctx context.Context, env tool.Env, in setCheckedIn) (*tool.Result, error) {
		did := "Checked"
		if !in.Checked {
			did = "Unchecked"
		}
		return perform.Do(ctx, env, perform.Job{
			Query: in.Query(in.Target).For(locate.Checkable), Expect: in.Expect, Did: did,
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.SetChecked{Target: t, Checked: in.Checked}
			},
		})
	})
}
