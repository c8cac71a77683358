package parity

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
)

var binary string

// serverEnv makes this program the external server of the workspace.
const serverEnv = "PARITY_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverEnv) != "" {
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(housetest.Main(m, map[string]*string{"": &binary}))
}

// serve is a tool server of a team, over stdio.
func serve() error {
	s := mcp.NewServer(&mcp.Implementation{Name: "acme", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "acme_say", Description: "Says a text.", Meta: mcp.Meta{"trailblaze/effect": "external"}},
		func(_ context.Context, _ *mcp.CallToolRequest, in struct {
			Text string `json:"text"`
		}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.Text}}}, nil, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "acme_fails", Description: "Fails."},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return nil, nil, errors.New("acme has no licence")
		})
	mcp.AddTool(s, &mcp.Tool{Name: "acme_name", Description: "Types a name into the form."},
		func(ctx context.Context, r *mcp.CallToolRequest, in struct {
			Name string `json:"name"`
		}) (*mcp.CallToolResult, struct {
			Typed string `json:"typed"`
		}, error) {
			out := struct {
				Typed string `json:"typed"`
			}{in.Name}
			args, err := json.Marshal(map[string]string{"ref": "css=#name", "text": in.Name})
			if err == nil {
				_, err = callBack(ctx, r, "web_type", string(args))
			}
			return nil, out, err
		})
	mcp.AddTool(s, &mcp.Tool{Name: "acme_call", Description: "Calls another tool, and tells what came back."},
		func(ctx context.Context, r *mcp.CallToolRequest, in struct {
			Tool string         `json:"tool"`
			Args map[string]any `json:"args"`
		}) (*mcp.CallToolResult, any, error) {
			args, err := json.Marshal(in.Args)
			if err != nil {
				return nil, nil, err
			}
			back, err := callBack(ctx, r, in.Tool, string(args))
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(back)}}}, nil, err
		})
	return s.Run(context.Background(), &mcp.StdioTransport{})
}

// callBack posts a callback with the ids of the call, and returns the answer.
func callBack(ctx context.Context, r *mcp.CallToolRequest, tool, args string) ([]byte, error) {
	meta, _ := r.Params.Meta["trailblaze"].(map[string]any)
	body, err := json.Marshal(map[string]any{
		"version": 1, "session_id": meta["sessionId"], "invocation_id": meta["invocationId"],
		"action": map[string]any{"type": "call_tool", "tool_name": tool, "arguments_json": args},
	})
	if err != nil {
		return nil, err
	}
	url := fmt.Sprint(meta["baseUrl"]) + "/scripting/callback"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	return io.ReadAll(resp.Body)
}
