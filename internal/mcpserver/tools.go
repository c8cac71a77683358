package mcpserver

import (
	"context"
	"encoding/base64"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// view is what the seat sees now (R197).
func (h *host) view(st hub.SeatState) toolset.View {
	v := toolset.View{
		Mode: st.Mode, Categories: st.Categories, Target: st.Target, Prefix: st.Prefix, HasModel: h.s.o.Hub.Thinker() != nil,
	}
	if st.Device == "" {
		return v
	}
	for _, d := range h.s.o.Hub.Status().Devices {
		if d.ID == st.Device {
			v.Platform, v.Driver = driver.Platform(d.Platform), d.Driver
		}
	}
	return v
}

// changed says whether a change of the seat can change what is listed.
func changed(before, after hub.SeatState) bool {
	return before.Mode != after.Mode || before.Prefix != after.Prefix || before.Device != after.Device ||
		before.Target != after.Target || before.Workspace != after.Workspace || !slices.Equal(before.Categories, after.Categories)
}

// sync brings what is listed into line with what the seat sees, and tells clients when it is another list than before: once
// for one change, and not at all for none (R194, R197).
//
// All tools of the workspace are registered with the SDK, which announces every registration; what is listed of them is
// decided in listTools. So a change of the view is announced by registering one tool again.
func (h *host) sync() {
	h.mu.Lock()
	defer h.mu.Unlock()
	reg := h.s.o.Hub.Tools(h.seat)
	announced := h.register(reg)
	var want []*mcp.Tool
	for _, spec := range h.view(h.seat.State()).Specs(reg) { // the state is read under the lock: the later of two syncs has the newer one
		want = append(want, h.s.tools.listed(spec))
	}
	if spec := h.known[jobTool]; h.jobs && spec != nil {
		if t := h.s.tools.listed(spec); !slices.Contains(want, t) {
			want = append(want, t)
		}
	}
	if slices.Equal(want, h.listed) {
		return
	}
	h.listed = want
	if !announced && len(h.known) > 0 {
		for name := range h.known {
			h.callable(name)
			break
		}
	}
}

// register makes all tools of the workspace callable, and says whether that was news.
func (h *host) register(reg *tool.Registry) (news bool) {
	now := map[string]*tool.Spec{}
	for _, t := range reg.All() {
		spec := t.Spec()
		now[spec.Name] = spec
		if h.known[spec.Name] != spec {
			h.callable(spec.Name)
			news = true
		}
	}
	for name := range h.known {
		if now[name] == nil {
			h.mcp.RemoveTools(name)
			news = true
		}
	}
	h.known = now
	return news
}

// anything is a schema that the SDK is content with. What a tool really takes is listed by us and checked by the dispatcher;
// the SDK would read the schema of every tool, for every client that connects.
var anything = &jsonschema.Schema{Type: "object"}

// callable has the SDK hand us the calls of a tool.
func (h *host) callable(name string) {
	h.mcp.AddTool(&mcp.Tool{Name: name, InputSchema: anything}, h.call)
}

// lists says whether a tool is in the seat's list.
func (h *host) lists(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.listed, func(t *mcp.Tool) bool { return t.Name == name })
}

// listTools answers tools/list with what the seat sees, in its order, and with tools that are not ours (Options.Extra).
func (h *host) listTools(ctx context.Context, next mcp.MethodHandler, req *mcp.ListToolsRequest) (mcp.Result, error) {
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
	h.mu.Lock()
	tools := slices.Clone(h.listed)
	for _, t := range out.Tools {
		if h.known[t.Name] == nil {
			tools = append(tools, t)
		}
	}
	h.mu.Unlock()
	from := 0
	if cursor != "" {
		if from = 1 + slices.IndexFunc(tools, func(t *mcp.Tool) bool { return cursorOf(t) == cursor }); from == 0 {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this cursor is not of this list; it may have changed: list again"}
		}
	}
	to := min(from+h.s.o.PageSize, len(tools))
	out.Tools, out.NextCursor = list(tools[from:to]), ""
	if to < len(tools) {
		out.NextCursor = cursorOf(tools[to-1])
	}
	return out, nil
}

func cursorOf(t *mcp.Tool) string { return base64.RawURLEncoding.EncodeToString([]byte(t.Name)) }

// jobTool is how a client gets at the result of a call that became a job.
const jobTool = "job"

// offerJobs lists the job tool from the first job on, whatever else is listed: a client was just told to call it.
func (h *host) offerJobs() {
	h.mu.Lock()
	h.jobs = true
	h.mu.Unlock()
	h.sync()
}

// unlisted answers a call of a tool that exists but is not listed: a model that guessed right is told how to get it.
func (h *host) unlisted(name string) *mcp.CallToolResult {
	if h.lists(name) {
		return nil
	}
	why := h.view(h.seat.State()).Explain(h.s.o.Hub.Tools(h.seat), name)
	if why == "" {
		return nil // there is none of that name, or it is being listed this moment
	}
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: why}},
		Meta:    mcp.Meta{metaKey: map[string]any{"trailblazeSessionId": h.seat.Handle()}},
	}
}
