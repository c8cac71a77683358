package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// The bounds of a question to a provider, unless Settings say otherwise.
const (
	maxAnswer  = 8 << 20 // bytes of one answer, and so of one line of it
	maxRefusal = 16 << 10
	maxTries   = 4
	maxWait    = time.Minute // that a provider may ask us to wait: for more, nobody waits
	longest    = 365 * 24 * time.Hour
	silence    = 90 * time.Second
	firstWait  = 500 * time.Millisecond
)

const op = "ask model"

// refusedRequest words what a provider takes for the fault of the request.
const refusedRequest = "refused the request"

// errCut says that a stream ended before the answer did.
var errCut = errors.New("the answer was cut off")

// wire asks one provider: it tries again, waits as long as the provider says, keeps to its pace, and words what goes
// wrong. An SDK, or our own reader, makes the single request through the client that a wire hands it; the SDKs' own
// retries are off, so that this is the only place that counts attempts.
type wire struct {
	name  string // of the provider, for messages
	key   string // taken out of messages
	lang  string // of its events: openai, anthropic or google
	sent  sent
	quiet time.Duration
	pace  pace
	tries int
	rest  func(ctx context.Context, d time.Duration) error
	via   http.RoundTripper
}

func newWire(s Settings) *wire {
	w := &wire{name: s.Provider, key: s.Key, lang: s.Wire, quiet: silence, tries: maxTries, rest: rest,
		via: http.DefaultTransport, sent: sent{Params: s.Params}}
	if d, err := time.ParseDuration(s.Params.MaxSilence); err == nil && d > 0 {
		w.quiet = d
	}
	if s.PerMinute > 0 {
		w.pace.every = time.Minute / time.Duration(s.PerMinute)
	}
	return w
}

// sender makes one request with the client, and reads its answer into a.
type sender func(ctx context.Context, client *http.Client, a *answering) error

// ask asks as often as the provider refuses another parameter of the request, which the sender then leaves out.
func (w *wire) ask(ctx context.Context, r Request, say func(string), send sender) (*answering, error) {
	for {
		a, err := w.attempts(ctx, r.Waits, say, send)
		if err == nil || !w.sent.drops(err) {
			return a, err
		}
	}
}

// attempts sends until an answer is read whole. An attempt whose pieces were passed to say is not repeated.
func (w *wire) attempts(
	ctx context.Context, waits func(time.Duration, string), say func(string), send sender,
) (*answering, error) {
	rest := func(ctx context.Context, d time.Duration, why string) error {
		if waits != nil {
			waits(d, why)
		}
		return w.rest(ctx, d)
	}
	for try := 1; ; try++ {
		if err := w.pace.wait(ctx, rest); err != nil {
			return nil, fault.Wrap(err, "", op)
		}
		a := &answering{say: say}
		again, wait, err := w.once(ctx, a, send)
		if err == nil {
			return a, nil
		}
		if ctx.Err() != nil {
			return nil, fault.Wrap(context.Cause(ctx), "", op)
		}
		if !again || try >= w.tries || a.streamed {
			return nil, err
		}
		if err := rest(ctx, cmp.Or(wait, backoff(try)), strings.TrimPrefix(err.Error(), op+": ")); err != nil {
			return nil, fault.Wrap(err, "", op)
		}
	}
}

// backoff returns how long to wait after try, with jitter, so that many clients do not come back at once.
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
func (w *wire) once(ctx context.Context, a *answering, send sender) (again bool, wait time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// A provider that says nothing for too long is given up, however long its answer may take in all.
	hang := time.AfterFunc(w.quiet, func() {
		cancel(fault.New(fault.Timeout, op, "%s said nothing for %s", w.name, w.quiet).
			WithHint("Where a model takes longer, set max_silence below llm in trailblaze.yaml. Or choose another one."))
	})
	defer hang.Stop()
	d := &door{wire: w, alive: func() { hang.Reset(w.quiet) }}
	err = send(ctx, &http.Client{Transport: d}, a)
	if err == nil && a.stop == "" {
		err = errCut
	}
	refusal, is := errors.AsType[*refusal](err)
	switch {
	case err == nil:
		return false, 0, nil
	case is:
		return refusal.again, refusal.wait, refusal.err
	}
	err = w.broken(ctx, err, d.answered)
	return fault.KindOf(err) == fault.Unavailable, 0, err
}

// broken words an attempt that got no answer, or a part of one.
func (w *wire) broken(ctx context.Context, err error, answered bool) error {
	ours, is := errors.AsType[*fault.Error](err)
	cause := context.Cause(ctx)
	late, timely := errors.AsType[*fault.Error](cause)
	switch {
	case timely:
		return late
	case cause != nil:
		return fault.Wrap(cause, "", op)
	case is:
		return w.hide(ours)
	case answered:
		return w.hide(fault.New(fault.Unavailable, op, "%s: the answer was cut off or garbled: %w", w.name, err))
	}
	return w.hide(fault.New(fault.Unavailable, op, "%s: %w", w.name, err).
		WithHint("Is the provider reachable from here, and base_url right?"))
}

// hide takes the key out of an error.
func (w *wire) hide(err error) error {
	if w.key == "" || !strings.Contains(err.Error(), w.key) {
		return err
	}
	hidden := fault.New(fault.KindOf(err), op, "%s", strings.ReplaceAll(err.Error(), w.key, "***"))
	if was, ok := errors.AsType[*fault.Error](err); ok {
		hidden.Hint = strings.ReplaceAll(was.Hint, w.key, "***")
	}
	return hidden
}

// door is the way of one attempt to the provider. It lets nothing but a good answer back, within bounds: a redirect is
// refused, since it would carry the key to another host.
type door struct {
	*wire
	alive    func() // tells that something was read
	answered bool
}

// RoundTrip implements http.RoundTripper.
func (d *door) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.via.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		defer func() { _ = resp.Body.Close() }()
		return nil, d.refused(resp)
	}
	d.answered = true
	resp.Body = &bounded{ReadCloser: resp.Body, alive: d.alive, left: maxAnswer}
	return resp, inPieces(resp, d.lang)
}

// bounded is the body of an answer.
type bounded struct {
	io.ReadCloser
	alive func()
	left  int
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fault.New(fault.Degraded, op, "the answer is larger than %d bytes", maxAnswer)
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	if b.left -= n; n > 0 {
		b.alive()
	}
	return n, err
}

// refusal is an answer that is none, past an SDK.
type refusal struct {
	err   error
	again bool // another attempt may succeed
	wait  time.Duration
}

func (r *refusal) Error() string { return r.err.Error() }

func (r *refusal) Unwrap() error { return r.err }

// refused words an answer that is not 200. Whatever the provider has against a request, the app under test is not at
// fault, nor a file that could be read: all are Unavailable.
func (w *wire) refused(resp *http.Response) *refusal {
	readError, spent := w.readError(resp.Body)
	code := resp.StatusCode
	wait := retryAfter(resp.Header, time.Now())
	failed := func(format string, args ...any) *fault.Error {
		return fault.New(fault.Unavailable, op, "%s "+format+": %s", slices.Concat([]any{w.name}, args, []any{readError})...)
	}
	var err error
	again := false
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		err = failed("does not accept the key (%d)", code).
			WithHint("Put a valid key of %s into the environment of this command.", w.name)
	case code == http.StatusNotFound:
		err = failed("does not know the model or the address (404)").
			WithHint("Choose another model (trailblaze config set llm provider/model), or mend base_url.")
	case spent:
		err = failed("has no quota left for this key (%d)", code).
			WithHint("Look at the account at %s, or choose another model.", w.name)
	case wait > maxWait:
		err = failed("cannot answer for %s (%d)", wait.Round(time.Second), code).
			WithHint("Try again then, or choose another model.")
	case code == http.StatusTooManyRequests, code == 529, code == http.StatusRequestTimeout, code >= 500:
		again = true
		err = failed("cannot answer now (%d)", code).
			WithHint("It was asked %d times. Try again later, or choose another model.", maxTries)
	default:
		err = failed(refusedRequest+" (%d)", code).
			WithHint("Mend the setting below llm in trailblaze.yaml that it names, or choose another model.")
	}
	return &refusal{w.hide(err), again, wait}
}

// readError is the message of an error, whatever its form, and whether it is that the account is spent: no waiting
// helps.
func (w *wire) readError(body io.Reader) (text string, spent bool) {
	raw, _ := io.ReadAll(io.LimitReader(body, maxRefusal))
	spent = bytes.Contains(raw, []byte("insufficient_quota"))
	var doc struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	text = strings.TrimSpace(string(raw))
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
	return cmp.Or(text, "it gave no reason"), spent
}

// retryAfter reads how long to wait, in the three forms in which providers say it, at most a year; 0 when they do not.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d, ok := span(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	v := h.Get("Retry-After")
	if d, ok := span(v, time.Second); ok {
		return d
	}
	if at, err := http.ParseTime(v); err == nil {
		return min(max(at.Sub(now), 0), longest)
	}
	return 0
}

func span(v string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil || !(n >= 0) { // NaN is neither
		return 0, false
	}
	return time.Duration(min(n, float64(longest/unit)) * float64(unit)), true
}

// pace spreads requests over time, as a limit per minute asks for.
type pace struct {
	every time.Duration
	mu    sync.Mutex
	next  time.Time
}

func (p *pace) wait(ctx context.Context, rest func(context.Context, time.Duration, string) error) error {
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
		return rest(ctx, d, "requests_per_minute spreads the questions")
	}
	return ctx.Err()
}
