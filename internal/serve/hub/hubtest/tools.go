package hubtest

import (
	"context"
	"fmt"
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type textIn struct {
	Text string `json:"text,omitempty" jsonschema:"what to say"`
}

type none struct{}

// Tools are small tools for tests: demo_echo and demo_look say which device they ran on, demo_wait lasts until its
// context ends, demo_stuck lasts until free is closed whatever its context says, demo_nest calls demo_echo,
// demo_secret remembers its text, backwards, as a secret.
func Tools(free <-chan struct{}) []tool.Tool {
	spec := func(name, what string, kind tool.Kind) tool.Spec {
		return tool.Spec{Name: name, Description: what, Kind: kind, ExposedToLLM: true, Recordable: kind == tool.Action}
	}
	where := func(env tool.Env) string {
		if env.Device() == nil {
			return "no device"
		}
		return env.Device().Info().ID
	}
	echo := spec("demo_echo", "Says the text and the device.", tool.Action)
	echo.Effects = &tool.Effects{Types: []string{"text"}} // as a field, it takes secrets
	return []tool.Tool{
		tool.Define(echo,
			func(_ context.Context, env tool.Env, in textIn) (string, error) {
				if d, ok := env.Device().(*Device); ok {
					d.note("echo " + in.Text)
				}
				return fmt.Sprintf("%s on %s", in.Text, where(env)), nil
			}),
		tool.Define(spec("demo_look", "Says the device.", tool.Query),
			func(_ context.Context, env tool.Env, in textIn) (string, error) {
				return fmt.Sprintf("%s on %s", in.Text, where(env)), nil
			}),
		tool.Define(spec("demo_wait", "Lasts until it is cancelled.", tool.Action),
			func(ctx context.Context, env tool.Env, _ none) (string, error) {
				if d, ok := env.Device().(*Device); ok {
					d.entered <- "demo_wait"
				}
				<-ctx.Done()
				return "", context.Cause(ctx)
			}),
		tool.Define(spec("demo_stuck", "Does not care when it is cancelled.", tool.Action),
			func(_ context.Context, env tool.Env, _ none) (string, error) {
				if d, ok := env.Device().(*Device); ok {
					d.entered <- "demo_stuck"
				}
				<-free
				return "done", nil
			}),
		tool.Define(spec("demo_nest", "Calls demo_echo.", tool.Action),
			func(ctx context.Context, env tool.Env, _ none) (*tool.Result, error) {
				return env.Call(ctx, tool.Call{Name: "demo_echo", Args: []byte(`{"text":"nested"}`)})
			}),
		tool.Define(spec("demo_secret", "Remembers the text, backwards, as a secret: so it is in no call.", tool.Action),
			func(_ context.Context, env tool.Env, in textIn) (string, error) {
				b := []byte(in.Text)
				slices.Reverse(b)
				env.Memory().SetSecret("password", string(b))
				return "remembered", nil
			}),
	}
}

// Management are small management tools for tests: demo_who says whose call it is, demo_say says the text.
func Management(*hub.Hub) []tool.Tool {
	spec := func(name, what string) tool.Spec {
		return tool.Spec{Name: name, Description: what, Kind: tool.Action, ExposedToLLM: true}
	}
	return []tool.Tool{
		tool.Define(spec("demo_who", "Says whose call it is."),
			func(ctx context.Context, _ tool.Env, _ none) (string, error) {
				s, ok := calls.ClientFrom(ctx)
				if !ok || calls.From(ctx) == nil {
					return "", fmt.Errorf("no client")
				}
				return s.ID(), nil
			}),
		tool.Define(spec("demo_say", "Says the text."), func(_ context.Context, _ tool.Env, in textIn) (string, error) {
			return in.Text, nil
		}),
	}
}
