package apps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// variant is a change to an app's pages. The first three harm nobody: what a person does on the page stays the same.
type variant struct {
	name    string
	banner  bool // a notice above everything else
	renamed bool // ids and classes have other names, in the page, its scripts and its styles
	row     bool // every list has one more row, on top where the app puts new ones
	broken  bool // the app has the fault that its flow names
}

var variants = []variant{{name: "plain"}, {name: "banner", banner: true}, {name: "renamed", renamed: true}, {name: "row", row: true}}

const banner = `addEventListener('DOMContentLoaded', () => {
  const bar = document.createElement('div');
  bar.style.cssText = 'background: #ffe9a8; color: #222; padding: 14px 20px; font: 15px sans-serif; text-align: left';
  bar.innerHTML = 'Our terms have moved to <a href="/terms.html">a page of their own</a>. <button type="button">Dismiss</button>';
  document.body.prepend(bar);
});`

// site serves the pages of a flow in a variant, and keeps the states that pages report.
type site struct {
	*httptest.Server
	mu     sync.Mutex
	states []string
}

func serveFlow(t *testing.T, f *flow, v variant) *site {
	t.Helper()
	s := &site{}
	var head strings.Builder
	if v.banner {
		head.WriteString("<script>" + banner + "</script>")
	}
	if v.row {
		fmt.Fprintf(&head, "<script>window.extraRow = true; for (const [k, v] of Object.entries(%s)) if (localStorage.getItem(k) === "+
			"null) localStorage.setItem(k, v)</script>", seeds(t, f))
	}
	if v.broken {
		head.WriteString("<script>" + f.breaks + "</script>")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/bundle/", bundle(t))
	mux.HandleFunc("POST /report", func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.states = append(s.states, canonical(t, string(data)))
	})
	for _, file := range []string{"/todomvc.js", "/todomvc.css"} { // todomvc-react asks for these at the root
		mux.HandleFunc(file, func(w http.ResponseWriter, r *http.Request) {
			http.ServeFile(w, r, filepath.Join("node_modules", "todomvc-react", "dist", filepath.Base(r.URL.Path)))
		})
	}
	mux.Handle("/", pages(t))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ext := filepath.Ext(r.URL.Path)
		if strings.HasSuffix(r.URL.Path, "/") {
			ext = ".html"
		}
		if ext != ".html" && (!v.renamed || ext != ".js" && ext != ".jsx" && ext != ".css" && ext != ".json") {
			mux.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Range")
		r.Header.Del("If-Modified-Since")
		rec := httptest.NewRecorder()
		mux.ServeHTTP(rec, r)
		body := rec.Body.String()
		if v.renamed {
			body = f.rename(body)
		}
		if ext == ".html" {
			body = strings.Replace(body, "<head>", "<head>"+head.String(), 1)
		}
		for k, vs := range rec.Header() {
			if k != "Content-Length" && k != "Last-Modified" {
				w.Header()[k] = vs
			}
		}
		w.WriteHeader(rec.Code)
		if _, err := io.Copy(w, strings.NewReader(body)); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// bundle makes one script of a module in pages and the packages it imports, when it is first asked for.
func bundle(t *testing.T) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/bundle/")
		code, err := bundled(name)
		if err != nil {
			t.Error(err)
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		if _, err := w.Write(code); err != nil {
			t.Log(err)
		}
	}
}

var bundles sync.Map

func bundled(name string) ([]byte, error) {
	once, _ := bundles.LoadOrStore(name, sync.OnceValues(func() ([]byte, error) {
		out := api.Build(api.BuildOptions{EntryPoints: []string{filepath.Join("pages", name)}, Bundle: true, Format: api.FormatIIFE,
			Target: api.ES2022, MinifySyntax: true, MinifyWhitespace: true, LogLevel: api.LogLevelSilent})
		if len(out.Errors) > 0 {
			return nil, fmt.Errorf("bundle %s: %s", name, out.Errors[0].Text)
		}
		return out.OutputFiles[0].Contents, nil
	}))
	return once.(func() ([]byte, error))()
}

// canonical writes JSON in one way, so that states can be compared as text.
func canonical(t *testing.T, s string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Errorf("%v: not JSON: %s", err, s)
		return s
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Error(err)
	}
	return strings.TrimSpace(b.String())
}
