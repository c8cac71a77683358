// Package inprocess runs the body of a tool in this process: the same body, written for a *client.Client, that package
// toolserver serves from another one. Its calls go to the session straight, without a connection.
//
//	func login(ctx context.Context, tb *client.Client, in LoginArgs) (LoginResult, error) { … }
//
//	tools := inprocess.Tools(client.Define(tool.Spec{Name: "acme_login", …}, login))
package inprocess

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Tools makes tools of this process of those that Define and Flat of package client have made.
func Tools(defined ...tool.Tool) []tool.Tool {
	out := make([]tool.Tool, 0, len(defined))
	for _, t := range defined {
		out = append(out, here{t})
	}
	return out
}

// here is a tool whose calls go to the session straight.
type here struct{ tool.Tool }

// Run implements tool.Tool.
func (t here) Run(ctx context.Context, env tool.Env, args json.RawMessage) (*tool.Result, error) {
	return t.Tool.Run(ctx, with{env}, args)
}

// Check returns the mistake in the definition.
func (t here) Check() error {
	if c, ok := t.Tool.(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

// with is the world of a call with a client for it.
type with struct{ tool.Env }

// Client implements client.Env.
func (w with) Client() *client.Client { return Client(w.Env) }

// Client makes the client of a call that runs in this process.
func Client(env tool.Env) *client.Client {
	anybody := func(string) bool { return true }
	o := client.Options{URL: "http://in.process", HTTP: carrier{api.Inside(resumer{env}, anybody)}}
	if d := env.Device(); d != nil {
		o.Platform = d.Info().Platform
	}
	c := client.New(o)
	c.Mode = client.InProcess
	return c
}

// resumer makes calls from inside of the one call that it knows.
type resumer struct{ env tool.Env }

// ResumeIn implements api.Resumer.
func (r resumer) ResumeIn(ctx context.Context, _, invocationID string, c tool.Call) (*tool.Result, error) {
	_, actor, several := strings.Cut(invocationID, "@")
	if !several {
		return r.env.Call(ctx, c)
	}
	on, ok := r.env.(interface {
		CallOn(ctx context.Context, actor string, c tool.Call) (*tool.Result, error)
	})
	if !ok {
		return nil, fmt.Errorf("call %s: there is one device here, and no actor %q", c.Name, actor)
	}
	return on.CallOn(ctx, actor, c)
}

// carrier carries requests to a handler of this process.
type carrier struct{ to http.Handler }

// Do implements connect.HTTPClient.
func (c carrier) Do(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w := &answer{header: http.Header{}, status: http.StatusOK}
	c.to.ServeHTTP(w, r)
	return &http.Response{
		StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), Request: r, ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

// answer keeps what a handler writes.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }
