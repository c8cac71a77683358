package faults

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// callsEnv makes TestMixedCalls make that many calls.
const callsEnv = "TRAILBLAZE_CALLS"

// use is what a daemon takes up.
type use struct{ goroutines, descriptors, processes, folders, sessions, megabytes int }

// TestMixedCalls: calls of all sorts, those that fail, are called off or lose their client among them, leave nothing
// behind: no goroutine, descriptor, process, temporary folder or session, and no memory.
func TestMixedCalls(t *testing.T) {
	n := 200
	if v, err := strconv.Atoi(os.Getenv(callsEnv)); err == nil && v > 0 {
		n = v
	}
	url := served(t, map[string]string{"/": `<h1>Load</h1><button onclick="n.value=+n.value+1">More</button>` +
		`<input id=n aria-label=Number value=0><a href=/two>Two</a>`, "/two": "<h1>Two</h1>"})
	h := newHouse(t)
	h.Start()
	for i := range 4 { // what is made once is there from now on
		h.round(i, url)
	}
	var during []int // megabytes at each end of a session
	before, made := h.uses(), 0
	for round := 0; made < n; round++ {
		if round%20 == 19 { // a long session takes the memory that its trail needs
			h.must("device", map[string]any{"action": "DISCONNECT"})
			during = append(during, h.uses().megabytes)
		}
		for name, a := range h.round(round, url) {
			made++
			if fails := strings.HasPrefix(name, "wrong"); a.ok() == fails {
				t.Fatalf("call %d, %s: %.400s", made, name, a.raw)
			}
		}
	}
	var after use
	for end := time.Now().Add(time.Minute); time.Now().Before(end); { // what a client left may end a moment after it
		if after = h.uses(); after.goroutines <= before.goroutines+5 && after.descriptors <= before.descriptors+5 && after.processes <= before.processes+1 {
			break
		}
		h.must("device", map[string]any{"action": "LIST"})
	}
	t.Logf("%d calls: %+v, then %+v; megabytes at the ends of sessions: %v", made, before, after, during)
	if after.goroutines > before.goroutines+5 || after.descriptors > before.descriptors+5 || after.processes > before.processes+1 {
		t.Errorf("goroutines, descriptors or processes grow: %+v, then %+v", before, after)
	}
	if after.folders > before.folders || after.sessions > before.sessions+len(during) {
		t.Errorf("folders or sessions grow: %+v, then %+v", before, after)
	}
	if after.megabytes > before.megabytes+40 {
		t.Errorf("memory grows: %+v, then %+v", before, after)
	}
}

// round makes one call of each sort.
func (h *house) round(i int, url string) map[string]answer {
	out := map[string]answer{}
	call := func(name, tool string, args map[string]any) { out[name] = h.call(tool, args) }
	call("open", "web_navigate", map[string]any{"url": url + "/"})
	call("look", "web_snapshot", nil)
	call("click", "web_click", map[string]any{"ref": `button "More"`})
	call("type", "web_type", map[string]any{"ref": "css=#n", "text": strconv.Itoa(i)})
	call("picture", "getScreenshot", nil)
	call("script", "web_evaluate", map[string]any{"script": "document.title"})
	call("tab", "web_newTab", map[string]any{"url": url + "/two"})
	call("tabs", "web_listTabs", nil)
	call("close", "web_closeTab", nil)
	call("follow", "web_click", map[string]any{"ref": `link "Two"`})
	call("wrong element", "web_click", map[string]any{"ref": "css=#nothing", "timeoutMs": 100})
	call("wrong tool", "web_nothing"+strconv.Itoa(i), nil)
	call("wrong arguments", "web_click", map[string]any{"ref": 5, "x" + strconv.Itoa(i): true})
	call("wrong address", "web_navigate", map[string]any{"url": "http://127.0.0.1:1/"})
	call("sessions", "session", map[string]any{"action": "LIST"})
	call("save", "session", map[string]any{"action": "SAVE", "title": "Load", "path": "load" + strconv.Itoa(i), "overwrite": true})
	out["cut off"] = h.cutOff(i%8 == 0)
	out["http"] = h.visit(i%2 == 0)
	out["stdio"] = h.front(i%2 == 0)
	return out
}

func (h *house) http() *http.Client {
	return &http.Client{Timeout: 2 * time.Minute, Transport: signed{h.Boot.Token,
		&http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", h.Boot.Socket)
		}}}}
}

type signed struct {
	token string
	*http.Transport
}

func (s signed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return s.Transport.RoundTrip(r)
}

// cutOff leaves while a call runs: as soon as the daemon has taken it, or late, with the first progress, which comes after
// seconds.
func (h *house) cutOff(late bool) answer {
	h.T.Helper()
	ctx, cancel := context.WithCancel(h.T.Context())
	defer cancel()
	c := h.http()
	defer c.CloseIdleConnections()
	in, err := trailblazev1connect.NewToolServiceClient(c, "http://trailblaze").WatchTool(ctx, &pb.WatchToolRequest{Call: &pb.CallToolRequest{
		Name: "web_wait", ArgsJson: `{"seconds":30}`, Options: &pb.CallOptions{Client: "test", Workspace: h.Work},
	}})
	if err != nil {
		h.T.Fatal(err)
	}
	if late && !in.Receive() {
		h.T.Fatal(in.Err())
	}
	cancel()
	_ = in.Close()
	return answer{}
}

// visit is an MCP client over HTTP that looks around; it says goodbye, or is just gone.
func (h *house) visit(politely bool) answer {
	h.T.Helper()
	c := h.http()
	defer c.CloseIdleConnections()
	ctx, cancel := context.WithCancel(h.T.Context())
	defer cancel()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "visitor", Version: "1"}, nil).Connect(ctx, &sdk.StreamableClientTransport{
		Endpoint: "http://trailblaze/mcp", HTTPClient: c, MaxRetries: -1,
	}, nil)
	if err != nil {
		h.T.Fatal(err)
	}
	if _, err := s.ListTools(ctx, nil); err != nil {
		h.T.Fatal(err)
	}
	if politely {
		if err := s.Close(); err != nil {
			h.T.Fatal(err)
		}
	}
	return answer{}
}

// front is an MCP client over stdio; it closes its end, or is killed.
func (h *house) front(politely bool) answer {
	h.T.Helper()
	ctx, cancel := context.WithCancel(h.T.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "mcp")
	cmd.Env, cmd.Dir = h.Env, h.Work
	in, err := cmd.StdinPipe()
	if err != nil {
		h.T.Fatal(err)
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		h.T.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.T.Fatal(err)
	}
	out := bufio.NewScanner(pipe)
	out.Buffer(nil, 8<<20)
	for id, line := range []string{
		`"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"front","version":"1"}}`, `"method":"tools/list"`,
		`"method":"tools/call","params":{"name":"session","arguments":{"action":"INFO"}}`, // which the daemon answers
	} {
		if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,%s}`+"\n", id, line); err != nil {
			h.T.Fatal(err)
		}
		for answered := false; !answered; {
			if !out.Scan() {
				h.T.Fatalf("the front ended: %v", out.Err())
			}
			var m struct {
				ID     *int
				Result json.RawMessage
			}
			answered = json.Unmarshal(out.Bytes(), &m) == nil && m.ID != nil && *m.ID == id && m.Result != nil
		}
	}
	if politely {
		_ = in.Close()
	} else {
		cancel()
	}
	_ = cmd.Wait()
	return answer{}
}

// uses looks at the daemon from outside.
func (h *house) uses() (u use) {
	h.T.Helper()
	c := h.http()
	defer c.CloseIdleConnections()
	req, err := http.NewRequestWithContext(h.T.Context(), http.MethodGet, "http://trailblaze/metrics", nil)
	if err != nil {
		h.T.Fatal(err)
	}
	res, err := c.Do(req)
	if err != nil {
		h.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		h.T.Fatal(err)
	}
	u.goroutines = number(h.T, text, "go_goroutines ")
	proc := filepath.Join("/proc", strconv.Itoa(h.Boot.PID))
	status, err := os.ReadFile(filepath.Join(proc, "status"))
	if err != nil {
		h.T.Fatal(err)
	}
	u.megabytes = number(h.T, status, "RssAnon:") / 1024
	count := func(dir string) int {
		list, err := os.ReadDir(dir)
		if err != nil {
			h.T.Fatal(err)
		}
		return len(list)
	}
	u.descriptors, u.folders, u.sessions = count(filepath.Join(proc, "fd")), count(h.Temp), count(filepath.Join(h.Dir, "sessions"))
	u.processes = len(family(h.Boot.PID))
	return u
}

// number is the one behind a word at the beginning of a line.
func number(t *testing.T, text []byte, word string) int {
	t.Helper()
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte(word)); ok {
			if f := strings.Fields(string(rest)); len(f) > 0 {
				if n, err := strconv.ParseFloat(f[0], 64); err == nil {
					return int(n)
				}
			}
		}
	}
	t.Fatalf("%q is not in %.500s", word, text)
	return 0
}
