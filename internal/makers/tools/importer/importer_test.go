package importer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/importer"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

var options = func() importer.Options {
	specs := map[string]*tool.Spec{"runTrail": {Name: "runTrail", Title: "Run a trail", Kind: tool.Action,
		Facts: tool.Facts{Sentence: func(p tool.Phrase) string { return "Play the trail " + p.Plain("path") }}}}
	for _, t := range tools.Builtin() {
		specs[t.Spec().Name] = t.Spec()
	}
	return importer.Options{Spec: func(name string) *tool.Spec { return specs[name] },
		Called: func(file string) string { return "trails/" + strings.TrimSuffix(file, ".yaml") + ".trail.yaml" }}
}()

// lines are the steps of a flow, one a line: the sentence, and the calls.
func lines(t *testing.T, f *importer.Flow) (out []string) {
	t.Helper()
	for _, s := range f.Trail.Steps {
		line := s.Text
		for _, class := range []string{"web", "android", "ios"} {
			for _, c := range s.Recordings[class] {
				line += " | " + c.Name + " " + string(c.Args)
			}
		}
		if s.Kind == trail.VerifyStep {
			line = "verify: " + line
		}
		out = append(out, line)
	}
	return out
}

func compare(t *testing.T, f *importer.Flow, want string) {
	t.Helper()
	got := strings.Join(lines(t, f), "\n")
	if d := cmp.Diff(strings.TrimSpace(want), got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	data, err := trail.Encode(f.Trail)
	if err != nil {
		t.Fatal(err)
	}
	if _, problems := trail.Parse("x.trail.yaml", data, trail.Strict); problems.Err() != nil {
		t.Errorf("%v\n%s", problems.Err(), data)
	}
}

// archive is a file of testdata: what is imported, and the steps that it becomes.
type archive struct {
	name  string
	parts *txtar.Archive
}

func cases(t *testing.T, kind string) (out []archive) {
	t.Helper()
	files, err := filepath.Glob("testdata/" + kind + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		parts, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, archive{strings.TrimSuffix(filepath.Base(file), ".txtar"), parts})
	}
	return out
}

func (a archive) part(name string) string {
	for _, f := range a.parts.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// TestPlaywright: what codegen writes becomes calls, in TypeScript and in Python alike.
func TestPlaywright(t *testing.T) {
	for _, c := range cases(t, "playwright") {
		code := strings.ReplaceAll(strings.TrimSpace(c.part("ts")), "\n", "\n  ")
		python := strings.ReplaceAll(strings.TrimSpace(c.part("py")), "\n", "\n    ")
		ts := "import { test, expect } from '@playwright/test';\n\ntest('test', async ({ page }) => {\n  " + code + "\n});\n"
		py := "import re\nfrom playwright.sync_api import Page, expect\n\n\ndef test_example(page: Page) -> None:\n    " + python + "\n"
		lib := "from playwright.sync_api import Playwright, sync_playwright, expect\n\n\ndef run(playwright: Playwright) -> None:\n" +
			"    browser = playwright.chromium.launch(headless=False)\n    context = browser.new_context()\n    page = context.new_page()\n    " + python +
			"\n\n    # ---------------------\n    context.close()\n    browser.close()\n\n\nwith sync_playwright() as playwright:\n    run(playwright)\n"
		js := "const { chromium } = require('playwright');\n\n(async () => {\n  const browser = await chromium.launch({\n    headless: false\n  });\n" +
			"  const context = await browser.newContext();\n  const page = await context.newPage();\n  " + code +
			"\n\n  // ---------------------\n  await context.close();\n  await browser.close();\n})();\n"
		for file, text := range map[string]string{"shop.spec.ts": ts, "shop_test.py": py, "shop.py": lib, "shop.js": js} {
			t.Run(c.name+"/"+file, func(t *testing.T) {
				flows := importer.Playwright(file, text, options)
				if len(flows) != 1 || flows[0].Title != strings.TrimSuffix(strings.TrimSuffix(strings.Split(file, ".")[0], ".py"), ".ts") {
					t.Fatalf("%d flows of\n%s", len(flows), text)
				}
				for i := range flows[0].Trail.Steps { // the source differs between languages
					if s := &flows[0].Trail.Steps[i]; strings.HasPrefix(s.Text, "Not imported") {
						s.Text, _, _ = strings.Cut(s.Text, "): ")
						s.Text += ")"
					}
				}
				compare(t, flows[0], c.part("want"))
			})
		}
	}
}

// TestMaestro: the commands of a flow become calls that mean the same, and what has no equal is told.
func TestMaestro(t *testing.T) {
	head := "appId: com.shop\nname: Buy\nenv:\n  WHO: Ann\n---\n"
	for _, c := range cases(t, "maestro") {
		t.Run(c.name, func(t *testing.T) {
			f, problems := importer.Maestro("buy.yaml", head+c.part("flow"), options)
			if f == nil {
				t.Fatal(problems.Err())
			}
			if f.Title != "Buy" || f.Trail.Config.Memory["WHO"] != "Ann" {
				t.Errorf("the head: %q, %v", f.Title, f.Trail.Config.Memory)
			}
			compare(t, f, c.part("want"))
		})
	}
}

// Fuzz: any text becomes a valid trail or none.
func FuzzImport(f *testing.F) {
	f.Add("appId: a.b\n---\n- tapOn: {text: X, optional: true}\n- runFlow: {when: {visible: ${A}}, commands: [back]}")
	f.Add("test('a', async ({ page }) => { await page.getByRole('row', { name: /a|b/i }).nth(1).click(); })")
	f.Add("def test_a(page: Page) -> None:\n    with page.expect_popup() as p:\n        page.get_by_text(\"x\").click()\n")
	f.Fuzz(func(t *testing.T, text string) {
		flows := append(importer.Playwright("a.specode", text, options), importer.Playwright("a.py", text, options)...)
		if m, _ := importer.Maestro("a.yaml", text, options); m != nil {
			flows = append(flows, m)
		}
		for _, flow := range flows {
			if flow.Commands == 0 {
				continue
			}
			data, err := trail.Encode(flow.Trail)
			if err != nil {
				t.Fatal(err)
			}
			if _, problems := trail.Parse("a.trail.yaml", data, trail.Strict); problems.Err() != nil {
				t.Errorf("%v\n%s", problems.Err(), data)
			}
		}
	})
}
