package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
)

var kindPlays = flag.Int("plays", 2, "how often a trail of each kind of tool is played; `make kinds` plays it 20 times")

// steps of the YAML and the TypeScript tools below.
const (
	yamlAdd = `id: note_add
description: Adds a note.
parameters: [{name: text, type: string}]
tools:
  - web_type: {ref: 'textbox "Note"', text: "{{text}}"}
  - web_click: {ref: 'button "Add"'}
  - web_verifyTextVisible: {text: "{{text}}"}
`
	yamlIdle = `id: note_idle
description: Adds a note, and presses what does nothing.
parameters: []
tools:
  - web_click: {ref: 'button "Add"'}
  - web_click: {ref: 'button "Idle"'}
  - web_click: {ref: 'button "Idle"'}
`
	tsTools = `import { trailblaze } from "@trailblaze/scripting";
type Note = { text: string };
const add = (text: string) => [
  { tool: "web_type", args: { ref: 'textbox "Note"', text } },
  { tool: "web_click", args: { ref: 'button "Add"' } },
  { tool: "web_verifyTextVisible", args: { text } },
];
const idle = ["Add", "Idle", "Idle"].map((n) => ({ tool: "web_click", args: { ref: 'button "' + n + '"' } }));
export const script_add = trailblaze.tool<Note>({}, async ({ text }, ctx) => {
  for (const { tool, args } of add(text)) await ctx.callTool(tool, args);
});
export const script_plan = trailblaze.tool<Note>({ isDelegating: true },
  async ({ text }) => ({ success: true, _trailblaze_delegates: add(text) }));
export const script_idle = trailblaze.tool<{}>({}, async (_, ctx) => {
  for (const { tool, args } of idle) await ctx.callTool(tool, args);
});
export const script_planIdle = trailblaze.tool<{}>({ isDelegating: true },
  async () => ({ success: true, _trailblaze_delegates: idle }));
`
)

// nodeTools is tsTools in a process of its own, with a module of Node.
var nodeTools = strings.NewReplacer("script_", "apart_", "({}, ", "(apart, ", "{ isDelegating", `{ runtime: "subprocess", isDelegating`,
	`type Note`, `import { EOL } from "node:os";
const apart = { runtime: "subprocess" as const, description: "Ends lines with " + JSON.stringify(EOL) };
type Note`).Replace(tsTools)

// newKinds is a workspace with a tool of each kind, and the address of the page that they act on.
func newKinds(t *testing.T) (s *sitting, page, probe string) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node on PATH, and one kind of tool runs on it")
	}
	probe = filepath.Join(t.TempDir(), "probe.ndjson")
	team := housetest.ServeTools(t, "team", probe)
	s = newSitting(t) // its daemon ends before the server that it is connected to
	for name, text := range map[string]string{
		"trailblaze.yaml":                         housetest.ToolsConfig(t, team, probe),
		"trails/config/tools/note_add.tool.yaml":  yamlAdd,
		"trails/config/tools/note_idle.tool.yaml": yamlIdle,
		"trails/config/tools/script.ts":           tsTools,
		"trails/config/tools/apart.ts":            nodeTools,
	} {
		path := filepath.Join(s.work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.shell("trailblaze trust --yes", 0)
	return s, housetest.Serve(t, map[string]string{"/": housetest.Notes}), probe
}

// R44, R105, R110, R111, R221: the actions of a tool of each kind are saved as a trail that replays green. A composite is recorded
// once, a delegating tool as its delegates; ids of a call stand in no trail.
func TestEachKindReplays(t *testing.T) {
	t.Parallel()
	s, page, probe := newKinds(t)
	note := map[string]any{"text": "Buy milk"}
	unfolded := []string{"web_type", "web_click", "web_verifyTextVisible"}
	kinds := []struct {
		tool string
		args map[string]any
		want []string // the recorded calls
	}{
		{"note_add", note, []string{"note_add"}},
		{"script_add", note, []string{"script_add"}},
		{"apart_add", note, []string{"apart_add"}},
		{"acme_say", note, []string{"acme_say"}},
		{"team_say", note, []string{"team_say"}},
		{"acme_add", note, []string{"acme_add"}},
		{"team_add", note, []string{"team_add"}},
		{"acme_plan", note, unfolded},
		{"script_plan", note, unfolded},
		{"apart_plan", note, unfolded},
		{"batch", map[string]any{"calls": []any{
			map[string]any{"tool": "web_type", "args": map[string]any{"ref": `textbox "Note"`, "text": "Buy milk"}},
			map[string]any{"tool": "web_click", "args": map[string]any{"ref": `button "Add"`}},
			map[string]any{"tool": "web_verifyTextVisible", "args": map[string]any{"text": "Buy milk"}},
		}}, unfolded},
	}
	s.agent("addToolCategory", map[string]any{"category": "ALL"})
	for _, k := range kinds {
		s.agent("session", map[string]any{"action": "START", "title": k.tool})
		s.agent("web_navigate", map[string]any{"url": page + "/?" + k.tool, "intent": "Open the notes"})
		args := map[string]any{"intent": "Add a note"}
		for name, v := range k.args {
			args[name] = v
		}
		s.agent(k.tool, args)
		s.agent("session", map[string]any{"action": "SAVE", "title": "Kind " + k.tool, "path": k.tool + ".trail.yaml"})
		saved, err := os.ReadFile(filepath.Join(s.work, "trails", k.tool+".trail.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		got := recordedCalls(string(saved))
		if want := append([]string{"web_navigate"}, k.want...); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: recorded %q, want %q:\n%s", k.tool, got, want, saved)
		}
		for _, id := range idsIn(t, probe) {
			if strings.Contains(string(saved), id) {
				t.Errorf("%s: the trail holds %s:\n%s", k.tool, id, saved)
			}
		}
	}
	if n := len(idsIn(t, probe)); n < 12 {
		t.Errorf("the servers were told %d ids: the test proves nothing", n)
	}
	s.shell("trailblaze check trails", 0)
	s.shell(fmt.Sprintf("trailblaze run trails --repeat %d -j 2 --no-report", *kindPlays), 0)
	if want := fmt.Sprintf("%d passed", len(kinds)**kindPlays); !strings.Contains(s.last, want) {
		t.Errorf("run, want %s: %s", want, s.last)
	}
}

var recordedCall = regexp.MustCompile(`(?m)^ +- (\w+):`)

// recordedCalls are the tools of the calls in a trail.
func recordedCalls(text string) (out []string) {
	for _, m := range recordedCall.FindAllStringSubmatch(text, -1) {
		if m[1] != "step" && m[1] != "verify" {
			out = append(out, m[1])
		}
	}
	return out
}

var givenID = regexp.MustCompile(`"(?:invocationId|sessionId|baseUrl|trailblazeInvocationId)":"([^"]+)"`)

// idsIn are the ids and addresses of calls that tool servers were told.
func idsIn(t *testing.T, probe string) (out []string) {
	t.Helper()
	data, err := os.ReadFile(probe)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, m := range givenID.FindAllStringSubmatch(string(data), -1) {
		out = append(out, m[1])
	}
	return out
}

// R105, R120: a composite of three actions of which two have no effect is not green, whichever kind it is of.
func TestIdleCompositesAreNotGreen(t *testing.T) {
	t.Parallel()
	s, page, _ := newKinds(t)
	for _, name := range []string{"note_idle", "script_idle", "script_planIdle", "apart_idle", "apart_planIdle", "acme_idle", "acme_planIdle", "team_idle"} {
		text := fmt.Sprintf("config: {id: %[1]s, title: %[1]s}\ntrail:\n  - step: Open\n    recording:\n      web:\n"+
			"        - web_navigate: {url: %[2]q}\n  - step: Press\n    recording:\n      web:\n        - %[1]s: {}\n", name, page)
		if err := os.WriteFile(filepath.Join(s.work, "trails", name+".trail.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.shell("trailblaze run trails -j 2 --no-report", 1)
	if !strings.Contains(s.last, "8 failed") || strings.Count(s.last, "nothing changed") < 8 {
		t.Errorf("run: %s", s.last)
	}
}

// R255: an assertion that fails inside of a tool fails the call of the tool, whichever kind it is of, and the report of the
// run says which tool it was and what was not there.
func TestFailedAssertionsAreReported(t *testing.T) {
	t.Parallel()
	s, _, _ := newKinds(t)
	full := strings.Replace(housetest.Notes, "{textContent: note.value}", `{textContent: "Full " + (note.value = "")}`, 1)
	page := housetest.Serve(t, map[string]string{"/": full})
	names := []string{"note_add", "script_add", "apart_add", "acme_add", "acme_plan"}
	for _, name := range names {
		text := fmt.Sprintf("config: {id: %[1]s, title: %[1]s}\ntrail:\n  - step: Open\n    recording:\n      web:\n"+
			"        - web_navigate: {url: %[2]q}\n  - step: Add\n    recording:\n      web:\n        - %[1]s: {text: Buy milk}\n", name, page)
		if err := os.WriteFile(filepath.Join(s.work, "trails", name+".trail.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.shell("trailblaze run trails -j 5 --junit junit.xml", 1)
	report, err := os.ReadFile(filepath.Join(s.work, "junit.xml"))
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(report), "<testcase ")[1:]
	for i, c := range cases {
		if !strings.Contains(c, "<failure") || !strings.Contains(c, "Buy milk") || !strings.Contains(c, "_add") && !strings.Contains(c, "_plan") {
			t.Errorf("case %d of the report:\n%s", i, c)
		}
	}
	if len(cases) != len(names) {
		t.Errorf("%d cases in the report:\n%s", len(cases), report)
	}
}
