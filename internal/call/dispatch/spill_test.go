package dispatch_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// What another server answers at length is put beside the log, masked, and the answer says where.
func TestLongAnswersAreSpilled(t *testing.T) {
	const secret = "hunter2-s3cret"
	text := strings.Repeat("x", 2<<20) + secret
	value, err := json.Marshal(map[string]string{"long": text})
	if err != nil {
		t.Fatal(err)
	}
	says := func(name string, e *tool.Effects) tool.Tool {
		spec := tool.Spec{Name: name, Kind: tool.Query, Facts: tool.Facts{Effects: e}}
		return custom(spec, func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
			return &tool.Result{Content: []tool.Content{{Type: "text", Text: text}}, Value: value}, nil
		})
	}
	r := setup(t, dispatch.Options{}, says("acme_long", &tool.Effects{Server: true}), says("web_long", &tool.Effects{}))
	r.mem.SetSecret("pw", secret)
	if res := r.must("acme_long", `{}`); !strings.Contains(res.Text(), "keeps nothing") || len(res.Text()) > 100<<10 {
		t.Errorf("without a folder: %.200q", res.Text())
	}
	kept, err := session.Open(t.Context(), session.Options{Memory: r.mem, Device: phone, Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	r.s = kept
	t.Cleanup(func() { _ = kept.Close("passed") })
	if res := r.must("web_long", `{}`); len(res.Text()) < 2<<20 || len(res.Value) < 2<<20 {
		t.Errorf("a tool of ours lost %d bytes", 2<<20-len(res.Text()))
	}
	res := r.must("acme_long", `{}`)
	if res.Value != nil || len(res.Text()) > 100<<10 {
		t.Errorf("%d bytes of text and %d of value are left", len(res.Text()), len(res.Value))
	}
	names := regexp.MustCompile(`sessions/`+kept.ID+`/blobs/([0-9a-f]{64})`).FindAllStringSubmatch(res.Text(), -1)
	if len(names) != 2 {
		t.Fatalf("it names %d blobs: %.200q", len(names), res.Text())
	}
	for _, n := range names {
		data, err := kept.Log.Blob(n[1])
		if err != nil || len(data) < 2<<20 || strings.Contains(string(data), secret) {
			t.Errorf("blob %s has %d bytes: %v", n[1], len(data), err)
		}
	}
}
