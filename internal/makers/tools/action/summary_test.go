package action_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestManyAreSummedUp proves that what an action does many times does not make its reply long.
func TestManyAreSummedUp(t *testing.T) {
	e := &driver.Effect{Changes: driver.Changes{Tabs: true, Dialog: true, Download: true}}
	for i := range 50 {
		e.NewTabs = append(e.NewTabs, fmt.Sprintf("t%d", i+2))
		e.Dialogs = append(e.Dialogs, driver.DialogEvent{Dialog: screen.Dialog{Type: "alert", Message: "hi"}})
		e.Files = append(e.Files, driver.Download{Name: fmt.Sprintf("%d.txt", i)})
	}
	got := action.Summary(e)
	for _, want := range []string{"It opened 50 tabs, t2 to t51.", "47 more dialogs came up", "It downloaded 47 more files."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
	if len(got) > 500 {
		t.Errorf("%d characters: %s", len(got), got)
	}
	few := action.Summary(&driver.Effect{NewTabs: []string{"t2", "t3"}, Changes: driver.Changes{Tabs: true}})
	if few != "It opened tab t2; web_switchTab goes on there. It opened tab t3; web_switchTab goes on there." {
		t.Errorf("few: %s", few)
	}
}
