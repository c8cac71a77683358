package mcpserver

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// R189: a client of either era lists tools, calls one, and is told where it ran.
func TestR189BothErasListAndCall(t *testing.T) {
	for _, version := range []string{legacy, ""} {
		t.Run("version "+version, func(t *testing.T) {
			r := newRig(t, hubtest.Options{})
			c := r.connect(version, mcp.ClientOptions{})
			if !slices.Contains(c.names(), "web_click") {
				t.Errorf("web_click is not listed: %v", c.names())
			}
			res := c.try("web_click", `{"ref":"e2","intent":"Buy"}`)
			if res.IsError {
				t.Fatal(text(res))
			}
			m := metaOf(t, res.Meta)
			if m["device"] != "web" || m["sessionId"] == "" || m["callId"] == "" {
				t.Errorf("_meta.trailblaze lacks something: %v", m)
			}
			if got := r.Provider.Device("web").Done(); len(got) != 1 {
				t.Errorf("done on the device: %v", got)
			}
		})
	}
}

func TestStatelessAndStatefulAreToldApart(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	if id := r.connect(legacy, mcp.ClientOptions{}).ID(); clientIDIn(id) == "" {
		t.Errorf("session id %q holds no id", id)
	}
	if id := r.connect("", mcp.ClientOptions{}).ID(); id != "" {
		t.Errorf("a client without sessions got session %q", id)
	}
}

// R194, R197: the list follows the client, and the client is told once for each change and not for none.
func TestR194ListFollowsTheSeat(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	c := r.connect(legacy, mcp.ClientOptions{})
	hubClient, _ := r.Lookup(clientIDIn(c.ID()))
	before := c.names()
	if slices.Contains(before, "web_listTabs") {
		t.Fatal("web_listTabs is listed from the start")
	}
	change(t, hubClient, func(st *clients.State) { st.Categories = []toolset.Category{toolset.Tabs, toolset.Network} })
	wantChange(t, c, "tools")
	if got := c.names(); !slices.Contains(got, "web_listTabs") || slices.Contains(got, "web_click") {
		t.Errorf("with TABS and NETWORK: %v", got)
	}
	change(t, hubClient, func(st *clients.State) { st.Categories = nil })
	wantChange(t, c, "tools")
	if got := c.names(); !slices.Equal(got, before) {
		t.Errorf("back to the default: %v, was %v", got, before)
	}
	change(t, hubClient, func(st *clients.State) { st.Verbosity = toolset.Full })
	change(t, hubClient, func(st *clients.State) { st.Mode = toolset.ClientAsAgent; st.Categories = nil })
	wantQuiet(t, c)
}

func wantChange(t *testing.T, c *client, what string) {
	t.Helper()
	if got := waittest.Await(t, c.changes, "a change of "+what); got != what {
		t.Errorf("told of %s, want %s", got, what)
	}
	wantQuiet(t, c)
}

// wantQuiet waits longer than a notification is held back (10 ms): that nothing comes has no event of its own.
func wantQuiet(t *testing.T, c *client) {
	t.Helper()
	select {
	case got := <-c.changes:
		t.Errorf("told of %s once too often", got)
	case <-time.After(60 * time.Millisecond):
	}
}

func TestUnlistedToolIsExplained(t *testing.T) {
	adds := tool.Define(tool.Spec{Name: "addToolCategory", Description: "Lists more.", Kind: tool.Action, Facts: tool.Facts{Purpose: tool.AddTools}},
		func(context.Context, tool.Env, struct{}) (string, error) { return "", nil })
	r := newRig(t, hubtest.Options{Tools: []tool.Tool{adds}})
	c := r.connect(legacy, mcp.ClientOptions{})
	res := c.try("web_listTabs", `{}`)
	if !res.IsError || !strings.Contains(text(res), "addToolCategory") || !strings.Contains(text(res), "TABS") {
		t.Errorf("isError %v: %s", res.IsError, text(res))
	}
	if d := r.Provider.Device("web"); d != nil {
		t.Error("a refused call opened a device")
	}
	_, err := c.CallTool(c.ctx(), &mcp.CallToolParams{Name: "web_clik"})
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || !strings.Contains(wire.Message, "Did you mean web_click") {
		t.Errorf("an unknown tool gives %v, want -32602 and the near name", err)
	}
}

func TestWrongArgumentsComeBackAllAtOnce(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	for _, version := range []string{legacy, ""} {
		c := r.connect(version, mcp.ClientOptions{})
		res := c.try("web_type", `{"text":5,"ref":7,"nonsense":true}`)
		if !res.IsError {
			t.Fatalf("accepted: %s", text(res))
		}
		for _, want := range []string{"text", "ref", "nonsense"} {
			if !strings.Contains(text(res), want) {
				t.Errorf("%q is not named in: %s", want, text(res))
			}
		}
	}
}

// R274: what one client switches on, no other sees, with and without sessions.
func TestR274ClientsDoNotSeeEachOther(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	a, b := r.connect("", mcp.ClientOptions{}), r.connect("", mcp.ClientOptions{})
	ha, hb := clientIDOf(t, a.try("demo_who", `{}`).Meta), clientIDOf(t, b.try("demo_who", `{}`).Meta)
	if ha == hb {
		t.Fatal("two clients share a hubClient")
	}
	meta := func(h string) map[string]any { return map[string]any{"trailblazeSessionId": h} }
	if got := a.must("demo_who", `{}`, meta(ha)); !strings.Contains(got, ha) {
		t.Errorf("id in _meta: %s, want %s", got, ha)
	}
	if got := a.must("demo_who", `{"trailblazeSessionId":"`+ha+`"}`); !strings.Contains(got, ha) {
		t.Errorf("id in the arguments: %s, want %s", got, ha)
	}
	sa, _ := r.Lookup(ha)
	change(t, sa, func(st *clients.State) { st.Categories = []toolset.Category{toolset.Tabs} })
	list := func(c *client, h string) []string {
		res, err := c.ListTools(c.ctx(), &mcp.ListToolsParams{Meta: mcp.Meta{metaKey: meta(h)}})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, tl := range res.Tools {
			out = append(out, tl.Name)
		}
		return out
	}
	if !slices.Contains(list(a, ha), "web_listTabs") {
		t.Error("the client does not see what it switched on")
	}
	if slices.Contains(list(b, hb), "web_listTabs") {
		t.Error("the other client sees it too")
	}
	if slices.Contains(b.names(), "web_listTabs") {
		t.Error("a client without a hubClient sees it too")
	}
	if res := b.try("demo_who", `{}`, meta("tb_nonsense")); !res.IsError {
		t.Errorf("a made-up id was accepted: %s", text(res))
	}
}

// A fault in one request is an answer to that request, not the end of everybody's sessions.
func TestPanicIsAnAnswer(t *testing.T) {
	r := newRig(t, hubtest.Options{}, func(o *Options) {
		o.Extra = func(s *mcp.Server) {
			s.AddTool(&mcp.Tool{Name: "extra_panic", InputSchema: map[string]any{"type": "object"}},
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("at the disco") })
		}
	})
	c := r.connect(legacy, mcp.ClientOptions{})
	_, err := c.CallTool(c.ctx(), &mcp.CallToolParams{Name: "extra_panic"})
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInternalError || strings.Contains(wire.Message, "disco") {
		t.Errorf("got %v", err)
	}
	c.must("demo_who", `{}`)
}
