package toolset_test

import (
	"slices"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// TestFacts proves that what ships declares what it touches and where it is listed, by names that exist.
func TestFacts(t *testing.T) {
	all := append(append(tools.Builtin(), replay.NewRunTrail(nil, nil)), manage.Tools(nil, manage.Options{})...)
	reg, err := tool.NewRegistry(all...)
	if err != nil {
		t.Fatal(err)
	}
	listed := append(toolset.Categories(), "AGENT", "SAMPLING") // the modes that have their own list
	for _, tl := range all {
		s := tl.Spec()
		if s.Effects == nil {
			t.Errorf("%s does not declare what it touches", s.Name)
			continue
		}
		for _, c := range s.Categories {
			if !slices.Contains(listed, toolset.Category(c)) {
				t.Errorf("%s: there is no category %s", s.Name, c)
			}
		}
		if _, ok := reg.Get(s.Replaces); s.Replaces != "" && !ok {
			t.Errorf("%s: there is no tool %s", s.Name, s.Replaces)
		}
		args := slices.Concat(s.Effects.Opens, s.Effects.Reads, s.Effects.Writes, s.Unlisted, []string{s.Effects.Recalls, s.Effects.Remembers})
		for _, arg := range args {
			if arg != "" && s.Input.Get().Properties[arg] == nil {
				t.Errorf("%s has no argument %s", s.Name, arg)
			}
		}
	}
	for _, s := range []struct {
		purpose tool.Purpose
		on      driver.Platform
		want    string
	}{
		{tool.TakeSnapshot, driver.WebPlatform, "web_snapshot"}, {tool.TakeSnapshot, "", "web_snapshot"},
		{tool.TakeSnapshot, driver.AndroidPlatform, tools.Snapshot}, {tool.OpenPage, driver.WebPlatform, "web_navigate"},
		{tool.Pause, driver.WebPlatform, "web_wait"}, {tool.Pause, driver.IOSPlatform, "wait"},
		{tool.CheckText, "", "web_verifyTextVisible"}, {tool.Click, "", tools.Click}, {tool.ManageSession, "", manage.Session},
		{tool.AwaitScreen, "", manage.AwaitScreen}, {tool.CheckText, driver.IOSPlatform, "check that a text is visible"},
	} {
		if got := reg.Call(s.purpose, s.on); got != s.want {
			t.Errorf("%s on %q: %s, want %s", s.purpose, s.on, got, s.want)
		}
	}
}
