// Package gesture says what a person did on a device by hand. Drivers whose devices hear of it implement Source;
// internal/trails/attend makes calls of it. Values are not safe for concurrent use.
//
//	source, ok := driver.As[gesture.Source](dev)
//	g, err := source.NextGesture(ctx, until)
//	effect, err := g.Effect(ctx)
//	e, err := source.Pick(ctx)
package gesture

import (
	"context"
	"io/fs"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Gesture is one thing that a person did. Exactly one of Action, Navigation and Tabs is set.
type Gesture struct {
	Action     driver.Action      // as a driver would have it done; its target is an element of Screen
	Navigation *driver.Navigation // a page that the person opened, not by means of the page before
	Tab        string             // id of the tab that it was done in; "" where there are no tabs
	NewTab     bool               // with Navigation: the person opened the tab for it
	Tabs       []driver.Tab       // those that were open when the person closed Tab
	Screen     *screen.Snapshot   // as it was before; nil without Action
	Files      []File             // with driver.Upload, which has no paths then
	Over       <-chan struct{}    // closed when the person does the next thing

	// Effect waits until the device has come to rest, or the person does the next thing.
	Effect func(ctx context.Context) (*driver.Effect, error)
}

// File is a file that the person chose. Its folder is not known: the page may end before the driver could ask for it.
type File struct {
	Name     string
	Size     int64
	Modified time.Time // to the millisecond
}

// Is reports whether a file is this one.
func (f File) Is(info fs.FileInfo) bool {
	return info.Name() == f.Name && info.Size() == f.Size && info.ModTime().UnixMilli() == f.Modified.UnixMilli()
}

// Element is an element that a person points at.
type Element struct {
	Tab    string
	Screen *screen.Snapshot // as it was then
	Node   screen.NodeID    // the control that the element is a part of, if any
	Inner  screen.NodeID    // the innermost that the screen shows
}

// Source reports what a person does on a device.
type Source interface {
	// NextGesture waits for the next gesture. Typing, and whatever else takes a while, is a gesture when the person
	// begins the next one. Once until is closed it waits for nothing: it is a gesture now, and nil says that there is
	// none.
	NextGesture(ctx context.Context, until <-chan struct{}) (*Gesture, error)

	// Pick waits until the person clicks an element, of which the page does not hear. Nil says that they gave up.
	Pick(ctx context.Context) (*Element, error)
}
