package replay

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/event/index"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// TestSinceGreen: a failure says how the screen differs from the one on which the step last passed, found through the
// index of kept sessions, and not when there never was one.
func TestSinceGreen(t *testing.T) {
	b := newBed(t, map[string]string{
		"/before": `<title>Pay</title><p>Total 12</p><button onclick="this.after('Paid')">Pay now</button>`,
		"/after":  `<title>Pay</title><p>Total 13</p><button>Card declined</button>`,
	})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	root := t.TempDir()
	play := func(dir, path string) *Outcome {
		tr, problems := trail.Parse("pay.trail.yaml", []byte(`config: {title: Pay}
trail:
  - step: Open
    recording: {web: [{web_navigate: {url: "{{base}}`+path+`"}}]}
  - step: Pay
    recording: {web: [{web_click: {timeoutMs: 500, nodeSelector: {web: {ariaRole: button, ariaNameRegex: Pay now}}}}]}
`), trail.Strict)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		x, err := index.Open(ctx, root)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		}()
		if err := x.Sync(ctx); err != nil {
			t.Fatal(err)
		}
		dev := webtest.Device(t, web.DeviceOptions{ID: "web"})
		s, err := session.Open(ctx, session.Options{Root: root, Device: dev})
		if err != nil {
			t.Fatal(err)
		}
		s.Memory.Set("base", b.base)
		p := *b.player
		p.Baselines = index.Baselines{Index: x}
		out := p.Play(ctx, s, tr, Attempt{Number: 1, File: dir + "/" + tr.Path})
		s.Close(out.Outcome)
		return out
	}
	if out := play("/a", "/after"); out.Outcome != event.Failed || len(out.Failure.SinceGreen) > 0 {
		t.Fatalf("never green: %s, %+v", out.Outcome, out.Failure)
	}
	if out := play("/a", "/before"); out.Outcome != event.Passed {
		t.Fatalf("%s: %+v", out.Outcome, out.Failure)
	}
	if out := play("/b", "/after"); out.Outcome != event.Failed || len(out.Failure.SinceGreen) > 0 {
		t.Errorf("a copy is compared with the green run of another file: %s, %+v", out.Outcome, out.Failure)
	}
	out := play("/a", "/after")
	if out.Outcome != event.Failed {
		t.Fatalf("%s, want failed", out.Outcome)
	}
	for _, want := range []string{`no longer there: text "Total 12"`, `no longer there: button "Pay now"`, `new: text "Total 13"`, `new: button "Card declined"`} {
		if !slices.Contains(out.Failure.SinceGreen, want) {
			t.Errorf("the failure does not say %q: %q", want, out.Failure.SinceGreen)
		}
	}
}

// TestSinceGreenLines: what is the same in both is not said, a second copy is, and the list is bounded.
func TestSinceGreenLines(t *testing.T) {
	page := func(url string, names ...string) *screen.Snapshot {
		s := &screen.Snapshot{URL: url, Root: &screen.Node{Role: "document"}}
		for i, n := range names {
			s.Root.Children = append(s.Root.Children, &screen.Node{ID: screen.NodeID(i + 1), Role: "button", Name: n})
		}
		s.Index()
		return s
	}
	got := sinceBaseline(page("http://h:1/a", "A", "B"), page("http://h:2/b", "B", "B", "C"))
	want := []string{"address was /a, is /b", `no longer there: button "A"`, `new: button "B"`, `new: button "C"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	many := sinceBaseline(page("", strings.Split("abcdefghijklmnopqrstuvwxyz", "")...), page(""))
	if len(many) != baselineLines+1 || many[baselineLines] != "and 14 more differences" {
		t.Errorf("%d lines, the last %q", len(many), many[len(many)-1])
	}
}
