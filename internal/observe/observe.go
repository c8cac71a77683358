package observe

import (
	"context"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Observation is what a reply says about the screen.
type Observation struct {
	Text       string        `json:"text"`              // fenced; "" when there is nothing to say
	Changes    int           `json:"changes,omitempty"` // how many elements differ from what the seat saw last
	Full       bool          `json:"full,omitempty"`    // the screen, not a difference
	Truncated  bool          `json:"truncated,omitempty"`
	Settle     string        `json:"settle,omitempty"` // why waiting ended
	URL        string        `json:"url,omitempty"`
	Title      string        `json:"title,omitempty"`
	Quality    string        `json:"quality,omitempty"` // the verdict on the capture, when it is not complete
	Spill      *Spill        `json:"spill,omitempty"`
	Screenshot *tool.Content `json:"-"`
}

// Spill is where the whole of a text is that did not fit.
type Spill struct {
	Session string `json:"session,omitempty"`
	Blob    string `json:"blob"`
	MIME    string `json:"mime"`
	Bytes   int    `json:"bytes"`
}

// URI is the resource that has the whole.
func (s Spill) URI() string { return "trailblaze://sessions/" + s.Session + "/blobs/" + s.Blob }

// Keeper keeps what does not fit in a reply. An event log is one.
type Keeper interface {
	PutBlob(data []byte, mime string) (name string, err error)
}

// Settings are what a seat wants to be told.
type Settings struct {
	Verbosity      toolset.Verbosity
	Format         toolset.ScreenshotFormat
	AutoScreenshot bool
	Screenshot     driver.ScreenshotOptions
	MaxTokens      int // 0: DefaultTokens
}

// Call is an action that is over.
type Call struct {
	Device   driver.Device
	Seat     string // whose memory of the screen counts
	Spec     *tool.Spec
	Result   *tool.Result
	Settings Settings
}

// Options are what an observer needs.
type Options struct {
	Session string                                  // id of the live session, for handles
	Keeper  Keeper                                  // nil: what does not fit is lost
	Mask    func(*screen.Snapshot) *screen.Snapshot // takes secrets out; nil: there are none
}

// The bounds of a reply, in tokens of four bytes.
const (
	DefaultTokens = 6000
	MaxTokens     = 25000
)

// Observer remembers what each seat of one live session was shown.
type Observer struct {
	o    Options
	mu   sync.Mutex
	seen map[string]*screen.Snapshot
}

// New makes an observer.
func New(o Options) *Observer { return &Observer{o: o, seen: map[string]*screen.Snapshot{}} }

// After says what the seat should be told after an action. Nil: nothing.
func (o *Observer) After(ctx context.Context, c Call) (*Observation, error) {
	return nil, nil
}

// Saw notes that a seat was shown a capture.
func (o *Observer) Saw(seat string, s *screen.Snapshot) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen[seat] = s
}
