// Package gesture says what a person did on a device by hand. Drivers whose devices hear of it implement Source;
// internal/trails/attend makes calls of it. Values are not safe for concurrent use.
//
//	source, ok := driver.As[gesture.Source](dev)
//	g, err := source.NextGesture(ctx, false)
//	effect, err := g.Effect(ctx)
package gesture

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Gesture is one thing that a person did. Exactly one of Action and Navigation is set.
type Gesture struct {
	Action     driver.Action      // as a driver would have it done; its target is an element of Screen
	Navigation *driver.Navigation // a page that the person opened, not by means of the page before
	Tab        string             // id of the tab that it was done in; "" where there are no tabs
	Screen     *screen.Snapshot   // as it was before; nil with Navigation
	Over       <-chan struct{}    // closed when the person does the next thing

	// Effect waits until the device has come to rest, or the person does the next thing.
	Effect func(ctx context.Context) (*driver.Effect, error)
}

// Source reports what a person does on a device.
type Source interface {
	// NextGesture waits for the next gesture. What a person is in the middle of, such as typing, is a gesture when they
	// begin the next one. With pending it waits for nothing: it is a gesture now, and nil says that there is none.
	NextGesture(ctx context.Context, pending bool) (*Gesture, error)
}
