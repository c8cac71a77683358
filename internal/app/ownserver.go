package app

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// completer answers external tool servers that may ask for completions.
type completer agent.Source

// ownServer is this daemon's own MCP server, as an agent in the daemon calls it: over HTTP, by the address and with the
// token that other clients use. Each call is made in place of the call that the agent works for, so it is recorded,
// masked and allowed as one that stays in the process.
type ownServer struct {
	daemon  *dial.Daemon
	version string
}

// calls connects for one objective.
func (o *ownServer) calls(ctx context.Context, env tool.Env) (agent.Executor, func(), error) {
	const op = "connect to our own MCP server"
	in, ok := env.(tool.Invoked)
	who, known := calls.ClientFrom(ctx)
	if !ok || !known {
		return nil, nil, fault.New(fault.Unsupported, op, "the objective belongs to no call of a client")
	}
	end := o.daemon.Close
	c, err := mcp.NewClient(&mcp.Implementation{Name: "trailblaze-agent", Version: o.version}, nil).
		Connect(ctx, &mcp.StreamableClientTransport{
			Endpoint: dial.URL + "/mcp", HTTPClient: o.requestsOf(who.ID()), DisableStandaloneSSE: true, MaxRetries: -1,
		}, nil)
	if err != nil {
		end()
		return nil, nil, fault.Wrap(err, fault.Unavailable, op)
	}
	do := func(ctx context.Context, call tool.Call) (*tool.Result, error) {
		res, err := c.CallTool(ctx, &mcp.CallToolParams{Name: call.Name, Arguments: call.Args, Meta: mcp.Meta{
			"trailblaze": map[string]any{"sessionId": in.SessionID(), "invocationId": in.InvocationID()}}})
		if err != nil {
			return nil, fault.Wrap(err, fault.Unavailable, "call "+call.Name)
		}
		return calledOf(res)
	}
	return do, func() {
		_ = c.Close()
		end()
	}, nil
}

// requestsOf carries the requests of one client.
func (o *ownServer) requestsOf(id string) *http.Client {
	return &http.Client{Transport: naming{o.daemon.HTTP(), id}}
}

// naming adds the client to each request that it makes.
type naming struct {
	by dial.Doer
	id string
}

// RoundTrip implements http.RoundTripper.
func (n naming) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Trailblaze-Client-Id", n.id)
	return n.by.Do(r)
}

// calledOf reads the result of a call.
func calledOf(r *mcp.CallToolResult) (*tool.Result, error) {
	var meta struct {
		Fault    *fault.Failure `json:"fault"`
		Evidence *tool.Evidence `json:"evidence"`
	}
	raw, err := json.Marshal(r.Meta["trailblaze"])
	if err == nil {
		err = json.Unmarshal(raw, &meta)
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "read result")
	}
	out := &tool.Result{Evidence: meta.Evidence}
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			out.Content = append(out.Content, tool.Content{Type: "text", Text: t.Text})
		}
	}
	if r.IsError {
		failure := meta.Fault.Err()
		if failure == nil {
			failure = fault.New(fault.Internal, "", "%s", out.Text())
		}
		failed := tool.Fail(failure)
		failed.Evidence = meta.Evidence
		return failed, nil
	}
	return out, nil
}
