package extern_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/tools"
	"github.com/trailblaze-dev/trailblaze/internal/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

var public = flag.Bool("public", false, "start the public servers of e2e/servers (`make e2e-servers` installs them)")

// All tools of public MCP servers have a name here, and one of each server can be called.
func TestPublicServers(t *testing.T) {
	if !*public {
		t.Skip("needs the npm packages: make e2e-servers")
	}
	bin, err := filepath.Abs("../../e2e/servers/node_modules/.bin")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	quoted, _ := json.Marshal(filepath.Join(dir, "a.txt"))
	for name, c := range map[string]struct {
		args       []string
		least      int
		call, with string
	}{
		"everything":          {nil, 10, "everything_get_sum", `{"a":1,"b":2}`},
		"filesystem":          {[]string{dir}, 12, "read_text_file", `{"path":` + string(quoted) + `}`},
		"memory":              {nil, 9, "read_graph", `{}`},
		"sequential-thinking": {nil, 1, "sequential_thinking_sequentialthinking", `{"thought":"a","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := startWith(t, options{
				servers: []source.Server{{Name: name, Command: filepath.Join(bin, "mcp-server-"+name), Args: c.args,
					Env: map[string]string{"MEMORY_FILE_PATH": filepath.Join(dir, "memory.jsonl")}}},
				change: func(o *source.Options) { o.BuiltIn, _ = tool.Collect(tools.BuiltinIn(o.Root)...) },
			})
			found, problems, err := r.sources[0].Load(t.Context())
			if err != nil || len(found) < c.least {
				t.Fatalf("%d tools, want %d or more: %v", len(found), c.least, err)
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
			t.Logf("%d tools", len(found))
		})
	}
}
