package conformance

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addSchemas adds the tools whose schemas must reach the client as they are.
func addSchemas(s *mcp.Server) {
	echo := func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return says("called with " + string(req.Params.Arguments))
	}
	add(s, "json_schema_2020_12_tool", "Uses the vocabulary of JSON Schema 2020-12.", json.RawMessage(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type": "object",
		"$defs": {"address": {"$anchor": "addressDef", "type": "object",
			"properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
		"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
			"contactMethod": {"type": "string", "enum": ["phone", "email"]},
			"phone": {"type": "string"}, "email": {"type": "string"}},
		"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
		"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
		"then": {"required": ["phone"]},
		"else": {"required": ["email"]},
		"additionalProperties": false
	}`), echo)
	add(s, "test_x_mcp_header", "Has a parameter that is also a header.", json.RawMessage(`{
		"type": "object",
		"properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "level": {"type": "integer"}}
	}`), echo)
}

func addResources(s *mcp.Server) {
	fixed := func(uri, name, mime string, contents mcp.ResourceContents) {
		s.AddResource(&mcp.Resource{URI: uri, Name: name, MIMEType: mime, Description: "A fixture."},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				c := contents
				c.MIMEType = mime
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&c}}, nil
			})
	}
	fixed("test://static-text", "static-text", "text/plain",
		mcp.ResourceContents{Text: "This is the content of the static text resource."})
	fixed("test://static-binary", "static-binary", "image/png", mcp.ResourceContents{Blob: picture})
	fixed(watched, "watched-resource", "text/plain", mcp.ResourceContents{Text: "Watched resource content"})
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template",
		MIMEType: "application/json", Description: "A fixture."},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
			body, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{MIMEType: "application/json",
				Text: string(body)}}}, nil
		})
}

func user(content ...mcp.Content) *mcp.GetPromptResult {
	res := &mcp.GetPromptResult{Description: "A fixture."}
	for _, c := range content {
		res.Messages = append(res.Messages, &mcp.PromptMessage{Role: "user", Content: c})
	}
	return res
}

func addPrompts(s *mcp.Server) {
	prompt := func(name string, args []string, fn func(map[string]string) *mcp.GetPromptResult) {
		p := &mcp.Prompt{Name: name, Description: "A fixture."}
		for _, a := range args {
			p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: a, Description: "An argument.", Required: true})
		}
		s.AddPrompt(p, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return fn(req.Params.Arguments), nil
		})
	}
	prompt("test_simple_prompt", nil, func(map[string]string) *mcp.GetPromptResult {
		return user(&mcp.TextContent{Text: "This is a simple prompt for testing."})
	})
	prompt("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(a map[string]string) *mcp.GetPromptResult {
		return user(&mcp.TextContent{Text: "Prompt with arguments: arg1='" + a["arg1"] + "', arg2='" + a["arg2"] + "'"})
	})
	prompt("test_prompt_with_embedded_resource", []string{"resourceUri"},
		func(a map[string]string) *mcp.GetPromptResult {
			return user(
				&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: a["resourceUri"], MIMEType: "text/plain",
					Text: "Embedded resource content for testing."}},
				&mcp.TextContent{Text: "Please process the embedded resource above."})
		})
	prompt("test_prompt_with_image", nil, func(map[string]string) *mcp.GetPromptResult {
		return user(&mcp.ImageContent{Data: picture, MIMEType: "image/png"},
			&mcp.TextContent{Text: "Please analyze the image above."})
	})
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "Ends with a question."},
		func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			if answer := accepted(req.Params.InputResponses, "user_context", "context"); answer != "" {
				return user(&mcp.TextContent{Text: "Context: " + answer}), nil
			}
			return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": form("Give some context",
				one("context", "string"))}}, nil
		})
}
