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
	*housetest.Home
	url string
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{Home: housetest.NewHome(t, "", "TRAILBLAZE_SECRET_GATE=hunter2")}
	h.Binary = filepath.Join(filepath.Dir(h.Dir), "trailblaze")
	t.Cleanup(h.stop)
	h.Write("note.txt", "a note")
	h.Write("trails/ground.trail.yaml",
		"config: {title: Ground, id: ground}\ntrail:\n  - verify: The total\n    recording: {web: [{web_verifyTextVisible: {text: Total 42}}]}\n")
	h.install(current)
	h.url = serve(t)
	return h
}

// install puts a build where the clients start it from, as an upgrade does: a new file under the old name.
func (h *house) install(build string) {
	h.T.Helper()
	data, err := os.ReadFile(build)
	if err != nil {
		h.T.Fatal(err)
	}
	if err := os.WriteFile(h.Binary+".new", data, 0o755); err != nil { //nolint:gosec // a program
		h.T.Fatal(err)
	}
	if err := os.Rename(h.Binary+".new", h.Binary); err != nil {
		h.T.Fatal(err)
	}
}

// stop ends every daemon of the house, and returns when they are gone.
func (h *house) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.Binary, "daemon", "stop", "--all")
	cmd.Env, cmd.Dir = h.Env, h.Work
	if out, err := cmd.CombinedOutput(); err != nil {
		h.T.Logf("daemon stop: %v: %s", err, out)
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
	h.T.Errorf("process %d does not end", pid)
}

// daemons are the process ids of the daemons that wrote where they are.
func (h *house) daemons() []int {
	var out []int
	for _, b := range housetest.Boots(h.Dir) {
		out = append(out, b.PID)
	}
	return out
}

// kill ends the daemon with no chance to say anything, and returns when it is gone.
func (h *house) kill() {
	h.T.Helper()
	pids := h.daemons()
	if len(pids) != 1 {
		h.T.Fatalf("there are daemons %v, want one", pids)
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
	h.T.Helper()
	s := housetest.Run(ctx, h.T, h.Binary, h.Work, h.Env, args...)
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
	h.T.Helper()
	return h.connectAs("", sdk.ClientOptions{}, args...)
}

// connectAs connects a client that can do more, in one version of the protocol; "" lets the two agree.
func (h *house) connectAs(version string, o sdk.ClientOptions, args ...string) *client {
	h.T.Helper()
	cmd := exec.Command(h.Binary, append([]string{"mcp"}, args...)...)
	cmd.Env, cmd.Dir = h.Env, h.Work
	cmd.Stderr = &logWriter{t: h.T}
	c := h.join(version, o, &sdk.CommandTransport{Command: cmd, TerminateDuration: 2 * time.Second})
	c.front = cmd
	return c
}

// overHTTP connects a client to the daemon that runs.
func (h *house) overHTTP(version string, o sdk.ClientOptions) *client {
	h.T.Helper()
	boot := housetest.TheBoot(h.T, h.Dir)
	return h.join(version, o, &sdk.StreamableClientTransport{Endpoint: fmt.Sprintf("http://127.0.0.1:%d/mcp", boot.Port),
		MaxRetries: -1, HTTPClient: &http.Client{Transport: headers{h.Work, boot.Token, clients.NewID()}}})
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
	h.T.Helper()
	c := &client{t: h.T, changed: make(chan struct{}, 1)}
	o.ToolListChangedHandler = func(context.Context, *sdk.ToolListChangedRequest) {
		c.changes.Add(1)
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
	ctx, cancel := context.WithTimeout(h.T.Context(), time.Minute)
	defer cancel()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "e2e", Version: "1"}, &o).
		Connect(ctx, by, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		h.T.Fatalf("connect: %v", err)
	}
	c.s = s
	h.T.Cleanup(func() { _ = s.Close() })
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
	h.T.Helper()
	c := h.connect()
	if r := c.finish(h.T.Context(), c.call("web_navigate", map[string]any{"url": h.url + page})); r.failed || strings.Contains(r.text, "running") {
		h.T.Fatalf("open %s: %s", page, r.text)
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
