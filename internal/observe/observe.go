package observe

import (
	"context"
	"fmt"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Observation is what the screen shows after a call.
type Observation struct {
	Text      string         // what changed, or the whole screen; page text, not yet fenced
	Full      bool           // Text is the screen, not what changed
	Changed   bool           // anything did
	Changes   int            // how much did: elements, and the page's address, title, focus and dialog
	Truncated bool           // Text is not all there is
	Settle    string         // why waiting ended
	URL       string         // after
	Title     string         // after
	Quality   screen.Quality // of the capture
	Image     *tool.Content  // a picture, when the seat wants one
	Spill     *Spill         // where all of the text is, when it was cut
}

// String is the observation as a model reads it: what it is, why waiting ended, and the page's text between marks; "" when
// there is nothing to tell.
func (o *Observation) String() string {
	if o == nil || o.Text == "" {
		return ""
	}
	what := "What changed since you last looked"
	if o.Full {
		what = "The screen now"
	}
	if o.Settle != "" {
		what += " (settled: " + o.Settle + ")"
	}
	if where := o.Spill.Where(); where != "" {
		return fmt.Sprintf("%s:\n%s\n(all of it: %s)", what, Fence(o.Text), where)
	}
	return what + ":\n" + Fence(o.Text)
}

// Observer remembers what each seat was last shown of one live session.
type Observer struct {
	mu    sync.Mutex
	shown map[string]look
	looks int
}

// look is what a seat was shown, and when, in looks.
type look struct {
	screen  *screen.Snapshot
	at      int
	console uint64 // the newest message of the console that a reply has taken into account
}

// maxShown bounds the seats that are remembered: every call of a client without a session may come from a new one, which never
// leaves. A seat that is forgotten is shown the screen again.
const maxShown = 64

// New returns an observer to which nobody has been shown anything.
func New() *Observer { return &Observer{shown: map[string]look{}} }

// Shown is what a seat was last shown, nil when nothing.
func (o *Observer) Shown(seat string) *screen.Snapshot {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.shown[seat].screen
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
	before = o.shown[seat].screen
	o.looks++
	o.shown[seat] = look{now, o.looks, o.shown[seat].console}
	if len(o.shown) > maxShown {
		oldest, at := "", o.looks
		for s, l := range o.shown {
			if l.at < at {
				oldest, at = s, l.at
			}
		}
		delete(o.shown, oldest)
	}
	return before
}

// Viewer is the seat as tools see it that show the screen: they tell it what changed since it looked, and nobody else.
func (o *Observer) Viewer(seat string, s Settings) tool.Viewer { return viewer{o, seat, s} }

type viewer struct {
	o    *Observer
	seat string
	s    Settings
}

// Shown implements tool.Viewer.
func (v viewer) Shown() *screen.Snapshot { return v.o.Shown(v.seat) }

// Show implements tool.Viewer.
func (v viewer) Show(now *screen.Snapshot) { v.o.swap(v.seat, now) }

// MaxTokens implements tool.Viewer.
func (v viewer) MaxTokens() int { return max(v.s.Budget()-frameTokens, leastTokens) }

// Keep implements tool.Viewer.
func (v viewer) Keep(text string) string {
	spill, err := v.s.keep([]byte(text), textPlain)
	if err != nil {
		return "" // the text is cut either way, and says so
	}
	return spill.Where()
}

// After looks at the screen after a call. An action is followed by one capture, and tells what changed since this seat last
// looked; a seat that has not seen the page is told the page. Queries and assertions take no capture: what they show, they
// show themselves (see Viewer). Every reply tells the errors of the pages since the last one. Res is what the reply says
// already; it counts against the budget.
func (o *Observer) After(ctx context.Context, dev driver.Device, seat string, spec *tool.Spec, res *tool.Result, s Settings) (*Observation, error) {
	if res == nil {
		return nil, nil
	}
	if spec.Kind != tool.Action {
		if line := o.errors(ctx, dev, seat, ""); line != "" && Tokens(line) <= s.Budget()-Tokens(res.Text())-frameTokens {
			return &Observation{Text: s.mask(line)}, nil
		}
		return nil, nil
	}
	now, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return nil, err
	}
	out := &Observation{URL: now.URL, Title: now.Title, Quality: now.Quality, Settle: settle(res)}
	room := s.Budget() - Tokens(res.Text()) - frameTokens
	wrong := s.mask(o.errors(ctx, dev, seat, now.URL))
	if Tokens(wrong)+leastTokens > room {
		wrong = ""
	}
	err = out.tell(o.swap(seat, now), now, s, room-Tokens(wrong))
	out.Text = wrong + out.Text
	if !s.Screenshot || s.NoPictures || err != nil {
		return out, err
	}
	img, err := dev.Screenshot(ctx, s.picture())
	if err != nil {
		return out, err
	}
	out.Image = &tool.Content{Type: "image", Data: img.Data, MIME: img.MIME}
	return out, nil
}

func settle(res *tool.Result) string {
	if res.Evidence == nil || res.Evidence.Effect == nil {
		return ""
	}
	return res.Evidence.Effect.Settle.Reason
}
