package mcpserver

import (
	"cmp"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
)

// A client that connects by an address alone works in the project that it has open.
func TestRootsBecomeTheWorkspace(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	project := t.TempDir()
	real, err := filepath.EvalSymlinks(project)
	if err != nil {
		t.Fatal(err)
	}
	moved := make(chan string, 10)
	client := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, nil)
	client.AddRoots(&mcp.Root{URI: "https://example.test/x"}, &mcp.Root{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(project)}).String()})
	hubClient := r.Client("mcp", "")
	stop := hubClient.Watch(func(_, now clients.State) { moved <- now.Workspace })
	defer stop()
	s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: r.url, HTTPClient: r.http}, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() // the test is over
	declares, ok := r.Lookup(clientIDIn(s.ID()))
	if !ok {
		t.Fatal("no hubClient")
	}
	defer declares.Watch(func(_, now clients.State) { moved <- now.Workspace })()
	for declares.State().Workspace != real {
		waittest.Await(t, moved, "the move into the project")
	}

	// Who says where it is is not asked.
	named := r.attach(hubClient, legacy, mcp.ClientOptions{})
	named.must("demo_who", `{}`)
	if got := hubClient.State().Workspace; got == real {
		t.Errorf("the hubClient that has a workspace moved to %s", got)
	}
}

func TestDirectory(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "f"), "x")
	for uri, ok := range map[string]bool{
		"file://" + dir: true, "file://localhost" + dir: true, "file://" + dir + "/": true, "file://" + dir + "/f": false, "file://" + dir + "/none": false,
		"http://" + dir: false, "file://elsewhere" + dir: false, "file:relative": false, "": false, "::": false,
	} {
		if got, is := directory(uri); is != ok || ok && got != strings.TrimSuffix(dir, "/") {
			t.Errorf("%s: %s, %v", uri, got, is)
		}
	}
}

// TestWorkspaceOfARequest: over HTTP a client says by a header or in the address which project it works in.
func TestWorkspaceOfARequest(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	for name, how := range map[string]func(dir string) *mcp.StreamableClientTransport{
		"the address": func(dir string) *mcp.StreamableClientTransport {
			return &mcp.StreamableClientTransport{Endpoint: r.url + "?workspace=" + url.QueryEscape(dir), HTTPClient: r.http}
		},
		"the header": func(dir string) *mcp.StreamableClientTransport {
			with := &http.Client{Transport: headed{r.http.Transport, dir}}
			return &mcp.StreamableClientTransport{Endpoint: r.url, HTTPClient: with}
		},
	} {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		c := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, nil)
		s, err := c.Connect(t.Context(), how(dir), &mcp.ClientSessionOptions{ProtocolVersion: legacy})
		if err != nil {
			t.Fatal(name, err)
		}
		if it, ok := r.Lookup(clientIDIn(s.ID())); !ok || it.State().Workspace != dir {
			t.Errorf("%s: the workspace is not %s", name, dir)
		}
		_ = s.Close()
	}
}

// headed adds the header of a workspace to requests.
type headed struct {
	http.RoundTripper
	workspace string
}

func (h headed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Trailblaze-Workspace", h.workspace)
	return cmp.Or(h.RoundTripper, http.DefaultTransport).RoundTrip(r)
}
