package event

import (
	"bytes"
	"io"
	"math"
	"os"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

// Tail reads a log that another goroutine or process is writing. Between two reads it keeps its place in the file and
// nothing else, so a slow reader holds up no writer and loses nothing. It is for one goroutine.
type Tail struct {
	f  *os.File
	at int64 // behind the last whole line that was read
}

// OpenTail opens the log of a session directory. The caller closes the Tail.
func OpenTail(dir string) (*Tail, error) {
	f, err := file.OpenPlain(dir, File)
	if err != nil {
		return nil, fault.Wrap(err, unread(err), "read event log")
	}
	return &Tail{f: f}, nil
}

// Read hands over the events that were written since the last Read, in order. A line without its end is left for the
// next one. An error of fn ends it, and the event that fn refused comes again.
func (t *Tail) Read(fn func(Event) error) error {
	for l, err := range lines(io.NewSectionReader(t.f, t.at, math.MaxInt64-t.at)) {
		if err != nil {
			return fault.Wrap(err, fault.Unavailable, "read event log")
		}
		if len(bytes.TrimSpace(l.text)) > 0 {
			if err := fn(parse(l.text)); err != nil {
				return err
			}
		}
		t.at += l.size
	}
	return nil
}

// Close closes the file.
func (t *Tail) Close() error { return t.f.Close() }
