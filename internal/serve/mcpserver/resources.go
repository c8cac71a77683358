package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

const scheme = "trailblaze://"

const (
	mimeJSON = "application/json"
	mimeYAML = "application/yaml"
)

// resources lists what clients can read: path (with braces: every address of this form), name, title, description, MIME
// type. The daemon reads them.
var resources = [][5]string{
	{"registry", "registry", "Tool registry", "Every tool with its platforms, groups and flags.", mimeJSON},
	{"about", "about", "About", "What Trailblaze is, how to use it, what is known not to work.", "text/markdown"},
	{"config", "config", "Your settings", "Mode, categories, screenshot and verbosity settings of your session.",
		mimeJSON},
	{"devices", "devices", "Devices", "Connected devices and those that could be connected.", mimeJSON},
	{"tools/categories", "tool-categories", "Tool categories", "What each category holds and which are on.", mimeJSON},
	{"sessions", "sessions", "Sessions", "Recorded sessions, newest first, running ones marked.", mimeJSON},
	{"sessions/{id}", "session", "A session", "What one session did, in short.", mimeJSON},
	{"sessions/{id}/events{?after,limit}", "session-events", "Events of a session", "The event log, in pages.", mimeJSON},
	{"sessions/{id}/recording", "session-recording", "Recording of a session",
		"The trail that saving the session would write.", mimeYAML},
	{"sessions/{id}/screenshot", "session-screenshot", "Last screenshot of a session", "", "image/png"},
	{"sessions/{id}/blobs/{hash}", "session-blob", "A file of a session",
		"Large outputs, snapshots and screenshots, by hash.", ""},
	{"snapshot/{+device}", "snapshot", "Screen of a device", "What the device shows now.", "text/plain"},
	{"trails", "trails", "Trails", "The trail files of your workspace.", mimeJSON},
	{"trails/{+path}", "trail", "A trail", "The text of a trail file.", mimeYAML},
}

// addResources registers the resources.
func (cs *clientServer) addResources() {
	for _, r := range resources {
		uri, name, title, about, mime := scheme+r[0], r[1], r[2], r[3], r[4]
		handler := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return cs.read(ctx, req.Params.URI, mime)
		}
		if strings.Contains(uri, "{") {
			cs.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
				URITemplate: uri, Name: name, Title: title, Description: about, MIMEType: mime}, handler)
		} else {
			cs.mcp.AddResource(&mcp.Resource{
				URI: uri, Name: name, Title: title, Description: about, MIMEType: mime}, handler)
		}
	}
}

func (cs *clientServer) read(ctx context.Context, uri, mime string) (*mcp.ReadResourceResult, error) {
	c, err := cs.s.o.Daemon.ReadResource(ctx, &pb.ReadResourceRequest{ClientId: cs.id, Uri: uri})
	if err != nil {
		return nil, resourceError(uri, err)
	}
	out := &mcp.ResourceContents{URI: uri, MIMEType: mime, Text: c.Text}
	if c.MimeType != "" {
		out.MIMEType = c.MimeType
	}
	if len(c.Blob) > 0 {
		out.Blob = c.Blob
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{out}}, nil
}

func resourceError(uri string, err error) error {
	if fault.KindOf(err) == fault.NotFound {
		return mcp.ResourceNotFoundError(uri)
	}
	return rpcError(err)
}

// prompts are the texts that the daemon fills in.
var prompts = []mcp.Prompt{
	{Name: "author_trail", Title: "Author a trail",
		Description: "Explore a flow, record it as steps, verify it and save it as a trail.",
		Arguments: []*mcp.PromptArgument{
			{Name: "goal", Title: "Goal", Description: "What the flow is for, in plain language.", Required: true},
			{Name: "start", Title: "Start", Description: "The address to start at."},
		}},
	{Name: "diagnose_failure", Title: "Diagnose a failure",
		Description: "Why a session failed: what was looked for, what was nearest, what changed, how to recover.",
		Arguments: []*mcp.PromptArgument{{Name: "session", Title: "Session",
			Description: "Its id, or the beginning of it. The newest when left out."}}},
	{Name: "review_trail", Title: "Review a trail", Description: "Judge a trail file for durability and honesty.",
		Arguments: []*mcp.PromptArgument{{Name: "path", Title: "Trail file", Description: "Its path in the workspace.",
			Required: true}}},
}

func (cs *clientServer) addPrompts() {
	for i := range prompts {
		p := &prompts[i]
		cs.mcp.AddPrompt(p, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			got, err := cs.s.o.Daemon.GetPrompt(ctx,
				&pb.GetPromptRequest{ClientId: cs.id, Name: p.Name, Arguments: req.Params.Arguments})
			if err != nil {
				return nil, rpcError(err)
			}
			return &mcp.GetPromptResult{Description: p.Description, Messages: []*mcp.PromptMessage{
				{Role: "user", Content: &mcp.TextContent{Text: got.Text}},
			}}, nil
		})
	}
}

// complete offers values for the parts of resource addresses and for arguments of prompts.
func (cs *clientServer) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	got, err := cs.s.o.Daemon.CompleteValue(ctx, &pb.CompleteValueRequest{
		ClientId: cs.id, Argument: req.Params.Argument.Name, Typed: req.Params.Argument.Value})
	if err != nil {
		return nil, rpcError(err)
	}
	values := got.Values
	if values == nil {
		values = []string{}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: int(got.Total),
		HasMore: int(got.Total) > len(values)}}, nil
}
