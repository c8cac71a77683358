package drive

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"connectrpc.com/connect"
	"github.com/spf13/cobra"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	"github.com/trailblaze-dev/trailblaze/proto/descriptor"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// NewAPI makes the command trailblaze api.
func NewAPI(a *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "api", Short: "Call the typed API as a program does", GroupID: "drive",
		Long: `Call a method of the typed API, as programs do with gRPC, Connect or JSON, or print the address of the
page that describes it.`,
		Args: shell.NoSuchCommand, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Example: "  trailblaze api call WebCommands.Click selector=#buy\n  trailblaze api docs",
	}
	cmd.AddCommand(newAPICall(a), newAPIDocs(a))
	return cmd
}

// apiCall are the options of api call.
type apiCall struct {
	Command
	data string
}

func newAPICall(a *shell.Shell) *cobra.Command {
	c := &apiCall{Command: Command{Shell: a}}
	cmd := &cobra.Command{
		Use: "call <service.method> [field=value]...", Short: "Call a method; prints its response as JSON",
		Long: `Call a method of proto/trailblaze/v1 with the fields of its request. Values are typed by the contract. A
part of a message is written as field.part=value, an element of a list by naming the list more than once. The
workspace is that of the working directory. The messages of a stream are printed as they come, each as one line,
until the stream or Ctrl-C ends it. A tool that failed is exit status 1.`,
		Example: `  trailblaze api call WebCommands.Navigate url=http://localhost:8080
  trailblaze api call TrailblazeCommands.IsVisible text="Sign in" timeoutMs=2000
  trailblaze api call ToolService.CallTool name=web_click args.ref=e12 options.intent="Buy the mug"
  trailblaze api call ToolService.GetBackends --data '{"deviceId": "web"}'
  trailblaze api call SessionService.ListSessions
  trailblaze api call SessionService.WatchEvents sessionId=2026_11_23_10_00_00_web_1 noFollow=true`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return shell.Misuse(cmd, "expected a method, such as WebCommands.Click")
			}
			return nil
		},
		RunE: shell.Work(c.Run), ValidArgsFunction: c.complete,
	}
	cmd.Flags().StringVar(&c.data, "data", "", "the request as `JSON`, @file or - for standard input")
	c.timeoutFlag(cmd)
	return cmd
}

// Run calls the method. A stream is printed as it comes, one line for each message.
func (c *apiCall) Run(ctx context.Context, args []string) error {
	m, err := methodOf(args[0])
	if err != nil {
		return err
	}
	request, err := c.message(m, args[1:])
	if err != nil {
		return err
	}
	to, err := c.Link(ctx, true)
	if err != nil {
		return err
	}
	defer to.Close()
	ctx, cancel := rpc.Limit(ctx, c.timeout)
	defer cancel()
	if err := c.Locate(); err != nil {
		return err
	}
	usual := &pb.CallToolRequest{Options: &pb.CallOptions{
		Client: "cli", Workspace: c.Workspace, ClientId: c.ClientID(c.Workspace),
	}}
	do, failed := c.unary, false
	if m.IsStreamingServer() {
		do = c.stream
	}
	err = shell.Attend(ctx, to, func(ctx context.Context) (err error) {
		failed, err = do(ctx, dynamic(to, m, usual), request)
		return err
	})
	switch {
	case err != nil && ctx.Err() != nil && c.timeout == 0 && m.IsStreamingServer():
		return nil // Ctrl-C is how one ends it
	case err != nil && ctx.Err() != nil:
		return c.ended(ctx, args[0])
	case err == nil && failed:
		return shell.Exit(shell.ExitFailed)
	}
	return err
}

type dynamicClient = connect.Client[dynamicpb.Message, dynamicpb.Message]

// dynamic is a client of a method, made of its descriptor: no code is linked for the typed methods.
func dynamic(to *dial.Daemon, m protoreflect.MethodDescriptor, usual *pb.CallToolRequest) *dynamicClient {
	procedure := "/" + string(m.Parent().FullName()) + "/" + string(m.Name())
	return connect.NewClient[dynamicpb.Message, dynamicpb.Message](to.HTTP(), dial.URL+procedure,
		connect.WithSchema(m), shell.Local(), connect.WithInterceptors(rpc.Filling{Usual: usual}),
		connect.WithResponseInitializer(func(_ connect.Spec, message any) error {
			if out, ok := message.(*dynamicpb.Message); ok {
				*out = *dynamicpb.NewMessage(m.Output())
			}
			return nil
		}))
}

func (c *apiCall) unary(ctx context.Context, m *dynamicClient, r *dynamicpb.Message) (failed bool, err error) {
	out, err := m.CallUnary(ctx, connect.NewRequest(r))
	if err != nil {
		return false, err
	}
	doc, err := documentOf(out.Msg)
	if err != nil {
		return false, err
	}
	return hasFailed(doc), c.PrintJSON(doc)
}

func (c *apiCall) stream(ctx context.Context, m *dynamicClient, r *dynamicpb.Message) (failed bool, err error) {
	for message, err := range rpc.Messages(m.CallServerStream(ctx, connect.NewRequest(r))) {
		if err != nil {
			return failed, err
		}
		doc, err := documentOf(message)
		if err != nil {
			return failed, err
		}
		failed = hasFailed(doc)
		line, err := json.Marshal(doc)
		if err != nil {
			return failed, err
		}
		c.Printf("%s\n", line)
	}
	return failed, nil
}

// documentOf is a message as JSON that our own printing writes: protojson's spaces differ from build to build.
func documentOf(m *dynamicpb.Message) (out map[string]any, err error) {
	data, err := protojson.Marshal(m)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	return out, fault.Wrap(err, fault.Internal, "print response")
}

// hasFailed reports whether a tool failed: its method, or a call by name, says so in the response.
func hasFailed(doc map[string]any) bool {
	if doc["failure"] != nil || doc["refusal"] != nil || doc["isError"] == true {
		return true
	}
	result, _ := doc["result"].(map[string]any) // of a stream, too, whose last message it is
	return result != nil && hasFailed(result)
}

// message is the request as the contract has it.
func (c *apiCall) message(m protoreflect.MethodDescriptor, fields []string) (*dynamicpb.Message, error) {
	request, err := c.request(m, fields)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(request)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "write request")
	}
	out := dynamicpb.NewMessage(m.Input())
	if err := protojson.Unmarshal(data, out); err != nil {
		return nil, fault.New(fault.Invalid, "read command line", "this is no %s: %s", m.Input().Name(), rpcerr.JSON(err)).
			WithHint("It has %s.", strings.Join(described(m.Input()), ", "))
	}
	return out, nil
}

// described are the fields of a message with their types.
func described(m protoreflect.MessageDescriptor) (out []string) {
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		kind := f.Kind().String()
		if f.Message() != nil {
			kind = string(f.Message().Name())
		}
		if f.IsMap() {
			kind = "map"
		} else if f.IsList() {
			kind = "list of " + kind
		}
		out = append(out, f.JSONName()+" ("+kind+")")
	}
	return out
}

// request is the body: what --data says, with the fields of the command line in it.
func (c *apiCall) request(m protoreflect.MethodDescriptor, fields []string) (map[string]any, error) {
	out := map[string]any{}
	if c.data != "" {
		text, err := c.content(c.data)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			return nil, fault.New(fault.Invalid, "read command line", "--data is not a JSON object: %w", err)
		}
	}
	for _, item := range fields {
		name, value, ok := strings.Cut(item, "=")
		if !ok {
			return nil, fault.New(fault.Invalid, "read command line", "%q is not field=value", item).
				WithHint("Write a field and its value as in url=http://localhost:8080; --data takes the request as JSON.")
		}
		if err := set(out, m.Input(), strings.Split(name, "."), value); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// part is the object under a name, made if there is none.
func part(of map[string]any, name string) map[string]any {
	in, _ := of[name].(map[string]any)
	if in == nil {
		in = map[string]any{}
		of[name] = in
	}
	return in
}

// set puts a value into the message under a path of field names.
func set(out map[string]any, m protoreflect.MessageDescriptor, path []string, value string) error {
	if m.FullName() == "google.protobuf.Struct" { // no contract says what is in it
		put(out, path, loose(value))
		return nil
	}
	f := m.Fields().ByJSONName(path[0])
	if f == nil {
		f = m.Fields().ByTextName(path[0])
	}
	if f == nil {
		return fault.New(fault.Invalid, "read command line", "%s has no field %q", m.Name(), path[0]).
			WithHint("It has %s.", strings.Join(fieldsOf(m), ", "))
	}
	if len(path) > 1 && f.Message() != nil {
		in := part(out, f.JSONName())
		if f.IsMap() {
			put(in, path[1:], value)
			return nil
		}
		return set(in, f.Message(), path[1:], value)
	}
	v := any(value)
	if f.Kind() != protoreflect.StringKind {
		v = loose(value) // the API says what does not fit
	}
	if _, isList := v.([]any); f.IsList() && !isList {
		list, _ := out[f.JSONName()].([]any)
		v = append(list, v)
	}
	out[f.JSONName()] = v
	return nil
}

func put(out map[string]any, path []string, v any) {
	for _, name := range path[:len(path)-1] {
		out = part(out, name)
	}
	out[path[len(path)-1]] = v
}

// loose is the JSON that a text is, or the text.
func loose(text string) any {
	v, err := argument.Decode(json.RawMessage(text))
	if err != nil {
		return text
	}
	return v
}

func fieldsOf(m protoreflect.MessageDescriptor) (out []string) {
	for i := range m.Fields().Len() {
		out = append(out, m.Fields().Get(i).JSONName())
	}
	return out
}

// methods are all methods, by Service.Method.
func methods() (map[string]protoreflect.MethodDescriptor, error) {
	services, err := descriptor.Services()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "read contract")
	}
	out := map[string]protoreflect.MethodDescriptor{}
	for _, s := range services {
		for i := range s.Methods().Len() {
			m := s.Methods().Get(i)
			out[string(s.Name())+"."+string(m.Name())] = m
		}
	}
	return out, nil
}

func methodOf(name string) (protoreflect.MethodDescriptor, error) {
	all, err := methods()
	if err != nil {
		return nil, err
	}
	name = strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(name, "/"), "trailblaze.v1."), "/", ".")
	for known, m := range all {
		if strings.EqualFold(known, name) {
			return m, nil
		}
	}
	near := argument.Near(name, slices.Sorted(maps.Keys(all)), 3)
	e := fault.New(fault.NotFound, "find method", "the API has no method %.80q", name)
	if len(near) > 0 {
		return nil, e.WithHint("There is %s.", strings.Join(near, ", "))
	}
	return nil, e.WithHint("Write Service.Method; trailblaze api docs describes the API.")
}

// complete completes the method, then the fields of its request and the values of those that have few.
func (c *apiCall) complete(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	all, err := methods()
	if err != nil {
		return nil, none
	}
	if len(args) == 0 {
		return slices.Sorted(maps.Keys(all)), none
	}
	m, err := methodOf(args[0])
	if err != nil {
		return nil, none
	}
	in, path := within(m.Input(), word)
	if name, _, typed := strings.Cut(word[len(path):], "="); typed {
		if f := in.Fields().ByJSONName(name); f != nil && f.Kind() == protoreflect.BoolKind {
			return []string{path + name + "=true", path + name + "=false"}, none
		}
		return nil, none
	}
	var out []string
	for i := range in.Fields().Len() {
		f := in.Fields().Get(i)
		name, end := path+f.JSONName(), "="
		if f.Message() != nil && !f.IsList() {
			end = "."
		}
		if !slices.ContainsFunc(args[1:], func(a string) bool { return strings.HasPrefix(a, name+"=") }) {
			out = append(out, name+end)
		}
	}
	return out, none | cobra.ShellCompDirectiveNoSpace
}

// within returns the message whose fields complete a word, and the part of the word that leads there: options. of
// options.inte.
func within(m protoreflect.MessageDescriptor, word string) (in protoreflect.MessageDescriptor, path string) {
	for in = m; ; {
		name, _, deeper := strings.Cut(word[len(path):], ".")
		f := in.Fields().ByJSONName(name)
		if !deeper || f == nil || f.Message() == nil || f.IsMap() || f.IsList() {
			return in, path
		}
		in, path = f.Message(), path+name+"."
	}
}

// docsDoc is the output of api docs.
type docsDoc struct {
	Schema string `json:"schema"`
	URL    string `json:"url"`
}

func newAPIDocs(a *shell.Shell) *cobra.Command {
	c := &Command{Shell: a}
	return &cobra.Command{
		Use: "docs", Short: "Print the address of the page that describes the API and calls it",
		Long: `Print the address of the page that describes every tool and calls it. The address holds the daemon's token:
who has it can do what you can, until the daemon ends.`,
		Example: "  trailblaze api docs", Args: shell.Exactly(0, "no arguments"),
		RunE: shell.Work(func(ctx context.Context, _ []string) error { return c.docs(ctx) }),
	}
}

func (c *Command) docs(ctx context.Context) error {
	if err := c.Locate(); err != nil {
		return err
	}
	to, err := c.Link(ctx, true)
	if err != nil {
		return err
	}
	address, err := to.TCP()
	if err != nil {
		return err
	}
	given := url.Values{"token": {to.Boot.Token}, "workspace": {c.Workspace}}
	doc := docsDoc{
		Schema: "trailblaze.docs/1",
		URL:    address + "/docs#" + given.Encode(),
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	c.Printf("%s\n", doc.URL)
	return nil
}
