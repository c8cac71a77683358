package extern_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/memory"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// R80–R84, R87, R142, R143, R147, R229, R259–R261: both envelopes of a call hold what is decided, in one spelling, and never a
// secret.
func TestEnvelope(t *testing.T) {
	r := start(t, acme(""))
	r.mem.Set("sku", "mug")
	r.mem.SetSecret("password", "hunter2-of-ann")
	r.mem.Set("note", "her password is hunter2-of-ann")
	out := r.must("acme_echo", `{"x":1}`)
	meta, _ := out["meta"].(map[string]any)
	args, _ := out["args"].(map[string]any)
	tb, _ := meta["trailblaze"].(map[string]any)
	if id, _ := tb["invocationId"].(string); id == "" || meta["trailblazeInvocationId"] != id {
		t.Errorf("invocation ids: %v %v", meta["trailblazeInvocationId"], tb["invocationId"])
	}
	if tb["baseUrl"] != r.back.URL() || tb["sessionId"] != r.s.ID {
		t.Errorf("baseUrl %v, sessionId %v", tb["baseUrl"], tb["sessionId"])
	}
	info := r.s.Device.Info()
	w, h := float64(info.Width), float64(info.Height)
	memory := map[string]any{"sku": "mug"}
	if d := cmp.Diff(map[string]any{
		"id": info.ID, "platform": "web", "width": w, "height": h, "widthPixels": w, "heightPixels": h,
		"driverType": strings.ToLower(strings.ReplaceAll(info.Driver, "_", "-")),
	}, tb["device"]); d != "" {
		t.Errorf("device (-want +got):\n%s", d)
	}
	if d := cmp.Diff(memory, tb["memory"]); d != "" {
		t.Errorf("memory (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string]any{"sampling": false}, tb["capabilities"]); d != "" {
		t.Errorf("R141: capabilities (-want +got):\n%s", d)
	}
	if err := protojson.Unmarshal([]byte(quoted(tb)), &pb.CallContext{}); err != nil {
		t.Errorf("the contract does not know all of the envelope: %v", err)
	}
	legacy, _ := args["_trailblazeContext"].(map[string]any)
	if len(legacy) != 2 || cmp.Diff(memory, legacy["memory"]) != "" || legacy["device"] == nil {
		t.Errorf("R142: the legacy context is exactly {memory, device}: %v", legacy)
	}
	if _, ok := args["_trailblaze"]; ok || args["x"] != 1.0 {
		t.Errorf("R84: arguments %v", args)
	}
	if strings.Contains(quoted(out), "hunter2") {
		t.Errorf("a secret left: %v", out)
	}
}

// A secret goes to another process only in an argument that is declared to hold one.
func TestSecretArguments(t *testing.T) {
	declared := acme("schemas,registry")
	declared.Secrets = []string{"pin"}
	r := start(t, declared)
	r.mem.SetSecret("password", "hunter2-of-ann")
	err := r.fails("acme_echo", `{"text":"{{password}}"}`, "argument text", "password")
	if fault.KindOf(err) != fault.Denied || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%s: %v", fault.KindOf(err), err)
	}
	r.fails("acme_echo", `{"deep":[{"er":"so hunter2-of-ann it is"}]}`, "argument deep")
	r.must("acme_pass", `{"user":"ann","password":"{{password}}"}`)
	r.fails("acme_pass", `{"user":"{{password}}"}`, "argument user")
	r.must("acme_slow", `{"token":"{{password}}"}`)
	r.must("acme_echo", `{"pin":"{{password}}"}`)
	for _, c := range r.calls() {
		if raw, _ := json.Marshal(c); strings.Contains(string(raw), "hunter2") {
			t.Errorf("the log holds the secret: %s", raw)
		}
	}
}

// R253, R254, R113, R117, R123: what a result says of itself.
func TestResults(t *testing.T) {
	r := start(t, acme(""))
	result := func(res string) string { return `{"result":` + res + `}` }
	said := func(dict string) string {
		raw, _ := json.Marshal(dict)
		return result(`{"content":[{"type":"text","text":` + string(raw) + `}]}`)
	}
	if out := r.must("acme_result", said(`{"success": true, "id": 7}`)); out["id"] != 7.0 {
		t.Errorf("%v", out)
	}
	r.fails("acme_result", said(`{"success": false, "error": "captcha"}`), "captcha")
	res, err := r.call("acme_result", said(`{"success": false, "error": "captcha", "retry": true}`))
	if err != nil || !res.IsError || !strings.Contains(string(res.Value), `"retry": true`) {
		t.Errorf("R254: %+v %v", res, err)
	}
	r.fails("acme_result", result(`{"isError":true,"content":[{"type":"text","text":"no such customer"}]}`), "no such customer")
	click := `{"tool":"web_click","args":{"ref":"e1"}}`
	res, err = r.call("acme_result", said(`{"success": true, "_trailblaze_delegates": [`+click+`,`+click+`]}`))
	if err != nil || res.IsError || len(res.Made) != 2 {
		t.Errorf("R113: %+v %v", res, err)
	}
	if err == nil && !res.Unfold {
		t.Error("the delegates of a tool without an entry in the registry are not what is recorded")
	}
	r.fails("acme_result", said(`{"_trailblaze_delegates": [`+click+`, {"tool":"web_clik","args":{}}]}`),
		"delegate 2 of 2", "web_clik")
	r.fails("acme_result", said(`{"_trailblaze_delegates": {"tool":"web_click"}}`), "is not a list")
	r.fails("acme_result", said(`{"_trailblaze_delegates": [{"args":{}}]}`), "names no tool")
	r.mem.Set("sku", "mug")
	r.must("acme_result", result(`{"content":[],"_meta":{"progressToken":7,"acme/cost":{"usd":1},
		"trailblaze":{"memoryDelta":{"order":"A7"},"memoryDeletions":["sku"]}}}`))
	if names := fmt.Sprint(r.mem.Names()); names != "[order]" {
		t.Errorf("R145: memory has %s", names)
	}
	if v, _ := r.mem.Get("order"); v != "A7" {
		t.Errorf("R145: order is %v", v)
	}
	r.must("acme_result", result(`{"content":[{"type":"resource_link","name":"log","uri":"file:///x"},
		{"type":"resource","resource":{"uri":"file:///x","text":"hello"}},{"type":"image","data":"AAAA","mimeType":"image/png"}]}`))
}

// An action of a server that shows nothing of what it did is no pass: it may have done nothing. What counts is a call that it made,
// what it had the session remember, and that it says that it acts on something of its own. A query needs nothing of the kind.
func TestActionThatDidNothing(t *testing.T) {
	r := start(t, acme("registry"))
	said := `{"result":{"content":[{"type":"text","text":"{\"success\": true}"}]}}`
	keeps := func(meta string) string { return `{"result":{"content":[],"_meta":{"trailblaze":{` + meta + `}}}}` }
	for _, tt := range []struct{ name, tool, args, none, says string }{
		{"says that it worked", "acme_result", said, "", "declare effect: external for it in MCP server acme"},
		{"says nothing", "acme_echo", `{}`, "", "left no evidence"},
		{"forgets what nobody knew", "acme_result", keeps(`"memoryDelta":{},"memoryDeletions":["sku"]`), "", "left no evidence"},
		{"remembers", "acme_result", keeps(`"memoryDelta":{"code":"12","a":1}`), "the tool remembered a, remembered code", ""},
		{"forgets", "acme_result", keeps(`"memoryDeletions":["code"]`), "the tool forgot code", ""},
		{"acts on its own, says the registry", "acme_ledger", `{}`, "the MCP server acme says that it acted on something of its own", ""},
		{"acts on its own, says its _meta", "acme_ledger2", `{}`, "the MCP server acme says that it acted on something of its own", ""},
		{"has an effect that there is not", "acme_off", `{}`, "", "left no evidence"},
		{"looks", "acme_slow", `{}`, "", ""},
		{"makes a call", "acme_back", `{"tool":"web_click","args":{"ref":"e1"}}`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := r.call(tt.tool, tt.args)
			if err != nil || res.IsError {
				t.Fatalf("%+v %v", res, err)
			}
			none := ""
			if res.Evidence != nil {
				none = res.Evidence.None
			}
			call := tool.Call{Name: tt.tool, Args: json.RawMessage(tt.args)}
			err = evidence.New(nil, r.d.Registry()).Call(t.Context(), trail.Recorded{Call: call}, res, nil)
			if none != tt.none || (err != nil) != (tt.says != "") {
				t.Errorf("evidence %q, verdict %v", none, err)
			}
			if tt.says != "" && (fault.KindOf(err) != fault.Degraded || !strings.Contains(err.Error()+fault.HintOf(err), tt.says)) {
				t.Errorf("verdict %v (%s), want it to say %q", err, fault.HintOf(err), tt.says)
			}
		})
	}
	if text := r.problems()["acme_off"]; !strings.Contains(text, `has the effect "elsewhere", which there is not`) {
		t.Errorf("problems: %q", text)
	}
}

// A ref of a snapshot that a tool of a server hands on to its own calls is recorded as the name of the element; a text that looks like
// one stays.
func TestRefsAreRecordedAsNames(t *testing.T) {
	r := start(t, acme(""))
	r.must("acme_back", `{"tool":"web_click","args":{"ref":"[e1]"},"all":["e1",{"code":"e2"}]}`)
	calls := r.calls()
	got := string(calls[len(calls)-1].Recorded.Args)
	if want := `{"tool":"web_click","args":{"ref":"button \"Buy\""},"all":["button \"Buy\"",{"code":"e2"}]}`; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
}

// R71, R89: a process that does not say which call it calls back from gets one call at a time, once that is known; R120: but
// a call that another set off goes past it, or both would wait for ever.
func TestOneCallAtATime(t *testing.T) {
	r := start(t, acme("reads"))
	most := func() float64 { return r.overlap(r.s, r.s, r.s, r.s) }
	if n := most(); n < 2 {
		t.Errorf("at most %v calls of a server that has not called back were in flight", n)
	}
	click := `{"tool":"web_click","args":{"ref":"e1"}`
	r.must("acme_back", click+`}`)
	if n := most(); n < 2 {
		t.Errorf("at most %v calls of a server that names its call were in flight", n)
	}
	ready := filepath.Join(t.TempDir(), "ready")
	var wg sync.WaitGroup
	wg.Go(func() { r.must("acme_wait", `{"ms":300,"started":"`+ready+`"}`) })
	waitForFile(t, ready)
	out := r.must("acme_back", click+`,"nameless":true}`) // it waits until it can be told whose callback it is
	if got, _ := out["got"].(map[string]any); got["success"] != true {
		t.Errorf("R85: %v", out)
	}
	waittest.Join(t, wg.Wait, "all calls are answered")
	if n := most(); n != 1 {
		t.Errorf("%v calls of a server that does not name its call were in flight", n)
	}
	out = r.must("acme_back", `{"tool":"acme_say","args":{"text":"inner"}}`)
	if got, _ := out["got"].(map[string]any); got["textContent"] != "inner" {
		t.Errorf("R120: %v", out)
	}
}

// Of two calls that both call back without saying which of them it is, one is told so, and the other is served after it.
func TestBothCallBack(t *testing.T) {
	r := start(t, acme("reads"))
	together := filepath.Join(t.TempDir(), "together")
	var wg sync.WaitGroup
	var refused, served atomic.Int32
	for i := range 2 {
		wg.Go(func() {
			res, err := r.call("acme_back", fmt.Sprintf(`{"tool":"acme_say","args":{"text":"hello"},"nameless":true,"with":%q,"number":%d}`, together, i))
			switch {
			case err != nil:
				t.Error(err)
			case strings.Contains(res.Text(), "2 calls of this server are in flight"):
				refused.Add(1)
			case strings.Contains(res.Text(), `"textContent":"hello"`):
				served.Add(1)
			}
		})
	}
	waittest.Join(t, wg.Wait, "both calls are answered")
	if refused.Load() != 1 || served.Load() != 1 {
		t.Errorf("%d refused, %d served", refused.Load(), served.Load())
	}
}

// What a server says of the progress of a call is told to those who wait for that call, and to nobody else.
func TestProgressOfItsOwnCall(t *testing.T) {
	told, together := make(chan string, 9), filepath.Join(t.TempDir(), "together")
	r := startWith(t, options{servers: []source.Server{acme("reads")}, change: func(o *source.Options) {
		o.Report = func(ctx context.Context, message string, done, total int) {
			told <- fmt.Sprint(ctx.Value(whose{}), " ", message, " ", done, " of ", total)
			if err := os.WriteFile(together+message[:1], nil, 0o600); err != nil {
				t.Error(err)
			}
		}
	}})
	r.mem.SetSecret("password", "hunter2-of-ann")
	var wg sync.WaitGroup
	for _, name := range []string{"ann", "robin"} {
		wg.Go(func() {
			args := fmt.Sprintf(`{"name":%q,"with":%q}`, name, together)
			ctx := context.WithValue(t.Context(), whose{}, name)
			if res, err := r.d.Call(ctx, r.s, dispatch.CLI, tool.Call{Name: "acme_steps", Args: json.RawMessage(args)}); err != nil || res.IsError {
				t.Errorf("%v %v", res, err)
			}
		})
	}
	waittest.Join(t, wg.Wait, "both calls are answered")
	got := []string{waittest.Await(t, told, "a report"), waittest.Await(t, told, "another")}
	slices.Sort(got)
	if want := []string{"ann ann has •••••• 1 of 3", "robin robin has •••••• 1 of 3"}; !slices.Equal(got, want) || len(told) > 0 {
		t.Errorf("told %v and %d more, want %v", got, len(told), want)
	}
}

// overlap makes a call in each of these sessions at once, and says how many were in flight in one process at most.
func (r *rig) overlap(in ...*session.Session) (most float64) {
	r.Helper()
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, s := range in {
		wg.Go(func() {
			res, err := r.in(s, "acme_wait", `{"ms":200}`)
			if err != nil || res.IsError {
				r.Errorf("%v %v", res, err)
				return
			}
			var v struct{ InFlight float64 }
			_ = json.Unmarshal(res.Value, &v)
			mu.Lock()
			defer mu.Unlock()
			most = max(most, v.InFlight)
		})
	}
	waittest.Join(r.TB, wg.Wait, "all calls are answered")
	return most
}

// R72, R73, R74, R75: when the calls of two devices meet, the server is started once for HTTP, and its calls overlap.
func TestSecondDevice(t *testing.T) {
	r := start(t, acme(""))
	first := r.must("acme_echo", `{}`)
	if first["overHTTP"] == true {
		t.Fatal("R70: one device is spoken to over stdio")
	}
	other := r.session(memory.New(), "other")
	ready := filepath.Join(t.TempDir(), "ready")
	var wg sync.WaitGroup
	long := testtime.Within(300 * time.Millisecond).Milliseconds() // the other call has come by then
	wg.Go(func() { r.must("acme_wait", fmt.Sprintf(`{"ms":%d,"started":%q}`, long, ready)) })
	waitForFile(t, ready)
	wg.Go(func() {
		if res, err := r.in(other, "acme_wait", `{"ms":1}`); err != nil || res.IsError {
			t.Errorf("the second device: %v %v", res, err)
		}
	})
	waittest.Join(t, wg.Wait, "all calls are answered")
	second := r.must("acme_echo", `{}`)
	if second["overHTTP"] != true || second["pid"] == first["pid"] {
		t.Errorf("it was not started for HTTP: %v", second)
	}
	pids := map[any]bool{}
	var mu sync.Mutex
	most := 0.0
	for i := range 8 {
		s := r.s
		if i%2 == 1 {
			s = other
		}
		wg.Go(func() {
			res, err := r.in(s, "acme_wait", `{"ms":200}`)
			if err != nil {
				t.Errorf("%v", err)
				return
			}
			var v struct{ InFlight, PID float64 }
			_ = json.Unmarshal(res.Value, &v)
			mu.Lock()
			defer mu.Unlock()
			pids[v.PID], most = true, max(most, v.InFlight)
		})
	}
	waittest.Join(t, wg.Wait, "all calls are answered")
	if len(pids) != 1 || most < 2 {
		t.Errorf("R75: %d processes, at most %v calls in flight", len(pids), most)
	}
}

// A server that cannot be started for HTTP goes on over stdio, and its calls overlap there.
func TestStdioOnly(t *testing.T) {
	r := start(t, acme("stdio-only"))
	other := r.session(memory.New(), "other")
	if n := r.overlap(r.s, other); n < 1 {
		t.Errorf("at most %v calls were in flight", n)
	}
	if n := r.overlap(r.s, other); n != 2 {
		t.Errorf("at most %v calls of two devices were in flight", n)
	}
	if out := r.must("acme_echo", `{}`); out["overHTTP"] == true {
		t.Errorf("%v", out)
	}
}

func waitForFile(t *testing.T, path string) {
	t.Helper()
	waittest.Until(t, func() bool {
		found, _ := filepath.Glob(path)
		return len(found) == 1
	}, "the call begins")
}

// R66: a server that runs anyway is connected to, called by several devices at once, and not stopped.
func TestExternalHTTP(t *testing.T) {
	port := serveFixture(t)
	r := start(t, source.Server{Name: "team", Transport: source.HTTP, URL: "http://127.0.0.1:" + port + "/mcp"})
	before := r.must("acme_echo", `{}`)
	for _, src := range r.sources {
		_ = src.Close()
	}
	r.sources = nil
	again := start(t, source.Server{Name: "team", Transport: source.HTTP, URL: "http://127.0.0.1:" + port + "/mcp"})
	if after := again.must("acme_echo", `{}`); after["pid"] != before["pid"] {
		t.Error("it was stopped")
	}
	if out := again.must("acme_back",
		`{"tool":"web_click","args":{"ref":"e1"}}`); out["got"].(map[string]any)["success"] != true { //nolint:forcetypeassert // panics tell as much
		t.Errorf("%v", out)
	}
}

// Rule 11: an untrusted workspace starts nothing, and the reason says what to do.
func TestUntrusted(t *testing.T) {
	r := startWith(t, options{servers: []source.Server{acme("")}, change: func(o *source.Options) {
		o.Trusted = func(p source.Process) error {
			return fault.New(fault.Denied, "start process", "%s is not trusted", p.What).WithHint("Run trailblaze trust.")
		}
	}})
	_, _, err := r.sources[0].Load(t.Context())
	if fault.KindOf(err) != fault.Denied || fault.HintOf(err) != "Run trailblaze trust." {
		t.Errorf("%v", err)
	}
}

// Integers beyond 2^53 keep their digits, where a text beside says them, or are refused.
func TestIntegersKeepTheirDigits(t *testing.T) {
	r := start(t, acme(""))
	const id = "9007199254740993"
	for _, result := range []string{
		`{"content":[{"type":"text","text":"{\"id\":` + id + `}"}]}`,
		`{"content":[{"type":"text","text":"{\"id\":` + id + `}"}],"structuredContent":{"id":` + id + `}}`,
	} {
		res, err := r.call("acme_result", `{"result":`+result+`}`)
		if err != nil || string(res.Value) != `{"id":`+id+`}` {
			t.Errorf("%s: %s, %v", result, res.Value, err)
		}
	}
	r.fails("acme_result", `{"result":{"content":[],"structuredContent":{"id":`+id+`}}}`, "beyond 9007199254740991 digits are lost")
	r.fails("acme_result", `{"result":{"content":[],"_meta":{"trailblaze":{"memoryDelta":{"id":`+id+`}}}}}`, "digits are lost")
	if v, ok := r.mem.Get("id"); ok {
		t.Errorf("it is remembered: %v", v)
	}
	calls := r.calls()
	if got := string(calls[0].Recorded.Args); !strings.Contains(got, `\"id\":`+id) || string(calls[0].Value) != `{"id":`+id+`}` {
		t.Errorf("the log has %s, %s", got, calls[0].Value)
	}
}
