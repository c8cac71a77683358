package keyboard

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "CORE_INTERACTION", WebGroup: "web_core"}

var shared, web = set.Any, set.Web

type fillSecretIn struct {
	locator.Target
	Value string `json:"value,omitempty" jsonschema:"the secret, written as a token such as {{password}}"`
	Name  string `json:"name,omitempty" jsonschema:"instead of value: the secret's name in memory"`
	action.Terms
}

// webFillSecret types a secret into its field. The value goes to the device and nowhere else.
func webFillSecret() tool.Tool {
	return action.Define(web("web_fillSecret", "Fill secret").With(tool.Facts{
		Idempotent: true, Effects: &tool.Effects{Types: []string{"value"}, Recalls: "name"}, Sentence: typed("value"),
		Purpose: tool.EnterSecret,
	}), func(ctx context.Context, env tool.Env, in fillSecretIn) (*tool.Result, error) {
		value, err := in.secret(env)
		if err != nil {
			return nil, err
		}
		return action.Do(ctx, env, action.Request{
			Query: in.Query(in.Target).For(locator.Field), Expect: in.Expect, Did: "Filled the secret into",
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.TypeText{Target: t, Text: value, Clear: true, Secret: true, Bound: bound(env, value)}
			},
		})
	})
}

func (in fillSecretIn) secret(env tool.Env) (string, error) {
	switch {
	case in.Value != "" && in.Name != "":
		return "", fault.New(fault.Invalid, "fill secret", "both value and name are given").WithHint("Give one of them.")
	case in.Value != "":
		return in.Value, nil
	case in.Name == "":
		return "", fault.New(fault.Invalid, "fill secret", "no secret given").
			WithHint("Give value as a token, such as {{password}}, or name.")
	}
	v, ok := env.Memory().Get(in.Name)
	if !ok {
		return "", fault.New(fault.NotFound, "fill secret", "memory holds nothing named %q", in.Name)
	}
	return fmt.Sprint(v), nil
}

// bound are the origins that the secrets in a text are tied to.
func bound(env tool.Env, text string) map[string]string {
	quoted, err := json.Marshal(text)
	m := env.Memory()
	if err != nil || m == nil {
		return nil
	}
	return m.BoundIn(quoted)
}

// keys returns a tool whose input goes to the element with the focus when the call names no element.
func keys(s tool.Spec) tool.Spec {
	s.Keyboard = true
	return s
}
