package keyboard

import (
	"context"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen/identity"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type typeIn struct {
	Text string `json:"text" jsonschema:"what to enter"`
	locator.Target
	ClearFirst bool `json:"clearFirst" default:"true" jsonschema:"replace what is there; false types at the caret, key by key"`
	Keys       bool `json:"keys,omitempty" jsonschema:"key by key, for fields that listen to keystrokes"`
	Submit     bool `json:"submit,omitempty" jsonschema:"press Enter afterwards"`
	action.Terms
}

func webType() tool.Tool {
	return action.Define(keys(web("web_type", "Type").With(tool.Facts{
		Default: 7, Purpose: tool.EnterText, Effects: &tool.Effects{Types: []string{"text"}}, Sentence: typed("text"),
		Occasion: tool.Anytime, Usual: []string{"ref", "clearFirst", "submit"},
	})), func(ctx context.Context, env tool.Env, in typeIn) (*tool.Result, error) {
		r, err := action.Do(ctx, env, action.Request{
			Query: in.Query(in.Target).For(locator.Field), Unnamed: true, Field: true, Expect: in.Expect, Did: "Typed into",
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return typing(env, t, in.Text, in.ClearFirst, in.Keys || !in.ClearFirst)
			},
		})
		if err != nil || !in.Submit {
			return r, err
		}
		return submit(ctx, env, in.Expect, r)
	})
}

// typing makes the action. Text that is a secret of the session is typed as one, so that nothing on the way echoes it.
func typing(env tool.Env, t driver.Target, text string, replace, keys bool) driver.TypeText {
	return driver.TypeText{Target: t, Text: text, Clear: replace, Keys: keys, Secret: secret(env, text),
		Bound: bound(env, text)}
}

func secret(env tool.Env, text string) bool {
	m := env.Memory()
	return m != nil && text != "" && m.Mask(text) != text
}

// submit presses Enter in the field that was just typed into and adds the outcome to the result.
func submit(ctx context.Context, env tool.Env, want action.Expect, typed *tool.Result) (*tool.Result, error) {
	after, err := action.At(ctx, env, want, "Pressed Enter", driver.PressKey{Key: "Enter"})
	if err != nil {
		return &tool.Result{Evidence: typed.Evidence}, err
	}
	typed.Content = append(typed.Content, after.Content...)
	merged := *after.Evidence.Effect
	merged.Changes = union(typed.Evidence.Effect.Changes, merged.Changes)
	merged.Value, merged.Method = typed.Evidence.Effect.Value, typed.Evidence.Effect.Method
	typed.Evidence.Effect = &merged
	return typed, nil
}

func union(a, b driver.Changes) driver.Changes {
	b.Tree += a.Tree
	b.Requests += a.Requests
	b.Value, b.Focus, b.Scroll, b.Canvas, b.URL = b.Value || a.Value, b.Focus || a.Focus, b.Scroll || a.Scroll,
		b.Canvas || a.Canvas, b.URL || a.URL
	b.Navigation, b.Tabs, b.Dialog = b.Navigation || a.Navigation, b.Tabs || a.Tabs, b.Dialog || a.Dialog
	b.Download, b.Verified, b.Received = b.Download || a.Download, b.Verified || a.Verified, b.Received || a.Received
	return b
}

type fillIn struct {
	Selector     string                `json:"selector,omitempty" jsonschema:"CSS selector, or a ref of the last snapshot"`
	Value        string                `json:"value" jsonschema:"what the field is to hold"`
	NodeSelector *screen.Selector      `json:"nodeSelector,omitempty" jsonschema:"durable selector, as recordings keep it"`
	Fingerprint  *identity.Fingerprint `json:"fingerprint,omitempty" jsonschema:"who the element was when it was recorded"`
	action.Terms
}

// fill is the command of this name in the public tool list: web_type with a CSS selector.
func fill() tool.Tool {
	s := web("fill", "Fill by CSS").With(tool.Facts{
		Effects: &tool.Effects{Types: []string{"value"}}, Sentence: typed("value"),
	})
	s.ExposedToLLM, s.Groups = false, nil
	return action.DefineOn(s, func(env tool.Env, in fillIn) action.Request {
		target := locator.Target{Ref: locator.CSSRef(in.Selector), NodeSelector: in.NodeSelector, Fingerprint: in.Fingerprint}
		return action.Request{
			Query: in.Query(target).For(locator.Field), Did: "Filled", NamedBy: []string{"selector"},
			Action: func(t driver.Target, _ *screen.Node) driver.Action { return typing(env, t, in.Value, true, false) },
		}
	})
}

type clearIn struct {
	locator.Target
	action.Terms
}

func webClear() tool.Tool {
	return action.DefineOn(keys(web("web_clear", "Clear").With(tool.Facts{
		Idempotent: true,
		Sentence:   func(p tool.Phrase) string { return p.On("Clear", "the field") },
	})), func(_ tool.Env, in clearIn) action.Request {
		return action.Request{
			Query: in.Query(in.Target).For(locator.Field), Unnamed: true, Field: true, Did: "Cleared",
			Action: func(t driver.Target, _ *screen.Node) driver.Action { return driver.EraseText{Target: t} },
		}
	})
}

type keyIn struct {
	Key string `json:"key" minLength:"1" jsonschema:"key or chord: Enter, Tab, ArrowDown, Control+a, Shift+Tab"`
	locator.Target
	action.Terms
}

func webPressKey() tool.Tool {
	return action.DefineOn(keys(web("web_pressKey", "Press key").With(tool.Facts{
		Default: 8, Purpose: tool.PressKey,
		Occasion: tool.Anytime,
		Sentence: func(p tool.Phrase) string { return "Press " + p.Plain("key") + tool.Join(" in ", p.Target) },
	})), func(_ tool.Env, in keyIn) action.Request {
		return action.Request{
			Query: in.Query(in.Target), Unnamed: true, Did: "Pressed " + in.Key + " in",
			Action: func(t driver.Target, _ *screen.Node) driver.Action {
				return driver.PressKey{Target: t, Key: strings.TrimSpace(in.Key)}
			},
		}
	})
}

// typed returns the sentence of a tool that types the text in an argument.
func typed(arg string) func(tool.Phrase) string {
	return func(p tool.Phrase) string {
		what := p.Written(arg)
		if name := p.Text("name"); name != "" && what == "" {
			what = "{{" + name + "}}"
		}
		if what == "" {
			return p.On("Clear", "the field")
		}
		text := "Type " + what + tool.Join(" into ", p.Target)
		if p.Args["submit"] == true {
			text += " and press Enter"
		}
		return text
	}
}
