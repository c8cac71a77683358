package rpc_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/internal/serve/rpc"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// echoing keeps the call that it was asked for, and answers with two reports of progress and then an error.
type echoing struct {
	trailblazev1connect.UnimplementedToolServiceHandler
	asked *pb.CallToolRequest
}

var errOver = errors.New("over")

func (e *echoing) CallTool(_ context.Context, r *pb.CallToolRequest) (*pb.CallToolResponse, error) {
	e.asked = r
	return &pb.CallToolResponse{}, nil
}

func (e *echoing) WatchTool(_ context.Context, r *pb.WatchToolRequest, out *connect.ServerStream[pb.WatchToolResponse]) error {
	e.asked = r.GetCall()
	for range 2 {
		if err := out.Send(&pb.WatchToolResponse{}); err != nil {
			return err
		}
	}
	return connect.NewError(connect.CodeAborted, errOver)
}

// TestFilling: the fields that a call leaves out are filled in, in each message that holds a call; the others stay.
func TestFilling(t *testing.T) {
	server := &echoing{}
	_, handler := trailblazev1connect.NewToolServiceHandler(server)
	srv := httptest.NewServer(handler)
	defer srv.Close()
	usual := &pb.CallToolRequest{DeviceId: "web", Options: &pb.CallOptions{
		Client: "test", Workspace: "/usual", Secrets: map[string]string{"a": "usual", "b": "usual"},
	}}
	tools := trailblazev1connect.NewToolServiceClient(http.DefaultClient, srv.URL,
		connect.WithInterceptors(rpc.Filling{Usual: usual}))
	call := func() *pb.CallToolRequest {
		return &pb.CallToolRequest{Name: "demo", Options: &pb.CallOptions{
			Workspace: "/own", Secrets: map[string]string{"b": "own"},
		}}
	}
	want := &pb.CallToolRequest{DeviceId: "web", Name: "demo", Options: &pb.CallOptions{
		Client: "test", Workspace: "/own", Secrets: map[string]string{"a": "usual", "b": "own"},
	}}
	if _, err := tools.CallTool(t.Context(), call()); err != nil || !proto.Equal(server.asked, want) {
		t.Errorf("CallTool asks %v (%v), want %v", server.asked, err, want)
	}
	server.asked = nil
	came, last := 0, error(nil)
	for m, err := range rpc.Messages(tools.WatchTool(t.Context(), &pb.WatchToolRequest{Call: call()})) {
		if last = err; m != nil {
			came++
		}
	}
	if !proto.Equal(server.asked, want) {
		t.Errorf("WatchTool asks %v, want %v", server.asked, want)
	}
	if came != 2 || connect.CodeOf(last) != connect.CodeAborted {
		t.Errorf("%d messages, then %v", came, last)
	}
}

// TestLimit: a deadline that a context has stands.
func TestLimit(t *testing.T) {
	bounded, end := context.WithTimeout(t.Context(), time.Hour)
	defer end()
	for _, c := range []struct {
		name  string
		ctx   context.Context
		after time.Duration
		want  time.Duration // at most; 0: none
	}{
		{"a limit", t.Context(), time.Minute, time.Minute},
		{"no limit", t.Context(), 0, 0},
		{"a deadline", bounded, time.Minute, time.Hour},
	} {
		ctx, cancel := rpc.Limit(c.ctx, c.after)
		until, is := ctx.Deadline()
		if is != (c.want > 0) || is && time.Until(until) < c.want/2 || time.Until(until) > c.want {
			t.Errorf("%s: until %v", c.name, until)
		}
		cancel()
		if ctx.Err() == nil {
			t.Errorf("%s: it does not end", c.name)
		}
	}
}

// TestResult: a whole reply tells a value to the letter, texts and pictures.
func TestResult(t *testing.T) {
	image := &pb.Content_Image{Image: &pb.Image{Data: []byte("png"), MimeType: "image/png"}}
	out := rpc.ResultOf(&pb.CallToolResponse{
		Result: &pb.ToolResult{ValueJson: `{"n":9007199254740993}`},
		Call: &pb.CallInfo{Content: []*pb.Content{
			{Kind: &pb.Content_Text{Text: "one"}}, {Kind: image}, {Kind: &pb.Content_Text{Text: "two"}},
		}},
	})
	if string(out.Value) != `{"n":9007199254740993}` || out.Text() != "one\ntwo" || len(out.Content) != 3 ||
		out.Content[1].MIME != "image/png" || string(out.Content[1].Data) != "png" {
		t.Errorf("%+v", out)
	}
	if none := rpc.ResultOf(&pb.CallToolResponse{}); none.Value != nil || none.IsError || len(none.Content) > 0 {
		t.Errorf("nothing is %+v", none)
	}
}
