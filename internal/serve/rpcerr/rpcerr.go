// Package rpcerr turns failures of this product into errors of RPC and back: a status code, with the whole failure as a
// typed detail.
package rpcerr

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// codes are the status codes of RPC that kinds of failures become.
var codes = map[fault.Kind]connect.Code{
	fault.Invalid:     connect.CodeInvalidArgument,
	fault.NotFound:    connect.CodeNotFound,
	fault.Assertion:   connect.CodeFailedPrecondition,
	fault.NotActed:    connect.CodeAborted,
	fault.Timeout:     connect.CodeDeadlineExceeded,
	fault.Canceled:    connect.CodeCanceled,
	fault.Unavailable: connect.CodeUnavailable,
	fault.Unsupported: connect.CodeUnimplemented,
	fault.Conflict:    connect.CodeFailedPrecondition,
	fault.Busy:        connect.CodeResourceExhausted,
	fault.Denied:      connect.CodePermissionDenied,
	fault.Degraded:    connect.CodeUnknown,
	fault.Internal:    connect.CodeInternal,
}

// Of is a failure as an error of RPC: its status code, and itself as a typed detail.
func Of(err error) error {
	if err == nil {
		return nil
	}
	if _, is := errors.AsType[*connect.Error](err); is {
		return err
	}
	f := Failure(fault.FailureOf(err))
	code, ok := codes[fault.Kind(f.Kind)]
	if !ok {
		code = connect.CodeUnknown
	}
	switch { // a client that gave up is told so whatever its tool made of it
	case errors.Is(err, context.DeadlineExceeded):
		code = connect.CodeDeadlineExceeded
		f.Hint = cmp.Or(f.Hint, "The time limit of the client ended the call: give it more, or the tool less with timeoutMs.")
	case errors.Is(err, context.Canceled):
		code = connect.CodeCanceled
	}
	out := connect.NewError(code, errors.New(f.Message))
	if d, err := connect.NewErrorDetail(f); err == nil {
		out.AddDetail(d)
	}
	return out
}

// Failure is a failure as the contract has it.
func Failure(f *fault.Failure) *pb.Failure {
	if f == nil {
		return nil
	}
	out := &pb.Failure{
		Kind: string(f.Kind), Message: f.Message, Hint: f.Hint, Device: f.Device, Looked: f.Looked,
		Candidates: f.Candidates, SinceGreen: f.SinceGreen, Log: f.Log,
	}
	for _, n := range f.Next {
		out.Next = append(out.Next, &pb.NextCall{Tool: n.Tool, Action: n.Action})
	}
	Tidy(out.ProtoReflect())
	return out
}

// From is a failure of a request as an error of this product.
func From(err error) error {
	e, ok := errors.AsType[*connect.Error](err)
	if !ok {
		return err
	}
	if f := failureIn(e); f != nil {
		return Fault(f).Err()
	}
	if f, ok := errors.AsType[*fault.Error](e); ok {
		return f // of the way to the server
	}
	kinds := map[connect.Code]fault.Kind{
		connect.CodeCanceled: fault.Canceled, connect.CodeDeadlineExceeded: fault.Timeout,
		connect.CodeUnauthenticated: fault.Denied, connect.CodePermissionDenied: fault.Denied,
		connect.CodeUnimplemented: fault.Unsupported, connect.CodeInvalidArgument: fault.Invalid,
		connect.CodeResourceExhausted: fault.Invalid, // a busy device says so itself: the message is too large
	}
	kind, known := kinds[e.Code()]
	if !known {
		return fault.New(fault.Unavailable, "call daemon", "%w", e.Unwrap()).
			WithHint("Look at it with `trailblaze daemon status`. A client that was made before it started again needs " +
				"to be made anew.")
	}
	return fault.New(kind, "call daemon", "%w", e.Unwrap())
}

// Fault is a failure of the contract as this product has it, nil for none.
func Fault(f *pb.Failure) *fault.Failure {
	if f == nil {
		return nil
	}
	out := &fault.Failure{
		Kind: fault.Kind(f.GetKind()), Message: f.GetMessage(), Hint: f.GetHint(), Device: f.GetDevice(),
		Looked: f.GetLooked(), Candidates: f.GetCandidates(), SinceGreen: f.GetSinceGreen(), Log: f.GetLog(),
	}
	for _, n := range f.GetNext() {
		out.Next = append(out.Next, fault.Action{Tool: n.GetTool(), Action: n.GetAction()})
	}
	return out
}

// InResponse returns the failure in a response, which is no error of the request; nil for none.
func InResponse(response any) *fault.Failure {
	if r, is := response.(*pb.CallToolResponse); is {
		return Fault(cmp.Or(r.GetRefusal(), r.GetResult().GetFailure()))
	}
	if m, ok := response.(interface{ GetFailure() *pb.Failure }); ok {
		return Fault(m.GetFailure())
	}
	return nil
}

// IsRPC reports whether err is an error of RPC.
func IsRPC(err error) bool {
	_, ok := errors.AsType[*connect.Error](err)
	return ok
}

// Answered reports whether an error of a request is the server's answer, and not the loss of the request.
func Answered(err error) bool {
	e, ok := errors.AsType[*connect.Error](err)
	if !ok {
		return false
	}
	return failureIn(e) != nil
}

// failureIn is the failure that an error of RPC carries; nil for none.
func failureIn(e *connect.Error) *pb.Failure {
	for _, d := range e.Details() {
		if v, err := d.Value(); err == nil {
			if f, ok := v.(*pb.Failure); ok {
				return f
			}
		}
	}
	return nil
}

// Tidy makes the texts of a message such that it can be sent: invalid UTF-8 in them becomes U+FFFD, as in JSON.
func Tidy(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, of protoreflect.Value) bool {
				tidied(f.MapValue(), of, func(tidy protoreflect.Value) { v.Map().Set(k, tidy) })
				return true
			})
		case f.IsList():
			for list, i := v.List(), 0; i < list.Len(); i++ {
				tidied(f, list.Get(i), func(v protoreflect.Value) { list.Set(i, v) })
			}
		default:
			tidied(f, v, func(v protoreflect.Value) { m.Set(f, v) })
		}
		return true
	})
}

func tidied(f protoreflect.FieldDescriptor, v protoreflect.Value, set func(protoreflect.Value)) {
	if f.Message() != nil {
		Tidy(v.Message())
		return
	}
	if s, ok := v.Interface().(string); ok {
		if tidy := strings.ToValidUTF8(s, "\uFFFD"); tidy != s {
			set(protoreflect.ValueOfString(tidy))
		}
	}
}

// JSON returns an error of protojson in stable words: without its prefix, and the place in JSON that no person typed.
func JSON(err error) string {
	text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	text = strings.TrimSpace(strings.TrimPrefix(text, "proto:"))
	if _, after, ok := strings.Cut(text, "): "); ok && strings.HasPrefix(text, "(line") {
		return after
	}
	return text
}
