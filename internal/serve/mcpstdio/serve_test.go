package mcpstdio

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

const soon = time.Minute

// daemon is one life of a daemon. Its tools are "look", which changes nothing, "act", "ask", which asks the client's
// model, "last", which reports progress until it is cancelled, and "job", which goes on as a job and asks then.
type daemon struct {
	trailblazev1connect.UnimplementedAgentServiceHandler
	r       *rig
	srv     *httptest.Server
	deaf    atomic.Bool // calls get no receipt
	mute    atomic.Bool // calls get a receipt and no result
	silent  atomic.Bool // nothing is answered, no health check either
	gone    chan struct{}
	answers chan *pb.AnswerQuestionRequest
	heard   chan struct{} // the client has the result of "job"
}

func (d *daemon) die() {
	close(d.gone)
	d.srv.CloseClientConnections()
}

func (d *daemon) OpenClient(_ context.Context, q *pb.OpenClientRequest) (*pb.OpenClientResponse, error) {
	d.r.got <- strings.TrimSpace("open " + q.ClientId + " " + q.Name)
	out := &pb.OpenClientResponse{ClientId: q.ClientId}
	if q.List != nil {
		out.List = listOf(cmp.Or(d.r.early, "look"))
	}
	return out, nil
}

func listOf(name string) *pb.ListListedToolsResponse {
	return &pb.ListListedToolsResponse{Tools: []*pb.ListedTool{{Name: name, InputSchema: `{"type":"object"}`}}}
}

func (d *daemon) UpdateClient(_ context.Context, q *pb.UpdateClientRequest) (*pb.UpdateClientResponse, error) {
	d.r.got <- "name " + q.Name
	return &pb.UpdateClientResponse{}, nil
}

func (d *daemon) WatchClient(
	ctx context.Context, q *pb.WatchClientRequest, out *connect.ServerStream[pb.WatchClientResponse],
) error {
	if !q.Connected {
		d.r.t.Error("the client is not connected")
	}
	_ = out.Send(&pb.WatchClientResponse{})
	select {
	case <-ctx.Done():
	case <-d.gone:
	}
	return errors.New("ended")
}

func (d *daemon) ListListedTools(context.Context, *pb.ListListedToolsRequest) (*pb.ListListedToolsResponse, error) {
	return listOf("look"), nil
}

func (d *daemon) CallListedTool(
	ctx context.Context, q *pb.CallListedToolRequest, out *connect.ServerStream[pb.CallListedToolResponse],
) error {
	d.r.got <- "call " + q.Name
	if !d.deaf.Load() {
		_ = out.Send(&pb.CallListedToolResponse{Message: &pb.CallListedToolResponse_Receipt{
			Receipt: &pb.Receipt{Repeatable: q.Name == "look" || q.Name == "job"}}})
	}
	text := "did " + q.Name
	ask := func() error {
		return out.Send(&pb.CallListedToolResponse{Message: &pb.CallListedToolResponse_Question{
			Question: &pb.Question{QuestionId: "q1", Turns: []*pb.Turn{{Parts: []*pb.TurnPart{
				{Kind: &pb.TurnPart_Text{Text: "which?"}}}}}}}})
	}
	switch {
	case d.deaf.Load() || d.mute.Load() || d.silent.Load():
		d.r.got <- "begun " + q.Name
		select {
		case <-ctx.Done():
		case <-d.gone:
		}
		return ctx.Err()
	case q.Name == "ask":
		_ = ask()
		text = "the model says " + (<-d.answers).Text
	case q.Name == "job":
		_ = out.Send(&pb.CallListedToolResponse{Message: &pb.CallListedToolResponse_Result{Result: &pb.AgentResult{
			Call: &pb.CallInfo{Job: "j1"}, Content: []*pb.AgentContent{{Kind: &pb.AgentContent_Text{Text: "goes on as j1"}}}}}})
		<-d.heard
		_ = ask()
		select {
		case a := <-d.answers:
			d.r.got <- "answered " + a.Text
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	case q.Name == "last":
		_ = out.Send(&pb.CallListedToolResponse{Message: &pb.CallListedToolResponse_Progress{
			Progress: &pb.Progress{ElapsedMs: 1000, Message: "still at it"}}})
		<-ctx.Done()
		d.r.got <- "cancelled"
		return ctx.Err()
	}
	return out.Send(&pb.CallListedToolResponse{Message: &pb.CallListedToolResponse_Result{Result: &pb.AgentResult{
		Content: []*pb.AgentContent{{Kind: &pb.AgentContent_Text{Text: text}}}}}})
}

func (d *daemon) AnswerQuestion(_ context.Context, q *pb.AnswerQuestionRequest) (*pb.AnswerQuestionResponse, error) {
	d.answers <- q
	return &pb.AnswerQuestionResponse{}, nil
}

func (d *daemon) ReadResource(context.Context, *pb.ReadResourceRequest) (*pb.ReadResourceResponse, error) {
	return nil, rpcerr.Of(fault.New(fault.NotFound, "read", "nothing there"))
}

// rig is a server on pipes, with daemons that live one after the other.
type rig struct {
	t     *testing.T
	in    io.Writer
	lines chan map[string]any
	got   chan string
	end   func()
	done  chan error

	mu      sync.Mutex
	now     *daemon
	starts  int
	fails   error // of dialing
	stopped bool

	starting chan struct{} // Dial waits for its end; nil: it need not
	early    string        // the tool that is listed with the client; "": as it is later
	here     string        // the tool that this process lists before there is a daemon; "": it cannot
	dials    atomic.Int32
	told     atomic.Int32 // how often, that the tools are others
}

// lister is Options.First.
func (r *rig) lister() (Lister, error) {
	if r.here == "" {
		return nil, fault.New(fault.Unsupported, "list tools", "ask a daemon")
	}
	return listing(r.here), nil
}

// listing lists one tool.
type listing string

// OpenClient implements Lister.
func (l listing) OpenClient(context.Context, *pb.OpenClientRequest) (*pb.OpenClientResponse, error) {
	return &pb.OpenClientResponse{}, nil
}

// ListListedTools implements Lister.
func (l listing) ListListedTools(context.Context, *pb.ListListedToolsRequest) (*pb.ListListedToolsResponse, error) {
	return listOf(string(l)), nil
}

// Dial implements Dialer.
func (r *rig) Dial(context.Context) (*Link, error) {
	r.dials.Add(1)
	if r.starting != nil {
		<-r.starting
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fails != nil {
		return nil, r.fails
	}
	if r.now == nil {
		d := &daemon{r: r, gone: make(chan struct{}), answers: make(chan *pb.AnswerQuestionRequest, 1), heard: make(chan struct{}, 1)}
		_, h := trailblazev1connect.NewAgentServiceHandler(d)
		d.srv = httptest.NewServer(h)
		r.now, r.starts = d, r.starts+1
		r.t.Cleanup(d.srv.Close)
	}
	d, tr := r.now, &http.Transport{}
	return &Link{
		Agents: trailblazev1connect.NewAgentServiceClient(&http.Client{Transport: tr}, d.srv.URL), PID: 4711,
		Attend: func(ctx context.Context) (context.Context, func(error) error) {
			ctx, cancel := context.WithCancel(ctx)
			hung := make(chan bool, 1)
			go func() {
				defer cancel()
				for ctx.Err() == nil && !d.silent.Load() {
					select {
					case <-ctx.Done():
					case <-time.After(10 * time.Millisecond): // the health check
					}
				}
				hung <- ctx.Err() == nil
			}()
			return ctx, func(err error) error {
				cancel()
				if <-hung {
					return fault.New(fault.Timeout, "ask daemon", "no sign of life")
				}
				return err
			}
		},
		Close: tr.CloseIdleConnections,
	}, nil
}

// Stopped implements Dialer.
func (r *rig) Stopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

// kill ends the daemon there is; the next Dial starts another.
func (r *rig) kill() {
	r.mu.Lock()
	d := r.now
	r.now = nil
	r.mu.Unlock()
	d.die()
}

func (r *rig) daemon() *daemon {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

func newRig(t *testing.T, change ...func(*rig)) *rig {
	t.Helper()
	in, feed := io.Pipe()
	read, out := io.Pipe()
	r := &rig{t: t, in: feed, end: func() { _ = feed.Close() }, lines: make(chan map[string]any, 1000),
		got: make(chan string, 1000), done: make(chan error, 1)}
	for _, fn := range change {
		fn(r)
	}
	go func() {
		r.done <- Serve(t.Context(), Options{In: in, Out: out, Dialer: r, First: r.lister, DialTimeout: time.Second})
		_ = out.Close()
	}()
	go func() {
		defer close(r.lines)
		for s := bufio.NewScanner(read); s.Scan(); {
			m := map[string]any{}
			if err := json.Unmarshal(s.Bytes(), &m); err != nil {
				t.Errorf("%s: %v", s.Text(), err)
			}
			if m["method"] == "notifications/tools/list_changed" {
				r.told.Add(1)
			}
			r.lines <- m
		}
	}()
	t.Cleanup(func() {
		r.end()
		for range r.lines {
			continue
		}
	})
	return r
}

func (r *rig) say(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) call(id int, name string) {
	r.t.Helper()
	r.say(`{"jsonrpc":"2.0","id":` + strconv.Itoa(id) + `,"method":"tools/call","params":{"name":"` + name +
		`","arguments":{},"_meta":{"progressToken":"p"}}}`)
}

// hear returns the next line that has all these parts.
func (r *rig) hear(parts ...string) string {
	r.t.Helper()
	limit := time.After(soon)
next:
	for {
		select {
		case m := <-r.lines:
			data, err := json.Marshal(m)
			if err != nil {
				r.t.Fatal(err)
			}
			for _, p := range parts {
				if !strings.Contains(string(data), p) {
					continue next
				}
			}
			return string(data)
		case <-limit:
			r.t.Fatalf("never heard %q", parts)
		}
	}
}

// await waits until a daemon was asked this.
func (r *rig) await(want string) {
	r.t.Helper()
	limit := time.After(soon)
	for {
		select {
		case got := <-r.got:
			if strings.HasPrefix(got, want) {
				return
			}
		case <-limit:
			r.t.Fatalf("no daemon was asked %q", want)
		}
	}
}

func (r *rig) initialize() {
	r.t.Helper()
	r.say(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"sampling":{}}` +
		`,"clientInfo":{"name":"tester","version":"1"}}}`)
	r.hear(`"id":"i"`, `"serverInfo"`)
	r.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func TestServe(t *testing.T) {
	r := newRig(t)
	r.await("open tb_")
	r.initialize()
	r.await("name tester")
	r.say(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	r.hear(`"id":2`, `"look"`)
	r.call(3, "act")
	r.hear(`"id":3`, "did act")
	r.say(`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"trailblaze://config"}}`)
	r.hear(`"id":4`, `"error"`)
	r.end()
	if err := waittest.Await(r.t, r.done, "serving ends"); err != nil {
		t.Error(err)
	}
}

// Progress comes while a call lasts, and cancelling it reaches the daemon.
func TestProgressAndCancel(t *testing.T) {
	r := newRig(t)
	r.initialize()
	r.call(2, "last")
	r.hear("notifications/progress", "still at it")
	r.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	r.await("cancelled")
	r.call(3, "last")
	r.hear("notifications/progress")
	r.end() // so does the end of the client
	r.await("cancelled")
}

// The client's model is asked in the middle of a call.
func TestQuestion(t *testing.T) {
	r := newRig(t)
	r.initialize()
	r.call(2, "ask")
	var asked struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(r.hear("sampling/createMessage", "which?")), &asked); err != nil {
		t.Fatal(err)
	}
	r.say(`{"jsonrpc":"2.0","id":` + string(asked.ID) + `,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"that one"}}}`)
	r.hear(`"id":2`, "the model says that one")
}

// The questions of a job reach the client after the result of its call, until the daemon is lost; the call is not made
// again then.
func TestQuestionOfAJob(t *testing.T) {
	r := newRig(t)
	r.initialize()
	asked := func(id int) (question string) {
		t.Helper()
		r.call(id, "job")
		r.hear(`"id":`+strconv.Itoa(id), "goes on as j1")
		r.daemon().heard <- struct{}{}
		var m struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(r.hear("sampling/createMessage", "which?")), &m); err != nil {
			t.Fatal(err)
		}
		return string(m.ID)
	}
	r.say(`{"jsonrpc":"2.0","id":` + asked(2) + `,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"that one"}}}`)
	r.await("answered that one")
	question := asked(3)
	r.await("call job")
	r.kill()
	r.hear("notifications/cancelled", `"requestId":`+question)
	r.call(4, "act")
	r.hear(`"id":4`, "did act")
	for len(r.got) > 0 {
		if got := <-r.got; got == "call job" {
			t.Error("the call was repeated")
		}
	}
}

// A lost daemon is replaced, its client is opened at the next, and is told that tools may have changed.
func TestLoss(t *testing.T) {
	r := newRig(t)
	r.initialize()
	r.call(2, "act")
	r.hear(`"id":2`, "did act")
	r.kill()
	r.hear("notifications/tools/list_changed")
	r.call(3, "act")
	r.hear(`"id":3`, "did act")
	if r.starts != 2 {
		t.Errorf("%d daemons were started", r.starts)
	}
}

// An action that has begun is answered with what is not known, and never repeated; what changes nothing is asked
// again, and so is what has no receipt.
func TestLossUnderWay(t *testing.T) {
	r := newRig(t)
	r.initialize()
	r.call(2, "act")
	r.hear(`"id":2`)
	r.daemon().mute.Store(true)
	r.call(3, "act")
	r.await("begun act")
	r.call(4, "look")
	r.await("begun look")
	r.kill()
	for range 2 {
		switch line := r.hear(`"result"`); {
		case strings.Contains(line, `"id":3`):
			if !strings.Contains(line, "unknown whether it took effect") || !strings.Contains(line, `"isError":true`) {
				t.Errorf("the action: %s", line)
			}
		case strings.Contains(line, `"id":4`):
			if !strings.Contains(line, "did look") {
				t.Errorf("the question: %s", line)
			}
		default:
			t.Errorf("heard %s", line)
		}
	}
	r.daemon().deaf.Store(true)
	r.call(5, "act")
	r.await("begun act")
	r.kill()
	r.hear(`"id":5`, "did act")
}

// What ends a daemon twice is not asked a third time.
func TestPoison(t *testing.T) {
	r := newRig(t)
	r.initialize()
	r.await("open tb_")
	r.daemon().mute.Store(true)
	r.call(2, "look")
	r.await("begun look")
	r.mu.Lock()
	first := r.now
	r.now = nil
	r.mu.Unlock()
	link, err := r.Dial(t.Context()) // the next daemon, before anybody looks for it
	if err != nil {
		t.Fatal(err)
	}
	link.Close()
	r.daemon().mute.Store(true)
	first.die()
	r.await("begun look")
	r.kill()
	r.hear(`"id":2`, "lost twice")
}

// A daemon that gives no sign of life is named, and the call is not repeated.
func TestHung(t *testing.T) {
	r := newRig(t)
	r.initialize()
	r.await("open tb_")
	r.daemon().mute.Store(true)
	r.call(2, "look")
	r.await("begun look")
	r.daemon().silent.Store(true)
	r.hear(`"id":2`, "unknown whether", "kill -9 4711")
}

// A daemon that was stopped is not started again before its client asks for something.
func TestStopped(t *testing.T) {
	r := newRig(t)
	r.initialize()
	r.await("open tb_")
	r.mu.Lock()
	r.stopped = true
	r.mu.Unlock()
	r.kill()
	r.say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	r.hear(`"id":2`)
	if r.daemon() != nil {
		t.Error("it was started again")
	}
	r.call(3, "act")
	r.hear(`"id":3`, "did act")
}

// Without a daemon every request is answered with the reason, and the next one tries again.
func TestNoDaemon(t *testing.T) {
	r := newRig(t, func(r *rig) { r.fails = fault.New(fault.Denied, "find daemon", "not yours").WithHint("Own it.") })
	r.initialize()
	r.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	r.hear(`"id":1`, "not yours", "Own it.", "-32010")
	r.mu.Lock()
	r.fails = nil
	r.mu.Unlock()
	r.say(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	r.hear(`"id":2`, `"look"`)
}

// A daemon that refuses the flags of the client was reached.
func TestRefusedClient(t *testing.T) {
	r := newRig(t, func(r *rig) {
		r.fails = fault.New(fault.Invalid, "begin session", "there is no mode x").WithHint("The modes are y.")
	})
	r.initialize()
	r.say(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	if said := r.hear(`"id":2`, "there is no mode x", "The modes are y."); strings.Contains(said, "reached") {
		t.Error(said)
	}
}

// What this process lists waits for no daemon. Only then is a daemon looked for, and the client is told when the tools
// there are others.
func TestListWithoutDaemon(t *testing.T) {
	for here, changed := range map[string]bool{"look": false, "before": true} {
		r := newRig(t, func(r *rig) { r.starting, r.here = make(chan struct{}), here })
		r.initialize()
		if n := r.dials.Load(); n > 0 {
			t.Errorf("%d daemons were looked for before the list", n)
		}
		r.say(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		r.hear(`"id":2`, `"`+here+`"`)
		close(r.starting)
		if changed {
			r.hear("notifications/tools/list_changed")
		}
		r.call(3, "act")
		r.hear(`"id":3`, "did act")
		r.say(`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`)
		r.hear(`"id":4`, `"look"`)
		if n, told := r.dials.Load(), r.told.Load() > 0; n != 1 || told != changed {
			t.Errorf("%s: %d daemons were looked for, other tools told: %v", here, n, told)
		}
	}
}

// Without a list, what needs a daemon finds one.
func TestCallBeforeList(t *testing.T) {
	r := newRig(t, func(r *rig) { r.here = "look" })
	r.initialize()
	r.call(2, "act")
	r.hear(`"id":2`, "did act")
	r.say(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	r.hear(`"id":3`, `"look"`)
	r.kill()
	r.hear("notifications/tools/list_changed") // it was watched
}

// What is listed before a daemon is found comes with the answer to who the client is; what is asked later is asked then.
// Tools that have changed before the client was watched are told of.
func TestListComesWithTheClient(t *testing.T) {
	for early, changed := range map[string]bool{"look": false, "before": true} {
		r := &rig{t: t, got: make(chan string, 9), early: early, starting: make(chan struct{})}
		d := newRemote(t.Context(), Options{
			Dialer: r, First: r.lister, DialTimeout: soon, Log: slog.New(slog.DiscardHandler), Client: &pb.OpenClientRequest{ClientId: clients.NewID()},
		})
		list := func() string {
			out, err := d.ListListedTools(t.Context(), &pb.ListListedToolsRequest{ClientId: d.o.Client.ClientId})
			if err != nil {
				return err.Error()
			}
			return out.Tools[0].Name
		}
		first := make(chan string, 1)
		go func() { first <- list() }()
		waittest.Until(t, func() bool {
			d.early.mu.Lock()
			defer d.early.mu.Unlock()
			return d.o.Client.List != nil
		}, "the question goes with the client")
		close(r.starting)
		if got := []string{waittest.Await(t, first, "the list"), list()}; !slices.Equal(got, []string{early, "look"}) {
			t.Errorf("%s: %v", early, got)
		}
		var told []bool
		enough := errors.New("enough")
		ctx, cancel := context.WithCancel(t.Context())
		_ = d.WatchClient(ctx, &pb.WatchClientRequest{ClientId: d.o.Client.ClientId, Connected: true},
			func(m *pb.WatchClientResponse) error {
				if told = append(told, m.ToolsChanged); len(told) == 2 { // its own, and that of the daemon
					cancel()
					return enough
				}
				return nil
			})
		if !slices.Equal(told, []bool{false, changed}) {
			t.Errorf("%s: told %v of changes", early, told)
		}
		cancel()
		d.close()
	}
}

// The answer to initialize does not wait for a daemon that is starting, which learns the name with the client. What
// asks for more waits, and is told when it does not start.
func TestStarting(t *testing.T) {
	for _, fails := range []error{nil, fault.New(fault.Denied, "start daemon", "not yours")} {
		r := newRig(t, func(r *rig) { r.starting, r.fails = make(chan struct{}), fails })
		r.initialize()
		r.say(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		close(r.starting)
		if fails != nil {
			r.hear(`"id":2`, "not yours", "-32010")
			continue
		}
		r.hear(`"id":2`, `"look"`)
		if got := <-r.got; !strings.HasSuffix(got, " tester") {
			t.Errorf("the daemon heard %q first, want the client and its name", got)
		}
	}
}

// The end of stdin does not cut off what was asked before.
func TestEndAnswersQuestions(t *testing.T) {
	r := newRig(t)
	r.initialize()
	r.say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	r.end()
	r.hear(`"id":2`)
	if err := waittest.Await(r.t, r.done, "serving ends"); err != nil {
		t.Error(err)
	}
}

// A client that no longer reads ends the server.
func TestClientGone(t *testing.T) {
	in, feed := io.Pipe()
	defer func() { _ = feed.Close() }()
	out, w := io.Pipe()
	_ = out.Close()
	done := make(chan error, 1)
	r := &rig{t: t, got: make(chan string, 100)}
	go func() { done <- Serve(t.Context(), Options{In: in, Out: w, Dialer: r, First: r.lister}) }()
	if _, err := io.WriteString(feed, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(soon):
		t.Fatal("it goes on")
	}
}
