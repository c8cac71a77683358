package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
)

// A project that was cloned a moment ago has no screen and no key sent to a server that it names, under whatever name;
// trust is of the address and of the variable of the key. The user's own file, a provider's own address with its
// own key, and this machine without a key need none.
func TestProvidersAreTrusted(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	env := func(name string) string {
		return map[string]string{homedir.Env: home, "KEY": "canary", "OTHER": "canary", "OPENAI_API_KEY": "canary"}[name]
	}
	write := func(dir, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "trailblaze.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var cfg *config.Config
	m := &Models{Env: env, Settings: func(string) (_ *config.Config, err error) {
		cfg, err = config.Load(config.Sources{Dir: root, Env: env})
		return cfg, err
	}}
	is := func(what, asked string, want fault.Kind) {
		t.Helper()
		model, _, err := m.Local(t.Context(), root, asked, false)
		if fault.KindOf(err) != want || (want == "") != (model != nil) {
			t.Errorf("%s: %v %v", what, model, err)
		}
	}
	lab := func(key string) string {
		return "target: x\nllm: { providers: { lab: { base_url: https://lab.test/v1, auth: { env_var: " + key + " } } } }\n"
	}
	write(root, lab("KEY"))
	is("a clone", "lab/m", fault.Denied)
	is("its provider without a key", "openai/m", "")
	m.Trust = true
	is("--trust", "lab/m", "")
	m.Trust = false
	if err := (workspace.Trust{Home: home}).Record(t.Context(), cfg.Workspace, Providers(cfg)); err != nil {
		t.Fatal(err)
	}
	is("trusted", "lab/m", "")
	write(root, lab("OTHER"))
	is("another key", "lab/m", fault.Denied)
	write(root, "target: x\nproviders: { openai: { base_url: https://lab.test/v1 } }\n")
	is("a known name, which a key finds", "", fault.Denied)
	write(root, "target: x\nproviders: { lab: { base_url: http://127.0.0.1:9/v1 }, openai: { base_url: https://api.openai.com/v1/ } }\n")
	is("this machine", "lab/m", "")
	is("its own address", "openai/m", "")
	for _, auth := range []string{"env_var: KEY", "env_var: ABSENT"} {
		write(root, "target: x\nllm: { providers: { lab: { base_url: http://127.0.0.1:9/v1, auth: { "+auth+" } } } }\n")
		is("this machine with a variable, "+auth, "lab/m", fault.Denied)
	}
	write(root, "target: x\nproviders: { openai: { base_url: http://127.0.0.1:9/v1 } }\n")
	is("this machine with the key of another provider", "openai/m", fault.Denied)
	write(root, "target: x\nproviders: { openai: { auth: { env_var: KEY } } }\n")
	is("its own address with another variable", "openai/m", fault.Denied)
	if err := (workspace.Trust{Home: home}).Record(t.Context(), cfg.Workspace, Providers(cfg)); err != nil {
		t.Fatal(err)
	}
	is("the variable is trusted", "openai/m", "")
	write(root, "target: x\n")
	write(home, lab("KEY"))
	is("the user's own file", "lab/m", "")
}
