package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Filling sets missing fields of a request to those of Usual with the same names. In a request that holds a call, as
// that of WatchTool does, it is the call that is filled in.
type Filling struct{ Usual *pb.CallToolRequest }

var _ connect.Interceptor = Filling{}

// WrapUnary implements connect.Interceptor.
func (f Filling) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		if err := f.fill(r.Any()); err != nil {
			return nil, err
		}
		return next(ctx, r)
	}
}

// WrapStreamingClient implements connect.Interceptor.
func (f Filling) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, s connect.Spec) connect.StreamingClientConn {
		return filled{next(ctx, s), f}
	}
}

// WrapStreamingHandler implements connect.Interceptor. Servers fill in nothing.
func (Filling) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

// filled sends the request of a stream.
type filled struct {
	connect.StreamingClientConn
	by Filling
}

// Send implements connect.StreamingClientConn.
func (c filled) Send(request any) error {
	if err := c.by.fill(request); err != nil {
		return err
	}
	return c.StreamingClientConn.Send(request)
}

// fill goes by JSON, in which messages of any two types can have a field of the same name.
func (f Filling) fill(request any) error {
	m, ok := request.(proto.Message)
	if !ok {
		return nil
	}
	usual, given := proto.Message(f.Usual), proto.Clone(m)
	if m.ProtoReflect().Descriptor().Fields().ByName("call") != nil {
		usual = &pb.WatchToolRequest{Call: f.Usual}
	}
	text, err := protojson.Marshal(usual)
	if err == nil {
		err = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(text, m)
	}
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "use options")
	}
	proto.Merge(m, given)
	return nil
}

// Limit ends ctx after a time, unless it has a deadline already; 0 is no limit.
func Limit(ctx context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	if _, bounded := ctx.Deadline(); bounded || after <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, after)
}

// Ended adds the error of a context to that of a call which ran out of time or was canceled: errors.Is finds it.
func Ended(ctx context.Context, err error) error {
	over := ctx.Err()
	switch kind := fault.KindOf(err); {
	case err == nil:
		return nil
	case over == nil && kind == fault.Timeout: // the daemon knows the deadline, too, and may be the first to tell
		over = context.DeadlineExceeded
	case over == nil && kind == fault.Canceled:
		over = context.Canceled
	}
	if over == nil || errors.Is(err, over) {
		return err
	}
	return ended{err, over}
}

// ended has the text of the daemon's error.
type ended struct {
	error
	over error
}

func (e ended) Unwrap() []error { return []error{e.error, e.over} }

// Messages yields the messages of a stream, and closes it. An error is the last that it yields: that of the stream, or
// err, with which nothing was opened.
func Messages[M any](in *connect.ServerStreamForClient[M], err error) iter.Seq2[*M, error] {
	return func(yield func(*M, error) bool) {
		if err == nil {
			defer func() { _ = in.Close() }()
			for in.Receive() {
				if !yield(in.Msg(), nil) {
					return
				}
			}
			err = in.Err()
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// ResultOf returns the result in a whole reply. It is empty when the reply has none.
func ResultOf(r *pb.CallToolResponse) *tool.Result {
	out := &tool.Result{IsError: r.GetResult().GetIsError()}
	if value := r.GetResult().GetValueJson(); value != "" {
		out.Value = json.RawMessage(value)
	}
	for _, part := range r.GetCall().GetContent() {
		piece := tool.Content{Type: "text", Text: part.GetText()}
		if i := part.GetImage(); i != nil {
			piece = tool.Content{Type: "image", Data: i.GetData(), MIME: i.GetMimeType()}
		}
		out.Content = append(out.Content, piece)
	}
	return out
}
