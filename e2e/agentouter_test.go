package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/llm/llmtest"
)

// stockTool is a tool of the team, beside the device.
const stockTool = `import { trailblaze } from "@trailblaze/scripting";
export const acme_stock = trailblaze.tool<{ product: string }>({ supportedPlatforms: ["web"], kind: "query" }, async ({ product }) => product + ": 40 in stock");
`

// R18, R220, R279, R280: with an outer tier in the settings a step of a trail without recordings is planned by one model and
// carried out by another. It asks a tool of the project; what it keeps is recorded beside the calls on the device, and replays
// with no model. The saving by categories of tools is told.
func TestOuterTierPlansAStep(t *testing.T) {
	t.Parallel()
	s, model := newModelSitting(t)
	place := filepath.Join(s.work, "trails", "config")
	settings, err := os.ReadFile(filepath.Join(place, "trailblaze.yaml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(place, "trailblaze.yaml"), []byte(strings.Replace(string(settings), "llm:\n", "llm:\n  tiers: { outer: lab/planner }\n", 1)), 0o600)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(place, "tools"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(place, "tools", "acme_stock.ts"), []byte(stockTool), 0o600)
	}
	file := filepath.Join(s.work, "trails", "find.trail.yaml")
	if err == nil {
		err = os.WriteFile(file, []byte("config: { id: find }\ntrail:\n  - step: Look for what the warehouse has at {{memory.baseUrl}}/\n  - verify: The search holds it\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	do := func(kind, prompt string, categories ...string) llmtest.Turn {
		return llmtest.Call("doStep", map[string]any{"kind": kind, "prompt": prompt, "categories": categories})
	}
	model.Answer(func(q llmtest.Question) llmtest.Turn {
		finished := llmtest.Call("objectiveStatus", map[string]any{"status": "COMPLETED", "explanation": "Done."})
		text := q.Text()
		if strings.Contains(text, "Task: Look for") {
			switch {
			case !strings.Contains(text, "40 in stock"):
				return llmtest.Call("acme_stock", map[string]any{"product": "Cedar Mug"})
			case !strings.Contains(text, "kept as"):
				return llmtest.Call("keepValue", map[string]any{"name": "wanted", "value": "Cedar Mug"})
			case !strings.Contains(text, "The shop is open"):
				return do("step", "Open {{memory.baseUrl}}/", "NAVIGATION", "VERIFICATION")
			case !strings.Contains(text, "It is typed"):
				return do("step", "Type {{memory.wanted}} into the search field", "CORE_INTERACTION")
			}
			return finished
		}
		said := func(text string) llmtest.Turn {
			return llmtest.Call("objectiveStatus", map[string]any{"status": "COMPLETED", "explanation": text})
		}
		switch {
		case strings.Contains(text, "Objective: Open") && strings.Contains(q.Screen(), "Cedar Mug"):
			return said("The shop is open")
		case strings.Contains(text, "Objective: Open") && strings.Contains(text, "1. web_navigate"):
			return llmtest.Call("web_verifyTextVisible", map[string]any{"text": "Cedar Mug"})
		case strings.Contains(text, "Objective: Open"):
			return llmtest.Call("web_navigate", map[string]any{"url": "{{memory.baseUrl}}/"})
		case strings.Contains(text, "Objective: Type") && strings.Contains(text, "1. web_type"):
			return said("It is typed")
		case strings.Contains(text, "Objective: Type"):
			return llmtest.Call("web_type", map[string]any{"ref": q.Ref("searchbox"), "text": "{{memory.wanted}}"})
		case strings.Contains(text, "1. web_verifyValue"):
			return finished
		}
		return llmtest.Call("web_verifyValue", map[string]any{"ref": q.Ref("searchbox"), "expected": "Cedar Mug"})
	})
	s.shell("trailblaze run trails/find.trail.yaml", 0)
	asked := len(model.Asked())
	made, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"remember", "variable: wanted", "{{memory.wanted}}", "web_type"} {
		if !strings.Contains(string(made), want) {
			t.Errorf("the trail lacks %q:\n%s", want, made)
		}
	}
	s.shell("trailblaze run trails/find.trail.yaml --llm none", 0)
	if len(model.Asked()) != asked {
		t.Errorf("the replay asked %d times", len(model.Asked())-asked)
	}
	s.shell(`trailblaze step "Look for what the warehouse has at {{memory.baseUrl}}/"`, 0)
	if !strings.Contains(s.last, "% of the tokens of tools saved") || !strings.Contains(s.last, "step: Type") {
		t.Errorf("step: %s", s.last)
	}
}
