package mcpserver

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
)

// R93, R94, R96, R101: the registry names every tool that exists, with its flags and groups, and repeats no schema.
func TestR101Registry(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	c := r.connect(legacy, mcp.ClientOptions{})
	var reg struct {
		Tools map[string]struct {
			Groups       []string
			ExposedToLLM bool
			Recordable   bool `json:"isRecordable"`
			Delegating   bool `json:"isDelegating"`
		}
		Groups map[string]struct {
			Description    string
			DefaultEnabled bool
		}
		ServerInfo struct{ Name, Version string }
	}
	raw := c.read("trailblaze://registry")
	if err := json.Unmarshal([]byte(raw), &reg); err != nil {
		t.Fatal(err)
	}
	for _, n := range c.names() {
		if _, ok := reg.Tools[n]; !ok {
			t.Errorf("%s is listed and not in the registry", n)
		}
	}
	hubClient, _ := r.Lookup(clientIDIn(c.ID()))
	if all := r.Tools(hubClient).Names(); len(all) != len(reg.Tools) {
		t.Errorf("%d tools in the registry, %d there are", len(reg.Tools), len(all))
	}
	click := reg.Tools["web_click"]
	if !click.ExposedToLLM || !click.Recordable || click.Delegating || !slices.Contains(click.Groups, "CORE_INTERACTION") {
		t.Errorf("web_click: %+v", click)
	}
	for name, tl := range reg.Tools {
		if len(tl.Groups) == 0 {
			t.Errorf("%s is in no group", name)
		}
		for _, g := range tl.Groups {
			if _, ok := reg.Groups[g]; !ok {
				t.Errorf("%s is in group %s, which is not described", name, g)
			}
		}
	}
	if reg.Groups["CORE_INTERACTION"].Description == "" || !reg.Groups["CORE_INTERACTION"].DefaultEnabled || reg.Groups["NETWORK"].DefaultEnabled {
		t.Errorf("groups: %+v", reg.Groups)
	}
	if reg.ServerInfo.Name != "trailblaze" || reg.ServerInfo.Version != "1.2.3" {
		t.Errorf("serverInfo: %+v", reg.ServerInfo)
	}
	if strings.Contains(raw, "properties") {
		t.Error("the registry repeats schemas")
	}
}

func TestEveryListedResourceReads(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	for _, version := range []string{legacy, ""} {
		c := r.connect(version, mcp.ClientOptions{})
		n := 0
		for res, err := range c.Resources(c.ctx(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			text := c.read(res.URI)
			if text == "" || res.MIMEType == "application/json" && !json.Valid([]byte(text)) {
				t.Errorf("%s: %.80q", res.URI, text)
			}
		}
		if n != 7 {
			t.Errorf("%d resources", n)
		}
	}
}

func TestSessionResources(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	c := r.connect(legacy, mcp.ClientOptions{})
	id, _ := metaOf(t, c.try("web_click", `{"ref":"e2","intent":"Buy"}`).Meta)["sessionId"].(string)
	c.try("web_click", `{"ref":"e99"}`)
	declares, _ := r.RunningSession(mustClient(t, r, c))
	declares.Memory.SetSecret("password", "hunter2")
	c.try("web_type", `{"ref":"e1","text":"hunter2"}`)
	base := "trailblaze://sessions/" + id

	var sum struct {
		ID             string
		Running        bool
		Events, Failed int
		Failures       []struct{ Tool string }
	}
	if err := json.Unmarshal([]byte(c.read(base)), &sum); err != nil {
		t.Fatal(err)
	}
	if sum.ID != id || !sum.Running || sum.Failed != 1 || len(sum.Failures) != 1 || sum.Failures[0].Tool != "web_click" {
		t.Errorf("summary: %+v", sum)
	}
	if all := c.read("trailblaze://sessions"); !strings.Contains(all, id) {
		t.Errorf("the session is not listed: %s", all)
	}

	var seqs []uint64
	for uri := base + "/events?limit=3"; uri != ""; {
		var page struct {
			Events []event.Event `json:"events"`
			Next   string        `json:"next"`
		}
		raw := c.read(uri)
		if strings.Contains(raw, "hunter2") {
			t.Error("a secret is in the events")
		}
		if err := json.Unmarshal([]byte(raw), &page); err != nil {
			t.Fatal(err)
		}
		if len(page.Events) > 3 {
			t.Errorf("%d events in a page of 3", len(page.Events))
		}
		for _, e := range page.Events {
			seqs = append(seqs, e.Seq)
		}
		uri = page.Next
	}
	if !slices.IsSorted(seqs) || len(slices.Compact(slices.Clone(seqs))) != len(seqs) || len(seqs) != sum.Events && len(seqs) < sum.Events {
		t.Errorf("paged events: %v, the summary counted %d", seqs, sum.Events)
	}

	live, _ := r.RunningSession(mustClient(t, r, c))
	name, err := live.Log.PutBlob([]byte("a large output"), "text/plain")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.read(base + "/blobs/" + name); got != "a large output" {
		t.Errorf("blob: %q", got)
	}
	if snap := c.read("trailblaze://snapshot/web"); !strings.Contains(snap, "Shop on web") {
		t.Errorf("snapshot: %s", snap)
	}
}

// Nothing outside a session's directory or the workspace can be read, however it is spelled.
func TestResourcesAreConfined(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	c := r.connect(legacy, mcp.ClientOptions{})
	id, _ := metaOf(t, c.try("web_click", `{"ref":"e2"}`).Meta)["sessionId"].(string)
	outside := filepath.Join(t.TempDir(), "secret.trail.yaml")
	write(t, outside, "canary")
	write(t, filepath.Join(r.Workspace, "ok.trail.yaml"), "- config: {title: OK}\n")
	write(t, filepath.Join(r.Workspace, "notes.txt"), "canary")
	if err := os.Symlink(outside, filepath.Join(r.Workspace, "link.trail.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(r.Workspace, "dir")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(r.Home, "sessions", "2026_01_01_00_00_00_x_1")); err != nil {
		t.Fatal(err)
	}
	if got := c.read("trailblaze://trails/ok.trail.yaml"); !strings.Contains(got, "OK") {
		t.Errorf("a trail of the workspace: %q", got)
	}
	for _, uri := range []string{
		"trailblaze://trails/../" + filepath.Base(outside),
		"trailblaze://trails/%2e%2e/x.trail.yaml",
		"trailblaze://trails/..%2fx.trail.yaml",
		"trailblaze://trails/" + strings.TrimPrefix(outside, "/"),
		"trailblaze://trails//etc/passwd.trail.yaml",
		"trailblaze://trails/link.trail.yaml",
		"trailblaze://trails/dir/secret.trail.yaml",
		"trailblaze://trails/notes.txt",
		"trailblaze://trails/%00.trail.yaml",
		"trailblaze://sessions/..",
		"trailblaze://sessions/%2e%2e/events",
		"trailblaze://sessions/nothere",
		"trailblaze://sessions/" + id + "/blobs/..%2fevents.ndjson",
		"trailblaze://sessions/" + id + "/blobs/" + strings.Repeat("0", 64),
		"trailblaze://sessions/" + id + "/events?limit=-1",
		"trailblaze://sessions/" + id + "/events?limit=999999999",
		"trailblaze://snapshot/web2",
		"trailblaze://nothing",
		"file:///etc/passwd",
	} {
		res, err := c.ReadResource(c.ctx(), &mcp.ReadResourceParams{URI: uri})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %v, %+v", uri, err, res)
		}
	}
	if list := c.read("trailblaze://trails"); !strings.Contains(list, "ok.trail.yaml") || strings.Contains(list, "canary") || strings.Contains(list, "secret") {
		t.Errorf("trails: %s", list)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSubscribersHearOfTheirSession(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	c := r.connect(legacy, mcp.ClientOptions{})
	id, _ := metaOf(t, c.try("demo_echo", `{"text":"a"}`).Meta)["sessionId"].(string)
	uri := "trailblaze://sessions/" + id
	if err := c.Subscribe(c.ctx(), &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	r.Must(r.Client("cli", ""), "web", "demo_echo", `{"text":"from a shell"}`)
	if got := waittest.Await(t, c.changes, "news of the session"); got != uri {
		t.Errorf("heard of %s", got)
	}
	if err := c.Unsubscribe(c.ctx(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	for len(c.changes) > 0 {
		<-c.changes
	}
	c.must("demo_echo", `{"text":"b"}`)
	select {
	case got := <-c.changes:
		t.Errorf("heard of %s after unsubscribing", got)
	default:
	}
	if err := c.Subscribe(c.ctx(), &mcp.SubscribeParams{URI: "trailblaze://sessions/../x"}); err == nil {
		t.Error("subscribed to nonsense")
	}
}

func TestCompletion(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	write(t, filepath.Join(r.Workspace, "shop.trail.yaml"), "- config: {title: Shop}\n")
	c := r.connect(legacy, mcp.ClientOptions{})
	id, _ := metaOf(t, c.try("demo_echo", `{"text":"a"}`).Meta)["sessionId"].(string)
	for _, w := range []struct{ uri, prompt, arg, typed, want string }{
		{uri: "trailblaze://sessions/{id}", arg: "id", typed: id[:8], want: id},
		{uri: "trailblaze://trails/{+path}", arg: "path", typed: "SH", want: "shop.trail.yaml"},
		{uri: "trailblaze://snapshot/{+device}", arg: "device", typed: "", want: "web"},
		{prompt: "diagnose_failure", arg: "session", typed: id, want: id},
		{prompt: "review_trail", arg: "path", typed: "shop", want: "shop.trail.yaml"},
		{prompt: "review_trail", arg: "path", typed: "nothing", want: ""},
	} {
		ref := &mcp.CompleteReference{Type: "ref/resource", URI: w.uri}
		if w.prompt != "" {
			ref = &mcp.CompleteReference{Type: "ref/prompt", Name: w.prompt}
		}
		res, err := c.Complete(c.ctx(), &mcp.CompleteParams{Ref: ref, Argument: mcp.CompleteParamsArgument{Name: w.arg, Value: w.typed}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(res.Completion.Values, " "); w.want == "" && got != "" || !strings.Contains(got, w.want) {
			t.Errorf("%+v: %q", w, got)
		}
	}
}
