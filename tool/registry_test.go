package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func kindOf(s *jsonschema.Schema) string {
	switch {
	case s == nil:
		return ""
	case s.Type != "":
		return s.Type
	}
	for _, t := range s.Types {
		if t != "null" {
			return t
		}
	}
	return ""
}

func named(s tool.Spec) tool.Tool {
	if s.Kind == "" {
		s.Kind = tool.Query
	}
	return tool.Define(s, func(context.Context, tool.Env, struct{}) (string, error) { return s.Name, nil })
}

// R54: underscores, never dots.
func TestR54ValidName(t *testing.T) {
	for _, tc := range []struct {
		name string
		ok   bool
	}{
		{"tapOn", true}, {"web_click", true}, {"shop_ios_login_v2", true}, {"a", true},
		{"", false}, {"web.click", false}, {"web-click", false}, {"web click", false}, {"web/click", false}, {"_x", false}, {"1x", false},
		{"web__click", false}, {"web_", false}, {"wéb", false}, {strings.Repeat("x", 65), false},
	} {
		if err := tool.ValidName(tc.name); (err == nil) != tc.ok {
			t.Errorf("ValidName(%q) = %v, want ok %v", tc.name, err, tc.ok)
		}
	}
	if hint := fault.HintOf(tool.ValidName("web.click")); !strings.Contains(hint, `"web_click"`) {
		t.Errorf("hint %q, want the corrected name", hint)
	}
}

// R55, R56: tools that teams add have a namespace of their own.
func TestR56ValidCustomName(t *testing.T) {
	for _, tc := range []struct {
		name string
		ok   bool
	}{
		{"shop_login", true}, {"acme_ios_pay", true}, {"webshop_login", true},
		{"login", false}, {"web_login", false}, {"WEB_login", false}, {"mobile_x", false}, {"android_x", false}, {"ios_x", false},
		{"trailblaze_x", false}, {"shop.login", false},
	} {
		if err := tool.ValidCustomName(tc.name); (err == nil) != tc.ok {
			t.Errorf("ValidCustomName(%q) = %v, want ok %v", tc.name, err, tc.ok)
		}
	}
}

// R55, R184: two tools of one name, or of names that only look different, are an error at start; so is any bad name.
func TestR55RegistryRefusesConflicts(t *testing.T) {
	_, err := tool.NewRegistry(named(tool.Spec{Name: "shop_login"}), named(tool.Spec{Name: "shop_login"}), named(tool.Spec{Name: "shopLogin"}),
		named(tool.Spec{Name: "bad.name"}), named(tool.Spec{Name: "demo_kind", Kind: "verb"}))
	if fault.KindOf(err) != fault.Conflict {
		t.Fatalf("err %v", err)
	}
	for _, part := range []string{`two tools are named "shop_login"`, `"shop_login" and "shopLogin" differ only`, "bad.name", `kind "verb"`} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("err %v lacks %q", err, part)
		}
	}
	reg, err := tool.NewRegistry(named(tool.Spec{Name: "b_b"}), named(tool.Spec{Name: "a_a"}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reg.With(named(tool.Spec{Name: "a_a"})); err == nil {
		t.Error("With added a duplicate")
	}
	more, err := reg.With(named(tool.Spec{Name: "c_c"}))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"a_a", "b_b", "c_c"}, more.Names()); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
	if len(reg.All()) != 2 {
		t.Error("With changed the registry it was called on")
	}
}

// R7, R98, R278: listings narrow by platform, driver, group, namespace and what a model may see.
func TestR98Filter(t *testing.T) {
	web := []driver.Platform{driver.WebPlatform}
	reg, err := tool.NewRegistry(
		named(tool.Spec{Name: "web_click", Platforms: web, Groups: []string{"web_core"}, ExposedToLLM: true}),
		named(tool.Spec{Name: "web_helper", Platforms: web, Groups: []string{"web_core"}}),
		named(tool.Spec{Name: "tapOn", Platforms: []driver.Platform{driver.AndroidPlatform, driver.IOSPlatform}, Groups: []string{"core"}, ExposedToLLM: true}),
		named(tool.Spec{Name: "android_shell", Drivers: []string{"ANDROID_ACCESSIBILITY"}, ExposedToLLM: true}),
		named(tool.Spec{Name: "remember", ExposedToLLM: true}),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		f    tool.Filter
		want []string
	}{
		{"all", tool.Filter{}, []string{"android_shell", "remember", "tapOn", "web_click", "web_helper"}},
		{"platform, any case", tool.Filter{Platform: "WEB"}, []string{"android_shell", "remember", "web_click", "web_helper"}},
		{"driver", tool.Filter{Driver: "PLAYWRIGHT_NATIVE", Platform: "web"}, []string{"remember", "web_click", "web_helper"}},
		{"driver in its other spelling", tool.Filter{Driver: "android-accessibility", Prefix: "android_"}, []string{"android_shell"}},
		{"exposed", tool.Filter{Exposed: true, Platform: "web", Driver: "PLAYWRIGHT_NATIVE"}, []string{"remember", "web_click"}},
		{"group", tool.Filter{Groups: []string{"web_core"}, Exposed: true}, []string{"web_click"}},
		{"prefix (R248)", tool.Filter{Prefix: "web_"}, []string{"web_click", "web_helper"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := []string{}
			for _, tt := range reg.Filter(tc.f) {
				got = append(got, tt.Spec().Name)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// R99: missing flags take their defaults.
func TestR99FlagDefaults(t *testing.T) {
	for _, tc := range []struct {
		name, json                     string
		exposed, recordable, delegates bool
	}{
		{"none", `{}`, true, true, false},
		{"all turned", `{"exposedToLlm":false,"isRecordable":false,"isDelegating":true}`, false, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var f tool.Flags
			if err := json.Unmarshal([]byte(tc.json), &f); err != nil {
				t.Fatal(err)
			}
			var s tool.Spec
			f.Apply(&s)
			if s.ExposedToLLM != tc.exposed || s.Recordable != tc.recordable || s.Delegating != tc.delegates {
				t.Errorf("spec %+v", s)
			}
		})
	}
}

// A tool that is not there is told with its reason: what is wrong with it, the source that may have it, or a near name.
func TestMissing(t *testing.T) {
	down := tool.Problem{Name: "shop.ts", Err: errors.New("load shop.ts: 1:1: a mistake"), AllTools: true}
	acme := tool.Problem{Err: fault.New(fault.Denied, "start process", "MCP server acme is not started").WithHint("trust it"), AllTools: true}
	bad := tool.Problem{Name: "team_bad", Err: errors.New("it has no description")}
	odd := tool.Problem{Name: "acme_odd", Err: errors.New("odd"), Warning: true}
	reg, _ := tool.Collect()
	reg = reg.Lacking([]tool.Problem{down, acme, bad, odd})
	for _, c := range []struct{ name, says, hint string }{
		{"team_bad", `there is no tool "team_bad": it has no description`, ""},
		{"acme_say", `there is no tool "acme_say"; what may have it was not loaded: start process: MCP server acme`, "trust it"},
		{"acme_odd", "what may have it was not loaded: start process: MCP server acme", "trust it"},
		{"other_say", "what may have it was not loaded: load shop.ts", ""},
		{"web_say", `there is no tool "web_say"`, "look"},
	} {
		err := reg.Missing("", c.name, "look")
		if !strings.Contains(err.Error(), c.says) || err.Hint != c.hint || strings.Contains(c.name, "web_") && strings.Contains(err.Error(), "loaded") {
			t.Errorf("%s: %v, hint %q", c.name, err, err.Hint)
		}
	}
}
