package toolset_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// registry is everything that a client's workspace can have: the built-in tools, those that manage, and two of a team.
func registry(t testing.TB) *tool.Registry {
	t.Helper()
	team := func(name string, groups ...string) tool.Tool {
		return tool.Define(tool.Spec{Name: name, Title: name, Description: "A team's own.", Kind: tool.Action, Groups: groups, ExposedToLLM: true},
			func(context, tool.Env, struct {
				Reason string `json:"reason,omitempty" jsonschema:"why it is returned"`
			},
			) (struct{}, error) {
				return struct{}{}, nil
			})
	}
	all := slices.Concat(tools.Builtin(), manage.Tools(nil, manage.Options{}), []tool.Tool{team("shop_login"), team("bank_pay", "bank")})
	reg, err := tool.NewRegistry(all...)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

func names(specs []*tool.Spec) []string {
	out := make([]string, len(specs))
	for i, s := range specs {
		out[i] = s.Name
	}
	return out
}

// listing is a tools/list as a client gets it.
func listing(t testing.TB, specs []*tool.Spec) []byte {
	t.Helper()
	var list []any
	for _, s := range specs {
		h := toolset.HintsOf(s)
		one := map[string]any{
			"name": s.Name, "title": s.Title, "description": s.Description, "inputSchema": toolset.Trim(s),
			"annotations": map[string]any{
				"readOnlyHint": h.ReadOnly, "destructiveHint": h.Destructive, "idempotentHint": h.Idempotent, "openWorldHint": h.OpenWorld,
			},
		}
		if out := toolset.Output(s); out != nil {
			one["outputSchema"] = out
		}
		list = append(list, one)
	}
	b, err := json.Marshal(map[string]any{"tools": list})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// R190, R197: what a new client sees on the web, in this order, and no larger than this.
func TestDefaultProfile(t *testing.T) {
	reg := registry(t)
	want := []string{
		"device", "session", "addToolCategory", "web_navigate", "web_snapshot", "web_click", "web_type", "web_pressKey", "web_selectOption",
		"web_verifyTextVisible",
	}
	team := []string{"bank_pay", "shop_login"}
	for _, v := range []toolset.View{{}, {Platform: driver.WebPlatform, Driver: "PLAYWRIGHT_NATIVE"}, {Mode: "mcp_client_as_agent"},
		{Categories: toolset.DefaultCategories()}} {
		specs := v.Specs(reg)
		if got := names(specs); !slices.Equal(got, slices.Concat(want, team)) {
			t.Errorf("%+v lists %v, want %v and the team's", v, got, want)
		}
		specs = specs[:len(want)]
		size := len(listing(t, specs))
		t.Logf("%d tools, %d bytes", len(specs), size)
		if len(specs) > 10 || size > 12_000 {
			t.Errorf("%d tools in %d bytes; the bound is 10 in 12000", len(specs), size)
		}
		if est := toolset.ListSize(specs); est < size*9/10 || est > size*11/10 {
			t.Errorf("ListSize says %d of %d bytes", est, size)
		}
	}
	phone := names(toolset.View{Platform: driver.AndroidPlatform}.Specs(reg))
	for _, name := range []string{"device", "launchApp", "viewHierarchy", "tap", "inputText", "swipe", "pressBack", "assertVisible"} {
		if !slices.Contains(phone, name) {
			t.Errorf("a phone's default profile lacks %s: %v", name, phone)
		}
	}
}

// Every exposed tool is in a category, and each category but ALL leaves something out.
func TestEveryToolIsInACategory(t *testing.T) {
	reg := registry(t)
	known := toolset.Categories()
	for _, x := range reg.All() {
		s := x.Spec()
		of := toolset.Of(s)
		if len(of) == 0 {
			t.Errorf("%s is in no category", s.Name)
		}
		for _, c := range of {
			if !slices.Contains(known, c) || c == toolset.All || c == toolset.Default {
				t.Errorf("%s is in %q", s.Name, c)
			}
		}
		if s.ExposedToLLM && slices.Contains(of, toolset.Custom) != strings.HasPrefix(s.Description, "A team's own") {
			t.Errorf("%s is in %v", s.Name, of)
		}
	}
	listed := map[string]bool{}
	for _, c := range known {
		if c.Describe() == "" {
			t.Errorf("%s says nothing of itself", c)
		}
		for _, p := range []driver.Platform{driver.WebPlatform, driver.AndroidPlatform} {
			v := toolset.View{Categories: []toolset.Category{c}, Platform: p}
			for _, s := range v.Specs(reg) {
				listed[s.Name] = true
			}
		}
	}
	for _, x := range reg.All() {
		if s := x.Spec(); s.ExposedToLLM && s.Name != "runPrompt" && !listed[s.Name] {
			t.Errorf("no category lists %s", s.Name)
		}
	}
}

// On the web a model is not offered the phone's name for what the web has a better tool for.
func TestOneToolForOneThingOnTheWeb(t *testing.T) {
	reg := registry(t)
	testing_, _ := toolset.Preset("Testing")
	web := names(toolset.View{Categories: testing_, Platform: driver.WebPlatform}.Specs(reg))
	for _, name := range []string{"tap", "inputText", "pressKey", "swipe", "openUrl", "viewHierarchy", "wait"} {
		if slices.Contains(web, name) {
			t.Errorf("the web's testing preset lists %s beside its own", name)
		}
	}
	phone := names(toolset.View{Categories: testing_, Platform: driver.AndroidPlatform}.Specs(reg))
	for _, name := range []string{"tap", "inputText", "swipe", "openUrl", "wait", "launchApp"} {
		if !slices.Contains(phone, name) {
			t.Errorf("a phone's testing preset lacks %s", name)
		}
	}
	if i := slices.IndexFunc(phone, func(n string) bool { return strings.HasPrefix(n, "web_") }); i >= 0 {
		t.Errorf("a phone is offered %s", phone[i])
	}
	for _, c := range []toolset.Category{toolset.Mobile, toolset.All} {
		if got := names(toolset.View{Categories: []toolset.Category{c}}.Specs(reg)); !slices.Contains(got, "tap") {
			t.Errorf("%s does not bring tap on the web: %v", c, got)
		}
	}
}

// R190: a client that wants the primitives by the names that they have on every platform gets these five on a browser.
func TestPrimitives(t *testing.T) {
	got := names(toolset.View{Categories: []toolset.Category{toolset.Primitives}}.Specs(registry(t)))
	for _, name := range []string{"tap", "swipe", "inputText", "getScreenshot", "viewHierarchy"} {
		if !slices.Contains(got, name) {
			t.Errorf("%s is not listed: %v", name, got)
		}
	}
	for _, other := range []string{"web_click", "wait", "longPress", "mobile_setClipboard"} {
		if slices.Contains(got, other) {
			t.Errorf("%s is listed", other)
		}
	}
}

// R191–R193: in the modes that think, there are tasks and settings and no primitives.
func TestModes(t *testing.T) {
	reg := registry(t)
	for _, m := range toolset.Modes() {
		got := names(toolset.View{Mode: m, Categories: []toolset.Category{toolset.All}}.Specs(reg))
		if has := slices.Contains(got, "runPrompt"); m != toolset.ClientAsAgent && !has {
			t.Errorf("%s does not list runPrompt", m)
		}
		if has := slices.Contains(got, "web_click"); has != (m == toolset.ClientAsAgent) {
			t.Errorf("%s lists web_click: %v", m, has)
		}
		if has := slices.Contains(got, "switchToolSet"); m.Thinks() && has != (m == toolset.ClientWithSampling) {
			t.Errorf("%s lists switchToolSet: %v", m, has)
		}
		if !slices.Contains(got, "setMode") {
			t.Errorf("%s has no way back: %v", m, got)
		}
	}
	for alias, m := range map[toolset.Mode]toolset.Mode{ // R196
		"MCP_CLIENT_AS_AGENT": toolset.ClientAsAgent, "trailblaze_as_agent": toolset.AgentWhileLoop, "": toolset.ClientAsAgent,
	} {
		if alias.Canonical() != m {
			t.Errorf("%q is %q", alias, alias.Canonical())
		}
	}
}

// R202, R203: a schema lists the values, aliases too.
func TestEnumsListTheirValues(t *testing.T) {
	type in struct {
		Mode      toolset.Mode               `json:"mode"`
		Format    toolset.ScreenshotFormat   `json:"format"`
		Verbosity toolset.Verbosity          `json:"verbosity"`
		Strategy  toolset.Strategy           `json:"strategy"`
		Transport toolset.AgentToolTransport `json:"transport"`
		Category  toolset.Category           `json:"category"`
	}
	tl := tool.Define(tool.Spec{Name: "x_y", Kind: tool.Query}, func(context, tool.Env, in) (struct{}, error) { return struct{}{}, nil })
	b, err := json.Marshal(tl.Spec().Input())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"MCP_CLIENT_LIKE_GOOSE_AS_AGENT", "TRAILBLAZE_AGENT_WHILE_LOOP", "MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING", "TRAILBLAZE_AGENT_RECURSIVE_MCP",
		"MCP_CLIENT_AS_AGENT", "TRAILBLAZE_AS_AGENT", "IMAGE_CONTENT", "NONE", "MINIMAL", "STANDARD", "FULL", "DIRECT", "MCP_SAMPLING",
		"MCP_IN_PROCESS", "MCP_OVER_HTTP", "CORE_INTERACTION", "VERIFICATION", "ALL",
	} {
		if !strings.Contains(string(b), fmt.Sprintf("%q", want)) {
			t.Errorf("the schema does not list %s", want)
		}
	}
	out, _, err := argument.Normalize(tl.Spec().Input.Get(), json.RawMessage(`{"mode":"mcp_client_as_agent","verbosity":"full"}`))
	if err != nil || !strings.Contains(string(out), `"MCP_CLIENT_AS_AGENT"`) || !strings.Contains(string(out), `"FULL"`) {
		t.Errorf("case is not ignored: %s, %v", out, err)
	}
}

// R205: what choosing categories saves, against listing everything.
func TestSavingAgainstAll(t *testing.T) {
	reg := registry(t)
	size := func(c ...toolset.Category) int {
		return len(listing(t, toolset.View{Categories: c, Platform: driver.WebPlatform}.Specs(reg)))
	}
	all := size(toolset.All)
	t.Logf("ALL %d bytes", all)
	for _, tc := range []struct {
		preset string
		least  int // per cent saved
	}{{"default", 80}, {"minimal", 70}, {"standard", 60}, {"testing", 45}} {
		c, ok := toolset.Preset(tc.preset)
		if !ok {
			t.Fatalf("no preset %s", tc.preset)
		}
		n := size(c...)
		saved := 100 - 100*n/all
		t.Logf("%s %d bytes, saves %d %%", tc.preset, n, saved)
		if saved < tc.least {
			t.Errorf("%s saves %d %%, want %d", tc.preset, saved, tc.least)
		}
	}
}

func TestSummaries(t *testing.T) {
	reg := registry(t)
	v := toolset.View{Categories: []toolset.Category{toolset.Tabs}, Platform: driver.WebPlatform}
	for _, s := range v.Summaries(reg) {
		if s.On != (s.Category == toolset.Tabs) || s.About == "" || (s.Bytes > 0) != (len(s.Tools) > 0) {
			t.Errorf("%+v", s)
		}
		one := names(toolset.View{Categories: []toolset.Category{s.Category}, Platform: driver.WebPlatform}.Specs(reg))
		for _, n := range s.Tools {
			if !slices.Contains(one, n) {
				t.Errorf("%s counts %s and does not list it", s.Category, n)
			}
		}
		if s.Category == toolset.Tabs && !slices.Contains(s.Tools, "web_listTabs") {
			t.Errorf("TABS has %v", s.Tools)
		}
	}
}
