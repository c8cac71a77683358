package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// The bounds of a question to a provider, unless Settings say otherwise.
const (
	maxAnswer  = 8 << 20 // bytes of one answer
	maxLine    = 4 << 20 // of one line of it: a provider may send all arguments of a call in one
	maxRefusal = 16 << 10
	maxTries   = 4
	maxWait    = time.Minute // that a provider may ask us to wait
	silence    = 90 * time.Second
	firstWait  = 500 * time.Millisecond
)

const op = "ask model"

// errCut says that a stream ended before the answer did.
var errCut = errors.New("the answer was cut off")

// wire sends requests to one provider and reads the events of its answers.
type wire struct {
	name   string // of the provider, for messages
	client *http.Client
	header http.Header
	key    string // taken out of messages
	quiet  time.Duration
	pace   pace
	rest   func(ctx context.Context, d time.Duration) error
}

func newWire(name, key string, header http.Header, perMinute int) *wire {
	w := &wire{name: name, key: key, header: header, quiet: silence, rest: rest}
	if perMinute > 0 {
		w.pace.every = time.Minute / time.Duration(perMinute)
	}
	// A redirect would carry the key to another host.
	w.client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return w
}

// parser reads the events of one answer. done says that no more is to be read; whole, when the stream has ended, that
// the answer was there.
type parser interface {
	event(name string, data []byte) error
	done() bool
	whole() bool
}

// ask sends body until an answer is read whole. begin starts the reading of each attempt anew; begun says whether
// somebody has read pieces of an attempt, which then must not be repeated.
func (w *wire) ask(ctx context.Context, url string, body any, begin func() parser, begun func() bool) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return fault.Wrap(err, fault.Internal, op)
	}
	for try := 1; ; try++ {
		if err := w.pace.wait(ctx, w.rest); err != nil {
			return fault.Wrap(err, "", op)
		}
		again, wait, err := w.once(ctx, url, raw, begin())
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fault.Wrap(context.Cause(ctx), "", op)
		}
		if !again || try == maxTries || begun() {
			return err
		}
		if err := w.rest(ctx, cmp.Or(wait, backoff(try))); err != nil {
			return fault.Wrap(err, "", op)
		}
	}
}

// backoff is how long to wait after try, with jitter, so that many clients do not come back at once.
func backoff(try int) time.Duration {
	d := firstWait << (try - 1)
	return d/2 + rand.N(d)
}

func rest(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// once makes one attempt. again says that another may succeed, wait how long the provider asked for.
func (w *wire) once(
	ctx context.Context, url string, body []byte, p parser,
) (again bool, wait time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// A provider that says nothing for too long is given up, however long its answer may take in all.
	hang := time.AfterFunc(w.quiet, func() {
		cancel(fault.New(fault.Timeout, op, "%s said nothing for %s", w.name, w.quiet))
	})
	defer hang.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return false, 0, fault.New(fault.Invalid, op, "the address of %s cannot be used", w.name).
			WithHint("Look at base_url below llm in trailblaze.yaml.")
	}
	maps.Copy(req.Header, w.header)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	resp, err := w.client.Do(req)
	if err != nil {
		err = w.lost(ctx, err)
		return fault.KindOf(err) == fault.Unavailable, 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return w.refused(resp)
	}
	err = readEvents(&alive{resp.Body, func() { hang.Reset(w.quiet) }}, p)
	switch {
	case err == nil:
		return false, 0, nil
	case fault.KindOf(err) == fault.Internal || errors.Is(err, errCut): // the connection, not what it carried
		err = w.lost(ctx, err)
	}
	return fault.KindOf(err) == fault.Unavailable, 0, w.hide(err)
}

// alive tells when something was read.
type alive struct {
	io.Reader
	read func()
}

// Read implements io.Reader.
func (a *alive) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if n > 0 {
		a.read()
	}
	return n, err
}

// lost words a connection that failed.
func (w *wire) lost(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		if f, is := errors.AsType[*fault.Error](cause); is {
			return f
		}
		return fault.Wrap(cause, "", op)
	}
	return w.hide(fault.New(fault.Unavailable, op, "%s: %w", w.name, err).
		WithHint("Is the provider reachable from here, and base_url right?"))
}

// hide takes the key out of an error.
func (w *wire) hide(err error) error {
	if w.key == "" || !strings.Contains(err.Error(), w.key) {
		return err
	}
	return fault.New(fault.KindOf(err), op, "%s", strings.ReplaceAll(err.Error(), w.key, "***"))
}

// refused words an answer that is not 200.
func (w *wire) refused(resp *http.Response) (again bool, wait time.Duration, err error) {
	said := w.said(resp.Body)
	code := resp.StatusCode
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		err = fault.New(fault.Denied, op, "%s does not accept the key (%d): %s", w.name, code, said).
			WithHint("Put a valid key of %s into the environment of this command.", w.name)
	case code == http.StatusNotFound:
		err = fault.New(fault.NotFound, op, "%s does not know the model or the address (404): %s", w.name, said).
			WithHint("Choose another: trailblaze config set llm provider/model.")
	case code == http.StatusTooManyRequests, code == 529, code == http.StatusRequestTimeout, code >= 500:
		err = fault.New(fault.Unavailable, op, "%s cannot answer now (%d): %s", w.name, code, said).
			WithHint("It was asked %d times. Try again later, or choose another model.", maxTries)
		return true, retryAfter(resp.Header.Get("Retry-After"), time.Now()), w.hide(err)
	default:
		err = fault.New(fault.Invalid, op, "%s refused the request (%d): %s", w.name, code, said)
	}
	return false, 0, w.hide(err)
}

// said is the message of an error, whatever its form.
func (w *wire) said(body io.Reader) string {
	raw, _ := io.ReadAll(io.LimitReader(body, maxRefusal))
	var doc struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	text := strings.TrimSpace(string(raw))
	if json.Unmarshal(raw, &doc) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		var plain string
		switch {
		case json.Unmarshal(doc.Error, &inner) == nil && inner.Message != "":
			text = inner.Message
		case json.Unmarshal(doc.Error, &plain) == nil && plain != "":
			text = plain
		default:
			text = cmp.Or(doc.Message, text)
		}
	}
	if r := []rune(text); len(r) > 500 {
		text = string(r[:500]) + "…"
	}
	return cmp.Or(text, "it gave no reason")
}

// retryAfter reads the header in both of its forms, within bounds; 0 when it says nothing.
func retryAfter(v string, now time.Time) time.Duration {
	if s, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil && s >= 0 {
		return time.Duration(min(s, maxWait.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return min(max(at.Sub(now), 0), maxWait)
	}
	return 0
}

// readEvents reads server-sent events until p has its whole answer.
func readEvents(from io.Reader, p parser) error {
	limited := &io.LimitedReader{R: from, N: maxAnswer}
	lines := bufio.NewScanner(limited)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	name, data := "", []byte(nil)
	for lines.Scan() {
		line := bytes.TrimSuffix(lines.Bytes(), []byte("\r"))
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case string(field) == "event":
			name = string(value)
		case string(field) == "data":
			if data != nil {
				data = append(data, '\n')
			}
			data = append(data, value...)
		case len(line) == 0 && data != nil:
			if err := p.event(name, data); err != nil || p.done() {
				return err
			}
			name, data = "", nil
		}
	}
	if data != nil && lines.Err() == nil {
		if err := p.event(name, data); err != nil {
			return err
		}
	}
	return broken(lines.Err(), limited.N <= 0, p)
}

// broken is what is wrong with a stream that has ended, nil when the answer is whole.
func broken(err error, full bool, p parser) error {
	switch {
	case p.whole():
		return nil
	case errors.Is(err, bufio.ErrTooLong), full:
		return fault.New(fault.Invalid, op, "the answer is larger than %d bytes", maxAnswer)
	case err != nil:
		return fmt.Errorf("%w: %w", errCut, err)
	}
	return errCut
}

// decode reads the data of an event.
func decode(data []byte, into any) error {
	if err := json.Unmarshal(data, into); err != nil {
		return fault.New(fault.Unavailable, op, "the provider sent what is no JSON: %.80q", data)
	}
	return nil
}

// pace spreads requests over time, as a limit per minute asks for.
type pace struct {
	every time.Duration
	mu    sync.Mutex
	next  time.Time
}

func (p *pace) wait(ctx context.Context, rest func(context.Context, time.Duration) error) error {
	if p.every <= 0 {
		return ctx.Err()
	}
	p.mu.Lock()
	now := time.Now()
	at := p.next
	if at.Before(now) {
		at = now
	}
	p.next = at.Add(p.every)
	p.mu.Unlock()
	if d := at.Sub(now); d > 0 {
		return rest(ctx, d)
	}
	return ctx.Err()
}
