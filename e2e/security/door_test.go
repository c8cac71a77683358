package security

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// routes are all doors, those that do harm first: a refusal that comes late is none.
var routes = []struct{ method, path string }{
	{"POST", "/v1/stop"}, {"POST", "/v1/retire"}, {"POST", "/v1/command"}, {"POST", "/v1/tools/web_evaluate"}, {"POST", "/trailblaze.v1.ToolService/CallTool"},
	{"POST", "/trailblaze.v1.ToolService/WatchTool"}, {"POST", "/trailblaze.v1.ToolService/CancelCalls"}, {"POST", "/trailblaze.v1.WebCommands/Evaluate"},
	{"POST", "/trailblaze.v1.AgentService/CallListedTool"}, {"POST", "/trailblaze.v1.SessionService/WatchEvents"}, {"POST", "/v1/call"},
	{"GET", "/v1/ping"}, {"GET", "/v1/status"}, {"GET", "/v1/openapi.json"},
	{"GET", "/v1/log"}, {"GET", "/v1/blobs/a/b"}, {"GET", "/metrics"}, {"POST", "/mcp"}, {"GET", "/mcp"}, {"DELETE", "/mcp"}, {"GET", "/mcp/stdio"}, {"GET", "/"},
	{"GET", "/nothing"}, {"GET", "/v1/../metrics"}, {"OPTIONS", "/mcp"}, {"OPTIONS", "/trailblaze.v1.ToolService/CallTool"},
	{"HEAD", "/metrics"}, {"PUT", "/v1/stop"},
}

// Every route of every listener refuses who has no token, calls it by another name, or comes from another page; and
// has done nothing by then (E: host and origin, local auth).
func TestDoors(t *testing.T) {
	h := newHouse(t)
	h.Start()
	good := "Bearer " + h.Boot.Token
	port := strconv.Itoa(h.Boot.Port)
	type attack struct {
		name   string
		host   string // "" is the right one
		header http.Header
		want   int
	}
	attacks := []attack{
		{"no token", "", http.Header{}, 401},
		{"an empty token", "", http.Header{"Authorization": {"Bearer "}}, 401},
		{"a wrong token", "", http.Header{"Authorization": {"Bearer " + strings.Repeat("A", len(h.Boot.Token))}}, 401},
		{"a token cut short", "", http.Header{"Authorization": {good[:len(good)-1]}}, 401},
		{"a longer token", "", http.Header{"Authorization": {good + "A"}}, 401},
		{"another scheme", "", http.Header{"Authorization": {"Basic " + h.Boot.Token}}, 401},
		{"the token as a cookie", "", http.Header{"Cookie": {"token=" + h.Boot.Token}}, 401},
	}
	for _, name := range []string{"evil.test", "evil.test:" + port, "127.0.0.1.evil.test", "localhost.evil.test:" + port,
		"trailblaze.evil.test", "0.0.0.0:" + port, "169.254.169.254", "[::ffff:7f00:1]:" + port, "127.0.0.1@evil.test"} {
		attacks = append(attacks, attack{"host " + name, name, http.Header{"Authorization": {good}}, 403})
	}
	for _, origin := range []string{"http://evil.test", "https://evil.test:" + port, "null", "http://127.0.0.1:1", "https://127.0.0.1:" + port,
		"http://localhost.evil.test", "file://", "http://evil.test, http://127.0.0.1:" + port, ""} {
		attacks = append(attacks, attack{"origin " + origin, "", http.Header{"Authorization": {good}, "Origin": {origin}}, 403})
	}
	attacks = append(attacks,
		attack{"two origins", "", http.Header{"Authorization": {good}, "Origin": {"http://127.0.0.1:" + port, "http://evil.test"}}, 403},
		attack{"another site", "", http.Header{"Authorization": {good}, "Sec-Fetch-Site": {"cross-site"}}, 403},
		attack{"rebinding without a token", "evil.test:" + port, http.Header{"Origin": {"http://evil.test:" + port}}, 403})
	for listener, of := range map[string]func() (*http.Client, string){"tcp": h.tcp, "unix": h.unix} {
		client, host := of()
		for _, r := range routes {
			for _, a := range attacks {
				status, header, body := knock(t, client, r.method, "http://"+host+r.path, a.host, a.header)
				if status != a.want {
					t.Errorf("%s %s %s, %s: %d %s, want %d", listener, r.method, r.path, a.name, status, body, a.want)
				}
				for k := range header {
					if strings.HasPrefix(k, "Access-Control-") {
						t.Errorf("%s %s %s, %s: it answers %s: %s", listener, r.method, r.path, a.name, k, header.Get(k))
					}
				}
				if strings.Contains(body, h.Boot.Token) || r.method != "HEAD" && !strings.Contains(body, `"error"`) {
					t.Errorf("%s %s %s, %s: body %s", listener, r.method, r.path, a.name, body)
				}
			}
		}
		if status, _, body := knock(t, client, "GET", "http://"+host+"/v1/ping", "", http.Header{"Authorization": {good}}); status != 200 {
			t.Fatalf("%s: after all that the owner gets %d %s", listener, status, body)
		}
	}
}

func knock(t *testing.T, client *http.Client, method, url, host string, header http.Header) (int, http.Header, string) {
	t.Helper()
	body := io.Reader(http.NoBody)
	if method == http.MethodPost {
		body = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header.Clone()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if strings.HasSuffix(url, "/mcp/stdio") {
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "trailblaze-mcp/1")
	}
	if host != "" {
		req.Host = host
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode == http.StatusSwitchingProtocols || strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return res.StatusCode, res.Header, "(a stream)"
	}
	data, _ := io.ReadAll(io.LimitReader(res.Body, 4<<10))
	return res.StatusCode, res.Header, string(data)
}

// A request without any Host header, or with two, is not served either; and one that begins as HTTP/1.0.
func TestOddRequests(t *testing.T) {
	h := newHouse(t)
	h.Start()
	_, host := h.tcp()
	for name, head := range map[string]string{
		"no host":   "GET /v1/status HTTP/1.1\r\nAuthorization: Bearer " + h.Boot.Token + "\r\n\r\n",
		"two hosts": "GET /v1/status HTTP/1.1\r\nHost: " + host + "\r\nHost: evil.test\r\nAuthorization: Bearer " + h.Boot.Token + "\r\n\r\n",
		"1.0":       "GET /v1/status HTTP/1.0\r\nAuthorization: Bearer " + h.Boot.Token + "\r\n\r\n",
		"absolute":  "GET http://evil.test/v1/status HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + h.Boot.Token + "\r\n\r\n",
	} {
		conn, err := (&net.Dialer{Timeout: time.Minute}).DialContext(t.Context(), "tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		if _, err := io.WriteString(conn, head); err != nil {
			t.Fatal(err)
		}
		line, _ := bufio.NewReader(conn).ReadString('\n')
		if !strings.Contains(line, " 403 ") && !strings.Contains(line, " 400 ") && !strings.Contains(line, " 401 ") {
			t.Errorf("%s: %q", name, line)
		}
		_ = conn.Close()
	}
}

// The daemon listens on the loopback address and nowhere else (E: bind address).
func TestLoopbackOnly(t *testing.T) {
	h := newHouse(t)
	h.Start()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	tried := []string{"127.0.0.2", "::1"}
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() {
			tried = append(tried, n.IP.String())
		}
	}
	for _, ip := range tried {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(ip, strconv.Itoa(h.Boot.Port)))
		cancel()
		if err == nil {
			t.Errorf("it answers at %s", ip)
			_ = conn.Close()
		}
	}
	if len(tried) == 2 {
		t.Log("this machine has no other interface: only 127.0.0.2 and ::1 were tried")
	}
}

// What lets a client in can be read by its user only (E: local auth).
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing here; the folder is below the user's profile")
	}
	h := newHouse(t)
	h.Start()
	h.must("getSessionConfig", nil) // a client
	h.must("web_navigate", map[string]any{"url": served(t, "<h1>x</h1>")})
	h.run("session", "list") // makes the index
	h.Write("trails/a.trail.yaml", "config: {id: a, title: A}\ntrail:\n  - step: Wait\n    recording: {web: [{web_wait: {seconds: 0}}]}\n")
	h.run("run", "trails/a.trail.yaml")
	open := map[string]string{}
	err := filepath.WalkDir(h.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // gone meanwhile
		}
		if path != h.Dir && info.Mode().Perm()&0o077 != 0 {
			open[path] = info.Mode().String()
		}
		return nil
	})
	if err != nil || len(open) > 0 {
		t.Errorf("others can open %v (%v)", open, err)
	}
	for path, want := range map[string]os.FileMode{h.Boot.File: 0o600, h.Boot.Socket: 0o600, filepath.Dir(h.Boot.Socket): 0o700} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", path, info.Mode(), err, want)
		}
	}
	// The token is new with every start.
	was := h.Boot.Token
	h.run("daemon", "stop")
	h.Start()
	if h.Boot.Token == was {
		t.Error("the token outlived the daemon")
	}
	client, host := h.tcp()
	if status, _, body := knock(t, client, "GET", "http://"+host+"/v1/ping", "", http.Header{"Authorization": {"Bearer " + was}}); status != 401 {
		t.Errorf("the old token: %d %s", status, body)
	}
}

// TestStrangers: connections that never show the token are bounded, so that the owner always gets in, and they do not
// keep the daemon from ending when it is idle.
func TestStrangers(t *testing.T) {
	h := newHouse(t)
	h.Start()
	_, host := h.tcp()
	var conns []net.Conn
	defer func() {
		for _, c := range conns {
			_ = c.Close()
		}
	}()
	for i := range 600 {
		network, address := "tcp", host
		if i%2 == 1 {
			network, address = "unix", h.Boot.Socket
		}
		c, err := (&net.Dialer{Timeout: time.Minute}).DialContext(t.Context(), network, address)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
		if _, err := io.WriteString(c, "GET /v1/ping HTTP/1.1\r\nHo"); err != nil {
			t.Logf("%d: %v", i, err) // it may be closed already
		}
	}
	client, addr := h.tcp()
	status, _, body := knock(t, client, "GET", "http://"+addr+"/v1/ping", "", http.Header{"Authorization": {"Bearer " + h.Boot.Token}})
	if status != 200 || !strings.Contains(body, `"clients":1`) {
		t.Errorf("the owner gets %d %s", status, body)
	}
	if fds, err := os.ReadDir("/proc/" + strconv.Itoa(h.Boot.PID) + "/fd"); err == nil && len(fds) > 200 {
		t.Errorf("the daemon has %d descriptors open", len(fds))
	}
	if out, code := h.run("daemon", "stop"); code != 0 {
		t.Errorf("stop: exit %d: %s", code, out)
	}
}

// TestGeneralOptions: OPTIONS * is checked like every other request, and an Origin is compared to the letter.
func TestGeneralOptions(t *testing.T) {
	h := newHouse(t)
	h.Start()
	for at, host := range h.listeners() {
		for name, head := range map[string]string{
			"no token":     "OPTIONS * HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
			"foreign host": "OPTIONS * HTTP/1.1\r\nHost: evil.test\r\nAuthorization: Bearer " + h.Boot.Token + "\r\n\r\n",
			"both":         "OPTIONS * HTTP/1.1\r\nHost: evil.test\r\n\r\n",
		} {
			if got, closed := said(t, at, head); len(got) != 1 || !strings.HasPrefix(got[0], "401 ") && !strings.HasPrefix(got[0], "403 ") || !closed {
				t.Errorf("%s, %s: %q, closed: %v", at[0], name, got, closed)
			}
		}
		for _, tail := range []string{"/", "?", "#", "?x", "#x", "/..", ":", "%20", "@", ":0"} {
			head := "GET /v1/ping HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://" + host + tail + "\r\nAuthorization: Bearer " + h.Boot.Token + "\r\n\r\n"
			if got, closed := said(t, at, head); len(got) != 1 || !strings.HasPrefix(got[0], "403 ") || !closed {
				t.Errorf("%s, origin with %q behind it: %.200q, closed: %v", at[0], tail, got, closed)
			}
		}
	}
}
