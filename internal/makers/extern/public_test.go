package extern_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

var public = flag.Bool("public", false, "start the public servers of e2e/servers (`make e2e-servers` installs them)")

// All tools of public MCP servers have a name here, and one of each server can be called.
func TestPublicServers(t *testing.T) {
	if !*public {
		t.Skip("needs their packages: make e2e-servers")
	}
	at, err := filepath.Abs("../../../e2e/servers")
	if err != nil {
		t.Fatal(err)
	}
	bin := func(name string) string {
		if name == "fetch" {
			return filepath.Join(at, ".venv/bin/mcp-server-fetch")
		}
		return filepath.Join(at, "node_modules/.bin/mcp-server-"+name)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	quoted, _ := json.Marshal(filepath.Join(dir, "a.txt"))
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<title>Shop</title><p>a mug</p>"))
	}))
	defer page.Close()
	all := 0
	for name, c := range map[string]struct {
		args       []string
		tools      int
		call, with string
	}{
		"everything":          {nil, 14, "everything_get_sum", `{"a":1,"b":2}`},
		"filesystem":          {[]string{dir}, 14, "read_text_file", `{"path":` + string(quoted) + `}`},
		"memory":              {nil, 9, "read_graph", `{}`},
		"sequential-thinking": {nil, 1, "sequential_thinking_sequentialthinking", `{"thought":"a","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}`},
		"fetch":               {[]string{"--ignore-robots-txt", "--allow-private-ips"}, 1, "fetch_fetch", `{"url":"` + page.URL + `","raw":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := startWith(t, options{
				servers: []source.Server{{Name: name, Command: bin(name), Args: c.args, Sampling: true,
					Env: map[string]string{"MEMORY_FILE_PATH": filepath.Join(dir, "memory.jsonl")}}},
				change: func(o *source.Options) {
					o.Model = &scripted{} // everything has one more tool then
					o.BuiltIn, _ = tool.Collect(tools.BuiltinIn(o.Root, nil)...)
				},
			})
			found, problems, err := r.sources[0].Load(t.Context())
			if err != nil || len(found) != c.tools {
				t.Fatalf("%d tools, want %d: %v", len(found), c.tools, err)
			}
			for _, p := range problems {
				if !p.Warning {
					t.Errorf("left out: %v", p)
				}
			}
			for _, f := range found {
				r.spec(f.Spec().Name)
			}
			if res, err := r.call(c.call, c.with); err != nil || res.Err() != nil {
				t.Errorf("%s: %v %v", c.call, err, res)
			}
			all += len(found)
		})
	}
	t.Logf("%d tools of 5 servers are listed, and 5 were called", all)
}
