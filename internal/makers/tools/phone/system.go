package phone

import (
	"context"
	"encoding/base64"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type detailedIn struct {
	IncludeSystemApps *bool `json:"includeSystemApps,omitempty" default:"true" jsonschema:"also those that came with the system"`
	action.Note
}

type appOut struct {
	AppID       string `json:"appId"`
	VersionCode int64  `json:"versionCode,omitempty"`
	System      bool   `json:"system" jsonschema:"it came with the system"`
}

type detailedOut struct {
	Apps []appOut `json:"apps"`
}

// Text implements tool.Texter.
func (o detailedOut) Text() string {
	lines := make([]string, 0, len(o.Apps))
	for _, a := range o.Apps {
		line := a.AppID + " " + strconv.FormatInt(a.VersionCode, 10)
		if a.System {
			line += " (system)"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func listInstalledAppsDetailed() tool.Tool {
	s := android("mobile_listInstalledAppsDetailed", "List apps in detail", "mobile_primitives").With(tool.Facts{
		Categories: []string{"DEVICE"}, Effects: &tool.Effects{},
	})
	s.Kind, s.Recordable = tool.Query, false
	return tool.Define(s, func(ctx context.Context, env tool.Env, in detailedIn) (detailedOut, error) {
		const op = "list apps"
		own, err := packages(ctx, env, "-3")
		if err != nil {
			return detailedOut{}, fault.Wrap(err, "", op)
		}
		out := detailedOut{Apps: own}
		if in.IncludeSystemApps == nil || *in.IncludeSystemApps {
			system, err := packages(ctx, env, "-s")
			if err != nil {
				return detailedOut{}, fault.Wrap(err, "", op)
			}
			for _, a := range system {
				a.System = true
				out.Apps = append(out.Apps, a)
			}
		}
		slices.SortFunc(out.Apps, func(a, b appOut) int { return strings.Compare(a.AppID, b.AppID) })
		return out, nil
	})
}

// packages lists the apps of a kind: `package:com.example versionCode:12`.
func packages(ctx context.Context, env tool.Env, kind string) ([]appOut, error) {
	res, err := run(ctx, env, "pm list packages --show-versioncode "+kind)
	if err != nil {
		return nil, err
	}
	if res.ExitCode != 0 {
		return nil, fault.New(fault.Unavailable, "ask pm", "pm says: %.300s", strings.TrimSpace(res.Stdout+" "+res.Stderr))
	}
	out := []appOut{}
	for line := range strings.Lines(res.Stdout) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		id, ok := strings.CutPrefix(f[0], "package:")
		if !ok {
			continue
		}
		a := appOut{AppID: id}
		if len(f) > 1 {
			a.VersionCode, _ = strconv.ParseInt(strings.TrimPrefix(f[1], "versionCode:"), 10, 64)
		}
		out = append(out, a)
	}
	return out, nil
}

type opsIn struct {
	AppID      string `json:"appId" jsonschema:"the app's id"`
	Permission string `json:"permission" jsonschema:"such as MANAGE_EXTERNAL_STORAGE"`
	action.Note
}

func grantAppOpsPermission() tool.Tool {
	s := android("android_grantAppOpsPermission", "Grant app operation", "android_primitives").With(grants)
	return action.Define(s, func(ctx context.Context, env tool.Env, in opsIn) (*tool.Result, error) {
		if err := must(ctx, env, "grant app operation", "appops", "set", in.AppID, in.Permission, "allow"); err != nil {
			return nil, err
		}
		return action.NoEffect("a permission shows nothing until the app uses it", "Granted %s to %s.",
			in.Permission, in.AppID), nil
	})
}

// writes are the facts of a tool that changes files or settings of the phone.
var writes = tool.Facts{Idempotent: true, Effects: &tool.Effects{Does: []string{"write"}}}

type demoIn struct {
	Enable *bool `json:"enable,omitempty" default:"true" jsonschema:"false shows the real status bar again"`
	action.Note
}

// demo are the broadcasts that give the status bar the same look in every picture.
var demo = [][]string{
	{"-e", "command", "enter"}, {"-e", "command", "clock", "-e", "hhmm", "1200"},
	{"-e", "command", "battery", "-e", "level", "100", "-e", "plugged", "false"},
	{"-e", "command", "network", "-e", "wifi", "show", "-e", "level", "4"},
	{"-e", "command", "notifications", "-e", "visible", "false"},
}

func systemUIDemoMode() tool.Tool {
	s := android("android_systemUiDemoMode", "Demo mode", "android_primitives").With(writes)
	return action.Define(s, func(ctx context.Context, env tool.Env, in demoIn) (*tool.Result, error) {
		const op = "set demo mode"
		said, all := "The status bar shows noon, a full battery and no notifications.", demo
		if in.Enable != nil && !*in.Enable {
			said, all = "The status bar shows what is.", [][]string{{"-e", "command", "exit"}}
		} else if err := must(ctx, env, op, "settings", "put", "global", "sysui_demo_allowed", "1"); err != nil {
			return nil, err
		}
		for _, extras := range all {
			args := append([]string{"am", "broadcast", "-a", "com.android.systemui.demo"}, extras...)
			if err := must(ctx, env, op, args...); err != nil {
				return nil, err
			}
		}
		return action.NoEffect("the status bar belongs to no app", "%s", said), nil
	})
}

// files is a device whose files can be written.
type files interface {
	WriteFile(ctx context.Context, path string, data []byte) error
}

func write(ctx context.Context, env tool.Env, file string, data []byte) (*tool.Result, error) {
	const op = "write file on the phone"
	to, err := action.Capability[files](env, op)
	if err != nil {
		return nil, err
	}
	if err := to.WriteFile(ctx, file, data); err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	return action.NoEffect("a file shows nowhere until an app reads it", "Wrote %d bytes to %s.", len(data), file), nil
}

type downloadIn struct {
	FileName string `json:"fileName" jsonschema:"a name without folders"`
	Content  string `json:"content" jsonschema:"the text of the file"`
	action.Note
}

func writeFileToDownloads() tool.Tool {
	s := android("android_writeFileToDownloads", "Write download", "android_primitives").With(writes)
	return action.Define(s, func(ctx context.Context, env tool.Env, in downloadIn) (*tool.Result, error) {
		if in.FileName != path.Base(in.FileName) || strings.HasPrefix(in.FileName, ".") {
			return nil, fault.New(fault.Invalid, "write file on the phone", "%q is not the name of a file", in.FileName)
		}
		return write(ctx, env, "/sdcard/Download/"+in.FileName, []byte(in.Content))
	})
}

type bytesIn struct {
	DevicePath    string `json:"devicePath" jsonschema:"path on the phone"`
	Base64Content string `json:"base64Content" jsonschema:"the bytes in base64"`
	action.Note
}

func writeBytesToFile() tool.Tool {
	s := android("android_writeBytesToFile", "Write file", "android_primitives").With(writes)
	return action.Define(s, func(ctx context.Context, env tool.Env, in bytesIn) (*tool.Result, error) {
		const op = "write file on the phone"
		if !path.IsAbs(in.DevicePath) {
			return nil, fault.New(fault.Invalid, op, "%q is no absolute path", in.DevicePath)
		}
		data, err := base64.StdEncoding.DecodeString(in.Base64Content)
		if err != nil {
			return nil, fault.New(fault.Invalid, op, "base64Content: %w", err)
		}
		return write(ctx, env, in.DevicePath, data)
	})
}

type networkIn struct {
	Connected bool `json:"connected" jsonschema:"false turns airplane mode on"`
	action.Note
}

func networkConnection() tool.Tool {
	s := android("networkConnection", "Network connection", "core_interaction").With(writes)
	return action.Define(s, func(ctx context.Context, env tool.Env, in networkIn) (*tool.Result, error) {
		mode, said := "enable", "The phone is in airplane mode."
		if in.Connected {
			mode, said = "disable", "The phone is connected."
		}
		if err := must(ctx, env, "set network connection", "cmd", "connectivity", "airplane-mode", mode); err != nil {
			return nil, err
		}
		return action.NoEffect("the network shows nothing until an app uses it", "%s", said), nil
	})
}
