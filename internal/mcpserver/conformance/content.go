package conformance

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addContent adds the tools that answer with each kind of content.
func addContent(s *mcp.Server) {
	image := &mcp.ImageContent{Data: picture, MIMEType: "image/png"}
	embedded := func(uri, text string) *mcp.EmbeddedResource {
		return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: text}}
	}
	fixed := []struct {
		name    string
		content []mcp.Content
	}{
		{"test_simple_text", []mcp.Content{&mcp.TextContent{Text: "This is a simple text response for testing."}}},
		{"test_image_content", []mcp.Content{image}},
		{"test_audio_content", []mcp.Content{&mcp.AudioContent{Data: sound, MIMEType: "audio/wav"}}},
		{"test_embedded_resource", []mcp.Content{embedded("test://embedded-resource",
			"This is an embedded resource content.")}},
		{"test_multiple_content_types", []mcp.Content{
			&mcp.TextContent{Text: "Multiple content types test:"}, image,
			embedded("test://mixed-content-resource", `{"test":"data","value":123}`),
		}},
	}
	for _, f := range fixed {
		add(s, f.name, "Answers with fixed content.", nil,
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: f.content}, nil
			})
	}
	add(s, "test_error_handling", "Always fails.", nil,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, err := says("This tool intentionally returns an error for testing")
			res.IsError = true
			return res, err
		})
}
