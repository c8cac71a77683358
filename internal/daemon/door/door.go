// Package door decides who may speak to the daemon: whoever has the token of this boot, calls it by a loopback name, and is
// no web page of another origin. It stands before every route of every listener, upgrades and static files included.
//
//	srv := &http.Server{Handler: door.New(token, mux)}
package door

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Host is the name by which clients call the daemon over its socket.
const Host = "trailblaze"

// Door checks requests before it lets them to what is behind.
type Door struct {
	token  [sha256.Size]byte
	behind http.Handler
}

// New puts a door before a handler.
func New(token string, behind http.Handler) *Door {
	return &Door{token: sha256.Sum256([]byte(token)), behind: behind}
}

// ServeHTTP lets a request in or refuses it. The order matters: a page that a browser shows must not learn whether it
// guessed a token.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "frame-ancestors 'none'")
	switch {
	case !LocalHost(r.Host) && !(r.Host == Host && bySocket(r)):
		Refuse(w, http.StatusForbidden, "denied", "the Host header "+quote(r.Host)+" is not a loopback name",
			"Call the daemon as 127.0.0.1 or localhost. A page that reached it under another name is an attack.")
	case !localOrigin(r):
		Refuse(w, http.StatusForbidden, "denied", "requests from the origin "+quote(r.Header.Get("Origin"))+" are refused",
			"Only pages that the daemon serves itself may call it.")
	case !d.knows(r.Header.Get("Authorization")):
		h.Set("WWW-Authenticate", `Bearer realm="trailblaze"`)
		Refuse(w, http.StatusUnauthorized, "denied", "the token of this daemon is missing or wrong",
			"Send Authorization: Bearer <token>; the token is in daemon.json, which `trailblaze daemon status` names. It changes with every start.")
	default:
		d.behind.ServeHTTP(w, r)
	}
}

// knows compares in constant time, whatever was sent.
func (d *Door) knows(header string) bool {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(sum[:], d.token[:]) == 1
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

// bySocket says whether a request came over the unix socket, where no browser can come from: only there the daemon has a
// name that others might have given to a machine.
func bySocket(r *http.Request) bool {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && at.Network() == "unix"
}

// localOrigin says whether the request comes from no page at all, or from one of the daemon's own: same name, same port.
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
	u, err := url.Parse(origins[0])
	if err != nil || u.Scheme != "http" || u.User != nil || u.Path != "" || u.RawQuery != "" {
		return false
	}
	return strings.EqualFold(u.Host, r.Host)
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

// Refuse answers with an error that says what to do: {"error": {"kind", "message", "hint"}}.
func Refuse(w http.ResponseWriter, status int, kind, message, hint string) {
	type text struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
	}
	body, err := json.Marshal(map[string]text{"error": {kind, message, hint}})
	if err != nil {
		body = []byte(`{"error":{"kind":"internal","message":"refused"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
