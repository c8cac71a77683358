package driver

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// Device is all that a driver must have. Its methods are safe for concurrent use, but only one action runs at a time;
// every method returns soon after ctx ends, with ctx's error.
type Device interface {
	Info() Info
	// Snapshot captures the screen. It never returns a partial tree as a whole one: see Snapshot.Quality.
	Snapshot(ctx context.Context, o SnapshotOptions) (*screen.Snapshot, error)
	Screenshot(ctx context.Context, o ScreenshotOptions) (Image, error)
	// Perform carries out one action exactly once and returns when the device has settled, saying why it thinks so. A
	// *fault.Error of kind NotActed means that nothing was sent, or that the input did not take.
	Perform(ctx context.Context, a Action) (*Effect, error)
	Close() error
}

// Info identifies a device. Every reply to a client carries ID.
type Info struct {
	ID          string   `json:"id"`       // "web", "web/checkout", "emulator-5554"
	Platform    Platform `json:"platform"` // lower case everywhere we write
	Driver      string   `json:"driver"`   // upstream's enum name, e.g. "PLAYWRIGHT_NATIVE" for any web driver
	Width       int      `json:"width"`    // px
	Height      int      `json:"height"`
	Classifiers []string `json:"classifiers"` // broad first: ["android", "phone"]
	Version     string   `json:"version,omitempty"`
}

// Platform is the name of a platform in a trail.
type Platform string

// The platforms.
const (
	WebPlatform     Platform = "web"
	AndroidPlatform Platform = "android"
	IOSPlatform     Platform = "ios"
)

// SnapshotOptions shape a capture. The zero value is the default capture.
type SnapshotOptions struct {
	CSS  []string // selectors to evaluate during the capture; their matches land in Snapshot.CSS
	Full bool     // ignore what is cached and look at everything again
}

// ScreenshotOptions shape a screenshot. The zero value is a JPEG of the viewport.
type ScreenshotOptions struct {
	Format   string // "jpeg" (default), "png", "webp"
	Quality  int    // 1–100, default 80; not for png
	FullPage bool
	MaxSize  int // of the longer side in px: a larger picture is scaled down; 0: as large as the screen shows it
	Clip     *screen.Rect
	// AnswerTime limits the time in which a page must answer to get a picture; 0: as long as ctx.
	AnswerTime time.Duration
}

// Image is an encoded picture.
type Image struct {
	Data          []byte
	MIME          string
	Width, Height int // px
	Sealed        int // surfaces painted over whole: a secret is known, and what they show cannot be read
	Black         int // windows of apps that are black where they have text
}

// Gap describes the missing part of a picture, "" when it is whole.
func (i Image) Gap() string {
	var out []string
	if i.Sealed > 0 {
		out = append(out, fmt.Sprintf("Painted over: %d videos or canvases (WebGL, workers, pixels). "+
			"What they show cannot be read, and this session has secrets.", i.Sealed))
	}
	if i.Black > 0 {
		out = append(out, fmt.Sprintf("Black in the picture: windows of apps (%d) that are marked as secure "+
			"or had not drawn yet. The snapshot shows their elements.", i.Black))
	}
	return strings.Join(out, "\n")
}

// Unwrapper is implemented by decorators, so that As can look through them.
type Unwrapper interface{ Unwrap() Device }

// As finds an optional capability of a device, looking through decorators.
func As[T any](d Device) (T, bool) {
	for d != nil {
		if t, ok := d.(T); ok {
			return t, true
		}
		u, ok := d.(Unwrapper)
		if !ok {
			break
		}
		d = u.Unwrap()
	}
	var zero T
	return zero, false
}
