package heal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// facts are what a page says of a control before anything is pressed.
type facts struct {
	Path, Role, Name string
	Nth              int
}

// act is something that a page was really given.
type act struct {
	Type  string
	Right bool // it was given to the control of the pair
	Also  bool // to something on the way to it
	What  string
	Name  string
}

// seen is what the server knows of a pair in a mode.
type seen struct {
	ready bool
	now   *facts // of the control, nil when it is gone
	lie   *facts
	also  *facts
	acts  []act
}

// server serves the pages of all pairs, version A or B, and hears what is done on them.
type server struct {
	*httptest.Server
	t     testing.TB
	probe string
	pairs map[string]*pair

	mu   sync.Mutex
	mode string // "" serves version A
	seen map[string]*seen
}

func serve(t testing.TB, pairs []*pair) *server {
	t.Helper()
	probe, err := os.ReadFile(filepath.Join("testdata", "probe.js"))
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(probe), "\n(cfg)")
	s := &server{t: t, probe: "(cfg)" + strings.TrimSpace(code), pairs: map[string]*pair{}, seen: map[string]*seen{}}
	for _, p := range pairs {
		s.pairs[p.key] = p
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// address is that of a pair's page, the same in both versions.
func (s *server) address(p *pair) string { return s.URL + "/k/" + p.key + "/" + p.a.Page }

// turn serves version B from now on, for a mode, or A.
func (s *server) turn(mode string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mode = mode
}

// of is what is known of a pair in a mode.
func (s *server) of(mode string, p *pair) *seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at(mode, p.key)
}

func (s *server) at(mode, key string) *seen {
	if s.seen[mode+" "+key] == nil {
		s.seen[mode+" "+key] = &seen{}
	}
	return s.seen[mode+" "+key]
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, key, _ := strings.Cut(r.URL.Path, "/k/")
	key, file, _ := strings.Cut(key, "/")
	p := s.pairs[key]
	s.mu.Lock()
	mode := s.mode
	s.mu.Unlock()
	switch {
	case p == nil:
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		s.hear(w, r, mode, key, file)
	default:
		s.file(w, r, p, mode, file)
	}
}

// hear keeps what a page posts.
func (s *server) hear(w http.ResponseWriter, r *http.Request, mode, key, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at(mode, key)
	var err error
	switch what {
	case "truth":
		var a act
		err = json.NewDecoder(r.Body).Decode(&a)
		at.acts = append(at.acts, a)
	case "facts":
		var f struct {
			Ready      bool
			Facts, Lie *facts
			Also       *facts
			Error      string
		}
		err = json.NewDecoder(r.Body).Decode(&f)
		if f.Error != "" {
			s.t.Errorf("%s, %s: the script of the pair fails: %s", key, mode, f.Error)
		}
		at.ready, at.now, at.lie, at.also = f.Ready, f.Facts, f.Lie, f.Also
	}
	if err != nil {
		s.t.Errorf("%s posts no JSON: %v", key, err)
	}
	w.WriteHeader(http.StatusNoContent)
}

// file serves a file of a page's package, and the page with the probe in it.
func (s *server) file(w http.ResponseWriter, r *http.Request, p *pair, mode, name string) {
	pg := p.a
	if mode != "" {
		pg = p.b
	}
	isPage := name == p.a.Page
	if isPage {
		name = pg.Page
	}
	full := filepath.Join("node_modules", filepath.FromSlash(pg.Root), filepath.FromSlash(path.Clean("/"+name)))
	if pg.Root == "" {
		full = filepath.Join("testdata", "pages", filepath.FromSlash(path.Clean("/"+name)))
	}
	if lib, ok := strings.CutPrefix(name, "lib/"); ok && pg.Root == "" {
		full = filepath.Join("node_modules", filepath.FromSlash(path.Clean("/"+lib)))
	}
	w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:")
	if !isPage {
		w.Header().Set("Cache-Control", "max-age=3600")
		http.ServeFile(w, r, full)
		return
	}
	data, err := os.ReadFile(full)
	if err != nil {
		s.t.Errorf("%s: %v", p.key, err)
		http.NotFound(w, r)
		return
	}
	head := fmt.Sprintf("<script>(%s)(%s)</script>", s.probe, s.config(p, mode))
	if dir := path.Dir(pg.Page); dir != path.Dir(p.a.Page) {
		head = fmt.Sprintf("<base href=%q>", "/k/"+p.key+"/"+strings.TrimPrefix(dir+"/", "./")) + head
	}
	at := strings.Index(strings.ToLower(string(data)), "<head>")
	body := head + string(data)
	if at >= 0 {
		body = string(data[:at+6]) + head + string(data[at+6:])
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
	_, _ = w.Write([]byte(body))
}

// config is what the probe is told.
func (s *server) config(p *pair, mode string) string {
	c := map[string]any{"base": "/k/" + p.key + "/", "at": p.At, "truth": p.At, "setup": p.Setup, "do": p.Do, "also": p.Also, "same": p.Same,
		"ready": p.Ready}
	if mode != "" {
		c["change"], c["truth"], c["gone"], c["lie"], c["ready"] = p.Change, p.Now, p.Gone, p.Lie, or(p.Then, p.Ready)
		if p.Now != "" && p.a != p.b {
			c["at"] = p.Now
		}
	}
	raw, err := json.Marshal(c)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(raw)
}
