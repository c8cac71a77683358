package locator_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/screen"
)

func text(s string, v screen.Visibility) *screen.Node {
	return &screen.Node{Role: "paragraph", Text: s, Visibility: v, Bounds: screen.Rect{X: 10, Y: 10, W: 80, H: 20}}
}

func TestSeeNeedsWhatAPersonCouldSee(t *testing.T) {
	tests := []struct {
		name string
		page *screen.Snapshot
		kind fault.Kind
	}{
		{"visible", tooltest.Page(text("Paid", screen.Visible)), ""},
		{"covered", tooltest.Page(text("Paid", screen.Covered)), fault.Assertion},
		{"clipped away", tooltest.Page(text("Paid", screen.Clipped)), fault.Assertion},
		{"transparent", tooltest.Page(text("Paid", screen.Transparent)), fault.Assertion},
		{"hidden", tooltest.Page(text("Paid", screen.Hidden)), fault.Assertion},
		{"inside a word", tooltest.Page(text("Unpaid", screen.Visible), text("Prepaid", screen.Visible)), fault.Assertion},
		{"part of a text", tooltest.Page(text("Paid: 3", screen.Visible)), ""},
		{"a hidden one first", tooltest.Page(text("Paid", screen.Hidden), text("Paid", screen.Visible)), ""},
		{"half of it hidden", tooltest.Page(&screen.Node{Role: "paragraph", Children: []*screen.Node{
			{Role: "text", Name: "Paid "}, {Role: "text", Name: "in full", Visibility: screen.Hidden},
		}}), ""},
		{"a capture that is not whole", degraded(tooltest.Page(text("Paid", screen.Visible))), fault.Degraded},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dev := tooltest.NewDevice(tt.page)
				_, err := locator.See(t.Context(), dev, locator.Query{Text: "Paid"}, nil)
				if got := fault.KindOf(err); got != tt.kind {
					t.Errorf("See = %v, want kind %q", err, tt.kind)
				}
			})
		})
	}
	t.Run("the hidden half is asked for", func(t *testing.T) {
		page := tooltest.Page(&screen.Node{Role: "paragraph", Children: []*screen.Node{
			{Role: "text", Name: "Paid "}, {Role: "text", Name: "in full", Visibility: screen.Hidden},
		}})
		_, err := locator.See(t.Context(), tooltest.NewDevice(page), locator.Query{Text: "Paid in full", Once: true}, nil)
		if fault.KindOf(err) != fault.Assertion {
			t.Errorf("See = %v, want a failure: half of the text is hidden", err)
		}
	})
}

func degraded(s *screen.Snapshot) *screen.Snapshot {
	s.Quality = screen.Quality{Verdict: screen.Degraded, Reasons: []string{"a frame did not answer"}}
	return s
}

func TestSeeScrollsWhatOnlyNeedsScrolling(t *testing.T) {
	below := text("Imprint", screen.Offscreen)
	dev := tooltest.NewDevice(tooltest.Page(below))
	dev.Act = func(a driver.Action) (*driver.Effect, error) {
		if s, ok := a.(driver.ScrollIntoView); ok && s.Target.Node == below.ID {
			dev.Show(tooltest.Page(&screen.Node{ID: below.ID, Role: "paragraph", Text: "Imprint"}))
		}
		return &driver.Effect{Changes: driver.Changes{Scroll: true}}, nil
	}
	if _, err := locator.See(t.Context(), dev, locator.Query{Text: "Imprint"}, nil); err != nil {
		t.Fatalf("See = %v, want it scrolled into view", err)
	}
	if len(dev.Actions()) != 1 {
		t.Errorf("actions = %v, want one scroll", dev.Actions())
	}
}

func TestSeeDoesNotBelieveAScrollThatShowsNothing(t *testing.T) {
	dev := tooltest.NewDevice(tooltest.Page(text("Imprint", screen.Offscreen)))
	if _, err := locator.See(t.Context(), dev, locator.Query{Text: "Imprint"}, nil); fault.KindOf(err) != fault.Assertion {
		t.Errorf("See = %v, want a failure: it never came into view", err)
	}
}

func TestAbsent(t *testing.T) {
	spinner := locator.Query{Text: "Loading"}
	t.Run("gone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(tooltest.Page(text("Loading", screen.Visible)))
			time.AfterFunc(2*time.Second, func() { dev.Show(tooltest.Page(text("Done", screen.Visible))) })
			if _, err := locator.Absent(t.Context(), dev, spinner); err != nil {
				t.Errorf("Absent = %v, want gone after 2 s", err)
			}
		})
	})
	t.Run("stays", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(tooltest.Page(text("Loading", screen.Visible)))
			if _, err := locator.Absent(t.Context(), dev, spinner); fault.KindOf(err) != fault.Assertion {
				t.Errorf("Absent = %v, want a failure", err)
			}
		})
	})
	t.Run("below the fold is not gone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(tooltest.Page(text("Loading", screen.Offscreen)))
			if _, err := locator.Absent(t.Context(), dev, spinner); fault.KindOf(err) != fault.Assertion {
				t.Errorf("Absent = %v, want a failure", err)
			}
		})
	})
	t.Run("about to appear", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(tooltest.Page())
			time.AfterFunc(100*time.Millisecond, func() { dev.Show(tooltest.Page(text("Loading", screen.Visible))) })
			if _, err := locator.Absent(t.Context(), dev, spinner); fault.KindOf(err) != fault.Assertion {
				t.Errorf("Absent = %v, want a failure: the screen had not settled", err)
			}
		})
	})
	t.Run("a degraded capture proves nothing", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(degraded(tooltest.Page()))
			if _, err := locator.Absent(t.Context(), dev, spinner); fault.KindOf(err) != fault.Degraded {
				t.Errorf("Absent = %v, want inconclusive", err)
			}
		})
	})
	t.Run("a screen that never rests", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(tooltest.Page(text("tick", screen.Visible)))
			done := make(chan struct{})
			go func() {
				every := time.NewTicker(50 * time.Millisecond)
				defer every.Stop()
				for {
					select {
					case <-every.C:
						dev.Show(tooltest.Page(text("tick", screen.Visible)))
					case <-done:
						return
					}
				}
			}()
			defer close(done)
			if _, err := locator.Absent(t.Context(), dev, spinner); err != nil {
				t.Errorf("Absent = %v, want absence to be believed in the end", err)
			}
		})
	})
}

// TestWhatCannotBeSeenIsNotMissing proves that an element which a poor capture does not show decides nothing.
func TestWhatCannotBeSeenIsNotMissing(t *testing.T) {
	q := locator.Query{Target: locator.Target{Ref: `button "Save"`}, Timeout: time.Millisecond}
	for want, page := range map[fault.Kind]*screen.Snapshot{
		fault.NotFound: tooltest.Page(text("Paid", screen.Visible)),
		fault.Degraded: degraded(tooltest.Page(text("Paid", screen.Visible))),
	} {
		if _, err := locator.Resolve(t.Context(), tooltest.NewDevice(page), q); fault.KindOf(err) != want {
			t.Errorf("with a %v capture: %v, want kind %s", page.Quality.Verdict, err, want)
		}
	}
	blank := tooltest.Page()
	blank.URL = "about:blank"
	if _, err := locator.Resolve(t.Context(), tooltest.NewDevice(blank), q); !strings.Contains(fmt.Sprint(err), "web_navigate") {
		t.Errorf("before a page is open: %v", err)
	}
}
