package argument_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

func TestLint(t *testing.T) {
	type in struct {
		Text  string `json:"text"`
		Count int    `json:"count,omitempty"`
	}
	spec := tool.Define(tool.Spec{Name: "demo_lint", Description: "A tool for this test.", Kind: tool.Query},
		func(context.Context, tool.Env, in) (string, error) { return "", nil }).Spec()
	tests := []struct {
		name, args string
		want       []string // parts, one for each violation
	}{
		{"fine", `{"text":"a","count":2}`, nil},
		{"token in a number", `{"text":"a","count":"{{args.n}}"}`, nil},
		{"token in what there is not", `{"text":"a","txt":"{{args.n}}"}`, []string{"txt"}},
		{"missing", `{}`, []string{"text"}},
		{"wrong type", `{"text":"a","count":"many"}`, []string{"count"}},
		{"unknown and missing at once", `{"txt":"a"}`, []string{"text", "txt"}},
		{"not an object", `[1]`, []string{"not an object"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := argument.Lint(spec.Name, spec.Input.Get(), json.RawMessage(tt.args))
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(tt.want) {
				t.Fatalf("Lint(%s) = %q, want %d violations", tt.args, got, len(tt.want))
			}
			all := strings.Join(got, "\n")
			for _, w := range tt.want {
				if !strings.Contains(all, w) {
					t.Errorf("Lint(%s) = %q, want one that says %q", tt.args, got, w)
				}
			}
		})
	}
}
