package api_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	healthv1 "github.com/trailblaze-dev/trailblaze/proto/gen/grpc/health/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/grpc/health/v1/healthv1connect"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// TestHealth: the health protocol of gRPC answers for the daemon and for each service, and knows no other.
func TestHealth(t *testing.T) {
	d := open(t, hub.Options{})
	for name, how := range map[string]connect.ClientOption{"grpc": connect.WithGRPC(), "connect": connect.WithClientOptions()} {
		c := healthv1connect.NewHealthClient(d.http2Client(), d.url, how)
		for _, service := range []string{"", "trailblaze.v1.ToolService", "trailblaze.v1.WebCommands"} {
			r, err := c.Check(t.Context(), &healthv1.HealthCheckRequest{Service: service})
			if err != nil || r.GetStatus() != healthv1.HealthCheckResponse_SERVING {
				t.Errorf("%s, %q: %v %v", name, service, r, err)
			}
		}
		_, err := c.Check(t.Context(), &healthv1.HealthCheckRequest{Service: "trailblaze.v1.Nobody"})
		if connect.CodeOf(err) != connect.CodeNotFound {
			t.Errorf("%s: a service that there is not: %v", name, err)
		}
	}
}

type number struct {
	N int64 `json:"n"`
}

// TestExactNumbers: args_json and value_json carry whole numbers that no double holds. Both forms at once, and a text
// that is no JSON, are refused.
func TestExactNumbers(t *testing.T) {
	const big = 9007199254740993 // 2^53 + 1
	d := open(t, hub.Options{}, tool.Define(tool.Spec{Name: "acme_same", Description: "Gives it back.", Kind: tool.Query, Origin: "elsewhere"},
		func(_ context.Context, _ tool.Env, in number) (number, error) { return in, nil }))
	options := &pb.CallOptions{Workspace: d.rig.Workspace}
	for name, c := range d.wires() {
		r, err := c.CallTool(t.Context(), &pb.CallToolRequest{Name: "acme_same", ArgsJson: `{"n":9007199254740993}`, Options: options})
		if err != nil || !strings.Contains(r.GetResult().GetValueJson(), "9007199254740993") {
			t.Errorf("%s: %d: %v %v", name, big, r, err)
		}
		r, err = c.CallTool(t.Context(), &pb.CallToolRequest{Name: "acme_same", ArgsJson: `{"n":7}`, Options: options})
		if err != nil || r.GetResult().GetValueJson() != "" || r.GetResult().GetValue().GetStructValue().GetFields()["n"].GetNumberValue() != 7 {
			t.Errorf("%s: a small one: %v %v", name, r, err)
		}
		for _, wrong := range []*pb.CallToolRequest{
			{Name: "acme_same", ArgsJson: `{"n":`, Options: options},
			{Name: "acme_same", ArgsJson: `{"n":7}`, Args: r.GetResult().GetValue().GetStructValue(), Options: options},
		} {
			if _, err := c.CallTool(t.Context(), wrong); connect.CodeOf(err) != connect.CodeInvalidArgument || failureIn(t, err).GetHint() == "" {
				t.Errorf("%s: %v: %v", name, wrong, err)
			}
		}
	}
}

// TestInvocation (R43, R92): a call with the id of one in flight is made inside of it, in its session. No other id is a
// right to anything.
func TestInvocation(t *testing.T) {
	var d *door
	var c trailblazev1connect.ToolServiceClient
	d = open(t, hub.Options{}, tool.Define(tool.Spec{Name: "acme_nest", Description: "Calls by the API.", Kind: tool.Action},
		func(ctx context.Context, env tool.Env, _ struct{}) (string, error) {
			who, _ := env.(tool.Invoked)
			r, err := c.CallTool(ctx, &pb.CallToolRequest{Name: "demo_echo", ArgsJson: `{"text":"inside"}`, SessionId: who.SessionID(),
				Options: &pb.CallOptions{Workspace: d.rig.Workspace, InvocationId: who.InvocationID()}})
			return r.GetCall().GetContent()[0].GetText(), err
		}))
	for name, wire := range d.wires() {
		c = wire
		r, err := c.CallTool(t.Context(), &pb.CallToolRequest{Name: "acme_nest", Options: &pb.CallOptions{Workspace: d.rig.Workspace}})
		if err != nil || r.GetResult().GetFailure() != nil || r.GetCall().GetContent()[0].GetText() != "inside on web" {
			t.Fatalf("%s: %v %v", name, r, err)
		}
		running, _ := d.rig.SessionByID(r.GetCall().GetSessionId())
		all, err := running.Log.Events()
		if err != nil {
			t.Fatal(err)
		}
		outer := map[string]string{}
		for _, e := range all {
			if e.Type == event.ToolCall {
				outer[e.Call.Name] = e.Call.ID
			}
		}
		for _, e := range all {
			if e.Type == event.ToolCall && e.Call.Name == "demo_echo" && e.Call.Parent == "" {
				t.Errorf("%s: the call from inside has no parent", name)
			}
		}
		if outer["acme_nest"] == "" || outer["demo_echo"] == "" {
			t.Errorf("%s: logged are %v", name, outer)
		}
		_, err = c.CallTool(t.Context(), &pb.CallToolRequest{Name: "demo_echo",
			Options: &pb.CallOptions{Workspace: d.rig.Workspace, InvocationId: "of nobody"}})
		if connect.CodeOf(err) != connect.CodeNotFound {
			t.Errorf("%s: an id of nobody: %v", name, err)
		}
	}
}

// TestCancelCalls: a call ends when another request says so, and says why. A request that names no call is refused.
func TestCancelCalls(t *testing.T) {
	d := open(t, hub.Options{Heartbeat: 20 * time.Millisecond})
	options := &pb.CallOptions{Workspace: d.rig.Workspace}
	for name, c := range d.wires() {
		if _, err := c.CallTool(t.Context(), &pb.CallToolRequest{Name: "demo_echo", Options: options}); err != nil {
			t.Fatal(err)
		}
		s, err := c.WatchTool(t.Context(), &pb.WatchToolRequest{Call: &pb.CallToolRequest{Name: "demo_wait", Options: options}})
		if err != nil || !s.Receive() || s.Msg().GetProgress() == nil {
			t.Fatalf("%s: no progress: %v %v", name, s.Msg(), err)
		}
		r, err := c.CancelCalls(t.Context(), &pb.CancelCallsRequest{DeviceId: "web"})
		if err != nil || r.GetCanceled() != 1 {
			t.Errorf("%s: %v %v", name, r, err)
		}
		for s.Receive() {
			if f := s.Msg().GetResult().GetResult().GetFailure(); s.Msg().GetResult() != nil && f.GetKind() != "canceled" {
				t.Errorf("%s: %v", name, s.Msg())
			}
		}
		if s.Err() != nil && connect.CodeOf(s.Err()) != connect.CodeCanceled {
			t.Errorf("%s: %v", name, s.Err())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := c.CancelCalls(t.Context(), &pb.CancelCallsRequest{}); connect.CodeOf(err) != connect.CodeInvalidArgument {
			t.Errorf("%s: cancel nothing: %v", name, err)
		}
	}
}

// TestDeadline: the deadline of a request ends the work of its call, whichever wire it came over. The server does it: the
// client of the last case has no deadline, and only says in a header how long it would wait.
func TestDeadline(t *testing.T) {
	began, ended := make(chan struct{}, 100), make(chan struct{}, 100)
	d := open(t, hub.Options{}, tool.Define(tool.Spec{Name: "acme_last", Description: "Lasts.", Kind: tool.Query},
		func(ctx context.Context, _ tool.Env, _ struct{}) (string, error) {
			began <- struct{}{}
			<-ctx.Done()
			ended <- struct{}{}
			return "", context.Cause(ctx)
		}))
	calls := map[string]func(time.Duration) error{"a header alone": func(within time.Duration) error {
		status, doc, text := d.answer("POST", "/trailblaze.v1.ToolService/CallTool", `{"name":"acme_last"}`,
			"Connect-Protocol-Version", "1", "Connect-Timeout-Ms", strings.TrimSuffix(within.Round(time.Millisecond).String(), "ms"))
		if status == http.StatusOK || doc["code"] != "deadline_exceeded" {
			return errors.New(text)
		}
		return nil
	}}
	for name, c := range d.wires() {
		calls[name] = func(within time.Duration) error {
			ctx, cancel := context.WithTimeout(t.Context(), within)
			defer cancel()
			_, err := c.CallTool(ctx, &pb.CallToolRequest{Name: "acme_last"})
			if connect.CodeOf(err) != connect.CodeDeadlineExceeded {
				return err
			}
			return nil
		}
	}
	for name, call := range calls {
		for within := 50 * time.Millisecond; ; within = min(2*within, 900*time.Millisecond) { // until it is enough to begin
			if err := call(within); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			select {
			case <-began:
			default:
				continue
			}
			break
		}
		waittest.Await(t, ended, "the call ends with its client")
	}
}

// TestReadArtifact: an artifact comes in parts and whole. Other files, and links that lead elsewhere, are not found.
func TestReadArtifact(t *testing.T) {
	d := open(t, hub.Options{})
	r, err := trailblazev1connect.NewToolServiceClient(d.client, d.url).CallTool(t.Context(),
		&pb.CallToolRequest{Name: "demo_echo", Options: &pb.CallOptions{Workspace: d.rig.Workspace}})
	if err != nil {
		t.Fatal(err)
	}
	id := r.GetCall().GetSessionId()
	dir := filepath.Join(d.sessions, id, event.BlobDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	data, hash, link := bytes.Repeat([]byte("0123456789"), 60_000), strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	if err := os.WriteFile(filepath.Join(dir, hash), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, hash), filepath.Join(dir, link)); err != nil {
		t.Skip(err)
	}
	for name, how := range map[string]connect.ClientOption{"grpc": connect.WithGRPC(), "connect json": connect.WithProtoJSON()} {
		c := trailblazev1connect.NewSessionServiceClient(d.http2Client(), d.url, how)
		read := func(session, hash string) (got []byte, parts int, _ error) {
			s, err := c.ReadArtifact(t.Context(), &pb.ReadArtifactRequest{SessionId: session, Hash: hash})
			if err != nil {
				return nil, 0, err
			}
			for s.Receive() {
				got, parts = append(got, s.Msg().GetData()...), parts+1
			}
			return got, parts, errors.Join(s.Err(), s.Close())
		}
		if got, parts, err := read(id, hash); err != nil || !bytes.Equal(got, data) || parts < 2 {
			t.Errorf("%s: %d bytes in %d parts: %v", name, len(got), parts, err)
		}
		for _, wrong := range [][2]string{{id, "../events.ndjson"}, {id, link}, {"../" + id, hash}, {id, strings.Repeat("ef", 32)}} {
			if got, _, err := read(wrong[0], wrong[1]); err == nil || len(got) > 0 || errors.Is(err, io.EOF) {
				t.Errorf("%s: %v: %d bytes, %v", name, wrong, len(got), err)
			}
		}
	}
}
