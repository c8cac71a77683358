package replay

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/redact"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// keeper stores captures and pictures while the run continues: encoding a large capture must not hold up the next
// step. One goroutine writes in order; close waits for it. Step results never go through here, they are on disk at
// once.
type keeper struct {
	session *session.Session
	jobs    chan func()
	done    chan struct{}

	mu     sync.Mutex
	errs   []error
	gaps   []string          // of pictures
	stored map[uint64]string // snapshot sequence -> blob, so that a capture is written once
}

// keeperQueue bounds how far storing may lag behind; a full queue makes the run wait.
const keeperQueue = 16

func newKeeper(s *session.Session) *keeper {
	k := &keeper{session: s, jobs: make(chan func(), keeperQueue), done: make(chan struct{}), stored: map[uint64]string{}}
	go func() {
		defer close(k.done)
		for job := range k.jobs {
			job()
		}
	}()
	return k
}

// close waits until everything is stored, and leaves a note when something could not be.
func (k *keeper) close() {
	close(k.jobs)
	<-k.done
	notes := k.gaps
	if err := errors.Join(k.errs...); err != nil {
		notes = append(notes, "evidence not stored: "+err.Error())
	}
	for _, n := range notes {
		_, _ = k.session.Log.Append(event.Event{Type: event.Note, Note: &event.NoteText{Level: "warning", Text: n}})
	}
}

func (k *keeper) fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.errs = append(k.errs, err)
}

// snapshot stores a capture, secrets masked.
func (k *keeper) snapshot(snap *screen.Snapshot, why string, step int) {
	if snap == nil || k.session.Dir == "" {
		return
	}
	k.jobs <- func() {
		k.mu.Lock()
		blob, seen := k.stored[snap.Seq]
		k.mu.Unlock()
		if !seen {
			data, err := json.Marshal(redact.Snapshot(k.session.Memory, snap))
			if err == nil {
				blob, err = k.session.Log.PutBlob(data, "application/json")
			}
			if err != nil {
				k.fail(err)
				return
			}
			k.mu.Lock()
			k.stored[snap.Seq] = blob
			k.mu.Unlock()
		}
		k.append(event.Snapshot,
			&event.Screen{Blob: blob, MIME: "application/json", Why: why, Step: step, Width: snap.Width, Height: snap.Height})
	}
}

// screenshotTimeout bounds a picture of a page that may be wedged.
const screenshotTimeout = 5 * time.Second

// screenshot takes a picture now and stores it later. Why there is none becomes part of the note that close leaves.
func (k *keeper) screenshot(ctx context.Context, why string, step int, marks ...screen.Rect) error {
	dev := k.session.Device
	if dev == nil || k.session.Dir == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, screenshotTimeout)
	defer cancel()
	img, err := dev.Screenshot(ctx, driver.ScreenshotOptions{AnswerTime: evidenceTime})
	if err != nil {
		k.fail(err)
		return err
	}
	k.jobs <- func() {
		if gap := img.Gap(); gap != "" && !slices.Contains(k.gaps, gap) {
			k.gaps = append(k.gaps, gap)
		}
		blob, err := k.session.Log.PutBlob(img.Data, img.MIME)
		if err != nil {
			k.fail(err)
			return
		}
		shot := &event.Screen{Blob: blob, MIME: img.MIME, Why: why, Step: step, Width: img.Width, Height: img.Height}
		if len(marks) > 0 {
			shot.Marks, _ = json.Marshal(marks)
		}
		k.append(event.Screenshot, shot)
	}
	return nil
}

func (k *keeper) append(typ event.Type, s *event.Screen) {
	s.Actor = k.session.Actor
	if _, err := k.session.Log.Append(event.Event{Type: typ, Screen: s}); err != nil {
		k.fail(err)
	}
}
