package packages

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// registry is an npm registry with the packages of a release, and the tarballs that were fetched from it.
type registry struct {
	url     string
	mu      sync.Mutex
	fetched []string
}

func newRegistry(t *testing.T, h *house) *registry {
	t.Helper()
	r := &registry{}
	packages := map[string]map[string]any{} // by name
	files, _ := filepath.Glob(filepath.Join(h.dist, "*.tgz"))
	for _, file := range files {
		m := packageJSON(t, file)
		packages[m["name"].(string)] = m
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		name := strings.TrimPrefix(q.URL.Path, "/")
		if strings.HasSuffix(name, ".tgz") {
			r.mu.Lock()
			r.fetched = append(r.fetched, name)
			r.mu.Unlock()
			http.ServeFile(w, q, filepath.Join(h.dist, filepath.Base(name)))
			return
		}
		m, ok := packages[name]
		if !ok {
			http.NotFound(w, q)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"name": name, "dist-tags": map[string]string{"latest": h.version},
			"versions": map[string]any{h.version: m}})
	}))
	t.Cleanup(srv.Close)
	r.url = srv.URL
	for _, m := range packages {
		d := m["dist"].(map[string]string)
		d["tarball"] = r.url + "/" + d["tarball"]
	}
	return r
}

// packageJSON reads package.json of a tarball, and adds what a registry says of the file.
func packageJSON(t *testing.T, file string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(z); ; {
		head, err := files.Next()
		if err != nil {
			t.Fatalf("%s has no package.json: %v", file, err)
		}
		if head.Name != "package/package.json" {
			continue
		}
		var m map[string]any
		if err := json.NewDecoder(files).Decode(&m); err != nil {
			t.Fatal(err)
		}
		sum := sha512.Sum512(data)
		m["dist"] = map[string]string{"tarball": filepath.Base(file), "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		return m
	}
}

// TestNpm: npm fetches the program of this system alone and runs no script, and the SDK finds the program of its project.
func TestNpm(t *testing.T) {
	h := newHouse(t)
	r := newRegistry(t, h)
	h.write(t, "package.json", `{"name": "acme", "private": true, "type": "module"}`)
	h.run(t, "npm", "install", "--no-audit", "--no-fund", "--registry", r.url, "--cache", h.dir+"/cache", "trailblaze", "@trailblaze/client")
	slices.Sort(r.fetched)
	want := []string{"trailblaze-" + h.version + ".tgz", "trailblaze-client-" + h.version + ".tgz", "trailblaze-linux-x64-" + h.version + ".tgz"}
	if !slices.Equal(r.fetched, want) {
		t.Errorf("npm fetched %q, want %q", r.fetched, want)
	}
	if scripts := packageJSON(t, filepath.Join(h.dist, want[0]))["scripts"]; scripts != nil {
		t.Errorf("trailblaze has scripts: %v", scripts)
	}
	program := filepath.Join(h.dir, "node_modules/.bin/trailblaze")
	h.plays(t, program)
	if out := h.run(t, "npx", "--offline", "trailblaze", "version"); !strings.Contains(out, h.version) {
		t.Errorf("npx: %s", out)
	}

	script := h.write(t, "a.mjs", `import { TrailblazeClient } from '@trailblaze/client';
const tb = await TrailblazeClient.connect();
await tb.web.navigate({ url: process.argv[2] });
console.log('seen', await tb.isVisible({ text: 'The goods' }));
await tb.manage.device({ action: 'DISCONNECT' });
`)
	defer h.run(t, program, "daemon", "stop")
	if out := h.run(t, "node", script, h.shop); !strings.Contains(out, "seen true") {
		t.Errorf("the SDK for TypeScript: %s", out)
	}
}

// TestNpmSignals: the launcher hands a signal to the program and its exit status to the caller, and leaves nothing behind.
func TestNpmSignals(t *testing.T) {
	h := newHouse(t)
	r := newRegistry(t, h)
	h.run(t, "npm", "install", "--prefix", h.dir, "--no-audit", "--no-fund", "--registry", r.url, "--cache", h.dir+"/cache", "trailblaze")
	program := filepath.Join(h.dir, "node_modules/.bin/trailblaze")
	if code := exitCode(h.command(t, program, "run", "missing.trail.yaml").Run()); code != 3 {
		t.Errorf("a missing file: exit status %d, want 3", code)
	}
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		cmd := h.command(t, program, "demo", "--serve", "--json")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		for line := bufio.NewScanner(out); line.Scan(); {
			fmt.Fprintln(&said, line.Text())
			if line.Text() == "}" {
				break
			}
		}
		var shop struct{ URL string }
		if err := json.Unmarshal([]byte(said.String()), &shop); err != nil {
			t.Fatalf("%s: %v", said.String(), err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, out) // until the program, which has it too, ends
		if code := exitCode(cmd.Wait()); code != 0 {
			t.Errorf("%s: exit status %d, want 0", signal, code)
		}
		if res, err := http.Get(shop.URL); err == nil {
			_ = res.Body.Close()
			t.Errorf("%s: the shop is still open", signal)
		}
	}

	// Without optional dependencies there is no program, and the launcher says so.
	if err := os.RemoveAll(filepath.Join(h.dir, "node_modules/@trailblaze")); err != nil {
		t.Fatal(err)
	}
	out, err := h.command(t, program, "version").CombinedOutput()
	if exitCode(err) != 2 || !strings.Contains(string(out), "@trailblaze/linux-x64 is not installed") {
		t.Errorf("without the program: %v\n%s", err, out)
	}
}
