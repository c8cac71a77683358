package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/jsonsize"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// maxBody bounds a request: storage states are large, everything else is small.
const maxBody = 16 << 20

// Options shape the API.
type Options struct {
	Hub      *hub.Hub
	Sessions string // root of session directories, for blobs
	Version  string // of trailblaze
	Status   func() any
	Agents   *Agents // nil: they are not served
}

type api struct {
	Options         // without a hub it serves calls from inside of others alone
	within  Resumer // that makes them
}

// Routes adds the API's routes to a mux.
func Routes(mux *http.ServeMux, o Options) {
	a := &api{Options: o, within: o.Hub}
	mux.HandleFunc("GET /v1/status", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, a.Status()) })
	mux.HandleFunc("GET /v1/blobs/{session}/{hash}", a.blob)
	mux.HandleFunc("POST /v1/tools/{name}", a.named)
	mux.HandleFunc("GET /v1/openapi.json", a.openAPI)
	mux.HandleFunc("/v1/tools/{name}", nothing(http.StatusMethodNotAllowed))
	mux.HandleFunc("/", nothing(http.StatusNotFound))
	a.services(mux)
}

// nothing answers a request that no route takes.
func nothing(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := fault.New(fault.NotFound, "find route", "nothing answers %s %.200s", r.Method, r.URL.Path).
			WithHint("POST /v1/tools/{name} calls a tool. The page /docs shows all of them, /v1/openapi.json describes them.")
		answer(w, status, map[string]*fault.Failure{"error": fault.FailureOf(err)})
	}
}

// cancelCalls ends calls. It answers at once, whatever the calls do, and refuses a request that names no calls.
func (a *api) cancelCalls(req calls.CancelRequest) (int, error) {
	if req.Client == "" && req.Device == "" && req.CallID == "" && req.Job == "" && !req.All {
		return 0, fault.New(fault.Invalid, "cancel", "nothing says which calls are meant").
			WithHint(`Give "deviceId", "callId", "job", "clientId" or "all": true.`)
	}
	return a.Hub.Cancel(req), nil
}

// do is the one way of a call from every door of the API to the hub. The error is the reason why the call could not be
// carried out; the reply has it as well.
func (a *api) do(
	ctx context.Context, client *clients.Client, req callRequest, progress func(calls.Progress),
) (*Reply, error) {
	args, err := a.args(ctx, client, req)
	if err == nil {
		req.Device, err = a.deviceOf(req)
	}
	if err != nil {
		err = hub.Masked(err, req.Secrets)
		return replyOf(client.ID(), nil, err), err
	}
	call := tool.Call{Name: req.Tool, Args: args}
	if req.Invocation != "" {
		return a.resume(ctx, client.ID(), req, call)
	}
	rep, err := a.Hub.Do(ctx, client, calls.Request{
		Call: call, Device: req.Device, Intent: req.Intent, MaxTokens: req.MaxTokens,
		From: caller(req.Client), Detach: req.Detach, Secrets: req.Secrets, Keys: req.Keys, Progress: progress,
	})
	out := replyOf(client.ID(), rep, err)
	if t, ok := a.Hub.Tools(client).Get(req.Tool); ok && out.Result != nil {
		out.Result.Page = a.Hub.FromPage(t.Spec(), rep)
	}
	return out, err
}

// deviceOf is the device of a call that names a session: the one that the session is with.
func (a *api) deviceOf(req callRequest) (string, error) {
	if req.Session == "" || req.Invocation != "" || a.Hub.IsManagement(req.Tool) {
		return req.Device, nil
	}
	const op = "find session"
	for _, s := range a.Hub.Sessions() {
		if s.ID != req.Session {
			continue
		}
		if req.Device != "" && req.Device != s.Device {
			return "", fault.New(fault.Conflict, op, "session %s is with %s, not with %s", s.ID, s.Device, req.Device).
				WithHint("Name the session or the device alone.")
		}
		return s.Device, nil
	}
	return "", fault.New(fault.NotFound, op, "no session %.80q is open", req.Session).
		WithHint("Leave the session out: the device's own is used.")
}

// args are the call's arguments, those that came as strings typed by the tool's schema.
func (a *api) args(ctx context.Context, client *clients.Client, req callRequest) (json.RawMessage, error) {
	if len(req.Texts) == 0 {
		return req.Args, nil
	}
	t, ok := a.Hub.Tool(ctx, client, req.Tool)
	if !ok {
		return req.Args, nil // the hub refuses it and suggests similar names
	}
	return argument.Coerce(t.Spec().Input.Get(), req.Args, req.Texts)
}

// clientFor is the client of a request. Requests without an id share one client for each kind of
// program and workspace.
func (a *api) clientFor(id, kind, workspace string) (*clients.Client, error) {
	kind = cmp.Or(kind, "http")
	if workspace != "" && !filepath.IsAbs(workspace) {
		return nil, fault.New(fault.Invalid, "find client", "the workspace %q is not an absolute path", workspace).
			WithHint("Give the whole path of the project's folder.")
	}
	if id == "" {
		sum := sha256.Sum256([]byte(kind + "\x00" + workspace))
		id = "tb_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:26]
	}
	if !clients.ValidID(id) {
		return nil, fault.New(fault.Invalid, "find client", "%q is no Trailblaze client id", id).
			WithHint("Leave it out, or give the one that an earlier reply named.")
	}
	return a.Hub.Client(id, clients.Identity{Kind: kind, Workspace: workspace})
}

func caller(client string) dispatch.Caller {
	if client == "cli" {
		return dispatch.CLI
	}
	return dispatch.API
}

// read decodes a request body, or refuses it.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		refuse(w, fault.New(fault.Invalid, "read request", "Content-Type must be application/json").
			WithHint("With curl: -H 'Content-Type: application/json'."))
		return false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		err = jsonsize.Check(body)
	}
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(body))
		dec.DisallowUnknownFields()
		if err = dec.Decode(into); err == nil && dec.More() {
			err = errors.New("more than one JSON value")
		}
	}
	if err != nil {
		refuse(w, fault.New(fault.Invalid, "read request", "the body is not such a request: %v", err).
			WithHint("GET /v1/openapi.json describes each request."))
		return false
	}
	return true
}

func refuse(w http.ResponseWriter, err error) {
	answer(w, status(err), map[string]*fault.Failure{"error": fault.FailureOf(err)})
}

func status(err error) int {
	switch fault.KindOf(err) {
	case fault.Invalid:
		return http.StatusBadRequest
	case fault.Denied:
		return http.StatusForbidden
	case fault.NotFound:
		return http.StatusNotFound
	case fault.Conflict, fault.Busy:
		return http.StatusConflict
	case fault.Unsupported:
		return http.StatusNotImplemented
	case fault.Unavailable:
		return http.StatusServiceUnavailable
	case fault.Timeout:
		return http.StatusGatewayTimeout
	default:
		return http.StatusInternalServerError
	}
}

func answer(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		data, status = []byte(`{"error":{"kind":"internal","message":"the answer could not be written"}}`),
			http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n'))
}
