package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Refusal is the body of every response of the daemon that is not a success.
type Refusal struct {
	Error struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
	} `json:"error"`
}

// Get asks and decodes the answer into out, which may be a *[]byte for its bytes.
func (c *Client) Get(ctx context.Context, path string, out any) error {
	return c.exchange(ctx, http.MethodGet, path, nil, nil, out)
}

// Post sends in as JSON and decodes the answer into out.
func (c *Client) Post(ctx context.Context, path string, in, out any) error {
	return c.exchange(ctx, http.MethodPost, path, in, nil, out)
}

// PostLines is Post for an answer in lines of JSON: it passes all but the last to line as they
// come, and decodes the last into out.
func (c *Client) PostLines(ctx context.Context, path string, in any, line func(json.RawMessage), out any) error {
	return c.exchange(ctx, http.MethodPost, path, in, line, out)
}

// Stream asks and copies the answer to w as it comes, until it or ctx ends.
func (c *Client) Stream(ctx context.Context, path string, w io.Writer) error {
	a, err := c.request(ctx, http.MethodGet, path, nil, http.Header{"Connection": {"close"}})
	if err != nil {
		return err
	}
	defer a.forget()
	defer func() { _ = a.conn.Close() }()
	if a.resp.StatusCode >= 300 {
		return refused(a.resp)
	}
	if _, err := io.Copy(w, a.resp.Body); err != nil {
		return c.gone(ctx, err)
	}
	return nil
}

// answer is a response on its connection. forget lets the connection outlive the request's context.
type answer struct {
	conn   net.Conn
	r      *bufio.Reader
	resp   *http.Response
	forget func() bool
}

// request writes one HTTP request on a fresh connection. The connection belongs to the exchange: closing it is how a
// client cancels, and one process makes one call.
func (c *Client) request(ctx context.Context, method, path string, in any, header http.Header) (*answer, error) {
	const op = "ask daemon"
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return nil, fault.Wrap(err, fault.Internal, op)
		}
	}
	conn, err := c.connect(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, fault.New(fault.Unavailable, op, "it has ended (%v); nothing was asked", err).
			WithHint("Run the command again: a new daemon is started.")
	}
	if err != nil {
		return nil, c.gone(ctx, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	fail := func(err error) (*answer, error) {
		stop()
		_ = conn.Close()
		return nil, c.gone(ctx, err)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://trailblaze"+path, bytes.NewReader(body))
	if err != nil {
		return fail(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.Boot.Token)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(req.Header, header)
	w := bufio.NewWriter(conn)
	if err := req.Write(w); err != nil {
		return fail(err)
	}
	if err := w.Flush(); err != nil {
		return fail(err)
	}
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, req) //nolint:bodyclose // who gets the answer closes its connection
	if err != nil {
		return fail(err)
	}
	return &answer{conn, r, resp, stop}, nil
}

func (c *Client) exchange(ctx context.Context, method, path string, in any, line func(json.RawMessage), out any) error {
	header := http.Header{"Connection": {"close"}}
	if line != nil {
		header.Set("Accept", "application/x-ndjson")
	}
	a, err := c.request(ctx, method, path, in, header)
	if err != nil {
		return err
	}
	defer a.forget()
	defer func() { _ = a.conn.Close() }() // closing the body would read the rest of it first
	resp := a.resp
	if resp.StatusCode >= 300 {
		return refused(resp)
	}
	if raw, ok := out.(*[]byte); ok {
		*raw, err = io.ReadAll(resp.Body)
		if err != nil {
			return c.gone(ctx, err)
		}
		return nil
	}
	dec := json.NewDecoder(resp.Body)
	if line == nil || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/x-ndjson") {
		return c.decode(ctx, dec, out)
	}
	var last json.RawMessage
	for {
		var next json.RawMessage
		err := dec.Decode(&next)
		if err == io.EOF && last != nil {
			return json.Unmarshal(last, out)
		}
		if err != nil {
			return c.gone(ctx, err)
		}
		if last != nil {
			line(last)
		}
		last = next
	}
}

func (c *Client) decode(ctx context.Context, dec *json.Decoder, out any) error {
	if out == nil {
		return nil
	}
	if err := dec.Decode(out); err != nil {
		return c.gone(ctx, err)
	}
	return nil
}

// ErrGone means that a daemon took a question and ended before it answered. A killed process's
// socket takes connections until the process has ended, but serves none.
var ErrGone = errors.New("it went away before it answered")

// gone is the reason why there is no answer.
func (c *Client) gone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fault.Wrap(context.Cause(ctx), fault.KindOf(ctx.Err()), "ask daemon")
	}
	return fault.New(fault.Unavailable, "ask daemon", "%w (%v); it is not known whether the call took effect",
		ErrGone, err).
		WithHint("Run the command again: a new daemon is started. Its log is %s.", c.Place.LogFile())
}

func refused(resp *http.Response) error {
	var r Refusal
	data, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if json.Unmarshal(data, &r) == nil && r.Error.Message == "" {
		r = typedRefusal(data)
	}
	if r.Error.Message == "" {
		return fault.New(fault.Unavailable, "ask daemon", "it answered %s", resp.Status)
	}
	err := fault.New(fault.Kind(r.Error.Kind), "", "%s", r.Error.Message)
	if r.Error.Hint != "" {
		err = err.WithHint("%s", r.Error.Hint)
	}
	return err
}

// typedRefusal reads an error of the typed API: the failure is a detail of it.
func typedRefusal(data []byte) (r Refusal) {
	var e struct {
		Message string
		Details []struct {
			Debug struct{ Kind, Hint string }
		}
	}
	if json.Unmarshal(data, &e) != nil {
		return r
	}
	r.Error.Kind, r.Error.Message = string(fault.Unavailable), e.Message
	for _, d := range e.Details {
		if d.Debug.Kind != "" {
			r.Error.Kind, r.Error.Hint = d.Debug.Kind, d.Debug.Hint
		}
	}
	return r
}

// URL is where requests to HTTP go: the name is never looked up.
const URL = "http://trailblaze"

// HTTP is a client of net/http whose requests go to the daemon, with its token.
func (c *Client) HTTP() *http.Client {
	return &http.Client{Transport: &signing{c.Boot.Token, &http.Transport{
		DialContext:     func(ctx context.Context, _, _ string) (net.Conn, error) { return c.connect(ctx) },
		IdleConnTimeout: idleConnection, DisableCompression: true,
	}}}
}

// idleConnection is how long a connection without a request is kept; the daemon keeps it for two minutes.
const idleConnection = time.Minute

// signing shows the token of the daemon.
type signing struct {
	token string
	*http.Transport
}

// RoundTrip implements http.RoundTripper.
func (s *signing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return s.Transport.RoundTrip(r)
}
