// Package toolserver serves tools to Trailblaze from a process of their own, as an MCP server of the official SDK. The
// tools are those that client.Define and client.Flat make, so that the same ones run in either mode:
//
//	func main() {
//		login := client.Define(tool.Spec{Name: "acme_login", …}, login)
//		if err := toolserver.Run(context.Background(), "acme", login); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// A server that is written with the SDK itself makes its clients with Client.
package toolserver

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const (
	defaultTokens = 1000             // of the answer of a model
	readTime      = 10 * time.Second // for the head of a request
)

// Run serves tools until ctx ends or Trailblaze goes: to one client over stdin and stdout, or with
// `--transport http --port N` on the command line to several at once, on this machine alone. Trailblaze starts the
// program with these arguments when the calls of two devices meet.
func Run(ctx context.Context, name string, tools ...tool.Tool) error {
	s := mcp.NewServer(&mcp.Implementation{Name: name, Version: "1"}, nil)
	if err := Add(s, tools...); err != nil {
		return err
	}
	if flagValue("--transport") != "http" {
		return s.Run(ctx, &mcp.StdioTransport{})
	}
	port, err := strconv.Atoi(flagValue("--port"))
	if err != nil {
		return fault.New(fault.Invalid, "serve tools", "--transport http needs --port and a number")
	}
	return serve(ctx, s, port)
}

// flagValue is the value of a flag of the command line, which may have others.
func flagValue(flag string) string {
	for i, arg := range os.Args {
		if value, ok := strings.CutPrefix(arg, flag+"="); ok {
			return value
		}
		if arg == flag && i+1 < len(os.Args) {
			return os.Args[i+1]
		}
	}
	return ""
}

// serve serves MCP over HTTP. The handler refuses other hosts, and the protection pages of other origins.
func serve(ctx context.Context, s *mcp.Server, port int) error {
	l, err := listen.TCP(ctx, port)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "serve tools")
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.NewCrossOriginProtection().Handler(
		mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)))
	h := &http.Server{Handler: mux, ReadHeaderTimeout: readTime}
	defer context.AfterFunc(ctx, func() { _ = h.Close() })()
	if err := h.Serve(l); ctx.Err() == nil {
		return fault.Wrap(err, fault.Unavailable, "serve tools")
	}
	return ctx.Err()
}

// Add adds tools to a server.
func Add(s *mcp.Server, tools ...tool.Tool) error {
	if _, err := tool.NewRegistry(tools...); err != nil {
		return err
	}
	for _, t := range tools {
		s.AddTool(described(t.Spec()), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			tb, err := Client(req)
			if err != nil {
				return resultOf(tool.Fail(err)), nil
			}
			e := env{tb, memory.New()}
			for name, value := range tb.Meta.GetMemory().AsMap() {
				e.memory.Set(name, value)
			}
			out, err := t.Run(ctx, e, own(req.Params.Arguments))
			if err != nil {
				out = tool.Fail(err)
			}
			res := resultOf(out)
			res.Meta = e.learned()
			return res, nil
		})
	}
	return nil
}

// Client makes the client of a call that came to a server of the SDK: its calls go to the session and device of that
// call, and end with it.
func Client(req *mcp.CallToolRequest) (*client.Client, error) {
	tb, err := client.FromMeta(req.Params.Meta)
	if err == nil && tb.Meta.GetCapabilities()["sampling"] {
		tb.Sampling = func(ctx context.Context, q client.Question) (*client.Answer, error) {
			return ask(ctx, req, tb.Meta.GetInvocationId(), q)
		}
	}
	return tb, err
}

// ask asks the model that Trailblaze was given, by MCP's sampling.
func ask(ctx context.Context, req *mcp.CallToolRequest, invocation string, q client.Question) (*client.Answer, error) {
	p := &mcp.CreateMessageParams{
		Meta: mcp.Meta{"trailblazeInvocationId": invocation}, SystemPrompt: q.System, MaxTokens: q.MaxTokens,
		Metadata: map[string]any{"include_screenshot": q.IncludeScreenshot},
	}
	if p.MaxTokens == 0 {
		p.MaxTokens = defaultTokens
	}
	for _, said := range q.Messages {
		text := &mcp.TextContent{Text: said.Content}
		p.Messages = append(p.Messages, &mcp.SamplingMessage{Role: mcp.Role(said.Role), Content: text})
	}
	res, err := req.Session.CreateMessage(ctx, p)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "ask model")
	}
	text, _ := res.Content.(*mcp.TextContent)
	if text == nil {
		text = &mcp.TextContent{}
	}
	return &client.Answer{Content: text.Text, Model: res.Model}, nil
}

// described is a tool as MCP lists it. Facts that MCP has no field for go into _meta, where
// Trailblaze reads them.
func described(s *tool.Spec) *mcp.Tool {
	t := &mcp.Tool{Name: s.Name, Title: s.Title, Description: s.Description, InputSchema: s.Input()}
	if s.Output != nil {
		t.OutputSchema = s.Output()
	}
	t.Meta = mcp.Meta{
		"trailblaze/kind": s.Kind, "trailblaze/surfaceToLlm": s.ExposedToLLM, "trailblaze/isRecordable": s.Recordable,
		"trailblaze/isDelegating": s.Delegating, "trailblaze/timeoutMs": s.Timeout.Milliseconds(),
		"trailblaze/supportedPlatforms": s.Platforms, "trailblaze/supportedDrivers": s.Drivers,
	}
	if s.Effects != nil && s.Effects.External {
		t.Meta["trailblaze/effect"] = "external"
	}
	if len(s.Groups) > 0 {
		t.Meta["trailblaze/toolset"] = s.Groups[0]
	}
	return t
}

// own are the arguments of a tool without the context that older programs find among them.
func own(args json.RawMessage) json.RawMessage {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(args, &fields) != nil {
		return args
	}
	delete(fields, "_trailblazeContext")
	out, err := json.Marshal(fields)
	if err != nil {
		return args
	}
	return out
}

// resultOf is a result as MCP has it.
func resultOf(r *tool.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{IsError: r.IsError}
	for _, c := range r.Content {
		if c.Type == "image" {
			out.Content = append(out.Content, &mcp.ImageContent{Data: c.Data, MIMEType: c.MIME})
		} else {
			out.Content = append(out.Content, &mcp.TextContent{Text: c.Text})
		}
	}
	if len(r.Delegates) > 0 {
		type delegate struct {
			Tool string          `json:"tool"`
			Args json.RawMessage `json:"args,omitempty"`
		}
		var calls []delegate
		for _, c := range r.Delegates {
			calls = append(calls, delegate{c.Name, c.Args})
		}
		out.StructuredContent = map[string]any{"_trailblaze_delegates": calls}
	} else if strings.HasPrefix(string(r.Value), "{") {
		out.StructuredContent = r.Value
	}
	return out
}

// env is the environment of a tool in its own process. There is no device in it: the client acts on that.
type env struct {
	tb     *client.Client
	memory *memory.Store
}

// Client implements client.Env.
func (e env) Client() *client.Client { return e.tb }

// Device implements tool.Env.
func (e env) Device() driver.Device { return nil }

// Memory implements tool.Env.
func (e env) Memory() *memory.Store { return e.memory }

// Call implements tool.Env.
func (e env) Call(ctx context.Context, c tool.Call) (*tool.Result, error) {
	r, err := e.tb.CallTool(ctx, c.Name, c.Args)
	if err != nil {
		return nil, err
	}
	return &tool.Result{Content: []tool.Content{{Type: "text", Text: r.Text}}, Value: r.Value}, nil
}

// learned returns the values that a tool has the session remember and forget.
func (e env) learned() mcp.Meta {
	set, gone, was, now := map[string]any{}, []string{}, e.tb.Meta.GetMemory().AsMap(), e.memory.Public()
	for name, value := range now {
		if !reflect.DeepEqual(value, was[name]) {
			set[name] = value
		}
	}
	for name := range was {
		if _, still := now[name]; !still {
			gone = append(gone, name)
		}
	}
	if len(set)+len(gone) == 0 {
		return nil
	}
	return mcp.Meta{"trailblaze": map[string]any{"memoryDelta": set, "memoryDeletions": gone}}
}
