package mcp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// house is a home and a workspace of their own, so that a test has a daemon of its own, and a served page.
type house struct {
	t    *testing.T
	bin  string
	home string
	work string
	url  string
	env  []string
}

func newHouse(t *testing.T) *house {
	t.Helper()
	root := housetest.Root(t, 0o700, "home", "work/trails")
	h := &house{t: t, home: filepath.Join(root, "home"), work: filepath.Join(root, "work"), bin: filepath.Join(root, "trailblaze")}
	h.env = append(os.Environ(), "TRAILBLAZE_HOME="+h.home, "TRAILBLAZE_PORT=0", "TRAILBLAZE_SECRET_GATE=hunter2", "TRAILBLAZE_CONFIG_DIR=")
	t.Cleanup(h.stop)
	h.write("note.txt", "a note")
	h.write("trails/ground.trail.yaml", "config: {title: Ground, id: ground}\ntrail:\n  - verify: The total\n    recording: {web: [{web_verifyTextVisible: {text: Total 42}}]}\n")
	h.install(current)
	h.url = serve(t)
	return h
}

func (h *house) write(name, text string) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.work, name), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// install puts a build where the clients start it from, as an upgrade does: a new file under the old name.
func (h *house) install(build string) {
	h.t.Helper()
	data, err := os.ReadFile(build)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(h.bin+".new", data, 0o755); err != nil { //nolint:gosec // a program
		h.t.Fatal(err)
	}
	if err := os.Rename(h.bin+".new", h.bin); err != nil {
		h.t.Fatal(err)
	}
}

// stop ends every daemon of the house, and returns when they are gone.
func (h *house) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.bin, "daemon", "stop", "--all")
	cmd.Env, cmd.Dir = h.env, h.work
	if out, err := cmd.CombinedOutput(); err != nil {
		h.t.Logf("daemon stop: %v: %s", err, out)
	}
	for _, pid := range h.daemons() {
		h.end(pid)
	}
}

// end kills a process that is not our child and waits until it is gone. No system tells of that: it is asked again.
func (h *house) end(pid int) {
	p, err := os.FindProcess(pid)
	if err != nil || p.Kill() != nil {
		return
	}
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for range 12_000 { // a minute
		if !proc.Alive(pid) {
			return
		}
		<-again.C
	}
	h.t.Errorf("process %d does not end", pid)
}

// daemons are the process ids of the daemons that wrote where they are.
func (h *house) daemons() []int {
	var out []int
	for _, b := range housetest.Boots(h.home) {
		out = append(out, b.PID)
	}
	return out
}

// kill ends the daemon with no chance to say anything, and returns when it is gone.
func (h *house) kill() {
	h.t.Helper()
	pids := h.daemons()
	if len(pids) != 1 {
		h.t.Fatalf("there are daemons %v, want one", pids)
	}
	h.end(pids[0])
}

// said is what a command gave.
type said struct {
	out, err string
	code     int
	took     time.Duration
}

// command runs the product as a person at a shell does.
func (h *house) command(ctx context.Context, args ...string) said {
	h.t.Helper()
	s := housetest.Run(ctx, h.t, h.bin, h.work, h.env, args...)
	return said{out: s.Out, err: s.Err, code: s.Code, took: s.Took}
}

// client is an agent connected over stdio.
type client struct {
	t       *testing.T
	s       *sdk.ClientSession
	front   *exec.Cmd
	changes atomic.Int32
	changed chan struct{} // one token: tools may have changed
}

// awaitChange returns once more than n changes of the list of tools were announced.
func (c *client) awaitChange(n int32) {
	c.t.Helper()
	timeout := time.After(time.Minute)
	for c.changes.Load() <= n {
		select {
		case <-c.changed:
		case <-timeout:
			c.t.Fatal("no tools/list_changed")
		}
	}
}

// connect starts `trailblaze mcp` as a client does.
func (h *house) connect(args ...string) *client {
	h.t.Helper()
	return h.connectAs("", sdk.ClientOptions{}, args...)
}

// connectAs connects a client that can do more, in one version of the protocol; "" lets the two agree.
func (h *house) connectAs(version string, o sdk.ClientOptions, args ...string) *client {
	h.t.Helper()
	cmd := exec.Command(h.bin, append([]string{"mcp"}, args...)...)
	cmd.Env, cmd.Dir = h.env, h.work
	cmd.Stderr = &logWriter{t: h.t}
	c := h.join(version, o, &sdk.CommandTransport{Command: cmd, TerminateDuration: 2 * time.Second})
	c.front = cmd
	return c
}

// overHTTP connects a client to the daemon that runs.
func (h *house) overHTTP(version string, o sdk.ClientOptions) *client {
	h.t.Helper()
	boot := housetest.TheBoot(h.t, h.home)
	return h.join(version, o, &sdk.StreamableClientTransport{Endpoint: fmt.Sprintf("http://127.0.0.1:%d/mcp", boot.Port),
		MaxRetries: -1, HTTPClient: &http.Client{Transport: headers{h.work, boot.Token, clients.NewID()}}})
}

// headers say who calls.
type headers struct{ work, token, client string }

// RoundTrip implements http.RoundTripper.
func (t headers) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range map[string]string{"Authorization": "Bearer " + t.token, "Trailblaze-Workspace": t.work, "Trailblaze-Client-Id": t.client} {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (h *house) join(version string, o sdk.ClientOptions, by sdk.Transport) *client {
	h.t.Helper()
	c := &client{t: h.t, changed: make(chan struct{}, 1)}
	o.ToolListChangedHandler = func(context.Context, *sdk.ToolListChangedRequest) {
		c.changes.Add(1)
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "e2e", Version: "1"}, &o).
		Connect(ctx, by, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		h.t.Fatalf("connect: %v", err)
	}
	c.s = s
	h.t.Cleanup(func() { _ = s.Close() })
	return c
}

// reply is what a tool call gave.
type reply struct {
	text   string
	failed bool
	device string
	took   time.Duration
	err    error // of the protocol
}

type callOption func(*sdk.CallToolParams)

// on asks for a device.
func on(device string) callOption {
	return func(p *sdk.CallToolParams) {
		p.Meta = sdk.Meta{"trailblaze": map[string]any{"device": device}}
	}
}

// try calls a tool; how it ended is the caller's to judge.
func (c *client) try(ctx context.Context, tool string, args map[string]any, options ...callOption) reply {
	ctx, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	p := &sdk.CallToolParams{Name: tool, Arguments: args}
	for _, o := range options {
		o(p)
	}
	began := time.Now()
	r, err := c.s.CallTool(ctx, p)
	out := reply{took: time.Since(began), err: err}
	if err != nil {
		out.failed, out.text = true, err.Error()
		return out
	}
	out.failed = r.IsError
	var parts []string
	for _, content := range r.Content {
		if t, ok := content.(*sdk.TextContent); ok {
			parts = append(parts, t.Text)
		}
	}
	out.text = strings.Join(parts, "\n")
	if m, ok := r.Meta["trailblaze"].(map[string]any); ok {
		out.device, _ = m["device"].(string)
	}
	return out
}

// call is try for what has to work.
func (c *client) call(tool string, args map[string]any, options ...callOption) reply {
	c.t.Helper()
	r := c.try(c.t.Context(), tool, args, options...)
	if r.failed {
		c.t.Fatalf("%s %v: %s", tool, args, r.text)
	}
	return r
}

// finish waits for the end of the job that a call goes on as, if it does. Where calls become jobs early, any may.
func (c *client) finish(ctx context.Context, r reply) reply {
	job := jobName.FindString(r.text)
	for n := 0; job != "" && n < 5; n++ {
		if r = c.try(ctx, "job", map[string]any{"id": job, "timeoutMs": 45_000}); !strings.Contains(r.text, "running") {
			break
		}
	}
	return r
}

// navigate opens a page on the device web.
func (h *house) navigate(page string) {
	h.t.Helper()
	c := h.connect()
	if r := c.finish(h.t.Context(), c.call("web_navigate", map[string]any{"url": h.url + page})); r.failed || strings.Contains(r.text, "running") {
		h.t.Fatalf("open %s: %s", page, r.text)
	}
}

type logWriter struct{ t *testing.T }

func (w *logWriter) Write(p []byte) (int, error) {
	if w.t.Context().Err() == nil {
		w.t.Logf("stderr: %s", bytes.TrimSpace(p))
	}
	return len(p), nil
}

// serve serves the pages, a file to download and a place for events.
func serve(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServerFS(os.DirFS("pages")))
	mux.HandleFunc("/report.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=report.csv")
		_, _ = io.WriteString(w, "a,b\n1,2\n")
	})
	mux.HandleFunc("/beacon", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}
