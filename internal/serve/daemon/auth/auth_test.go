package auth

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const token = "the-token"

// behind counts who was let in.
type behind struct{ atomic.Int64 }

func (b *behind) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	b.Add(1)
	_, _ = fmt.Fprint(w, "in")
}

// knock sends raw bytes, as an attacker would, and gives the status and the body.
func knock(t *testing.T, l net.Listener, request string) (int, string) {
	t.Helper()
	conn, err := net.Dial(l.Addr().Network(), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, strings.ReplaceAll(request, "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body)
}

// TestDoor knocks at both listeners in every wrong way, with and without an upgrade. What is behind never learns of it.
func TestDoor(t *testing.T) {
	in := &behind{}
	srv := httptest.NewUnstartedServer(New(token, in))
	tcp := srv.Listener
	unix, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Skip(err)
	}
	srv.Start()
	defer srv.Close()
	second := &http.Server{Handler: New(token, in)} //nolint:gosec // a test
	go func() { _ = second.Serve(unix) }()
	defer func() { _ = second.Close() }()

	const good = "\nAuthorization: Bearer " + token
	const both, onlyTCP, onlyUnix = 3, 1, 2
	for _, c := range []struct {
		name, host, head string
		status, where    int
	}{
		{"right", "127.0.0.1:52525", good, 200, both},
		{"right, by name", "LocalHost:1", good, 200, both},
		{"right, without a port", "localhost", good, 200, both},
		{"right, over IPv6", "[::1]:52525", good, 200, both},
		{"our own page", "127.0.0.1:52525", good + "\nOrigin: http://127.0.0.1:52525\nSec-Fetch-Site: same-origin", 200, both},
		{"the socket's name", "trailblaze", good, 200, onlyUnix},
		{"the socket's name on TCP", "trailblaze", good, 403, onlyTCP},
		{"no token", "localhost", "", 401, both},
		{"a wrong token", "localhost", "\nAuthorization: Bearer the-tokem", 401, both},
		{"a shorter token", "localhost", "\nAuthorization: Bearer the", 401, both},
		{"an empty token", "localhost", "\nAuthorization: Bearer ", 401, both},
		{"another scheme", "localhost", "\nAuthorization: Basic " + token, 401, both},
		{"a token in the address", "localhost/?token=" + token, "", 400, both},
		{"two tokens, the first wrong", "localhost", "\nAuthorization: Bearer no" + good, 401, both},
		{"DNS rebinding", "attacker.test:52525", good, 403, both},
		{"a name that begins like ours", "localhost.attacker.test", good, 403, both},
		{"a name that ends like ours", "attacker-localhost", good, 403, both},
		{"another loopback address", "127.0.0.2", good, 403, both},
		{"any address", "0.0.0.0:52525", good, 403, both},
		{"the address as a number", "2130706433", good, 403, both},
		{"no host", "", good, 403, both},
		{"a foreign origin", "localhost:1", good + "\nOrigin: https://attacker.test", 403, both},
		{"another port's page", "localhost:1", good + "\nOrigin: http://localhost:2", 403, both},
		{"a sandboxed page", "localhost:1", good + "\nOrigin: null", 403, both},
		{"an empty origin", "localhost:1", good + "\nOrigin: ", 403, both},
		{"two origins", "localhost:1", good + "\nOrigin: http://localhost:1\nOrigin: https://attacker.test", 403, both},
		{"an origin with a user", "localhost:1", good + "\nOrigin: http://localhost:1@attacker.test", 403, both},
		{"a page elsewhere, without an origin", "localhost:1", good + "\nSec-Fetch-Site: cross-site", 403, both},
		{"a page on another port of this machine", "localhost:1", good + "\nSec-Fetch-Site: same-site", 403, both},
	} {
		for bit, l := range map[int]net.Listener{onlyTCP: tcp, onlyUnix: unix} {
			if c.where&bit == 0 {
				continue
			}
			for _, upgrade := range []string{"", "\nConnection: Upgrade\nUpgrade: websocket"} {
				for _, target := range []string{"GET /static/x.js", "POST /v1/tools/web_click", "OPTIONS /mcp", "GET /mcp/stdio"} {
					before := in.Load()
					status, body := knock(t, l, target+" HTTP/1.1\nHost: "+c.host+c.head+upgrade+"\nContent-Length: 0\n\n")
					if status != c.status {
						t.Errorf("%s, %s over %s%s: %d %s, want %d", c.name, target, l.Addr().Network(), strings.ReplaceAll(upgrade, "\n", " "), status, body, c.status)
					}
					if let := in.Load() != before; let != (c.status == 200) {
						t.Errorf("%s, %s: let in: %v", c.name, target, let)
					}
					var said struct {
						Error struct{ Kind, Message, Hint string }
					}
					if c.status == 401 || c.status == 403 {
						if json.Unmarshal([]byte(body), &said) != nil || said.Error.Kind != "denied" || said.Error.Message == "" || said.Error.Hint == "" {
							t.Errorf("%s: the refusal does not say what to do: %s", c.name, body)
						}
					}
					if strings.Contains(body, token) {
						t.Errorf("%s: the refusal tells the token", c.name)
					}
				}
			}
		}
	}
}

// FuzzDoor: whatever is in the headers, only requests with a loopback host, no foreign origin and the token come in.
func FuzzDoor(f *testing.F) {
	for _, s := range [][4]string{
		{"localhost:1", "http://localhost:1", "Bearer " + token, "same-origin"}, {"[::1", "null", "bearer", ""}, {"", "http://", "", "none"},
		{"[::1]:99999", "http://[::1]:99999", "Bearer  " + token, ""}, {"localhost:", "http://localhost:", "Bearer " + token, ""},
		{"a:b:c", "http://%zz", "Bearer\x00" + token, "x"}, {"]localhost[", "//localhost", "Bearer " + token + " ", ""},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	f.Fuzz(func(t *testing.T, host, origin, auth, site string) {
		in := &behind{}
		r := httptest.NewRequest(http.MethodPost, "/v1/tools/web_click", nil)
		r.Host = host
		if origin != "-" {
			r.Header.Set("Origin", origin)
		}
		r.Header.Set("Authorization", auth)
		r.Header.Set("Sec-Fetch-Site", site)
		w := httptest.NewRecorder()
		New(token, in).ServeHTTP(w, r)
		if in.Load() == 0 {
			if w.Code != 401 && w.Code != 403 || !json.Valid(w.Body.Bytes()) {
				t.Errorf("refused with %d %s", w.Code, w.Body)
			}
			return
		}
		name, _, _ := strings.Cut(strings.ToLower(host), ":")
		if name != "localhost" && name != "127.0.0.1" && !strings.HasPrefix(host, "[::1]") {
			t.Errorf("host %q came in", host)
		}
		if origin != "-" && !strings.EqualFold(origin, "http://"+host) {
			t.Errorf("origin %q came in at host %q", origin, host)
		}
		if !strings.HasSuffix(strings.TrimSpace(auth), token) || site == "cross-site" {
			t.Errorf("%q %q came in", auth, site)
		}
	})
}

// TestRefusedConnectionEnds: whoever has no token keeps no connection open, not by announcing a body that never comes
// and not by keeping quiet: an open one keeps the daemon from ending when it is idle.
func TestRefusedConnectionEnds(t *testing.T) {
	srv := httptest.NewServer(New(token, &behind{}))
	defer srv.Close()
	for _, request := range []string{
		"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /v1/tools/web_click HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
		"POST /v1/tools/web_click HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", srv.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(said), "HTTP/1.1 401 ") {
			t.Errorf("%q: %q, %v; want a refusal and the end", request, said, err)
		}
		_ = conn.Close()
	}
}
