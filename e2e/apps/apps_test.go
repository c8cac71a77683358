package apps

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

var (
	withApps = flag.Bool("apps", false, "replay on the npm packages (run `make e2e-apps`, which installs them)")
	repeat   = flag.String("repeat", "20", "how often each trail is replayed")
	jobs     = flag.String("jobs", "1", "how many are replayed at once")
	serve    = flag.String("serve", "", "only serve the pages on this address, for recording")
)

// minActions is how much a trail must do to count: a short one proves little about a page.
const minActions = 15

// apps are the pages nobody here wrote, each with a way to break it that only the last thing its trail verifies can
// notice.
var apps = []struct {
	name     string
	breaks   edit
	says     string // in the failure that this must be
	explains string // in its hint or candidates: what there is instead
}{
	{"swagger", edit{"library.json", "All open loans", "Loans of everybody"}, "All open loans", "Loans of everybody"},
	{"tinymce", edit{"tinymce.html", "const html = tinymce.get('letter').getContent()",
		"const html = tinymce.get('letter').getContent().replace(/<.?em>/g, '')"}, "<em>see</em>", "Come and see"},
	{"shoelace", edit{"shoelace.html", "dialog.hide(); document.getElementById('status')", "document.getElementById('status')"}, "Confirm trip", "to be gone"},
}

// edit changes a page on its way to the browser.
type edit struct{ file, was, now string }

// pages serves the test pages, the packages under /lib and a small books API.
func pages(t *testing.T, edits ...edit) http.Handler {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/lib/", http.StripPrefix("/lib/", http.FileServerFS(os.DirFS("node_modules"))))
	mux.Handle("/", http.FileServerFS(os.DirFS("pages")))
	answer := func(status int, mime, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mime)
			w.WriteHeader(status)
			if _, err := w.Write([]byte(body)); err != nil {
				t.Log(err)
			}
		}
	}
	for _, e := range edits {
		data, err := os.ReadFile(filepath.Join("pages", e.file))
		if err != nil || !bytes.Contains(data, []byte(e.was)) {
			t.Fatalf("nothing to edit in %s (%v)", e.file, err)
		}
		mime := map[string]string{".html": "text/html; charset=utf-8", ".json": "application/json"}[filepath.Ext(e.file)]
		mux.HandleFunc("/"+e.file, answer(http.StatusOK, mime, strings.ReplaceAll(string(data), e.was, e.now)))
	}
	const book, asJSON = `{"id": 7, "title": "The Long Ships", "shelf": "history"}`, "application/json"
	mux.HandleFunc("GET /api/books/7", answer(http.StatusOK, asJSON, book))
	mux.HandleFunc("GET /api/books/", answer(http.StatusNotFound, asJSON, `{"error": "no such book"}`))
	mux.HandleFunc("GET /api/books", answer(http.StatusOK, asJSON, "["+book+"]"))
	mux.HandleFunc("POST /api/books", answer(http.StatusCreated, asJSON, book))
	mux.HandleFunc("GET /api/loans", answer(http.StatusOK, asJSON, `[{"book": 7, "reader": "Orm"}]`))
	return mux
}

func TestServe(t *testing.T) {
	if *serve == "" {
		t.Skip("only with -serve, to record trails by hand")
	}
	t.Log(http.ListenAndServe(*serve, pages(t)))
}

// TestApps replays each trail many times and expects every one to pass at its first attempt; and once on the broken
// app, where it must fail, and say why: otherwise all that green would mean nothing.
func TestApps(t *testing.T) {
	if !*withApps {
		t.Skip("needs npm packages: run `make e2e-apps`")
	}
	binary := build(t)
	srv := httptest.NewServer(pages(t))
	defer srv.Close()
	for _, app := range apps {
		file := filepath.Join("trails", app.name+".trail.yaml")
		t.Run(app.name, func(t *testing.T) {
			out, err := run(t, binary, file, "--arg", "base="+srv.URL, "--repeat", *repeat, "--jobs", *jobs)
			if err != nil {
				t.Errorf("%v\n%s", err, out.text)
			}
			t.Logf("%v, median %d ms", out.Totals, out.median())
		})
		t.Run(app.name+" broken", func(t *testing.T) {
			bad := httptest.NewServer(pages(t, app.breaks))
			defer bad.Close()
			out, err := run(t, binary, file, "--arg", "base="+bad.URL)
			var exit *exec.ExitError
			if e, ok := errors.AsType[*exec.ExitError](err); ok {
				exit = e
			}
			if exit == nil || exit.ExitCode() != 1 || len(out.Trails) != 1 || out.Trails[0].Failure == nil {
				t.Fatalf("the trail ended with %v, want exit status 1 and a failure\n%s", err, out.text)
			}
			last, fail := out.Trails[0], out.Trails[0].Failure
			if want := steps(t, file); last.Steps != want {
				t.Errorf("it failed in step %d of %d: %s", last.Steps, want, fail.Message)
			}
			if !strings.Contains(fail.Message, app.says) || !strings.Contains(string(last.raw), app.explains) {
				t.Errorf("the failure says neither %q nor %q:\n%s", app.says, app.explains, out.text)
			}
		})
	}
}

// report is what `run --json` prints.
type report struct {
	Totals map[string]int `json:"totals"`
	Trails []result       `json:"trails"`
	text   string
}

type result struct {
	Steps      int   `json:"steps"`
	DurationMS int64 `json:"durationMs"`
	Failure    *struct {
		Message string `json:"message"`
	} `json:"failure"`
	raw json.RawMessage
}

// UnmarshalJSON keeps the whole text as well, in which an explanation can stand anywhere.
func (r *result) UnmarshalJSON(data []byte) error {
	type plain result
	r.raw = slices.Clone(data)
	return json.Unmarshal(data, (*plain)(r))
}

func (r report) median() int64 {
	var all []int64
	for _, t := range r.Trails {
		all = append(all, t.DurationMS)
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)/2]
}

// run plays the trail without retries, in one process.
func run(t *testing.T, binary, file string, flags ...string) (report, error) {
	t.Helper()
	args := append([]string{"run", file, "--retries", "0", "--no-report", "--json"}, flags...)
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Env = append(os.Environ(), "TRAILBLAZE_HOME="+t.TempDir())
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	runErr := cmd.Run()
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v: output is not JSON: %v\n%s\n%s", runErr, err, out.String(), errs.String())
	}
	r.text = out.String() + errs.String()
	return r, runErr
}

// TestTrailsAreRecordings proves that the trails do enough, and that every element they act on is told by a
// fingerprint.
func TestTrailsAreRecordings(t *testing.T) {
	for _, app := range apps {
		t.Run(app.name, func(t *testing.T) {
			n := 0
			for _, s := range read(t, filepath.Join("trails", app.name+".trail.yaml")).Resolve([]string{"web"}) {
				for _, c := range s.Calls {
					if !verifies(c.Call) {
						n++
					}
					args := string(c.Args)
					if strings.Contains(args, "nodeSelector") && !strings.Contains(args, "fingerprint") && !strings.HasPrefix(c.Name, "assertNot") {
						t.Errorf("%s %s has no fingerprint", c.Name, args)
					}
				}
			}
			if n < minActions {
				t.Errorf("it has %d actions, want at least %d", n, minActions)
			}
		})
	}
}

func verifies(c tool.Call) bool {
	return strings.HasPrefix(c.Name, "web_verify") || strings.HasPrefix(c.Name, "assert")
}

func steps(t *testing.T, file string) int {
	t.Helper()
	return len(read(t, file).Steps)
}

func read(t *testing.T, file string) *trail.Trail {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tr, problems := trail.Parse(file, data, trail.Strict)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return tr
}

func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "trailblaze")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", binary, "../../cmd/trailblaze")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return binary
}
