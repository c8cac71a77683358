package housetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A test program is an external MCP server too, when this variable names the prefix of its tools.
const toolsEnv = "HOUSETEST_TOOLS"

// probeEnv names the file to which a tool server appends what it was given.
const probeEnv = "HOUSETEST_PROBE"

// ToolsConfig is the part of trailblaze.yaml that starts this test program as the external MCP server `acme`, and
// names a second one, `team`, which runs at url. Both append what they were given to the file probe; "" keeps nothing.
func ToolsConfig(t testing.TB, url, probe string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("mcpServers:\n  - {name: acme, command: %q, env: {%s: acme, %s: %q}}\n"+
		"  - {name: team, transport: http, url: %q}\n", self, toolsEnv, probeEnv, probe, url)
}

// ServeTools runs a tool server over HTTP until the test ends, and returns the address of its endpoint.
func ServeTools(t testing.TB, prefix, probe string) string {
	t.Helper()
	server := newToolServer(prefix, probe)
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(func() {
		srv.CloseClientConnections() // of clients that listen for news
		srv.Close()
	})
	return srv.URL
}

// runToolServer serves tools on stdin and stdout, or on a port, as the arguments say.
func runToolServer(prefix string) int {
	server := newToolServer(prefix, os.Getenv(probeEnv))
	var err error
	if a := os.Args; len(a) == 5 && a[1] == "--transport" && a[3] == "--port" {
		mux := http.NewServeMux()
		mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
		err = http.ListenAndServe(net.JoinHostPort("127.0.0.1", a[4]), mux) //nolint:gosec // a test
	} else {
		err = server.Run(context.Background(), &mcp.StdioTransport{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// toolServer is a team's server with a tool of each kind. They add a note to the page of Notes.
type toolServer struct {
	server        *mcp.Server
	prefix, probe string
}

// Notes is the page on which tools of tests act: Add adds the text of the field to the list, Idle does nothing.
const Notes = `<!doctype html><title>Notes</title>
<label>Note <input id=note></label><label>Secret <input id=secret></label>
<button id=add>Add</button><button id=idle>Idle</button><ul id=list></ul>
<script>
add.onclick = () => list.append(Object.assign(document.createElement("li"), {textContent: note.value}))
</script>`

// object is the schema of a tool that takes texts.
func object(fields ...string) json.RawMessage {
	props := map[string]any{}
	for _, f := range fields {
		props[f] = map[string]any{"type": "string"}
	}
	raw, _ := json.Marshal(map[string]any{"type": "object", "properties": props, "additionalProperties": false})
	return raw
}

func newToolServer(prefix, probe string) *mcp.Server {
	s := &toolServer{mcp.NewServer(&mcp.Implementation{Name: prefix, Version: "1"}, nil), prefix, probe}
	external := mcp.Meta{"trailblaze/effect": "external"}
	s.add("say", object("text"), external, func(_ context.Context, c toolCall) (any, error) {
		return "said " + c.Args["text"], nil
	})
	s.add("fail", object("text"), nil, func(_ context.Context, c toolCall) (any, error) {
		fmt.Fprintln(os.Stderr, "failing with", c.Args["text"])
		return nil, fmt.Errorf("no such note: %s", c.Args["text"])
	})
	s.add("add", object("text"), nil, addNote)
	s.add("idle", object(), nil, func(ctx context.Context, c toolCall) (any, error) {
		for _, name := range []string{"Add", "Idle", "Idle"} {
			if err := c.back(ctx, "web_click", map[string]string{"ref": "button " + quoted(name)}); err != nil {
				return nil, err
			}
		}
		return "done", nil
	})
	delegating := mcp.Meta{"trailblaze/isDelegating": true}
	s.add("plan", object("text"), delegating, func(_ context.Context, c toolCall) (any, error) {
		return delegates(call{"web_type", map[string]string{"ref": `textbox "Note"`, "text": c.Args["text"]}},
			call{"web_click", map[string]string{"ref": `button "Add"`}},
			call{"web_verifyTextVisible", map[string]string{"text": c.Args["text"]}}), nil
	})
	s.add("planIdle", object(), delegating, func(context.Context, toolCall) (any, error) {
		idle := call{"web_click", map[string]string{"ref": `button "Idle"`}}
		return delegates(call{"web_click", map[string]string{"ref": `button "Add"`}}, idle, idle), nil
	})
	s.add("ask", object("text"), external, func(ctx context.Context, c toolCall) (any, error) {
		said, err := c.session.CreateMessage(ctx, &mcp.CreateMessageParams{
			Meta: mcp.Meta{"trailblazeInvocationId": c.Meta.InvocationID}, MaxTokens: 50,
			Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: c.Args["text"]}}},
		})
		if err != nil {
			return nil, fmt.Errorf("sampling %v: %w", c.Meta.Capabilities.Sampling, err)
		}
		answer, _ := said.Content.(*mcp.TextContent)
		return fmt.Sprintf("sampling %v: %s", c.Meta.Capabilities.Sampling, answer.Text), nil
	})
	s.addSecret()
	return s.server
}

// addSecret adds tools that deal with the secret pw: they type it by its name, get its value in a declared argument,
// and give that away.
func (s *toolServer) addSecret() {
	enter := call{"web_type", map[string]string{"ref": `textbox "Secret"`, "text": "{{pw}}"}}
	s.add("enter", object(), nil, func(ctx context.Context, c toolCall) (any, error) {
		if err := c.back(ctx, enter.Tool, enter.Args); err != nil {
			return nil, err
		}
		return "read", c.back(ctx, "web_evaluate", map[string]string{"script": "document.getElementById('secret').value"})
	})
	s.add("planEnter", object(), mcp.Meta{"trailblaze/isDelegating": true},
		func(context.Context, toolCall) (any, error) { return delegates(enter), nil })
	declared := mcp.Meta{"trailblaze/secretArguments": []string{"password"}}
	s.add("secret", object("password"), declared, func(_ context.Context, c toolCall) (any, error) {
		return fmt.Sprint(len(c.Args["password"])), nil
	})
	s.add("leak", object("password"), declared, func(_ context.Context, c toolCall) (any, error) {
		fmt.Fprintln(os.Stderr, "signing in with", c.Args["password"])
		return map[string]string{"typed": c.Args["password"]}, nil
	})
	s.add("leakError", object("password"), declared, func(_ context.Context, c toolCall) (any, error) {
		return nil, fmt.Errorf("the account has another password than %s", c.Args["password"])
	})
	s.add("leakDeath", object("password"), declared, func(ctx context.Context, c toolCall) (any, error) {
		fmt.Fprintln(os.Stderr, "panic: no account with", c.Args["password"])
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		<-ctx.Done()
		return nil, err
	})
}

// addNote adds a note by calling back.
func addNote(ctx context.Context, c toolCall) (any, error) {
	for _, step := range []call{
		{"web_type", map[string]string{"ref": `textbox "Note"`, "text": c.Args["text"]}},
		{"web_click", map[string]string{"ref": `button "Add"`}},
		{"web_verifyTextVisible", map[string]string{"text": c.Args["text"]}},
	} {
		if err := c.back(ctx, step.Tool, step.Args); err != nil {
			return nil, err
		}
	}
	return "added", nil
}

func quoted(s string) string { return `"` + s + `"` }

type call struct {
	Tool string            `json:"tool"`
	Args map[string]string `json:"args"`
}

func delegates(list ...call) any {
	return map[string]any{"success": true, "_trailblaze_delegates": list}
}

// toolCall is a call as the server gets it.
type toolCall struct {
	Args map[string]string
	Meta struct {
		BaseURL, SessionID, InvocationID string
		Capabilities                     struct{ Sampling bool }
	}
	keep    func(string, any)
	session *mcp.ServerSession
}

// back calls a tool of the session back.
func (c toolCall) back(ctx context.Context, name string, args map[string]string) error {
	inner, err := json.Marshal(args)
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{
		"version": 1, "session_id": c.Meta.SessionID, "invocation_id": c.Meta.InvocationID,
		"action": map[string]any{"type": "call_tool", "tool_name": name, "arguments_json": string(inner)},
	})
	if err != nil {
		return err
	}
	url := c.Meta.BaseURL + "/scripting/callback"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	c.keep("callback", string(data))
	var got struct {
		Result struct {
			Type, ErrorMessage, Message string
			Success                     bool
		}
	}
	if err := json.Unmarshal(data, &got); err != nil {
		return err
	}
	if !got.Result.Success {
		return fmt.Errorf("%s: %s%s", name, got.Result.ErrorMessage, got.Result.Message)
	}
	return nil
}

// carrier carries a call out.
type carrier func(context.Context, toolCall) (any, error)

func (s *toolServer) add(name string, schema json.RawMessage, meta mcp.Meta, run carrier) {
	tool := &mcp.Tool{Name: s.prefix + "_" + name, Description: "Tool " + name + ".", InputSchema: schema, Meta: meta}
	s.server.AddTool(tool, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c := toolCall{keep: s.keep, session: r.Session}
		if meta["trailblaze/secretArguments"] == nil {
			s.keep("call", map[string]any{
				"args": r.Params.Arguments, "meta": r.Params.Meta, "env": os.Environ(), "argv": os.Args,
			})
		}
		given, err := json.Marshal(r.Params.Meta["trailblaze"])
		if err == nil {
			err = json.Unmarshal(given, &c.Meta)
		}
		if err == nil {
			err = json.Unmarshal(r.Params.Arguments, &c.Args)
		}
		var out any
		if err == nil {
			out, err = run(ctx, c)
		}
		if err != nil {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
		}
		text, ok := out.(string)
		if !ok {
			raw, err := json.Marshal(out)
			if err != nil {
				return nil, err
			}
			text = string(raw)
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	})
}

// keep appends what the server was given to its file.
func (s *toolServer) keep(what string, v any) {
	if s.probe == "" {
		return
	}
	raw, err := json.Marshal(map[string]any{what: v})
	if err != nil {
		return
	}
	f, err := os.OpenFile(s.probe, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	_, _ = f.WriteString(strings.TrimSpace(string(raw)) + "\n")
}
