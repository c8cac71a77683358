package workspace

import (
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
)

// The roots toolsets and tools of the settings say what is listed; toolsets of a trailmap wait for a target. Names that
// there are not are told with their line and the nearest one.
func TestToolsets(t *testing.T) {
	root := project(t, map[string]string{
		"trails/config/trailblaze.yaml": `toolsets:
  - checks
  - sets/more.yaml
  - { id: own, tools: [web_hover] }
  - chekcs
  - ../../../outside.yaml
tools:
  - web_evaluate
  - web_evalute
  - ./extra
`,
		"trails/config/sets/more.yaml":        "id: more\nplatforms: [android]\ntools: [web_resize]\n",
		"trails/config/extra/a.tool.yaml":     "id: shop_a\nclass: web_click\n",
		"trails/config/trailmaps/shop/a.yaml": "id: shop_set\ntools: [web_wait]\n",
		"trails/config/trailmaps/shop/b.yaml": "id: always\nalways_enabled: true\ntools: [web_scroll]\n",
		"trails/config/trailmaps/shop/trailmap.yaml": `id: shop
toolsets: [a.yaml, b.yaml, gone.yaml]
target:
  tools: [web_clikc, web_click]
  platforms:
    web: { tool_sets: [shop_set, shop_sett] }
`,
	})
	s, err := Open(Options{
		Root: root, Toolsets: []string{"checks"}, Makers: FileMakers(),
		BuiltIn: tools("", "web_click", "web_evaluate"),
		Config:  func() (*config.Config, error) { return config.Load(config.Sources{Dir: root}) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	names, sets := s.Listed(nil)
	slices.Sort(names)
	if got, want := strings.Join(names, " "), "web_evaluate web_evalute web_hover web_resize web_scroll"; got != want {
		t.Errorf("listed are %s, want %s", got, want)
	}
	if !slices.Equal(sets, []string{"checks", "more", "own", "chekcs", "always"}) {
		t.Errorf("toolsets are %v", sets)
	}
	if got := s.ToolsOf([]string{"shop_set", "more"}, driver.WebPlatform); !slices.Equal(got, []string{"web_wait"}) {
		t.Errorf("a toolset for a phone is listed on the web, or one is missing: %v", got)
	}
	if _, ok := s.Registry().Get("shop_a"); !ok {
		t.Error("the folder that tools names is not read")
	}
	var said []string
	for _, p := range s.Problems() {
		said = append(said, p.Error()+" "+fault.HintOf(p.Err))
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{
		`trailblaze.yaml:5: there is no toolset "chekcs"`, "Did you mean checks?", "trailblaze.yaml:6: toolsets: ../../../outside.yaml is not below",
		`trailmap.yaml:4: there is no tool "web_clikc"`, "Did you mean web_click?",
		`trailblaze.yaml:9: there is no tool "web_evalute"`, "Did you mean web_evaluate?",
		`trailmap.yaml:2: toolset: `, `trailmap.yaml:6: there is no toolset "shop_sett"`, "Did you mean shop_set?",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the problems lack %q:\n%s", want, all)
		}
	}
	if len(said) != 6 {
		t.Errorf("%d problems:\n%s", len(said), all)
	}
}

// While a server is left out, what nothing else has may be its own: no name is called unknown.
func TestNamesOfServersThatAreLeftOut(t *testing.T) {
	root := project(t, map[string]string{"trails/config/trailblaze.yaml": "target: bank\ntoolsets: [auth]\ntools: [acme_login]\n" +
		"mcpServers: [{name: acme, command: acme}]\n"})
	s, err := Open(Options{Root: root, Home: t.TempDir(), BuiltIn: tools("", "web_click"), Makers: AllMakers(),
		Config: func() (*config.Config, error) { return config.Load(config.Sources{Dir: root}) }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := s.Problems()
	if len(all) != 1 || fault.KindOf(all[0].Err) != fault.Denied {
		t.Errorf("problems: %v", all)
	}
}

// A target of the settings that nothing is for is told: neither a trailmap nor the namespace of a tool has its name.
func TestUnknownTarget(t *testing.T) {
	for target, want := range map[string]string{
		"shop": "", "com.shop": "", "acme_driver": "", "shpo": "Did you mean shop?", "bank": "trailmaps/bank/trailmap.yaml",
	} {
		root := project(t, map[string]string{
			"trails/config/trailblaze.yaml":              "target: " + target + "\n",
			"trails/config/tools/a.tool.yaml":            "id: acme_driver_login\nclass: web_click\n",
			"trails/config/trailmaps/shop/trailmap.yaml": "id: shop\ntarget: {platforms: {android: {app_ids: [com.shop]}}}\n",
		})
		s, err := Open(Options{
			Root: root, Makers: FileMakers(), BuiltIn: tools("", "web_click"),
			Config: func() (*config.Config, error) { return config.Load(config.Sources{Dir: root}) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, p := range s.Problems() {
			said += p.Error() + " " + fault.HintOf(p.Err)
		}
		if want == "" && said != "" || !strings.Contains(said, want) || want != "" && !strings.Contains(said, "trailblaze.yaml: there is no target") {
			t.Errorf("%s: %q", target, said)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
