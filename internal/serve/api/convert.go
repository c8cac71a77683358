package api

import (
	"encoding/json"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func errorOf(err error) error { return rpcerr.Of(err) }

func failureOf(f *fault.Failure) *pb.Failure { return rpcerr.Failure(f) }

// placeOf says where a call ran, and for whom.
func placeOf(r *calls.Reply) *pb.CallInfo {
	return &pb.CallInfo{
		CallId: r.CallID, DeviceId: r.Device, SessionId: r.Session, Platform: string(r.Platform), Job: r.Job,
		DurationMs: float64(r.Duration.Microseconds()) / 1000, ClientId: r.Client,
	}
}

// infoOf returns the place where a call ran and the data beside its result.
func infoOf(r *calls.Reply) *pb.CallInfo {
	out := placeOf(r)
	out.Warnings, out.FromPage = r.Warnings, r.FromPage
	if r.Result != nil {
		for _, c := range r.Result.Content {
			if c.Type == "image" {
				out.Content = append(out.Content, &pb.Content{Kind: &pb.Content_Image{Image: imageOf(&c)}})
				continue
			}
			out.Content = append(out.Content, &pb.Content{Kind: &pb.Content_Text{Text: c.Text}})
		}
	}
	if o := r.Observation; o != nil {
		out.Observation = &pb.Observation{
			Text: o.Text, Full: o.Full, Changed: o.Changed, Changes: int32(o.Changes), //nolint:gosec // elements of a page
			Truncated: o.Truncated, Rest: o.Overflow.Where(), Settle: o.Settle, Url: o.URL, Title: o.Title,
			Image: imageOf(o.Image),
		}
	}
	return out
}

func imageOf(p *tool.Content) *pb.Image {
	if p == nil {
		return nil
	}
	return &pb.Image{Data: p.Data, MimeType: p.MIME}
}

// faultOf is the reason why a call could not be carried out, or why its tool failed.
func faultOf(r *calls.Reply, err error) *fault.Failure {
	if err == nil {
		err = r.Result.Err()
	}
	return fault.FailureOf(err)
}

// resultOf converts the result of the tool.
func resultOf(r *calls.Reply) (*pb.ToolResult, error) {
	out := &pb.ToolResult{Failure: failureOf(faultOf(r, nil))}
	if r.Result == nil {
		return out, nil
	}
	out.IsError = r.Result.IsError
	if len(r.Result.Value) > 0 {
		out.Value = &structpb.Value{}
		if err := out.Value.UnmarshalJSON(r.Result.Value); err != nil {
			return nil, fault.Wrap(err, fault.Internal, "write value")
		}
		if beyondDouble(r.Result.Value) {
			out.ValueJson = string(r.Result.Value)
		}
	}
	return out, nil
}

// convertReply is a reply as it is, with err, which is why the call could not be carried out. ReplyOf is the way back.
func convertReply(r *calls.Reply, err error) (*pb.CallToolResponse, error) {
	out := &pb.CallToolResponse{Call: infoOf(r)}
	failure := failureOf(faultOf(r, err))
	if err != nil {
		out.Refusal, failure = failure, nil
	}
	if r.Result == nil {
		return out, nil
	}
	out.Result = &pb.ToolResult{IsError: r.Result.IsError, Failure: failure}
	if len(r.Result.Value) == 0 {
		return out, nil
	}
	value, err := json.Marshal(r.Result.Value)
	out.Result.ValueJson = string(value)
	return out, fault.Wrap(err, fault.Internal, "write value")
}

// ReplyOf converts the response to a request with `whole`.
func ReplyOf(r *pb.CallToolResponse) *Reply {
	c := r.GetCall()
	out := &Reply{
		Schema: ReplySchema, ClientID: c.GetClientId(), Device: c.GetDeviceId(), Platform: c.GetPlatform(),
		Session: c.GetSessionId(), CallID: c.GetCallId(), Job: c.GetJob(), DurationMS: c.GetDurationMs(),
		Warnings: c.GetWarnings(), Fault: rpcerr.InResponse(r),
	}
	if o := c.GetObservation(); o != nil {
		out.Observation = &Observation{
			Text: o.GetText(), Full: o.GetFull(), Changed: o.GetChanged(), Changes: int(o.GetChanges()),
			Cut: o.GetTruncated(), Rest: o.GetRest(), Settle: o.GetSettle(), URL: o.GetUrl(), Title: o.GetTitle(),
			Image: pieceOf(o.GetImage()),
		}
	}
	if r.GetResult() != nil {
		got := rpc.ResultOf(r)
		out.Result = &Result{Value: got.Value, IsError: got.IsError, Page: c.GetFromPage()}
		for _, part := range got.Content {
			out.Result.Content = append(out.Result.Content, Piece{Content: part})
		}
	}
	return out
}

func pieceOf(i *pb.Image) *Piece {
	if i == nil {
		return nil
	}
	return &Piece{Content: tool.Content{Type: "image", Data: i.GetData(), MIME: i.GetMimeType()}}
}

// exactDigits is the number of digits that every double holds.
const exactDigits = 15

// beyondDouble reports whether JSON has a number of more digits than every double holds.
func beyondDouble(data []byte) bool {
	digits, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && c >= '0' && c <= '9':
			if digits++; digits > exactDigits {
				return true
			}
			continue
		}
		digits = 0
	}
	return false
}
