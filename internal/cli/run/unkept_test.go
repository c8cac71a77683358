package run

import (
	"context"
	"fmt"
	"testing"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// TestUnkept: check tells of actions of the workspace that are in no recording, of whatever kind, and of nothing else.
func TestUnkept(t *testing.T) {
	tl := func(name string, e tool.Effects, change func(*tool.Spec)) tool.Tool {
		s := tool.Spec{Name: name, Description: "Acts.", Kind: tool.Action, Origin: "x", Facts: tool.Facts{Effects: &e}}
		if change != nil {
			change(&s)
		}
		return tool.Define(s, func(context.Context, tool.Env, struct{}) (string, error) { return "", nil })
	}
	sequence, script := tool.Effects{CallsTools: true}, tool.Effects{CallsTools: true, Script: true}
	doubts := unkept([]tool.Tool{
		tl("acme_script", script, nil), tl("acme_server", tool.Effects{CallsTools: true, Server: true}, nil),
		tl("acme_process", tool.Effects{CallsTools: true, Process: true}, nil), tl("acme_alias", tool.Effects{}, nil),
		tl("acme_sequence", sequence, nil), tl("acme_kept", script, func(s *tool.Spec) { s.Recordable = true }),
		tl("acme_looks", script, func(s *tool.Spec) { s.Kind = tool.Query }), tl("web_own", script, func(s *tool.Spec) { s.Origin = "" }),
		tl("acme_delegates", script, func(s *tool.Spec) { s.Delegating = true }),
	})
	var names []string
	for _, p := range doubts {
		names = append(names, p.Name)
		if !p.Warning {
			t.Errorf("%s is an error", p.Name)
		}
	}
	if got := fmt.Sprint(names); got != "[acme_script acme_server acme_process acme_alias]" {
		t.Errorf("told of %s", got)
	}
}
