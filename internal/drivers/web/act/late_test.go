package act_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(webtest.Closing(m)) }

// TestTypingIsReadAfterItsLastKey proves that a field is read when all keys are in it, also when the
// browser answers for them before they are.
func TestTypingIsReadAfterItsLastKey(t *testing.T) {
	d := webtest.Device(t, web.DeviceOptions{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	page := "data:text/html,<div contenteditable aria-label=Note>x</div>"
	const field = "[contenteditable]"
	read := ""
	for range 3 { // the machine may hold it for longer than the page waits for a key
		if _, err := d.Navigate(ctx, driver.Navigation{URL: page}); err != nil {
			t.Fatal(err)
		}
		s, err := d.Snapshot(ctx, driver.SnapshotOptions{CSS: []string{field}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.TypeLate(ctx, driver.Target{Node: s.CSS[field][0]}, "a\nb", func() {
			const since = "new Promise(ok => { const t = performance.now(), on = () => " +
				"performance.now() - t > 100 ? ok(1) : requestAnimationFrame(on); on() })"
			if _, err := d.Evaluate(ctx, since, 0); err != nil {
				t.Error(err)
			}
		})
		if err == nil && strings.Join(strings.Fields(got), "|") == "xa|b" {
			return
		}
		read += fmt.Sprintf("%q, %v; ", got, err)
	}
	t.Errorf("read %s", read)
}
