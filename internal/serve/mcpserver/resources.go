package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/resource"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// addResources registers the resources.
func (cs *clientServer) addResources() {
	for _, k := range resource.Kinds() {
		uri := resource.Scheme + k.Path
		handler := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return cs.read(ctx, req.Params.URI, k.MIME)
		}
		if strings.Contains(uri, "{") {
			cs.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
				URITemplate: uri, Name: k.Name, Title: k.Title, Description: k.About, MIMEType: k.MIME}, handler)
		} else {
			cs.mcp.AddResource(&mcp.Resource{
				URI: uri, Name: k.Name, Title: k.Title, Description: k.About, MIMEType: k.MIME}, handler)
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
