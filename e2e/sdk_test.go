package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands"
)

// R20, R25, R28, R30, R32, R35: the Go client starts the daemon by itself and drives the shop: typed commands, queries
// that do not fail, failures with a kind and a hint, and no backend that the device lacks.
func TestGoClient(t *testing.T) {
	s := newSitting(t)
	s.setEnv()
	tb, err := client.Dial(t.Context(), &client.Options{Binary: binary, Workspace: s.work, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if tb.Platform != driver.WebPlatform || tb.Web == nil || tb.Mobile != nil || tb.Desktop != nil {
		t.Errorf("%s: web %v, mobile %v, desktop %v", tb.Platform, tb.Web, tb.Mobile, tb.Desktop)
	}
	if _, err := tb.Web.Navigate(t.Context(), &commandsv1.NavigateRequest{Url: proto.String(s.shop + "/account")}); err != nil {
		t.Fatal(err)
	}
	seen, err := tb.IsVisible(t.Context(), &commandsv1.IsVisibleRequest{Text: proto.String("Sign in")})
	if err != nil || !seen.GetVisible() {
		t.Errorf("Sign in: %v %v", seen, err)
	}
	none, err := tb.IsVisible(t.Context(), &commandsv1.IsVisibleRequest{Text: proto.String("Nothing of the kind")})
	if err != nil || none.GetVisible() {
		t.Errorf("a query of what is not there: %v %v", none, err)
	}
	_, err = tb.AssertVisible(t.Context(), &commandsv1.AssertVisibleRequest{Text: proto.String("Nothing of the kind")})
	if fault.KindOf(err) != fault.Assertion && fault.KindOf(err) != fault.NotFound {
		t.Errorf("an assertion that does not hold: %v (%s)", err, fault.KindOf(err))
	}
	_, err = tb.Tap(t.Context(), &commandsv1.TapRequest{Text: proto.String("Nothing of the kind")})
	if err == nil || fault.HintOf(err) == "" {
		t.Errorf("an action on nothing: %v, hint %q", err, fault.HintOf(err))
	}
	r, err := tb.CallTool(waittest.Context(t), "isVisible", map[string]any{"text": "Sign in"})
	if err != nil || !strings.Contains(string(r.Value), `"visible":true`) && !strings.Contains(string(r.Value), `"visible": true`) {
		t.Errorf("CallTool: %s %v", r.Value, err)
	}
	if _, err := tb.CallTool(waittest.Context(t), "isVisibel", nil); !strings.Contains(fault.HintOf(err)+err.Error(), "isVisible") {
		t.Errorf("a tool that there is not: %v, hint %q", err, fault.HintOf(err))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = tb.WaitUntilVisible(ctx, &commandsv1.WaitUntilVisibleRequest{
		Text: proto.String("Nothing of the kind"), TimeoutMs: proto.Int32(20_000),
	})
	if k := fault.KindOf(err); k != fault.Timeout && k != fault.Canceled {
		t.Errorf("a deadline: %v (%s)", err, k)
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline is none of a context: %v", err)
	}
}

var sdkDir = flag.String("sdk", "", "folder of the projects that `make sdk` installs the SDKs into")

// R2, R21–R24, R31, R44, R85, R124, R125, R127, R128, R130, R132: the tools of the founding document run as it writes
// them, but for imports and the platform web in their registry, on the real MCP SDKs and against the sample shop, each in
// a project that has nothing of ours but the package.
func TestSDKExamples(t *testing.T) {
	t.Parallel()
	dir, python := installed(t)
	bun, deno := filepath.Join(dir, "runtimes", "bun"), filepath.Join(dir, "runtimes", "deno")
	older := filepath.Join(filepath.Dir(filepath.Dir(python)), "mcp1") // version 1 of the package mcp
	for _, ex := range []struct{ name, command, args, file, trails string }{
		{"python", python, "", "python/acme_tools.py", "trails"},
		{"python, mcp 1", "env", "PYTHONPATH=" + older + ", " + python + ", ", "python/acme_tools.py", "trails"},
		{"python, one device", python, "", "python/acme_tools_server.py", "trails"},
		{"python, queries", python, "", "python/acme_queries.py", "queries"},
		{"typescript", "node", "", "build/acme/acme_tools.js", "trails"},
		{"typescript on bun", bun, "run, ", "build/acme/acme_tools.ts", "trails"},
		{"typescript on deno", deno, "run, -A, ", "build/acme/acme_tools.ts", "trails"},
		{"typescript, scripting", "node", "", "build/acme/acme_scripting.js", "scripting"},
		{"typescript, scripting on bun", bun, "run, ", "build/acme/acme_scripting.ts", "scripting"},
		{"typescript, scripting on deno", deno, "run, -A, ", "build/acme/acme_scripting.ts", "scripting"},
		{"typescript, by _meta", "node", "", "build/acme/acme_raw.js", "raw"},
		{"go", filepath.Join(dir, "go", "tools", "tools"), "", "", "trails"},
		{"python, actors", python, "", "python/acme_actors.py", "actors"},
		{"typescript, actors", "node", "", "build/acme/acme_actors.js", "actors"},
		{"typescript, scripting, actors", "node", "", "build/acme/acme_scripting.js", "actors"},
		{"go, actors", filepath.Join(dir, "go", "tools", "tools"), "", "", "actors"},
	} {
		t.Run(ex.name, func(t *testing.T) {
			t.Parallel()
			s := newSitting(t)
			s.serveApp()
			copyTree(t, filepath.Join("testdata", "sdk", ex.trails), filepath.Join(s.work, "trails"))
			settings := fmt.Sprintf("platform: web\nmcpServers:\n  - name: acme\n    command: %s\n    args: [%s%s]\n"+
				"trailsDir: trails\n", ex.command, ex.args, filepath.Join(dir, ex.file))
			if err := os.WriteFile(filepath.Join(s.work, "trailblaze.yaml"), []byte(settings), 0o600); err != nil {
				t.Fatal(err)
			}
			s.shell("trailblaze run trails --trust --base-url "+s.shop, 0)
			if !strings.Contains(s.last, "1 passed") {
				t.Errorf("run: %s", s.last)
			}
		})
	}
}

// TestSDKDocumentsCompile: the tools in TypeScript that the documents show, and those of the example, are right for a
// strict compiler that has the types of `check --types`, and for check.
func TestSDKDocumentsCompile(t *testing.T) {
	t.Parallel()
	dir, _ := installed(t)
	s := newSitting(t)
	copyTree(t, filepath.Join("..", "examples", "ts-tools"), s.work)
	tools, blocks := filepath.Join("trails", "config", "tools"), 0
	for _, page := range []string{"README.md", "docs/custom-tools.md"} {
		text, err := os.ReadFile(filepath.Join("..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?s)\n```ts\n(?:// (trails/\\S+)\n)?(.*?)\n```").FindAllStringSubmatch(string(text), -1) {
			blocks++
			name := cmp.Or(m[1], filepath.Join(tools, fmt.Sprintf("document%d.ts", blocks)))
			if err := os.WriteFile(filepath.Join(s.work, name), []byte(m[2]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if blocks < 4 {
		t.Fatalf("the documents show %d tools", blocks)
	}
	if err := os.Symlink(filepath.Join(dir, "build", "node_modules"), filepath.Join(s.work, "node_modules")); err != nil {
		t.Fatal(err)
	}
	s.shell("trailblaze check --types --trust", 0)
	s.shell("node_modules/.bin/tsc -p . --types node --skipLibCheck", 0)
}

// R72: run serves tools over HTTP with --transport http, on this machine alone, and these tools call back.
func TestSDKServersOverHTTP(t *testing.T) {
	t.Parallel()
	dir, python := installed(t)
	older := "PYTHONPATH=" + filepath.Join(filepath.Dir(filepath.Dir(python)), "mcp1") // version 1 of the package mcp
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for name, command := range map[string][]string{
		"python":             {python, at("python/acme_tools.py")},
		"python, mcp 1":      {"env", older, python, at("python/acme_tools.py")},
		"typescript":         {"node", at("build/acme/acme_tools.js")},
		"typescript on bun":  {at("runtimes/bun"), "run", at("build/acme/acme_tools.ts")},
		"typescript on deno": {at("runtimes/deno"), "run", "-A", at("build/acme/acme_tools.ts")},
		"go":                 {at("go/tools/tools")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSitting(t)
			s.serveApp()
			copyTree(t, filepath.Join("testdata", "sdk", "trails"), filepath.Join(s.work, "trails"))
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			_ = free.Close()
			_, port, _ := net.SplitHostPort(free.Addr().String())
			server := exec.CommandContext(t.Context(), command[0], append(command[1:], "--transport", "http", "--port", port)...)
			server.Stderr = t.Output()
			if err := server.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = server.Process.Kill()
				_ = server.Wait()
			})
			address := "http://127.0.0.1:" + port + "/mcp"
			for header, value := range map[string]string{"Host": "evil.test", "Origin": "http://evil.test"} {
				waittest.Until(t, func() bool {
					status, err := asked(t, address, header, value)
					if err == nil && status != http.StatusForbidden && status != http.StatusMisdirectedRequest {
						t.Fatalf("with %s: %s it answers %d", header, value, status)
					}
					return err == nil
				}, "it listens")
			}
			settings := "platform: web\nmcpServers:\n  - { name: acme, transport: http, url: " + address + " }\ntrailsDir: trails\n"
			if err := os.WriteFile(filepath.Join(s.work, "trailblaze.yaml"), []byte(settings), 0o600); err != nil {
				t.Fatal(err)
			}
			s.shell("trailblaze run trails --trust --repeat 2 -j 2 --base-url "+s.shop, 0)
			if !strings.Contains(s.last, "2 passed") {
				t.Errorf("run: %s", s.last)
			}
		})
	}
}

// asked is the status of a request of MCP with a header that a page of another site would send.
func asked(t *testing.T, address, header, value string) (int, error) {
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"page","version":"1"}}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(hello))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set(header, value)
	if header == "Host" {
		req.Host = value
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// R138, R139, R141: a tool of each SDK asks the model in its call, and has it see the screen; the answer comes back to it.
func TestSDKSampling(t *testing.T) {
	t.Parallel()
	dir, python := installed(t)
	for name, command := range map[string]string{
		"python": python + "\n    args: [" + filepath.Join(dir, "python", "acme_sampling.py") + "]",
		"python, mcp 1": python + "\n    args: [" + filepath.Join(dir, "python", "acme_sampling.py") + "]\n    env: { PYTHONPATH: " +
			filepath.Join(filepath.Dir(filepath.Dir(python)), "mcp1") + " }",
		"typescript": "node\n    args: [" + filepath.Join(dir, "build", "acme", "acme_sampling.js") + "]",
		"go":         filepath.Join(dir, "go", "tools", "tools"),
	} {
		t.Run(name, func(t *testing.T) {
			s, model := newModelSitting(t)
			model.Answer(func(q llmtest.Question) llmtest.Turn {
				if strings.Contains(q.Body, "Is the button green?") && strings.Contains(q.Body, `"image"`) {
					return llmtest.Say("Yes, it is.")
				}
				return llmtest.Say("No.")
			})
			copyTree(t, filepath.Join("testdata", "sdk", "sampling"), filepath.Join(s.work, "trails"))
			settings := filepath.Join(s.work, "trails", "config", "trailblaze.yaml")
			text, err := os.ReadFile(settings)
			if err != nil {
				t.Fatal(err)
			}
			text = fmt.Appendf(text, "mcpServers:\n  - name: acme\n    sampling: true\n    command: %s\n", command)
			if err := os.WriteFile(settings, text, 0o600); err != nil {
				t.Fatal(err)
			}
			s.shell("trailblaze run trails/color.trail.yaml --trust", 0)
			if len(model.Asked()) != 1 {
				t.Errorf("asked %d times: %s", len(model.Asked()), s.last)
			}
		})
	}
}

// serveApp has the browser of a sitting find the couriers' app of the sample shop under the name that the documents give
// theirs: in a browser, the app com.acme.driver is the site of this name.
func (s *sitting) serveApp() {
	s.t.Helper()
	shop, err := url.Parse(s.shop)
	if err != nil {
		s.t.Fatal(err)
	}
	app := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(shop)
		if r.In.URL.Path == "/" {
			r.Out.URL.Path = "/driver"
		}
	}})
	s.t.Cleanup(app.Close)
	s.shell("trailblaze browser path", 0)
	browser := strings.TrimSpace(s.last)
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' \"$@\" --host-resolver-rules='MAP com.acme.driver %s' --ignore-certificate-errors\n",
		browser, app.Listener.Addr())
	path := filepath.Join(s.work, filepath.Base(browser))             // some names say what a browser can do
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil { //nolint:gosec // it is a program
		s.t.Fatal(err)
	}
	s.env = append(s.env, "TRAILBLAZE_BROWSER="+path)
}

// TestSDKPrograms: a program of Go that knows the module alone drives the shop, and the fixtures for pytest and the
// test runners of Node, Bun and Deno give each test a device, which it need not use, and keep what a failed one saw.
func TestSDKPrograms(t *testing.T) {
	t.Parallel()
	dir, python := installed(t)
	s := newSitting(t)
	copyTree(t, filepath.Join("testdata", "sdk", "fixtures"), s.work)
	if err := os.Symlink(filepath.Join(dir, "build", "acme", "node_modules"), filepath.Join(s.work, "node_modules")); err != nil {
		t.Fatal(err)
	}
	lossy := httptest.NewServer(http.HandlerFunc(new(losing).serve))
	t.Cleanup(lossy.Close)
	s.env = append(s.env, "SHOP="+s.shop, "LOSSY="+lossy.URL)
	s.shell(filepath.Join(dir, "go", "acme")+" "+s.shop+"/account", 0)
	s.shell(python+" -m pytest -q test_shop.py --trailblaze-artifacts py-results --junitxml junit.xml", 1)
	if !strings.Contains(s.last, "3 failed, 7 passed") || !strings.Contains(s.last, "Nearest:") ||
		!strings.Contains(s.last, "\nsession ") || !strings.Contains(s.last, "trailblaze.AssertionFailed:") ||
		strings.Contains(s.last, "_commands.py") {
		t.Errorf("pytest: %s", s.last)
	}
	s.kept("py-results/test_shop.py-test_fails")
	each, err := filepath.Glob(filepath.Join(s.work, "py-results", "test_shop.py-test_fails_each-zzz-zzz-*"))
	if err != nil || len(each) != 2 {
		t.Errorf("two tests that differ by a parameter kept %q (%v)", each, err)
	}
	for _, folder := range each {
		s.kept("py-results/" + filepath.Base(folder))
	}
	s.shell("cat junit.xml", 0)
	if !strings.Contains(s.last, `value="py-results/test_shop.py-test_fails/screen.png"`) {
		t.Errorf("JUnit: %s", s.last)
	}
	for _, of := range []struct{ plugin, says string }{
		{"", "1 failed, 3 passed, 1 error"}, {" -p no:asyncio", "2 failed, 2 passed, 1 warning, 1 error"},
	} {
		s.shell(python+" -m pytest -q -W error::ResourceWarning -W error::pytest.PytestUnraisableExceptionWarning"+of.plugin+
			" test_awaits.py --trailblaze-artifacts py-results", 1)
		if !strings.Contains(s.last, of.says) || !strings.Contains(s.last, "others take trailblaze") {
			t.Errorf("pytest%s: %s", of.plugin, s.last)
		}
		if of.plugin == "" {
			s.kept("py-results/test_awaits.py-TestAsyncio-test_fails")
		}
	}
	runtimes := filepath.Join(dir, "runtimes")
	for _, of := range []struct{ runner, says string }{
		{"node --test", "# pass 3\n# fail 3"},
		{filepath.Join(runtimes, "bun") + " test", " 3 pass\n 3 fail"},
		{filepath.Join(runtimes, "deno") + " test -A --no-check", "3 passed | 3 failed"},
	} {
		s.shell(of.runner+" shop.test.mjs other.test.mjs", 1)
		if !strings.Contains(s.last, of.says) || !strings.Contains(s.last, "Nearest:") || !strings.Contains(s.last, ", session ") {
			t.Errorf("%s: %s", of.runner, s.last)
		}
		s.kept("test-results/shop.test.mjs-fails") // of tests of one name, each file has its own
		s.kept("test-results/other.test.mjs-fails")
		s.kept("test-results/other.test.mjs-fails-2") // and so has each suite
	}
	s.runExamples(t, python)
	s.shell("trailblaze session list", 0)
	devices := map[string]bool{}
	for word := range strings.FieldsSeq(s.last) {
		if strings.HasPrefix(word, "web/fails-") {
			devices[word] = true
		}
	}
	if len(devices) != 9 {
		t.Errorf("tests of one name, three of each of three runners, had the devices %v: %s", devices, s.last)
	}
}

// runExamples runs the tests that the guide to the SDKs shows.
func (s *sitting) runExamples(t *testing.T, python string) {
	doc, err := os.ReadFile(filepath.Join("..", "docs", "sdk.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := serveRows(t)
	for head, file := range map[string]string{"# test_rows.py\n": "test_rows.py", "// rows.test.ts\n": "rows.test.mjs"} {
		_, block, _ := strings.Cut(string(doc), head)
		block, _, _ = strings.Cut(block, "\n```")
		block = strings.ReplaceAll(block, "https://rows.example", rows)
		if err := os.WriteFile(filepath.Join(s.work, file), []byte(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.shell(python+" -m pytest -q test_rows.py && node --test rows.test.mjs", 0)
}

// kept expects the screen that a failed test has left in a folder, and takes it away.
func (s *sitting) kept(folder string) {
	s.t.Helper()
	folder = filepath.Join(s.work, filepath.FromSlash(folder))
	for _, name := range []string{"screen.png", "screen.txt"} {
		if i, err := os.Stat(filepath.Join(folder, name)); err != nil || i.Size() == 0 {
			s.t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		s.t.Error(err)
	}
}

// losing is true when the last connection was broken off. Programs connect one after another.
type losing struct{ atomic.Bool }

// serve streams four events. The first connection of a program breaks off within the third, which may take away those
// before it that the program has not read yet; the next one goes on after the last that it has.
func (l *losing) serve(w http.ResponseWriter, r *http.Request) {
	head := make([]byte, 5)
	var asked struct {
		After any // a client may send a number or a text
	}
	if _, err := io.ReadFull(r.Body, head); err != nil || json.NewDecoder(r.Body).Decode(&asked) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/connect+json")
	frame := func(flags byte, text string) []byte {
		return append([]byte{flags, 0, 0, 0, byte(len(text))}, text...)
	}
	l.Store(fmt.Sprint(asked.After) == "0" && !l.Load())
	var out []byte
	for seq := 1; seq <= 4; seq++ {
		if after := fmt.Sprint(asked.After); after == "0" || after < fmt.Sprint(seq) {
			out = append(out, frame(0, fmt.Sprintf(`{"event":{"seq":"%d","type":"note"}}`, seq))...)
		}
		if seq == 3 && l.Load() {
			_, _ = w.Write(out[:len(out)-7])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}
	_, _ = w.Write(append(out, frame(2, "{}")...))
}

// installed are the folder of the projects, and the Python that the wheel is installed in.
func installed(t *testing.T) (dir, python string) {
	t.Helper()
	if *sdkDir == "" {
		t.Skip("`make sdk` installs the SDKs and runs this")
	}
	dir, err := filepath.Abs(*sdkDir)
	if err != nil {
		t.Fatal(err)
	}
	python, err = filepath.Abs(filepath.Join("..", "examples", "acme-python", ".venv", "bin", "python"))
	if err != nil {
		t.Fatal(err)
	}
	return dir, python
}
