package phone_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/policy"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// phone is a stand-in with the lines that its shell got.
type phone struct {
	*testing.T
	adb   *adbtest.Phone
	calls *dispatch.Dispatcher
	sess  *session.Session

	mu   sync.Mutex
	said map[string]string // what lines that begin so print
	got  []string
}

// newPhone makes a phone whose project has the target shop, under the policy of a file.
func newPhone(t *testing.T, rules string) *phone {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "trails", "config"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(policy.File)), []byte(rules), 0o644); err != nil {
		t.Fatal(err)
	}
	pol, err := policy.Load(policy.Options{Workspace: root})
	if err != nil {
		t.Fatal(err)
	}
	srv, p := adbtest.Start(t), androidtest.New("p1")
	h := &phone{T: t, adb: p.Adb(), said: map[string]string{}}
	p.Show(androidtest.Label("Home"))
	p.Do(func() { p.Commands = h.shell(p) })
	srv.Set(h.adb)
	d, err := android.Open(t.Context(), android.Options{Server: adb.NewServer(srv.Env())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	reg, err := tool.NewRegistry(tools.BuiltinIn(root, func(_ *memory.Store, on driver.Platform, id string) []string {
		if on == driver.AndroidPlatform && id == "shop" {
			return []string{"com.shop.beta", "com.shop"}
		}
		return nil
	})...)
	if err != nil {
		t.Fatal(err)
	}
	h.calls = dispatch.New(dispatch.Options{Registry: reg, Middleware: []dispatch.Middleware{pol.Middleware()}})
	if h.sess, err = session.Open(t.Context(), session.Options{Device: d}); err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	h.got = nil
	h.mu.Unlock()
	return h
}

func (h *phone) shell(p *androidtest.Phone) func(string, io.Writer, io.Writer) int {
	return func(line string, out, _ io.Writer) int {
		h.mu.Lock()
		defer h.mu.Unlock()
		line = strings.ReplaceAll(line, "'", "")
		h.got = append(h.got, line)
		if strings.HasPrefix(line, "am start") {
			p.Show(androidtest.Label("Shop"))
			p.Do(func() { p.Front = "com.shop" })
		}
		for begin, said := range h.said {
			if strings.HasPrefix(line, begin) {
				_, _ = io.WriteString(out, said)
			}
		}
		return 0
	}
}

// lines are those that were asked of the shell since the last time, but for the log.
func (h *phone) lines() (out []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.got {
		if !strings.HasPrefix(l, "logcat") && !strings.HasPrefix(l, "getprop") {
			out = append(out, l)
		}
	}
	h.got = nil
	return out
}

func (h *phone) call(name, args string) (*tool.Result, error) {
	h.Helper()
	return h.calls.Call(h.Context(), h.sess, dispatch.CLI, tool.Call{Name: name, Args: json.RawMessage(args)})
}

// S4's debug broadcast: a tool of an app sends its receiver what to do, and am says what came of it.
const broadcast = `{"action": "com.shop.DEBUG", "componentPackage": "com.shop", "componentClass": "com.shop.debug.Receiver",
	"extras": [{"key": "feature", "value": "new_cart"}, {"key": "on", "type": "boolean", "value": "true"}]}`

// R24, R33, R224: what a tool of phones has the shell do, and what it says of it.
func TestLines(t *testing.T) {
	h := newPhone(t, "")
	h.said["pm clear"] = "Success\n"
	h.said["am broadcast"] = "Broadcasting: Intent { }\nBroadcast completed: result=7\n"
	h.said["pm list packages --show-versioncode -3"] = "package:com.shop versionCode:12\n"
	h.said["pm list packages --show-versioncode -s"] = "package:android versionCode:35\n"
	h.said["pm list packages"] = "package:com.shop\npackage:android\n"
	for _, tt := range []struct {
		name, args string
		want       []string
		text       string
	}{
		{"adbShell", `{"command": "echo hi | cat"}`, []string{"echo hi | cat"}, ""},
		{"android_adbShell", `{"command": ["ls", "a b"], "runAs": "com.shop"}`, []string{"run-as com.shop ls a b"}, ""},
		{"grantPermission", `{"packageId": "com.shop", "permission": "android.permission.CAMERA"}`,
			[]string{"pm grant com.shop android.permission.CAMERA"}, "Granted"},
		{"android_grantPermissions", `{"appId": "com.shop", "permissions": ["a.B", "a.C"]}`,
			[]string{"pm grant com.shop a.B", "pm grant com.shop a.C"}, "a.B, a.C"},
		{"android_grantAppOpsPermission", `{"appId": "com.shop", "permission": "MANAGE_EXTERNAL_STORAGE"}`,
			[]string{"appops set com.shop MANAGE_EXTERNAL_STORAGE allow"}, "Granted"},
		{"android_sendBroadcast", broadcast, []string{
			"am broadcast -a com.shop.DEBUG -n com.shop/com.shop.debug.Receiver --es feature new_cart --ez on true"}, "result 7"},
		{"android_systemUiDemoMode", `{"enable": false}`, []string{"am broadcast -a com.android.systemui.demo -e command exit"}, ""},
		{"networkConnection", `{"connected": false}`, []string{"cmd connectivity airplane-mode enable"}, "airplane"},
		{"mobile_listInstalledApps", `{}`, []string{"pm list packages"}, "android\ncom.shop"},
		{"mobile_listInstalledAppsDetailed", `{"includeSystemApps": false}`,
			[]string{"pm list packages --show-versioncode -3"}, "com.shop 12"},
		{"mobile_clearAppData", `{"appId": "shop"}`, []string{"pm list packages", "pm clear com.shop"}, "com.shop"},
		{"stopApp", `{"appId": "shop"}`, []string{"pm list packages", "am force-stop com.shop"}, "com.shop"},
		{"openUrl", `{"url": "shop://cart?id=1"}`, []string{"am start -W -a android.intent.action.VIEW -d shop://cart?id=1"}, ""},
	} {
		h.lines()
		res, err := h.call(tt.name, tt.args)
		if err != nil || res.IsError || !strings.Contains(res.Text(), tt.text) {
			t.Errorf("%s: %v %+v", tt.name, err, res)
		}
		if d := cmp.Diff(tt.want, h.lines()); d != "" {
			t.Errorf("%s: lines (-want +got):\n%s", tt.name, d)
		}
	}
}

// R23: a target of the project is the first of its ids that is installed; one of which none is there is said.
func TestLaunchTarget(t *testing.T) {
	h := newPhone(t, "")
	h.said["pm list packages"] = "package:com.shop\n"
	h.said["cmd package resolve-activity"] = "priority=0\ncom.shop/.Main\n"
	h.said["dumpsys package com.shop"] = "    versionCode=12 minSdk=26\n    versionName=3.1\n"
	res, err := h.call("launchApp", `{"appId": "shop", "launchMode": "FORCE_RESTART"}`)
	if err != nil || res.IsError || !strings.Contains(res.Text(), "Launched com.shop 3.1 (12)") {
		t.Fatalf("%v %+v", err, res)
	}
	if said := fmt.Sprint(h.lines()); !strings.Contains(said, "am start -W -n com.shop/.Main") {
		t.Error(said)
	}
	h.said["pm list packages"] = "package:android\n"
	res, err = h.call("launchApp", `{"appId": "shop"}`)
	if said := fmt.Sprint(err, res); !strings.Contains(said, "com.shop.beta, com.shop") {
		t.Error(said)
	}
}

// Each effect is forbidden by its name, whatever the profile is and whichever tool has it.
func TestPolicy(t *testing.T) {
	calls := map[string][][2]string{
		"shell": {{"adbShell", `{"command": "id"}`}, {"android_adbShell", `{"command": ["id"]}`}},
		"clear": {{"clearAppData", `{"packageId": "com.shop"}`}, {"mobile_clearAppData", `{"appId": "com.shop"}`},
			{"launchApp", `{"appId": "com.shop"}`}, {"launchApp", `{"appId": "com.shop", "launchMode": "REINSTALL"}`}},
		"grant": {{"grantPermission", `{"packageId": "com.shop", "permission": "a.B"}`},
			{"android_grantPermissions", `{"appId": "com.shop", "permissions": ["a.B"]}`},
			{"android_grantAppOpsPermission", `{"appId": "com.shop", "permission": "X"}`}},
		"write": {{"android_writeFileToDownloads", `{"fileName": "a.txt", "content": "x"}`},
			{"android_writeBytesToFile", `{"devicePath": "/sdcard/a", "base64Content": "eA=="}`},
			{"android_systemUiDemoMode", `{}`}, {"networkConnection", `{"connected": true}`}},
	}
	for effect, list := range calls {
		for _, rules := range []string{"", "profile: test\n", "profile: ci\n"} {
			allow := ""
			if rules == "profile: ci\n" {
				allow = "allow: ['*'], "
			}
			h := newPhone(t, rules+"actions: {"+allow+"deny: ['effect:"+effect+"']}\nevaluate: allow\n")
			for _, c := range list {
				if _, err := h.call(c[0], c[1]); fault.KindOf(err) != fault.Denied || !strings.Contains(err.Error(), effect) {
					t.Errorf("%q: %s: %v", rules, c, err)
				}
			}
			if got := h.lines(); len(got) > 0 {
				t.Errorf("%s: the phone was asked: %q", effect, got)
			}
			if _, err := h.call("stopApp", `{"appId": "com.shop"}`); err != nil {
				t.Errorf("another effect: %v", err)
			}
		}
	}
	for _, b := range tools.Builtin() {
		if e := b.Spec().Effects; e != nil {
			for _, word := range e.Does {
				if calls[word] == nil {
					t.Errorf("%s does %q, which no policy can name", b.Spec().Name, word)
				}
			}
		}
	}
	h := newPhone(t, "actions: {deny: ['effect:clear']}\n")
	h.said["cmd package resolve-activity"] = "com.shop/.Main\n"
	if _, err := h.call("launchApp", `{"appId": "com.shop", "launchMode": "RESUME"}`); err != nil {
		t.Errorf("a launch that keeps the data: %v", err)
	}
	if _, err := policy.Parse("policy.yaml", []byte("actions: {deny: ['effect:cook']}"), policy.Options{}); err == nil ||
		!strings.Contains(err.Error(), "shell, clear, grant, write") {
		t.Errorf("an effect that there is none: %v", err)
	}
}

func TestWriteFile(t *testing.T) {
	h := newPhone(t, "")
	if _, err := h.call("android_writeFileToDownloads", `{"fileName": "list.txt", "content": "milk"}`); err != nil {
		t.Fatal(err)
	}
	if data, ok := h.adb.File("/sdcard/Download/list.txt"); !ok || string(data) != "milk" {
		t.Errorf("%q %v", data, ok)
	}
	for _, name := range []string{"../x", "a/b", ".hidden", ""} {
		if res, err := h.call("android_writeFileToDownloads", `{"fileName": "`+name+`", "content": "x"}`); err == nil && !res.IsError {
			t.Errorf("%q was written", name)
		}
	}
	if _, err := h.call("android_writeBytesToFile", `{"devicePath": "/data/local/tmp/a", "base64Content": "AAE="}`); err != nil {
		t.Fatal(err)
	}
	if data, _ := h.adb.File("/data/local/tmp/a"); string(data) != "\x00\x01" {
		t.Errorf("%q", data)
	}
}
