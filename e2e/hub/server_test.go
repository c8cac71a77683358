package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serverEnv makes this program the external server of TestRouting.
const serverEnv = "ROUTING_SERVER"

// visited is what the server says of a call: where its three callbacks arrived.
type visited struct {
	PID   int      `json:"pid"`
	HTTP  bool     `json:"http"`
	Marks []string `json:"marks"`
}

// tally is what the server says of calls that were cut off.
type tally struct {
	Ended   int64 `json:"ended"`   // calls that saw their end
	Late    int64 `json:"late"`    // callbacks that were sent after it
	Carried int64 `json:"carried"` // those of them that were not refused
}

// serve is the external server: over stdio, or over HTTP when it is told to.
func serve(args []string) error {
	var ended, late, carried atomic.Int64
	s := mcp.NewServer(&mcp.Implementation{Name: "acme", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "acme_visit", Description: "Looks three times where it is."},
		func(ctx context.Context, r *mcp.CallToolRequest, in struct {
			Pause int `json:"pause"` // ms, at most, before each callback
		}) (*mcp.CallToolResult, visited, error) {
			out := visited{PID: os.Getpid(), HTTP: r.Session.ID() != ""}
			for range 3 {
				pause := time.NewTimer(time.Duration(rand.IntN(in.Pause+1)) * time.Millisecond)
				select {
				case <-pause.C:
				case <-ctx.Done():
				}
				pause.Stop()
				if ctx.Err() != nil { // the call is over: nothing that it sends may arrive anywhere
					ended.Add(1)
					late.Add(1)
					if _, err := look(context.WithoutCancel(ctx), r); err == nil {
						carried.Add(1)
					}
					return nil, out, ctx.Err()
				}
				mark, err := look(ctx, r)
				if err != nil {
					return nil, out, err
				}
				out.Marks = append(out.Marks, mark)
			}
			return nil, out, nil
		})
	mcp.AddTool(s, &mcp.Tool{Name: "acme_tally", Description: "Says what came of the calls that were cut off."},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, tally, error) {
			return nil, tally{ended.Load(), late.Load(), carried.Load()}, nil
		})
	flags := flag.NewFlagSet("acme", flag.ContinueOnError)
	transport, port := flags.String("transport", "stdio", ""), flags.Int("port", 0, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *transport != "http" {
		return s.Run(context.Background(), &mcp.StdioTransport{})
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	return http.ListenAndServe("127.0.0.1:"+strconv.Itoa(*port), mux) //nolint:gosec // a test
}

// look calls back: it reads the mark of the page that the call is for.
func look(ctx context.Context, r *mcp.CallToolRequest) (string, error) {
	meta, _ := r.Params.Meta["trailblaze"].(map[string]any)
	body, err := json.Marshal(map[string]any{
		"version": 1, "session_id": meta["sessionId"], "invocation_id": meta["invocationId"],
		"action": map[string]any{
			"type": "call_tool", "tool_name": "getElementText", "arguments_json": `{"text":"device"}`,
		},
	})
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	url := fmt.Sprint(meta["baseUrl"]) + "/scripting/callback"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var said struct {
		Result struct {
			Success      bool
			TextContent  string `json:"textContent"`
			ErrorMessage string `json:"errorMessage"`
			Message      string
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&said); err != nil {
		return "", err
	}
	if !said.Result.Success {
		return "", errors.New(said.Result.ErrorMessage + said.Result.Message)
	}
	return strings.TrimSpace(said.Result.TextContent), nil
}
