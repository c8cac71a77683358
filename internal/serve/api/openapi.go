package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api/contract"
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
	req := callRequest{
		Tool: r.PathValue("name"), Device: q.Get("device"), Session: q.Get("session"), Workspace: q.Get("workspace"),
		ClientID: q.Get("clientId"), Client: q.Get("client"), Intent: q.Get("intent"),
		Invocation: q.Get("invocationId"),
	}
	if r.ContentLength != 0 && !read(w, r, &req.Args) {
		return
	}
	if args := bytes.TrimSpace(req.Args); len(args) > 0 && args[0] != '{' {
		refuse(w, fault.New(fault.Invalid, "read request", "the body is not a JSON object").
			WithHint(`Send the arguments of the tool: {"ref": "e5"}.`))
		return
	}
	rep, err := a.carryOut(r.Context(), req, nil)
	switch {
	case rep == nil:
		refuse(w, err)
	case err != nil:
		answer(w, status(err), rep)
	default:
		answer(w, http.StatusOK, rep)
	}
}

// openAPI serves the description of the tools that a client of a workspace may call.
func (a *api) openAPI(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	client, err := a.clientFor(q.Get("clientId"), q.Get("client"), q.Get("workspace"))
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
