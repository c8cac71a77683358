package dispatch_test

import (
	"context"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// A picture in a result reaches the report: beside the log, under the name it was asked to have.
func TestPicturesAreKept(t *testing.T) {
	shoot := tool.Define(tool.Spec{Name: "demo_shoot", Kind: tool.Query}, func(context.Context, tool.Env, struct {
		ScreenName string `json:"screenName"`
	}) (*tool.Result, error) {
		return &tool.Result{Content: []tool.Content{{Type: "text", Text: "here"}, {Type: "image", Data: []byte("picture"), MIME: "image/jpeg"}}}, nil
	})
	reg, err := tool.NewRegistry(shoot)
	if err != nil {
		t.Fatal(err)
	}
	d := dispatch.New(dispatch.Options{Registry: reg})
	defer func() { _ = d.Close(t.Context()) }()
	s, err := session.Open(t.Context(), session.Options{Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(event.Passed) }()
	if _, err := d.Call(t.Context(), s, dispatch.CLI, tool.Call{Name: "demo_shoot", Args: []byte(`{"screenName":"cart"}`)}); err != nil {
		t.Fatal(err)
	}
	for e, err := range event.Read(s.Dir) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type != event.Screenshot {
			continue
		}
		if data, err := event.ReadBlob(s.Dir, e.Screen.Blob); err != nil || string(data) != "picture" || e.Screen.Name != "cart" || e.Screen.Why != "demo_shoot" {
			t.Errorf("screen = %+v with %q, %v", e.Screen, data, err)
		}
		return
	}
	t.Error("no picture in the log")
}
