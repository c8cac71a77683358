package conformance

import (
	"context"
	"encoding/base64"
	"encoding/json"
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
