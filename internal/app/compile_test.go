package app

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// R45: tools that a program is built with may not take the place of others, and those that are wrong are told.
func TestCompile(t *testing.T) {
	none := func(context.Context, tool.Env, struct{}) (string, error) { return "", nil }
	one := func(name string) tool.Tool { return tool.Define(tool.Spec{Name: name, Kind: tool.Query}, none) }
	for want, own := range map[string][]tool.Tool{
		"reserved": {one("web_click")}, "namespace": {one("login")}, "may not have": {one("acme.login")},
		"acme_login": {one("acme_login"), one("acme_login")},
	} {
		if err := Compile(own...); err == nil || !strings.Contains(err.Error()+fault.HintOf(err), want) {
			compiled = nil
			t.Errorf("%v, want %s", err, want)
		}
	}
}
