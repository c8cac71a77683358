package mcpserver

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
)

const scheme = "trailblaze://"

// maxResource bounds the size of one resource. A client that wants more reads pages, or opens the
// file.
const maxResource = 4 << 20

const (
	mimeJSON = "application/json"
	mimeText = "text/plain"
	mimeYAML = "application/yaml"
)

// resource is readable data at an address or, with braces in its path, at every address of a form.
type resource struct {
	path        string // after the scheme
	name, title string
	description string
	mime        string
	read        func(cs *clientServer, ctx context.Context, at address) ([]*mcp.ResourceContents, error)
}

// resources lists all resources.
func resources() []resource {
	return []resource{
		{"registry", "registry", "Tool registry", "Every tool with its platforms, groups and flags.", mimeJSON,
			(*clientServer).readRegistry},
		{"about", "about", "About", "What Trailblaze is, how to use it, what is known not to work.", "text/markdown",
			(*clientServer).readAbout},
		{"config", "config", "Your settings", "Mode, categories, screenshot and verbosity settings of your session.",
			mimeJSON, (*clientServer).readConfig},
		{"devices", "devices", "Devices", "Connected devices and those that could be connected.", mimeJSON,
			(*clientServer).readDevices},
		{"tools/categories", "tool-categories", "Tool categories", "What each category holds and which are on.",
			mimeJSON, (*clientServer).readCategories},
		{"sessions", "sessions", "Sessions", "Recorded sessions, newest first, running ones marked.", mimeJSON,
			(*clientServer).readSessions},
		{"sessions/{id}", "session", "A session", "What one session did, in short.", mimeJSON,
			(*clientServer).readSession},
		{"sessions/{id}/events{?after,limit}", "session-events", "Events of a session", "The event log, in pages.",
			mimeJSON, (*clientServer).readEvents},
		{"sessions/{id}/recording", "session-recording", "Recording of a session",
			"The trail that saving the session would write.", mimeYAML, (*clientServer).readRecording},
		{"sessions/{id}/screenshot", "session-screenshot", "Last screenshot of a session", "", "image/png",
			(*clientServer).readScreenshot},
		{"sessions/{id}/blobs/{hash}", "session-blob", "A file of a session",
			"Large outputs, snapshots and screenshots, by hash.", "", (*clientServer).readBlob},
		{"snapshot/{+device}", "snapshot", "Screen of a device", "What the device shows now.", mimeText,
			(*clientServer).readSnapshot},
		{"trails", "trails", "Trails", "The trail files of your workspace.", mimeJSON, (*clientServer).readTrails},
		{"trails/{+path}", "trail", "A trail", "The text of a trail file.", mimeYAML, (*clientServer).readTrail},
	}
}

// addResources registers the resources. The SDK matches an address to a resource; parseAddress
// reads its parts.
func (cs *clientServer) addResources() {
	for _, r := range resources() {
		handler := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			at, ok := parseAddress(req.Params.URI)
			if !ok {
				return nil, mcp.ResourceNotFoundError(req.Params.URI)
			}
			contents, err := r.read(cs, ctx, at)
			if err != nil {
				return nil, resourceError(req.Params.URI, err)
			}
			for _, c := range contents {
				c.URI = req.Params.URI
				if c.MIMEType == "" {
					c.MIMEType = r.mime
				}
			}
			return &mcp.ReadResourceResult{Contents: contents}, nil
		}
		if strings.Contains(r.path, "{") {
			cs.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
				URITemplate: scheme + r.path, Name: r.name, Title: r.title, Description: r.description,
				MIMEType: r.mime,
			}, handler)
		} else {
			cs.mcp.AddResource(&mcp.Resource{
				URI: scheme + r.path, Name: r.name, Title: r.title, Description: r.description, MIMEType: r.mime,
			}, handler)
		}
	}
}

// address is a resource's address in parts.
type address struct {
	parts []string // decoded; parts[0] is the kind of resource
	query url.Values
}

// parseAddress splits an address. It refuses parts that could lead to another file or resource.
func parseAddress(uri string) (a address, ok bool) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok || len(uri) > 4096 {
		return a, false
	}
	path, query, _ := strings.Cut(rest, "?")
	var err error
	if a.query, err = url.ParseQuery(query); err != nil {
		return a, false
	}
	for p := range strings.SplitSeq(path, "/") {
		p, err := url.PathUnescape(p)
		if err != nil || p == "" || p == "." || p == ".." || strings.ContainsAny(p, "/\\\x00") {
			return a, false
		}
		a.parts = append(a.parts, p)
	}
	return a, true
}

// part is the i-th part, "" when there is none.
func (a address) part(i int) string {
	if i < len(a.parts) {
		return a.parts[i]
	}
	return ""
}

// from is the path from the i-th part on.
func (a address) from(i int) string {
	if i >= len(a.parts) {
		return ""
	}
	return strings.Join(a.parts[i:], "/")
}

func resourceError(uri string, err error) error {
	switch fault.KindOf(err) {
	case fault.NotFound:
		return mcp.ResourceNotFoundError(uri)
	case fault.Invalid, fault.Denied, fault.Unsupported, fault.Conflict:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: withHint(err)}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: withHint(err)}
}

// withHint is an error with its hint.
func withHint(err error) string {
	if hint := fault.HintOf(err); hint != "" {
		return err.Error() + ". " + hint
	}
	return err.Error()
}

// asJSON is a resource that holds v as JSON.
func asJSON(v any) ([]*mcp.ResourceContents, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "write resource")
	}
	return []*mcp.ResourceContents{{Text: string(body)}}, nil
}

// list turns a nil list into an empty one, which JSON writes as [].
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

func asText(text string) []*mcp.ResourceContents { return []*mcp.ResourceContents{{Text: text}} }
