package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// door is the API over HTTP.
type door struct {
	*testing.T
	rig      *hubtest.Rig
	url      string
	client   *http.Client
	sessions string
	reports  string
}

func open(t *testing.T, o hub.Options, tools ...tool.Tool) *door {
	t.Helper()
	sessions, reports := t.TempDir(), t.TempDir()
	o.Sessions = sessions
	rig := hubtest.New(t, hubtest.Options{Hub: o, Tools: tools})
	mux := http.NewServeMux()
	agents := api.NewAgents(api.AgentOptions{Hub: rig.Hub, Sessions: sessions})
	api.Routes(mux, api.Options{
		Hub: rig.Hub, Sessions: sessions, Reports: reports, Agents: agents, Status: func() any { return map[string]any{"hub": rig.Status()} },
		Settings: func(root string) (*config.Config, error) {
			return config.Load(config.Sources{Dir: root, Env: func(name string) string { return map[string]string{homedir.Env: reports}[name] }})
		},
	})
	srv := httptest.NewUnstartedServer(mux)
	srv.Config.Protocols = new(http.Protocols)
	srv.Config.Protocols.SetHTTP1(true)
	srv.Config.Protocols.SetUnencryptedHTTP2(true)
	srv.Start()
	client := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
	t.Cleanup(func() {
		_ = agents.Close(context.WithoutCancel(t.Context()))
		client.CloseIdleConnections()
		srv.CloseClientConnections()
		srv.Close()
	})
	return &door{t, rig, srv.URL, client, sessions, reports}
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

// at is where a tool is called by its name.
func (d *door) at(tool string, more ...string) string {
	q := url.Values{"client": {"curl"}, "workspace": {d.rig.Workspace}}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return "/v1/tools/" + tool + "?" + q.Encode()
}

// typed is ToolService, as a program with generated code calls it.
func (d *door) typed() trailblazev1connect.ToolServiceClient {
	return trailblazev1connect.NewToolServiceClient(d.client, d.url)
}

// whole makes a call and gives the whole reply, as the command line reads it.
func (d *door) whole(r *pb.CallToolRequest) *api.Reply {
	d.Helper()
	r.Whole, r.Options = true, &pb.CallOptions{Client: "cli", Workspace: d.rig.Workspace}
	out, err := d.typed().CallTool(d.Context(), r)
	if err != nil {
		d.Fatalf("%s: %v", r.GetName(), err)
	}
	return api.ReplyOf(out)
}

// TestMinimalClient is all that a client needs (R231): HTTP and JSON, another transport on the same dispatcher (R228).
func TestMinimalClient(t *testing.T) {
	d := open(t, hub.Options{})
	status, doc, text := d.answer("POST", d.at("demo_echo", "intent", "Try it"), "{}")
	if status != 200 || doc["schema"] != "trailblaze.reply/1" || doc["device"] != "web" || doc["session"] == "" || doc["callId"] == "" {
		t.Fatalf("%d %s", status, text)
	}
	id, _ := doc["clientId"].(string)
	if !clients.ValidID(id) {
		t.Errorf("id %q", id)
	}
	if _, again, _ := d.answer("POST", d.at("demo_echo", "clientId", id), ""); again["session"] != doc["session"] {
		t.Error("the id does not lead back to the session")
	}
	if status, doc, text = d.answer("POST", d.at("web_clik"), ""); status != 404 || doc["fault"] == nil || doc["result"] != nil ||
		!strings.Contains(text, "web_click") {
		t.Errorf("a tool that is none: %d %s", status, text)
	}
	if status, _, text = d.answer("GET", "/v1/status", ""); status != 200 || !strings.Contains(text, `"web"`) {
		t.Errorf("%d %s", status, text)
	}
	if r, err := d.typed().ListTools(t.Context(), &pb.ListToolsRequest{}); err != nil || len(r.GetTools()) < 20 || r.GetTools()[0].GetInputSchema() == nil {
		t.Errorf("%v %.200v", err, r)
	}
}

// TestWholeReply: a whole reply is the reply that POST /v1/tools/{name} gives, to the letter: values keep the order of
// their keys and every digit, and what a call that could not be carried out is known of stands beside the failure.
func TestWholeReply(t *testing.T) {
	value := json.RawMessage(`{"z":[9007199254740993],"a":{"y":1.50,"b":"<\u0026>"}}`)
	d := open(t, hub.Options{}, tool.Define(tool.Spec{Name: "acme_value", Description: "Gives a value.", Kind: tool.Query},
		func(context.Context, tool.Env, struct{}) (*tool.Result, error) {
			return &tool.Result{Value: value, Content: []tool.Content{
				{Type: "text", Text: "a\xffb"}, {Type: "image", MIME: "image/png", Data: []byte{1}},
			}}, nil
		}), tool.Define(tool.Spec{Name: "acme_none", Description: "Gives nothing.", Kind: tool.Query},
		func(context.Context, tool.Env, struct{}) (*tool.Result, error) { return &tool.Result{}, nil }))
	shape := func(data []byte) map[string]any {
		var doc map[string]any
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		if err := dec.Decode(&doc); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		delete(doc, "callId")
		delete(doc, "durationMs")
		delete(doc, "observation") // what one call has told the next one leaves out
		return doc
	}
	for name, args := range map[string]string{
		"acme_value": `{}`, "acme_none": `{}`, "demo_look": `{}`, "web_click": `{"ref":"e999","timeoutMs":1}`, "web_clik": `{}`, "demo_echo": `{"text":1,"no":2}`,
	} {
		_, _, text := d.answer("POST", d.at(name, "client", "cli"), args)
		whole, err := json.Marshal(d.whole(&pb.CallToolRequest{Name: name, ArgsJson: args}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shape([]byte(text)), shape(whole)); diff != "" {
			t.Errorf("%s (-JSON +whole):\n%s", name, diff)
		}
	}
	if got := d.whole(&pb.CallToolRequest{Name: "acme_value"}); !bytes.Contains(got.Result.Value, []byte(`{"z":[9007199254740993],"a":{"y":1.50,`)) {
		t.Errorf("the value became %s", got.Result.Value)
	}
	if got := d.whole(&pb.CallToolRequest{Name: "acme_value", SessionId: "none"}); got.Result != nil || got.Fault == nil ||
		got.Fault.Kind != "not_found" || got.ClientID == "" {
		t.Errorf("no session: %+v", got)
	}
}

// TestPage: a program is told which results are the text of a page.
func TestPage(t *testing.T) {
	d := open(t, hub.Options{})
	for tool, want := range map[string]bool{"demo_look": true, "demo_who": false} {
		if _, doc, text := d.answer("POST", d.at(tool), "{}"); doc["result"].(map[string]any)["page"] == true != want {
			t.Errorf("%s: %s", tool, text)
		}
		if got := d.whole(&pb.CallToolRequest{Name: tool}); got.Result.Page != want {
			t.Errorf("%s: %+v", tool, got)
		}
	}
}

// TestTexts: words from a shell get the types of the tool's schema; all mistakes are reported at once.
func TestTexts(t *testing.T) {
	d := open(t, hub.Options{})
	if got := d.whole(&pb.CallToolRequest{Name: "web_click", Texts: []string{"ref=e2", "timeoutMs=1500"}}); got.Fault != nil {
		t.Errorf("%+v", got.Fault)
	}
	got := d.whole(&pb.CallToolRequest{Name: "web_click", ArgsJson: `{"ref":"e2"}`, Texts: []string{"nonsense=1", "other=2"}})
	if got.Fault == nil || got.Result != nil || !strings.Contains(got.Fault.Message, "nonsense") || !strings.Contains(got.Fault.Message, "other") {
		t.Errorf("%+v", got.Fault)
	}
}

// TestRefused: every malformed request is answered with what is wrong, and none reaches a device.
func TestRefused(t *testing.T) {
	d := open(t, hub.Options{})
	const typed = "/trailblaze.v1.ToolService/CallTool"
	echo, good := d.at("demo_echo"), `{"name":"demo_echo"}`
	long := strings.Repeat("x", 17<<20)
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		header                   []string
	}{
		{"as a form, as pages may post", "POST", echo, "{}", 400, []string{"Content-Type", "text/plain"}},
		{"not JSON", "POST", echo, "{", 400, nil},
		{"a list", "POST", echo, "[]", 400, nil},
		{"two documents", "POST", echo, "{}{}", 400, nil},
		{"too large", "POST", echo, `{"text":"` + long + `"}`, 400, nil},
		{"a relative workspace", "POST", d.at("demo_echo", "workspace", "../x"), "{}", 400, nil},
		{"no id", "POST", d.at("demo_echo", "clientId", "../../etc"), "{}", 400, nil},
		{"a blob that is none", "GET", "/v1/blobs/x/y", "", 404, nil},
		{"a blob above", "GET", "/v1/blobs/..%2f..%2fetc/passwd", "", 404, nil},
		{"the wrong method", "GET", echo, "", 405, nil},
		{"typed: no tool", "POST", typed, "{}", 400, nil},
		{"typed: no such answer is waited for", "POST", "/trailblaze.v1.AgentService/AnswerQuestion", `{"questionId":"q"}`, 404, nil},
		{"typed: no body", "POST", typed, "", 400, []string{"Content-Type", "application/json"}},
		{"typed: as a form, as pages may post", "POST", typed, good, 415, []string{"Content-Type", "text/plain"}},
		{"typed: not JSON", "POST", typed, "{", 400, nil},
		{"typed: a list", "POST", typed, "[]", 400, nil},
		{"typed: two documents", "POST", typed, good + good, 400, nil},
		{"typed: too large", "POST", typed, `{"name":"demo_echo","argsJson":"` + long + `"}`, 429, nil},
		{"typed: a relative workspace", "POST", typed, `{"name":"demo_echo","options":{"workspace":"../x"}}`, 400, nil},
		{"typed: no id", "POST", typed, `{"name":"demo_echo","options":{"clientId":"../../etc"}}`, 400, nil},
		{"typed: cancel nothing", "POST", "/trailblaze.v1.ToolService/CancelCalls", "{}", 400, nil},
		{"typed: the wrong method", "GET", typed, "", 405, nil},
		{"the door of old", "POST", "/v1/call", good, 404, nil},
		{"a query that nothing reads", "POST", d.at("demo_echo", "devise", "web"), "{}", 400, nil},
		{"a route that is not there", "GET", "/v1/tools", "", 404, nil},
		{"typed: a service that is not there", "POST", "/trailblaze.v1.WebCommand/Click", "{}", 404, nil},
		{"typed: a value of another type", "POST", typed, `{"name":3}`, 400, nil},
		{"typed: the same of a command", "POST", "/trailblaze.v1.WebCommands/Click", `{"selector":3}`, 400, nil},
	} {
		status, doc, text := d.answer(c.method, c.path, c.body, c.header...)
		said, _ := doc["error"].(map[string]any)
		bare := c.name == "typed: the wrong method" || status == 415
		if strings.Contains(text, "unmarshal into") || strings.Contains(text, "lstat") {
			t.Errorf("%s: words of a library: %s", c.name, text)
		}
		if status != c.status || !bare && said["message"] == nil && doc["message"] == nil {
			t.Errorf("%s: %d %.300s", c.name, status, text)
		}
		if hint, _ := said["hint"].(string); said != nil && hint == "" || doc["details"] != nil && !strings.Contains(text, `"hint":"`) {
			t.Errorf("%s: no advice: %.300s", c.name, text)
		}
	}
	if d.rig.Provider.Device("web") != nil {
		t.Error("one of them opened a device")
	}
}

// wait begins a call that lasts until it is cancelled, and returns when the device has it.
func (d *door) wait(ctx context.Context, tool string) *connect.ServerStreamForClient[pb.WatchToolResponse] {
	d.Helper()
	d.whole(&pb.CallToolRequest{Name: "demo_echo"})
	s, err := d.typed().WatchTool(ctx, &pb.WatchToolRequest{Call: &pb.CallToolRequest{
		Name: tool, Whole: true, Options: &pb.CallOptions{Client: "cli", Workspace: d.rig.Workspace},
	}})
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { _ = s.Close() })
	for s.Receive() {
		if s.Msg().GetProgress().GetEvent() == "heartbeat" {
			return s
		}
	}
	d.Fatalf("there was no heartbeat: %v", s.Err())
	return nil
}

// last is the reply that ends a stream.
func (d *door) last(s *connect.ServerStreamForClient[pb.WatchToolResponse]) *api.Reply {
	d.Helper()
	for s.Receive() {
		if r := s.Msg().GetResult(); r != nil {
			return api.ReplyOf(r)
		}
	}
	d.Fatalf("there was no result: %v", s.Err())
	return nil
}

// TestControlLane: a call that ignores its context blocks neither status nor cancel; its caller reads the reason of
// its end, and where it ran.
func TestControlLane(t *testing.T) {
	for _, tool := range []string{"demo_wait", "demo_stuck"} {
		d := open(t, hub.Options{Heartbeat: 20 * time.Millisecond})
		s := d.wait(t.Context(), tool)
		began := time.Now()
		if _, _, text := d.answer("GET", "/v1/status", ""); !strings.Contains(text, `"tool":"`+tool+`"`) {
			t.Errorf("status: %s", text)
		}
		r, err := d.typed().CancelCalls(t.Context(), &pb.CancelCallsRequest{DeviceId: "web", Why: "somebody pressed Ctrl-C"})
		if err != nil || r.GetCanceled() != 1 {
			t.Errorf("cancel: %v %v", r, err)
		}
		reply := d.last(s)
		if took := time.Since(began); took > testtime.Within(2*time.Second) {
			t.Errorf("%s took %v to end", tool, took)
		}
		if reply.Fault == nil || reply.Fault.Kind != "canceled" || !strings.Contains(reply.Fault.Message, "Ctrl-C") || reply.Device != "web" {
			t.Errorf("the reply is %+v", reply)
		}
	}
}

// TestConnectionIsTheCall: a client that goes away ends its call.
func TestConnectionIsTheCall(t *testing.T) {
	d := open(t, hub.Options{Heartbeat: 20 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	s := d.wait(ctx, "demo_wait")
	cancel()
	for s.Receive() { // until the client has gone
	}
	// The device is free for the next one within its timeout: were the call still there, this would be a conflict.
	if _, doc, text := d.answer("POST", d.at("demo_echo", "device", "web", "client", "another"), ""); doc["fault"] != nil {
		t.Errorf("%s", text)
	}
}

// TestHubCloses is what SIGTERM does to a call: it is cancelled, its client is told, and its event is on disk.
func TestHubCloses(t *testing.T) {
	d := open(t, hub.Options{Heartbeat: 20 * time.Millisecond})
	s := d.wait(t.Context(), "demo_wait")
	if err := d.rig.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	if reply := d.last(s); reply.Fault == nil || reply.Fault.Kind != "canceled" {
		t.Errorf("the client was told %+v", reply)
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
	id := d.whole(&pb.CallToolRequest{Name: "demo_echo"}).Session
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
