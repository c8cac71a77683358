package mcpserver

import (
	"context"
	"encoding/base64"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// view is what decides which tools the client sees now.
func (cs *clientServer) view(st clients.State) toolset.View {
	v := toolset.View{
		Mode: st.Mode, Categories: st.Categories, Prefix: st.Prefix,
		HasModel: cs.samples.Load() || cs.s.o.Hub.Model(context.Background(), cs.client) != nil,
	}
	v.Target, v.App = cs.s.o.Hub.Target(cs.client)
	v.Also = cs.s.o.Hub.Listed(cs.client)
	if st.Device == "" {
		return v
	}
	for _, d := range cs.s.o.Hub.Status().Devices {
		if d.ID == st.Device {
			v.Platform, v.Driver = driver.Platform(d.Platform), d.Driver
		}
	}
	return v
}

// changed says whether a change of the client's state can change its list of tools.
func changed(before, after clients.State) bool {
	return before.Mode != after.Mode || before.Prefix != after.Prefix || before.Device != after.Device ||
		before.Target != after.Target || before.Workspace != after.Workspace ||
		!slices.Equal(before.Categories, after.Categories) || !slices.Equal(before.Toolsets, after.Toolsets)
}

// sync brings the listed tools into line with what the client sees, and announces a list that
// differs from the last: once for one change.
//
// All tools of the workspace are registered with the SDK, which announces every registration;
// listTools decides what is listed of them. So a change of the view is announced by registering one
// tool again.
func (cs *clientServer) sync() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	reg := cs.s.o.Hub.Tools(cs.client)
	announced := cs.register(reg)
	var want []*mcp.Tool
	// The state is read under the lock, so that the later of two syncs has the newer one.
	for _, spec := range cs.view(cs.client.State()).Specs(reg) {
		want = append(want, cs.s.listed(spec))
	}
	if spec := cs.known[jobTool]; cs.jobs && spec != nil {
		if t := cs.s.listed(spec); !slices.Contains(want, t) {
			want = append(want, t)
		}
	}
	if slices.Equal(want, cs.listed) {
		return
	}
	cs.listed = want
	if !announced && len(cs.known) > 0 {
		for name := range cs.known {
			cs.callable(name)
			break
		}
	}
}

// register makes all tools of the workspace callable, and says whether any was new or gone.
func (cs *clientServer) register(reg *tool.Registry) (changed bool) {
	now := map[string]*tool.Spec{}
	for _, t := range reg.All() {
		spec := t.Spec()
		now[spec.Name] = spec
		if cs.known[spec.Name] != spec {
			cs.callable(spec.Name)
			changed = true
		}
	}
	for name := range cs.known {
		if now[name] == nil {
			cs.mcp.RemoveTools(name)
			changed = true
		}
	}
	cs.known = now
	return changed
}

// anyObject is a schema that the SDK accepts. The real schemas are listed by listTools and checked
// by the dispatcher; the SDK would read the schema of every tool for every client that connects.
var anyObject = &jsonschema.Schema{Type: "object"}

// callable registers a tool with the SDK, which passes its calls to call.
func (cs *clientServer) callable(name string) {
	cs.mcp.AddTool(&mcp.Tool{Name: name, InputSchema: anyObject}, cs.call)
}

// lists says whether a tool is in the client's list.
func (cs *clientServer) lists(name string) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return slices.ContainsFunc(cs.listed, func(t *mcp.Tool) bool { return t.Name == name })
}

// listTools answers tools/list with what the client sees, in its order, and with the tools of
// Options.Extra.
func (cs *clientServer) listTools(
	ctx context.Context, next mcp.MethodHandler, req *mcp.ListToolsRequest,
) (mcp.Result, error) {
	cs.notes(req.ClientCapabilities())
	cursor := ""
	whole := *req
	whole.Params = &mcp.ListToolsParams{}
	if req.Params != nil {
		*whole.Params = *req.Params
		cursor, whole.Params.Cursor = req.Params.Cursor, ""
	}
	res, err := next(ctx, "tools/list", &whole)
	out, ok := res.(*mcp.ListToolsResult)
	if err != nil || !ok {
		return res, err
	}
	cs.mu.Lock()
	tools := slices.Clone(cs.listed)
	for _, t := range out.Tools {
		if cs.known[t.Name] == nil {
			tools = append(tools, t)
		}
	}
	cs.mu.Unlock()
	from := 0
	if cursor != "" {
		if from = 1 + slices.IndexFunc(tools, func(t *mcp.Tool) bool { return cursorOf(t) == cursor }); from == 0 {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
				Message: "this cursor is not of this list; it may have changed: list again"}
		}
	}
	to := min(from+cs.s.o.PageSize, len(tools))
	out.Tools, out.NextCursor = list(tools[from:to]), ""
	if to < len(tools) {
		out.NextCursor = cursorOf(tools[to-1])
	}
	return out, nil
}

func cursorOf(t *mcp.Tool) string { return base64.RawURLEncoding.EncodeToString([]byte(t.Name)) }

// jobTool gives clients the result of a call that became a job.
const jobTool = "job"

// offerJobs lists the job tool from the first job on, in every view: the reply has just told the
// client to call it.
func (cs *clientServer) offerJobs() {
	cs.mu.Lock()
	cs.jobs = true
	cs.mu.Unlock()
	cs.sync()
}

// unlisted answers a call of a tool that exists but is not listed, with the way to list it.
func (cs *clientServer) unlisted(name string) *mcp.CallToolResult {
	if cs.lists(name) {
		return nil
	}
	why := cs.view(cs.client.State()).Explain(cs.s.o.Hub.Tools(cs.client), name)
	if why == "" {
		return nil // there is none of that name, or it is being listed right now
	}
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: why}},
		Meta:    mcp.Meta{metaKey: map[string]any{"trailblazeSessionId": cs.client.ID()}},
	}
}
