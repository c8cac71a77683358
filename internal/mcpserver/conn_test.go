package mcpserver

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/hub/hubtest"
)

// upgrade opens a connection as the stdio proxy does.
func (r *rig) upgrade(clientID string) (net.Conn, *bufio.Reader, *http.Response) {
	r.t.Helper()
	srv := &http.Server{Handler: r.mcp.UpgradeHandler(), ReadHeaderTimeout: timeout}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(ln)
	}()
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		_ = conn.Close()
		_ = srv.Close()
		<-done
	})
	if err := conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		r.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, "http://trailblaze/mcp/stdio", nil)
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", Upgrade)
	req.Header.Set(headerClientID, clientID)
	req.Header.Set(headerWorkspace, r.Workspace)
	if err := req.Write(conn); err != nil {
		r.t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	res, err := http.ReadResponse(in, req)
	if err != nil {
		r.t.Fatal(err)
	}
	return conn, in, res
}

func TestUpgradedConnection(t *testing.T) {
	r := newRig(t, hubtest.Options{}, func(o *Options) { o.MaxBody = 1 << 12 })
	conn, in, res := r.upgrade("")
	clientID := res.Header.Get(headerClientID)
	if res.StatusCode != http.StatusSwitchingProtocols || !clients.ValidID(clientID) {
		t.Fatalf("%s, id %q", res.Status, clientID)
	}
	ask := func(line string) map[string]any {
		t.Helper()
		if _, err := conn.Write([]byte(line + "\n")); err != nil {
			t.Fatal(err)
		}
		got, err := in.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(got, &m); err != nil {
			t.Fatalf("%s is no JSON: %v", got, err)
		}
		return m
	}
	if m := ask(initialize); m["result"] == nil {
		t.Fatalf("initialize: %v", m)
	}
	// Lines that are no messages are answered and cost nothing else.
	for _, bad := range []string{"Debugger attached.", `{"jsonrpc":`, `{"id":1}`, "[1,", `"x"`, strings.Repeat("y", 1<<13)} {
		if m := ask(bad); m["error"] == nil || m["id"] != nil {
			t.Errorf("%.20q: %v", bad, m)
		}
	}
	if m := ask("\r\n" + `{"jsonrpc":"2.0","id":"p","method":"ping"}`); m["id"] != "p" || m["result"] == nil {
		t.Errorf("ping afterwards: %v", m)
	}

	// The proxy comes back with the client id after a loss, and has its client.
	_, _, res = r.upgrade(clientID)
	if got := res.Header.Get(headerClientID); got != clientID {
		t.Errorf("came back as %q", got)
	}
	if _, _, res := r.upgrade("../../etc/passwd"); res.StatusCode != http.StatusBadRequest {
		t.Errorf("a made-up id: %s", res.Status)
	}
	if status, _, _ := r.send(http.MethodGet, ""); status == http.StatusSwitchingProtocols {
		t.Error("upgraded unasked")
	}
}
