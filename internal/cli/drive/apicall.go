package drive

import (
	"context"
	"encoding/json"
	"maps"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/proto/descriptor"
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
workspace is that of the working directory.`,
		Example: `  trailblaze api call WebCommands.Navigate url=http://localhost:8080
  trailblaze api call TrailblazeCommands.IsVisible text="Sign in" timeoutMs=2000
  trailblaze api call ToolService.CallTool name=web_click args.ref=e12 options.intent="Buy the mug"
  trailblaze api call ToolService.GetBackends --data '{"deviceId": "web"}'`,
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

// Run calls the method over Connect with JSON.
func (c *apiCall) Run(ctx context.Context, args []string) error {
	m, err := methodOf(args[0])
	if err != nil {
		return err
	}
	request, err := c.request(m, args[1:])
	if err != nil {
		return err
	}
	to, err := c.Link(ctx, true)
	if err != nil {
		return err
	}
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	var out any
	if err := to.Post(ctx, "/"+string(m.Parent().FullName())+"/"+string(m.Name()), request, &out); err != nil {
		return err
	}
	if err := c.PrintJSON(out); err != nil {
		return err
	}
	if doc, ok := out.(map[string]any); ok && doc["failure"] != nil {
		return shell.Exit(1)
	}
	return nil
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
			return nil, fault.New(fault.Invalid, "read command line", "%q is not field=value", item)
		}
		if err := set(out, m.Input(), strings.Split(name, "."), value); err != nil {
			return nil, err
		}
	}
	if err := c.Locate(); err != nil {
		return nil, err
	}
	if f := m.Input().Fields().ByName("options"); f != nil {
		options, _ := out["options"].(map[string]any)
		if options == nil {
			options = map[string]any{}
		}
		for name, value := range map[string]string{
			"client": "cli", "workspace": c.Workspace, "clientId": c.ClientID(c.Workspace),
		} {
			if _, given := options[name]; !given && value != "" {
				options[name] = value
			}
		}
		out["options"] = options
	}
	return out, nil
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
		part, _ := out[f.JSONName()].(map[string]any)
		if part == nil {
			part = map[string]any{}
		}
		out[f.JSONName()] = part
		if f.IsMap() {
			put(part, path[1:], value)
			return nil
		}
		return set(part, f.Message(), path[1:], value)
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
		part, _ := out[name].(map[string]any)
		if part == nil {
			part = map[string]any{}
		}
		out[name] = part
		out = part
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

// methods are the methods that take one message and give one, by Service.Method.
func methods() (map[string]protoreflect.MethodDescriptor, error) {
	services, err := descriptor.Services()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "read contract")
	}
	out := map[string]protoreflect.MethodDescriptor{}
	for _, s := range services {
		for i := range s.Methods().Len() {
			if m := s.Methods().Get(i); !m.IsStreamingServer() {
				out[string(s.Name())+"."+string(m.Name())] = m
			}
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
	e := fault.New(fault.NotFound, "find method", "the API has no method %.80q that answers with one message", name)
	if len(near) > 0 {
		return nil, e.WithHint("There is %s.", strings.Join(near, ", "))
	}
	return nil, e.WithHint("trailblaze api docs describes the API; streams are for programs.")
}

// complete completes the method, then the fields of its request.
func (c *apiCall) complete(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
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
	var out []string
	for _, f := range fieldsOf(m.Input()) {
		if !slices.ContainsFunc(args[1:], func(a string) bool { return strings.HasPrefix(a, f+"=") }) {
			out = append(out, f+"=")
		}
	}
	return out, none | cobra.ShellCompDirectiveNoSpace
}

// docsDoc is what api docs prints.
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
	if to.Boot.Port == 0 {
		return fault.New(fault.Unavailable, "open page", "the daemon has no port").
			WithHint("trailblaze daemon status says why; set TRAILBLAZE_PORT and start it again.")
	}
	given := url.Values{"token": {to.Boot.Token}, "workspace": {c.Workspace}}
	doc := docsDoc{
		Schema: "trailblaze.docs/1",
		URL:    "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(to.Boot.Port)) + "/docs#" + given.Encode(),
	}
	if c.JSON {
		return c.PrintJSON(doc)
	}
	c.Printf("%s\n", doc.URL)
	return nil
}
