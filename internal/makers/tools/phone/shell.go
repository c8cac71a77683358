package phone

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "DEVICE"}

// android is the spec of a tool that only Android has. Models are not shown it.
func android(name, title string, groups ...string) tool.Spec {
	s := set.Legacy(name, title)
	s.Groups, s.Platforms = groups, []driver.Platform{driver.AndroidPlatform}
	return s
}

type shellIn struct {
	Command string `json:"command" jsonschema:"a line for the phone's shell"`
	action.Note
}

// shell is a device that runs commands on itself.
type shell interface {
	Run(ctx context.Context, line string) (stdout, stderr string, exit int, err error)
}

// shellOut is the result of a command. A status other than 0 is the command's answer, and no failure of the tool.
type shellOut struct {
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	ExitCode int    `json:"exitCode"`
}

// Text implements tool.Texter.
func (o shellOut) Text() string {
	text := o.Stdout
	if o.Stderr != "" {
		text = strings.TrimSuffix(text, "\n") + "\nstderr: " + o.Stderr
	}
	if o.ExitCode != 0 {
		text = strings.TrimSuffix(text, "\n") + fmt.Sprintf("\nexit status %d", o.ExitCode)
	}
	return strings.TrimSpace(text)
}

// code are the facts of a tool whose argument is run as code.
var code = tool.Facts{Categories: []string{"SCRIPT", "DEVICE"}, Effects: &tool.Effects{
	RunsCode: true, Does: []string{"shell"},
}}

func adbShell() tool.Tool {
	s := android("adbShell", "Shell").With(code)
	s.Destructive = true
	return tool.Define(s, func(ctx context.Context, env tool.Env, in shellIn) (shellOut, error) {
		return run(ctx, env, in.Command)
	})
}

type argvIn struct {
	Command []string `json:"command" minItems:"1" jsonschema:"the program and its arguments"`
	RunAs   string   `json:"runAs,omitempty" jsonschema:"the debuggable app as whose user it runs"`
	action.Note
}

func androidShell() tool.Tool {
	s := android("android_adbShell", "Shell", "android_framework", "android_primitives").With(code)
	s.Destructive, s.Recordable = true, false
	return tool.Define(s, func(ctx context.Context, env tool.Env, in argvIn) (shellOut, error) {
		line := quote(in.Command...)
		if in.RunAs != "" {
			line = quote("run-as", in.RunAs) + " " + line
		}
		return run(ctx, env, line)
	})
}

func run(ctx context.Context, env tool.Env, line string) (shellOut, error) {
	const op = "run shell command"
	if strings.TrimSpace(line) == "" {
		return shellOut{}, fault.New(fault.Invalid, op, "there is no command")
	}
	sh, err := action.Capability[shell](env, op)
	if err != nil {
		return shellOut{}, err
	}
	var out shellOut
	out.Stdout, out.Stderr, out.ExitCode, err = sh.Run(ctx, line)
	return out, fault.Wrap(err, "", op)
}

// quote writes arguments for the phone's shell.
func quote(args ...string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	return strings.Join(out, " ")
}

// must runs a line of ours, which fails with another status than 0, or when it says so: pm and am end with 0 in places.
func must(ctx context.Context, env tool.Env, op string, args ...string) error {
	res, err := run(ctx, env, quote(args...))
	if err != nil {
		return fault.Wrap(err, "", op)
	}
	said := strings.TrimSpace(res.Stdout + " " + res.Stderr)
	if res.ExitCode != 0 || strings.Contains(said, "Exception") || strings.HasPrefix(said, "Error") {
		return fault.New(fault.NotActed, op, "%s says: %.400s", args[0], said)
	}
	return nil
}

// grants are the facts of a tool that changes what an app may do.
var grants = tool.Facts{Idempotent: true, Effects: &tool.Effects{Does: []string{"grant"}}}

type grantIn struct {
	PackageID  string `json:"packageId" jsonschema:"the app's id"`
	Permission string `json:"permission" jsonschema:"such as android.permission.CAMERA"`
	action.Note
}

func grantPermission() tool.Tool {
	s := android("grantPermission", "Grant permission").With(grants)
	return action.Define(s, func(ctx context.Context, env tool.Env, in grantIn) (*tool.Result, error) {
		if err := grant(ctx, env, in.PackageID, in.Permission); err != nil {
			return nil, err
		}
		return action.NoEffect("a permission shows nothing until the app uses it", "Granted %s to %s.",
			in.Permission, in.PackageID), nil
	})
}

type grantsIn struct {
	AppID       string   `json:"appId" jsonschema:"the app's id"`
	Permissions []string `json:"permissions" minItems:"1" jsonschema:"such as android.permission.CAMERA"`
	action.Note
}

func grantPermissions() tool.Tool {
	s := android("android_grantPermissions", "Grant permissions", "android_primitives").With(grants)
	return action.Define(s, func(ctx context.Context, env tool.Env, in grantsIn) (*tool.Result, error) {
		for _, p := range in.Permissions {
			if err := grant(ctx, env, in.AppID, p); err != nil {
				return nil, err
			}
		}
		return action.NoEffect("permissions show nothing until the app uses them", "Granted %s to %s.",
			strings.Join(in.Permissions, ", "), in.AppID), nil
	})
}

func grant(ctx context.Context, env tool.Env, app, permission string) error {
	return must(ctx, env, "grant permission", "pm", "grant", app, permission)
}

type broadcastIn struct {
	Action           string  `json:"action" jsonschema:"the intent's action"`
	ComponentPackage string  `json:"componentPackage" jsonschema:"the receiving app's id"`
	ComponentClass   string  `json:"componentClass" jsonschema:"the receiver's class"`
	Extras           []extra `json:"extras,omitempty" jsonschema:"what the intent carries"`
	action.Note
}

type extra struct {
	Key   string `json:"key"`
	Type  string `json:"type,omitempty" enum:"string,int,long,float,boolean" default:"string"`
	Value string `json:"value"`
}

// flagsOfExtras are the options of am by the types of extras.
var flagsOfExtras = map[string]string{
	"": "--es", "string": "--es", "int": "--ei", "long": "--el", "float": "--ef", "boolean": "--ez",
}

var result = regex.Lazy(`result=(-?\d+)`)

func sendBroadcast() tool.Tool {
	s := android("android_sendBroadcast", "Send broadcast", "android_framework", "android_primitives")
	return action.Define(s, func(ctx context.Context, env tool.Env, in broadcastIn) (*tool.Result, error) {
		const op = "send broadcast"
		args := []string{"am", "broadcast", "-a", in.Action, "-n", in.ComponentPackage + "/" + in.ComponentClass}
		for _, e := range in.Extras {
			flag, ok := flagsOfExtras[e.Type]
			if !ok {
				return nil, fault.New(fault.Invalid, op, "an extra has no type %q", e.Type)
			}
			args = append(args, flag, e.Key, e.Value)
		}
		res, err := run(ctx, env, quote(args...))
		if err != nil {
			return nil, fault.Wrap(err, "", op)
		}
		m := result().FindStringSubmatch(res.Stdout)
		if res.ExitCode != 0 || m == nil {
			return nil, fault.New(fault.NotActed, op, "am says: %.400s", strings.TrimSpace(res.Stdout+" "+res.Stderr)).
				WithHint("Is the app installed, and does it export the receiver?")
		}
		return action.NoEffect("a receiver may show nothing", "Sent %s to %s: result %s.", in.Action, in.ComponentClass,
			m[1]), nil
	})
}

type homeIn struct {
	action.Expect
	action.Note
}

func pressHome() tool.Tool {
	s := set.Any("pressHome", "Home", "navigation").With(tool.Facts{
		Categories: []string{"NAVIGATION", "MOBILE"}, Sentence: tool.Always("Go to the home screen"),
	})
	s.Platforms = []driver.Platform{driver.AndroidPlatform, driver.IOSPlatform}
	return action.Define(s, func(ctx context.Context, env tool.Env, in homeIn) (*tool.Result, error) {
		return action.At(ctx, env, in.Expect, "Pressed HOME", driver.PressKey{Key: "HOME"})
	})
}
