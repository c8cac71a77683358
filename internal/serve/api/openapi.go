package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api/contract"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// named carries out a call whose arguments are the body of the request and whose tool is in its path. A reply says what
// the tool made of it; a call that could not be carried out has a status of its own beside it.
func (a *api) named(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name := range q {
		if known := contract.CallParameters(); !slices.Contains(known, name) {
			refuse(w, fault.New(fault.Invalid, "read request", "the query has no %q", name).
				WithHint("It takes %s. The arguments of the tool are the body.", strings.Join(known, ", ")))
			return
		}
	}
	c := call{api: a, CallToolRequest: &pb.CallToolRequest{
		Name: r.PathValue("name"), DeviceId: q.Get("device"), SessionId: q.Get("session"), Options: optionsOf(q),
	}}
	if r.ContentLength != 0 && !read(w, r, &c.args) {
		return
	}
	if args := bytes.TrimSpace(c.args); len(args) > 0 && args[0] != '{' {
		refuse(w, fault.New(fault.Invalid, "read request", "the body is not a JSON object").
			WithHint(`Send the arguments of the tool: {"ref": "e5"}.`))
		return
	}
	rep, err := c.carryOut(r.Context())
	if rep == nil {
		refuse(w, err)
		return
	}
	code := http.StatusOK
	if err != nil {
		code = status(err)
	}
	out, err := convertReply(rep, err)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, code, ReplyOf(out))
}

// optionsOf are the options of a call in the query of its request.
func optionsOf(q url.Values) *pb.CallOptions {
	return &pb.CallOptions{
		ClientId: q.Get("clientId"), Client: q.Get("client"), Workspace: q.Get("workspace"), Intent: q.Get("intent"),
		InvocationId: q.Get("invocationId"),
	}
}

// openAPI serves the description of the tools that a client of a workspace may call.
func (a *api) openAPI(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	client, err := a.clientOf(optionsOf(q))
	if err != nil {
		refuse(w, err)
		return
	}
	schemas, err := replySchemas()
	if err != nil {
		refuse(w, fault.Wrap(err, fault.Internal, "describe replies"))
		return
	}
	var specs []*tool.Spec
	for _, t := range a.Hub.Tools(client).All() {
		specs = append(specs, t.Spec())
	}
	answer(w, http.StatusOK, contract.OpenAPI(cmp.Or(a.Version, "dev"), specs, schemas.reply, schemas.failure))
}

type schemas struct{ reply, failure *jsonschema.Schema }

// replySchemas describe the types of the wire.
var replySchemas = sync.OnceValues(func() (s schemas, err error) {
	if s.failure, err = jsonschema.For[fault.Failure](nil); err != nil {
		return s, err
	}
	raw := &jsonschema.Schema{Description: "typed data, as the tool describes it"}
	o := &jsonschema.ForOptions{IgnoreInvalidTypes: true, TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): raw,
		reflect.TypeFor[[]byte]():          {Type: "string", ContentEncoding: "base64"},
	}}
	s.reply, err = jsonschema.For[Reply](o)
	if err == nil {
		s.reply.AdditionalProperties, s.failure.AdditionalProperties = nil, nil // fields may be added
		s.reply.Properties["fault"] = &jsonschema.Schema{Ref: "#/components/schemas/Failure"}
	}
	return s, err
})
