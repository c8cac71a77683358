package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands"
)

// R20, R25, R28, R30, R32, R35: the Go client starts the daemon by itself and drives the shop: typed commands, queries
// that do not fail, failures with a kind and a hint, and no backend that the device lacks.
func TestGoClient(t *testing.T) {
	s := newSitting(t)
	for _, kv := range s.env[len(s.env)-6:] {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "TRAILBLAZE_") {
			t.Setenv(name, value)
		}
	}
	tb, err := client.Dial(t.Context(), &client.Options{Binary: binary, Workspace: s.work, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if tb.Platform != driver.WebPlatform || tb.Web == nil || tb.Mobile != nil || tb.Desktop != nil {
		t.Errorf("%s: web %v, mobile %v, desktop %v", tb.Platform, tb.Web, tb.Mobile, tb.Desktop)
	}
	if _, err := tb.Web.Navigate(t.Context(), &commandsv1.NavigateRequest{Url: proto.String(s.shop + "/account")}); err != nil {
		t.Fatal(err)
	}
	seen, err := tb.IsVisible(t.Context(), &commandsv1.IsVisibleRequest{Text: proto.String("Sign in")})
	if err != nil || !seen.GetVisible() {
		t.Errorf("Sign in: %v %v", seen, err)
	}
	none, err := tb.IsVisible(t.Context(), &commandsv1.IsVisibleRequest{Text: proto.String("Nothing of the kind")})
	if err != nil || none.GetVisible() {
		t.Errorf("a query of what is not there: %v %v", none, err)
	}
	_, err = tb.AssertVisible(t.Context(), &commandsv1.AssertVisibleRequest{Text: proto.String("Nothing of the kind")})
	if fault.KindOf(err) != fault.Assertion && fault.KindOf(err) != fault.NotFound {
		t.Errorf("an assertion that does not hold: %v (%s)", err, fault.KindOf(err))
	}
	_, err = tb.Tap(t.Context(), &commandsv1.TapRequest{Text: proto.String("Nothing of the kind")})
	if err == nil || fault.HintOf(err) == "" {
		t.Errorf("an action on nothing: %v, hint %q", err, fault.HintOf(err))
	}
	r, err := tb.CallTool(t.Context(), "isVisible", map[string]any{"text": "Sign in"})
	if err != nil || !strings.Contains(string(r.Value), `"visible":true`) && !strings.Contains(string(r.Value), `"visible": true`) {
		t.Errorf("CallTool: %s %v", r.Value, err)
	}
	if _, err := tb.CallTool(t.Context(), "isVisibel", nil); !strings.Contains(fault.HintOf(err)+err.Error(), "isVisible") {
		t.Errorf("a tool that there is not: %v, hint %q", err, fault.HintOf(err))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = tb.WaitUntilVisible(ctx, &commandsv1.WaitUntilVisibleRequest{
		Text: proto.String("Nothing of the kind"), TimeoutMs: proto.Int32(20_000),
	})
	if k := fault.KindOf(err); k != fault.Timeout && k != fault.Canceled {
		t.Errorf("a deadline: %v (%s)", err, k)
	}
}
