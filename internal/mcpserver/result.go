package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

// result says what a call gave: short text for a model, data for a program, and beside it where it ran.
func (h *host) result(name string, seat *hub.Seat, r *hub.Reply) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{}}
	if r.Result != nil {
		out.IsError = r.Result.IsError
		for _, c := range r.Result.Content {
			if c.Type == "image" {
				out.Content = append(out.Content, &mcp.ImageContent{Data: c.Data, MIMEType: c.MIME})
			} else {
				out.Content = append(out.Content, &mcp.TextContent{Text: c.Text})
			}
		}
		if len(r.Result.Value) > 0 && h.structured(name) {
			out.StructuredContent = json.RawMessage(r.Result.Value)
		}
	}
	for _, w := range r.Warnings {
		out.Content = append(out.Content, &mcp.TextContent{Text: "Note: " + w})
	}
	if r.Job != "" {
		out.Content = append(out.Content, &mcp.TextContent{Text: "Still running, as job " + r.Job +
			`. Call job {id: "` + r.Job + `", wait: true} for its result.`})
		out.StructuredContent = map[string]any{"job": r.Job}
	}
	out.Meta = mcp.Meta{metaKey: meta(seat, r)}
	return out
}

func meta(seat *hub.Seat, r *hub.Reply) map[string]any {
	m := map[string]any{"trailblazeSessionId": seat.Handle()}
	put := func(key, value string) {
		if value != "" {
			m[key] = value
		}
	}
	put("device", r.Device)
	put("platform", string(r.Platform))
	put("sessionId", r.Session)
	put("callId", r.CallID)
	put("job", r.Job)
	if r.Result != nil && r.Result.Fault != nil {
		m["fault"] = faultOf(r.Result.Fault)
	}
	return m
}

// failed is a call that could not be carried out, as something a model can read and mend.
func (h *host) failed(seat *hub.Seat, err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: withHint(err)}},
		Meta:    mcp.Meta{metaKey: map[string]any{"trailblazeSessionId": seat.Handle(), "fault": faultOf(err)}},
	}
}

func faultOf(err error) map[string]any {
	m := map[string]any{"kind": string(fault.KindOf(err)), "message": err.Error()}
	if hint := fault.HintOf(err); hint != "" {
		m["hint"] = hint
	}
	return m
}

func (h *host) structured(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.listed[name]
	return t != nil && t.OutputSchema != nil
}
