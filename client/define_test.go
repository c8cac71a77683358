package client_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/client/inprocess"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type echoOut struct {
	Said string `json:"said"`
}

// echo is a tool in the flat style.
func echo(ctx context.Context, tb *client.Client, text string, times *int) (echoOut, error) {
	if times != nil {
		text = strings.Repeat(text, *times)
	}
	r, err := tb.CallTool(ctx, "demo_echo", map[string]string{"text": text})
	if err != nil {
		return echoOut{}, err
	}
	return echoOut{Said: r.Text}, nil
}

// R134: a function whose parameters stand side by side is a tool: each has its name and type in the schema, a pointer may
// be left out, and a function that does not fit the names is refused.
func TestFlat(t *testing.T) {
	spec := tool.Spec{Name: "acme_echo", Description: "Says it.", Kind: tool.Action, ExposedToLLM: true}
	flat := client.Flat(spec, echo, "text", "times")
	in := flat.Spec().Input()
	if in.Properties["text"].Type != "string" || in.Properties["times"] == nil || strings.Join(in.Required, " ") != "text" {
		t.Errorf("schema %+v, required %v", in.Properties, in.Required)
	}
	rig := hubtest.New(t, hubtest.Options{Tools: inprocess.Tools(flat)})
	c := rig.Client("api", "go")
	for args, want := range map[string]string{`{"text":"ho"}`: "ho on web", `{"text":"ho","times":3}`: "hohoho on web"} {
		if got := rig.Must(c, "", "acme_echo", args).Result.Text(); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
	_, err := rig.Call(t.Context(), c, "", "acme_echo", `{"times":3}`)
	if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "text") {
		t.Errorf("without a required one: %v", err)
	}
	for _, wrong := range []any{nil, "echo", strings.Repeat, func() {}} {
		if _, err := tool.NewRegistry(client.Flat(spec, wrong, "text", "times")); err == nil || !strings.Contains(err.Error(), "one parameter for each") {
			t.Errorf("%T: %v", wrong, err)
		}
	}
}
