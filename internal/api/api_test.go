package api_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/api"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/internal/testtime"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// door is the JSON door over HTTP.
type door struct {
	*testing.T
	rig      *hubtest.Rig
	url      string
	client   *http.Client
	sessions string
}

func open(t *testing.T, o hub.Options, tools ...tool.Tool) *door {
	t.Helper()
	sessions := t.TempDir()
	o.Sessions = sessions
	rig := hubtest.New(t, hubtest.Options{Hub: o, Tools: tools})
	mux := http.NewServeMux()
	api.Routes(mux, api.Options{Hub: rig.Hub, Sessions: sessions, Status: func() any { return map[string]any{"hub": rig.Status()} }})
	srv := httptest.NewUnstartedServer(mux)
	srv.Config.Protocols = new(http.Protocols)
	srv.Config.Protocols.SetHTTP1(true)
	srv.Config.Protocols.SetUnencryptedHTTP2(true)
	srv.Start()
	client := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		srv.CloseClientConnections()
		srv.Close()
	})
	return &door{t, rig, srv.URL, client, sessions}
}

// ask sends a request as any program that speaks HTTP can.
func (d *door) ask(ctx context.Context, method, path, body string, header ...string) *http.Response {
	d.Helper()
	r, err := http.NewRequestWithContext(ctx, method, d.url+path, strings.NewReader(body))
	if err != nil {
		d.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := d.client.Do(r)
	if err != nil {
		d.Fatalf("%s %s: %v", method, path, err)
	}
	return resp
}

// answer is ask for one document.
func (d *door) answer(method, path, body string, header ...string) (int, map[string]any, string) {
	d.Helper()
	resp := d.ask(d.Context(), method, path, body, header...)
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		d.Fatal(err)
	}
	var doc map[string]any
	_ = json.Unmarshal(data, &doc)
	return resp.StatusCode, doc, string(data)
}

func (d *door) body(tool string, more string) string {
	ws, _ := json.Marshal(d.rig.Workspace)
	return `{"client":"curl","workspace":` + string(ws) + `,"tool":"` + tool + `"` + more + `}`
}

// TestMinimalClient is all that a client needs (R231): HTTP and JSON, another transport on the same dispatcher (R228).
func TestMinimalClient(t *testing.T) {
	d := open(t, hub.Options{})
	status, doc, text := d.answer("POST", "/v1/call", d.body("demo_echo", `,"args":{},"intent":"Try it"`))
	if status != 200 || doc["schema"] != "trailblaze.reply/1" || doc["device"] != "web" || doc["session"] == "" || doc["callId"] == "" {
		t.Fatalf("%d %s", status, text)
	}
	id, _ := doc["clientId"].(string)
	if !clients.ValidID(id) {
		t.Errorf("id %q", id)
	}
	if _, again, _ := d.answer("POST", "/v1/call", d.body("demo_echo", `,"clientId":"`+id+`"`)); again["session"] != doc["session"] {
		t.Error("the id does not lead back to the session")
	}
	if status, doc, text = d.answer("POST", "/v1/call", d.body("web_clik", "")); status != 200 || doc["fault"] == nil || doc["result"] != nil || !strings.Contains(text, "web_click") {
		t.Errorf("a tool that is none: %d %s", status, text)
	}
	if status, _, text = d.answer("GET", "/v1/status", ""); status != 200 || !strings.Contains(text, `"web"`) {
		t.Errorf("%d %s", status, text)
	}
	if status, doc, text = d.answer("GET", "/v1/tools", ""); status != 200 || !strings.Contains(text, `"inputSchema"`) || len(doc["tools"].([]any)) < 20 { //nolint:forcetypeassert // panics tell as much
		t.Errorf("%d %.200s", status, text)
	}
}

// TestPage: a program is told which results are the text of a page.
func TestPage(t *testing.T) {
	d := open(t, hub.Options{})
	for tool, want := range map[string]bool{"demo_look": true, "demo_who": false} {
		if _, doc, text := d.answer("POST", "/v1/call", d.body(tool, `,"args":{}`)); doc["result"].(map[string]any)["page"] == true != want {
			t.Errorf("%s: %s", tool, text)
		}
	}
}

// TestStrings: strings from a shell get the types of the tool's schema; all mistakes are reported at once.
func TestStrings(t *testing.T) {
	d := open(t, hub.Options{})
	if _, doc, text := d.answer("POST", "/v1/call", d.body("web_click", `,"strings":["ref=e2","timeoutMs=1500"]`)); doc["fault"] != nil {
		t.Errorf("%s", text)
	}
	_, doc, text := d.answer("POST", "/v1/call", d.body("web_click", `,"strings":["ref=e2","nonsense=1","other=2"]`))
	if doc["fault"] == nil || !strings.Contains(text, "nonsense") || !strings.Contains(text, "other") {
		t.Errorf("%s", text)
	}
}

// TestRefused: every malformed request is answered with what is wrong, and none reaches a device.
func TestRefused(t *testing.T) {
	d := open(t, hub.Options{})
	good := d.body("demo_echo", "")
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		header                   []string
	}{
		{"no body", "POST", "/v1/call", "", 400, []string{"Content-Type", "application/json"}},
		{"as a form, as pages may post", "POST", "/v1/call", good, 400, []string{"Content-Type", "text/plain"}},
		{"not JSON", "POST", "/v1/call", "{", 400, nil},
		{"a list", "POST", "/v1/call", "[]", 400, nil},
		{"two documents", "POST", "/v1/call", good + good, 400, nil},
		{"a field that nobody reads", "POST", "/v1/call", d.body("demo_echo", `,"devise":"web"`), 400, nil},
		{"too large", "POST", "/v1/call", d.body("demo_echo", `,"intent":"`+strings.Repeat("x", 17<<20)+`"`), 400, nil},
		{"a relative workspace", "POST", "/v1/call", `{"workspace":"../x","tool":"demo_echo"}`, 400, nil},
		{"no id", "POST", "/v1/call", d.body("demo_echo", `,"clientId":"../../etc"`), 400, nil},
		{"cancel nothing", "POST", "/v1/cancel", "{}", 400, nil},
		{"a blob that is none", "GET", "/v1/blobs/x/y", "", 404, nil},
		{"a blob above", "GET", "/v1/blobs/..%2f..%2fetc/passwd", "", 404, nil},
		{"the wrong method", "GET", "/v1/call", "", 405, nil},
	} {
		status, doc, text := d.answer(c.method, c.path, c.body, c.header...)
		if status != c.status || c.status != 405 && (doc["error"] == nil || doc["error"].(map[string]any)["message"] == "") { //nolint:forcetypeassert // panics tell as much
			t.Errorf("%s: %d %.300s", c.name, status, text)
		}
	}
	if d.rig.Provider.Device("web") != nil {
		t.Error("one of them opened a device")
	}
}

// wait begins a call that lasts until it is cancelled, and returns when the device has it.
func (d *door) wait(ctx context.Context, tool string) (<-chan string, *http.Response) {
	d.Helper()
	d.answer("POST", "/v1/call", d.body("demo_echo", ""))
	resp := d.ask(ctx, "POST", "/v1/call", d.body(tool, ""), "Accept", "application/x-ndjson")
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		defer func() { _ = resp.Body.Close() }()
		r := bufio.NewScanner(resp.Body)
		for r.Scan() {
			lines <- r.Text()
		}
	}()
	for line := range lines {
		if strings.Contains(line, "heartbeat") {
			return lines, resp
		}
	}
	d.Fatal("there was no heartbeat")
	return nil, nil
}

// TestControlLane: a call that ignores its context blocks neither status nor cancel; its caller reads the reason of
// its end in the last line.
func TestControlLane(t *testing.T) {
	for _, tool := range []string{"demo_wait", "demo_stuck"} {
		d := open(t, hub.Options{Heartbeat: 20 * time.Millisecond})
		lines, _ := d.wait(t.Context(), tool)
		began := time.Now()
		if _, _, text := d.answer("GET", "/v1/status", ""); !strings.Contains(text, `"tool":"`+tool+`"`) {
			t.Errorf("status: %s", text)
		}
		if _, doc, text := d.answer("POST", "/v1/cancel", `{"device":"web","why":"somebody pressed Ctrl-C"}`); doc["canceled"] != 1.0 {
			t.Errorf("cancel: %s", text)
		}
		last := ""
		for line := range lines {
			last = line
		}
		if took := time.Since(began); took > testtime.Within(2*time.Second) {
			t.Errorf("%s took %v to end", tool, took)
		}
		var doc api.Reply
		if err := json.Unmarshal([]byte(last), &doc); err != nil || doc.Fault == nil || doc.Fault.Kind != "canceled" || !strings.Contains(doc.Fault.Message, "Ctrl-C") || doc.Device != "web" {
			t.Errorf("the last line is %s", last)
		}
	}
}

// TestConnectionIsTheCall: a client that goes away ends its call.
func TestConnectionIsTheCall(t *testing.T) {
	d := open(t, hub.Options{Heartbeat: 20 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	lines, _ := d.wait(ctx, "demo_wait")
	cancel()
	for range lines { // until the client has gone
	}
	// The device is free for the next one within its timeout: were the call still there, this would be a conflict.
	if _, doc, text := d.answer("POST", "/v1/call", strings.Replace(d.body("demo_echo", `,"device":"web"`), "curl", "another", 1)); doc["fault"] != nil {
		t.Errorf("%s", text)
	}
}

// TestHubCloses is what SIGTERM does to a call: it is cancelled, its client is told, and its event is on disk.
func TestHubCloses(t *testing.T) {
	d := open(t, hub.Options{Heartbeat: 20 * time.Millisecond})
	lines, _ := d.wait(t.Context(), "demo_wait")
	if err := d.rig.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	last := ""
	for line := range lines {
		last = line
	}
	if !strings.Contains(last, `"canceled"`) {
		t.Errorf("the client was told %s", last)
	}
	dirs, _ := filepath.Glob(filepath.Join(d.sessions, "*", "events.ndjson"))
	found := false
	for _, f := range dirs {
		for e, err := range event.Read(filepath.Dir(f)) {
			if err != nil {
				t.Fatal(err)
			}
			found = found || e.Type == event.ToolCall && e.Call != nil && e.Call.Name == "demo_wait" && e.Call.IsError
		}
	}
	if !found {
		t.Errorf("no event of the call in %v", dirs)
	}
}

// TestBlobs: a blob of a session is read whole or in part; links that lead elsewhere are not followed.
func TestBlobs(t *testing.T) {
	d := open(t, hub.Options{})
	_, doc, _ := d.answer("POST", "/v1/call", d.body("demo_echo", ""))
	id, _ := doc["session"].(string)
	data := bytes.Repeat([]byte("<script>"), 1000)
	name := strings.Repeat("ab", 32)
	dir := filepath.Join(d.sessions, id, event.BlobDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
	resp := d.ask(t.Context(), "GET", "/v1/blobs/"+id+"/"+name, "", "Range", "bytes=0-7")
	part, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if string(part) != "<script>" || resp.StatusCode != http.StatusPartialContent || !strings.Contains(resp.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%d %q %v", resp.StatusCode, part, resp.Header)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := strings.Repeat("cd", 32)
	if err := os.Symlink(secret, filepath.Join(dir, link)); err != nil {
		t.Skip(err)
	}
	if status, _, text := d.answer("GET", "/v1/blobs/"+id+"/"+link, ""); status != 404 || strings.Contains(text, "hunter2") {
		t.Errorf("a link out of the folder: %d %s", status, text)
	}
}
