package phones

import (
	"cmp"
	"context"
	"flag"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/automation"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var (
	speed  = flag.Bool("speed", false, "measure the driver beside the helper alone and beside mobile-mcp (make bench-phone)")
	mobile = flag.String("mobile-mcp", "", "the program `file` of @mobilenext/mobile-mcp")
)

// median runs a thing so often and returns the time in the middle.
func median(t *testing.T, times int, do func() error) time.Duration {
	t.Helper()
	var took []time.Duration
	for range times {
		began := time.Now()
		if err := do(); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// TestSpeed prints the times of the helper's own answers, of the driver and of mobile-mcp, in one run. The driver's tap
// and text hold what the helper's do not: that the element is the right one and stands still, and what has changed.
func TestSpeed(t *testing.T) {
	if !*speed {
		t.Skip("only with -speed")
	}
	h := newHouse(t)
	h.rest(flow{})
	h.shell("am start -W -n " + app + "/.view.Controls1")
	server, ctx := adb.NewServer(h.getenv), t.Context()

	raw, err := automation.Start(ctx, server.Phone(h.phone.Addr()), automation.Folder)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(q map[string]any) func() error {
		return func() error { return raw.Call(ctx, q, nil) }
	}
	d, err := android.Open(ctx, android.Options{Server: server, Serial: h.phone.Addr()})
	if err != nil {
		t.Fatal(err)
	}
	find := func(id string) screen.NodeID {
		s, err := d.Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var found screen.NodeID
		var at screen.Point
		var walk func(*screen.Node)
		walk = func(n *screen.Node) {
			if slices.Contains(n.IDs(), id) {
				found, at = n.ID, n.Bounds.Center()
			}
			for _, c := range n.Children {
				walk(c)
			}
		}
		walk(s.Root)
		if found == 0 {
			t.Fatalf("no %s on the screen", id)
		}
		points[id] = []int{int(at.X), int(at.Y)}
		return found
	}
	box, field := find("check1"), find("edit")
	look := func() error { _, err := d.Snapshot(ctx, driver.SnapshotOptions{}); return err }
	tap := func() error {
		_, err := d.Perform(ctx, driver.Tap{Target: driver.Target{Node: box}})
		return err
	}
	write := func() error {
		_, err := d.Perform(ctx, driver.TypeText{Target: driver.Target{Node: field}, Text: "0123456789"})
		return err
	}
	p := points["check1"]
	touch := ask(map[string]any{"do": "touch", "fingers": 1, "points": [][]int{{0, p[0], p[1]}, {40, p[0], p[1]}}})
	looked := func() (err error) { // what a tap waits for and reads, without the driver
		tree, settle := map[string]any{"do": "tree"}, func(ms int) func() error {
			return ask(map[string]any{"do": "settle", "quiet": ms, "most": 5000})
		}
		for _, do := range []func() error{ask(tree), settle(34), ask(tree), touch, settle(100), ask(tree)} {
			err = cmp.Or(err, do())
		}
		return err
	}
	_ = write() // gives the field the focus
	for _, row := range []struct {
		name       string
		floor, our func() error
		times      int
	}{
		{"snapshot", ask(map[string]any{"do": "tree"}), look, 60},
		{"tap", touch, tap, 15},
		{"tap, looked", looked, tap, 15},
		{"type", ask(map[string]any{"do": "text", "text": "0123456789"}), write, 10},
	} {
		floor, our := median(t, row.times, row.floor), median(t, row.times, row.our)
		t.Logf("%-11s helper %v, driver %v: %.1f ×", row.name, floor.Round(100*time.Microsecond),
			our.Round(100*time.Microsecond), float64(our)/float64(floor))
	}
	raw.Close()
	_ = d.Close()
	h.mobileSpeed(p)
}

var points = map[string][]int{}

// getenv returns a variable of the house.
func (h *house) getenv(name string) string {
	for _, e := range slices.Backward(h.Env) {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

// mobileSpeed measures mobile-mcp on the same screen.
func (h *house) mobileSpeed(p []int) {
	t := h.T
	if *mobile == "" {
		t.Log("mobile-mcp left out: no -mobile-mcp")
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", *mobile, "--stdio")
	cmd.Env = append(h.Env, "MOBILEMCP_DISABLE_TELEMETRY=1")
	mcp, err := sdk.NewClient(&sdk.Implementation{Name: "phones", Version: "1"}, nil).Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mcp.Close() }()
	call := func(tool string, args map[string]any) func() error {
		args["device"] = h.phone.Addr()
		return func() error {
			_, err := mcp.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
			return err
		}
	}
	list := median(t, 10, call("mobile_list_elements_on_screen", map[string]any{}))
	click := median(t, 10, call("mobile_click_on_screen_at_coordinates", map[string]any{"x": p[0], "y": p[1]}))
	keys := median(t, 5, call("mobile_type_keys", map[string]any{"text": "0123456789", "submit": false}))
	t.Logf("mobile-mcp: elements %v, click %v, type %v", list.Round(time.Millisecond), click.Round(time.Millisecond), keys.Round(time.Millisecond))
}
