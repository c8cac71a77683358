package agent_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// tokens are those of the parts of a question, as llm.Tokens estimates them.
type tokens struct{ rules, tools, history, screen int }

func tokensOf(r llm.Request) tokens {
	text := ""
	for _, p := range r.Messages[0].Parts {
		text += p.Text
	}
	history, screen, _ := strings.Cut(text, "The screen now:\n")
	return tokens{rules: llm.Tokens(r.System), tools: llm.Request{Tools: r.Tools}.Tokens(),
		history: llm.Tokens(history), screen: llm.Tokens(screen)}
}

func (k tokens) each(f func(part string, n int)) {
	f("rules", k.rules)
	f("tools", k.tools)
	f("history", k.history)
	f("screen", k.screen)
}

// slack is the growth in per cent that a limit leaves, so that a word may change.
const slack = 2

// holdTokens holds the parts of questions to the limits in a golden file. -update writes limits anew.
func holdTokens(t *testing.T, file string, rows []string, got map[string]tokens) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		text := fmt.Sprintf("%-22s %7s %7s %7s %7s\n", "question", "rules", "tools", "history", "screen")
		for _, name := range rows {
			text += fmt.Sprintf("%-22s", name)
			got[name].each(func(_ string, n int) { text += fmt.Sprintf(" %7d", n+n*slack/100) })
			text += "\n"
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	left, grew := maps.Clone(got), ""
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		var name string
		var limit tokens
		if _, err := fmt.Sscan(line, &name, &limit.rules, &limit.tools, &limit.history, &limit.screen); err != nil {
			t.Fatalf("%s: %q: %v", path, line, err)
		}
		has, ok := left[name]
		delete(left, name)
		now := map[string]int{}
		has.each(func(part string, n int) { now[part] = n })
		limit.each(func(part string, most int) {
			if n := now[part]; ok && n > most {
				grew += fmt.Sprintf("%-22s %-8s %7d %7d %+7d\n", name, part, n, most, n-most)
			}
		})
	}
	if grew != "" {
		t.Errorf("questions take more tokens than %s allows; make them smaller, or run with -update:\n%-22s %-8s %7s %7s %7s\n%s",
			path, "question", "part", "tokens", "limit", "over", grew)
	}
	if len(left) > 0 {
		t.Errorf("%s has no limit for %v: run with -update", path, left)
	}
}

// TestTokensOfShop holds what a question takes on the screens of the sample shop to its limits, part by part.
func TestTokensOfShop(t *testing.T) {
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shop.Close() })
	dev := webtest.Device(t, web.DeviceOptions{ID: "web"})
	reg, err := tool.NewRegistry(tools.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	got := map[string]tokens{}
	for _, page := range []string{"/", "/product/firefly-lamp", "/cart", "/checkout", "/returns", "/packing", "/account"} {
		if _, err := dev.Navigate(t.Context(), driver.Navigation{URL: shop.URL + page}); err != nil {
			t.Fatal(err)
		}
		m := &asked{answers: []*llm.Response{answer("objectiveStatus", `{"status":"FAILED","explanation":"No."}`)}}
		a := agent.Of(&agent.Use{Model: m}, reg)
		a.Device = dev
		a.Do = func(context.Context, tool.Call) (*tool.Result, error) { return tool.TextResult(""), nil }
		if _, err := a.Run(t.Context(), agent.Objective{Kind: agent.Act, Text: "Check the basket"}); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, page)
		got[page] = tokensOf(m.requests[0])
	}
	holdTokens(t, "shop.tokens", rows, got)
}
