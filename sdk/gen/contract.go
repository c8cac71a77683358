package main

import (
	"regexp"
	"slices"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// clientPath is the package of the SDK for Go.
const clientPath protogen.GoImportPath = "github.com/trailblaze-dev/trailblaze/client"

// contract is what all languages are written of.
type contract struct {
	services []service
	messages []*protogen.Message // that are a part of a request or a response
}

type service struct {
	name, doc string
	path      protogen.GoImportPath // of the package with its messages
	pkg       protogen.GoPackageName
	methods   []method
}

const commands = "Commands"

// served are the services for programs: those that MCP is served with are not.
var served = regexp.MustCompile(`Commands$|^(Tool|Session)Service$`)

// platforms are those whose devices have the backend, nil for a service that is none.
func (s service) platforms() []string {
	switch backend := s.attribute(); backend {
	case "", "manage", "tools", "sessions":
		return nil
	case "mobile":
		return []string{"android", "ios"}
	default:
		return []string{backend}
	}
}

// connect is a name of the client that Connect's plug-in for Go makes.
func (s service) connect(name string) protogen.GoIdent {
	pkg := string(s.pkg) + "connect"
	return protogen.GoIdent{GoName: name, GoImportPath: s.path + protogen.GoImportPath("/"+pkg)}
}

// attribute is the name that a client has for the service, empty for the one whose methods are its own.
func (s service) attribute() string {
	switch kind, of := strings.CutSuffix(s.name, commands); {
	case !of:
		return strings.ToLower(strings.TrimSuffix(kind, "Service")) + "s"
	case kind == "Trailblaze":
		return ""
	case kind == "Management":
		return "manage"
	default:
		return strings.ToLower(kind)
	}
}

// method is a command. Fields that every request has are not among the parameters: the client fills them.
type method struct {
	name, procedure, doc string
	streams              bool // it gives any number of responses
	params               []param
	result               *protogen.Message
	value                *protogen.Field // of the result, that the method gives in its place; nil: none
	request              *protogen.Message
	inner                string // the field that holds the request in a message around it; "": there is none
}

type param struct {
	*protogen.Field
	required   bool
	positional bool
	choices    []string // the values that a text may have; none: any
	alias      string   // another name of it
}

// values are the fields that queries give in place of their response, so that they can stand in a condition.
var values = map[string]protoreflect.Name{
	"IsVisible": "visible", "HasText": "has_text", "GetElementCount": "count", "GetElementText": "text",
	"EvaluateJs": "result",
}

// aliases are the other names of parameters, by method and field.
var aliases = map[string]string{"LaunchApp.app_id": "package_id"}

// everywhere are the fields that are no parameters: the client sets the first three.
var everywhere = []protoreflect.Name{"device_id", "session_id", "options", "reasoning", "reason"}

func read(p *protogen.Plugin) contract {
	var c contract
	requests := map[protoreflect.FullName]bool{}
	for _, f := range p.Files {
		for _, s := range f.Services {
			if !served.MatchString(s.GoName) {
				continue
			}
			out := service{name: s.GoName, doc: text(s.Comments.Leading), path: f.GoImportPath, pkg: f.GoPackageName}
			for _, m := range s.Methods {
				requests[m.Input.Desc.FullName()] = true
				out.methods = append(out.methods, methodOf(s, m))
			}
			c.services = append(c.services, out)
		}
	}
	for _, f := range p.Files {
		if f.Desc.Package() != "trailblaze.v1" || !f.Generate {
			continue
		}
		for _, m := range f.Messages {
			if name := string(m.Desc.Name()); !requests[m.Desc.FullName()] && !strings.HasSuffix(name, "Request") {
				c.messages = append(c.messages, m)
			}
		}
	}
	return c
}

// unwrap returns the request that another one holds, and its field. A program gives the arguments of the inner one.
func unwrap(m *protogen.Message) (request *protogen.Message, field string) {
	for _, f := range m.Fields {
		if f.Message != nil && strings.HasSuffix(f.Message.GoIdent.GoName, "Request") {
			return f.Message, f.Desc.JSONName()
		}
	}
	return m, ""
}

func methodOf(s *protogen.Service, m *protogen.Method) method {
	out := method{
		name: m.GoName, procedure: string(s.Desc.FullName()) + "/" + m.GoName, doc: text(m.Comments.Leading),
		result: m.Output, streams: m.Desc.IsStreamingServer(),
	}
	out.request, out.inner = unwrap(m.Input)
	for _, f := range m.Output.Fields {
		if name, ok := values[m.GoName]; ok && f.Desc.Name() == name {
			out.value = f
		}
	}
	out.params = paramsOf(s, m.GoName, out.request)
	// A required parameter may be given by its place, and so may the only one, and the selector of an element. Those
	// that may be left out come behind the others.
	for i := range out.params {
		p := &out.params[i]
		p.positional = p.required || p.Desc.Number() > 3 && (len(out.params) == 1 || i == 0 && p.Desc.Name() == "selector")
	}
	if slices.ContainsFunc(out.params, func(p param) bool { return p.required }) {
		for i := range out.params {
			out.params[i].positional = out.params[i].required
		}
	}
	slices.SortStableFunc(out.params, func(a, b param) int { return rank(a) - rank(b) })
	return out
}

// paramsOf are the parameters of a method: the fields of its request that the client does not fill.
func paramsOf(s *protogen.Service, method string, request *protogen.Message) (out []param) {
	options := request.Desc.Fields().ByName("options")
	for _, f := range request.Fields {
		named := s.GoName == "ManagementCommands" && f.Desc.Number() < 3 // a device or session to manage
		if named || options == nil || !slices.Contains(everywhere, f.Desc.Name()) {
			out = append(out, paramOf(method, f))
		}
	}
	return out
}

func rank(p param) int {
	if p.positional {
		return 0
	}
	return 1
}

func paramOf(method string, f *protogen.Field) param {
	out := param{Field: f, alias: aliases[method+"."+string(f.Desc.Name())]}
	if r, ok := proto.GetExtension(f.Desc.Options(), validate.E_Field).(*validate.FieldRules); ok && r != nil {
		out.required = r.GetRequired() || r.GetString().GetMinLen() > 0
		out.choices = r.GetString().GetIn()
	}
	return out
}

var spaces = regexp.MustCompile(`\s+`)

// text is a comment in one line.
func text(c protogen.Comments) string {
	return strings.TrimSpace(spaces.ReplaceAllString(string(c), " "))
}

// snake is a name as Python writes it.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
