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
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/jsonsize"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// maxBody bounds a request: storage states are large, everything else is small.
const maxBody = 16 << 20

// Options shape the API.
type Options struct {
	Hub      *hub.Hub
	Sessions string // root of session directories, for blobs
	Version  string // of trailblaze
	Status   func() any
	Agents   *Agents                                             // nil: they are not served
	Reports  string                                              // root of reports, whose runs propose repairs
	Lint     func(root, path string, data []byte) trail.Problems // finds mistakes in a trail; nil: reading it does
	Settings func(root string) (*config.Config, error)           // as they are for a workspace; nil: there are none
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

// call is a call at a door of the API.
type call struct {
	*api
	*pb.CallToolRequest
	args     json.RawMessage      // in place of those in the request
	progress func(calls.Progress) // may be nil
}

// carryOut finds the client and makes the call. The error is the reason why the call could not be carried out; the
// reply then says what is known of it, and is nil without a client.
func (c call) carryOut(ctx context.Context) (*calls.Reply, error) {
	if c.Hub == nil {
		return c.resume(ctx, "")
	}
	client, err := c.clientOf(c.GetOptions())
	if err != nil {
		return nil, err
	}
	defer client.Enter()()
	return c.do(ctx, client)
}

// do makes the call for its client.
func (c call) do(ctx context.Context, client *clients.Client) (*calls.Reply, error) {
	o, device := c.GetOptions(), ""
	err := c.coerce(ctx, client)
	if err == nil {
		device, err = c.device()
	}
	if err != nil {
		return &calls.Reply{Client: client.ID()}, hub.Masked(err, o.GetSecrets())
	}
	if o.GetInvocationId() != "" {
		return c.resume(ctx, client.ID())
	}
	rep, err := c.Hub.Do(ctx, client, calls.Request{
		Call: tool.Call{Name: c.Name, Args: c.args}, Device: device, Intent: o.GetIntent(), MaxTokens: int(o.GetMaxTokens()),
		From: caller(o.GetClient()), Detach: o.GetDetach(), Secrets: o.GetSecrets(), Keys: o.GetModelKeys(),
		Progress: c.progress,
	})
	if rep == nil {
		rep = &calls.Reply{Client: client.ID()}
	}
	return rep, err
}

// device is the device of a call: of one that names a session, the one that the session is with.
func (c call) device() (string, error) {
	if c.SessionId == "" || c.GetOptions().GetInvocationId() != "" || c.Hub.IsManagement(c.Name) {
		return c.DeviceId, nil
	}
	const op = "find session"
	for _, s := range c.Hub.Sessions() {
		if s.ID != c.SessionId {
			continue
		}
		if c.DeviceId != "" && c.DeviceId != s.Device {
			return "", fault.New(fault.Conflict, op, "session %s is with %s, not with %s", s.ID, s.Device, c.DeviceId).
				WithHint("Name the session or the device alone.")
		}
		return s.Device, nil
	}
	return "", fault.New(fault.NotFound, op, "no session %.80q is open", c.SessionId).
		WithHint("Leave the session out: the device's own is used.")
}

// coerce adds the arguments that came as texts, typed by the tool's schema.
func (c *call) coerce(ctx context.Context, client *clients.Client) (err error) {
	if len(c.Texts) == 0 {
		return nil
	}
	if t, ok := c.Hub.Tool(ctx, client, c.Name); ok { // else the hub refuses it and suggests similar names
		c.args, err = argument.Coerce(t.Spec().Input.Get(), c.args, c.Texts)
	}
	return err
}

// clientOf is the client of a request. Requests without an id share one client for each kind of program and workspace.
func (a *api) clientOf(o *pb.CallOptions) (*clients.Client, error) {
	id, kind, workspace := o.GetClientId(), cmp.Or(o.GetClient(), "http"), o.GetWorkspace()
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
