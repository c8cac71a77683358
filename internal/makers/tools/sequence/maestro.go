package sequence

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// form is a way to write a command of Maestro, and the tool that does what it means.
type form struct {
	tool string
	args map[string]string // key of the command -> argument of the tool; "" is a command's plain value
	set  map[string]any    // arguments that are always the same
}

// numbers are the arguments of tools that are numbers.
var numbers = []string{"timeoutMs", "durationMs", "charactersToErase", "visibilityPercentage", "index"}

var element = map[string]string{"": "text", "text": "text", "id": "id", "index": "index", "enabled": "enabled",
	"selected": "selected"}

// commands returns those that mean something here, with their forms. Where several fit, the first counts.
// The table is made when a command is first looked up: most runs of the program never do.
var commands = sync.OnceValue(func() map[string][]form {
	return map[string][]form{
		"tapOn":       {{tool: "tapOnElementWithText", args: element}},
		"longPressOn": {{tool: "longPressOnElementWithText", args: element}},
		"inputText":   {{tool: "inputText", args: map[string]string{"": "text", "text": "text"}}},
		"eraseText": {{tool: "eraseText",
			args: map[string]string{"": "charactersToErase", "charactersToErase": "charactersToErase"}}},
		"pressKey":     {{tool: "pressKey", args: map[string]string{"": "keyCode", "key": "keyCode", "code": "keyCode"}}},
		"back":         {{tool: "pressBack"}},
		"hideKeyboard": {{tool: "hideKeyboard"}},
		"pasteText":    {{tool: "mobile_pasteClipboard"}},
		"assertVisible": {
			{tool: "assertVisible", args: map[string]string{"": "text", "text": "text", "id": "id"}},
			{tool: "assertVisibleWithText", args: element},
		},
		"assertNotVisible": {{tool: "assertNotVisibleWithText", args: element}},
		"extendedWaitUntil": {
			{tool: "waitUntilVisible", args: map[string]string{
				"visible": "text", "visible.text": "text", "visible.id": "id", "timeout": "timeoutMs",
			}},
			{tool: "assertNotVisibleWithText", args: map[string]string{
				"notVisible": "text", "notVisible.text": "text", "notVisible.id": "id", "timeout": "timeoutMs",
			}},
		},
		"waitForAnimationToEnd": {
			{tool: "waitForChange", args: map[string]string{"timeout": "timeoutMs"},
				set: map[string]any{"requireChange": false}},
		},
		"scroll": {{tool: "scroll", set: map[string]any{"direction": "DOWN"}}},
		"scrollUntilVisible": {{tool: "scrollUntilTextIsVisible", args: map[string]string{
			"element": "text", "element.text": "text", "element.id": "id", "direction": "direction", "timeout": "timeoutMs",
			"visibilityPercentage": "visibilityPercentage", "centerElement": "centerElement",
		}}},
		"swipe": {
			{tool: "swipe", args: map[string]string{"": "direction", "direction": "direction", "duration": "durationMs"}},
			{tool: "swipeWithRelativeCoordinates",
				args: map[string]string{"start": "startRelative", "end": "endRelative", "duration": "durationMs"}},
		},
		"launchApp":  {{tool: "launchApp", args: map[string]string{"": "appId", "appId": "appId"}}},
		"stopApp":    {{tool: "stopApp", args: map[string]string{"": "appId", "appId": "appId"}}},
		"killApp":    {{tool: "stopApp", args: map[string]string{"": "appId", "appId": "appId"}}},
		"clearState": {{tool: "clearAppData", args: map[string]string{"": "packageId", "appId": "packageId"}}},
		"openLink":   {{tool: "openUrl", args: map[string]string{"": "url", "link": "url"}}},
	}
})

type maestroIn struct {
	Commands []any `json:"commands" jsonschema:"the commands, each an object with one key, or a plain name" minItems:"1"`
}

// Mistake implements tool.Meaningful.
func (in maestroIn) Mistake() error {
	_, err := in.calls()
	return err
}

// maestro is the tool under a name that upstream's trails have for it.
func maestro(name string) tool.Tool {
	s := set.Legacy(name, "Commands of Maestro")
	return tool.Define(delegating(s), func(_ context.Context, env tool.Env, in maestroIn) (*tool.Result, error) {
		list, err := in.calls()
		for i, c := range list {
			list[i] = worded(env, c)
		}
		return &tool.Result{Delegates: list}, err
	})
}

func (in maestroIn) calls() ([]tool.Call, error) {
	var out []tool.Call
	for i, c := range in.Commands {
		call, err := Translate(c)
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, fmt.Sprintf("parameter commands[%d]", i))
		}
		out = append(out, call)
	}
	return out, nil
}

// Translate returns the call that a command means.
func Translate(command any) (tool.Call, error) {
	name, value := "", any(nil)
	switch c := command.(type) {
	case string:
		name = c
	case map[string]any:
		if len(c) == 1 {
			for name, value = range c { // the one key
			}
		}
	}
	if name == "" {
		return tool.Call{}, fault.New(fault.Invalid, "", "a command is an object with one key, its name")
	}
	if block, ok := value.(map[string]any); ok && block["commands"] != nil {
		return translateBlock(name, block)
	}
	forms, ok := commands()[name]
	if !ok {
		f := fault.New(fault.Unsupported, "", "the command %s has no meaning here", name)
		known := slices.Sorted(maps.Keys(commands()))
		if near := argument.Near(name, known, 2); len(near) > 0 {
			return tool.Call{}, f.WithHint("Did you mean %s?", strings.Join(near, " or "))
		}
		return tool.Call{}, f.WithHint("Commands that have: %s.", strings.Join(known, ", "))
	}
	said := flat(value)
	for _, f := range forms {
		if args, fits := f.fill(said); fits {
			raw, err := json.Marshal(args)
			return tool.Call{Name: f.tool, Args: raw}, fault.Wrap(err, fault.Internal, "")
		}
	}
	return tool.Call{}, fault.New(fault.Unsupported, "", "%s with %s has no meaning here", name,
		strings.Join(slices.Sorted(maps.Keys(said)), ", ")).
		WithHint("It takes %s.", forms[0].takes())
}

// translateBlock is the call that a command with commands in it means: repeat, or runFlow with when.
func translateBlock(name string, block map[string]any) (tool.Call, error) {
	args := map[string]any{}
	for k, v := range block {
		switch when, _ := v.(map[string]any); {
		case k == "commands":
			list, ok := v.([]any)
			if !ok {
				return tool.Call{}, fault.New(fault.Invalid, "", "the commands of %s are not a list", name)
			}
			inner, err := maestroIn{list}.calls()
			if err != nil {
				return tool.Call{}, fault.Wrap(err, fault.Invalid, name)
			}
			var tools []map[string]any
			for _, c := range inner {
				tools = append(tools, map[string]any{c.Name: c.Args})
			}
			args["tools"] = tools
		case k == "label":
		case name == "runFlow" && k == "when" && when != nil:
			maps.Copy(args, when)
		case name == "repeat" && (k == "times" || k == "while"):
			args[k] = v
		default:
			return tool.Call{}, fault.New(fault.Unsupported, "", "%s with %s has no meaning here", name, k).
				WithHint("repeat takes times, while and commands; runFlow takes when and commands. A condition is visible or " +
					"notVisible.")
		}
	}
	called := map[string]string{"repeat": "repeat", "runFlow": "when"}[name]
	if called == "" {
		return tool.Call{}, fault.New(fault.Unsupported, "", "%s with commands has no meaning here", name)
	}
	raw, err := json.Marshal(args)
	return tool.Call{Name: called, Args: raw}, fault.Wrap(err, fault.Internal, "")
}

// flat returns the value of a command by key. The keys of an inner mapping are joined with a dot; nulls are left out.
func flat(value any) map[string]any {
	out := map[string]any{}
	m, ok := value.(map[string]any)
	if !ok {
		if value != nil {
			out[""] = value
		}
		return out
	}
	for k, v := range m {
		inner, nested := v.(map[string]any)
		switch {
		case k == "label", v == nil: // a label is for people
		case nested:
			for ik, iv := range inner {
				if iv != nil {
					out[k+"."+ik] = iv
				}
			}
		default:
			out[k] = v
		}
	}
	return out
}

// fill makes the arguments of the form's tool. It does not fit what it has no argument for.
func (f form) fill(said map[string]any) (map[string]any, bool) {
	args := maps.Clone(f.set)
	if args == nil {
		args = map[string]any{}
	}
	for k, v := range said {
		to := f.args[k]
		if to == "" {
			return nil, false
		}
		if n, ok := v.(string); ok && slices.Contains(numbers, to) { // Maestro takes a number in quotes, too
			if n, err := strconv.Atoi(n); err == nil {
				v = n
			}
		}
		args[to] = v
	}
	return args, true
}

// takes lists the keys of a form.
func (f form) takes() string {
	var keys []string
	for _, k := range slices.Sorted(maps.Keys(f.args)) {
		if k != "" {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return "nothing"
	}
	return strings.Join(keys, ", ")
}
