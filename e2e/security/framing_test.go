package security

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// listeners are the ways into the daemon, with the name by which it is called there.
func (h *house) listeners() map[[2]string]string {
	_, host := h.tcp()
	return map[[2]string]string{{"tcp", host}: host, {"unix", h.Boot.Socket}: "trailblaze"}
}

// said returns all answers of the daemon to these bytes until it closes the connection; closed is false when it keeps it
// open. Bytes that it leaves unread may reset the connection, which may cost an answer.
func said(t *testing.T, at [2]string, bytes string) (answers []string, closed bool) {
	t.Helper()
	conn, err := (&net.Dialer{Timeout: time.Minute}).DialContext(t.Context(), at[0], at[1])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(conn, bytes); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	for {
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			return answers, strings.Contains(err.Error(), "EOF") || strings.Contains(err.Error(), "reset")
		}
		body, err := io.ReadAll(res.Body)
		if err != nil && !strings.Contains(err.Error(), "reset") {
			t.Fatal(err)
		}
		answers = append(answers, fmt.Sprintf("%d %s", res.StatusCode, body))
	}
}

// TestTwoFramings: after a request that says twice where its body ends the connection is closed, on every listener and
// route, whatever came before it: a request smuggled behind it is never carried out.
func TestTwoFramings(t *testing.T) {
	h := newHouse(t)
	h.Start()
	const smuggled = "GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
	for at, host := range h.listeners() {
		auth := "Host: " + host + "\r\nAuthorization: Bearer " + h.Boot.Token + "\r\n"
		good := "GET /v1/ping HTTP/1.1\r\n" + auth
		behind := fmt.Sprintf(smuggled, h.Boot.Token)
		for name, both := range map[string]string{
			"length first":     "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
			"encoding first":   "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
			"another spelling": "content-LENGTH:5\r\ntransfer-encoding:chunked\r\n",
			"far apart":        "Content-Length: 5\r\nX: " + strings.Repeat("x", 2500) + "\r\nTransfer-Encoding: chunked\r\n",
			"bare line ends":   "Content-Length: 5\nTransfer-Encoding: chunked\n",
			"a folded value":   "Content-Length: 5\r\nTransfer-Encoding:\r\n chunked\r\n",
		} {
			for _, route := range []string{"POST /v1/tools/web_click", "POST /trailblaze.v1.ToolService/CallTool",
				"POST /trailblaze.v1.ToolService/CancelCalls", "POST /mcp", "GET /v1/ping", "OPTIONS *", "GET /nothing"} {
				answers, closed := said(t, at, route+" HTTP/1.1\r\n"+auth+both+"\r\n0\r\n\r\n"+behind)
				if len(answers) > 1 || !closed {
					t.Errorf("%s, %s, %s: %.300q, closed: %v", at[0], name, route, answers, closed)
				}
			}
			for before, request := range map[string]string{
				"a request": good + "\r\n",
				"a request with a body": "POST /trailblaze.v1.ToolService/CancelCalls HTTP/1.1\r\n" + auth +
					"Content-Type: application/json\r\nContent-Length: 18\r\n\r\n{\"deviceId\":\"web\"}",
				"a blank line": "",
			} {
				answers, closed := said(t, at, request+"\r\n"+good+both+"\r\n0\r\n\r\n"+behind)
				if n := len(answers); n > 2 || !closed {
					t.Errorf("%s, %s after %s: %.600q, closed: %v", at[0], name, before, answers, closed)
				}
			}
		}
		old := "GET /v1/ping HTTP/1.0\r\n" + auth + "Connection: keep-alive\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
		if answers, closed := said(t, at, old+behind); len(answers) > 1 || !closed {
			t.Errorf("%s, HTTP/1.0: %.300q, closed: %v", at[0], answers, closed)
		}

		// One framing is served: by an encoding once, by a length for as long as the client likes.
		chunked := "POST /trailblaze.v1.ToolService/CancelCalls HTTP/1.1\r\n" + auth +
			"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n12\r\n{\"deviceId\":\"web\"}\r\n0\r\n\r\n"
		if answers, closed := said(t, at, chunked+behind); len(answers) != 1 || !strings.HasPrefix(answers[0], "200 ") || !closed {
			t.Errorf("%s, chunks: %.300q, closed: %v", at[0], answers, closed)
		}
		length := "POST /trailblaze.v1.ToolService/CancelCalls HTTP/1.1\r\n" + auth +
			"Content-Type: application/json\r\nContent-Length: 18\r\n\r\n{\"deviceId\":\"web\"}"
		last := good + "Connection: close\r\n\r\n"
		if answers, _ := said(t, at, length+good+"\r\n"+length+last); len(answers) != 4 || strings.Contains(strings.Join(answers, "\n"), `"error"`) {
			t.Errorf("%s, one after the other: %.600q", at[0], answers)
		}
	}
}
