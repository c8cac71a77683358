package script_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// R169: the source in a YAML file is a function body of args and ctx; its errors name the line of that file.
func TestInline(t *testing.T) {
	of := func(text string) (tool.Tool, error) {
		return script.Inline(source.Options{})(source.Script{
			Spec: &tool.Spec{Name: "shop_sum", Kind: tool.Query, Input: tool.Fixed(&jsonschema.Schema{Type: "object"})},
			Path: "tools/a.tool.yaml", Line: 7, Source: text,
		})
	}
	made, err := of("const sum: number = args.a + args.b;\nctx.memory.set('sum', sum);\nif (sum > 9) throw new Error('too much');\nreturn { sum };")
	if err != nil {
		t.Fatal(err)
	}
	if !made.Spec().Effects.Script || !made.Spec().Effects.CallsTools {
		t.Error("a policy cannot see that it is a script")
	}
	env := tooltest.Env{Mem: memory.New()}
	res, err := made.Run(t.Context(), env, json.RawMessage(`{"a":2,"b":3}`))
	if err != nil || string(res.Value) != `{"sum":5}` {
		t.Errorf("got %v %v", res, err)
	}
	res, err = made.Run(t.Context(), env, json.RawMessage(`{"a":7,"b":3}`))
	if err != nil || !strings.Contains(res.Err().Error(), "tools/a.tool.yaml:9") || !strings.Contains(res.Err().Error(), "too much") {
		t.Errorf("got %v %v", res.Err(), err)
	}
	for text, want := range map[string]string{
		"const a = ;":                        "tools/a.tool.yaml:7:11: Unexpected \";\"",
		"const m = await import('./words');": "imports nothing",
	} {
		if _, err := of(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
