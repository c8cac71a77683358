package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/observe"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// result is a call's reply: short text for a model, data for a program, and in _meta where it ran.
func (cs *clientServer) result(spec *tool.Spec, client *clients.Client, r *calls.Reply) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{}, Meta: mcp.Meta{metaKey: meta(client, r)}}
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
			case cs.s.o.Hub.FromPage(spec, r):
				say(observe.MarkUntrusted(c.Text))
			default:
				say(c.Text)
			}
		}
		out.StructuredContent = cs.data(spec, r.Result)
	}
	if o := r.Observation; o != nil {
		say(o.String())
		if o.Image != nil {
			out.Content = append(out.Content, &mcp.ImageContent{Data: o.Image.Data, MIMEType: o.Image.MIME})
		}
		if o.Overflow != nil && r.Session != "" {
			size := int64(o.Overflow.Bytes)
			out.Content = append(out.Content, &mcp.ResourceLink{
				URI:  scheme + "sessions/" + r.Session + "/blobs/" + o.Overflow.Blob,
				Name: "whole output", MIMEType: o.Overflow.MIME, Size: &size,
			})
		}
	}
	for _, w := range r.Warnings {
		say("Note: " + w)
	}
	if r.Job != "" {
		cs.offerJobs()
		say(fmt.Sprintf("Still running, as job %s. Call job {\"id\": %q} for its result.", r.Job, r.Job))
		out.StructuredContent = map[string]any{"job": r.Job}
	}
	return out
}

// data is the structured content of a result: present when the listed schema announces it, absent
// beside a failure.
func (cs *clientServer) data(spec *tool.Spec, r *tool.Result) any {
	if spec == nil || r.IsError || len(r.Value) == 0 || cs.s.listed(spec).OutputSchema == nil {
		return nil
	}
	return json.RawMessage(r.Value)
}

func meta(client *clients.Client, r *calls.Reply) map[string]any {
	m := map[string]any{"trailblazeSessionId": client.ID(), "clientId": client.ID()}
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
		m["fault"] = fault.FailureOf(r.Result.Fault)
	}
	if o := r.Observation; o != nil && o.URL != "" {
		m["screen"] = map[string]any{
			"url": o.URL, "title": o.Title, "changes": o.Changes, "whole": o.Full, "truncated": o.Truncated,
			"settled": o.Settle,
		}
	}
	return m
}

// failed is a call that could not be carried out, as a result that a model can read and mend.
func (cs *clientServer) failed(client *clients.Client, r *calls.Reply, err error) *mcp.CallToolResult {
	if r == nil {
		r = &calls.Reply{}
	}
	m := meta(client, r)
	m["fault"] = fault.FailureOf(err)
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
