package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type total struct {
	Sum  int      `json:"sum"`
	Rows []string `json:"rows"`
}

// sums is a tool with data: it gives what its schema says, or fails.
func sums() tool.Tool {
	type in struct {
		Fail bool `json:"fail,omitempty"`
	}
	return tool.Define(tool.Spec{Name: "demo_sum", Title: "Sum", Description: "Sums.", Kind: tool.Query, ExposedToLLM: true, Recordable: true},
		func(_ context.Context, _ tool.Env, a in) (total, error) {
			if a.Fail {
				return total{}, fault.New(fault.Assertion, "sum rows", "there are no rows").WithHint("Add some.")
			}
			return total{Sum: 3, Rows: []string{"a"}}, nil
		})
}

// Clients check structured content against the listed schema: what is listed must fit whatever comes, a job too.
func TestStructuredContentFitsItsSchema(t *testing.T) {
	r := newRig(t, hubtest.Options{Tools: []tool.Tool{sums()}})
	c := r.connect(legacy, mcp.ClientOptions{})
	var schema *jsonschema.Resolved
	for tl, err := range c.Tools(c.ctx(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tl.Name != "demo_sum" {
			continue
		}
		if tl.Title != "Sum" || !tl.Annotations.ReadOnlyHint || tl.Annotations.DestructiveHint == nil || *tl.Annotations.DestructiveHint {
			t.Errorf("title %q, annotations %+v", tl.Title, tl.Annotations)
		}
		raw, err := json.Marshal(tl.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatal(err)
		}
		if schema, err = s.Resolve(nil); err != nil {
			t.Fatal(err)
		}
	}
	if schema == nil {
		t.Fatal("demo_sum lists no output schema")
	}
	res := c.try("demo_sum", `{}`)
	for what, v := range map[string]any{"result": res.StructuredContent, "job": map[string]any{"job": "j1"}} {
		if err := schema.Validate(v); v == nil || err != nil {
			t.Errorf("%s %v: %v", what, v, err)
		}
	}
	if !strings.Contains(text(res), "3") {
		t.Errorf("a client that reads only text misses the data: %s", text(res))
	}
	res = c.try("demo_sum", `{"fail":true}`)
	f, _ := metaOf(t, res.Meta)["fault"].(map[string]any)
	if !res.IsError || res.StructuredContent != nil || f["kind"] != "assertion" || !strings.Contains(text(res), "Add some.") {
		t.Errorf("a failure: %+v, %s", res, text(res))
	}
}

func TestListsArePaged(t *testing.T) {
	r := newRig(t, hubtest.Options{}, func(o *Options) { o.PageSize = 3 })
	c := r.connect(legacy, mcp.ClientOptions{})
	first, err := c.ListTools(c.ctx(), nil)
	if err != nil || len(first.Tools) != 3 || first.NextCursor == "" {
		t.Fatalf("first page: %+v, %v", first, err)
	}
	all := c.names()
	if slices.Sort(all); len(all) < 7 || len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("pages together: %v", all)
	}
	if _, err := c.ListTools(c.ctx(), &mcp.ListToolsParams{Cursor: "nonsense"}); err == nil {
		t.Error("a made-up cursor was accepted")
	}
}

// R231: a client that has nothing but HTTP and JSON calls a tool with one request.
func TestR231OneRequestIsEnough(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	status, _, body := r.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"web_click","arguments":{"ref":"e2"},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		headerVersion, "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "web_click")
	if status != http.StatusOK || !strings.Contains(body, `\"Buy\"`) || !strings.Contains(body, `"device":"web"`) ||
		!strings.Contains(body, `"trailblazeSessionId":"tb_`) {
		t.Errorf("%d %s", status, body)
	}
}

// R229: what rides in _meta.trailblaze, or beside the arguments, is ours; a tool's own parameter of that name is not.
func TestR229Envelope(t *testing.T) {
	said := envelopeOf(mcp.Meta{metaKey: map[string]any{"device": "web/a", "intent": "Look", "maxTokens": 50.0, "workspace": 7, "later": true}})
	if said != (envelope{Device: "web/a", Intent: "Look", MaxTokens: 50}) {
		t.Errorf("%+v", said)
	}
	if envelopeOf(mcp.Meta{metaKey: "nonsense"}) != (envelope{}) {
		t.Error("nonsense was understood")
	}
	r := newRig(t, hubtest.Options{})
	conn := r.connect(legacy, mcp.ClientOptions{})
	res := conn.try("demo_look", `{"text":"x"}`, map[string]any{"device": "web/side"})
	if got := metaOf(t, res.Meta)["device"]; got != "web/side" {
		t.Errorf("ran on %v: %s", got, text(res))
	}
}
