package dial

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Refusal is the body of a response that the daemon gives before it has looked at the request's own business.
type Refusal struct {
	Error struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
	} `json:"error"`
}

// URL is the address of requests to HTTP: the name is never looked up.
const URL = "http://trailblaze"

// idleConnection is the time for which a connection without a request is kept; the daemon keeps it for two minutes.
const idleConnection = time.Minute

// HTTP carries requests to the daemon. One that has ended is an error, a *fault.Error.
func (c *Daemon) HTTP() Signed {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.http == nil {
		c.http = &http.Client{Transport: &http.Transport{
			DialContext: c.dial, IdleConnTimeout: idleConnection, DisableCompression: true,
		}}
	}
	return Signed{Token: c.Boot.Token, By: c.http}
}

func (c *Daemon) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	conn, err := c.connect(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, fault.New(fault.Unavailable, "ask daemon", "it has ended (%v); nothing was asked", err).
			WithHint("Run the command again: a new daemon is started. A program has to make its client anew.")
	}
	return conn, err
}

// Doer carries requests, as a client of net/http does.
type Doer interface {
	Do(r *http.Request) (*http.Response, error)
}

// Signed carries requests with the token of a daemon, and reads refusals: they are errors, each a *fault.Error.
type Signed struct {
	Token string // "": none
	By    Doer   // nil: a client of net/http
}

// Do carries one request.
func (s Signed) Do(r *http.Request) (*http.Response, error) {
	if s.Token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+s.Token)
	}
	resp, err := cmp.Or[Doer](s.By, http.DefaultClient).Do(r)
	if err != nil || resp.StatusCode < http.StatusMultipleChoices {
		return resp, err
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	var no Refusal
	if json.Unmarshal(data, &no) != nil || no.Error.Message == "" { // an error of the typed API
		resp.Body = io.NopCloser(bytes.NewReader(data))
		return resp, nil
	}
	refused := fault.New(fault.Kind(no.Error.Kind), "", "%s", no.Error.Message)
	if no.Error.Hint != "" {
		refused = refused.WithHint("%s", no.Error.Hint)
	}
	return nil, refused
}

// Get asks the daemon about its process, and decodes the answer into out.
func (c *Daemon) Get(ctx context.Context, path string, out any) error {
	return c.exchange(ctx, http.MethodGet, path, out)
}

// Post sends a request to the daemon's process, and decodes the answer into out, if that is not nil.
func (c *Daemon) Post(ctx context.Context, path string, out any) error {
	return c.exchange(ctx, http.MethodPost, path, out)
}

// Stream asks and copies the answer to w as it comes, until it or ctx ends.
func (c *Daemon) Stream(ctx context.Context, path string, w io.Writer) error {
	resp, err := c.request(ctx, http.MethodGet, path)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(w, resp.Body); err != nil {
		return c.Gone(ctx, err)
	}
	return nil
}

func (c *Daemon) exchange(ctx context.Context, method, path string, out any) error {
	resp, err := c.request(ctx, method, path)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return c.Gone(ctx, err)
	}
	return nil
}

// request asks on a connection that closes with the answer: a daemon that makes way waits for its clients to leave.
func (c *Daemon) request(ctx context.Context, method, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, URL+path, http.NoBody)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "ask daemon")
	}
	req.Close = true
	resp, err := c.HTTP().Do(req)
	if err != nil {
		return nil, c.Gone(ctx, err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		_ = resp.Body.Close()
		return nil, fault.New(fault.Unavailable, "ask daemon", "it answered %s", resp.Status)
	}
	return resp, nil
}

// ErrGone means that a daemon took a question and ended before it answered. A killed process's
// socket takes connections until the process has ended, but serves none.
var ErrGone = errors.New("it went away before it answered")

// Gone is the reason why a request has no answer, of err, which HTTP or the reading of a response gave.
func (c *Daemon) Gone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fault.Wrap(context.Cause(ctx), fault.KindOf(ctx.Err()), "ask daemon")
	}
	if refused, ok := errors.AsType[*fault.Error](err); ok {
		return refused
	}
	return fault.New(fault.Unavailable, "ask daemon", "%w (%v); it is not known whether the call took effect",
		ErrGone, err).
		WithHint("Run the command again: a new daemon is started. Its log is %s.", c.Place.LogFile())
}
