package tool

import "context"

type recordedKey struct{}

// WithRecorded marks the calls made with ctx as steps of a recording. Such a call waits longer for its element than one
// that somebody makes who looks at the screen and can correct it.
func WithRecorded(ctx context.Context) context.Context {
	return context.WithValue(ctx, recordedKey{}, true)
}

// IsRecorded reports whether the call is a step of a recording.
func IsRecorded(ctx context.Context) bool {
	on, _ := ctx.Value(recordedKey{}).(bool)
	return on
}
