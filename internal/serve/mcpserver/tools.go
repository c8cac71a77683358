package mcpserver

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// anyTool is the one tool that the SDK knows. Calls of every name are brought to it, and the daemon says what there is:
// its list may change between two calls. The SDK announces every registration, so announce registers it again.
const anyTool = "trailblaze_any"

// nameKey is the context key of the name of the tool of a call.
type nameKey struct{}

var anyObject = &jsonschema.Schema{Type: "object"}

// announce notifies the client that its list of tools has changed.
func (cs *clientServer) announce() {
	cs.mcp.AddTool(&mcp.Tool{Name: anyTool, InputSchema: anyObject}, cs.call)
}

// has reports whether the SDK itself has a tool, added by Options.Extra.
func (cs *clientServer) has(
	ctx context.Context, next mcp.MethodHandler, session *mcp.ServerSession, name string,
) bool {
	res, err := next(ctx, "tools/list", &mcp.ListToolsRequest{Session: session, Params: &mcp.ListToolsParams{}})
	out, ok := res.(*mcp.ListToolsResult)
	return err == nil && ok && slices.ContainsFunc(out.Tools, func(t *mcp.Tool) bool { return t.Name == name })
}

// listTools answers tools/list with the tools that the client sees, in its order, and with the tools of Options.Extra.
func (cs *clientServer) listTools(
	ctx context.Context, next mcp.MethodHandler, req *mcp.ListToolsRequest,
) (mcp.Result, error) {
	seen, err := cs.s.o.Daemon.ListListedTools(ctx,
		&pb.ListListedToolsRequest{ClientId: cs.id, Abilities: cs.abilities(req.ClientCapabilities())})
	if err != nil {
		return nil, rpcError(err)
	}
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
	tools := make([]*mcp.Tool, 0, len(seen.Tools))
	for _, t := range seen.Tools {
		tools = append(tools, listed(t))
	}
	for _, t := range out.Tools {
		if t.Name != anyTool {
			tools = append(tools, t)
		}
	}
	from := 0
	if cursor != "" {
		if from = 1 + slices.IndexFunc(tools, func(t *mcp.Tool) bool { return cursorOf(t) == cursor }); from == 0 {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
				Message: "this cursor is not of this list; it may have changed: list again"}
		}
	}
	to := min(from+cs.s.o.PageSize, len(tools))
	out.Tools, out.NextCursor = tools[from:to], ""
	if to < len(tools) {
		out.NextCursor = cursorOf(tools[to-1])
	}
	return compactList{out}, nil
}

// compactList is a list that leaves out what the protocol has by default: the SDK writes it for every tool.
type compactList struct{ *mcp.ListToolsResult }

// MarshalJSON implements json.Marshaler. Within a string the quotes would be escaped.
func (l compactList) MarshalJSON() ([]byte, error) {
	data, err := json.Marshal(l.ListToolsResult)
	data = bytes.ReplaceAll(data, []byte(`"idempotentHint":false,`), nil)
	return bytes.ReplaceAll(data, []byte(`,"readOnlyHint":false}`), []byte("}")), err
}

func cursorOf(t *mcp.Tool) string { return base64.RawURLEncoding.EncodeToString([]byte(t.Name)) }

// listed is a tool as MCP lists it.
func listed(t *pb.ListedTool) *mcp.Tool {
	out := &mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: json.RawMessage(t.InputSchema),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: t.ReadOnly, IdempotentHint: t.Idempotent, DestructiveHint: &t.Destructive,
		},
	}
	if !t.OpenWorld { // else it is as the protocol has it by default
		out.Annotations.OpenWorldHint = &t.OpenWorld
	}
	if t.OutputSchema != "" {
		out.OutputSchema = json.RawMessage(t.OutputSchema)
	}
	_ = json.Unmarshal([]byte(t.Flags), &out.Meta) // "" leaves none
	return out
}

// abilities returns the abilities of the client's program, as it declares them on this connection or with this
// request.
func (cs *clientServer) abilities(caps *mcp.ClientCapabilities) *pb.Abilities {
	can := &pb.Abilities{Jobs: cs.jobs.Load()}
	if caps != nil && caps.Sampling != nil {
		can.Samples, can.SamplesWithTools = true, caps.Sampling.Tools != nil
	}
	return can
}
