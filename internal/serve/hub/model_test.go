package hub_test

import (
	"context"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// noModel is the agent where no model is configured, but for the one that is named.
type noModel struct{}

func (noModel) Ready(context.Context, *clients.Client) bool { return false }

func (noModel) Check(_ context.Context, _ *clients.Client, asked string) error {
	if asked != "" {
		return nil
	}
	return fault.New(fault.Unsupported, "choose model", "there is none")
}

func (noModel) Prompt(context.Context, *clients.Client, []string) (*tool.Result, error) {
	return nil, nil
}

// R216: a tool that needs a model says that there is none before a device is opened for it.
func TestR216NoModelNoDevice(t *testing.T) {
	think := tool.Define(tool.Spec{Name: "demo_think", Description: "Thinks.", Kind: tool.Action, NeedsModel: true},
		func(context.Context, tool.Env, struct {
			Model string `json:"llm,omitempty"`
		}) (string, error) {
			return "done", nil
		})
	r := hubtest.New(t, hubtest.Options{Tools: []tool.Tool{think}, Hub: hub.Options{Model: noModel{}}})
	c := r.Client("cli", "")
	for _, x := range []struct {
		args string
		kind fault.Kind
	}{{`{}`, fault.Unsupported}, {`{"llm":"lab/x"}`, ""}} {
		args, kind := x.args, x.kind
		rep, err := r.Do(t.Context(), c, calls.Request{Call: tool.Call{Name: "demo_think", Args: []byte(args)}, Device: "web"})
		if err == nil {
			err = rep.Result.Err()
		}
		if opened := len(r.Provider.Opened("web")); fault.KindOf(err) != kind || kind != "" && opened != 0 {
			t.Errorf("%s: %v, opened %d", args, err, opened)
		}
	}
}
