package apps

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/trail"
)

var (
	withApps = flag.Bool("apps", false, "replay on the npm packages (run `make e2e-apps`, which installs them)")
	repeat   = flag.String("repeat", "20", "how often each trail is replayed")
	serve    = flag.String("serve", "", "only serve the pages on this address, for recording")
)

// minActions is how much a trail must do to count: a short one proves little about a page.
const minActions = 15

// pages serves the test pages, the packages under /lib and a small books API.
func pages(t *testing.T) http.Handler {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/lib/", http.StripPrefix("/lib/", http.FileServerFS(os.DirFS("node_modules"))))
	mux.Handle("/", http.FileServerFS(os.DirFS("pages")))
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			if _, err := w.Write([]byte(body)); err != nil {
				t.Log(err)
			}
		}
	}
	const book = `{"id": 7, "title": "The Long Ships", "shelf": "history"}`
	mux.HandleFunc("GET /api/books/7", answer(http.StatusOK, book))
	mux.HandleFunc("GET /api/books/", answer(http.StatusNotFound, `{"error": "no such book"}`))
	mux.HandleFunc("GET /api/books", answer(http.StatusOK, "["+book+"]"))
	mux.HandleFunc("POST /api/books", answer(http.StatusCreated, book))
	mux.HandleFunc("GET /api/loans", answer(http.StatusOK, `[{"book": 7, "reader": "Orm"}]`))
	return mux
}

func TestServe(t *testing.T) {
	if *serve == "" {
		t.Skip("only with -serve, to record trails by hand")
	}
	t.Log(http.ListenAndServe(*serve, pages(t)))
}

func TestApps(t *testing.T) {
	if !*withApps {
		t.Skip("needs npm packages: run `make e2e-apps`")
	}
	binary := build(t)
	srv := httptest.NewServer(pages(t))
	defer srv.Close()
	files, err := filepath.Glob("trails/*.trail.yaml")
	if err != nil || len(files) < 3 {
		t.Fatalf("found %d trails (%v), want one for each app", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".trail.yaml"), func(t *testing.T) {
			if n := actions(t, file); n < minActions {
				t.Errorf("%s has %d calls, want at least %d", file, n, minActions)
			}
			replay(t, binary, file, srv.URL)
		})
	}
}

// replay runs the trail many times in one process and expects every one to pass at its first attempt.
func replay(t *testing.T, binary, file, base string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, "run", file, "--repeat", *repeat, "--retries", "0", "--arg", "base="+base, "--no-report", "--json")
	cmd.Env = append(os.Environ(), "TRAILBLAZE_HOME="+t.TempDir())
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	runErr := cmd.Run()
	var report struct {
		Totals map[string]int `json:"totals"`
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%v: output is not JSON: %v\n%s\n%s", runErr, err, out.String(), errs.String())
	}
	t.Logf("%s × %s: %v", file, *repeat, report.Totals)
	if runErr != nil {
		t.Errorf("%v\n%s\n%s", runErr, out.String(), errs.String())
	}
}

func actions(t *testing.T, file string) int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tr, problems := trail.Parse(file, data, trail.Strict)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range tr.Resolve([]string{"web"}) {
		n += len(s.Calls)
	}
	return n
}

func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "trailblaze")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../../cmd/trailblaze")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return binary
}
