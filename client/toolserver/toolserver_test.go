package toolserver_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/client/toolserver"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type askIn struct {
	Color string `json:"color"`
}

type askOut struct {
	Matches bool   `json:"matches"`
	Model   string `json:"model"`
}

func isColor(ctx context.Context, tb *client.Client, in askIn) (askOut, error) {
	a, err := tb.Sampling.CreateMessage(ctx, client.Question{
		Messages: []client.Message{{Role: "user", Content: "Is the button " + in.Color + "?"}}, IncludeScreenshot: true,
	})
	if err != nil {
		return askOut{}, err
	}
	return askOut{Matches: strings.Contains(a.Content, "yes"), Model: a.Model}, nil
}

// serve connects a client of MCP to a server with tools. Questions to its model are noted.
func serve(t *testing.T, tools ...tool.Tool) (c *mcp.ClientSession, asked *mcp.CreateMessageParams) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "acme"}, nil)
	if err := toolserver.Add(server, tools...); err != nil {
		t.Fatal(err)
	}
	return connect(t, server)
}

func connect(t *testing.T, server *mcp.Server) (c *mcp.ClientSession, asked *mcp.CreateMessageParams) {
	t.Helper()
	asked = &mcp.CreateMessageParams{}
	answers := func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
		if *asked = *r.Params; asked.MaxTokens == 0 {
			return nil, errors.New("no bound")
		}
		return &mcp.CreateMessageResult{Role: "assistant", Model: "own", Content: &mcp.TextContent{Text: "yes"}}, nil
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "trailblaze"}, &mcp.ClientOptions{CreateMessageHandler: answers}).
		Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}) // the one that Trailblaze speaks
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c, asked
}

func call(t *testing.T, c *mcp.ClientSession, name string, args, meta map[string]any) *mcp.CallToolResult {
	t.Helper()
	p := &mcp.CallToolParams{Name: name, Arguments: args}
	if meta != nil {
		meta["baseUrl"], meta["invocationId"] = "http://127.0.0.1:1", "inv-1"
		p.Meta = mcp.Meta{"trailblaze": meta}
	}
	r, err := c.CallTool(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func text(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

// R92, R138: a tool asks the model in the call that it carries out, which the question names; where it may not, and
// where no call came, the failure says what to do.
func TestSampling(t *testing.T) {
	spec := tool.Spec{Name: "acme_is_color", Description: "Asks.", Kind: tool.Query, ExposedToLLM: true}
	c, asked := serve(t, client.Define(spec, isColor))
	may := map[string]any{"capabilities": map[string]any{"sampling": true}}
	r := call(t, c, "acme_is_color", map[string]any{"color": "green", "_trailblazeContext": map[string]any{}}, may)
	out, _ := r.StructuredContent.(map[string]any)
	if r.IsError || out["matches"] != true || out["model"] != "own" {
		t.Fatalf("%v %s", out, text(r))
	}
	if m, _ := asked.Metadata.(map[string]any); asked.Meta["trailblazeInvocationId"] != "inv-1" || m["include_screenshot"] != true {
		t.Errorf("asked %v %v", asked.Meta, asked.Metadata)
	}
	r = call(t, c, "acme_is_color", map[string]any{"color": "green"}, map[string]any{})
	if !r.IsError || !strings.Contains(text(r), "sampling: true") {
		t.Errorf("without the right: %v %s", r.IsError, text(r))
	}
	r = call(t, c, "acme_is_color", map[string]any{"color": "green"}, nil)
	if !r.IsError || !strings.Contains(text(r), "Call the tool through Trailblaze") {
		t.Errorf("without a call: %v %s", r.IsError, text(r))
	}
}

// A tool that acts on the memory of its session has it go back with the result, one that delegates the calls to make;
// what MCP has no field for stands in the list.
func TestResults(t *testing.T) {
	remembers := func(_ context.Context, env tool.Env, _ struct{}) (string, error) {
		was, _ := env.Memory().Get("sku")
		env.Memory().Set("order", was)
		env.Memory().Delete("sku")
		return "done", nil
	}
	delegates := func(context.Context, tool.Env, struct{}) (*tool.Result, error) {
		return &tool.Result{Delegates: []tool.Call{{Name: "tap", Args: []byte(`{"text":"Buy"}`)}}}, nil
	}
	c, _ := serve(t,
		tool.Define(tool.Spec{Name: "acme_order", Description: "Orders.", Kind: tool.Action, Platforms: []driver.Platform{"web"}}, remembers),
		tool.Define(tool.Spec{Name: "acme_buy", Description: "Buys.", Kind: tool.Action, Delegating: true,
			Facts: tool.Facts{Effects: &tool.Effects{External: true}}}, delegates))
	r := call(t, c, "acme_order", nil, map[string]any{"memory": map[string]any{"sku": "mug", "city": "Oslo"}})
	if got := fmt.Sprint(r.Meta["trailblaze"]); got != "map[memoryDeletions:[sku] memoryDelta:map[order:mug]]" {
		t.Errorf("memory %s", got)
	}
	r = call(t, c, "acme_buy", nil, map[string]any{})
	if got := fmt.Sprint(r.StructuredContent); got != "map[_trailblaze_delegates:[map[args:map[text:Buy] tool:tap]]]" {
		t.Errorf("delegates %s", got)
	}
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	meta := fmt.Sprint(list.Tools[0].Meta, list.Tools[1].Meta)
	if !strings.Contains(meta, "trailblaze/isDelegating:true") || strings.Count(meta, "trailblaze/effect:external") != 1 ||
		!strings.Contains(meta, "trailblaze/supportedPlatforms:[web]") {
		t.Errorf("list %s", meta)
	}
	if err := toolserver.Add(mcp.NewServer(&mcp.Implementation{Name: "acme"}, nil), client.Flat(tool.Spec{Name: "x"}, 1)); err == nil {
		t.Error("a tool whose definition is wrong was added")
	}
	if _, err := (client.Sampling)(nil).CreateMessage(t.Context(), client.Question{}); fault.KindOf(err) != fault.Unsupported {
		t.Error(err)
	}
}

// With --transport http the server takes calls of several clients, on this machine alone; memory comes and goes with them.
func TestOverHTTP(t *testing.T) {
	l, err := listen.TCP(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	was := os.Args
	os.Args = []string{"acme", "--verbose", "--transport", "http", "--port=" + port}
	defer func() { os.Args = was }()
	adds := func(_ context.Context, env tool.Env, _ struct{}) (string, error) {
		sku, _ := env.Memory().Get("sku")
		env.Memory().Set("order", sku)
		return "done", nil
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		spec := tool.Spec{Name: "acme_order", Description: "Orders.", Kind: tool.Action}
		ended <- toolserver.Run(ctx, "acme", tool.Define(spec, adds))
	}()
	defer http.DefaultClient.CloseIdleConnections()
	address := "http://127.0.0.1:" + port + "/mcp"
	for _, sku := range []string{"mug", "pot"} {
		var c *mcp.ClientSession
		waittest.Until(t, func() bool {
			c, err = mcp.NewClient(&mcp.Implementation{Name: "trailblaze"}, nil).
				Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: address, DisableStandaloneSSE: true}, nil)
			return err == nil
		}, "it listens")
		r := call(t, c, "acme_order", nil, map[string]any{"memory": map[string]any{"sku": sku}})
		if got := fmt.Sprint(r.Meta["trailblaze"]); got != "map[memoryDeletions:[] memoryDelta:map[order:"+sku+"]]" {
			t.Errorf("memory %s", got)
		}
		_ = c.Close()
	}
	for header, value := range map[string]string{"Host": "evil.test", "Origin": "http://evil.test"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(header, value)
		if header == "Host" {
			req.Host = value
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("with %s: %s it answers %d", header, value, resp.StatusCode)
		}
	}
	stop()
	if err := waittest.Await(t, ended, "it ends"); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	os.Args = []string{"acme", "--transport", "http"}
	if err := toolserver.Run(t.Context(), "acme"); fault.KindOf(err) != fault.Invalid {
		t.Errorf("without a port: %v", err)
	}
}

// R145: the _meta of a call and of a result come through the SDKs of both sides with all that is in it: ours, a progress
// token, and keys of others.
func TestMetaComesThrough(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "acme"}, nil)
	var got mcp.Meta
	var token any
	server.AddTool(&mcp.Tool{Name: "acme_meta", InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			got, token = r.Params.Meta, r.Params.GetProgressToken()
			tb, err := toolserver.Client(r)
			if err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{Meta: mcp.Meta{"acme/cost": 1.5, "trailblaze": map[string]any{"memoryDelta": tb.Meta.Memory}}}, nil
		})
	c, _ := connect(t, server)
	sent := mcp.Meta{
		"acme/trace": map[string]any{"id": "t-1", "parts": []any{1.0, "two"}}, "trailblazeInvocationId": "inv-1",
		"trailblaze": map[string]any{"baseUrl": "http://127.0.0.1:1", "invocationId": "inv-1", "memory": map[string]any{"sku": "mug"}},
	}
	p := &mcp.CallToolParams{Name: "acme_meta", Meta: maps.Clone(sent)}
	p.SetProgressToken("progress-7")
	r, err := c.CallTool(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if token != "progress-7" {
		t.Errorf("progress token %v", token)
	}
	for key, want := range sent {
		if fmt.Sprint(got[key]) != fmt.Sprint(want) {
			t.Errorf("%s: sent %v, came %v", key, want, got[key])
		}
	}
	if d := fmt.Sprint(r.Meta["acme/cost"], r.Meta["trailblaze"]); d != "1.5 map[memoryDelta:map[sku:mug]]" {
		t.Errorf("the result has %s", d)
	}
}
