package resource

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"strconv"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const maxSessions = 200 // in the listing

func (r *Reader) readSessions(context.Context, address) (*Content, error) {
	kept, err := session.List(r.Sessions)
	if err != nil {
		return nil, err
	}
	total := len(kept)
	if total > maxSessions {
		kept = kept[:maxSessions]
	}
	return asJSON(map[string]any{"live": list(r.Hub.Sessions()), "sessions": list(kept), "total": total})
}

// sessionDir is the directory of a session. The id comes from a client, so it is checked first.
func (r *Reader) sessionDir(id string) (string, error) {
	if !session.ValidID(id) {
		return "", fault.New(fault.NotFound, "find session", "no session %q", id)
	}
	for _, l := range r.Hub.Sessions() {
		if l.ID == id && l.Dir != "" {
			return l.Dir, nil
		}
	}
	if r.Sessions == "" {
		return "", fault.New(fault.NotFound, "find session", "no session %q", id)
	}
	return filepath.Join(r.Sessions, id), nil
}

// summary is a session in short.
type summary struct {
	event.Session
	Running  bool              `json:"running"`
	Events   int               `json:"events"`
	Calls    int               `json:"calls"`
	Failed   int               `json:"failed"`
	Steps    []event.Step      `json:"steps,omitempty"`
	Failures []failure         `json:"failures,omitempty"` // newest last
	Links    map[string]string `json:"links"`
}

type failure struct {
	Seq  uint64          `json:"seq"`
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args,omitempty"`
	Step int             `json:"step"`
	*fault.Failure
}

const maxFailures = 20

func (r *Reader) readSession(_ context.Context, at address) (*Content, error) {
	sum, err := r.summarize(at.part(1))
	if err != nil {
		return nil, err
	}
	return asJSON(sum)
}

func (r *Reader) summarize(id string) (*summary, error) {
	dir, err := r.sessionDir(id)
	if err != nil {
		return nil, err
	}
	base := Scheme + "sessions/" + id
	out := &summary{Running: true, Links: map[string]string{
		"events": base + "/events", "recording": base + "/recording", "screenshot": base + "/screenshot",
	}}
	for e, err := range event.Read(dir) {
		if err != nil {
			return nil, sessionFault(id, err)
		}
		out.Events++
		switch {
		case e.Session != nil:
			out.Session = *e.Session
			out.Running = e.Type != event.SessionEnded
		case e.Type == event.StepEnded && e.Step != nil:
			out.Steps = append(out.Steps, *e.Step)
		case e.Type == event.ToolCall && e.Call != nil:
			out.Calls++
			if e.Call.IsError || e.Call.Error != nil {
				out.Failed++
				out.Failures = append(out.Failures,
					failure{Seq: e.Seq, Tool: e.Call.Name, Args: e.Call.Args, Step: e.Call.Step, Failure: e.Call.Error})
				out.Failures = out.Failures[max(0, len(out.Failures)-maxFailures):]
			}
		}
	}
	return out, nil
}

func sessionFault(id string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, "read session", "no session %q", id)
	}
	return fault.Wrap(err, "", "read session")
}

const (
	defaultEvents = 100
	maxEvents     = 1000
)

// readEvents returns a page of the log: the events after a sequence number. next is the address of the next page,
// absent at the end.
func (r *Reader) readEvents(_ context.Context, at address) (*Content, error) {
	dir, err := r.sessionDir(at.part(1))
	if err != nil {
		return nil, err
	}
	after, err1 := number(at, "after", 0, 1<<62)
	limit, err2 := number(at, "limit", defaultEvents, maxEvents)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	page := struct {
		Events []json.RawMessage `json:"events"`
		Next   string            `json:"next,omitempty"`
	}{Events: []json.RawMessage{}}
	size, last := 0, uint64(0)
	for e, err := range event.Read(dir) {
		if err != nil {
			return nil, sessionFault(at.part(1), err)
		}
		if e.Seq <= uint64(after) {
			continue
		}
		line, err := e.Line()
		if err != nil {
			continue // a damaged line
		}
		if len(page.Events) > 0 && (len(page.Events) == limit || size+len(line) > maxResource) {
			page.Next = Scheme + "sessions/" + at.part(1) + "/events?after=" + strconv.FormatUint(last, 10) +
				"&limit=" + strconv.Itoa(limit)
			break
		}
		if !json.Valid(line) {
			continue
		}
		page.Events = append(page.Events, line)
		size, last = size+len(line), e.Seq
	}
	return asJSON(page)
}

func number(at address, name string, otherwise, most int) (int, error) {
	text := at.query.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, fault.New(fault.Invalid, "read resource", "%s must be a number from 0 to %d", name, most)
	}
	return n, nil
}

// readScreenshot returns the newest picture of a session.
func (r *Reader) readScreenshot(_ context.Context, at address) (*Content, error) {
	dir, err := r.sessionDir(at.part(1))
	if err != nil {
		return nil, err
	}
	var newest *event.Screen
	for e, err := range event.Read(dir) {
		if err != nil {
			return nil, sessionFault(at.part(1), err)
		}
		if e.Type == event.Screenshot && e.Screen != nil {
			newest = e.Screen
		}
	}
	if newest == nil {
		return nil, fault.New(fault.NotFound, "read screenshot", "session %s has no screenshot", at.part(1))
	}
	return blob(dir, newest.Blob, newest.MIME)
}

func (r *Reader) readBlob(_ context.Context, at address) (*Content, error) {
	dir, err := r.sessionDir(at.part(1))
	if err != nil {
		return nil, err
	}
	return blob(dir, at.part(3), "")
}

func blob(dir, name, mime string) (*Content, error) {
	if !event.ValidBlob(name) {
		return nil, fault.New(fault.NotFound, "read blob", "no blob %q", name)
	}
	data, err := event.ReadBlob(dir, name)
	if err != nil {
		return nil, fault.New(fault.NotFound, "read blob", "no blob %s", name)
	}
	if len(data) > maxResource {
		return nil, fault.New(fault.Invalid, "read blob", "blob %s has %d bytes, more than the %d that are sent",
			name, len(data), maxResource).
			WithHint("It is the file %s.", filepath.Join(dir, event.BlobDir, name))
	}
	if mime == "" {
		mime = http.DetectContentType(data)
	}
	if isText(data) {
		return &Content{MIME: mime, Text: string(data)}, nil
	}
	return &Content{MIME: mime, Blob: data}, nil
}

// readRecording asks the session tool, the only maker of recordings.
func (r *Reader) readRecording(ctx context.Context, at address) (*Content, error) {
	if _, err := r.sessionDir(at.part(1)); err != nil {
		return nil, err
	}
	args, err := json.Marshal(map[string]string{"action": "RECORDING", "id": at.part(1)})
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "read recording")
	}
	res, err := r.ask(ctx, tool.ManageSession, "", args, calls.Request{})
	if err != nil {
		return nil, err
	}
	var out struct {
		Trail string `json:"trail"`
	}
	if err := json.Unmarshal(res.Value, &out); err != nil || out.Trail == "" {
		return asText(res.Text()), nil
	}
	return asText(out.Trail), nil
}
