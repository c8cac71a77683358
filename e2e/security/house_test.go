package security

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// house is a home, a workspace and a daemon of their own. Everything that comes out of the daemon is kept.
type house struct {
	*housetest.Home
	secrets map[string]string // that clients give

	mu    sync.Mutex
	heard bytes.Buffer // all replies, on every way
}

func newHouse(t *testing.T, env ...string) *house {
	t.Helper()
	h := &house{Home: housetest.NewHome(t, binary, append(env, "TMPDIR="+os.TempDir())...)}
	for _, e := range env { // the clients of this test give them; a daemon takes none from its environment
		if name, value, ok := strings.Cut(strings.TrimPrefix(e, "TRAILBLAZE_SECRET_"), "="); ok && strings.HasPrefix(e, "TRAILBLAZE_SECRET_") {
			h.secrets = map[string]string{name: value}
		}
	}
	return h
}

// run runs the product as a person at a shell does, and keeps what it says.
func (h *house) run(args ...string) (string, int) {
	said := h.Run(args...)
	out := said.Out + said.Err
	h.hear([]byte(out))
	return out, said.Code
}

func (h *house) hear(b []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard.Write(b)
	h.heard.WriteByte('\n')
}

// tcp and unix are clients of the two listeners, without any credentials.
func (h *house) tcp() (*http.Client, string) {
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}, net.JoinHostPort("127.0.0.1", strconv.Itoa(h.Boot.Port))
}

func (h *house) unix() (*http.Client, string) {
	return housetest.Local(h.Boot), "trailblaze"
}

// answer is the reply to a call.
type answer struct {
	raw    string
	Result *struct {
		Content []struct{ Type, Text, MIME string } `json:"content"`
		Value   json.RawMessage                     `json:"value"`
		IsError bool                                `json:"isError"`
	} `json:"result"`
	Fault *struct{ Kind, Message, Hint string } `json:"fault"`
	Error *struct{ Kind, Message, Hint string } `json:"error"` // the door's
}

func (a answer) kind() string {
	switch {
	case a.Error != nil:
		return a.Error.Kind
	case a.Fault != nil:
		return a.Fault.Kind
	}
	return ""
}

func (a answer) text() (s string) {
	if a.Result != nil {
		for _, c := range a.Result.Content {
			s += c.Text
		}
	}
	return s
}

// call calls a tool through the typed API, as JSON.
func (h *house) call(tool string, args any) answer {
	h.T.Helper()
	in, err := json.Marshal(args)
	if err != nil {
		h.T.Fatal(err)
	}
	return h.callJSON(tool, string(in))
}

// callJSON is call with arguments as they are spelled.
func (h *house) callJSON(tool, args string) answer {
	h.T.Helper()
	ctx, cancel := context.WithTimeout(h.T.Context(), time.Minute)
	defer cancel()
	data, err := housetest.CallTool(ctx, h.Boot, hearing{h}, &pb.CallToolRequest{
		Name: tool, ArgsJson: args, Options: &pb.CallOptions{Client: "test", Workspace: h.Work, Secrets: h.secrets},
	})
	if err != nil {
		h.T.Fatalf("%s: %v", tool, err)
	}
	h.hear(data)
	a := answer{raw: string(data)}
	if err := json.Unmarshal(data, &a); err != nil {
		h.T.Fatalf("%s: %v: %s", tool, err, data)
	}
	return a
}

// must is call for what has to work.
func (h *house) must(tool string, args any) answer {
	h.T.Helper()
	a := h.call(tool, args)
	if k := a.kind(); k != "" || a.Result != nil && a.Result.IsError {
		h.T.Fatalf("%s %v: %s", tool, args, a.raw)
	}
	return a
}

// kept is a transport that has the token and keeps all that comes back.
type kept struct {
	h    *house
	base http.RoundTripper
}

func (k kept) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.h.Boot.Token)
	if len(k.h.secrets) > 0 {
		data, err := json.Marshal(k.h.secrets)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Trailblaze-Secrets", base64.StdEncoding.EncodeToString(data))
	}
	res, err := k.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body := res.Body
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(body, hearing{k.h}), body}
	return res, nil
}

type hearing struct{ h *house }

func (w hearing) Write(p []byte) (int, error) {
	w.h.mu.Lock()
	defer w.h.mu.Unlock()
	return w.h.heard.Write(p)
}

// agent connects over MCP.
func (h *house) agent() *sdk.ClientSession {
	h.T.Helper()
	_, host := h.tcp()
	c := sdk.NewClient(&sdk.Implementation{Name: "security", Version: "1"}, nil)
	s, err := c.Connect(h.T.Context(), &sdk.StreamableClientTransport{
		Endpoint: "http://" + host + "/mcp", HTTPClient: &http.Client{Transport: kept{h, http.DefaultTransport}}, MaxRetries: -1,
	}, nil)
	if err != nil {
		h.T.Fatal(err)
	}
	h.T.Cleanup(func() { _ = s.Close() })
	return s
}
