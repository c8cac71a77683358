package auth

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestPage: the page is read without the token, under every other check, and nothing else is.
func TestPage(t *testing.T) {
	in := &behind{}
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "page") })
	srv := httptest.NewServer(New(token, in).WithPage(page, "/docs"))
	defer srv.Close()
	for request, want := range map[string]int{
		"GET /docs HTTP/1.1\nHost: 127.0.0.1\n\n":                              200,
		"GET /docs/docs.js HTTP/1.1\nHost: localhost\n\n":                      200,
		"GET /docs HTTP/1.1\nHost: evil.example\n\n":                           403,
		"GET /docs HTTP/1.1\nHost: 127.0.0.1\nOrigin: http://evil.example\n\n": 403,
		"GET /docs HTTP/1.1\nHost: 127.0.0.1\nAuthorization: Bearer wrong\n\n": 401,
		"POST /docs HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 0\n\n":          401,
		"GET /docsmore HTTP/1.1\nHost: 127.0.0.1\n\n":                          401,
		"GET /v1/openapi.json HTTP/1.1\nHost: 127.0.0.1\n\n":                   401,
	} {
		if status, body := knock(t, srv.Listener, request); status != want {
			t.Errorf("%q: %d %s, want %d", request, status, body, want)
		}
	}
	if n := in.Load(); n != 0 {
		t.Errorf("%d requests came through", n)
	}
}

// TestHTTP2: the checks hold for HTTP/2 as clients of gRPC speak it.
func TestHTTP2(t *testing.T) {
	in := &behind{}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: New(token, in), Protocols: new(http.Protocols)} //nolint:gosec // a test
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	defer func() { _ = srv.Close(); <-done }()
	wire := &http.Transport{Protocols: new(http.Protocols)}
	wire.Protocols.SetUnencryptedHTTP2(true)
	defer wire.CloseIdleConnections()
	for _, c := range []struct {
		key, value string
		want       int
	}{
		{"Authorization", "Bearer " + token, 200},
		{"Authorization", "Bearer wrong", 401},
		{"X-None", "", 401},
		{"Authorization", "Bearer " + token, 200},
		{"Origin", "http://evil.example", 403},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String()+"/", nil)
		r.Header.Set(c.key, c.value)
		resp, err := wire.RoundTrip(r)
		if err != nil {
			t.Fatalf("%s: %v", c.value, err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != c.want || resp.ProtoMajor != 2 {
			t.Errorf("%s %s: %d over %s", c.key, c.value, resp.StatusCode, resp.Proto)
		}
	}
	if n := in.Load(); n != 2 {
		t.Errorf("%d requests came through", n)
	}
}
