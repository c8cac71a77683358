package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is the session that a tool was called from. It lasts as long as the call.
type session struct {
	BaseURL      string         `json:"baseUrl"`
	SessionID    string         `json:"sessionId"`
	InvocationID string         `json:"invocationId"`
	Memory       map[string]any `json:"memory"`
}

// sessionOf reads what came with the call in _meta.trailblaze.
func sessionOf(req *mcp.CallToolRequest) (*session, error) {
	data, err := json.Marshal(req.Params.Meta["trailblaze"])
	if err != nil {
		return nil, err
	}
	var s *session
	if err := json.Unmarshal(data, &s); err != nil || s == nil || s.BaseURL == "" {
		return nil, errors.New("the call has no _meta.trailblaze: it was not made by Trailblaze")
	}
	if s.Memory["baseUrl"] == nil {
		return nil, errors.New("the address of the shop is not known: give it with --base-url")
	}
	return s, nil
}

// page is the address of a page of the shop: the base URL of the run, and a path.
func (s *session) page(path string) string { return fmt.Sprint(s.Memory["baseUrl"], path) }

// args are the arguments of a tool.
type args map[string]any

// call calls a tool of the session. When the result is of interest, into is a pointer to where it goes; else it is nil.
func (s *session) call(ctx context.Context, tool string, in args, into any) error {
	arguments, err := json.Marshal(in)
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{
		"version": 1, "session_id": s.SessionID, "invocation_id": s.InvocationID,
		"action": map[string]any{"type": "call_tool", "tool_name": tool, "arguments_json": string(arguments)},
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.BaseURL+"/scripting/callback", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		Result struct {
			Success           bool
			Message           string
			ErrorMessage      string
			StructuredContent json.RawMessage `json:"structured_content"`
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return fmt.Errorf("call %s: HTTP %d: %w", tool, res.StatusCode, err)
	}
	if r := answer.Result; !r.Success {
		return fmt.Errorf("call %s: %s%s", tool, r.Message, r.ErrorMessage)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Result.StructuredContent, into)
}
