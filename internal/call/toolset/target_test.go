package toolset

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// idle is a tool that does nothing.
type idle struct{ spec tool.Spec }

func (i *idle) Spec() *tool.Spec { return &i.spec }

func (i *idle) Run(context.Context, tool.Env, json.RawMessage) (*tool.Result, error) {
	return &tool.Result{}, nil
}

// R16, R240: a target's own tools are listed when the target is chosen and not before, whatever categories are on; the
// manifest adds tools and toolsets for the platform, and takes some away.
func TestToolsOfATarget(t *testing.T) {
	add := func(name, target string, groups ...string) tool.Tool {
		return &idle{tool.Spec{
			Name: name, Title: name, Description: name, Kind: tool.Query, ExposedToLLM: true, Groups: groups,
			Input: tool.Fixed(&jsonschema.Schema{Type: "object"}), Origin: "a file", Facts: tool.Facts{
				Target: target, Categories: []string{"NETWORK"}, Effects: &tool.Effects{},
			},
		}}
	}
	reg, err := tool.NewRegistry(add("shop_login", "shop"), add("cafe_login", "cafe"), add("team_any", ""),
		add("team_extra", "", "extras"), add("team_gone", ""))
	if err != nil {
		t.Fatal(err)
	}
	app := &Target{ID: "shop", On: map[driver.Platform]TargetTools{
		driver.WebPlatform: {Tools: []string{"team_any"}, Groups: []string{"extras"}, Excluded: []string{"team_gone"}},
	}}
	for _, tt := range []struct {
		name, want string
		view       View
	}{
		{"no target", "", View{}},
		{"no target, every category", "team_any team_extra team_gone", View{Categories: []Category{All}}},
		{"the target", "shop_login team_any team_extra", View{Target: "shop", App: app}},
		{"every category", "shop_login team_any team_extra", View{Target: "shop", App: app, Categories: []Category{All}}},
		{"on a phone", "shop_login", View{Target: "shop", App: app, Platform: driver.AndroidPlatform}},
		{"another", "cafe_login", View{Target: "cafe"}},
	} {
		var got []string
		for _, s := range tt.view.Specs(reg) {
			got = append(got, s.Name)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: listed are %v, want %s", tt.name, got, tt.want)
		}
	}
	for name, want := range map[string]string{
		"cafe_login": `belongs to the target cafe`, "team_gone": "the target shop goes without team_gone",
	} {
		if got := (View{Target: "shop", App: app}).Explain(reg, name); !strings.Contains(got, want) {
			t.Errorf("%s: %q does not say %q", name, got, want)
		}
	}
	if !slices.Equal([]bool{app.Is("SHOP"), (Target{Names: []string{"https://shop.test"}}).Is("https://shop.test/")},
		[]bool{true, true}) {
		t.Error("a target is not known by its names")
	}
}

// What the project names under toolsets and tools is listed for any target; a group that is off by default waits until
// the project or the target names it.
func TestToolsOfTheProject(t *testing.T) {
	add := func(name string, off bool, category string, groups ...string) tool.Tool {
		return &idle{tool.Spec{
			Name: name, Title: name, Description: name, Kind: tool.Query, ExposedToLLM: true, Groups: groups,
			Input: tool.Fixed(&jsonschema.Schema{Type: "object"}), Origin: "a file", Facts: tool.Facts{
				Categories: []string{category}, Effects: &tool.Effects{}, Off: off,
			},
		}}
	}
	reg, err := tool.NewRegistry(add("acme_usual", false, "CUSTOM"), add("acme_admin", true, "CUSTOM", "admin"),
		add("acme_net", false, "NETWORK"), add("acme_check", false, "VERIFICATION"))
	if err != nil {
		t.Fatal(err)
	}
	app := &Target{ID: "shop", On: map[driver.Platform]TargetTools{driver.WebPlatform: {Groups: []string{"admin"}}}}
	for _, tt := range []struct {
		name, want string
		view       View
	}{
		{"nothing named", "acme_usual", View{}},
		{"every category", "acme_check acme_net acme_usual", View{Categories: []Category{All}}},
		{"the group", "acme_admin acme_usual", View{Also: TargetTools{Groups: []string{"admin"}}}},
		{"the tool", "acme_admin acme_usual", View{Also: TargetTools{Tools: []string{"acme_admin"}}}},
		{"the target", "acme_admin acme_usual", View{Target: "shop", App: app}},
		{"a category, a toolset of upstream, a tool", "acme_check acme_net acme_usual",
			View{Also: TargetTools{Groups: []string{"web_verification"}, Tools: []string{"acme_net"}}}},
	} {
		var got []string
		for _, s := range tt.view.Specs(reg) {
			got = append(got, s.Name)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: listed are %v, want %s", tt.name, got, tt.want)
		}
	}
	if got := (View{}).Explain(reg, "acme_admin"); !strings.Contains(got, "toolset admin") {
		t.Errorf("got %q", got)
	}
}

// The tools of a server that are listed on demand are in no list until somebody asks for their category, or the project or
// the client names the server.
func TestToolsOnDemand(t *testing.T) {
	reg, err := tool.NewRegistry(&idle{tool.Spec{
		Name: "files_read", Title: "Read", Description: "Reads.", Kind: tool.Query, ExposedToLLM: true, Groups: []string{"files"},
		Input: tool.Fixed(&jsonschema.Schema{Type: "object"}), Origin: "MCP server files",
		Facts: tool.Facts{Categories: []string{"SERVERS"}, Effects: &tool.Effects{}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		view  View
		shown bool
	}{
		{"nothing chosen", View{}, false},
		{"the testing preset", View{Categories: presets["testing"]}, false},
		{"tools of teams", View{Categories: []Category{Custom}}, false},
		{"their category", View{Categories: With(nil, "servers")}, true},
		{"every category", View{Categories: []Category{All}}, true},
		{"the server", View{Also: TargetTools{Groups: []string{"files"}}}, true},
	} {
		if got := len(tt.view.Specs(reg)) > 0; got != tt.shown {
			t.Errorf("%s: listed %v", tt.name, got)
		}
	}
	if got := (View{}).Explain(reg, "files_read"); !strings.Contains(got, `is in SERVERS: call `) {
		t.Errorf("got %q", got)
	}
}
