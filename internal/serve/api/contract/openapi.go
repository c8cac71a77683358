package contract

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// object is a JSON object of the document.
type object = map[string]any

// absolute is the pattern of a whole path, or of none.
var absolute = map[bool]string{true: `^([A-Za-z]:[/\\]|[/\\]{2}|$)`, false: `^(/|$)`}[runtime.GOOS == "windows"]

// callParameters are the parameters of the query that a call has beside its arguments.
var callParameters = []struct{ name, about, pattern string }{
	{"device", "The device to act on; without it the client's own, or the only one.", ""},
	{"session", "The session that the call belongs to.", ""},
	{"workspace", "The absolute path of the client's project; its tools, policy and settings hold.", absolute},
	{"clientId", "The client that calls; without it, requests of one kind of program and workspace share one.",
		`^(tb_[a-z2-7]{26})?$`},
	{"client", "The kind of program that calls.", ""},
	{"intent", "What the call is for; it becomes the text of the recorded step.", ""},
	{"invocationId", "The call in flight from inside of which this one is made.", ""},
}

// CallParameters returns the names of a call's parameters in the query.
func CallParameters() (names []string) {
	for _, p := range callParameters {
		names = append(names, p.name)
	}
	return names
}

// OpenAPI returns the OpenAPI 3.1 document of these tools: one operation each, at POST /v1/tools/{name}. reply and
// failure are the schemas of the answers of every operation.
func OpenAPI(version string, specs []*tool.Spec, reply, failure *jsonschema.Schema) any {
	paths := object{}
	specs = slices.Clone(specs)
	slices.SortFunc(specs, func(a, b *tool.Spec) int { return cmp.Compare(a.Name, b.Name) })
	for _, s := range specs {
		paths["/v1/tools/"+s.Name] = object{"post": operation(s)}
	}
	parameters := object{}
	for _, p := range callParameters {
		schema := object{"type": "string"}
		if p.pattern != "" {
			schema["pattern"] = p.pattern
		}
		parameters[p.name] = object{"name": p.name, "in": "query", "description": p.about, "schema": schema}
	}
	var tags []object
	for _, v := range services {
		tags = append(tags, object{"name": v.name, "description": v.name + " " + v.about})
	}
	return object{
		"openapi": "3.1.0", "tags": tags,
		"info": object{
			"title": "Trailblaze", "version": cmp.Or(version, "dev"),
			"description": "Each tool is an operation. Its arguments are the body of the request; the answer is a " +
				"reply, with the failure of the tool in it. A call that could not be carried out has a status of its own, " +
				"and a request that is no call is answered with the failure alone.",
		},
		"servers":  []any{object{"url": "/"}},
		"security": []any{object{"token": []string{}}},
		"paths":    paths,
		"components": object{
			"schemas": object{"Reply": reply, "Failure": failure, "Refusal": refusal}, "parameters": parameters,
			"securitySchemes": object{"token": object{
				"type": "http", "scheme": "bearer", "description": "the token in the daemon's daemon.json",
			}},
			"responses": object{"Failed": object{
				"description": "the call could not be carried out",
				"content": content(object{"anyOf": []any{
					object{"$ref": "#/components/schemas/Reply"},
					object{"$ref": "#/components/schemas/Refusal"},
				}}),
			}},
		},
	}
}

// refusal is the schema of the answer to a request that did not become a call.
var refusal = object{
	"type": "object", "required": []string{"error"},
	"properties": object{"error": object{"$ref": "#/components/schemas/Failure"}},
}

func operation(s *tool.Spec) object {
	result := object{"$ref": "#/components/schemas/Reply"}
	if s.Output != nil {
		result = object{"allOf": []any{result, object{"properties": object{
			"result": object{"type": "object", "properties": object{"value": s.Output()}},
		}}}}
	}
	var parameters []any
	for _, p := range callParameters {
		parameters = append(parameters, object{"$ref": "#/components/parameters/" + p.name})
	}
	out := object{
		"operationId": s.Name, "tags": []string{OfService(s)}, "summary": cmp.Or(s.Title, s.Name),
		"description": s.Description, "parameters": parameters,
		"responses": object{
			"200":     object{"description": "what the tool gave", "content": content(result)},
			"default": object{"$ref": "#/components/responses/Failed"},
		},
	}
	if s.Input != nil {
		in := s.Accepts()
		out["requestBody"] = object{"required": len(in.Required) > 0, "content": content(in)}
	}
	return out
}

func content(schema any) object { return object{"application/json": object{"schema": schema}} }
