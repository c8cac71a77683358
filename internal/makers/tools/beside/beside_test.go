package beside

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func run(ctx context.Context, tl tool.Tool, args any) (*tool.Result, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	res, err := tl.Run(ctx, nil, raw)
	if err == nil {
		err = res.Err()
	}
	return res, err
}

// R18, R280: files are read and written below the workspace, and nowhere else; hidden files, settings and links are no
// business of an agent.
func TestFiles(t *testing.T) {
	root, out := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{".env": "KEY=1", "trails/config/policy.yaml": "profile: ci",
		"big.txt": strings.Repeat("x", maxText+1), "a/.git/hook": ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out": out, "settings": "trails/config", "env.txt": ".env"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	res, err := run(t.Context(), writeFile(root), writeIn{"notes/new/a.txt", "Ann"})
	if err != nil || res.Evidence == nil || res.Evidence.None == "" {
		t.Fatalf("%+v %v", res, err)
	}
	if res, err = run(t.Context(), readFile(root), readIn{"notes/new/../new/a.txt"}); err != nil || res.Text() != "Ann" {
		t.Errorf("%+v %v", res, err)
	}
	for _, name := range []string{"../x", "notes/../../x", `..\x`, "/etc/hostname", filepath.Join(out, "x"), ".env", "a/.git/hook", "trails/config/policy.yaml",
		"Trails/Config/policy.yaml", "trails/./config/x", "trails/config", "out/x", "settings/policy.yaml", "env.txt"} {
		if _, err := run(t.Context(), readFile(root), readIn{name}); fault.KindOf(err) != fault.Denied {
			t.Errorf("read %s: %v", name, err)
		}
		if _, err := run(t.Context(), writeFile(root), writeIn{name, "x"}); fault.KindOf(err) != fault.Denied {
			t.Errorf("write %s: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "none", "notes", "big.txt", "a\x00b"} {
		if _, err := run(t.Context(), readFile(root), readIn{name}); err == nil || fault.KindOf(err) == fault.Internal {
			t.Errorf("read %q: %v", name, err)
		}
	}
	for _, in := range []writeIn{{"notes", "x"}, {"notes/new/a.txt/b", "x"}, {"c", strings.Repeat("x", maxSent+1)}, {"a\x00b", "x"}} {
		if _, err := run(t.Context(), writeFile(root), in); err == nil || fault.KindOf(err) == fault.Internal {
			t.Errorf("write %q: %v", in.Path, err)
		}
	}
	if left, err := os.ReadDir(out); err != nil || len(left) != 0 {
		t.Errorf("outside: %v %v", left, err)
	}
}

// R18, R280: a request is made once, its answer is bounded, no redirect is followed, and who limits connections is asked
// for each.
func TestRequests(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	t.Cleanup(other.Close)
	srv, asked := serveAnswers(t, other.URL)
	get := func(path string) (*tool.Result, error) {
		return run(t.Context(), httpGet(), getIn{URL: srv.URL + path, Headers: map[string]string{"X-Team": "acme"}})
	}
	if res, err := get("/"); err != nil || !strings.HasPrefix(res.Text(), "HTTP 200 OK") || !strings.HasSuffix(res.Text(), "ready") || asked()[0] != "GET / acme" {
		t.Errorf("%s %v %v", res.Text(), err, asked())
	}
	if res, err := get("/away"); err != nil || !strings.Contains(res.Text(), "Location: "+other.URL) {
		t.Errorf("%s %v", res.Text(), err)
	}
	if res, err := get("/big"); err != nil || len(res.Text()) > maxText+200 || !strings.HasSuffix(res.Text(), "(cut off)") {
		t.Errorf("%d %v", len(res.Text()), err)
	}
	if res, err := get("/no"); err != nil || !strings.HasPrefix(res.Text(), "HTTP 409") {
		t.Errorf("a look may find nothing: %s %v", res.Text(), err)
	}
	send := func(path string, status int) (*tool.Result, error) {
		return run(t.Context(), httpSend(), sendIn{getIn: getIn{URL: srv.URL + path}, Method: "PUT", Body: "{}", Status: status})
	}
	if res, err := send("/", 0); err != nil || !strings.Contains(res.Evidence.None, "answered with status 200") {
		t.Errorf("%+v %v", res, err)
	}
	if _, err := send("/no", 0); fault.KindOf(err) != fault.Assertion || !strings.Contains(err.Error(), "no such thing") {
		t.Error(err)
	}
	if _, err := send("/", http.StatusCreated); fault.KindOf(err) != fault.Assertion {
		t.Error(err)
	}
	if _, err := send("/no", http.StatusConflict); err != nil {
		t.Error(err)
	}
	for _, url := range []string{"", "ftp://x/", "file:///etc/passwd", "//x", "x", "http://", "http:///x", "http://a b/", "http://[::1", "javascript:1"} {
		if _, err := run(t.Context(), httpGet(), getIn{URL: url}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", url, err)
		}
	}
	if _, err := run(t.Context(), httpSend(), sendIn{getIn: getIn{URL: srv.URL}, Body: strings.Repeat("z", maxSent+1)}); fault.KindOf(err) != fault.Invalid {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := run(ctx, httpGet(), getIn{URL: srv.URL + "/hang"}); fault.KindOf(err) != fault.Timeout {
		t.Error(err)
	}
	before := len(asked())
	ctx = tool.WithDial(t.Context(), func(_ context.Context, host string, _ int, tls bool) (net.Conn, error) {
		if host != "127.0.0.1" || tls {
			return nil, errors.New("asked for another connection")
		}
		return nil, fault.New(fault.Denied, "connect", "not there")
	})
	if _, err := run(ctx, httpGet(), getIn{URL: srv.URL}); fault.KindOf(err) != fault.Denied || len(asked()) != before {
		t.Errorf("%v %v", err, asked())
	}
}

// serveAnswers serves an answer of each kind by its path. asked returns the requests that came.
func serveAnswers(t *testing.T, other string) (srv *httptest.Server, asked func() []string) {
	var mu sync.Mutex
	var seen []string
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Method+" "+r.URL.Path+" "+r.Header.Get("X-Team"))
		mu.Unlock()
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other+"/x", http.StatusTemporaryRedirect)
		case "/big":
			_, _ = fmt.Fprint(w, strings.Repeat("y", 4*maxText))
		case "/no":
			http.Error(w, "no such thing", http.StatusConflict)
		case "/hang":
			<-r.Context().Done()
		default:
			_, _ = fmt.Fprint(w, "ready")
		}
	}))
	t.Cleanup(srv.Close)
	return srv, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}
}
