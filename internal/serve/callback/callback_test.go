package callback_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/serve/callback"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// unknown is how a dispatcher says that no such call is in flight.
type unknown struct{ id string }

func (u unknown) Error() string {
	return "Unknown invocation ID: " + u.id + ". The tool call may have completed or timed out."
}
func (unknown) Code() int { return -32602 }

// calls notes what it is asked for, and answers as the name of the tool says.
type calls struct{ session, invocation, args string }

func (c *calls) ResumeIn(ctx context.Context, session, invocation string, call tool.Call) (*tool.Result, error) {
	c.session, c.invocation, c.args = session, invocation, string(call.Args)
	switch call.Name {
	case "demo_fails":
		return tool.Fail(fault.New(fault.NotFound, "", "no button").WithHint("look again")), nil
	case "demo_refused":
		return nil, errors.New("too deep")
	case "demo_slow":
		<-ctx.Done()
		return nil, ctx.Err()
	case "demo_unknown":
		return nil, &fault.Error{Kind: fault.NotFound, Err: unknown{invocation}}
	}
	return tool.ValueResult(map[string]any{"n": 1}, "done")
}

type door struct {
	*testing.T
	s *callback.Server
	c calls
}

func open(t *testing.T) *door {
	d := &door{T: t, s: callback.New(callback.Options{Timeout: 200 * time.Millisecond})}
	d.s.Bind(&d.c)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		_ = d.s.Close(context.Background())
	})
	return d
}

func (d *door) post(body string, header ...string) (int, string) {
	d.Helper()
	req, err := http.NewRequestWithContext(d.Context(), http.MethodPost, d.s.URL()+callback.Path, strings.NewReader(body))
	if err != nil {
		d.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		d.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSpace(string(data))
}

// R148, R149, R150, R152, R153, R154, R90: the wire of version 1, to the letter.
func TestWire(t *testing.T) {
	d := open(t)
	call := func(name string) string {
		return `{"version":1,"session_id":"S","invocation_id":"I","action":{"type":"call_tool","tool_name":"` + name +
			`","arguments_json":"{\"x\":1}"}}`
	}
	ok := `{"result":{"type":"call_tool_result","success":true,"textContent":"done","errorMessage":"",` +
		`"text_content":"done","error_message":"","structured_content":{"n":1}}}`
	const gone = "Unknown invocation ID: I. The tool call may have completed or timed out."
	for _, c := range []struct{ name, body, want string }{
		{"snake case", call("demo_ok"), ok},
		{"camel case", `{"sessionId":"S","invocationId":"I","action":{"type":"call_tool","toolName":"demo_ok",` +
			`"argumentsJson":"{\"x\":1}"}}`, ok},
		{"a failure", call("demo_fails"), `"success":false,"textContent":"","errorMessage":"no button\nlook again"`},
		{"a refused call", call("demo_refused"), `"success":false,"textContent":"","errorMessage":"too deep"`},
		{"R159 too slow", call("demo_slow"), `"success":false,"textContent":"","errorMessage":"the callback took too long`},
		{"R90 unknown", call("demo_unknown"), `"error":{"code":-32602,"message":"` + gone + `"},"result":{"type":"error","message":"` +
			gone + `","code":-32602}`},
		{"R154 action", `{"session_id":"S","invocation_id":"I","action":{"type":"tap"}}`, `"type":"error","message":"Unknown action \"tap\"`},
		{"R153 later", `{"version":2}`, `Unsupported callback version 2; this runtime speaks v1"`},
		{"R153 earlier", `{"version":0}`, `Unsupported callback version 0; this runtime speaks v1: upgrade @trailblaze/scripting`},
		{"R151 no session", `{"invocation_id":"I","action":{"type":"call_tool","tool_name":"x"}}`, `has no session_id`},
		{"R86 no id", `{"session_id":"S","action":{"type":"call_tool","tool_name":"x"}}`, `has no invocation_id`},
		{"no arguments", strings.Replace(call("x"), `{\"x\":1}`, `{`, 1), `arguments_json is not JSON`},
	} {
		if status, got := d.post(c.body); status != 200 || !strings.Contains(got, c.want) {
			t.Errorf("%s: %d %s\nwant %s", c.name, status, got, c.want)
		}
	}
	d.post(call("demo_ok"))
	if d.c != (calls{"S", "I", `{"x":1}`}) {
		t.Errorf("asked for %+v", d.c)
	}
	idless := `{"action":{"type":"call_tool","tool_name":"demo_ok"}}`
	given := []string{"I"}
	token, revoke := d.s.Grant(func(id string) []string {
		return slices.DeleteFunc(slices.Clone(given), func(own string) bool { return id != "" && id != own })
	})
	bearer := "Bearer " + token
	if _, got := d.post(idless, "Authorization", bearer); got != ok || d.c.invocation != "I" {
		t.Errorf("R85: %s", got)
	}
	d.c = calls{}
	other := strings.Replace(call("demo_ok"), `"invocation_id":"I"`, `"invocation_id":"B"`, 1)
	if _, got := d.post(other, "Authorization", bearer); !strings.Contains(got, "Unknown invocation ID: B") {
		t.Errorf("the token of one server and the call of another: %s", got)
	}
	given = nil
	if _, got := d.post(idless, "Authorization", bearer); !strings.Contains(got, "-32602") {
		t.Errorf("a server without a call: %s", got)
	}
	given = []string{"I", "J"}
	if _, got := d.post(idless, "Authorization", bearer); !strings.Contains(got, "2 calls of this server") {
		t.Errorf("a server with two calls: %s", got)
	}
	given = []string{"I"}
	revoke()
	if _, got := d.post(idless, "Authorization", bearer); !strings.Contains(got, "invocation_id") {
		t.Errorf("a token that has ended: %s", got)
	}
	if d.c != (calls{}) {
		t.Errorf("carried out all the same: %+v", d.c)
	}
	if _, got := d.post(idless, "Authorization", "Bearer wrong"); !strings.Contains(got, "invocation_id") {
		t.Errorf("a wrong token: %s", got)
	}
}

// What is no callback is refused, and pages of other origins are.
func TestRefused(t *testing.T) {
	d := open(t)
	for _, c := range []struct {
		name, body string
		status     int
		header     []string
	}{
		{"not JSON", "{", 400, nil},
		{"a form", "{}", 400, []string{"Content-Type", "text/plain"}},
		{"too large", `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, 413, nil},
		{"another host", "{}", 403, []string{"Host", "evil.test"}},
		{"another origin", "{}", 403, []string{"Origin", "https://evil.test"}},
	} {
		if status, got := d.post(c.body, c.header...); status != c.status {
			t.Errorf("%s: %d %s", c.name, status, got)
		}
	}
	if d.c != (calls{}) {
		t.Errorf("something was dispatched: %+v", d.c)
	}
}

// Whatever comes, the answer is JSON or a refusal.
func FuzzHandler(f *testing.F) {
	f.Add(`{"version":1,"session_id":"S","invocation_id":"I","action":{"type":"call_tool","tool_name":"x","arguments_json":"{}"}}`)
	f.Add(`{"action":null}`)
	s := callback.New(callback.Options{})
	s.Bind(&calls{})
	h := s.Handler()
	f.Fuzz(func(t *testing.T, body string) {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, callback.Path, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		w := &recorder{header: http.Header{}, status: 200}
		h.ServeHTTP(w, req)
		if w.status == 200 && !json.Valid([]byte(w.body.String())) {
			t.Errorf("%q: %s", body, w.body.String())
		}
	})
}

type recorder struct {
	header http.Header
	status int
	body   strings.Builder
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(s int)           { r.status = s }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

// Silent connections and trickles keep out nobody who has a call, and do not hold up the end.
func TestStrangersLockNobodyOut(t *testing.T) {
	d := open(t)
	at := strings.TrimPrefix(d.s.URL(), "http://")
	for i := range 150 {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if i%2 == 0 {
			_, _ = io.WriteString(c, "POST "+callback.Path+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
				"Content-Length: 1000\r\n\r\n{")
		}
	}
	began := time.Now()
	body := `{"session_id":"S","invocation_id":"I","action":{"type":"call_tool","tool_name":"demo_ok"}}`
	if status, got := d.post(body); status != 200 || !strings.Contains(got, `"success":true`) {
		t.Errorf("the owner gets %d %s", status, got)
	}
	http.DefaultClient.CloseIdleConnections()
	if err := d.s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > testtime.Within(6*time.Second) {
		t.Errorf("it took %v", took)
	}
}

// TestVersionOfTheSDKs (R153): what the SDKs send, and the types and examples that are written by hand, have the version
// that this program speaks.
func TestVersionOfTheSDKs(t *testing.T) {
	version := regexp.MustCompile(`"?version"?: (\d+)`)
	for _, path := range []string{
		"internal/makers/script/lib/node.js", "sdk/typescript/scripting/src/wire.d.ts", "examples/acme-python/acme_tools.py",
	} {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		found := version.FindSubmatch(data)
		if found == nil || string(found[1]) != strconv.Itoa(callback.Version) {
			t.Errorf("%s sends version %q, this program speaks %d", path, found, callback.Version)
		}
	}
}
