package drive

import (
	"fmt"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// waiting shows on a terminal that a call lasts: its present work and its time. It begins after a second, because most
// calls are over before it could be read, and leaves no trace.
type waiting struct {
	*shell.Shell
	what  string
	begun time.Time
	shown bool

	announce bool // print the first wait as a line, and nothing else

	quit chan struct{}
	done sync.WaitGroup

	mu    sync.Mutex
	last  string
	drawn bool
}

const waitingAfter = time.Second

func newWaiting(a *shell.Shell, what string, tell bool) *waiting {
	w := &waiting{Shell: a, what: what, begun: time.Now(), shown: tell && a.Terminal && !a.JSON, quit: make(chan struct{})}
	if w.shown {
		w.done.Go(w.tick)
	}
	return w
}

// observer is for the caller's reports; nil when they would not be shown, so that none are sent.
func (w *waiting) observer() func(*pb.Progress) {
	if w.announce {
		var once sync.Once
		return func(p *pb.Progress) {
			if p.Event == "waiting" {
				once.Do(func() { w.Errorf("%s\n", p.Message) })
			}
		}
	}
	if !w.shown {
		return nil
	}
	return func(p *pb.Progress) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if p.Message != "" && p.Event != "heartbeat" {
			w.last = p.Message
			if p.Total > 0 {
				w.last = fmt.Sprintf("%d/%d %s", p.Step, p.Total, p.Message)
			}
		}
	}
}

func (w *waiting) tick() {
	t := time.NewTicker(waitingAfter)
	defer t.Stop()
	for {
		select {
		case <-w.quit:
			return
		case <-t.C:
			w.draw()
		}
	}
}

func (w *waiting) draw() {
	w.mu.Lock()
	defer w.mu.Unlock()
	line := fmt.Sprintf("  … %s  %s", w.what, time.Since(w.begun).Truncate(time.Second))
	if w.last != "" {
		line += "  " + w.last
	}
	shell.Control(w.Err, "\r\x1b[2K")
	w.Errorf("%s", w.Style().Dim(phrase.Clip(line, 110)))
	w.drawn = true
}

// stop removes the line.
func (w *waiting) stop() {
	close(w.quit)
	w.done.Wait()
	if w.drawn {
		shell.Control(w.Err, "\r\x1b[2K")
	}
}
