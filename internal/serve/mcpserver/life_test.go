package mcpserver

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}` +
	`,"clientInfo":{"name":"raw","version":"1"}}}`

// post sends one message and gives the status, the headers and the body.
func (r *rig) post(body string, header ...string) (int, http.Header, string) {
	r.t.Helper()
	return r.send(http.MethodPost, body, header...)
}

func (r *rig) send(method, body string, header ...string) (int, http.Header, string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, r.url, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := r.http.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close() // only read from
	data, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(data)
}

// R212, R198: the id of a session that has gone is answered with 404; initialize with it is welcome and finds the
// settings.
func TestR212StaleSession(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	status, header, _ := r.post(initialize)
	id := header.Get(headerSession)
	if status != http.StatusOK || id == "" {
		t.Fatalf("initialize: %d, session %q", status, id)
	}
	hubClient, ok := r.Lookup(clientIDIn(id))
	if !ok {
		t.Fatalf("no client behind %q", id)
	}
	change(t, hubClient, func(st *clients.State) { st.Verbosity = toolset.Full })

	r.Crash() // the daemon dies: another hub on the same home, another MCP server
	r.serve()
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	if status, _, body := r.post(list, headerSession, id); status != http.StatusNotFound || !strings.Contains(body, "initialize") {
		t.Errorf("tools/list with a stale id: %d %s", status, body)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if status, _, _ := r.send(method, "", headerSession, id); status != http.StatusNotFound {
			t.Errorf("%s with a stale id: %d, want 404", method, status)
		}
	}
	status, header, body := r.post(initialize, headerSession, id)
	fresh := header.Get(headerSession)
	if status != http.StatusOK || fresh == "" || fresh == id {
		t.Fatalf("initialize with a stale id: %d, session %q: %s", status, fresh, body)
	}
	if clientIDIn(fresh) != clientIDIn(id) {
		t.Errorf("the hubClient changed from %s to %s", clientIDIn(id), clientIDIn(fresh))
	}
	again, ok := r.Lookup(clientIDIn(fresh))
	if !ok || again.State().Verbosity != toolset.Full {
		t.Error("the settings are lost")
	}
	if status, _, _ := r.post(list, headerSession, fresh); status != http.StatusOK {
		t.Errorf("tools/list in the fresh session: %d", status)
	}
	for _, made := range []string{"nonsense", "tb_.x", "../../etc/passwd", strings.Repeat("x", 5000)} {
		if status, header, _ := r.post(initialize, headerSession, made); status != http.StatusOK || header.Get(headerSession) == made {
			t.Errorf("initialize with the id %.20q: %d", made, status)
		}
	}
}

// A client whose line breaks after the headers of its initialize has a session, and can use it.
func TestInitializeOutlivesItsRequest(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	refuseEnded, hangUp := context.WithCancel(t.Context())
	hangUp()
	req := httptest.NewRequestWithContext(refuseEnded, http.MethodPost, "/mcp", strings.NewReader(initialize))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res := httptest.NewRecorder()
	r.mcp.ServeHTTP(res, req)
	id := res.Header().Get(headerSession)
	if res.Code != http.StatusOK || id == "" {
		t.Fatalf("initialize: %d, session %q: %s", res.Code, id, res.Body)
	}
	if status, _, body := r.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, headerSession, id); status != http.StatusAccepted {
		t.Errorf("initialized: %d %s, want 202", status, body)
	}
}

// start starts a call that lasts, on an open device.
func (r *rig) start(ctx context.Context, c *client) <-chan error {
	r.t.Helper()
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "demo_block", Arguments: json.RawMessage(`{}`)})
		done <- err
	}()
	waittest.Await(r.t, r.entered, "the call to begin")
	return done
}

// R210, R218: whoever ends it, and however, the run ends within a second and the device is usable.
func TestR210EverythingEndsTheSameRun(t *testing.T) {
	ways := map[string]func(t *testing.T, r *rig, c *client, cancel context.CancelFunc){
		"the client cancels": func(_ *testing.T, _ *rig, _ *client, cancel context.CancelFunc) { cancel() },
		"the daemon's control lane": func(t *testing.T, r *rig, _ *client, _ context.CancelFunc) {
			if n := r.Cancel(calls.CancelRequest{All: true}); n != 1 {
				t.Errorf("cancelled %d calls", n)
			}
		},
		"the client deletes its session": func(t *testing.T, r *rig, c *client, _ context.CancelFunc) {
			if status, _, _ := r.send(http.MethodDelete, "", headerSession, c.ID()); status != http.StatusNoContent {
				t.Errorf("DELETE: %d", status)
			}
			if status, _, _ := r.post(`{"jsonrpc":"2.0","id":2,"method":"ping"}`, headerSession, c.ID()); status != http.StatusNotFound {
				t.Errorf("after DELETE: %d, want 404", status)
			}
		},
		"the line breaks":      func(_ *testing.T, _ *rig, c *client, _ context.CancelFunc) { c.hangUp() },
		"the server is closed": func(t *testing.T, r *rig, _ *client, _ context.CancelFunc) { _ = r.mcp.Close(t.Context()) },
	}
	for _, kind := range []string{"with sessions", "without sessions", "lines"} {
		for name, end := range ways {
			if (name == "the line breaks") != (kind == "lines") && name == "the line breaks" || strings.Contains(name, "deletes") && kind != "with sessions" {
				continue
			}
			t.Run(kind+", "+name, func(t *testing.T) {
				r := newRig(t, hubtest.Options{})
				var c *client
				switch kind {
				case "lines":
					c = r.attach(r.Client("mcp", ""), legacy, mcp.ClientOptions{})
				case "with sessions":
					c = r.connect(legacy, mcp.ClientOptions{})
				default:
					c = r.connect("", mcp.ClientOptions{})
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				done := r.start(ctx, c)
				began := time.Now()
				end(t, r, c, cancel)
				waittest.Await(t, r.left, "the run to end")
				if took := time.Since(began); took > testtime.Within(time.Second) {
					t.Errorf("the run went on for %v", took)
				}
				waittest.Await(t, done, "the client to be answered")
				r.Must(r.Client("cli", ""), "web", "demo_echo", `{"text":"usable"}`)
			})
		}
	}
}

// R209: with a token a call that lasts gives signs of life whose numbers only grow; without one nothing comes unasked.
func TestR209Progress(t *testing.T) {
	for _, version := range []string{legacy, ""} {
		t.Run(version, func(t *testing.T) {
			r := newRig(t, hubtest.Options{Hub: hub.Options{Heartbeat: 20 * time.Millisecond}})
			c := r.connect(version, mcp.ClientOptions{})
			c.must("demo_echo", `{"text":"open"}`)
			release := r.Provider.Device("web").Hold()
			done := make(chan struct{})
			go func() {
				defer close(done)
				p := &mcp.CallToolParams{Name: "web_click", Arguments: json.RawMessage(`{"ref":"e2"}`)}
				if version == "" {
					p.Meta = mcp.Meta{metaKey: map[string]any{"device": "web"}}
				}
				p.SetProgressToken("tok")
				if _, err := c.CallTool(c.ctx(), p); err != nil {
					t.Error(err)
				}
			}()
			last := -1.0
			for range 4 {
				p := waittest.Await(t, c.progress, "a sign of life")
				if p.ProgressToken != "tok" || p.Progress <= last || p.Message == "" {
					t.Errorf("after %v came %+v", last, p)
				}
				last = p.Progress
			}
			release()
			waittest.Await(t, done, "the call ends")
		})
	}
	t.Run("without a token", func(t *testing.T) {
		r := newRig(t, hubtest.Options{Hub: hub.Options{Heartbeat: 5 * time.Millisecond}})
		c := r.connect(legacy, mcp.ClientOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := r.start(ctx, c)
		defer time.AfterFunc(100*time.Millisecond, cancel).Stop() // twenty heartbeats after it began
		waittest.Await(t, done, "the call to end")
		if len(c.progress) > 0 {
			t.Errorf("came unasked: %+v", <-c.progress)
		}
	})
}

// A call that lasts longer than clients wait becomes a job.
func TestLongCallBecomesAJob(t *testing.T) {
	job := tool.Define(tool.Spec{Name: "job", Description: "Waits for a job.", Kind: tool.Query, ExposedToLLM: true, NeedsModel: true},
		func(context.Context, tool.Env, struct{}) (string, error) { return "", nil })
	r := newRig(t, hubtest.Options{Tools: []tool.Tool{job}, Hub: hub.Options{JobAfter: 30 * time.Millisecond}})
	c := r.connect(legacy, mcp.ClientOptions{})
	if slices.Contains(c.names(), "job") {
		t.Fatal("job is listed before there is one")
	}
	res := c.try("demo_stuck", `{}`)
	m := metaOf(t, res.Meta)
	id, _ := m["job"].(string)
	if res.IsError || id == "" || !strings.Contains(text(res), id) {
		t.Fatalf("isError %v, _meta %v: %s", res.IsError, m, text(res))
	}
	if got, ok := res.StructuredContent.(map[string]any); !ok || got["job"] != id {
		t.Errorf("structured content: %v", res.StructuredContent)
	}
	wantChange(t, c, "tools")
	if !slices.Contains(c.names(), "job") {
		t.Error("the job tool is not listed when it is needed")
	}
	r.Free()
	rep, _, err := r.Job(t.Context(), id, true, nil)
	if err != nil || rep.Result.Text() != "done" {
		t.Errorf("the job's result: %v, %v", rep, err)
	}
}

func TestGaugeOnlyGrows(t *testing.T) {
	var g progressCounter
	last := -1.0
	for _, p := range []*pb.Progress{
		{ElapsedMs: 3000}, {ElapsedMs: 3000}, {ElapsedMs: 1000},
		{Step: 1, Total: 5}, {Step: 4, Total: 5}, {Step: 4, Total: 5}, {ElapsedMs: 9000}, {Step: 2, Total: 5}, {Step: 5, Total: 5},
	} {
		at, total := g.next(p)
		if at <= last {
			t.Errorf("%+v: %v after %v", p, at, last)
		}
		if total > 0 && at > total {
			t.Errorf("%+v: %v of %v", p, at, total)
		}
		last = at
	}
}
