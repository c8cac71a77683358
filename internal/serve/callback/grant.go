package callback

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Access returns the calls in flight in which a tool server may act: that with this id, if the server carries it out,
// and without an id those that it waits for nothing else in.
type Access func(invocationID string) []string

// Grant makes the token of one start of a tool server. A caller with it may leave out the invocation id while exactly
// one call is within its reach, and gets at no other call: not at those of another server or of another workspace. The
// token ends with revoke.
func (s *Server) Grant(r Access) (token string, revoke func()) {
	token = rand.Text() + rand.Text()
	key := sha256.Sum256([]byte(token))
	s.granted.Lock()
	defer s.granted.Unlock()
	s.grants[key] = r
	return token, func() {
		s.granted.Lock()
		defer s.granted.Unlock()
		delete(s.grants, key)
	}
}

// findAccess returns the reach of the token in an Authorization header, nil when the token is unknown.
func (s *Server) findAccess(authorization string) Access {
	token, ok := strings.CutPrefix(authorization, "Bearer ")
	if !ok {
		return nil
	}
	key := sha256.Sum256([]byte(token))
	s.granted.Lock()
	defer s.granted.Unlock()
	return s.grants[key]
}

type accessKey struct{}

// withAccess is the context of a request, with the reach of the token that it shows.
func (s *Server) withAccess(r *http.Request) context.Context {
	if reach := s.findAccess(r.Header.Get("Authorization")); reach != nil {
		return context.WithValue(r.Context(), accessKey{}, reach)
	}
	return r.Context()
}

// only is the call that a request means.
func (r Access) only(id string) (string, error) {
	found := r(id)
	switch len(found) {
	case 0:
		return "", &fault.Error{Kind: fault.NotFound, Err: unreached{id}}
	case 1:
		return found[0], nil
	}
	return "", fault.New(fault.Invalid, "call back", "%d calls of this server are in flight, so the invocation id is "+
		"needed", len(found)).WithHint("Send back the invocationId that came in the call's _meta.trailblaze.")
}

// unreached is a call that is not in flight, or not of the server that asks: the answer does not reveal which. Its
// text and code are part of the wire.
type unreached struct{ id string }

// Error is the text that the protocol promises.
func (u unreached) Error() string {
	return "Unknown invocation ID: " + u.id + ". The tool call may have completed or timed out."
}

// Code is the JSON-RPC code of it: invalid params.
func (unreached) Code() int { return -32602 }
