// Package auth admits requests to the daemon: those with the token of this start, under a loopback
// name, and not from a web page of another origin. It stands before every route of every listener,
// upgrades and static files included.
//
//	srv := &http.Server{Handler: auth.New(token, mux)}
package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Host is the name by which clients call the daemon over its socket.
const Host = "trailblaze"

// Checks holds the token, and checks requests before it passes them to a handler.
type Checks struct {
	token  [sha256.Size]byte
	open   bool // nobody needs the token
	behind http.Handler

	paths []string     // of page, which needs no token
	page  http.Handler // nil: there is none
	pages pages        // that a person has signed in
}

// WithPage lets pages, and what is below their paths, be read without the token; the other checks hold for them too.
// Their handler sees nothing else, and their connections end with the answer, as all without a token do.
func (c *Checks) WithPage(page http.Handler, paths ...string) *Checks {
	c.paths, c.page = paths, page
	return c
}

// KeepPages keeps the signed-in pages in a file, from which the next daemon takes them.
func (c *Checks) KeepPages(path string) *Checks {
	c.pages.keep(path)
	return c
}

// Code returns a code that signs one page of the viewer in, within a minute. The page learns the workspace.
func (c *Checks) Code(workspace string) string { return c.pages.code(workspace) }

// signing reports whether a request signs a page in or out. It needs no token.
func (c *Checks) signing(r *http.Request) bool {
	return c.page != nil && r.Method == http.MethodPost && (r.URL.Path == signIn || r.URL.Path == signOut)
}

func (c *Checks) shows(r *http.Request) bool {
	return c.page != nil && r.Method == http.MethodGet && r.Header.Get("Authorization") == "" &&
		slices.ContainsFunc(c.paths, func(path string) bool {
			return r.URL.Path == path || strings.HasPrefix(r.URL.Path, path+"/")
		})
}

// Open puts the checks before a handler that itself decides who may do what: all of them but that of the token.
func Open(behind http.Handler) *Checks { return &Checks{open: true, behind: behind} }

// New puts the checks before a handler.
func New(token string, behind http.Handler) *Checks {
	return &Checks{token: sha256.Sum256([]byte(token)), behind: behind, pages: pages{now: time.Now}}
}

// ServeHTTP passes a request on or refuses it. The order matters: a web page must not learn whether
// it guessed a token.
func (c *Checks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "frame-ancestors 'none'")
	if c.refuses(w, r) {
		return
	}
	if c.signing(r) {
		c.pages.serve(w, r)
		return
	}
	if c.shows(r) {
		h.Set("Connection", "close")
		c.page.ServeHTTP(w, r)
		return
	}
	c.behind.ServeHTTP(w, r)
}

// refuses checks a request and answers one that fails. The connection ends with it: a client
// without the token must not keep one open, not even with a body that never comes, because an open
// connection keeps the daemon from ending when idle.
func (c *Checks) refuses(w http.ResponseWriter, r *http.Request) bool {
	no := func(status int, message, hint string) bool {
		w.Header().Set("Connection", "close")
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refuseTime))
		Refuse(w, status, "denied", message, hint)
		return true
	}
	switch {
	case !LocalHost(r.Host) && !(r.Host == Host && bySocket(r)):
		return no(http.StatusForbidden, "the Host header "+quote(r.Host)+" is not a loopback name",
			"Call the daemon as 127.0.0.1 or localhost. A page that reached it under another name is an attack.")
	case !localOrigin(r):
		return no(http.StatusForbidden, "requests from the origin "+quote(r.Header.Get("Origin"))+" are refused",
			"Only pages that the daemon serves itself may call it.")
	case !c.open && !c.shows(r) && !c.signing(r) && !c.knows(r.Header.Get("Authorization")) && !c.pages.admit(r):
		w.Header().Set("WWW-Authenticate", `Bearer realm="trailblaze"`)
		return no(http.StatusUnauthorized, "the token of this daemon is missing or wrong",
			"Send Authorization: Bearer <token>; the token is in daemon.json, which `trailblaze daemon status` names. It "+
				"changes with every start.")
	case r.ProtoMajor == 1 && (len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1)):
		// net/http drops the Content-Length of a request that has a Transfer-Encoding too, and in HTTP/1.0 the latter.
		// Another reader may see the end of its body elsewhere, so what comes behind it is not read.
		w.Header().Set("Connection", "close")
	}
	return false
}

// knows compares in constant time.
func (c *Checks) knows(header string) bool {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(sum[:], c.token[:]) == 1
}

// LocalHost says whether a Host header names this machine's loopback.
func LocalHost(host string) bool {
	name, port, err := net.SplitHostPort(host)
	switch {
	case err == nil && !digits(port):
		return false
	case err == nil && name == "::1":
		return host[0] == '['
	case err != nil && host == "[::1]":
		return true
	case err != nil:
		name = host
	}
	return strings.EqualFold(name, "localhost") || name == "127.0.0.1"
}

// bySocket says whether a request came over the unix socket, which no browser can reach. Only there
// the name trailblaze is allowed: on a network it might belong to a machine.
func bySocket(r *http.Request) bool {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && at.Network() == "unix"
}

// localOrigin says whether the request comes from no page at all, or from one of the daemon's own: same name, same
// port.
func localOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return false
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	if len(origins) > 1 {
		return false
	}
	return strings.EqualFold(origins[0], "http://"+r.Host) // to the letter: an origin has nothing behind its port
}

func digits(s string) bool {
	return s != "" && len(s) <= 5 && strings.Trim(s, "0123456789") == ""
}

func quote(s string) string {
	if len(s) > 100 {
		s = s[:100] + "…"
	}
	b, _ := json.Marshal(s)
	return string(b)
}
