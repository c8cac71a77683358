package extern_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/encoding/protojson"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// The schemas of FastMCP (pydantic) and of zod, as they come over the wire.
const (
	pydantic = `{"$defs":{"Address":{"properties":{"street":{"title":"Street","type":"string"},
		"zip":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"Zip"}},"required":["street"],
		"title":"Address","type":"object"}},
		"properties":{"name":{"title":"Name","type":"string"},"address":{"$ref":"#/$defs/Address"},
		"note":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"Note"}},
		"required":["name","address"],"title":"shipArguments","type":"object"}`
	zod = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{
		"email":{"type":"string","format":"email","pattern":"^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)@x$"},
		"kind":{"anyOf":[{"type":"string","const":"a"},{"type":"string","const":"b"}]},
		"next":{"$ref":"#/definitions/next"}},"definitions":{"next":{"type":"object","properties":{
		"again":{"$ref":"#/definitions/next"}}}},"required":["email"],"additionalProperties":false}`
)

func echo(_ context.Context, _ *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error) {
	return dict(map[string]any{"args": args}), nil
}

// addOdd adds what only some tests ask for.
func (f *fixture) addOdd() {
	f.addSchemas()
	f.add("acme_again", anyObject, func(ctx context.Context, r *mcp.CallToolRequest, _ map[string]any) (
		*mcp.CallToolResult, error,
	) {
		m, _ := metaOf(r)
		got, err := m.back(ctx, "acme_again", "{}", "")
		if err != nil {
			return nil, err
		}
		if got["success"] != true {
			return &mcp.CallToolResult{IsError: true, Content: text("%v", got["errorMessage"]).Content}, nil
		}
		return text("ended"), nil
	})
	f.add("acme_steps", anyObject, func(ctx context.Context, r *mcp.CallToolRequest, args map[string]any) (*mcp.CallToolResult, error) {
		for _, token := range []any{r.Params.GetProgressToken(), "of nobody"} {
			said := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Total: 3, Message: fmt.Sprint(args["name"], " has hunter2-of-ann")}
			if err := r.Session.NotifyProgress(ctx, said); err != nil {
				return nil, err
			}
		}
		return f.meet(args)
	}, f.reads)
	if f.faults["asks"] {
		f.add("acme_ask", anyObject, ask)
	}
	if f.faults["names"] {
		for _, name := range []string{"web_click", "login", "acme_ok"} {
			f.add(name, anyObject, echo)
		}
	}
	if f.faults["union"] { // the tools of two teams in one server
		for _, name := range []string{"myapp_login", "otherapp_login"} {
			f.add(name, anyObject, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, error) {
				return text("%s", name), nil
			})
		}
	}
	if f.faults["many"] {
		for i := range 5000 {
			f.add(fmt.Sprintf("acme_t%04d", i), anyObject, echo)
		}
	}
	if f.faults["registry"] || f.faults["bad-registry"] {
		f.addRegistry()
	}
	if f.faults["grows"] {
		f.add("acme_grow", anyObject, func(context.Context, *mcp.CallToolRequest, map[string]any) (
			*mcp.CallToolResult, error,
		) {
			f.add("acme_late", anyObject, echo)
			return text("grown"), nil
		})
	}
}

// addSchemas adds tools whose schemas are those of other makers, broken or huge.
func (f *fixture) addSchemas() {
	if f.faults["schemas"] {
		f.add("acme_ship", pydantic, echo)
		f.add("acme_mail", zod, echo)
		f.add("acme_pass", `{"type":"object","properties":{"user":{"type":"string"},
			"password":{"type":"string","format":"password"}}}`, echo)
		f.add("acme_broken", `{"type":"object","properties":{"x":5}}`, echo)
		f.add("acme_old", `{"type":"object","properties":{"_trailblazeContext":{"type":"object"},"x":{"type":"string"}},
			"required":["_trailblazeContext","x"],"additionalProperties":false}`, echo)
		f.add("acme_typed", anyObject, func(_ context.Context, _ *mcp.CallToolRequest, args map[string]any) (
			*mcp.CallToolResult, error,
		) {
			return &mcp.CallToolResult{StructuredContent: args["value"], Content: []mcp.Content{}}, nil
		}, func(t *mcp.Tool) {
			t.OutputSchema = json.RawMessage(
				`{"type":"object","properties":{"total":{"type":"number"}},"required":["total"]}`)
		})
	}
	if f.faults["huge-schemas"] {
		refs := strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/big"},`, 500), ",")
		f.add("acme_wide", `{"type":"object","$defs":{"big":{"description":"`+strings.Repeat("x", 1<<20)+`"}},
			"properties":{"x":{"anyOf":[`+refs+`]}}}`, echo)
		many := strings.TrimSuffix(strings.Repeat(`{"const":1},`, 30_000), ",")
		f.add("acme_many", `{"type":"object","properties":{"x":{"anyOf":[`+many+`]}}}`, echo)
		f.add("acme_result_wide", anyObject, echo, func(t *mcp.Tool) {
			t.OutputSchema = json.RawMessage(`{"type":"object","description":"` + strings.Repeat("x", 2<<20) + `"}`)
		})
	}
}

// registryOf is the registry as an author in Go writes it, with the types of the contract.
func registryOf() string {
	off := false
	raw, err := protojson.Marshal(&pb.TrailblazeToolRegistry{
		Tools: map[string]*pb.ToolMetadata{
			"acme_helper": {Platforms: []string{"WEB"}, Groups: []string{"auth"}, ExposedToLlm: &off, IsRecordable: &off},
			"acme_slow":   {TimeoutMs: 200, Kind: "query", SecretArguments: []string{"token"}},
			"acme_off":    {Groups: []string{"extra"}, Effect: "elsewhere"},
			"acme_ledger": {Effect: "external"},
			"acme_gone":   {Platforms: []string{"web"}},
			"acme_phone":  {Platforms: []string{"ios", "blackberry"}},
		},
		Groups: map[string]*pb.GroupInfo{
			"auth": {Description: "Log in"}, "extra": {Description: "More", DefaultEnabled: &off},
		},
		ServerInfo: &pb.ServerInfo{Name: "acme", Version: "1.2.0"},
	})
	var all struct {
		Tools      map[string]map[string]any `json:"tools"`
		Groups     any                       `json:"groups"`
		ServerInfo any                       `json:"serverInfo"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		return err.Error()
	}
	all.Tools["acme_helper"]["secretArgs"] = []string{"pin"} // which is no key of it
	return quoted(all)
}

func (f *fixture) addRegistry() {
	body := registryOf()
	if f.faults["bad-registry"] {
		body = `{"tools": [1, 2]}`
	}
	reads := 0
	f.server.AddResource(&mcp.Resource{URI: "trailblaze://registry", Name: "registry"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			reads++
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: "trailblaze://registry", MIMEType: "application/json", Text: body,
			}}}, nil
		})
	for _, name := range []string{"acme_helper", "acme_slow", "acme_off", "acme_phone", "acme_ledger", "acme_ledger2"} {
		f.add(name, anyObject, echo, func(t *mcp.Tool) {
			switch name {
			case "acme_slow":
				t.Meta = mcp.Meta{"trailblaze/timeoutMs": 900, "trailblaze/supportedPlatforms": []string{"WEB"}}
			case "acme_ledger2":
				t.Meta = mcp.Meta{"trailblaze/effect": "external"}
			case "acme_off":
				t.Meta = mcp.Meta{"trailblaze/recordable": false, "acme/recordable": false, "trailblaze/requiresHost": true}
			}
		})
	}
	f.add("acme_sign", `{"type":"object","properties":{"pin":{"type":"string"}}}`, echo, func(t *mcp.Tool) {
		t.Meta = mcp.Meta{"trailblaze/secretArguments": []string{"pni"}}
	})
	f.add("acme_reads", anyObject, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, error) {
		return dict(map[string]any{"reads": reads}), nil
	}, func(t *mcp.Tool) {
		t.Meta = mcp.Meta{"trailblaze/isRecordable": "yes", "trailblaze/surfaceToLlm": false}
	})
}

func quoted(v any) string {
	raw, _ := json.Marshal(v)
	return strings.ReplaceAll(string(raw), "\n", " ")
}
