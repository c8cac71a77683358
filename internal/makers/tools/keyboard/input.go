package keyboard

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type inputIn struct {
	Text              string `json:"text" jsonschema:"what to type"`
	HideKeyboardAfter bool   `json:"hideKeyboardAfter" default:"true" jsonschema:"close the on-screen keyboard afterwards; no effect in browsers"`
	action.Expect
	action.Note
}

// inputText types where the focus is.
func inputText() tool.Tool {
	return action.Define(keys(shared("inputText", "Input text", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE", "PRIMITIVES"}, Default: 7, Replaces: "web_type",
		Effects: &tool.Effects{Types: []string{"text"}}, Sentence: typed("text"),
	})), func(ctx context.Context, env tool.Env, in inputIn) (*tool.Result, error) {
		return intoFocus(ctx, env, in.Text, in.HideKeyboardAfter, in.Expect)
	})
}

func intoFocus(ctx context.Context, env tool.Env, text string, hide bool, want action.Expect) (*tool.Result, error) {
	return action.Do(ctx, env, action.Request{
		Unnamed: true, Expect: want, Did: "Typed into",
		Action: func(t driver.Target, _ *screen.Node) driver.Action {
			a := typing(env, t, text, false, false)
			a.HideKeyboard = hide
			return a
		},
	})
}

type inputRandomIn struct {
	Variable          string `json:"variable" minLength:"1" jsonschema:"name under which the typed text is remembered"`
	Prefix            string `json:"prefix" default:"TBZ-" jsonschema:"what the text begins with"`
	DigitCount        int    `json:"digitCount,omitempty" minimum:"1" maximum:"40" default:"6" jsonschema:"how many random digits follow"`
	HideKeyboardAfter bool   `json:"hideKeyboardAfter" default:"true" jsonschema:"close the on-screen keyboard afterwards; no effect in browsers"`
	action.Expect
	action.Note
}

func inputTextRandom() tool.Tool {
	return action.Define(keys(shared("inputTextRandom", "Input random text", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_type",
		Effects: &tool.Effects{Remembers: "variable"},
	})), func(ctx context.Context, env tool.Env, in inputRandomIn) (*tool.Result, error) {
		tail, err := digits(in.DigitCount)
		if err != nil {
			return nil, err
		}
		text := in.Prefix + tail
		r, err := intoFocus(ctx, env, text, in.HideKeyboardAfter, in.Expect)
		if err != nil {
			return r, err
		}
		env.Memory().Set(in.Variable, text)
		r.Content = append(r.Content,
			tool.Content{Type: "text", Text: fmt.Sprintf("Remembered %q as %s.", text, in.Variable)})
		return r, nil
	})
}

func digits(n int) (string, error) {
	var b strings.Builder
	for range n {
		d, err := rand.Int(rand.Reader, big.NewInt(10))
		if err != nil {
			return "", fault.Wrap(err, fault.Internal, "make random digits")
		}
		b.WriteString(d.String())
	}
	return b.String(), nil
}

type focusIn struct {
	action.Expect
	action.Note
}

func clearText() tool.Tool {
	return action.Define(keys(shared("clearText", "Clear text", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_clear", Idempotent: true,
		Sentence: func(p tool.Phrase) string { return p.On("Clear", "the field") },
	})), func(ctx context.Context, env tool.Env, in focusIn) (*tool.Result, error) {
		return erase(ctx, env, 0, in.Expect)
	})
}

type eraseIn struct {
	CharactersToErase int `json:"charactersToErase,omitempty" minimum:"0" jsonschema:"how many characters before the caret; default all"`
	action.Expect
	action.Note
}

func eraseText() tool.Tool {
	return action.Define(keys(shared("eraseText", "Erase text", "core_interaction").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "MOBILE"}, Replaces: "web_clear",
		Sentence: func(p tool.Phrase) string { return p.On("Erase text in", "the field") },
	})), func(ctx context.Context, env tool.Env, in eraseIn) (*tool.Result, error) {
		return erase(ctx, env, in.CharactersToErase, in.Expect)
	})
}

func erase(ctx context.Context, env tool.Env, count int, want action.Expect) (*tool.Result, error) {
	return action.Do(ctx, env, action.Request{
		Unnamed: true, Expect: want, Did: "Erased text in",
		Action: func(t driver.Target, _ *screen.Node) driver.Action { return driver.EraseText{Target: t, Count: count} },
	})
}
