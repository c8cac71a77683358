package manage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(webtest.Closing(m)) }

// house is a hub with the management tools, and one client.
type house struct {
	*hubtest.Rig
	t      *testing.T
	client *clients.Client
}

func newHouse(t *testing.T, change ...func(*manage.Options)) *house {
	t.Helper()
	h := &house{t: t}
	home := t.TempDir()
	h.Rig = hubtest.New(t, hubtest.Options{Hub: hub.Options{
		Home: home, Sessions: filepath.Join(home, "sessions"), JobAfter: 20 * time.Millisecond, Heartbeat: 10 * time.Millisecond,
		Management: func(hb *hub.Hub) []tool.Tool {
			o := manage.Options{
				Sessions: filepath.Join(home, "sessions"), Version: "test",
				Config: func(ws string) (*config.Config, error) {
					return config.Load(config.Sources{Dir: ws, Env: func(k string) string { return map[string]string{homedir.Env: home}[k] }})
				},
			}
			for _, fn := range change {
				fn(&o)
			}
			return manage.Tools(hb, o)
		},
	}})
	h.client = h.Client("mcp", "claude-code")
	return h
}

// do calls a tool that has to succeed and returns its text and value.
func (h *house) do(name, args string) (string, map[string]any) {
	h.t.Helper()
	return result(h.t, h.Must(h.client, "", name, args))
}

// act calls a tool for a purpose.
func (h *house) act(intent, name, args string) {
	h.t.Helper()
	rep, err := h.Do(h.t.Context(), h.client, calls.Request{Call: tool.Call{Name: name, Args: json.RawMessage(args)}, Intent: intent, From: dispatch.MCP})
	if err == nil {
		err = rep.Result.Err()
	}
	if err != nil {
		h.t.Fatalf("%s %s: %v", name, args, err)
	}
}

// refused calls a tool that has to fail with this kind, and returns what the client reads.
func (h *house) refused(kind fault.Kind, name, args string) string {
	h.t.Helper()
	rep, err := h.Call(h.t.Context(), h.client, "", name, args)
	text := ""
	if err == nil {
		err, text = rep.Result.Err(), rep.Result.Text()
	}
	if fault.KindOf(err) != kind {
		h.t.Fatalf("%s %s = %v, want %s", name, args, err, kind)
	}
	return text + err.Error() + " " + fault.HintOf(err)
}

func result(t *testing.T, rep *calls.Reply) (string, map[string]any) {
	t.Helper()
	v := map[string]any{}
	if len(rep.Result.Value) > 0 {
		if err := json.Unmarshal(rep.Result.Value, &v); err != nil {
			t.Fatal(err)
		}
	}
	return rep.Result.Text(), v
}

func has(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, w := range wants {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in:\n%s", w, text)
		}
	}
}

func (h *house) file(path string) string {
	h.t.Helper()
	data, err := os.ReadFile(filepath.Join(h.Workspace, path))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(data)
}

func (h *house) write(path, text string) {
	h.t.Helper()
	file := filepath.Join(h.Workspace, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// TestSpecs proves that every tool the founding documents name is there (R201, R204, R206, R214), described, in a
// category and annotated as what it is, with enumerations in its schema (R202).
func TestSpecs(t *testing.T) {
	h := newHouse(t)
	reg := h.Tools(h.client)
	for _, name := range []string{
		"device", "connectToDevice", "session", "endSession", "trail", "trailEdit", "config", "getSessionConfig", "setMode", "setScreenshotFormat",
		"setAutoIncludeScreenshot", "setViewHierarchyVerbosity", "setLlmCallStrategy", "configureSession", "setTargetApp", "switchTargetApp",
		"listToolCategories", "enableToolCategories", "addToolCategory", "removeToolCategory", "focusOnCategory", "useMinimalTools",
		"useStandardTools", "useTestingTools", "switchToolSet", "toolbox", "job", "status", "cancel", "getAgentMetrics", "clearAgentMetrics",
		"runPrompt", "reloadTools",
	} {
		tl, ok := reg.Get(name)
		if !ok {
			t.Errorf("there is no tool %s", name)
			continue
		}
		s := tl.Spec()
		if !h.IsManagement(name) || s.Description == "" || s.Title == "" || s.Recordable || !s.ExposedToLLM || !slices.Contains(s.Groups, manage.Group) {
			t.Errorf("%s: management %t, described %t, titled %t, recordable %t, groups %v", name, h.IsManagement(name), s.Description != "",
				s.Title != "", s.Recordable, s.Groups)
		}
		if len(toolset.Of(s)) == 0 {
			t.Errorf("%s is in no category", name)
		}
		if raw, err := json.Marshal(s.Output); err != nil || len(raw) > 3000 {
			t.Errorf("the output schema of %s has %d bytes: %v", name, len(raw), err)
		}
	}
	queries := []string{"getSessionConfig", "listToolCategories", "toolbox", "status", "getAgentMetrics"}
	for _, tl := range reg.All() {
		s := tl.Spec()
		if h.IsManagement(s.Name) && s.ExposedToLLM && (s.Kind == tool.Query) != slices.Contains(queries, s.Name) {
			t.Errorf("%s is a %s", s.Name, s.Kind)
		}
	}
	for name, want := range map[string]string{"setMode": `"TRAILBLAZE_AGENT_WHILE_LOOP"`, "setScreenshotFormat": `"IMAGE_CONTENT"`,
		"setViewHierarchyVerbosity": `"FULL"`,
		"setLlmCallStrategy":        `"MCP_SAMPLING"`, "addToolCategory": `"TABS"`, "enableToolCategories": `"TABS"`, "session": `"SAVE"`,
		"configureSession": `"MINIMAL"`} {
		tl, _ := reg.Get(name)
		if raw, err := json.Marshal(tl.Spec().Input); err != nil || !strings.Contains(string(raw), want) {
			t.Errorf("the schema of %s does not list %s (R202): %s", name, want, raw)
		}
	}
	for _, name := range []string{"session", "endSession", "trailEdit", "clearAgentMetrics"} {
		if tl, _ := reg.Get(name); !tl.Spec().Destructive {
			t.Errorf("%s can delete and does not say so", name)
		}
	}
}

func TestDevices(t *testing.T) {
	h := newHouse(t)
	text, _ := h.do("device", `{"action":"LIST"}`)
	has(t, text, "web, available")
	text, _ = h.do("device", `{"action":"WEB","viewport":"800x600","headless":false}`)
	has(t, text, "Connected to web")
	if got := h.Provider.Device("web").Spec; got.Viewport != "800x600" || got.Headless == nil || *got.Headless {
		t.Errorf("opened with %+v", got)
	}
	text, _ = h.do("device", `{"action":"CREATE_WEB"}`)
	has(t, text, "Connected to web/2")
	text, _ = h.do("device", `{"action":"create_web","deviceId":"checkout"}`)
	has(t, text, "Connected to web/checkout")
	has(t, h.refused(fault.Conflict, "device", `{"action":"CREATE_WEB","deviceId":"web/checkout"}`), "CONNECT")
	if got := h.client.State().Device; got != "web/checkout" {
		t.Errorf("the calls go to %s", got)
	}
	text, _ = h.do("connectToDevice", `{"trailblazeDeviceId":"web"}`)
	has(t, text, "Connected to web.")
	text, _ = h.do("device", `{"action":"INFO"}`)
	has(t, text, "web, open", "yours")
	text, v := h.do("device", `{"action":"DISCONNECT","deviceId":"web/2"}`)
	has(t, text, "Closed web/2")
	if n := len(v["devices"].([]any)); n != 2 {
		t.Errorf("%d devices are left, want two: %s", n, text)
	}
	has(t, h.refused(fault.Unavailable, "device", `{"action":"ANDROID"}`), "no ANDROID device")
	h.refused(fault.NotFound, "device", `{"action":"INFO","deviceId":"web/nowhere"}`)
	h.write("state.json", `{"cookies":[]}`)
	h.do("device", `{"action":"CREATE_WEB","storageState":"state.json"}`)
	h.refused(fault.Denied, "device", `{"action":"CREATE_WEB","storageState":"../../etc/passwd"}`)
	h.refused(fault.NotFound, "device", `{"action":"CREATE_WEB","storageState":"none.json"}`)
}

// An agent reserves a phone by what it can do; another one is told who has it since when, in the refusal and in the list.
func TestReserveOverMCP(t *testing.T) {
	h := newHouse(t)
	h.Provider.Phones = []string{"android/p1", "android/p2"}
	text, v := h.do("device", `{"action":"RESERVE","deviceId":"android/*","requires":["api>=2"],"limitMs":60000}`)
	has(t, text, "Reserved android/p2", "make no call on it for 1 min.", "reserved by you for", "yours")
	if l := v["devices"].([]any)[0].(map[string]any); l["reserved"] == nil {
		t.Errorf("its line: %v", l)
	}
	h.client = h.Client("mcp", "another")
	text, _ = h.do("device", `{"action":"LIST"}`)
	has(t, text, "android/p2, open", "reserved by claude-code for")
	has(t, h.refused(fault.Busy, "device", `{"action":"CONNECT","deviceId":"android/p2"}`), "reserved by claude-code (client tb_")
	text = h.refused(fault.Busy, "device", `{"action":"RESERVE","deviceId":"android/p2","timeoutMs":1}`)
	has(t, text, "reserved by claude-code", "Wait for longer")
	h.refused(fault.Invalid, "device", `{"action":"RESERVE","deviceId":"android/*","requires":["memory>=2"]}`)
	text, _ = h.do("device", `{"action":"RESERVE","deviceId":"android/*","timeoutMs":1}`)
	has(t, text, "Reserved android/p1")
}

// TestSession proves that a session begins by itself and records everything (R10), that saving is explicit (R11), and
// that what was done is saved while the session runs, after it ended, and after the daemon died.
func TestSession(t *testing.T) {
	h := newHouse(t)
	text, _ := h.do("session", `{"action":"INFO"}`)
	has(t, text, "No session runs")
	h.refused(fault.NotFound, "session", `{"action":"SAVE","title":"Nothing"}`)
	h.act("Search", "web_type", `{"ref":"e1","text":"lamp"}`)
	h.act("Search", "web_click", `{"ref":"e2"}`)
	h.act("", "web_click", `{"ref":"e3"}`)
	text, _ = h.do("session", `{"action":"INFO"}`)
	has(t, text, "on web, live, 3 actions")
	if _, err := os.Stat(filepath.Join(h.Workspace, "trails")); err == nil {
		t.Error("something was saved unasked")
	}
	text, v := h.do("session", `{"action":"RECORDING"}`)
	has(t, text, "2 steps, 3 actions", "step: Search", "Click the link “Cart”", "ariaNameRegex: Buy")
	if _, ok := v["trail"].(string); !ok {
		t.Errorf("value %v", v)
	}
	h.refused(fault.Invalid, "session", `{"action":"SAVE"}`) // a device's name is no title
	text, v = h.do("session", `{"action":"SAVE","title":"Buy a lamp"}`)
	has(t, text, "Saved trails/buy-a-lamp.trail.yaml: 2 steps, 3 actions", "of the category TRAIL")
	if v["saved"].(map[string]any)["change"] != "created" {
		t.Errorf("value %v", v)
	}
	has(t, h.file("trails/buy-a-lamp.trail.yaml"), "title: Buy a lamp")

	h.act("Look", "web_verifyElementVisible", `{"nodeSelector":{"web":{"ariaRole":"heading"}}}`)
	has(t, h.refused(fault.Conflict, "session", `{"action":"SAVE","title":"Buy a lamp"}`), "overwrite", "+")
	h.do("session", `{"action":"SAVE","title":"Buy a lamp","overwrite":true}`)
	has(t, h.file("trails/buy-a-lamp.trail.yaml"), "verify: Look")
	h.refused(fault.Denied, "session", `{"action":"SAVE","path":"../../x","title":"x"}`)

	_, v = h.do("session", `{"action":"STOP"}`)
	id := v["sessions"].([]any)[0].(map[string]any)["id"].(string)
	text, _ = h.do("session", `{"action":"SAVE","title":"After the end"}`)
	has(t, text, "3 steps, 4 actions")
	text, _ = h.do("session", `{"action":"ARTIFACTS"}`)
	has(t, text, "events.ndjson")

	h.act("Once more", "web_click", `{"ref":"e2"}`)
	h.Crash()
	h.client = h.Client("mcp", "again")
	text, _ = h.do("session", `{"action":"LIST"}`)
	has(t, text, id, "lost")
	text, _ = h.do("session", `{"action":"SAVE","id":"last","title":"After the crash"}`)
	has(t, text, "action")
	has(t, h.file("trails/after-the-crash.trail.yaml"), "step: Once more")

	h.do("session", `{"action":"DELETE","id":"`+id+`"}`)
	h.refused(fault.NotFound, "session", `{"action":"INFO","id":"`+id+`"}`)
	h.refused(fault.Invalid, "session", `{"action":"DELETE"}`)
}

// TestTwoAtOneDevice proves that what two clients do in turns on one device is recorded in the order it happened, each
// under the purpose of who did it.
func TestTwoAtOneDevice(t *testing.T) {
	h := newHouse(t)
	other := &house{Rig: h.Rig, t: t, client: h.Client("mcp", "cursor")}
	h.act("Mine", "web_click", `{"ref":"e2"}`)
	other.act("Theirs", "web_click", `{"ref":"e3"}`)
	h.act("Mine", "web_click", `{"ref":"e2"}`)
	for _, who := range []*house{h, other} {
		text, _ := who.do("session", `{"action":"RECORDING","title":"Both"}`)
		has(t, text, "3 steps, 3 actions")
		first, last := strings.Index(text, "step: Mine"), strings.LastIndex(text, "step: Mine")
		if theirs := strings.Index(text, "step: Theirs"); theirs < first || theirs > last {
			t.Errorf("the steps are not in order:\n%s", text)
		}
	}
}

// TestSaveAfterwards proves that what was done can be saved without naming its session when the device was closed, and
// when the daemon was stopped and another took its place.
func TestSaveAfterwards(t *testing.T) {
	h := newHouse(t)
	h.act("Buy", "web_click", `{"ref":"e2"}`)
	text, _ := h.do("device", `{"action":"DISCONNECT"}`)
	has(t, text, "can still be saved")
	text, v := h.do("session", `{"action":"SAVE","title":"Closed"}`)
	has(t, text, "1 step, 1 action", "made of session")
	if v["saved"] == nil {
		t.Errorf("value %v", v)
	}

	other := h.Client("mcp", "cursor") // has ended nothing itself
	rep := h.Must(other, "", "session", `{"action":"RECORDING","title":"Same"}`)
	has(t, rep.Result.Text(), "step: Buy")
	elsewhere, err := h.Hub.Client("", clients.Identity{Kind: "mcp", Name: "far", Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := h.Call(t.Context(), elsewhere, "", "session", `{"action":"RECORDING"}`); err != nil || fault.KindOf(rep.Result.Err()) != fault.NotFound {
		t.Errorf("another workspace gets %v, %v", rep, err)
	}
}

// TestSettings proves that each session has its own settings (R198, R274), that all ways to change them are one, and
// that a change is told to whoever lists tools (R194).
func TestSettings(t *testing.T) {
	h := newHouse(t)
	other := h.Client("mcp", "cursor")
	told := 0
	defer h.client.Watch(func(_, _ clients.State) { told++ })()
	h.do("setScreenshotFormat", `{"format":"IMAGE_CONTENT"}`)
	h.do("setAutoIncludeScreenshot", `{"enabled":true}`)
	h.do("setViewHierarchyVerbosity", `{"verbosity":"full"}`)
	h.do("setLlmCallStrategy", `{"strategy":"MCP_SAMPLING"}`)
	h.do("setTargetApp", `{"appTargetId":"shop"}`)
	h.do("config", `{"action":"SET","key":"max-tokens","value":"500"}`)
	st := h.client.State()
	if st.ScreenshotFormat != toolset.ImageContent || !st.AutoScreenshot || st.Verbosity != toolset.Full ||
		st.Strategy != toolset.MCPSampling || st.Target != "shop" || st.MaxTokens != 500 {
		t.Errorf("state %+v", st)
	}
	if told != 6 {
		t.Errorf("%d changes were told, want 6", told)
	}
	if o := other.State(); o.AutoScreenshot || o.Target != "" || o.Verbosity == toolset.Full {
		t.Errorf("another session changed with it: %+v", o)
	}
	text, _ := h.do("configureSession", `{"autoIncludeScreenshot":false,"maxTokens":0,"mode":"TRAILBLAZE_AS_AGENT"}`)
	has(t, text, "needs a language model", "MCP_CLIENT_AS_AGENT")
	if st := h.client.State(); st.AutoScreenshot || st.MaxTokens != 0 || !st.Mode.Thinks() || told != 7 {
		t.Errorf("state %+v after %d changes", st, told)
	}
	h.refused(fault.Invalid, "config", `{"action":"SET","key":"mode","value":"NOBODY"}`)
	text, _ = h.do("getSessionConfig", `{}`)
	has(t, text, h.client.ID(), "mode: TRAILBLAZE_AS_AGENT", "targetApp: shop", "workspace: ")
	text, _ = h.do("config", `{"action":"GET","key":"targetApp"}`)
	has(t, text, "targetApp: shop")
	h.do("setMode", `{"mode":"MCP_CLIENT_LIKE_GOOSE_AS_AGENT"}`)
}

func TestSettingsInFiles(t *testing.T) {
	h := newHouse(t)
	text, _ := h.do("config", `{"action":"SET","key":"viewport","value":"1440x900"}`)
	has(t, text, "viewport is 1440x900 in", "trailblaze.yaml")
	text, _ = h.do("config", `{"action":"GET","key":"viewport"}`)
	has(t, text, "1440x900", "trailblaze.yaml")
	text, _ = h.do("config", `{"action":"LIST"}`)
	has(t, text, "viewport: 1440x900", "mode: ", "jobs: 1")
	has(t, h.refused(fault.Invalid, "config", `{"action":"SET","key":"viewport","value":"big"}`), "1280x800")
	for _, k := range config.Keys() {
		if k.Owner != config.ProjectSets {
			h.refused(fault.Denied, "config", `{"action":"SET","key":"`+k.Name+`","value":"1"}`)
		}
	}
	rep, err := h.Call(t.Context(), h.client, "", "config", `{"action":"SET","key":"viewprt","value":"1"}`)
	if err == nil {
		err = rep.Result.Err()
	}
	if err == nil || !strings.Contains(fault.HintOf(err), "viewport") {
		t.Errorf("an unknown key = %v, %s", err, fault.HintOf(err))
	}
}

// TestCategories proves that tools come and go for one session only (R204, R274).
// R97: a client has a toolset listed for itself, also one that is off by default; of one that there is not it is told.
func TestToolsetsOfAClient(t *testing.T) {
	h := newHouse(t)
	other := h.Client("mcp", "cursor")
	text := h.refused(fault.NotFound, "config", `{"action":"SET","key":"toolsets","value":"web_cor"}`)
	has(t, text, `no toolset "web_cor"`, "web_core")
	h.do("config", `{"action":"SET","key":"toolsets","value":"tabs, web_framework"}`)
	if on := h.Hub.Listed(h.client).Groups; !slices.Equal(on, []string{"tabs", "web_framework"}) {
		t.Errorf("listed are %v", on)
	}
	if on := h.Hub.Listed(other).Groups; len(on) != 0 {
		t.Errorf("another client sees %v", on)
	}
	text, _ = h.do("toolbox", `{"search":"web_listTabs"}`)
	has(t, text, "web_listTabs")
	h.do("config", `{"action":"SET","key":"toolsets","value":""}`)
	if on := h.Hub.Listed(h.client).Groups; len(on) != 0 {
		t.Errorf("still listed are %v", on)
	}
}

func TestCategories(t *testing.T) {
	h := newHouse(t)
	other := h.Client("mcp", "cursor")
	text, v := h.do("addToolCategory", `{"category":"TABS"}`)
	has(t, text, "web_listTabs", "TABS")
	if !slices.Contains(v["tools"].([]any), any("web_click")) {
		t.Errorf("what was there is gone: %v", v["tools"])
	}
	text, _ = h.do("removeToolCategory", `{"category":"tabs"}`)
	has(t, text, "Gone", "web_listTabs")
	text, _ = h.do("focusOnCategory", `{"category":"MEMORY"}`)
	has(t, text, "Gone", "web_click")
	h.do("useTestingTools", `{}`)
	if c := h.client.State().Categories; !slices.Contains(c, toolset.Verification) || !slices.Contains(c, toolset.Memory) {
		t.Errorf("testing tools are %v", c)
	}
	for _, preset := range []string{"useMinimalTools", "useStandardTools", "useTestingTools"} {
		_, v = h.do(preset, `{}`)
		for _, way := range []string{"useMinimalTools", "useStandardTools", "useTestingTools"} {
			if !slices.Contains(v["tools"].([]any), any(way)) {
				t.Errorf("after %s there is no %s: %v", preset, way, v["tools"])
			}
		}
	}
	h.do("enableToolCategories", `{"categories":["OBSERVATION","OBSERVATION","observation"]}`)
	if c := h.client.State().Categories; len(c) != 1 {
		t.Errorf("categories %v, want one", c)
	}
	text, _ = h.do("switchToolSet", `{"preset":"default"}`)
	has(t, text, "DEFAULT", "web_click")
	if c := other.State().Categories; len(c) != len(toolset.DefaultCategories()) {
		t.Errorf("another session's tools changed: %v", other.State().Categories)
	}
	text, _ = h.do("listToolCategories", `{}`)
	has(t, text, "CORE_INTERACTION", "TABS", "tabs, popups")
	h.refused(fault.Invalid, "addToolCategory", `{"category":"NONSENSE"}`)
	h.do("focusOnCategory", `{"category":"TABS"}`)
	h.refused(fault.Invalid, "removeToolCategory", `{"category":"TABS"}`)
}

func TestToolbox(t *testing.T) {
	h := newHouse(t)
	text, _ := h.do("toolbox", `{}`)
	has(t, text, "this session lists", "NETWORK")
	text, _ = h.do("toolbox", `{"search":"dialog answer"}`)
	has(t, text, "web_handleDialog", "[TABS]")
	text, _ = h.do("toolbox", `{"name":"web_click"}`)
	has(t, text, "arguments", `"ref"`)
	text, _ = h.do("toolbox", `{"category":"TABS","platform":"web"}`)
	has(t, text, "web_listTabs")
	has(t, h.refused(fault.NotFound, "toolbox", `{"name":"web_clik"}`), "web_click")
	h.refused(fault.NotFound, "toolbox", `{"search":"no tool says this"}`)
}

// TestJobs proves that status and cancel answer while a call is stuck, and that a long call's result is fetched by its
// job (R217).
func TestJobs(t *testing.T) {
	h := newHouse(t)
	h.do("device", `{"action":"WEB"}`)
	done := make(chan error, 1)
	go func() {
		rep, err := h.Call(t.Context(), h.client, "", "demo_wait", `{}`)
		if err == nil {
			err = rep.Result.Err()
		}
		done <- err
	}()
	waittest.Await(t, h.Provider.Device("web").Entered(), "the call begins")
	text, _ := h.do("status", `{}`)
	has(t, text, "demo_wait runs on web", h.client.ID())
	begun := time.Now()
	text, _ = h.do("cancel", `{}`)
	has(t, text, "Cancelled 1 call")
	if err := waittest.Await(t, done, "the call ends"); fault.KindOf(err) != fault.Canceled {
		t.Errorf("the call ended with %v", err)
	}
	if took := time.Since(begun); took > testtime.Within(2*time.Second) {
		t.Errorf("cancelling took %s", took)
	}
	text, _ = h.do("cancel", `{}`)
	has(t, text, "Nothing of this session runs")
	text, _ = h.do("job", `{"action":"LIST"}`)
	has(t, text, "No job")
	h.refused(fault.NotFound, "job", `{"action":"WAIT"}`)
}

// counted is what internal/serve/metrics is to the management tools.
type counted struct{ cleared []string }

func (c *counted) AgentMetrics(id string) json.RawMessage {
	return json.RawMessage(`{"calls":3,"clientId":"` + id + `"}`)
}
func (c *counted) ClearAgentMetrics(id string) { c.cleared = append(c.cleared, id) }

// TestAgentMetrics proves that each client sees and clears its own (R214).
func TestAgentMetrics(t *testing.T) {
	c := &counted{}
	h := newHouse(t, func(o *manage.Options) { o.Metrics = c })
	text, v := h.do("getAgentMetrics", `{}`)
	has(t, text, `"calls":3`)
	if v["clientId"] != h.client.ID() {
		t.Errorf("value %v", v)
	}
	h.do("clearAgentMetrics", `{}`)
	if len(c.cleared) != 1 || c.cleared[0] != h.client.ID() {
		t.Errorf("cleared %v", c.cleared)
	}
	none := newHouse(t)
	none.refused(fault.Unsupported, "getAgentMetrics", `{}`)
}

// TestJobResult proves that a call that outlasts its client's patience goes on as a job, whose result is fetched, and
// that a job is nobody else's (R217).
func TestJobResult(t *testing.T) {
	h := newHouse(t, func(*manage.Options) {})
	h.do("device", `{"action":"WEB"}`)
	release := h.Provider.Device("web").Hold()
	defer release()
	rep, err := h.Do(t.Context(), h.client, calls.Request{Call: call("web_click", `{"ref":"e2"}`), Detach: true})
	if err != nil || rep.Job == "" {
		t.Fatalf("reply %+v, %v", rep, err)
	}
	text, _ := h.do("job", `{"action":"STATUS"}`)
	has(t, text, rep.Job, "web_click", "running")
	text, _ = h.do("job", `{"action":"WAIT","timeoutMs":1}`)
	has(t, text, "running")
	heard, enough := context.WithCancel(t.Context())
	_, err = h.Do(heard, h.client, calls.Request{Call: call("job", `{}`), Progress: func(p calls.Progress) {
		if strings.Contains(p.Message, "web_click has been running") { // what the job says reaches who waits for it
			enough()
		}
	}})
	if fault.KindOf(err) != fault.Canceled {
		t.Errorf("the wait ended with %v", err)
	}
	other := &house{Rig: h.Rig, t: t, client: h.Client("mcp", "cursor")}
	other.refused(fault.NotFound, "job", `{"action":"WAIT","id":"`+rep.Job+`"}`)
	release()
	text, _ = h.do("job", `{"id":"`+rep.Job+`"}`) // as the reply of a call that became a job says
	has(t, text, "done", "Clicked")
	text, _ = h.do("job", `{"action":"CANCEL","id":"`+rep.Job+`"}`)
	has(t, text, "over already")
}

// TestRunPromptWithoutModel proves that the answer says exactly what is missing, and that the rest goes on (R216).
func TestRunPromptWithoutModel(t *testing.T) {
	h := newHouse(t)
	has(t, h.refused(fault.Unsupported, "runPrompt", `{"steps":["Log in"]}`), "language model", "llm:", "MCP_CLIENT_AS_AGENT")
	h.refused(fault.Invalid, "runPrompt", `{}`)
	h.act("", "web_click", `{"ref":"e2"}`)
}

func call(name, args string) tool.Call { return tool.Call{Name: name, Args: json.RawMessage(args)} }

// TestNestedCallsSeeTheirWorkspace: what a tool of one workspace calls, as a hostile server does through the callback,
// reaches no device, session, screen or call of another workspace, whatever it names. Its client itself may.
func TestNestedCallsSeeTheirWorkspace(t *testing.T) {
	ids := make(chan tool.Invoked, 1)
	h := newHouse(t)
	h.Rig = hubtest.New(t, hubtest.Options{
		Tools: []tool.Tool{tool.Define(tool.Spec{Name: "demo_hand", Description: "Hands out its ids.", Kind: tool.Action},
			func(ctx context.Context, env tool.Env, _ struct{}) (string, error) {
				ids <- env.(tool.Invoked)
				<-ctx.Done()
				return "", context.Cause(ctx)
			})},
		Hub: hub.Options{Home: h.Home, Sessions: filepath.Join(h.Home, "sessions"), Management: func(hb *hub.Hub) []tool.Tool {
			return manage.Tools(hb, manage.Options{Sessions: filepath.Join(h.Home, "sessions")})
		}},
	})
	h.client = h.Client("mcp", "claude-code")
	b, err := h.Hub.Client("", clients.Identity{Kind: "mcp", Name: "far", Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	h.Must(b, "", "device", `{"action":"CREATE_WEB","deviceId":"web/theirs"}`)
	h.Must(b, "", "web_click", `{"ref":"e2"}`)
	theirs := h.Hub.Sessions()[0].ID
	h.act("", "web_click", `{"ref":"e2"}`)

	done := make(chan error, 1)
	go func() {
		_, err := h.Call(t.Context(), h.client, "", "demo_hand", `{}`)
		done <- err
	}()
	who := waittest.Await(t, ids, "the call of the server begins")
	back := func(name, args string) string {
		t.Helper()
		res, err := h.Hub.ResumeIn(t.Context(), who.SessionID(), who.InvocationID(), call(name, args))
		if err != nil {
			return err.Error()
		}
		if err := res.Err(); err != nil {
			return err.Error()
		}
		return res.Text()
	}
	for _, c := range [][2]string{
		{"device", `{"action":"LIST","detail":"FULL"}`}, {"device", `{"action":"INFO","deviceId":"web/theirs"}`},
		{"status", `{"all":true}`}, {"session", `{"action":"LIST","limit":50}`},
	} {
		if said := back(c[0], c[1]); strings.Contains(said, theirs) || strings.Contains(said, "web/theirs, ") || strings.Contains(said, "far") {
			t.Errorf("%s %s tells of another workspace: %s", c[0], c[1], said)
		}
	}
	for _, c := range [][3]string{
		{"device", `{"action":"DISCONNECT","deviceId":"web/theirs"}`, "another workspace"},
		{"device", `{"action":"CONNECT","deviceId":"web/theirs"}`, "another workspace"},
		{"awaitScreen", `{"deviceId":"web/theirs"}`, "another workspace"},
		{"session", `{"action":"STOP","id":"` + theirs + `"}`, "no session"},
		{"session", `{"action":"RECORDING","id":"` + theirs + `"}`, "no session"},
		{"session", `{"action":"DELETE","id":"` + theirs + `"}`, "no session"},
	} {
		if said := back(c[0], c[1]); !strings.Contains(said, c[2]) {
			t.Errorf("%s %s = %s, want a refusal", c[0], c[1], said)
		}
	}
	if _, err := h.Hub.ResumeIn(t.Context(), "", "", call("demo_echo", `{}`)); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a callback without an id: %v", err)
	}
	if st := h.Hub.Sessions(); len(st) != 2 || h.client.State().Device == "web/theirs" {
		t.Errorf("sessions %v, device %s", st, h.client.State().Device)
	}
	h.do("cancel", `{}`)
	<-done
	text, _ := h.do("device", `{"action":"INFO","deviceId":"web/theirs"}`)
	has(t, text, "web/theirs")
}

// TestSaveSaysWhose: a save of a session in which others acted, too, says who did how much. Who acted alone hears nothing.
func TestSaveSaysWhose(t *testing.T) {
	h := newHouse(t)
	h.act("Search", "web_type", `{"ref":"e1","text":"lamp"}`)
	text, _ := h.do("session", `{"action":"SAVE","title":"Alone"}`)
	if strings.Contains(text, "others acted") {
		t.Error(text)
	}
	own := h.client
	h.client = h.Client("mcp", "goose")
	h.act("Look", "web_click", `{"ref":"e2"}`)
	h.client = own
	text, v := h.do("session", `{"action":"SAVE","title":"Shared"}`)
	if said := fmt.Sprint(text, v["warnings"]); !strings.Contains(said, "1 action of goose") {
		t.Error(said)
	}
}
