package proc

import "time"

// Quiet is the time without a request after which Relieve is due. After a start it is due sooner, since most pages are
// needed for that alone, and again after longer and longer times: on a slow machine a start pauses for longer.
const (
	StartQuiet = 3 * time.Millisecond
	Quiet      = 2 * time.Second
)

// NextQuiet is the time that follows one of them.
func NextQuiet(q time.Duration) time.Duration { return min(10*q, Quiet) }
