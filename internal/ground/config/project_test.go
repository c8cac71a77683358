package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
)

func load(t *testing.T, dir string, env map[string]string) *Config {
	t.Helper()
	if env == nil {
		env = map[string]string{}
	}
	if env[homedir.Env] == "" {
		env[homedir.Env] = t.TempDir()
	}
	c, err := Load(Sources{Dir: dir, Env: func(k string) string { return env[k] }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// R59, R60, R61: the file that S0 shows is read as it stands, and each server says where it is declared.
func TestProjectFile(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, fileName)
	write(t, path, `# in the root of the repository
target: acme_driver
platform: web
mcpServers:
  - name: acme-tools
    command: ./gradlew
    args: [":acme-tools:runMcp"]
    workingDir: tools
    env:
      KEY: value
  - name: shared-team-tools
    transport: http
    url: http://team-tools.internal:8080
trailsDir: flows
`)
	c := load(t, filepath.Join(root), nil)
	if c.Workspace != root || c.WorkspaceFile() != path || len(c.Warnings) > 0 {
		t.Errorf("workspace %q, file %q, warnings %v", c.Workspace, c.WorkspaceFile(), c.Warnings)
	}
	for key, want := range map[string]Setting{
		"target": {"target", "acme_driver", path, ProjectSets, nil}, "platform": {"platform", "web", path, ProjectSets, nil},
		"trails-dir": {"trails-dir", "flows", path, ProjectSets, nil}, "device": {"device", "web", path, ProjectSets, nil},
	} {
		if got, err := c.Get(key); err != nil || got != want {
			t.Errorf("%s = %v %v, want %v", key, got, err, want)
		}
	}
	if c.TrailsDir() != filepath.Join(root, "flows") {
		t.Errorf("trails in %s", c.TrailsDir())
	}
	want := []Server{
		{
			Name: "acme-tools", Transport: "stdio", Command: "./gradlew", Args: []string{":acme-tools:runMcp"},
			Dir: "tools", Env: map[string]string{"KEY": "value"}, Place: path + ":5",
		},
		{Name: "shared-team-tools", Transport: "http", URL: "http://team-tools.internal:8080", Place: path + ":11"},
	}
	if d := cmp.Diff(want, c.Project.Servers); d != "" {
		t.Error(d)
	}
}

// R246: the map form is read like the list form, under both spellings, in the order of the file.
func TestServersAsMap(t *testing.T) {
	for _, key := range []string{"mcpServers", "mcp_servers"} {
		root := t.TempDir()
		write(t, filepath.Join(root, fileName), key+`:
  zeta: { command: zeta, args: [1], prefix: "", tools: { include: [a*], exclude: [ab], rename: { ac: z_ac } }, listed: demand }
  acme-tools:
    type: http
    url: http://a.test/mcp
    timeout: 90s
`)
		c := load(t, root, nil)
		if len(c.Project.Servers) != 2 || len(c.Warnings) > 0 {
			t.Fatalf("%s: servers %+v, warnings %v", key, c.Project.Servers, c.Warnings)
		}
		z, a := c.Project.Servers[0], c.Project.Servers[1]
		if d := cmp.Diff(Names{"", true, []string{"a*"}, []string{"ab"}, map[string]string{"ac": "z_ac"}}, z.Names); d != "" {
			t.Errorf("names (-want +got):\n%s", d)
		}
		if z.Name != "zeta" || z.Args[0] != "1" || z.Listed != "demand" || !strings.HasSuffix(z.Place, ":2") || a.Transport != "http" ||
			a.Timeout.Seconds() != 90 || !strings.HasSuffix(a.Place, ":3") {
			t.Errorf("%s: %+v", key, c.Project.Servers)
		}
	}
}

// What is wrong with one server leaves it out, with its place; the others stay.
func TestWrongServers(t *testing.T) {
	tests := []struct{ name, server, want string }{
		{"nothing to run", "{ name: a }", "it has no command"},
		{"no name", "{ command: x }", "it has no name"},
		{"no address", "{ name: a, transport: http }", "it has no url"},
		{"both", "{ name: a, command: x, url: http://x.test }", "both a command and a url"},
		{"another transport", "{ name: a, transport: sse, url: http://x.test }", `"sse" is not stdio or http`},
		{"elsewhere", "{ name: a, command: x, workingDir: ../.. }", "not below the workspace"},
		{"args as a text", "{ name: a, command: x, args: -v }", "args must be a list of texts"},
		{"twice", "{ name: good, command: x }", "another server with this name"},
		{"no mapping", "acme", "a server is a mapping"},
		{"tools as a list", "{ name: a, command: x, tools: [b] }", "tools must be a mapping with some of include, exclude, rename"},
		{"an include as a text", "{ name: a, command: x, tools: { include: b } }", "tools: include must be a list"},
		{"another listing", "{ name: a, command: x, listed: never }", `listed "never" is not always or demand`},
		{"misspelt", "{ name: a, command: x, arg: [] }", `unknown key "arg"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, filepath.Join(root, fileName), "mcpServers:\n- { name: good, command: y }\n- "+tt.server+"\n")
			c := load(t, root, nil)
			if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], tt.want) ||
				!strings.Contains(c.Warnings[0], fileName+":3: ") {
				t.Errorf("warnings %q, want one at line 3 that says %q", c.Warnings, tt.want)
			}
			if len(c.Project.Servers) == 0 || c.Project.Servers[0].Command != "y" {
				t.Errorf("servers %+v", c.Project.Servers)
			}
		})
	}
}

// Both files of a workspace hold; what both say is taken from trails/config. The user's own file declares no servers.
func TestTwoFilesOfAWorkspace(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	top, inner := filepath.Join(root, fileName), filepath.Join(root, "trails", "config", fileName)
	write(t, filepath.Join(home, fileName), "mcpServers: [{ name: mine, command: m }]\n"+
		"llm: { max_cost: 1, pictures: true, providers: { mine: { base_url: https://mine.test } } }\n")
	write(t, top, "target: one\ntrailsDir: flows\nmcpServers: [{ name: a, command: top }, { name: b, command: top }]\n"+
		"llm: { max_cost: 2 }\n")
	write(t, inner, "target: two\nmcpServers: { b: { command: inner } }\ntargets: [shop]\ntools: [extra]\n"+
		"toolsets: [{ id: x, tools: [] }]\nproviders: { lab: { base_url: https://lab.test } }\n")
	c := load(t, filepath.Join(root, "trails"), map[string]string{homedir.Env: home})
	if c.String("target") != "two" || c.String("trails-dir") != "flows" || c.WorkspaceFile() != inner || c.Workspace != root {
		t.Errorf("target %s, trails %s, file %s, workspace %s", c.String("target"), c.String("trails-dir"),
			c.WorkspaceFile(), c.Workspace)
	}
	var servers []string
	for _, s := range c.Project.Servers {
		servers = append(servers, s.Name+"="+s.Command)
	}
	if got := strings.Join(servers, " "); got != "a=top b=inner" {
		t.Errorf("servers %s", got)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "belong into the file of a project") {
		t.Errorf("warnings %v", c.Warnings)
	}
	p := c.Project
	if p.Targets[0] != "shop" || p.Tools[0].Value != "extra" || p.Tools[0].Dir != filepath.Dir(inner) ||
		len(p.Toolsets) != 1 || len(p.LLM) != 3 || p.LLM["max_cost"] != uint64(1) || len(providersOf(c)) != 2 {
		t.Errorf("project %+v", p)
	}
	if len(c.Files) != 3 {
		t.Errorf("files %v", c.Files)
	}
}

// The nearest of both kinds of roots wins; an old trail of that name, and the user's own file, make no workspace.
func TestWhichRoot(t *testing.T) {
	root := t.TempDir()
	env := func(name string) string { return map[string]string{homedir.Env: filepath.Join(root, "home")}[name] }
	write(t, filepath.Join(root, "trails", "config", fileName), "")
	write(t, filepath.Join(root, "sub", fileName), "target: x\n")
	write(t, filepath.Join(root, "old", fileName), "# a trail\n- prompts:\n  - step: x\n")
	write(t, filepath.Join(root, "listed", fileName), "mcpServers:\n- name: a\n  command: b\n")
	write(t, filepath.Join(root, "home", fileName), "defaults: {}\n")
	for dir, want := range map[string]string{
		"trails/config": "", "trails": "", "sub": "sub", "sub/deep": "sub", "old": "", "home": "", "listed": "listed",
	} {
		dir, want = filepath.Join(root, filepath.FromSlash(dir)), filepath.Join(root, want)
		write(t, filepath.Join(dir, "x"), "")
		if got := WorkspaceOf(dir, env); got != want {
			t.Errorf("WorkspaceOf(%s) = %s, want %s", dir, got, want)
		}
		if got := load(t, dir, map[string]string{homedir.Env: env(homedir.Env)}).Workspace; got != want {
			t.Errorf("Load in %s: workspace %s, want %s", dir, got, want)
		}
	}
}

func providersOf(c *Config) map[string]any {
	all, _ := c.Project.LLM["providers"].(map[string]any)
	return all
}

// The root providers declares what llm.providers does, as a mapping, in place or in files of their own; a provider that
// both name is that of llm, whole. What is none is left out, and told with its place.
func TestProviders(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "trails", "config", fileName)
	write(t, filepath.Join(filepath.Dir(path), "providers", "lab.yaml"), "provider_id: lab\nbase_url: https://lab.test/v1\ndefault_model: m\n")
	write(t, filepath.Join(root, "out.yaml"), "provider_id: out\n")
	write(t, filepath.Join(filepath.Dir(path), "providers", "bad.yaml"), "provider_id: [a\n")
	write(t, path, "providers:\n  - ref: providers/lab.yaml\n  - provider_id: both\n    base_url: https://root.test\n    auth: { env_var: A }\n"+
		"  - { base_url: https://nobody.test }\n  - { provider_id: { a: 1 } }\n  - 3\n  - ../../out.yaml\n  - providers/none.yaml\n  - providers/bad.yaml\n  - lab\n"+
		"llm:\n  providers:\n    both: { base_url: https://llm.test, headers: { a: b } }\n    openai:\n    wrong: text\n  defalts: { model: lab/m }\n")
	c := load(t, root, nil)
	want := map[string]any{
		"lab":  map[string]any{"provider_id": "lab", "base_url": "https://lab.test/v1", "default_model": "m"},
		"both": map[string]any{"base_url": "https://llm.test", "headers": map[string]any{"a": "b"}}, "openai": map[string]any(nil),
	}
	if diff := cmp.Diff(want, providersOf(c)); diff != "" {
		t.Error(diff)
	}
	told := strings.Join(c.Warnings, "\n")
	for _, want := range []string{
		path + ":6: providers: a provider is a mapping", path + ":7: providers: a provider", path + ":8: providers: a provider",
		path + ":9: providers: ../../out.yaml: ", path + ":10: providers: providers/none.yaml: ", ":11: providers: providers/bad.yaml: ",
		`lab: is no file of a provider`, `provider "both": unknown key "headers"`,
		path + ":14: llm.providers: a provider is a mapping", `unknown key "llm.defalts"`,
	} {
		if !strings.Contains(told, want) {
			t.Errorf("not told: %s\n%s", want, told)
		}
	}
	if len(c.Warnings) != 10 {
		t.Errorf("%d warnings:\n%s", len(c.Warnings), told)
	}
	for _, text := range []string{"providers: { lab: { base_url: https://map.test } }\n", "providers: providers/lab.yaml\n"} {
		write(t, path, text)
		if c := load(t, root, nil); len(c.Warnings) > 0 || len(providersOf(c)) != 1 || providersOf(c)["lab"] == nil {
			t.Errorf("%s: %v %v", text, providersOf(c), c.Warnings)
		}
	}
	write(t, path, "providers: 3\n")
	if c := load(t, root, nil); len(c.Warnings) != 1 || c.Project.LLM != nil {
		t.Errorf("%v %v", c.Project.LLM, c.Warnings)
	}
}
