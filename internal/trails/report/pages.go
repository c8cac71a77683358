package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// maxPageLines bounds what pages did in a report, and maxPageText each text of it, in bytes.
const (
	maxPageLines = 20_000
	maxPageText  = 1 << 10
)

// Pages lists the requests, console lines and saved files of the pages in an attempt: no headers, no bodies and no
// secrets.
type Pages struct {
	Requests []PageRequest `json:"requests,omitempty"`
	Console  []ConsoleLine `json:"console,omitempty"`
	Files    []SavedFile   `json:"files,omitempty"`
}

// PageRequest is a request of a page. Without a status there was no answer.
type PageRequest struct {
	Method     string    `json:"method"`
	URL        string    `json:"url"`
	Type       string    `json:"type,omitempty"`
	Status     int       `json:"status,omitempty"`
	Error      string    `json:"error,omitempty"`
	MIME       string    `json:"mimeType,omitempty"`
	Started    time.Time `json:"started"`
	DurationMS float64   `json:"durationMs"`
	Mocked     bool      `json:"mocked,omitempty"`
}

// ConsoleLine is a line of a page's console.
type ConsoleLine struct {
	Level  string    `json:"level"`
	Text   string    `json:"text"`
	Source string    `json:"source,omitempty"`
	Time   time.Time `json:"time"`
}

// SavedFile is a file that a page had the browser save.
type SavedFile struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	Bytes int64  `json:"bytes"`
	State string `json:"state"`
}

// sharePages gives what the pages of a session did to the attempt that went on then. Files have no time: they go to the
// last one.
func (b *builder) sharePages() {
	if b.activity == "" || len(b.attempts) == 0 {
		return
	}
	var did struct {
		Requests []driver.Request        `json:"requests"`
		Console  []driver.ConsoleMessage `json:"console"`
		Files    []driver.Download       `json:"files"`
	}
	raw, err := event.ReadBlob(b.dir, b.activity)
	if err == nil {
		err = json.Unmarshal(raw, &did)
	}
	if err != nil {
		b.report.Notes = append(b.report.Notes,
			fmt.Sprintf("what pages did in session %s could not be read: %v", b.session.ID, err))
		return
	}
	at := func(t time.Time) *Pages {
		i := len(b.attempts) - 1
		for i > 0 && t.Before(b.attempts[i].Started) {
			i--
		}
		return b.attempts[i].pages()
	}
	for _, r := range did.Requests {
		p := at(r.Started)
		p.Requests = append(p.Requests, PageRequest{
			clip(r.Method), clip(r.URL), clip(r.Type), r.Status, clip(r.Error), clip(r.MIME), r.Started, ms(r.Duration),
			r.Mocked,
		})
	}
	for _, m := range did.Console {
		p := at(m.Time)
		p.Console = append(p.Console, ConsoleLine{clip(m.Level), clip(m.Text), clip(m.Source), m.Time})
	}
	for _, f := range did.Files {
		p := b.attempts[len(b.attempts)-1].pages()
		p.Files = append(p.Files, SavedFile{clip(f.Name), clip(f.URL), f.Bytes, clip(f.State)})
	}
}

func (a *Attempt) pages() *Pages {
	if a.Pages == nil {
		a.Pages = &Pages{}
	}
	return a.Pages
}

func clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxPageText)], "") }

// boundPages leaves out what pages did where it would be too much in all. Attempts that failed keep theirs first.
func (r *Report) boundPages() {
	room, left := maxPageLines, 0
	for _, failed := range []bool{true, false} {
		r.eachAttempt(func(a *Attempt) {
			if a.Pages == nil || failed == (a.Outcome == event.Passed) {
				return
			}
			n := len(a.Pages.Requests) + len(a.Pages.Console) + len(a.Pages.Files)
			if n > room {
				a.Pages, left = nil, left+1
				return
			}
			room -= n
		})
	}
	if left > 0 {
		r.Notes = append(r.Notes,
			fmt.Sprintf("What pages did in %d of the attempts was left out to keep this report small; "+
				"the sessions have it.", left))
	}
}
