package extern_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tests start this very program as the external server: what it is to do stands in this variable, separated by
// commas.
const fixtureEnv = "EXTERN_FIXTURE"

// fixture is a tool server as a team would write it, with the faults that are asked for.
type fixture struct {
	server *mcp.Server
	faults map[string]bool
	calls  atomic.Int32 // in flight
}

func runFixture(modes string) {
	f := &fixture{faults: map[string]bool{}}
	for m := range strings.SplitSeq(modes, ",") {
		f.faults[m] = true
	}
	switch {
	case f.faults["dies"]:
		fmt.Fprintln(os.Stderr, "ModuleNotFoundError: No module named 'acme'")
		os.Exit(3)
	case f.faults["hangs"]:
		fmt.Fprintln(os.Stderr, "waiting for a licence server")
		<-time.After(time.Hour)
	case f.faults["garbage"]:
		for {
			fmt.Println("Compiling acme-tools ...")
		}
	case f.faults["big-handshake"]:
		fmt.Print(strings.Repeat("x", 20<<20))
	}
	if f.faults["chatty"] {
		fmt.Println("starting acme-tools")
		fmt.Println(`{"level":"info","msg":"ready"}`)
	}
	if f.faults["floods"] {
		go func() {
			for {
				fmt.Fprintln(os.Stderr, strings.Repeat("warn ", 200))
			}
		}()
	}
	if f.faults["deep-schema"] {
		serveDeep()
		return
	}
	f.server = mcp.NewServer(&mcp.Implementation{Name: "acme", Version: "1.2.0"}, nil)
	f.addTools()
	f.serve()
}

func (f *fixture) serve() {
	var transport string
	var port int
	flags := flag.NewFlagSet("acme", flag.ContinueOnError)
	flags.StringVar(&transport, "transport", "stdio", "")
	flags.IntVar(&port, "port", 0, "")
	if err := flags.Parse(os.Args[1:]); err != nil || transport == "http" && f.faults["stdio-only"] {
		fmt.Fprintln(os.Stderr, "unrecognized arguments: --transport http")
		os.Exit(2)
	}
	var err error
	if transport == "http" {
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return f.server }, nil)
		mux := http.NewServeMux()
		mux.Handle("/mcp", handler)
		err = http.ListenAndServe("127.0.0.1:"+strconv.Itoa(port), mux) //nolint:gosec // a test
	} else {
		err = f.server.Run(context.Background(), &mcp.StdioTransport{})
	}
	if err != nil && err != io.EOF { // exactly this value
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// meta is the context of a call.
type meta struct {
	BaseURL      string         `json:"baseUrl"`
	SessionID    string         `json:"sessionId"`
	InvocationID string         `json:"invocationId"`
	Device       map[string]any `json:"device"`
	Memory       map[string]any `json:"memory"`
	Capabilities map[string]any `json:"capabilities"`
}

func metaOf(r *mcp.CallToolRequest) (meta, map[string]any) {
	raw, _ := json.Marshal(r.Params.Meta)
	var all map[string]any
	var m struct {
		Trailblaze meta `json:"trailblaze"`
	}
	_ = json.Unmarshal(raw, &all)
	_ = json.Unmarshal(raw, &m)
	return m.Trailblaze, all
}

// back calls a tool of the session back.
func (m meta) back(ctx context.Context, name, args, token string) (map[string]any, error) {
	return post(ctx, m.BaseURL, map[string]any{
		"version": 1, "session_id": m.SessionID, "invocation_id": m.InvocationID,
		"action": map[string]any{"type": "call_tool", "tool_name": name, "arguments_json": args},
	}, token)
}

func post(ctx context.Context, base string, body any, token string) (map[string]any, error) {
	raw, _ := json.Marshal(body)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/scripting/callback", strings.NewReader(string(raw)))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var out struct {
		Result map[string]any `json:"result"`
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("%d %s", resp.StatusCode, data)
	}
	return out.Result, nil
}

type handler func(ctx context.Context, r *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error)

const anyObject = `{"type":"object"}`

func (f *fixture) add(name, schema string, run handler, change ...func(*mcp.Tool)) {
	t := &mcp.Tool{Name: name, Description: "Tool " + name + ".", InputSchema: json.RawMessage(schema)}
	for _, c := range change {
		c(t)
	}
	f.server.AddTool(t, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		f.calls.Add(1)
		defer f.calls.Add(-1)
		var args map[string]any
		if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
			return nil, err
		}
		return run(ctx, r, args)
	})
}

func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

func dict(v map[string]any) *mcp.CallToolResult {
	raw, _ := json.Marshal(v)
	return text("%s", raw)
}

// meet waits for two files: of calls with the same word, each of which writes its own, or of the test.
func (f *fixture) meet(args map[string]any) (*mcp.CallToolResult, error) {
	with, ok := args["with"].(string)
	if n := args["number"]; n != nil {
		_ = os.WriteFile(fmt.Sprint(with, n), nil, 0o600)
	}
	for others := 0; ok && others < 2; {
		found, _ := filepath.Glob(with + "*")
		others = len(found)
	}
	return text("met"), nil
}

// reads makes a tool a query, of which one session may make several at once.
func (f *fixture) reads(t *mcp.Tool) {
	if f.faults["reads"] {
		t.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: true}
	}
}

func (f *fixture) addTools() {
	f.add("acme_echo", anyObject, func(_ context.Context, r *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error) {
		_, all := metaOf(r)
		res := dict(map[string]any{"args": args, "meta": all, "pid": os.Getpid(), "overHTTP": r.Session.ID() != ""})
		return res, nil
	})
	f.add("acme_say", `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`,
		func(_ context.Context, _ *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error) {
			return text("%v", args["text"]), nil
		})
	f.add("acme_back", anyObject, func(ctx context.Context, r *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error) {
		m, _ := metaOf(r)
		name, _ := args["tool"].(string)
		inner, _ := json.Marshal(args["args"])
		n := 1
		if times, ok := args["times"].(float64); ok {
			n = int(times)
		}
		token := ""
		if args["nameless"] == true {
			m.SessionID, m.InvocationID, token = "", "", os.Getenv("TRAILBLAZE_CALLBACK_TOKEN")
		}
		_, _ = f.meet(args)
		for range n - 1 {
			if _, err := m.back(ctx, name, string(inner), token); err != nil {
				return nil, err
			}
		}
		got, err := m.back(ctx, name, string(inner), token)
		if err != nil {
			return nil, err
		}
		return dict(map[string]any{"got": got, "invocationId": m.InvocationID}), nil
	}, f.reads)
	f.add("acme_wait", anyObject, func(ctx context.Context, _ *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error) {
		if path, ok := args["started"].(string); ok {
			_ = os.WriteFile(path, nil, 0o600)
		}
		if args["deaf"] == true {
			ctx = context.Background()
		}
		ms, _ := args["ms"].(float64)
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
		case <-ctx.Done():
		}
		return dict(map[string]any{"inFlight": f.calls.Load(), "pid": os.Getpid()}), nil
	}, f.reads)
	f.add("acme_result", anyObject, func(_ context.Context, _ *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error) {
		raw, _ := json.Marshal(args["result"])
		var res mcp.CallToolResult
		if err := json.Unmarshal(raw, &res); err != nil {
			return nil, err
		}
		return &res, nil
	})
	f.addFailing()
	for mode := range f.faults {
		list, named := strings.CutPrefix(mode, "named=")
		for name := range strings.SplitSeq(list, "=") {
			if !named {
				break
			}
			f.add(name, anyObject, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, error) {
				return dict(map[string]any{"called": name}), nil
			})
		}
	}
	f.addOdd()
}

// addFailing adds tools that end their process, fail without a reason, flood or hang.
func (f *fixture) addFailing() {
	f.add("acme_die", anyObject, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "panic: the database is gone")
		os.Exit(7)
		return nil, nil
	})
	f.add("acme_mute", anyObject, func(_ context.Context, _ *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error) {
		fmt.Fprintf(os.Stderr, "Traceback\n  KeyError: %v\n", args["key"])
		return nil, errors.New("Error executing tool acme_mute")
	})
	f.add("acme_huge", anyObject, func(_ context.Context, _ *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error) {
		mb, _ := args["mb"].(float64)
		return text("%s", strings.Repeat("0123456789abcdef", int(mb)<<16)), nil
	})
	f.add("acme_spin", anyObject, func(_ context.Context, _ *mcp.CallToolRequest, _ map[string]any) (*mcp.CallToolResult, error) {
		os.Stdin.Close() // it is stuck: it reads nothing more
		<-time.After(time.Hour)
		return nil, nil
	})
}

// serveDeep speaks MCP by hand, because the SDK refuses to serve such a schema.
func serveDeep() {
	const levels = 4000
	deep := strings.Repeat(`{"type":"object","properties":{"x":`, levels) + "{}" + strings.Repeat("}}", levels)
	answers := map[string]string{
		"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"deep","version":"1"}}`,
		"tools/list": `{"tools":[{"name":"acme_deep","inputSchema":` + deep + `},{"name":"acme_flat","inputSchema":` + anyObject + `}]}`,
		"tools/call": `{"content":[{"type":"text","text":"flat"}]}`,
	}
	for in := json.NewDecoder(os.Stdin); ; {
		var req struct {
			ID     json.RawMessage
			Method string
		}
		if in.Decode(&req) != nil {
			return
		}
		if answer, ok := answers[req.Method]; ok && req.ID != nil {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", req.ID, answer)
		}
	}
}
