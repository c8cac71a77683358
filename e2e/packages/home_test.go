package packages

import (
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestNothingCallsHome: of commands that people use every day, the browser's requests included, none leaves the machine.
// All that goes elsewhere would go through the proxy of the environment, which counts. Only upgrade --check does.
func TestNothingCallsHome(t *testing.T) {
	h := newHouse(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked := []string{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			head := make([]byte, 200)
			n, _ := c.Read(head)
			line, _, _ := strings.Cut(string(head[:n]), "\r\n")
			mu.Lock()
			asked = append(asked, line)
			mu.Unlock()
			_ = c.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	proxy := "http://" + l.Addr().String()
	h.env = append(h.env, "HTTP_PROXY="+proxy, "HTTPS_PROXY="+proxy, "http_proxy="+proxy, "https_proxy="+proxy)
	program := filepath.Join(unpacked(t, h), "trailblaze")
	trail := filepath.Join(h.repo, "internal/ground/demo/trails/01-shop.trail.yaml")
	for _, line := range [][]string{
		{"version"}, {"--help"}, {"config", "explain"}, {"check", trail}, {"toolbox", "--search", "click"}, {"doctor"},
		{"run", trail, "--memory", "shop=" + h.shop}, {"tool", "web_navigate", "url=" + h.shop, "-s", "Open the shop"}, {"snapshot"},
		{"daemon", "stop"},
	} {
		h.run(t, program, line...)
		mu.Lock()
		if len(asked) > 0 {
			t.Errorf("%q sent %q", line, asked)
		}
		asked = asked[:0]
		mu.Unlock()
	}
	if code := exitCode(h.command(t, program, "upgrade", "--check").Run()); code != 2 || len(asked) != 1 ||
		asked[0] != "CONNECT api.github.com:443 HTTP/1.1" {
		t.Errorf("upgrade --check: exit status %d, asked %q; want one request to api.github.com", code, asked)
	}
}
