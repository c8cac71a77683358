// Package inprocess runs the body of a tool in this process: the same body, written for a *client.Client, that a tool
// server runs in another one. Its calls go to the session straight, without a connection.
//
//	func login(ctx context.Context, tb *client.Client, in LoginArgs) (LoginResult, error) { … }
//
//	tool := inprocess.Define(tool.Spec{Name: "acme_login", …}, login)
package inprocess

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/internal/api"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Body is what a tool does. Its arguments are a struct whose fields are the parameters.
type Body[In, Out any] func(ctx context.Context, tb *client.Client, in In) (Out, error)

// Define makes a tool of a body; see tool.Define for what In and Out become.
func Define[In, Out any](s tool.Spec, body Body[In, Out]) tool.Tool {
	return tool.Define(s, func(ctx context.Context, env tool.Env, in In) (Out, error) {
		return body(ctx, Client(env), in)
	})
}

// Client makes the client of a call that runs in this process.
func Client(env tool.Env) *client.Client {
	anybody := func(string) bool { return true }
	o := client.Options{URL: "http://in.process", HTTP: carrier{api.Inside(resumer{env}, anybody)}}
	if d := env.Device(); d != nil {
		o.Platform = d.Info().Platform
	}
	return client.New(o)
}

// resumer makes calls from inside of the one call that it knows.
type resumer struct{ env tool.Env }

// ResumeIn implements api.Resumer.
func (r resumer) ResumeIn(ctx context.Context, _, _ string, c tool.Call) (*tool.Result, error) {
	return r.env.Call(ctx, c)
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
