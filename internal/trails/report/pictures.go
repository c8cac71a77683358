package report

import (
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// choosePictures returns the blobs to embed, each once, and how many did not fit. Pictures of failures come first, then
// the last of each attempt, then the rest in order.
func (r *Report) choosePictures(limit int64) (names []string, left int) {
	if limit <= 0 {
		limit = defaultImageBytes
	}
	seen := map[string]bool{}
	take := func(screens []Screen) {
		for _, s := range screens {
			b, ok := r.blobs[s.Blob]
			if !ok || seen[s.Blob] {
				continue
			}
			seen[s.Blob] = true
			if !event.ValidBlob(s.Blob) {
				continue
			}
			info, err := os.Stat(filepath.Join(b.dir, event.BlobDir, s.Blob))
			if err != nil {
				continue
			}
			if limit -= info.Size(); limit < 0 {
				limit += info.Size()
				left++
				continue
			}
			names = append(names, s.Blob)
		}
	}
	r.eachAttempt(func(a *Attempt) {
		for _, s := range a.Steps {
			if s.Outcome != event.Passed {
				take(s.Screens)
			}
		}
	})
	r.eachAttempt(func(a *Attempt) { take(a.Screens) })
	r.eachAttempt(func(a *Attempt) {
		for _, s := range a.Steps {
			take(s.Screens)
		}
	})
	return names, left
}

func (r *Report) eachAttempt(do func(*Attempt)) {
	for i := range r.Trails {
		for j := range r.Trails[i].Attempts {
			do(&r.Trails[i].Attempts[j])
		}
	}
}
