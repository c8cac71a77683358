package conformance

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
