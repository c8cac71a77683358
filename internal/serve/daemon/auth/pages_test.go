package auth

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const api = "/trailblaze.v1.ToolService/CallTool"

// browser is a page at an origin of the server, with the cookies of the browser.
type browser struct {
	t      *testing.T
	h      http.Handler
	cookie *http.Cookie
	key    string
}

func (b *browser) send(method, path, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	b.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:1"
	r.Header.Set("Origin", "http://127.0.0.1:1")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/json")
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	if b.key != "" {
		r.Header.Set(pageHeader, b.key)
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	b.h.ServeHTTP(w, r)
	return w
}

// signIn exchanges a code and keeps what came of it.
func (b *browser) signIn(code string) *httptest.ResponseRecorder {
	b.t.Helper()
	w := b.send(http.MethodPost, signIn, fmt.Sprintf(`{"code":%q}`, code), nil)
	var answer struct{ Key, Workspace string }
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Workspace != "/w" {
			b.t.Fatalf("%v %s", err, w.Body)
		}
		b.cookie, b.key = w.Result().Cookies()[0], answer.Key
	}
	return w
}

func newPages(t *testing.T, in *behind, file string) *Checks {
	t.Helper()
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "page") })
	return New(token, in).WithPage(page, "/docs", "/app").KeepPages(file)
}

// TestPageSignsIn: a code makes a cookie that no script can read and a key; both together call the typed API and
// nothing else, from this origin alone. The next daemon knows the page, and no file holds what signs it in.
func TestPageSignsIn(t *testing.T) {
	in, file := &behind{}, filepath.Join(t.TempDir(), "pages.json")
	c := newPages(t, in, file)
	b := &browser{t: t, h: c}
	if w := b.signIn(c.Code("/w")); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if !b.cookie.HttpOnly || b.cookie.SameSite != http.SameSiteStrictMode || b.cookie.Domain != "" || b.cookie.MaxAge <= 0 {
		t.Errorf("the cookie is %v", b.cookie)
	}
	for name, c := range map[string]struct {
		method, path string
		change       func(*http.Request)
		status       int
	}{
		"a call":                 {http.MethodPost, api, nil, 200},
		"the page":               {http.MethodGet, "/app/", nil, 200},
		"no key":                 {http.MethodPost, api, func(r *http.Request) { r.Header.Del(pageHeader) }, 401},
		"a wrong key":            {http.MethodPost, api, func(r *http.Request) { r.Header.Set(pageHeader, "no") }, 401},
		"no cookie":              {http.MethodPost, api, func(r *http.Request) { r.Header.Del("Cookie") }, 401},
		"no origin":              {http.MethodPost, api, func(r *http.Request) { r.Header.Del("Origin") }, 401},
		"another port's page":    {http.MethodPost, api, func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:2") }, 403},
		"a site":                 {http.MethodPost, api, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"another name":           {http.MethodPost, api, func(r *http.Request) { r.Host = "evil.example" }, 403},
		"the API by GET":         {http.MethodGet, api, nil, 401},
		"a tool by its name":     {http.MethodPost, "/v1/tools/web_click", nil, 401},
		"the end of the daemon":  {http.MethodPost, "/v1/stop", nil, 401},
		"a code":                 {http.MethodPost, "/v1/app", nil, 401},
		"MCP":                    {http.MethodPost, "/mcp", nil, 401},
		"a path that looks like": {http.MethodPost, "/x/trailblaze.v1.ToolService/CallTool", nil, 401},
	} {
		before := in.Load()
		w := b.send(c.method, c.path, "", c.change)
		if w.Code != c.status || (in.Load() != before) != (c.status == 200 && c.path == api) {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, c.status)
		}
	}
	b.h = newPages(t, in, file)
	if w := b.send(http.MethodPost, api, "", nil); w.Code != http.StatusOK {
		t.Errorf("the next daemon: %d", w.Code)
	}
	if text := fmt.Sprint(newPages(t, in, file).pages.signed); strings.Contains(text, b.key) || strings.Contains(text, b.cookie.Value) {
		t.Error("the file signs pages in")
	}
	if w := b.send(http.MethodPost, signOut, "", nil); w.Code != http.StatusNoContent {
		t.Errorf("sign-out: %d", w.Code)
	}
	b.h = newPages(t, in, file)
	if w := b.send(http.MethodPost, api, "", nil); w.Code != http.StatusUnauthorized {
		t.Errorf("signed out, and yet: %d", w.Code)
	}
}

// TestCodeIsForOnePage: a code that comes twice was seen by another, and signs out whom it signed in; one that is too
// old, unknown or sent from elsewhere signs nobody in.
func TestCodeIsForOnePage(t *testing.T) {
	in := &behind{}
	c := newPages(t, in, "")
	now := time.Now()
	c.pages.now = func() time.Time { return now }
	thief, person := &browser{t: t, h: c}, &browser{t: t, h: c}
	code := c.Code("/w")
	if w := thief.signIn(code); w.Code != http.StatusOK {
		t.Fatal(w.Code)
	}
	if w := person.signIn(code); w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), "trailblaze app") {
		t.Errorf("a code came twice: %d %s", w.Code, w.Body)
	}
	if w := thief.send(http.MethodPost, api, "", nil); w.Code != http.StatusUnauthorized {
		t.Errorf("who used the code first stays: %d", w.Code)
	}
	old := c.Code("/w")
	now = now.Add(codeLife + time.Second)
	for _, code := range []string{old, "", "no"} {
		if w := person.signIn(code); w.Code != http.StatusUnauthorized {
			t.Errorf("%q: %d", code, w.Code)
		}
	}
	fresh := fmt.Sprintf(`{"code":%q}`, c.Code("/w"))
	for name, change := range map[string]func(*http.Request){
		"another port's page": func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:2") },
		"a form":              func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
	} {
		if w := person.send(http.MethodPost, signIn, fresh, change); w.Code < 400 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	if w := person.send(http.MethodPost, signIn, `{"code":"`+strings.Repeat("x", 2000)+`"}`, nil); w.Code != http.StatusBadRequest {
		t.Errorf("a huge body: %d", w.Code)
	}
	if w := person.signIn(c.Code("/w")); w.Code != http.StatusOK {
		t.Fatal(w.Code)
	}
	now = now.Add(pageLife + time.Second)
	if w := person.send(http.MethodPost, api, "", nil); w.Code != http.StatusUnauthorized {
		t.Errorf("after its time: %d", w.Code)
	}
	if in.Load() != 0 {
		t.Errorf("%d calls came through", in.Load())
	}
}
