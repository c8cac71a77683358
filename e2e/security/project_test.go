package security

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProjectTable plays each row of the table of docs/security.md that says what a project may do before it is trusted,
// and after.
func TestProjectTable(t *testing.T) {
	h := newHouse(t)
	model, far, host := listen(t), listen(t), listen(t)
	mark := filepath.Join(h.Root, "ran")
	h.writeProject(t, mark, model.URL, far.URL, host.URL)
	says := func(words, in, yes, no string) func() string {
		return func() string {
			out, _, broke := h.quick(strings.Fields(words)...)
			if broke != "" {
				t.Error(broke)
			}
			if strings.Contains(out, in) {
				return yes
			}
			t.Logf("%s: %s", words, out)
			return no
		}
	}
	exists := func(file, yes, no string, commands ...string) func() string {
		return func() string {
			for _, c := range commands {
				h.quick(strings.Fields(c)...)
			}
			if _, err := os.Stat(file); err == nil {
				return yes
			}
			return no
		}
	}
	heard := func(e *ear, in string, commands ...string) func() string {
		return func() string {
			for _, c := range commands {
				out, _, _ := h.quick(strings.Fields(c)...)
				t.Logf("%s: %s", c, out)
			}
			if strings.Contains(e.all(), in) {
				return "asked"
			}
			return "left alone"
		}
	}
	plays := map[string]func() string{
		"a setting that is yours (`browser`)":           exists(mark+".browser", "used", "ignored", "doctor", "browser path"),
		"a setting that a project may set (`base-url`)": says("tool acme_plain", "at http://base.test", "used", "ignored"),
		"a YAML tool": says("tool acme_note", "noted1", "runs", "refused"),
		"a TypeScript tool that calls tools and memory": says("tool acme_plain", "at ", "runs", "refused"),
		"a file that a TypeScript tool declares":        says("tool acme_file", "plainvalue", "read", "refused"),
		"a hidden file that a TypeScript tool declares": says("tool acme_hidden", "dotenvvalue", "read", "refused"),
		"a host that a TypeScript tool declares":        says("tool acme_host", "status 200", "asked", "refused"),
		"a secret that a TypeScript tool declares":      says("tool acme_secret", "held", "held", "refused"),
		"an MCP server that is a program":               exists(mark+".server", "started", "left alone", "check"),
		"an MCP server at an address":                   heard(far, "/mcp", "check"),
		"a provider of models with a variable of yours": heard(model, "wJalrXUtnFEMI", "step Look"),
	}
	h.playTable(t, plays)
}

// playTable plays each row of the table before and after the project is trusted.
func (h *house) playTable(t *testing.T, plays map[string]func() string) {
	t.Helper()
	rows := projectRows(t)
	for name := range plays {
		if _, there := rows[name]; !there {
			t.Errorf("the table has no row %q", name)
		}
	}
	for _, when := range []string{"before", "after"} {
		if when == "after" {
			if out, code := h.run("trust", "--yes"); code != 0 {
				t.Fatalf("trust: %s", out)
			}
			h.run("tool", "reloadTools")
		}
		for name, row := range rows {
			play := plays[name]
			if play == nil {
				t.Errorf("nothing plays the row %q", name)
				continue
			}
			want := row[0]
			if when == "after" {
				want = row[1]
			}
			if came := play(); came != want {
				t.Errorf("%s trust: %s: %s, the table says %s", when, name, came, want)
			}
		}
	}
}

// writeProject writes a project that has all that the table names; its programs write files whose names begin with mark.
func (h *house) writeProject(t *testing.T, mark, model, far, host string) {
	h.Env = append(h.Env, "MODEL_KEY=wJalrXUtnFEMI", "TRAILBLAZE_SECRET_password=hunter2hunter2")
	h.Write("evil", "#!/bin/sh\ntouch "+mark+".browser\n")
	if err := os.Chmod(filepath.Join(h.Work, "evil"), 0o755); err != nil {
		t.Fatal(err)
	}
	h.Write("trailblaze.yaml", "defaults: {browser: ./evil, base-url: \"http://base.test\"}\n"+
		"mcpServers:\n  - {name: near, command: python3, args: [srv/near.py]}\n  - {name: far, url: \""+far+"/mcp\"}\n")
	h.Write("srv/near.py", "open('"+mark+".server', 'w')\n")
	h.Write("trails/config/trailblaze.yaml", "llm:\n  defaults: {model: lab/x}\n  providers:\n    lab: {type: openai_compatible, base_url: \""+
		model+"/v1\", auth: {env_var: MODEL_KEY}, models: [{id: x}]}\n")
	h.Write("plain.txt", "plainvalue")
	h.Write(".env", "KEY=dotenvvalue\n")
	h.Write("trails/config/tools/acme_note.tool.yaml",
		"id: acme_note\ndescription: Counts.\nparameters: []\ntools:\n  - web_evaluate: {script: \"'noted' + 1\"}\n")
	script := func(name, spec, body string) {
		h.Write("trails/config/tools/acme_"+name+".ts", "import { trailblaze } from \"@trailblaze/scripting\";\n"+
			"export const acme_"+name+" = trailblaze.tool({ kind: \"query\""+spec+" }, async (_, ctx) => { "+body+" });\n")
	}
	script("plain", "", `return "at " + ctx.memory.interpolate("{{baseUrl}}");`)
	script("file", `, files: { read: ["plain.txt"] }`, `return await ctx.files.read("plain.txt");`)
	script("hidden", `, files: { read: [".env"] }`, `return await ctx.files.read(".env");`)
	script("host", fmt.Sprintf(", hosts: [%q]", strings.TrimPrefix(host, "http://")), `return "status " + (await fetch("`+host+`/hello")).status;`)
	script("secret", `, secrets: ["password"]`, `return "held " + ctx.memory.get("password").length;`)
}

// projectRows reads the rows of the table: the cells before trust, and after, by the name of the row.
func projectRows(t *testing.T) map[string][2]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| what of the project | before | after |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := map[string][2]string{}
	for line := range strings.Lines(table) {
		if cells := strings.Split(strings.TrimSpace(line), " | "); len(cells) == 3 {
			rows[strings.TrimPrefix(cells[0], "| ")] = [2]string{cells[1], strings.TrimSuffix(cells[2], " |")}
		}
	}
	if len(rows) == 0 {
		t.Fatal("docs/security.md has no such table")
	}
	return rows
}
