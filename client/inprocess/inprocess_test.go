package inprocess_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/client/inprocess"
	"github.com/trailblaze-dev/trailblaze/client/toolserver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	commandsv1 "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type greetIn struct {
	Name string `json:"name" jsonschema:"who is greeted"`
}

type greetOut struct {
	Said    string `json:"said"`
	Visible bool   `json:"visible"`
	Kind    string `json:"kind"`
	Hint    bool   `json:"hint"`
	Web     bool   `json:"web"`
	Mobile  bool   `json:"mobile"`
}

// greet is the body of a tool: a call by name, a typed query, a failure, and the backends.
func greet(ctx context.Context, tb *client.Client, in greetIn) (greetOut, error) {
	r, err := tb.CallTool(ctx, "demo_echo", map[string]any{"text": in.Name})
	if err != nil {
		return greetOut{}, err
	}
	seen, err := tb.IsVisible(ctx, &commandsv1.IsVisibleRequest{Text: proto.String("nothing of the kind")})
	if err != nil {
		return greetOut{}, err
	}
	_, err = tb.CallTool(ctx, "demo_ecko", nil)
	return greetOut{
		Said: r.Text, Visible: seen.GetVisible(), Kind: string(fault.KindOf(err)), Hint: fault.HintOf(err) != "",
		Web: tb.Web != nil, Mobile: tb.Mobile != nil,
	}, nil
}

// served calls a tool of a server over MCP.
func served(ctx context.Context, server *mcp.Server, name string, in, meta any) (json.RawMessage, error) {
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		return nil, err
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "trailblaze"}, nil).Connect(ctx, here, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	r, err := c.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: in, Meta: mcp.Meta{"trailblaze": meta}})
	if err != nil {
		return nil, err
	}
	return json.Marshal(r.StructuredContent)
}

// R8, R45, R92, R133: one body gives the same in this process and over the API, where its calls go to the session of the
// call by its id, and to none other.
func TestSameBody(t *testing.T) {
	spec := func(name string) tool.Spec {
		return tool.Spec{Name: name, Description: "Greets somebody.", Kind: tool.Query, ExposedToLLM: true}
	}
	var url, last string
	var modes []client.ExecutionMode
	here := client.Define(spec("acme_here"), func(ctx context.Context, tb *client.Client, in greetIn) (greetOut, error) {
		modes = append(modes, tb.Mode)
		return greet(ctx, tb, in)
	})
	server := mcp.NewServer(&mcp.Implementation{Name: "acme"}, nil)
	if err := toolserver.Add(server, here); err != nil {
		t.Fatal(err)
	}
	there := tool.Define(spec("acme_there"), func(ctx context.Context, env tool.Env, in greetIn) (json.RawMessage, error) {
		who, _ := env.(tool.Invoked)
		last = who.InvocationID()
		return served(ctx, server, "acme_here", in, map[string]any{
			"baseUrl": url, "sessionId": who.SessionID(), "invocationId": last,
			"device": map[string]any{"platform": env.Device().Info().Platform},
		})
	})
	rig := hubtest.New(t, hubtest.Options{Tools: append(inprocess.Tools(here), there)})
	mux := http.NewServeMux()
	api.Routes(mux, api.Options{Hub: rig.Hub, Status: func() any { return nil }})
	daemon := httptest.NewServer(mux)
	defer daemon.Close()
	back := httptest.NewServer(api.Inside(rig.Hub, func(string) bool { return false }))
	defer back.Close()
	url = back.URL

	tb := client.New(client.Options{URL: daemon.URL, Workspace: rig.Workspace})
	said := map[string]greetOut{}
	for _, name := range []string{"acme_here", "acme_there"} {
		r, err := tb.CallTool(t.Context(), name, greetIn{"Robin"})
		if err != nil {
			t.Fatalf("%s: %v (%s)", name, err, fault.HintOf(err))
		}
		var out greetOut
		if err := json.Unmarshal(r.Value, &out); err != nil {
			t.Fatalf("%s gives %s: %v", name, r.Value, err)
		}
		said[name] = out
	}
	if said["acme_here"] != said["acme_there"] {
		t.Errorf("in process %+v, over the API %+v", said["acme_here"], said["acme_there"])
	}
	if !slices.Equal(modes, []client.ExecutionMode{client.InProcess, client.RPC}) {
		t.Errorf("modes %v", modes)
	}

	late, err := client.FromMeta(map[string]any{"trailblaze": map[string]any{"baseUrl": url, "invocationId": last}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := late.CallTool(t.Context(), "demo_echo", nil); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a call after the end of its call: %v", err)
	}
	stranger := client.New(client.Options{URL: url})
	if _, err := stranger.CallTool(t.Context(), "demo_echo", nil); fault.KindOf(err) != fault.Denied {
		t.Errorf("a call without the id of one: %v", err)
	}
	if _, err := client.FromMeta(nil); fault.KindOf(err) != fault.Invalid || fault.HintOf(err) == "" {
		t.Errorf("no context: %v", err)
	}
}
