package shell

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// served is a client of a daemon whose door is this handler.
func served(t *testing.T, h http.HandlerFunc) caller {
	t.Helper()
	dir, err := os.MkdirTemp("", "tb-") // t.TempDir() is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	return linked{&dial.Daemon{Boot: boot.Boot{Socket: socket, Token: "secret"}}}
}

// tooled is a ToolService that a test answers for.
type tooled struct {
	trailblazev1connect.UnimplementedToolServiceHandler
	call func(ctx context.Context, r *pb.CallToolRequest) (*pb.CallToolResponse, error)
}

func (s tooled) CallTool(ctx context.Context, r *pb.CallToolRequest) (*pb.CallToolResponse, error) {
	return s.call(ctx, r)
}

func (s tooled) WatchTool(
	ctx context.Context, r *pb.WatchToolRequest, out *connect.ServerStream[pb.WatchToolResponse],
) error {
	step := &pb.Progress{Message: "step one", Step: 1, Total: 2}
	if err := out.Send(&pb.WatchToolResponse{Message: &pb.WatchToolResponse_Progress{Progress: step}}); err != nil {
		return err
	}
	reply, err := s.call(ctx, r.GetCall())
	if err != nil || reply == nil { // nil: it goes away without an answer
		return err
	}
	return out.Send(&pb.WatchToolResponse{Message: &pb.WatchToolResponse_Result{Result: reply}})
}

func answering(t *testing.T, call func(context.Context, *pb.CallToolRequest) (*pb.CallToolResponse, error)) caller {
	t.Helper()
	_, h := trailblazev1connect.NewToolServiceHandler(tooled{call: call})
	return served(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" || r.Header.Get("Connect-Timeout-Ms") != "" {
			t.Errorf("asked %s with %v", r.URL, r.Header)
		}
		h.ServeHTTP(w, r)
	})
}

// TestLinked proves what goes over the wire: the token, the shell's words as they were typed, progress only when
// somebody watches, a reply to the letter. The command keeps its deadline to itself.
func TestLinked(t *testing.T) {
	want := &api.Reply{
		Schema: api.ReplySchema, ClientID: "tb_x", Device: "web", Platform: "web", Session: "s", CallID: "c", DurationMS: 1.5,
		Warnings: []string{"reopened"}, Observation: &api.Observation{Text: "+ alert", Changes: 2, Changed: true, URL: "u"},
		Result: &api.Result{Page: true, Value: json.RawMessage(`{"b":9007199254740993,"a":[]}`), IsError: true, Content: []api.Piece{
			{Content: tool.Content{Type: "text", Text: "ok"}}, {Content: tool.Content{Type: "image", Data: []byte("P"), MIME: "image/png"}},
		}},
		Fault: &fault.Failure{Kind: fault.Assertion, Message: "no", Hint: "Look.", Candidates: []string{"x"}},
	}
	var got *pb.CallToolRequest
	to := answering(t, func(_ context.Context, r *pb.CallToolRequest) (*pb.CallToolResponse, error) {
		got = r
		return &pb.CallToolResponse{
			Call: &pb.CallInfo{
				ClientId: "tb_x", DeviceId: "web", Platform: "web", SessionId: "s", CallId: "c", DurationMs: 1.5, FromPage: true,
				Warnings: []string{"reopened"}, Observation: &pb.Observation{Text: "+ alert", Changes: 2, Changed: true, Url: "u"},
				Content: []*pb.Content{
					{Kind: &pb.Content_Text{Text: "ok"}}, {Kind: &pb.Content_Image{Image: &pb.Image{Data: []byte("P"), MimeType: "image/png"}}},
				},
			},
			Result: &pb.ToolResult{ValueJson: `{"b":9007199254740993,"a":[]}`, IsError: true,
				Failure: &pb.Failure{Kind: "assertion", Message: "no", Hint: "Look.", Candidates: []string{"x"}}},
		}, nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var steps []*pb.Progress
	for _, watch := range []func(*pb.Progress){nil, func(p *pb.Progress) { steps = append(steps, p) }} {
		reply, err := to.Call(ctx, &pb.CallToolRequest{Name: "web_click", Texts: []string{"ref=e1"}}, watch)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, reply); d != "" {
			t.Errorf("the reply (-want +got):\n%s", d)
		}
	}
	if got.GetName() != "web_click" || !got.GetWhole() || len(got.GetTexts()) != 1 || len(steps) != 1 || steps[0].GetMessage() != "step one" {
		t.Errorf("the daemon saw %v, the watcher %v", got, steps)
	}
}

// TestLinkedStops proves that ending a call's context ends it over there, that a refusal keeps its kind and hint, and
// that a daemon which goes away is not asked again.
func TestLinkedStops(t *testing.T) {
	began, ended := make(chan struct{}), make(chan struct{})
	to := answering(t, func(ctx context.Context, _ *pb.CallToolRequest) (*pb.CallToolResponse, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if _, err := to.Call(ctx, &pb.CallToolRequest{Name: "web_wait"}, nil); fault.KindOf(err) != fault.Canceled {
		t.Errorf("Call = %v, want canceled", err)
	}
	waittest.Await(t, ended, "the daemon hears of it")

	no := served(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"error":{"kind":"denied","message":"not you","hint":"Ask."}}`))
	})
	failing := answering(t, func(context.Context, *pb.CallToolRequest) (*pb.CallToolResponse, error) {
		return nil, rpcerr.Of(fault.New(fault.Denied, "", "not you").WithHint("Ask."))
	})
	watch := func(*pb.Progress) {}
	for _, to := range []caller{no, failing} {
		for _, watch := range []func(*pb.Progress){nil, watch} {
			if _, err := to.Call(t.Context(), &pb.CallToolRequest{Name: "x"}, watch); fault.KindOf(err) != fault.Denied || err.Error() != "not you" ||
				fault.HintOf(err) != "Ask." {
				t.Errorf("a refusal became %v (%s)", err, fault.HintOf(err))
			}
		}
	}

	var asked atomic.Int32
	dying := answering(t, func(context.Context, *pb.CallToolRequest) (*pb.CallToolResponse, error) {
		asked.Add(1)
		panic(http.ErrAbortHandler)
	})
	silent := answering(t, func(context.Context, *pb.CallToolRequest) (*pb.CallToolResponse, error) {
		asked.Add(1)
		return nil, nil
	})
	for to, watch := range map[caller]func(*pb.Progress){dying: nil, silent: watch} {
		if _, err := to.Call(t.Context(), &pb.CallToolRequest{Name: "x"}, watch); !errors.Is(err, dial.ErrGone) ||
			!strings.Contains(err.Error(), "not known") {
			t.Errorf("a daemon that went away: %v", err)
		}
	}
	if asked.Load() != 2 {
		t.Errorf("two calls were made %d times", asked.Load())
	}
}
