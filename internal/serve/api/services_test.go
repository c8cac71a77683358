package api_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	commands "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands/commandsv1connect"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// http2Client speaks HTTP/2 without TLS, as clients of gRPC do.
func (d *door) http2Client() *http.Client {
	t := &http.Transport{Protocols: new(http.Protocols)}
	t.Protocols.SetUnencryptedHTTP2(true)
	d.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t}
}

// wires are the ways to speak to the one port.
func (d *door) wires() map[string]trailblazev1connect.ToolServiceClient {
	return map[string]trailblazev1connect.ToolServiceClient{
		"connect":      trailblazev1connect.NewToolServiceClient(d.client, d.url),
		"connect json": trailblazev1connect.NewToolServiceClient(d.client, d.url, connect.WithProtoJSON()),
		"connect h2c":  trailblazev1connect.NewToolServiceClient(d.http2Client(), d.url),
		"grpc":         trailblazev1connect.NewToolServiceClient(d.http2Client(), d.url, connect.WithGRPC()),
		"grpc-web":     trailblazev1connect.NewToolServiceClient(d.client, d.url, connect.WithGRPCWeb()),
	}
}

// failureIn is the typed detail of an error.
func failureIn(t *testing.T, err error) *pb.Failure {
	t.Helper()
	e, ok := err.(*connect.Error)
	if !ok {
		t.Fatalf("%v is no error of RPC", err)
	}
	for _, d := range e.Details() {
		if v, err := d.Value(); err == nil {
			if f, ok := v.(*pb.Failure); ok {
				return f
			}
		}
	}
	t.Fatalf("%v has no failure in it", err)
	return nil
}

// TestOnePort (R42, R43, R227): a call over each wire gives the same result and the same error, with its hint.
func TestOnePort(t *testing.T) {
	d := open(t, hub.Options{})
	args, _ := structpb.NewStruct(map[string]any{"timeoutMs": 1500, "ref": "e2"})
	for name, c := range d.wires() {
		t.Run(name, func(t *testing.T) {
			options := &pb.CallOptions{Client: "go", Workspace: d.rig.Workspace}
			r, err := c.CallTool(t.Context(), &pb.CallToolRequest{Name: "web_click", Args: args, Options: options})
			if err != nil || r.GetResult().GetIsError() || r.GetCall().GetDeviceId() != "web" || r.GetCall().GetSessionId() == "" {
				t.Fatalf("%v %v", r, err)
			}
			_, err = c.CallTool(t.Context(), &pb.CallToolRequest{Name: "web_clik", Options: options})
			if f := failureIn(t, err); connect.CodeOf(err) != connect.CodeNotFound && connect.CodeOf(err) != connect.CodeInvalidArgument ||
				f.GetKind() == "" || !strings.Contains(f.GetMessage()+f.GetHint(), "web_click") {
				t.Errorf("%v: %v", err, f)
			}
			_, err = c.CallTool(t.Context(), &pb.CallToolRequest{Options: options})
			if f := failureIn(t, err); connect.CodeOf(err) != connect.CodeInvalidArgument || !strings.Contains(f.GetMessage(), "name") {
				t.Errorf("no name: %v", err)
			}
			_, err = c.CallTool(t.Context(), &pb.CallToolRequest{Name: "web_click", SessionId: "none", Options: options})
			if connect.CodeOf(err) != connect.CodeNotFound {
				t.Errorf("no session: %v", err)
			}
		})
	}
}

// TestTyped (R21, R25, R32, R36): typed methods call the tool that they name, with the arguments that were set.
func TestTyped(t *testing.T) {
	d := open(t, hub.Options{})
	options := &pb.CallOptions{Client: "go", Workspace: d.rig.Workspace}
	web := commandsv1connect.NewWebCommandsClient(d.client, d.url)
	wait, ref := int32(1500), "e2"
	r, err := web.WebClick(t.Context(), &commands.WebClickRequest{Ref: &ref, TimeoutMs: &wait, Options: options})
	if err != nil || !r.GetSuccess() || r.GetFailure() != nil || r.GetCall().GetDeviceId() != "web" {
		t.Fatalf("%v %v", r, err)
	}
	none := "e999"
	if r, err = web.WebClick(t.Context(), &commands.WebClickRequest{Ref: &none, TimeoutMs: &wait, Options: options}); err != nil ||
		r.GetSuccess() || r.GetFailure().GetHint() == "" {
		t.Errorf("an action says what became of it: %v %v", r, err)
	}
	button := "wrong"
	if _, err = web.WebClick(t.Context(), &commands.WebClickRequest{Ref: &ref, Button: &button,
		Options: options}); connect.CodeOf(err) != connect.CodeInvalidArgument {
		t.Errorf("%v", err)
	}
	core := commandsv1connect.NewTrailblazeCommandsClient(d.client, d.url)
	text := "nowhere to be seen"
	v, err := core.IsVisible(t.Context(), &commands.IsVisibleRequest{Text: &text, Options: options})
	if err != nil || v.GetVisible() || v.Visible == nil {
		t.Errorf("a query never fails on not found: %v %v", v, err)
	}
	if _, err = core.AssertVisible(t.Context(), &commands.AssertVisibleRequest{Text: &text, TimeoutMs: new(int32),
		Options: options}); err == nil || failureIn(t, err).GetKind() == "" {
		t.Errorf("an assertion fails: %v", err)
	}
	b, err := trailblazev1connect.NewToolServiceClient(d.client, d.url).GetBackends(t.Context(), &pb.GetBackendsRequest{Options: options})
	if err != nil || b.GetPlatform() != "web" || b.Mobile != nil || b.Desktop != nil || len(b.GetWeb().GetTools()) < 20 {
		t.Errorf("%v %v", b, err)
	}
	mobile := commandsv1connect.NewMobileCommandsClient(d.client, d.url, connect.WithGRPC())
	if _, err = mobile.ListInstalledApps(t.Context(), &commands.MobileListInstalledAppsRequest{Options: options}); failureIn(t, err).GetKind() != "unsupported" ||
		!strings.Contains(failureIn(t, err).GetMessage(), "web") || failureIn(t, err).GetHint() == "" {
		t.Errorf("a method of a backend that the device lacks: %v", err)
	}
	for _, wire := range [][]connect.ClientOption{nil, {connect.WithProtoJSON()}, {connect.WithGRPC()}, {connect.WithGRPCWeb()}} {
		future := connect.NewClient[pb.CallToolRequest, pb.CallToolResponse](d.client, d.url+"/trailblaze.v1.DesktopCommands/Click", wire...)
		_, err := future.CallUnary(t.Context(), connect.NewRequest(&pb.CallToolRequest{}))
		if f := failureIn(t, err); connect.CodeOf(err) != connect.CodeUnimplemented || !strings.Contains(f.GetMessage(), "DesktopCommands") ||
			!strings.Contains(f.GetHint(), "GetBackends") {
			t.Errorf("a method that there is not: %v, hint %q", err, f.GetHint())
		}
	}
}

// TestAnyText: a text that is not UTF-8, as tools give it or files hold it, reaches the client of every service with
// U+FFFD in it. No wire carries it otherwise, and a call that was carried out would seem to be lost.
func TestAnyText(t *testing.T) {
	const given, want = "caf\xe9", "caf\uFFFD"
	says := func(name string) tool.Tool {
		return tool.Define(tool.Spec{Name: name, Description: "Says something.", Kind: tool.Action, ExposedToLLM: true},
			func(_ context.Context, _ tool.Env, _ struct{}) (string, error) { return given, nil })
	}
	d := open(t, hub.Options{}, says("web_hover"), says("acme_coffee"))
	trails := filepath.Join(d.rig.Workspace, "trails")
	if err := errors.Join(os.MkdirAll(trails, 0o700), os.WriteFile(filepath.Join(trails, "a.trail.yaml"), []byte(given), 0o600)); err != nil {
		t.Fatal(err)
	}
	options := &pb.CallOptions{Client: "go", Workspace: d.rig.Workspace}
	for name, how := range map[string]connect.ClientOption{
		"connect": connect.WithClientOptions(), "json": connect.WithProtoJSON(), "grpc": connect.WithGRPC(),
	} {
		said := map[string]string{}
		typed, err := commandsv1connect.NewWebCommandsClient(d.http2Client(), d.url, how).
			Hover(t.Context(), &commands.WebHoverRequest{Options: options})
		if err != nil {
			t.Errorf("%s: typed: %v", name, err)
		}
		for _, c := range typed.GetCall().GetContent() {
			said["typed"] += c.GetText()
		}
		tools := trailblazev1connect.NewToolServiceClient(d.http2Client(), d.url, how)
		watched, err := tools.WatchTool(t.Context(), &pb.WatchToolRequest{Call: &pb.CallToolRequest{Name: "web_hover", Options: options}})
		if err != nil {
			t.Fatal(err)
		}
		for watched.Receive() {
			for _, c := range watched.Msg().GetResult().GetCall().GetContent() {
				said["watched"] += c.GetText()
			}
		}
		agents := trailblazev1connect.NewAgentServiceClient(d.http2Client(), d.url, how)
		opened, err := agents.OpenClient(t.Context(), &pb.OpenClientRequest{Name: "agent", Workspace: d.rig.Workspace})
		if err != nil {
			t.Fatal(err)
		}
		listed, err := agents.CallListedTool(t.Context(), &pb.CallListedToolRequest{ClientId: opened.GetClientId(), Name: "acme_coffee"})
		if err != nil {
			t.Fatal(err)
		}
		for listed.Receive() {
			if c := listed.Msg().GetResult().GetContent(); len(c) > 0 {
				said["listed"] = c[0].GetText()
			}
		}
		read, err := agents.ReadResource(t.Context(), &pb.ReadResourceRequest{
			ClientId: opened.GetClientId(), Uri: "trailblaze://trails/trails/a.trail.yaml"})
		if err != nil {
			t.Errorf("%s: read: %v", name, err)
		}
		said["read"] = read.GetText()
		for _, by := range []string{"typed", "watched", "listed", "read"} {
			if !strings.Contains(said[by], want) {
				t.Errorf("%s: %s says %q: %v", name, by, said[by], errors.Join(watched.Err(), listed.Err()))
			}
		}
	}
}

// TestUnknownArgument (R3): a typed call with an argument that there is not is refused before it is carried out, and its
// client reads what there is. That of other requests is for a newer daemon.
func TestUnknownArgument(t *testing.T) {
	d := open(t, hub.Options{})
	for _, c := range []struct{ path, body, says string }{
		{"WebCommands/WebClick", `{"ref":"e2","botton":"left"}`, "button"},
		{"WebCommands/WebClick", `{"ref":"e2","timeoutMs":"soon"}`, "timeoutMs"},
		{"ToolService/CallTool", `{"name":"web_click","arguments":{"ref":"e2"}}`, "argsJson"},
	} {
		status, doc, text := d.answer("POST", "/trailblaze.v1."+c.path, c.body)
		said, _ := doc["message"].(string)
		if status != http.StatusBadRequest || doc["code"] != "invalid_argument" || !strings.Contains(said, c.says) {
			t.Errorf("%s %s: %d %s", c.path, c.body, status, text)
		}
	}
	ref := "e2"
	newer := &commands.WebClickRequest{Ref: &ref}
	newer.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 9000, protowire.VarintType), 1))
	for name, how := range map[string]connect.ClientOption{"connect": connect.WithClientOptions(), "grpc": connect.WithGRPC()} {
		_, err := commandsv1connect.NewWebCommandsClient(d.http2Client(), d.url, how).WebClick(t.Context(), newer)
		if f := failureIn(t, err); connect.CodeOf(err) != connect.CodeInvalidArgument || !strings.Contains(f.GetHint(), "newer") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d.rig.Provider.Device("web") != nil {
		t.Error("one of them was carried out")
	}
	if status, _, text := d.answer("POST", "/trailblaze.v1.SessionService/ListSessions", `{"newer":1}`); status != http.StatusOK {
		t.Errorf("%d %s", status, text)
	}
}
