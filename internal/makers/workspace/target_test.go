package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

// project writes a folder of files.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// A manifest in upstream's form; what it leaves out comes from the nearest dependency, for platforms that it declares.
func TestTargets(t *testing.T) {
	root := project(t, map[string]string{
		"trails/config/trailmaps/shop/trailmap.yaml": `id: shop
target:
  display_name: The Shop
  tools: [shop_login]
  system_prompt_file: about.md
  platforms:
    web: { base_url: "https://shop.test", tools: [shop_cart] }
    ANDROID: {}
dependencies: [web, far, near]
icon: unknown keys are for others
`,
		"trails/config/trailmaps/shop/about.md":        "Sells mugs.",
		"trails/config/trailmaps/near/trailmap.yaml":   "id: near\ndependencies: [far]\ndefaults: { web: { base_url: x, drivers: [a] }, ios: {} }\n",
		"trails/config/trailmaps/far/trailmap.yaml":    "id: far\ndefaults: { web: { drivers: [b], excluded_tools: [web_evaluate] } }\n",
		"trails/config/trailmaps/empty/notes.txt":      "no manifest",
		"trails/config/trailmaps/broken/trailmap.yaml": "id: [\n",
		"trails/config/trailmaps/zweite/trailmap.yaml": "id: shop\n",
	})
	declared, problems := Declare(root, config.Project{})
	got := declared.Targets
	if len(got) != 1 || got[0].Place != "trails/config/trailmaps/shop/trailmap.yaml" || len(problems) != 2 {
		t.Fatalf("targets %+v, problems %v", got, problems)
	}
	if d := cmp.Diff(source.Platform{
		BaseURL: "https://shop.test", Tools: []string{"shop_login", "shop_cart"}, Drivers: []string{"a"},
		Excluded: []string{"web_evaluate"},
	}, got[0].Platforms["web"]); d != "" {
		t.Error(d)
	}
	if _, ios := got[0].Platforms["ios"]; ios || len(got[0].Platforms) != 2 || got[0].Prompt != "Sells mugs." || got[0].Name != "The Shop" {
		t.Errorf("%+v", got[0])
	}
	_, problems = Declare(root, config.Project{Targets: []string{"shop", "shopp"}})
	if !strings.Contains(problems[len(problems)-1].Error(), `a target "shopp"`) {
		t.Errorf("problems %v", problems)
	}
}
