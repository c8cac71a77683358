package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

const (
	codeLife = time.Minute    // in which a code signs a page in
	pageLife = 12 * time.Hour // of a signed-in page
	maxPages = 64             // signed in at once; the oldest is signed out
	maxCodes = 64
	maxKept  = 64 << 10

	pageCookie = "trailblaze-page"
	pageHeader = "Trailblaze-Page"
	apiPrefix  = "/trailblaze.v1."
)

// pages holds the pages that a person has signed in. A signed-in page shows two things: a cookie, which its scripts
// cannot read but which the browser also sends to other ports of this machine, and a key, which only pages of this
// origin can read. Of both only hashes are kept.
type pages struct {
	mu     sync.Mutex
	codes  []*signCode // oldest first
	signed []signedPage
	file   string // keeps the signed-in pages for the next daemon; "": nothing does
	now    func() time.Time
}

// signCode signs one page in.
type signCode struct {
	hash, workspace string
	until           time.Time
	cookie          string // hash of the cookie that it was exchanged for; "": it was not
}

// signedPage is a page that may call the API.
type signedPage struct {
	Cookie string    `json:"cookie"` // hash
	Key    string    `json:"key"`    // hash
	Until  time.Time `json:"until"`
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// keep keeps the signed-in pages in a file, from which the next daemon takes them.
func (p *pages) keep(path string) {
	p.file = path
	if data, err := file.Read(path, maxKept); err == nil {
		_ = json.Unmarshal(data, &p.signed) // pages of a file that cannot be read sign in again
	}
}

// code makes a code that signs one page in.
func (p *pages) code(workspace string) string {
	code := rand.Text()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tidy()
	p.codes = append(p.codes, &signCode{hash: hashOf(code), workspace: workspace, until: p.now().Add(codeLife)})
	return code
}

// tidy forgets what is too old or too much. The lock is held.
func (p *pages) tidy() {
	now := p.now()
	p.codes = slices.DeleteFunc(p.codes, func(c *signCode) bool { return now.After(c.until) })
	p.codes = p.codes[max(len(p.codes)-maxCodes, 0):]
	p.signed = slices.DeleteFunc(p.signed, func(s signedPage) bool { return now.After(s.Until) })
	p.signed = p.signed[max(len(p.signed)-maxPages, 0):]
}

// save writes the signed-in pages down. The lock is held.
func (p *pages) save() {
	if p.file == "" {
		return
	}
	if data, err := json.Marshal(p.signed); err == nil {
		_ = file.Replace(p.file, data) // without it the pages sign in again at the next daemon
	}
}

// exchange makes a cookie and a key of a code. A code that comes twice was seen by another: the page that it signed in
// is signed out.
func (p *pages) exchange(code string) (cookie, key, workspace string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tidy()
	i := slices.IndexFunc(p.codes, func(c *signCode) bool { return c.hash == hashOf(code) })
	if i < 0 {
		return "", "", "", false
	}
	defer p.save()
	if used := p.codes[i].cookie; used != "" {
		p.signed = slices.DeleteFunc(p.signed, func(s signedPage) bool { return s.Cookie == used })
		return "", "", "", false
	}
	cookie, key = rand.Text(), rand.Text()
	p.codes[i].cookie = hashOf(cookie)
	p.signed = append(p.signed, signedPage{hashOf(cookie), hashOf(key), p.now().Add(pageLife)})
	return cookie, key, p.codes[i].workspace, true
}

// find returns the place of the page that sent a request, -1 for none. The lock is held.
func (p *pages) find(r *http.Request) int {
	cookie, err := r.Cookie(pageCookie)
	key := r.Header.Get(pageHeader)
	if err != nil || key == "" {
		return -1
	}
	p.tidy()
	return slices.IndexFunc(p.signed, func(s signedPage) bool {
		return s.Cookie == hashOf(cookie.Value) && s.Key == hashOf(key)
	})
}

// admit reports whether a request comes from a signed-in page and is a call of the typed API, the only thing that a
// page may ask for.
func (p *pages) admit(r *http.Request) bool {
	if r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, apiPrefix) || len(r.Header.Values("Origin")) != 1 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.find(r) >= 0
}

// The paths at which a page signs in and out.
const (
	signIn  = "/app/sign-in"
	signOut = "/app/sign-out"
)

// serve signs a page in or out.
func (p *pages) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	w.Header().Set("Cache-Control", "no-store")
	set := http.Cookie{Name: pageCookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		MaxAge: int(pageLife.Seconds())}
	if r.URL.Path == signOut {
		p.mu.Lock()
		defer p.mu.Unlock()
		if i := p.find(r); i >= 0 {
			p.signed = slices.Delete(p.signed, i, i+1)
			p.save()
			set.MaxAge = -1
			http.SetCookie(w, &set)
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	var in struct{ Code string }
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refuseTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<10))
	if err != nil || media != "application/json" || json.Unmarshal(body, &in) != nil {
		Refuse(w, http.StatusBadRequest, "invalid", "the body is not a code", `POST {"code": "…"} as application/json.`)
		return
	}
	var answer struct {
		Key       string `json:"key"`
		Workspace string `json:"workspace"`
	}
	var ok bool
	if set.Value, answer.Key, answer.Workspace, ok = p.exchange(in.Code); !ok {
		Refuse(w, http.StatusUnauthorized, "denied", "the code was used before, or is older than a minute",
			"Run `trailblaze app` again for a new one.")
		return
	}
	http.SetCookie(w, &set)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}
