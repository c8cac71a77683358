package network

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type cookiesIn struct {
	CookiesJSON string `json:"cookiesJson" default:"" jsonschema:"a JSON list of cookies, or a whole storage state"`
	action.Note
}

func webApplyCookies() tool.Tool {
	return action.Define(web("web_applyCookies", "Apply cookies", tool.Action).With(tool.Facts{
		Categories: []string{"STORAGE"}, Idempotent: true,
	}), func(ctx context.Context, env tool.Env, in cookiesIn) (*tool.Result, error) {
		state := bytes.TrimSpace([]byte(in.CookiesJSON))
		if len(state) == 0 {
			return action.NoEffect("no cookies were given", "No cookies given, nothing done."), nil
		}
		if state[0] == '[' {
			state = []byte(`{"cookies":` + string(state) + `,"origins":[]}`)
		}
		return restore(ctx, env, state)
	})
}

type stateIn struct {
	State json.RawMessage `json:"state" jsonschema:"a storage state as web_getStorageState returns it and Playwright writes it"`
	action.Note
}

func webSetStorageState() tool.Tool {
	return action.Define(devtools("web_setStorageState", "Set storage state", tool.Action).With(tool.Facts{
		Categories: []string{"STORAGE"}, Idempotent: true,
	}), func(ctx context.Context, env tool.Env, in stateIn) (*tool.Result, error) {
		state := in.State
		var text string
		if json.Unmarshal(state, &text) == nil { // a state that was remembered as text
			state = json.RawMessage(text)
		}
		return restore(ctx, env, state)
	})
}

// size counts the contents of a storage state.
type size struct {
	Cookies []json.RawMessage `json:"cookies" jsonschema:"as Playwright writes them"`
	Origins []json.RawMessage `json:"origins" jsonschema:"local storage by origin"`
}

func (s size) String() string {
	return action.Plural(len(s.Cookies), "cookie") + " and the storage of " + action.Plural(len(s.Origins), "origin")
}

func restore(ctx context.Context, env tool.Env, state json.RawMessage) (*tool.Result, error) {
	st, err := action.Capability[driver.Storage](env, "set storage state")
	if err != nil {
		return nil, err
	}
	var n size
	if err := json.Unmarshal(state, &n); err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "read storage state")
	}
	if err := st.SetStorageState(ctx, state); err != nil {
		return nil, fault.Wrap(err, "", "set storage state")
	}
	return action.NoEffect("a page reads cookies and storage when it is loaded",
		"Set %s. Pages see it when they are loaded again.", n), nil
}

// webGetStorageState hands out login state: it is for code that calls tools, and the state is not in its text.
func webGetStorageState() tool.Tool {
	s := web("web_getStorageState", "Get storage state", tool.Query).With(tool.Facts{Categories: []string{"STORAGE"}})
	s.Output = action.Output[size]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, _ action.NoInput) (*tool.Result, error) {
		st, err := action.Capability[driver.Storage](env, "read storage state")
		if err != nil {
			return nil, err
		}
		state, err := st.StorageState(ctx)
		if err != nil {
			return nil, fault.Wrap(err, "", "read storage state")
		}
		var n size
		if err := json.Unmarshal(state, &n); err != nil {
			return nil, fault.Wrap(err, fault.Internal, "read storage state")
		}
		return tool.ValueResult(state, fmt.Sprintf("The storage state holds %s.", n))
	})
}
