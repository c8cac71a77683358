package conformance

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Fixtures adds the suite's fixtures to MCP servers and changes them when the suite asks.
type Fixtures struct {
	mu      sync.Mutex
	servers []*mcp.Server

	stop context.CancelFunc
	wg   sync.WaitGroup
}

// New makes Fixtures. Close them.
func New() *Fixtures {
	f := &Fixtures{}
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	f.wg.Go(func() { f.notify(ctx) })
	return f
}

// Close ends the updates of the watched resource.
func (f *Fixtures) Close() {
	f.stop()
	f.wg.Wait()
}

// Add adds all fixtures to a server.
func (f *Fixtures) Add(s *mcp.Server) {
	f.mu.Lock()
	f.servers = append(f.servers, s)
	f.mu.Unlock()
	addContent(s)
	addTalk(s)
	addAsking(s)
	addSchemas(s)
	f.addTriggers(s)
	addResources(s)
	addPrompts(s)
}

// each calls fn for every server: the suite listens at one and changes things through another.
func (f *Fixtures) each(fn func(*mcp.Server)) {
	f.mu.Lock()
	servers := append([]*mcp.Server(nil), f.servers...)
	f.mu.Unlock()
	for _, s := range servers {
		fn(s)
	}
}

const watched = "test://watched-resource"

// notify updates the watched resource now and then.
func (f *Fixtures) notify(ctx context.Context) {
	tick := time.NewTicker(3 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f.each(func(s *mcp.Server) {
				_ = s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: watched})
			})
		}
	}
}

// handler is a fixture tool's body.
type handler func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error)

var anything = json.RawMessage(`{"type":"object"}`)

func add(s *mcp.Server, name, description string, input json.RawMessage, h handler) {
	if input == nil {
		input = anything
	}
	s.AddTool(&mcp.Tool{Name: name, Description: description, InputSchema: input}, mcp.ToolHandler(h))
}

func says(text string) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
}

func argument(req *mcp.CallToolRequest, name string) string {
	var args map[string]any
	if json.Unmarshal(req.Params.Arguments, &args) != nil {
		return ""
	}
	text, _ := args[name].(string)
	return text
}

// The smallest picture and the smallest sound.
var (
	picture = decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
	sound   = decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=")
)

func decode(s string) []byte {
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil
	}
	return data
}

// addContent adds the tools that answer with each kind of content.
func addContent(s *mcp.Server) {
	image := &mcp.ImageContent{Data: picture, MIMEType: "image/png"}
	embedded := func(uri, text string) *mcp.EmbeddedResource {
		return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: text}}
	}
	fixed := []struct {
		name    string
		content []mcp.Content
	}{
		{"test_simple_text", []mcp.Content{&mcp.TextContent{Text: "This is a simple text response for testing."}}},
		{"test_image_content", []mcp.Content{image}},
		{"test_audio_content", []mcp.Content{&mcp.AudioContent{Data: sound, MIMEType: "audio/wav"}}},
		{"test_embedded_resource", []mcp.Content{embedded("test://embedded-resource",
			"This is an embedded resource content.")}},
		{"test_multiple_content_types", []mcp.Content{
			&mcp.TextContent{Text: "Multiple content types test:"}, image,
			embedded("test://mixed-content-resource", `{"test":"data","value":123}`),
		}},
	}
	for _, f := range fixed {
		add(s, f.name, "Answers with fixed content.", nil,
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: f.content}, nil
			})
	}
	add(s, "test_error_handling", "Always fails.", nil,
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			res, err := says("This tool intentionally returns an error for testing")
			res.IsError = true
			return res, err
		})
}

// addSchemas adds the tools whose schemas must reach the client as they are.
func addSchemas(s *mcp.Server) {
	echo := func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return says("called with " + string(req.Params.Arguments))
	}
	add(s, "json_schema_2020_12_tool", "Uses the vocabulary of JSON Schema 2020-12.", json.RawMessage(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type": "object",
		"$defs": {"address": {"$anchor": "addressDef", "type": "object",
			"properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
		"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
			"contactMethod": {"type": "string", "enum": ["phone", "email"]},
			"phone": {"type": "string"}, "email": {"type": "string"}},
		"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
		"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
		"then": {"required": ["phone"]},
		"else": {"required": ["email"]},
		"additionalProperties": false
	}`), echo)
	add(s, "test_x_mcp_header", "Has a parameter that is also a header.", json.RawMessage(`{
		"type": "object",
		"properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "level": {"type": "integer"}}
	}`), echo)
}

func addResources(s *mcp.Server) {
	fixed := func(uri, name, mime string, contents mcp.ResourceContents) {
		s.AddResource(&mcp.Resource{URI: uri, Name: name, MIMEType: mime, Description: "A fixture."},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				c := contents
				c.MIMEType = mime
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&c}}, nil
			})
	}
	fixed("test://static-text", "static-text", "text/plain",
		mcp.ResourceContents{Text: "This is the content of the static text resource."})
	fixed("test://static-binary", "static-binary", "image/png", mcp.ResourceContents{Blob: picture})
	fixed(watched, "watched-resource", "text/plain", mcp.ResourceContents{Text: "Watched resource content"})
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template",
		MIMEType: "application/json", Description: "A fixture."},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
			body, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{MIMEType: "application/json",
				Text: string(body)}}}, nil
		})
}
