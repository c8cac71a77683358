package security

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

const mark = "OUTSIDE-7c1f"

// served is a server with one page.
func served(t *testing.T, page string) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, page)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// escape is a call that reaches for a file outside of the workspace.
type escape struct {
	tool string
	args map[string]any
}

func escapes(outside, work string) []escape {
	type args = map[string]any
	return []escape{
		{"trail", args{"action": "RUN", "file": "../outside/t.trail.yaml"}},
		{"trail", args{"action": "RUN", "file": outside + "/t.trail.yaml"}},
		{"trail", args{"action": "RUN", "file": "trails/link.trail.yaml"}},
		{"trail", args{"action": "RUN", "file": "linked/t.trail.yaml"}},
		{"trail", args{"action": "RUN", "name": "../../outside/t"}},
		{"trail", args{"action": "VALIDATE", "file": "trails/linked/t.trail.yaml"}},
		{"trail", args{"action": "SAVE", "name": "x", "file": "../outside/new"}},
		{"trail", args{"action": "SAVE", "name": "x", "file": "linked/new"}},
		{"trailEdit", args{"op": "INSERT", "name": "trails/link.trail.yaml", "prompt": "x"}},
		{"trailEdit", args{"op": "DELETE", "name": "../outside/t.trail.yaml", "index": 1}},
		{"runTrail", args{"trailPath": "../outside/t.trail.yaml"}},
		{"runTrail", args{"path": "trails/link.trail.yaml"}},
		{"session", args{"action": "SAVE", "title": "x", "path": "../../outside/new"}},
		{"session", args{"action": "SAVE", "title": "x", "path": outside + "/new.trail.yaml"}},
		{"session", args{"action": "SAVE", "title": "x", "path": "linked/new"}},
		{"session", args{"action": "SAVE", "title": "x", "path": "dangling"}},
		{"session", args{"action": "INFO", "id": "../../outside"}},
		{"session", args{"action": "ARTIFACTS", "id": ".."}},
		{"session", args{"action": "DELETE", "id": ".."}},
		{"session", args{"action": "DELETE", "id": "../../outside"}},
		{"web_uploadFile", args{"ref": "File", "paths": []string{"../outside/secret.txt"}}},
		{"web_uploadFile", args{"ref": "File", "paths": []string{outside + "/secret.txt"}}},
		{"web_uploadFile", args{"ref": "File", "paths": []string{"inside.txt", "link.txt"}}},
		{"web_uploadFile", args{"ref": "File", "paths": []string{"linked/secret.txt"}}},
		{"web_uploadFile", args{"ref": "File", "paths": []string{"/etc/passwd"}}},
		{"web_navigate", args{"url": "file://" + outside + "/page.html"}},
		{"web_navigate", args{"url": "file:///etc/passwd"}},
		{"web_navigate", args{"url": "file://" + work + "/page.html"}},
		{"web_newTab", args{"url": "file:///etc/passwd"}},
		{"web_navigate", args{"url": "view-source:file:///etc/passwd"}},
		{"web_navigate", args{"url": "chrome://settings"}},
		{"web_navigate", args{"url": "javascript:alert(1)"}},
		{"device", args{"action": "WEB", "deviceId": "web/state", "storageState": "../outside/state.json"}},
		{"device", args{"action": "WEB", "deviceId": "web/state", "storageState": "state.json"}},
		{"device", args{"action": "WEB", "deviceId": "web/profile", "profile": "../../outside/state"}},
		{"device", args{"action": "WEB", "deviceId": "web/../../x"}},
	}
}

// Nothing outside the workspace is read, written or named, by dots, by absolute paths or by links (E: files).
func TestPathEscapes(t *testing.T) {
	h := newHouse(t)
	outside := filepath.Join(h.Root, "outside")
	for name, text := range map[string]string{
		"secret.txt": mark, "page.html": "<h1>" + mark + "</h1>", "state.json": `{"cookies":[],"origins":[],"x":"` + mark + `"}`,
		"t.trail.yaml": "config: {title: " + mark + ", id: out}\ntrail:\n  - step: " + mark + "\n    recording: {web: [{web_wait: {seconds: 0}}]}\n",
	} {
		if err := os.MkdirAll(outside, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h.Write("inside.txt", "inside")
	for link, to := range map[string]string{
		"link.txt": outside + "/secret.txt", "linked": outside, "trails/linked": outside, "trails/link.trail.yaml": outside + "/t.trail.yaml",
		"state.json": outside + "/state.json", "trails/dangling.trail.yaml": outside + "/new.trail.yaml", "page.html": outside + "/page.html",
	} {
		if err := os.Symlink(to, filepath.Join(h.Work, filepath.FromSlash(link))); err != nil {
			t.Skip("no links here:", err)
		}
	}
	h.Start()
	url := served(t, `<label>File <input type=file></label><button>Go</button>`)
	h.must("web_navigate", map[string]any{"url": url})
	h.must("web_click", map[string]any{"ref": "Go"})
	for _, test := range escapes(outside, h.Work) {
		a := h.call(test.tool, test.args)
		failed := a.kind() != "" || a.Result != nil && a.Result.IsError
		if !failed {
			t.Errorf("%s %v was carried out: %s", test.tool, test.args, a.raw)
		}
		if k := a.kind(); k == "internal" {
			t.Errorf("%s %v: %s", test.tool, test.args, a.raw)
		}
		if strings.Contains(a.raw, mark) || strings.Contains(a.raw, "root:x:") {
			t.Errorf("%s %v tells what is outside: %s", test.tool, test.args, a.raw)
		}
	}
	client, host := h.unix()
	for _, path := range []string{"/v1/blobs/../../etc/passwd", "/v1/blobs/%2e%2e%2f%2e%2e/x", "/v1/blobs/..%2f..%2foutside/secret.txt",
		"/v1/blobs/../x", "/v1/blobs/%2e%2e/" + strings.Repeat("a", 64)} {
		status, _, body := knock(t, client, "GET", "http://"+host+path, "", http.Header{"Authorization": {"Bearer " + h.Boot.Token}})
		if status < 300 || strings.Contains(body, mark) || strings.Contains(body, "root:x:") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	entries, err := os.ReadDir(outside)
	if err != nil || len(entries) != 4 {
		t.Errorf("outside there are now %v (%v)", entries, err)
	}
	if data, _ := os.ReadFile(filepath.Join(outside, "t.trail.yaml")); strings.Count(string(data), mark) != 2 {
		t.Errorf("a file outside was changed: %s", data)
	}
	if a := h.must("web_uploadFile", map[string]any{"ref": "File", "paths": []string{"inside.txt"}}); a.kind() != "" {
		t.Error("the file inside is refused, too: the test proves nothing")
	}
}

// The upload of a swapped file: a file of the workspace is checked, and is a link out of it when it is read. Neither of
// the two gives the page anything from outside.
func TestUploadRace(t *testing.T) {
	h := newHouse(t)
	outside := filepath.Join(h.Root, "secret.txt")
	if err := os.WriteFile(outside, []byte(mark), 0o600); err != nil {
		t.Fatal(err)
	}
	path := h.Write("a.txt", "inside")
	h.Start()
	h.must("web_navigate", map[string]any{"url": served(t, `<label>File <input type=file id=f></label>`)})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			next := filepath.Join(h.Work, "next")
			_ = os.Remove(next)
			if i%2 == 0 {
				_ = os.Symlink(outside, next)
			} else {
				_ = os.WriteFile(next, []byte("inside"), 0o600)
			}
			_ = os.Rename(next, path)
		}
	}()
	for range 15 {
		h.call("web_uploadFile", map[string]any{"ref": "File", "paths": []string{"a.txt"}})
		if got := h.call("web_evaluate", map[string]any{"script": "document.getElementById('f').files[0]?.text()"}); strings.Contains(got.raw, mark) {
			t.Errorf("the page has what is outside: %s", got.raw)
			break
		}
	}
	close(stop)
	waittest.Await(t, done, "the swapping ends")
}

// TestTitlesOnAPipe: the title, the steps and the paths of a trail give no commands to a build server or a terminal
// that shows a log.
func TestTitlesOnAPipe(t *testing.T) {
	h := newHouse(t)
	file := h.Write("trails/a.trail.yaml", "config:\n  id: a\n  title: \"A\\n::error::owned \\e]0;owned\\a\"\ntrail:\n  - step: "+
		"\"Wait\\n::set-output name=x::y\\n##vso[task.complete]\"\n    recording: {web: [{web_verifyTextVisible: {text: \"nowhere\\n"+
		"::error::z\", timeoutMs: 100}}]}\n")
	for _, args := range [][]string{{"run", file, "--no-report"}, {"check", file}, {"run", file, "--no-report", "--verbose"}} {
		out, _ := h.run(args...)
		for line := range strings.SplitSeq(out, "\n") {
			if l := strings.TrimSpace(line); strings.HasPrefix(l, "::") || strings.HasPrefix(l, "##") || strings.ContainsAny(l, "\x1b\a") {
				t.Errorf("%v: the line %q", args, line)
			}
		}
	}
}
