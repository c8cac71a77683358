package tool

import (
	"context"
	"net"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// Viewer is the reader of a call's result: the screen that they last saw, and how much they want to read. A tool
// that shows the screen asks ViewerOf for it, so that changes are those since that screen, and not since one that
// another user of the device saw.
type Viewer interface {
	LastView() *screen.Snapshot // what they saw last; nil: nothing yet
	Show(now *screen.Snapshot)  // they see this now, as a whole
	MaxTokens() int             // bound of a text about the screen; 0: none
	// Keep puts away a text that is longer than the bound and says where, "" when it could not be kept.
	Keep(text string) (where string)
}

type viewerKey struct{}

// WithViewer returns a context whose calls have v as the reader of their result. Nil means no reader, as for calls
// from inside a tool.
func WithViewer(ctx context.Context, v Viewer) context.Context {
	return context.WithValue(ctx, viewerKey{}, v)
}

// ViewerOf returns the reader of a call's result, nil when none is known.
func ViewerOf(ctx context.Context) Viewer {
	v, _ := ctx.Value(viewerKey{}).(Viewer)
	return v
}

type folderKey struct{}

// InFolder is a context for calls that are written in a file of this folder: the relative paths in their arguments
// begin there.
func InFolder(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, folderKey{}, dir)
}

// Folder returns the folder of relative paths in the arguments of a call, "" when no file holds the call.
func Folder(ctx context.Context) string {
	dir, _ := ctx.Value(folderKey{}).(string)
	return dir
}

type recordedKey struct{}

// WithRecorded marks the calls made with ctx as steps of a recording. Such a call waits longer for its element than
// one whose caller looks at the screen and can correct it.
func WithRecorded(ctx context.Context) context.Context {
	return context.WithValue(ctx, recordedKey{}, true)
}

// IsRecorded reports whether the call is a step of a recording.
func IsRecorded(ctx context.Context) bool {
	on, _ := ctx.Value(recordedKey{}).(bool)
	return on
}

// Dial connects a call to a host, or refuses to.
type Dial func(ctx context.Context, host string, port int, tls bool) (net.Conn, error)

type dialKey struct{}

// WithDial sets the dialler by which the tools themselves reach hosts in calls made with ctx.
func WithDial(ctx context.Context, d Dial) context.Context {
	return context.WithValue(ctx, dialKey{}, d)
}

// DialOf returns the dialler of a call, nil when nothing limits it.
func DialOf(ctx context.Context) Dial {
	d, _ := ctx.Value(dialKey{}).(Dial)
	return d
}
