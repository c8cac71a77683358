package callback

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/jsonsize"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Path is the path of the door.
const Path = "/scripting/callback"

// Handler answers callbacks.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.Error(w, "callbacks are POST", http.StatusMethodNotAllowed)
			return
		}
		req, status, err := read(w, r)
		if err != nil {
			http.Error(w, err.Error(), status)
			return
		}
		ctx, cancel := context.WithTimeoutCause(s.withAccess(r), s.o.Timeout, errSlow)
		defer cancel()
		answer(w, s.answer(ctx, req))
	})
}

// read reads a request. An unreadable one is refused as HTTP does, with a text.
func read(w http.ResponseWriter, r *http.Request) (request, int, error) {
	if r.ContentLength > maxBody {
		return request{}, http.StatusRequestEntityTooLarge, fmt.Errorf("the body has more than %d bytes", maxBody)
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return request{}, http.StatusBadRequest, errors.New("the Content-Type must be application/json")
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = control.SetReadDeadline(time.Time{}) // its end would end the call
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return request{}, http.StatusRequestEntityTooLarge, fmt.Errorf("the body has more than %d bytes", maxBody)
	case err == nil:
		err = jsonsize.Check(body)
	}
	var req request
	if err == nil {
		err = json.Unmarshal(body, &req)
	}
	if err != nil {
		return request{}, http.StatusBadRequest, fmt.Errorf("the body is not a callback: %w", err)
	}
	return req, 0, nil
}

// versions are the supported forms. A form that has gone out of use is taken out, so that its callers are asked to
// upgrade.
var versions = map[int]func(s *Server, ctx context.Context, req request) result{1: (*Server).first}

// Version is the form that this program's own SDKs send.
const Version = 1

func (s *Server) answer(ctx context.Context, req request) result {
	version := Version
	if req.Version != nil {
		version = *req.Version
	}
	if serve := versions[version]; serve != nil {
		return serve(s, ctx, req)
	}
	text := fmt.Sprintf("Unsupported callback version %d; this runtime speaks v%d", version, Version)
	if version < Version {
		text += ": upgrade @trailblaze/scripting"
	}
	return refusal(text, 0)
}

// first answers a request of version 1.
func (s *Server) first(ctx context.Context, req request) result {
	session, invocation := either(req.SessionID, req.SessionIDCamel), either(req.InvocationID, req.InvocationIDCamel)
	name := either(req.Action.ToolName, req.Action.ToolNameCamel)
	switch {
	case req.Action.Type != "call_tool":
		return refusal(fmt.Sprintf("Unknown action %q; this runtime knows call_tool", req.Action.Type), 0)
	case invocation == "" && ctx.Value(accessKey{}) == nil:
		return refusal("The callback has no invocation_id, and without one it has to show the token of "+
			"TRAILBLAZE_CALLBACK_TOKEN: send back the invocationId that came in the call's _meta.trailblaze.", 0)
	case session == "" && invocation != "":
		return refusal("The callback has no session_id: send back the sessionId that came in the call's "+
			"_meta.trailblaze.", 0)
	case name == "":
		return refusal("The callback names no tool_name.", 0)
	}
	args := json.RawMessage(either(req.Action.ArgumentsJSON, req.Action.ArgumentsJSONCamel))
	if len(args) > 0 && !json.Valid(args) {
		return failure("arguments_json is not JSON", nil)
	}
	res, err := bound{s}.ResumeIn(ctx, session, invocation, tool.Call{Name: name, Args: args})
	return resultOf(ctx, res, err)
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// coded is an error with a code of JSON-RPC: there is no such invocation in flight.
type coded interface{ Code() int }

// resultOf converts the result of a call.
func resultOf(ctx context.Context, res *tool.Result, err error) result {
	var c coded
	switch {
	case errors.As(err, &c):
		return refusal(err.Error(), c.Code())
	case err != nil && ctx.Err() != nil:
		return failure(context.Cause(ctx).Error()+": "+err.Error(), nil)
	case err != nil:
		return failure(worded(err), nil)
	case res.IsError:
		return failure(worded(res.Err()), res)
	}
	return result{Type: "call_tool_result", call: &callResult{
		Success: true, TextContent: res.Text(), Text: res.Text(), Structured: res.Value,
	}}
}

// worded returns the text of an error with its advice.
func worded(err error) string {
	text := err.Error()
	if hint := fault.HintOf(err); hint != "" {
		text += "\n" + hint
	}
	return text
}

func refusal(message string, code int) result {
	return result{Type: "error", message: message, code: code}
}

func failure(message string, res *tool.Result) result {
	out := &callResult{ErrorMessage: message, Error: message}
	if res != nil {
		out.Structured = res.Value
	}
	return result{Type: "call_tool_result", call: out}
}

func answer(w http.ResponseWriter, r result) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r.wire()); err != nil {
		http.Error(w, "the answer could not be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(buf.Bytes())
}
