package parity

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/client/inprocess"
	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/proto/descriptor"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// answer is what a door says of a call. A door that cannot say a part leaves it out.
type answer struct {
	failed               bool
	kind, message, hint  *string
	text                 *string
	within               string // text that holds the result's text among others
	value                any    // nil: none, or the door does not tell
	tellsValue, anything bool
	either               bool // value is the text when there is no value
	fields               bool // value has fields that a message may leave out: those that are empty
}

// door calls tools on a device of its own. log reads all events of that device's session.
type door struct {
	name string
	call func(ctx context.Context, c housetest.Call) (answer, error)
	// prep is a quicker way to what comes before and after a call; nil: call.
	prep func(ctx context.Context, c housetest.Call) (answer, error)
	log  func() ([]event.Event, error)
	wrap string // tool that makes the call, whose own event is no part of it
}

const secretName, secretValue = "gate", "hunter2hunter2"

// direct is a call with the dispatcher, as Go code makes it.
func direct(r *app.Runner, s *session.Session) door {
	return door{name: "go", log: s.Log.Events, call: func(ctx context.Context, c housetest.Call) (answer, error) {
		res, err := r.Dispatcher.Call(ctx, s, dispatch.CLI, tool.Call{Name: c.Tool, Args: args(c)})
		return answerOf(res, err), nil
	}}
}

func answerOf(res *tool.Result, err error) answer {
	a := answer{tellsValue: true}
	if err == nil {
		err = res.Err()
	}
	a.fail(fault.FailureOf(err))
	if res != nil {
		text := res.Text()
		a.text, a.value = &text, decoded(res.Value)
	}
	return a
}

func (a *answer) fail(f *fault.Failure) {
	if f == nil {
		return
	}
	kind := string(f.Kind)
	a.failed, a.kind, a.message, a.hint = true, &kind, &f.Message, &f.Hint
}

func decoded(raw json.RawMessage) (v any) {
	_ = json.Unmarshal(raw, &v)
	return v
}

// step is a step of a trail, played in a session that goes on.
func step(t *testing.T, r *app.Runner, s *session.Session) door {
	p := r.Player(t.Context())
	d := door{name: "trail", log: s.Log.Events, prep: direct(r, s).call}
	d.call = func(ctx context.Context, c housetest.Call) (answer, error) {
		call, err := json.Marshal(map[string]json.RawMessage{c.Tool: args(c)})
		if err != nil {
			return answer{}, err
		}
		text := "config: {title: Parity, id: parity}\ntrail:\n  - step: Call\n    recording: {web: [" + string(call) +
			"]}\n"
		tr, problems := trail.Parse("parity.trail.yaml", []byte(text), trail.Strict)
		if err := problems.Err(); err != nil {
			return answer{}, err
		}
		tr.Dir = t.TempDir()
		out := p.Play(ctx, s, tr, replay.Attempt{Number: 1})
		return answer{anything: true, failed: out.Outcome != event.Passed}, nil
	}
	return d
}

func args(c housetest.Call) json.RawMessage {
	if len(c.Args) == 0 {
		return json.RawMessage("{}")
	}
	return c.Args
}

// post is the typed API of the daemon, as JSON at its socket.
func (h *house) post(name, device string, change func(housetest.Call) housetest.Call) door {
	d := door{name: name, log: h.logOf(device)}
	d.call = func(ctx context.Context, c housetest.Call) (answer, error) {
		c = change(c)
		data, err := housetest.CallTool(ctx, h.Boot, io.Discard, &pb.CallToolRequest{
			DeviceId: device, Name: c.Tool, ArgsJson: string(args(c)), Options: &pb.CallOptions{
				Client: "parity", Workspace: h.Work, MaxTokens: 1 << 20, Secrets: map[string]string{secretName: secretValue},
			},
		})
		if err != nil {
			return answer{}, err
		}
		r, err := reply(data)
		if err != nil {
			return answer{}, err
		}
		return answerOfReply(r), nil
	}
	return d
}

func reply(data []byte) (*api.Reply, error) {
	r := &api.Reply{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, errors.New(err.Error() + ": " + string(data))
	}
	return r, nil
}

// wires are the ways to the typed API.
var wires = []struct {
	name string
	how  connect.ClientOption
}{
	{"connect", connect.WithClientOptions()}, {"connect json", connect.WithProtoJSON()}, {"grpc", connect.WithGRPC()},
	{"grpc-web", connect.WithGRPCWeb()},
}

// wire is the typed API, called by a client that is made of the contract alone.
func (h *house) wire(device string, how connect.ClientOption) func(context.Context, housetest.Call) (answer, error) {
	c := trailblazev1connect.NewToolServiceClient(h.overTCP(), "http://"+h.address(), how)
	return func(ctx context.Context, call housetest.Call) (answer, error) {
		r, err := c.CallTool(ctx, &pb.CallToolRequest{
			DeviceId: device, Name: call.Tool, ArgsJson: string(args(call)),
			Options: &pb.CallOptions{
				Client: "parity", Workspace: h.Work, MaxTokens: 1 << 20, Secrets: map[string]string{secretName: secretValue},
			},
		})
		if err != nil {
			return failedCall(err)
		}
		a := answer{tellsValue: true}
		if f := r.GetResult().GetFailure(); f != nil {
			a.fail(&fault.Failure{Kind: fault.Kind(f.GetKind()), Message: f.GetMessage(), Hint: f.GetHint()})
		}
		var parts []string
		for _, c := range r.GetCall().GetContent() {
			if c.GetText() != "" {
				parts = append(parts, c.GetText())
			}
		}
		text := strings.Join(parts, "\n")
		a.text, a.value = &text, r.GetResult().GetValue().AsInterface()
		return a, nil
	}
}

// typed is the method of each tool in the typed API, called as JSON. A tool that has none is called by its name.
func (h *house) typed() door {
	const device = "web/typed"
	byName := h.post("", device, same).call
	client := h.overTCP()
	return door{name: "typed", log: h.logOf(device), prep: byName, call: func(ctx context.Context, c housetest.Call) (answer, error) {
		m := methodOf(h.T, c.Tool)
		if m == nil {
			return byName(ctx, c)
		}
		body := map[string]any{}
		if err := json.Unmarshal(args(c), &body); err != nil {
			return answer{}, err
		}
		body["deviceId"], body["options"] = device, map[string]any{
			"client": "parity", "workspace": h.Work, "maxTokens": 1 << 20, "secrets": map[string]string{secretName: secretValue},
		}
		raw, err := json.Marshal(body)
		if err != nil {
			return answer{}, err
		}
		out := dynamicpb.NewMessage(m.Output())
		at := "http://" + h.address() + "/" + string(m.Parent().FullName()) + "/" + string(m.Name())
		if failed, err := h.connect(ctx, client, at, raw, out); err != nil || failed != nil {
			return *cmp.Or(failed, &answer{}), err
		}
		return answerOfMessage(out)
	}}
}

// connect sends a request as any program that speaks HTTP can. failed is the answer of a call that is an error.
func (h *house) connect(ctx context.Context, by *http.Client, at string, body []byte, out proto.Message) (*answer, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := by.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK {
		return nil, protojson.Unmarshal(data, out)
	}
	var said struct {
		Message string
		Details []struct {
			Debug *fault.Failure
		}
	}
	if err := json.Unmarshal(data, &said); err != nil {
		return nil, errors.New(err.Error() + ": " + string(data))
	}
	if len(said.Details) == 0 || said.Details[0].Debug == nil { // what no tool was asked
		return &answer{failed: true, message: &said.Message, anything: true}, nil
	}
	a := &answer{tellsValue: true}
	a.fail(said.Details[0].Debug)
	return a, nil
}

// answerOfMessage is what the response of a typed method tells: its fields are the value of the tool.
func answerOfMessage(m proto.Message) (answer, error) {
	data, err := protojson.Marshal(m)
	if err != nil {
		return answer{}, err
	}
	var said struct {
		Failure *fault.Failure
		Call    struct {
			Content []struct{ Text string }
		}
	}
	value := map[string]any{}
	if err := errors.Join(json.Unmarshal(data, &said), json.Unmarshal(data, &value)); err != nil {
		return answer{}, err
	}
	a := answer{fields: true, value: value}
	a.fail(said.Failure)
	var parts []string
	for _, c := range said.Call.Content {
		if c.Text != "" {
			parts = append(parts, c.Text)
		}
	}
	for _, own := range []string{"success", "failure", "call"} { // of the response; see package contract
		delete(value, own)
	}
	text := strings.Join(parts, "\n")
	a.text = &text
	return a, nil
}

// methodOf is the method that calls a tool; nil when there is none.
func methodOf(t *testing.T, name string) protoreflect.MethodDescriptor {
	t.Helper()
	file, err := descriptor.Commands()
	if err != nil {
		t.Fatal(err)
	}
	for i := range file.Services().Len() {
		methods := file.Services().Get(i).Methods()
		for j := range methods.Len() {
			if of, _ := proto.GetExtension(methods.Get(j).Options(), pb.E_Tool).(string); of == name {
				return methods.Get(j)
			}
		}
	}
	return nil
}

// failedCall is the answer of a call that could not be carried out: the failure that its error carries.
func failedCall(err error) (answer, error) {
	e, ok := errors.AsType[*connect.Error](err)
	if !ok {
		return answer{}, err
	}
	for _, d := range e.Details() {
		if f, ok := detail(d); ok {
			a := answer{tellsValue: true}
			a.fail(&fault.Failure{Kind: fault.Kind(f.GetKind()), Message: f.GetMessage(), Hint: f.GetHint()})
			return a, nil
		}
	}
	return answer{}, err
}

func detail(d *connect.ErrorDetail) (*pb.Failure, bool) {
	v, err := d.Value()
	if err != nil {
		return nil, false
	}
	f, ok := v.(*pb.Failure)
	return f, ok
}

// overTCP carries requests to the port of the daemon, over HTTP/2 as gRPC needs it, and shows the token.
func (h *house) overTCP() *http.Client {
	t := &http.Transport{Protocols: new(http.Protocols)}
	t.Protocols.SetUnencryptedHTTP2(true)
	h.T.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: signed{t, h.Boot.Token}}
}

type signed struct {
	http.RoundTripper
	token string
}

func (s signed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return s.RoundTripper.RoundTrip(r)
}

// sdk is the SDK for Go, in another process than the daemon.
func (h *house) sdk(device string) func(context.Context, housetest.Call) (answer, error) {
	tb := client.New(client.Options{
		URL: "http://" + h.address(), Token: h.Boot.Token, HTTP: h.overTCP(), Device: device, Workspace: h.Work, Name: "parity",
		Secrets: map[string]string{secretName: secretValue},
	})
	return func(ctx context.Context, c housetest.Call) (answer, error) {
		return answerOfSDK(tb.CallTool(ctx, c.Tool, args(c))), nil
	}
}

func answerOfSDK(r *client.Result, err error) answer {
	a := answer{tellsValue: err == nil}
	a.fail(fault.FailureOf(err))
	if r != nil {
		a.text, a.value = &r.Text, decoded(r.Value)
	}
	return a
}

// rpc are the doors of the typed API: one for each wire and the SDK for Go. Without -all one door takes them in turn.
func (h *house) rpc() []door {
	var all []door
	for _, w := range wires {
		device := "web/" + strings.ReplaceAll(w.name, " ", "")
		all = append(all, door{name: w.name, log: h.logOf(device), call: h.wire(device, w.how), prep: h.post("", device, same).call})
	}
	all = append(all, door{name: "go sdk", log: h.logOf("web/gosdk"), call: h.sdk("web/gosdk"), prep: h.post("", "web/gosdk", same).call})
	if *whole {
		return all
	}
	const device = "web/rpc"
	calls := []func(context.Context, housetest.Call) (answer, error){h.sdk(device)}
	for _, w := range wires {
		calls = append(calls, h.wire(device, w.how))
	}
	next := 0
	return []door{{name: "rpc", log: h.logOf(device), prep: h.post("", device, same).call,
		call: func(ctx context.Context, c housetest.Call) (answer, error) {
			next++
			return calls[next%len(calls)](ctx, c)
		}}}
}

const goCall = "go_call"

// goTool is a tool in Go that makes calls by the SDK, in this process.
func goTool() tool.Tool {
	return inprocess.Tools(client.Define(tool.Spec{Name: goCall, Description: "Calls another tool.", Kind: tool.Action},
		func(ctx context.Context, tb *client.Client, in struct {
			Tool string         `json:"tool"`
			Args map[string]any `json:"args"`
		}) (nested, error) {
			res, err := tb.CallTool(ctx, in.Tool, in.Args)
			if f := fault.FailureOf(err); f != nil {
				return nested{Failed: true, Kind: string(f.Kind), Message: f.Message, Hint: f.Hint}, nil
			}
			return nested{Value: decoded(res.Value), Text: res.Text}, nil
		}))[0]
}

// within has that tool make the calls.
func within(r *app.Runner, s *session.Session) door {
	plain := direct(r, s).call
	return door{name: "go sdk in process", log: s.Log.Events, wrap: goCall, prep: plain,
		call: func(ctx context.Context, c housetest.Call) (answer, error) {
			out, err := plain(ctx, through(goCall)(c))
			if err != nil || out.failed {
				return out, wrapped(out, err)
			}
			var said nested
			if err := remarshal(out.value, &said); err != nil {
				return answer{}, err
			}
			if said.Failed {
				return answer{failed: true, kind: &said.Kind, message: &said.Message, hint: &said.Hint}, nil
			}
			return answer{text: &said.Text, value: said.Value, tellsValue: true}, nil
		}}
}

// nested is what a tool tells of the call that it made.
type nested struct {
	Failed  bool   `json:"failed"`
	Value   any    `json:"value"`
	Text    string `json:"text"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

func same(c housetest.Call) housetest.Call { return c }

// through has another tool make the call.
func through(name string) func(housetest.Call) housetest.Call {
	return func(c housetest.Call) housetest.Call {
		in, err := json.Marshal(map[string]any{"tool": c.Tool, "args": args(c)})
		if err != nil {
			panic(err)
		}
		return housetest.Call{Tool: name, Args: in}
	}
}

func answerOfReply(r *api.Reply) answer {
	a := answer{tellsValue: true}
	a.fail(r.Fault)
	if r.Result != nil {
		var parts []string
		for _, c := range r.Result.Content {
			if c.Type == "text" {
				parts = append(parts, c.Text)
			}
		}
		text := strings.Join(parts, "\n")
		a.text, a.value = &text, decoded(r.Result.Value)
	}
	return a
}

// script has a tool in TypeScript make the calls.
func (h *house) script() door { return h.wrapping("script", "team_call") }

// process has a tool in TypeScript that runs on Node make the calls, where there is one.
func (h *house) process() []door {
	if _, err := exec.LookPath("node"); err != nil {
		return nil
	}
	return []door{h.wrapping("process", "apart_call")}
}

// wrapping has a tool of a file make the calls, on a device of its own.
func (h *house) wrapping(name, by string) door {
	d := h.post(name, "web/"+name, through(by))
	d.wrap = by
	inner := d.call
	d.prep = h.post("", "web/"+name, same).call
	d.call = func(ctx context.Context, c housetest.Call) (answer, error) {
		out, err := inner(ctx, c)
		if err != nil || out.failed {
			return out, wrapped(out, err)
		}
		var said struct {
			Failed     bool
			Value      any
			Message    string
			Kind, Hint *string // a process is told the message alone
		}
		if err := remarshal(out.value, &said); err != nil {
			return answer{}, err
		}
		if said.Failed { // an error in a script says that it comes from a tool
			said.Message = strings.TrimPrefix(said.Message, "tool failed: ")
			if said.Kind == nil { // it is told in one text
				message, hint, _ := strings.Cut(said.Message, "\n")
				said.Message, said.Hint = message, &hint
			}
			return answer{failed: true, kind: said.Kind, message: &said.Message, hint: said.Hint}, nil
		}
		return answer{value: said.Value}, nil
	}
	return d
}

func wrapped(a answer, err error) error {
	if err != nil || !a.failed {
		return err
	}
	return errors.New("the tool that makes the call failed: " + *a.message)
}

// callback has a tool in another process make the calls.
func (h *house) callback() door {
	d := h.post("callback", "web/callback", through("acme_call"))
	d.wrap = "acme_call"
	inner := d.call
	d.prep = h.post("", "web/callback", same).call
	d.call = func(ctx context.Context, c housetest.Call) (answer, error) {
		out, err := inner(ctx, c)
		if err != nil || out.failed {
			return out, wrapped(out, err)
		}
		var said struct {
			Result struct {
				Type         string
				Success      bool
				TextContent  string `json:"textContent"`
				ErrorMessage string `json:"errorMessage"`
				Structured   any    `json:"structured_content"`
			}
		}
		if err := json.Unmarshal([]byte(*out.text), &said); err != nil {
			return answer{}, errors.New(err.Error() + ": " + *out.text)
		}
		r := said.Result
		if !r.Success {
			message, hint, _ := strings.Cut(r.ErrorMessage, "\n")
			return answer{failed: true, message: &message, hint: &hint}, nil
		}
		return answer{text: &r.TextContent, value: r.Structured, tellsValue: true}, nil
	}
	return d
}

// shell is a command for each call.
func (h *house) shell(t *testing.T) door {
	d := door{name: "shell", log: h.logOf("web/shell"), prep: h.post("", "web/shell", same).call}
	d.call = func(ctx context.Context, c housetest.Call) (answer, error) {
		said := housetest.Run(ctx, t, binary, h.Work, h.Env, "tool", c.Tool, "--args", string(args(c)), "--json",
			"-d", "web/shell", "--max-tokens", "1000000")
		r, err := reply([]byte(said.Out))
		if err != nil {
			return answer{}, errors.New(err.Error() + said.Err)
		}
		if (said.Code != 0) != (r.Fault != nil) {
			return answer{}, errors.New("exit status " + strconv.Itoa(said.Code) + ": " + said.Out)
		}
		return answerOfReply(r), nil
	}
	return d
}

// agent is a client over MCP.
func (h *house) agent(t *testing.T, name, device string, transport sdk.Transport) door {
	s, err := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	meta := map[string]any{"device": device, "maxTokens": 1 << 20}
	all := &sdk.CallToolParams{Name: "addToolCategory", Arguments: map[string]any{"category": "ALL"}}
	r, err := s.CallTool(waittest.Context(t), all)
	if err != nil || r.IsError {
		t.Fatalf("%s: %+v, %v", name, r, err)
	}
	if got, ok := r.Meta["trailblaze"].(map[string]any); ok { // the protocol has no sessions: the client says who it is
		meta["trailblazeSessionId"] = got["trailblazeSessionId"]
	}
	return door{name: name, log: h.logOf(device), call: func(ctx context.Context, c housetest.Call) (answer, error) {
		p := &sdk.CallToolParams{Name: c.Tool, Arguments: args(c)}
		p.Meta = sdk.Meta{"trailblaze": meta}
		r, err := s.CallTool(ctx, p)
		if err != nil {
			return answer{failed: true, message: new(err.Error()), anything: true}, nil
		}
		a := answer{failed: r.IsError, value: r.StructuredContent}
		var said struct{ Fault *fault.Failure }
		if err := remarshal(r.Meta["trailblaze"], &said); err != nil {
			return answer{}, err
		}
		a.fail(said.Fault)
		var parts []string
		for _, c := range r.Content {
			if c, ok := c.(*sdk.TextContent); ok {
				parts = append(parts, c.Text)
			}
		}
		a.within = strings.Join(parts, "\n")
		return a, nil
	}}
}

func remarshal(from, into any) error {
	raw, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

func (h *house) stdio() sdk.Transport {
	cmd := exec.Command(binary, "mcp")
	cmd.Env, cmd.Dir = h.Env, h.Work
	return &sdk.CommandTransport{Command: cmd, TerminateDuration: 5 * time.Second}
}

func (h *house) http() sdk.Transport {
	return &sdk.StreamableClientTransport{
		Endpoint: "http://" + h.address() + "/mcp", MaxRetries: -1,
		HTTPClient: &http.Client{Transport: headers{h}},
	}
}

func (h *house) address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(h.Boot.Port)) }

// headers adds what the proxy on stdio sends.
type headers struct{ h *house }

func (t headers) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+t.h.Boot.Token)
	r.Header.Set("Trailblaze-Workspace", t.h.Work)
	secrets, err := json.Marshal(map[string]string{secretName: secretValue})
	if err != nil {
		return nil, err
	}
	r.Header.Set("Trailblaze-Secrets", base64.StdEncoding.EncodeToString(secrets))
	return http.DefaultTransport.RoundTrip(r)
}
