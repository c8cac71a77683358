package extern_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// problems are what the first source complains of, by name.
func (r *rig) problems() map[string]string {
	r.Helper()
	_, problems, _ := r.sources[0].Load(r.Context())
	out := map[string]string{}
	for _, p := range problems {
		out[p.Name] += p.Error()
	}
	return out
}

func (r *rig) spec(name string) *tool.Spec {
	r.Helper()
	t, ok := r.d.Registry().Get(name)
	if !ok {
		r.Fatalf("there is no tool %s", name)
	}
	return t.Spec()
}

// R93, R94, R95, R97, R99, R100, R103, R106, R146: the registry of a server is read once; it wins over the _meta of a tool,
// what is missing takes its default, and what does not fit together is told. Keys under another prefix are the server's own.
func TestRegistry(t *testing.T) {
	r := start(t, acme("registry"))
	type flags struct {
		Exposed, Recordable bool
		Kind                tool.Kind
		Timeout             time.Duration
		Platforms           []driver.Platform
		Groups              []string
	}
	want := map[string]flags{
		"acme_helper": {false, false, tool.Action, 30 * time.Second, []driver.Platform{"web"}, []string{"auth"}},
		"acme_slow":   {true, true, tool.Query, 200 * time.Millisecond, []driver.Platform{"web"}, nil},
		"acme_off":    {true, true, tool.Action, 30 * time.Second, nil, []string{"extra"}},
		"acme_phone":  {true, true, tool.Action, 30 * time.Second, []driver.Platform{"ios"}, nil},
		"acme_reads":  {false, true, tool.Action, 30 * time.Second, nil, nil}, // "yes" is no boolean
		"acme_echo":   {true, true, tool.Action, 30 * time.Second, nil, nil},
	}
	got := map[string]flags{}
	for name := range want {
		s := r.spec(name)
		got[name] = flags{s.ExposedToLLM, s.Recordable, s.Kind, s.Timeout, s.Platforms, s.Groups}
		if s.Origin != "MCP server acme" || s.Version != "1.2.0" || s.Hash == "" {
			t.Errorf("%s: origin %q, version %q, hash %q", name, s.Origin, s.Version, s.Hash)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("specs (-want +got):\n%s", d)
	}
	complaints := r.problems()
	for name, text := range map[string]string{
		"acme_helper": "it says secretArgs of the tool", "acme_gone": "does not have", "acme_echo": "no entry",
		"acme_slow":  "disagree about timeoutMs: 200 holds, not 900",
		"acme_phone": "blackberry", "acme_sign": "has no argument pni, in which it says that secrets are",
		"acme_off": "the key trailblaze/recordable in its _meta, which there is not",
	} {
		if !strings.Contains(complaints[name], text) {
			t.Errorf("%s: %q does not say %q", name, complaints[name], text)
		}
	}
	if _, all, _ := r.sources[0].Load(r.Context()); slices.ContainsFunc(all, func(p tool.Problem) bool { return !p.Warning }) {
		t.Errorf("R103: nothing is left out for these: %v", all)
	}
	if out := r.must("acme_reads", `{}`); out["reads"] != 1.0 {
		t.Errorf("R247: it was read %v times", out["reads"])
	}
	r.fails("acme_phone", `{}`, "does not run on web")
	if _, err := r.call("acme_helper", `{}`); err != nil {
		t.Errorf("R107: a helper can be called: %v", err)
	}
}

// R103: a registry that cannot be read is told, and the defaults hold.
func TestBadRegistry(t *testing.T) {
	r := start(t, acme("bad-registry"))
	if text := r.problems()["acme"]; !strings.Contains(text, "trailblaze://registry") {
		t.Errorf("problems: %q", text)
	}
	if s := r.spec("acme_helper"); !s.ExposedToLLM || !s.Recordable || s.Delegating {
		t.Errorf("%+v", s)
	}
}

// R251, R252, R144: real-world schemas are checked, and no context is in what a model sees.
func TestSchemas(t *testing.T) {
	r := start(t, acme("schemas"))
	if out := r.must("acme_ship", `{"name":"ann","address":{"street":"x","zip":null},"note":null}`); out["args"] == nil {
		t.Errorf("%v", out)
	}
	r.fails("acme_ship", `{"name":"ann","address":{"zip":5}}`, "street")
	r.fails("acme_ship", `{"address":{"street":"x"}}`, "parameter name is missing")
	r.must("acme_mail", `{"email":"a@x","kind":"a","next":{"again":{}}}`)
	r.fails("acme_mail", `{"email":"a@x","kind":"c"}`, "kind")
	r.fails("acme_mail", `{"email":"a@x","mail":"c"}`, "mail")
	if text := r.problems()["acme_broken"]; !strings.Contains(text, "input schema of acme_broken") {
		t.Errorf("problems: %q", text)
	}
	if s := r.spec("acme_old").Input.Get(); s.Properties["_trailblazeContext"] != nil || len(s.Required) != 1 {
		t.Errorf("the context is in the schema: %v", quoted(s))
	}
	old, _ := r.must("acme_old", `{"x":"1"}`)["args"].(map[string]any)
	if old["_trailblazeContext"] == nil {
		t.Errorf("R142: a tool that declares the argument gets the context in it: %v", old)
	}
	mail, _ := r.must("acme_mail", `{"email":"a@x"}`)["args"].(map[string]any)
	if mail["_trailblazeContext"] != nil {
		t.Error("a tool that takes no other arguments got one more")
	}
	r.must("acme_typed", `{"value":{"total":3.5}}`)
	r.fails("acme_typed", `{"value":{"total":"3.5"}}`, "output schema", "total")
	r.fails("acme_typed", `{}`, "structured content")
	if r.spec("acme_say").Description != "Tool acme_say." {
		t.Error("R252: the description is not as its author wrote it")
	}
}

// R54, R55: names of others get the server's namespace; where its entry wants none, they are left out and told. What is left
// works.
func TestNames(t *testing.T) {
	spaced := start(t, acme("names"))
	spaced.must("acme_web_click", `{}`)
	spaced.must("acme_login", `{}`)
	bare := acme("names")
	bare.Names.Plain = true
	r := start(t, bare)
	if said := r.problems()["acme"]; !strings.Contains(said, "2 are left out") || !strings.Contains(said, "login, web_click") {
		t.Errorf("problems: %q", said)
	}
	_, all, _ := r.sources[0].Load(r.Context())
	for _, p := range all {
		if p.Warning {
			t.Errorf("%s is left out, which is no warning", p.Name)
		}
	}
	if r.spec("web_click").Origin != "" {
		t.Error("a built-in tool was replaced")
	}
	r.must("acme_ok", `{}`)
}

// R51, R53, R102: one server hosts the tools of several namespaces, and tools for the same purpose stand beside each other.
func TestNamespacesInOneServer(t *testing.T) {
	r := start(t, acme("union"))
	for _, name := range []string{"myapp_login", "otherapp_login"} {
		res, err := r.call(name, `{}`)
		if err != nil || res.Text() != name || r.spec(name).Origin != "MCP server acme" {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
	if complaints := r.problems(); len(complaints) != 0 {
		t.Errorf("problems: %v", complaints)
	}
}

func TestManyTools(t *testing.T) {
	r := start(t, acme("many"))
	if text := r.problems()["acme"]; !strings.Contains(text, "more than 1000 tools") {
		t.Errorf("problems: %q", text)
	}
	r.must("acme_t0007", `{}`)
}

// A server of many tools is listed on demand, unless its entry says otherwise; a server of few is listed at once.
func TestListedOnDemand(t *testing.T) {
	for _, c := range []struct {
		listed  string
		exclude []string
		want    string
	}{
		{"", nil, "SERVERS"}, {source.Always, nil, "CUSTOM"}, {"", []string{"acme_[a-r]*"}, "CUSTOM"},
		{source.OnDemand, []string{"acme_[a-r]*"}, "SERVERS"},
	} {
		server := acme("")
		server.Listed, server.Names.Exclude = c.listed, c.exclude
		r := start(t, server)
		spec := r.spec("acme_say")
		if spec.Categories[0] != c.want || slices.Contains(spec.Groups, "acme") != (c.want == "SERVERS") {
			t.Errorf("listed %q without %v: %v, groups %v", c.listed, c.exclude, spec.Categories, spec.Groups)
		}
		if _, err := r.call("acme_say", `{"text":"called all the same"}`); err != nil {
			t.Error(err)
		}
	}
}

// R122: tools that a server adds while it runs are told by a notification.
func TestListChanged(t *testing.T) {
	r := start(t, acme("grows"))
	n, ok := r.sources[0].(tool.Notifier)
	if !ok {
		t.Fatal("a server tells no changes")
	}
	changed := make(chan struct{}, 10)
	defer n.Notify(func() { changed <- struct{}{} })()
	r.must("acme_grow", `{}`)
	waittest.Await(t, changed, "the server tells of its new tool")
	found, _, err := r.sources[0].Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tl := range found {
		if tl.Spec().Name == "acme_late" {
			return
		}
	}
	t.Error("the new tool is not there")
}

// R48, R49: what is wrong with one server stays with it.
func TestIsolation(t *testing.T) {
	dead := acme("dies")
	dead.Name = "dead"
	r := start(t, acme(""), dead, source.Server{Name: "team", Transport: source.HTTP, URL: "http://127.0.0.1:1/mcp"})
	r.must("acme_say", `{"text":"hello"}`)
	_, _, err := r.sources[1].Load(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "No module named 'acme'") {
		t.Errorf("the dead server: %v", err)
	}
	if _, _, err = r.sources[2].Load(t.Context()); err == nil || !strings.Contains(err.Error(), "MCP server team") {
		t.Errorf("the server that does not run: %v", err)
	}
}

// A schema over the bounds costs its own tool, which is named with its server, and neither the others nor the memory.
func TestSchemasAreBounded(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := start(t, acme("huge-schemas"))
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 200<<20 {
		t.Errorf("%d MiB were used to read them", used>>20)
	}
	tools, _, err := r.sources[0].Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	said := r.problems()
	for name, why := range map[string]string{
		"acme_wide": "1024 KiB", "acme_many": "20000 parts", "acme_result_wide": "1024 KiB",
	} {
		if !strings.Contains(said[name], why) || !strings.Contains(said[name], "MCP server acme") ||
			!strings.Contains(said[name], name) {
			t.Errorf("%s: %q does not name the tool, its server and the bound %s", name, said[name], why)
		}
		if slices.ContainsFunc(tools, func(tl tool.Tool) bool { return tl.Spec().Name == name }) {
			t.Errorf("%s is offered", name)
		}
	}
	r.must("acme_echo", `{}`)
}

// A schema that no decoder reads costs its own tool, too: the message that it comes in holds the others.
func TestDeepSchemaCostsItsTool(t *testing.T) {
	r := start(t, acme("deep-schema"))
	if said := r.problems()["acme_deep"]; !strings.Contains(said, "64 levels") || !strings.Contains(said, "MCP server acme") {
		t.Errorf("it does not say what is wrong with which tool: %q", said)
	}
	if res, err := r.call("acme_flat", `{}`); err != nil || res.Text() != "flat" {
		t.Errorf("the other tool: %v %v", res, err)
	}
}
