package mcpstdio

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/auth"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// elsewhere are the functions of the road that this test has none of: the daemon's process, the workspace's policy, and
// the browser.
var elsewhere = []string{"Daemon.admit", "Live.Middleware", "Policy.Middleware", "Performer.Perform"}

// TestRoad: the functions that wait for a click, from the client's line to the device, are those that ARCHITECTURE.md
// lists.
func TestRoad(t *testing.T) {
	type hop struct{ name, dir string }
	page, err := os.ReadFile("../../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, down, _ := strings.Cut(string(page), "### Down to the device")
	down, _, _ = strings.Cut(down, "\n### ")
	var road []hop
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Za-z.]+)` \\| `([a-z0-9_/.]+)`").FindAllStringSubmatch(down, -1) {
		road = append(road, hop{m[1], path.Dir(m[2])})
	}
	if len(road) < 10 {
		t.Fatalf("read %d hops", len(road))
	}
	passed := map[hop]bool{}
	for _, f := range waiting(clickStacks(t)) {
		i := slices.IndexFunc(road, func(h hop) bool {
			kind, name, method := strings.Cut(h.name, ".")
			if !method {
				kind, name = "", h.name
			}
			return h.dir == f.dir && slices.Contains(f.names, name) && (kind == "" || slices.Contains(f.names, kind))
		})
		if i < 0 {
			t.Errorf("a click passes %s of %s, which the road lacks", strings.Join(f.names, "."), f.dir)
			continue
		}
		passed[road[i]] = true
	}
	for _, h := range road {
		if passed[h] == slices.Contains(elsewhere, h.name) {
			t.Errorf("%s of %s: passed %v", h.name, h.dir, passed[h])
		}
	}
}

// frame is a function on a stack: its type, itself, and the closures in it.
type frame struct {
	dir   string
	names []string
}

// ofCall finds the stacks that belong to a call.
var ofCall = regexp.MustCompile(`mcpserver\.\(\*calling\)|CallListedTool|calls\.\(\*Registry\)\.Do|dispatch\.\(\*Dispatcher\)`)

var frameLine = regexp.MustCompile(`(?m)^github\.com/trailblaze-dev/trailblaze/(\S+)\(.*\n\t(\S+):\d+`)

// waiting are the functions of the product on the stacks that belong to a call.
func waiting(stacks string) (out []frame) {
	for one := range strings.SplitSeq(stacks, "\n\n") {
		one, _, _ = strings.Cut(one, "\ncreated by ")
		if !ofCall.MatchString(one) {
			continue
		}
		for _, m := range frameLine.FindAllStringSubmatch(one, -1) {
			if strings.HasSuffix(m[2], "_test.go") || strings.HasPrefix(m[1], "proto/") || strings.Contains(m[1], "/testtime/") {
				continue
			}
			folder, rest := path.Split(m[1])
			pkg, names, _ := strings.Cut(rest, ".")
			names = strings.NewReplacer("(*", "", ")", "", "[...]", "").Replace(names)
			out = append(out, frame{folder + pkg, strings.Split(names, ".")})
		}
	}
	return out
}

// spy is a device that tells the stacks of the process while it acts.
type spy struct {
	*hubtest.Device
	t      testing.TB
	stacks chan string
}

// Perform implements driver.Device.
func (s spy) Perform(ctx context.Context, a driver.Action) (*driver.Effect, error) {
	all := make([]byte, 1<<20)
	stacks := ""
	waittest.Until(s.t, func() bool { // the front may still be about to wait for an answer
		stacks = string(all[:runtime.Stack(all, true)])
		return slices.ContainsFunc(waiting(stacks), func(f frame) bool { return slices.Contains(f.names, "each") })
	}, "the front waits for an answer")
	s.stacks <- stacks
	return s.Device.Perform(ctx, a)
}

// spies open spies.
type spies struct {
	hubtest.Provider
	t      testing.TB
	stacks chan string
}

// Open implements devices.Provider.
func (p *spies) Open(ctx context.Context, s devices.Spec) (driver.Device, error) {
	if _, err := p.Provider.Open(ctx, s); err != nil {
		return nil, err
	}
	return spy{p.Device(s.ID), p.t, p.stacks}, nil
}

// door dials one daemon, whose token it has.
type door struct{ url string }

// Dial implements Dialer.
func (d door) Dial(context.Context) (*Link, error) {
	tr := &http.Transport{}
	return &Link{
		Agents: trailblazev1connect.NewAgentServiceClient(&http.Client{Transport: known{tr}}, d.url), PID: 1,
		Attend: func(ctx context.Context) (context.Context, func(error) error) {
			return ctx, func(err error) error { return err }
		},
		Close: tr.CloseIdleConnections,
	}, nil
}

// Stopped implements Dialer.
func (door) Stopped() bool { return false }

type known struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (k known) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer token")
	return k.Transport.RoundTrip(r)
}

// clickStacks clicks over MCP by way of a daemon, and returns the stacks of the process while the device does it.
func clickStacks(t *testing.T) string {
	t.Helper()
	p := &spies{t: t, stacks: make(chan string, 1)}
	r := hubtest.New(t, hubtest.Options{Hub: hub.Options{Provider: p}})
	agents := api.NewAgents(api.AgentOptions{Hub: r.Hub, Version: "1"})
	mux := http.NewServeMux()
	api.Routes(mux, api.Options{Hub: r.Hub, Agents: agents, Version: "1", Status: func() any { return nil }})
	srv := httptest.NewServer(auth.New("token", mux))
	defer srv.Close()
	in, feed := io.Pipe()
	read, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- Serve(t.Context(), Options{In: in, Out: out, Dialer: door{srv.URL}, DialTimeout: time.Minute,
			Client: &pb.OpenClientRequest{Workspace: r.Workspace},
			First:  func() (Lister, error) { return nil, fault.New(fault.Unsupported, "list tools", "ask a daemon") }})
		_ = out.Close()
	}()
	answers := bufio.NewScanner(read)
	say := func(line string) {
		if _, err := io.WriteString(feed, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"x","version":"1"}}}`)
	answers.Scan()
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"web_click","arguments":{"ref":"e2"}}}`)
	for answers.Scan() && !strings.Contains(answers.Text(), `"id":2`) {
		continue
	}
	_ = feed.Close()
	go func() {
		for answers.Scan() {
			continue
		}
	}()
	if err := waittest.Await(t, served, "the server ends"); err != nil {
		t.Error(err)
	}
	if err := agents.Close(t.Context()); err != nil {
		t.Error(err)
	}
	select {
	case stacks := <-p.stacks:
		return stacks
	default:
		t.Fatalf("the device did nothing: %s", answers.Text())
		return ""
	}
}
