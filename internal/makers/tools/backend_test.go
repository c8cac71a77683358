package tools_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// desktop is a backend that nothing in the product knows: the methods of a device, and no capability.
type desktop struct{ window *tooltest.Device }

var _ driver.Device = desktop{}

func (d desktop) Info() driver.Info {
	return driver.Info{ID: "desk", Platform: "desktop", Driver: "DESK", Width: 800, Height: 600, Classifiers: []string{"desktop"}}
}

func (d desktop) Snapshot(ctx context.Context, o driver.SnapshotOptions) (*screen.Snapshot, error) {
	return d.window.Snapshot(ctx, o)
}

func (d desktop) Screenshot(ctx context.Context, o driver.ScreenshotOptions) (driver.Image, error) {
	return d.window.Screenshot(ctx, o)
}

func (d desktop) Perform(ctx context.Context, a driver.Action) (*driver.Effect, error) {
	return d.window.Perform(ctx, a)
}

func (d desktop) Close() error { return nil }

// R5: a backend of a new kind needs what every device has and nothing of the core: tools for all platforms act on it, are
// recorded and leave evidence, tools of its own are added beside them, and tools of another platform say where they run.
func TestNewBackend(t *testing.T) {
	if n := reflect.TypeFor[driver.Device]().NumMethod(); n != 5 {
		t.Errorf("a backend has %d methods to implement", n)
	}
	menu := tool.Define(tool.Spec{
		Name: "desk_menu", Title: "Menu", Description: "Opens a menu.", Kind: tool.Query, Platforms: []driver.Platform{"desktop"},
	}, func(_ context.Context, env tool.Env, _ struct{}) (string, error) {
		return "menu of " + env.Device().Info().ID, nil
	})
	reg, err := tool.NewRegistry(append(tools.Builtin(), menu)...)
	if err != nil {
		t.Fatal(err)
	}
	d := dispatch.New(dispatch.Options{Registry: reg})
	t.Cleanup(func() { _ = d.Close(context.WithoutCancel(t.Context())) })
	window := tooltest.NewDevice(tooltest.Page(&screen.Node{
		Role: "button", Name: "Save", Ref: "e1", Bounds: screen.Rect{X: 1, Y: 1, W: 50, H: 20},
	}))
	on := func(dev driver.Device) func(name, args string) (*tool.Result, error) {
		s, err := session.Open(t.Context(), session.Options{Root: t.TempDir(), Device: dev})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close(event.Passed) })
		return func(name, args string) (*tool.Result, error) {
			res, err := d.Call(t.Context(), s, dispatch.CLI, tool.Call{Name: name, Args: json.RawMessage(args)})
			if err == nil {
				err = res.Err()
			}
			return res, err
		}
	}
	desk, web := on(desktop{window}), on(window)

	res, err := desk("tap", `{"text":"Save"}`)
	if err != nil || len(window.Actions()) != 1 || res.Evidence == nil || res.Evidence.Effect == nil {
		t.Errorf("tap: %+v %v, did %v", res, err, window.Actions())
	}
	if res, err := desk("isVisible", `{"text":"Nothing"}`); err != nil || !strings.HasPrefix(string(res.Value), `{"visible":false`) {
		t.Errorf("isVisible: %+v %v", res, err)
	}
	if _, err := desk("assertVisible", `{"text":"Nothing","timeoutMs":1}`); fault.KindOf(err) != fault.Assertion {
		t.Errorf("assertVisible: %v", err)
	}
	if res, err := desk("desk_menu", `{}`); err != nil || res.Text() != "menu of desk" {
		t.Errorf("desk_menu: %+v %v", res, err)
	}
	for call, err := range map[string]error{
		"web_navigate on desktop": second(desk("web_navigate", `{"url":"https://shop.test/"}`)),
		"desk_menu on web":        second(web("desk_menu", `{}`)),
	} {
		_, platform, _ := strings.Cut(call, " on ")
		if fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), platform) {
			t.Errorf("%s: %v", call, err)
		}
	}
}

func second(_ *tool.Result, err error) error { return err }
