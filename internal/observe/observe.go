package observe

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The budgets of a reply, in tokens of four bytes.
const (
	DefaultTokens = 6_000
	MaxTokens     = 25_000

	minimalTokens = 400 // of a diff in the minimal verbosity: the lines that matter for the next action
)

// Settings are what a seat wants to be told.
type Settings struct {
	Verbosity  toolset.Verbosity
	MaxTokens  int // 0: DefaultTokens; never above MaxTokens
	Screenshot bool
	Picture    driver.ScreenshotOptions
}

// Budget is the most a reply may hold.
func (s Settings) Budget() int {
	if s.MaxTokens <= 0 {
		return DefaultTokens
	}
	return min(s.MaxTokens, MaxTokens)
}

// Observation is what the screen shows after a call.
type Observation struct {
	Text    string         // what changed, or the whole screen; page text, not yet fenced
	Full    bool           // Text is the whole screen, not what changed
	Changed bool           // anything did
	Settle  string         // why waiting ended
	URL     string         // after
	Title   string         // after
	Quality screen.Quality // of the capture
	Image   *tool.Content  // a picture, when the seat wants one
	Spill   *Spill         // where all of the text is, when it was cut
}

// Observer remembers what each seat was last shown of one live session.
type Observer struct {
	mu    sync.Mutex
	shown map[string]*screen.Snapshot
}

// New returns an observer to which nobody has been shown anything.
func New() *Observer { return &Observer{shown: map[string]*screen.Snapshot{}} }

// Shown is what a seat was last shown, nil when nothing.
func (o *Observer) Shown(seat string) *screen.Snapshot {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.shown[seat]
}

// Forget drops what a seat was shown, when it leaves.
func (o *Observer) Forget(seat string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.shown, seat)
}

func (o *Observer) swap(seat string, now *screen.Snapshot) (before *screen.Snapshot) {
	o.mu.Lock()
	defer o.mu.Unlock()
	before = o.shown[seat]
	o.shown[seat] = now
	return before
}

// After looks at the screen after a call. A query or assertion takes no capture of its own: when it made one (a snapshot),
// that is what the seat has now seen. An action takes one, and tells what changed since this seat last looked; a seat that
// has not looked yet is told the page and that it can.
func (o *Observer) After(ctx context.Context, dev driver.Device, seat string, spec *tool.Spec, res *tool.Result, s Settings) (*Observation, error) {
	if res == nil {
		return nil, nil
	}
	if spec.Kind != tool.Action {
		if looks(spec) && res.Evidence != nil && res.Evidence.Screen != nil && !res.IsError {
			o.swap(seat, res.Evidence.Screen)
		}
		return nil, nil
	}
	now, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return nil, err
	}
	out := &Observation{URL: now.URL, Title: now.Title, Quality: now.Quality, Settle: settle(res)}
	out.tell(o.swap(seat, now), now, s)
	if s.Screenshot {
		img, err := dev.Screenshot(ctx, s.Picture)
		if err != nil {
			return out, err
		}
		out.Image = &tool.Content{Type: "image", Data: img.Data, MIME: img.MIME}
	}
	return out, nil
}

// looks says whether a tool shows its caller the capture that it made.
func looks(spec *tool.Spec) bool {
	switch spec.Name {
	case "web_snapshot", "web_requestDetails", "viewHierarchy", "captureScreen", "takeSnapshot", "requestDetailedViewHierarchy":
		return true
	}
	return false
}

// tell fills in the text. A diff longer than the page it is about is no help: then the page is told.
func (out *Observation) tell(before, now *screen.Snapshot, s Settings) {
	budget := s.Budget()
	whole := func(limit int) string { return now.Text(screen.TextOptions{MaxTokens: limit, Since: before}) }
	if s.Verbosity == toolset.Full || before == nil && s.Verbosity == toolset.Standard {
		out.Text, out.Full, out.Changed = whole(budget), true, true
		return
	}
	limit := budget
	if s.Verbosity != toolset.Standard {
		limit = min(budget, minimalTokens)
	}
	if before == nil {
		out.Text, out.Full, out.Changed = whole(limit), true, true
		return
	}
	d := screen.Diff(before, now)
	out.Changed = !d.Empty()
	if !out.Changed {
		return
	}
	if d.NewPage {
		out.Text, out.Full = whole(limit), true
		return
	}
	out.Text = d.Text(limit)
	if len(out.Text) > 4*limit/2 {
		if all := whole(limit); len(all) < len(out.Text) {
			out.Text, out.Full = all, true
		}
	}
}

func settle(res *tool.Result) string {
	if res.Evidence == nil || res.Evidence.Effect == nil {
		return ""
	}
	return strings.TrimSpace(fmt.Sprint(res.Evidence.Effect.Settle.Reason))
}
