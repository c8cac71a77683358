package mcpserver

import (
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// resultOf returns a call's result: text for a model, data for a program, and in _meta the place where it ran.
func resultOf(r *pb.AgentResult) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{}, IsError: r.IsError, Meta: mcp.Meta{metaKey: meta(r)}}
	for _, c := range r.Content {
		switch c := c.Kind.(type) {
		case *pb.AgentContent_Text:
			out.Content = append(out.Content, &mcp.TextContent{Text: c.Text})
		case *pb.AgentContent_Image:
			out.Content = append(out.Content, &mcp.ImageContent{Data: c.Image.Data, MIMEType: c.Image.MimeType})
		case *pb.AgentContent_Link:
			out.Content = append(out.Content, &mcp.ResourceLink{
				URI: c.Link.Uri, Name: c.Link.Name, MIMEType: c.Link.MimeType, Size: &c.Link.Size})
		}
	}
	if r.Value != "" {
		out.StructuredContent = json.RawMessage(r.Value)
	}
	return out
}

func meta(r *pb.AgentResult) map[string]any {
	call := r.GetCall()
	m := map[string]any{}
	put := func(key, value string) {
		if value != "" {
			m[key] = value
		}
	}
	put("trailblazeSessionId", call.GetClientId())
	put("clientId", call.GetClientId())
	put("device", call.GetDeviceId())
	put("platform", call.GetPlatform())
	put("sessionId", call.GetSessionId())
	put("callId", call.GetCallId())
	put("job", call.GetJob())
	if r.Failure != nil {
		m["fault"] = rpcerr.Fault(r.Failure)
	}
	if r.Evidence != "" {
		m["evidence"] = json.RawMessage(r.Evidence)
	}
	if o := call.GetObservation(); o != nil {
		m["screen"] = map[string]any{
			"url": o.Url, "title": o.Title, "changes": o.Changes, "whole": o.Full, "truncated": o.Truncated,
			"settled": o.Settle,
		}
	}
	return m
}

// failed is a call that could not be carried out, as a result that a model can read and mend.
func (cs *clientServer) failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: fault.Text(err)}},
		Meta: mcp.Meta{metaKey: map[string]any{
			"trailblazeSessionId": cs.id, "clientId": cs.id, "fault": fault.FailureOf(err)}},
	}
}

// rpcError is a failure as an error of JSON-RPC.
func rpcError(err error) error {
	if own, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return own
	}
	code := int64(jsonrpc.CodeInternalError)
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Denied, fault.Unsupported, fault.Conflict, fault.NotFound:
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: fault.Text(err)}
}
