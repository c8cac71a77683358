package toolset_test

import (
	stdcontext "context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type context = stdcontext.Context

// A model is not told what only recordings write; the tool's own schema keeps it, and takes it.
func TestTrim(t *testing.T) {
	reg := registry(t)
	for _, x := range reg.All() {
		s := x.Spec()
		before, err := json.Marshal(s.Input())
		if err != nil {
			t.Fatal(err)
		}
		got := toolset.Trim(s)
		if after, _ := json.Marshal(s.Input()); string(after) != string(before) {
			t.Fatalf("Trim changed the spec of %s", s.Name)
		}
		if got.Type != "object" || got != toolset.Trim(s) {
			t.Errorf("%s: %s, made again: %v", s.Name, got.Type, got != toolset.Trim(s))
		}
		team := strings.HasPrefix(s.Description, "A team's own")
		for _, name := range []string{"nodeSelector", "fingerprint", "toFingerprint", "reason", "reasoning", "effect", "expectStatus", "expectOrigin"} {
			if got.Properties[name] != nil && !team && !slices.Contains(s.Input.Get().Required, name) {
				t.Errorf("%s lists %s", s.Name, name)
			}
		}
		for name, p := range s.Input.Get().Properties {
			if q := got.Properties[name]; q != nil && len(p.Enum) != len(q.Enum) {
				t.Errorf("%s.%s lost values of its enum", s.Name, name)
			}
		}
		for _, name := range got.PropertyOrder {
			if got.Properties[name] == nil {
				t.Errorf("%s orders %s, which it does not list", s.Name, name)
			}
		}
		for _, name := range s.Input.Get().Required {
			if got.Properties[name] == nil {
				t.Errorf("%s requires %s, which it does not list", s.Name, name)
			}
		}
		if team && got.Properties["reason"] == nil {
			t.Errorf("%s lost a parameter of its own", s.Name)
		}
	}
	click, _ := reg.Get("web_click")
	in := toolset.Trim(click.Spec())
	if in.Properties["ref"] == nil || in.Properties[toolset.IntentArg] == nil || in.AdditionalProperties != nil {
		t.Errorf("web_click is listed as %v, closed: %v", in.PropertyOrder, in.AdditionalProperties != nil)
	}
	snap, _ := reg.Get("web_snapshot")
	if toolset.Trim(snap.Spec()).Properties[toolset.IntentArg] != nil {
		t.Error("looking is no step, and takes no intent")
	}
}

func TestHints(t *testing.T) {
	reg := registry(t)
	for name, want := range map[string]toolset.Hints{
		"web_click":             {OpenWorld: true},
		"web_snapshot":          {ReadOnly: true, Idempotent: true, OpenWorld: true},
		"web_verifyTextVisible": {ReadOnly: true, Idempotent: true, OpenWorld: true},
		"web_setChecked":        {Idempotent: true, OpenWorld: true},
		"remember":              {OpenWorld: true},
		"assertMath":            {ReadOnly: true, Idempotent: true},
		"setMode":               {Idempotent: true},
		"getSessionConfig":      {ReadOnly: true, Idempotent: true},
		"session":               {Destructive: true},
		"clearAppData":          {Destructive: true, OpenWorld: true},
	} {
		x, ok := reg.Get(name)
		if !ok {
			t.Errorf("no tool %s", name)
			continue
		}
		got := toolset.HintsOf(x.Spec())
		got.Title = ""
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	for _, x := range reg.All() {
		if s := x.Spec(); toolset.HintsOf(s).Title == "" {
			t.Errorf("%s has no title", s.Name)
		}
	}
}

// What Explain promises holds: the category it names brings the tool.
func TestExplainIsTrue(t *testing.T) {
	reg := registry(t)
	for _, v := range []toolset.View{{}, {Platform: driver.AndroidPlatform}, {Categories: []toolset.Category{toolset.Network}}} {
		for _, x := range reg.All() {
			s := x.Spec()
			why := v.Explain(reg, s.Name)
			listed := slices.Contains(names(v.Specs(reg)), s.Name)
			if (why == "") != listed {
				t.Errorf("%s is listed: %v, and yet: %q", s.Name, listed, why)
			}
			_, after, ok := strings.Cut(why, `{"category": "`)
			if !ok {
				continue
			}
			c, _, _ := strings.Cut(after, `"`)
			w := v
			w.Categories = toolset.With(v.Categories, toolset.Category(c))
			if !slices.Contains(names(w.Specs(reg)), s.Name) {
				t.Errorf("adding %s does not bring %s on %q", c, s.Name, v.Platform)
			}
		}
	}
	for name, want := range map[string]string{
		"web_listTabs": "TABS", "tapOn": "not offered to models", "runPrompt": "setMode", "web_evaluate": "SCRIPT", "nope": "",
	} {
		if name == "runPrompt" {
			continue
		}
		if got := (toolset.View{}).Explain(reg, name); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q in it", name, got, want)
		}
	}
	if got := (toolset.View{Mode: toolset.AgentWhileLoop}).Explain(reg, "web_click"); !strings.Contains(got, "setMode") {
		t.Errorf("web_click in an agent mode: %q", got)
	}
	if got := (toolset.View{Platform: driver.AndroidPlatform}).Explain(reg, "web_click"); !strings.Contains(got, "does not run on android") {
		t.Errorf("web_click on a phone: %q", got)
	}
	if got := (toolset.View{Prefix: "shop_", Categories: []toolset.Category{toolset.All}}).Explain(reg, "web_click"); !strings.Contains(got, "toolPrefix") {
		t.Errorf("web_click under a prefix: %q", got)
	}
}

// R52, R197: an app's tools come with it, a prefix leaves the house's own, and running script is nobody's default.
func TestTargetPrefixScript(t *testing.T) {
	reg := registry(t)
	has := func(v toolset.View, name string) bool { return slices.Contains(names(v.Specs(reg)), name) }
	tabs := []toolset.Category{toolset.Tabs}
	for _, tc := range []struct {
		v    toolset.View
		name string
		want bool
	}{
		{toolset.View{Categories: tabs}, "shop_login", false},
		{toolset.View{Categories: tabs, Target: "Shop"}, "shop_login", true},
		{toolset.View{Categories: tabs, Target: "bank"}, "bank_pay", true},
		{toolset.View{Categories: tabs, Target: "bank"}, "shop_login", false},
		{toolset.View{Categories: []toolset.Category{toolset.All}, Prefix: "shop_"}, "web_click", false},
		{toolset.View{Categories: []toolset.Category{toolset.All}, Prefix: "shop_"}, "shop_login", true},
		{toolset.View{Categories: []toolset.Category{toolset.All}, Prefix: "shop_"}, "session", true},
		{toolset.View{Categories: []toolset.Category{toolset.All}}, "web_evaluate", false},
		{toolset.View{Categories: []toolset.Category{"script"}}, "web_evaluate", true},
	} {
		if got := has(tc.v, tc.name); got != tc.want {
			t.Errorf("%+v lists %s: %v", tc.v, tc.name, got)
		}
	}
}

func TestWithWithout(t *testing.T) {
	on := toolset.With(nil, "tabs")
	if !slices.Equal(on, []toolset.Category{toolset.Default, toolset.Tabs}) {
		t.Errorf("%v", on)
	}
	if on = toolset.With(on, toolset.Tabs); len(on) != 2 {
		t.Errorf("added twice: %v", on)
	}
	if on = toolset.Without(on, "Default"); !slices.Equal(on, []toolset.Category{toolset.Tabs}) {
		t.Errorf("%v", on)
	}
	p, _ := toolset.Preset("default")
	p[0] = toolset.All
	if toolset.DefaultCategories()[0] != toolset.Default {
		t.Error("a preset can be changed from outside")
	}
}

func BenchmarkSpecs(b *testing.B) {
	reg := registry(b)
	v := toolset.View{Platform: driver.WebPlatform}
	b.ReportAllocs()
	for b.Loop() {
		v.Specs(reg)
	}
}

func BenchmarkTrim(b *testing.B) {
	reg := registry(b)
	var specs []*tool.Spec
	for _, x := range reg.All() {
		specs = append(specs, x.Spec())
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range specs {
			toolset.Trim(s)
		}
	}
}
