// Acme's own tools: an MCP server that Trailblaze starts, and that calls Trailblaze back. A team copies this folder;
// it uses nothing of Trailblaze but what docs/custom-tools.md says.
//
//	acme-tools                                 # one device: stdin and stdout
//	acme-tools --transport http --port 52530   # several devices: Trailblaze does this by itself
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	transport := flag.String("transport", "stdio", "stdio or http")
	port := flag.Int("port", 52530, "where to listen, with --transport http")
	flag.Parse()
	if err := run(*transport, *port); err != nil {
		fmt.Fprintln(os.Stderr, "acme-tools:", err)
		os.Exit(1)
	}
}

func run(transport string, port int) error {
	server := newServer()
	if transport != "http" {
		return server.Run(context.Background(), &mcp.StdioTransport{})
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	listening := http.Server{
		Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Handler: mux, ReadHeaderTimeout: 10 * time.Second,
	}
	return listening.ListenAndServe()
}

func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "acme-tools", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "acme_login", Description: "Signs a customer in to the shop."}, login)
	mcp.AddTool(s, &mcp.Tool{Name: "acme_signOut", Description: "Signs out, if anybody is signed in."}, signOut)
	mcp.AddTool(s, &mcp.Tool{
		Name: "acme_addToCart", Description: "Puts a product into the cart. What the shop shows late is looked for again.",
	}, addToCart)
	mcp.AddTool(s, &mcp.Tool{
		Name:        "acme_openCart",
		Description: "Opens the cart: the calls that do it are made, and recorded, in place of this one.",
	}, openCart)
	s.AddResource(&mcp.Resource{URI: registryURI, Name: "registry", MIMEType: "application/json"}, registry)
	return s
}

const registryURI = "trailblaze://registry"

// registry returns the facts about the tools that MCP has no words for.
func registry(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	web := []string{"web"}
	data, err := json.Marshal(map[string]any{
		"tools": map[string]any{
			"acme_login": map[string]any{
				"platforms": web, "groups": []string{"auth"}, "secretArguments": []string{"password"},
			},
			"acme_signOut":   map[string]any{"platforms": web, "groups": []string{"auth"}},
			"acme_addToCart": map[string]any{"platforms": web, "groups": []string{"cart"}, "timeoutMs": 60_000},
			"acme_openCart": map[string]any{
				"platforms": web, "groups": []string{"cart"}, "isRecordable": false, "isDelegating": true,
			},
		},
		"groups": map[string]any{
			"auth": map[string]any{"description": "Sign in and out"}, "cart": map[string]any{"description": "The cart"},
		},
		"serverInfo": map[string]any{"name": "acme-tools", "version": "1.0.0"},
	})
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{
		Contents: []*mcp.ResourceContents{{URI: registryURI, MIMEType: "application/json", Text: string(data)}},
	}, nil
}
