package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pause is between the messages of a talking tool: the suite wants to see them come one by one.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// addTalk adds the tools that say something while they run.
func addTalk(s *mcp.Server) {
	add(s, "test_tool_with_logging", "Logs while it runs.", nil,
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
				if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: text}); err != nil {
					return nil, err
				}
				pause(ctx, 50*time.Millisecond)
			}
			return says("Tool with logging executed successfully")
		})
	add(s, "test_tool_with_progress", "Reports progress.", nil,
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			token := req.Params.GetProgressToken()
			for _, at := range []float64{0, 50, 100} {
				p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: at, Total: 100,
					Message: fmt.Sprintf("Completed step %v of 100", at)}
				if err := req.Session.NotifyProgress(ctx, p); err != nil {
					return nil, err
				}
				pause(ctx, 50*time.Millisecond)
			}
			return says(fmt.Sprint(token))
		})
	add(s, "test_reconnection", "Closes its stream and answers after the client is back.", nil,
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.Extra != nil && req.Extra.CloseSSEStream != nil {
				req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
			}
			pause(ctx, 100*time.Millisecond)
			return says("Reconnection test completed successfully.")
		})
	add(s, "test_streaming_elicitation", "Sends nothing but its result.", nil,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return says("only a result")
		})
	add(s, "test_logging_tool", "Logs once, which a client must have asked for.", nil,
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info",
				Data: "test_logging_tool executed"}); err != nil {
				return nil, err
			}
			return says("logged, if asked to")
		})
	add(s, "test_missing_capability", "Needs a client with sampling.", nil,
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if caps := req.ClientCapabilities(); caps != nil && caps.Sampling != nil {
				return says("the client can sample")
			}
			data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
				RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}},
			})
			if err != nil {
				return nil, err
			}
			return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities,
				Message: "this tool needs sampling", Data: data}
		})
}

// addTriggers adds the tools that change the lists.
func (f *Fixtures) addTriggers(s *mcp.Server) {
	add(s, "test_trigger_tool_change", "Changes the list of tools.", nil,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			f.each(func(s *mcp.Server) {
				add(s, "transient_tool", "Comes and is replaced.", nil,
					func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
						return says("transient")
					})
			})
			return says("tools changed")
		})
	add(s, "test_trigger_prompt_change", "Changes the list of prompts.", nil,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			f.each(func(s *mcp.Server) {
				s.AddPrompt(&mcp.Prompt{Name: "transient_prompt", Description: "Comes and is replaced."},
					func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
						return user(&mcp.TextContent{Text: "transient"}), nil
					})
			})
			return says("prompts changed")
		})
}
