package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/observe"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// result says what a call gave: short text for a model, data for a program, and beside it where it ran.
func (h *host) result(spec *tool.Spec, seat *hub.Seat, r *hub.Reply) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{}, Meta: mcp.Meta{metaKey: meta(seat, r)}}
	say := func(text string) {
		if strings.TrimSpace(text) != "" {
			out.Content = append(out.Content, &mcp.TextContent{Text: text})
		}
	}
	if r.Result != nil {
		out.IsError = r.Result.IsError
		for _, c := range r.Result.Content {
			switch {
			case c.Type == "image":
				out.Content = append(out.Content, &mcp.ImageContent{Data: c.Data, MIMEType: c.MIME})
			case h.s.o.Hub.FromPage(spec, r):
				say(observe.Fence(c.Text))
			default:
				say(c.Text)
			}
		}
		out.StructuredContent = h.data(spec, r.Result)
	}
	if o := r.Observation; o != nil {
		say(o.String())
		if o.Image != nil {
			out.Content = append(out.Content, &mcp.ImageContent{Data: o.Image.Data, MIMEType: o.Image.MIME})
		}
		if o.Spill != nil && r.Session != "" {
			size := int64(o.Spill.Bytes)
			out.Content = append(out.Content, &mcp.ResourceLink{
				URI:  scheme + "sessions/" + r.Session + "/blobs/" + o.Spill.Blob,
				Name: "whole output", MIMEType: o.Spill.MIME, Size: &size,
			})
		}
	}
	for _, w := range r.Warnings {
		say("Note: " + w)
	}
	if r.Job != "" {
		h.offerJobs()
		say(fmt.Sprintf("Still running, as job %s. Call job {\"id\": %q} for its result.", r.Job, r.Job))
		out.StructuredContent = map[string]any{"job": r.Job}
	}
	return out
}

// data is the structured content of a result: there when the listed schema says so, never beside a failure.
func (h *host) data(spec *tool.Spec, r *tool.Result) any {
	if spec == nil || r.IsError || len(r.Value) == 0 || h.s.tools.listed(spec).OutputSchema == nil {
		return nil
	}
	return json.RawMessage(r.Value)
}

func meta(seat *hub.Seat, r *hub.Reply) map[string]any {
	m := map[string]any{"trailblazeSessionId": seat.Handle(), "handle": seat.Handle()}
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
	if o := r.Observation; o != nil && o.URL != "" {
		m["screen"] = map[string]any{
			"url": o.URL, "title": o.Title, "changes": o.Changes, "whole": o.Full, "truncated": o.Truncated, "settled": o.Settle,
		}
	}
	return m
}

// failed is a call that could not be carried out, as something a model can read and mend.
func (h *host) failed(seat *hub.Seat, r *hub.Reply, err error) *mcp.CallToolResult {
	if r == nil {
		r = &hub.Reply{}
	}
	m := meta(seat, r)
	m["fault"] = faultOf(err)
	out := &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: withHint(err)}},
		Meta:    mcp.Meta{metaKey: m},
	}
	for _, w := range r.Warnings {
		out.Content = append(out.Content, &mcp.TextContent{Text: "Note: " + w})
	}
	return out
}

func faultOf(err error) map[string]any {
	m := map[string]any{"kind": string(fault.KindOf(err)), "message": err.Error()}
	if hint := fault.HintOf(err); hint != "" {
		m["hint"] = hint
	}
	return m
}
