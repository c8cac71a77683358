package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/makers/extern"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/serve/callback"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const (
	routed     = 300 // calls on every change; `make routing` has 2,000
	routedOn   = 8   // devices, of which the second half are stand-ins of phones
	routedKill = 5   // percent of the calls that are cut off, whose phone loses its helper, or during which all browsers die
	routedOver = 25  // percent of the calls that a client makes on any of the devices
	routedWait = 10  // ms, at most, before each callback
)

// R70–R76, R148–R165: eight devices, browsers and phones, call one external server at once, also for clients that cross
// over to each other's devices. Each of its callbacks arrives at the device of its own call; a call that is cut off takes
// nothing along and leaves nothing behind. After the browser was killed, its pages are there again.
func TestRouting(t *testing.T) {
	n := routed
	if text := os.Getenv("TRAILBLAZE_ROUTING"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	pages := map[string]string{}
	for i := range routedOn {
		pages[fmt.Sprintf("/%d", i)] = fmt.Sprintf(`<p id=mark>device %d</p>`, i)
	}
	h := open(t, pages)
	h.o.LeaseWait = time.Minute // for calls of others on the same device
	phones := h.phones(t)
	back, server := h.acme(t)
	began := time.Now()
	var next, killed, crossed, struck, done, overHTTP atomic.Int64
	var pids sync.Map // of the server: it is started once more when it turns to HTTP
	var work sync.WaitGroup
	clients := make([]*clients.Client, routedOn)
	for i := range routedOn {
		clients[i] = h.client(fmt.Sprintf("client %d", i))
		if phones[i] == nil {
			h.must(clients[i], device(i), "web_navigate", fmt.Sprintf(`{"url":"%s/%d"}`, h.pages, i))
		} else {
			h.must(clients[i], device(i), "assertVisible", `{"text":"device"}`)
		}
	}
	for i, c := range clients {
		dice := rand.New(rand.NewPCG(seed, uint64(i))) //nolint:gosec // a test
		work.Go(func() {
			for next.Add(1) <= int64(n) {
				i := i
				if dice.IntN(100) < routedOver {
					crossed.Add(1)
					i = dice.IntN(routedOn)
				}
				if dice.IntN(100) < routedKill {
					killed.Add(1)
					how := h.ways(c, phones[i])
					h.cutOff(t, c, i, time.Duration(dice.IntN(2*routedWait+1))*time.Millisecond, how[dice.IntN(len(how))])
					continue
				}
				died := h.b.died.Load()
				v, err := h.visit(t.Context(), c, i)
				switch {
				case err != nil && phones[i] == nil && h.b.since(died):
					struck.Add(1)
					h.right(t, i, v)
					continue
				case err != nil:
					t.Errorf("device %d: %v", i, err)
					continue
				}
				h.right(t, i, v)
				if len(v.Marks) != 3 {
					t.Errorf("device %d: %d callbacks, want 3", i, len(v.Marks))
				}
				done.Add(1)
				pids.Store(v.PID, nil)
				if v.HTTP {
					overHTTP.Add(1)
				}
			}
		})
	}
	work.Wait()
	took := time.Since(began)
	for i, c := range clients {
		v, err := h.visit(t.Context(), c, i)
		for died := h.b.died.Load(); err != nil && h.b.since(died); { // it may have been killed last
			v, err = h.visit(t.Context(), c, i)
		}
		if h.right(t, i, v); err != nil || len(v.Marks) != 3 {
			t.Errorf("device %d, at the end: %d callbacks, %v", i, len(v.Marks), err)
		}
	}
	if overHTTP.Load() == 0 {
		t.Error("no call went over HTTP")
	}
	var told tally
	if err := json.Unmarshal(h.must(clients[0], device(0), "acme_tally", `{}`).Result.Value, &told); err != nil {
		t.Fatal(err)
	}
	if told.Carried > 0 {
		t.Errorf("%d callbacks of calls that had ended were carried out", told.Carried)
	}
	h.nothingLeft(t)
	h.logged(t)
	h.closeAll(t, back, server)
	for pid := range pids.Range {
		if proc.Alive(pid.(int)) {
			t.Errorf("the server, process %v, is still there", pid)
		}
	}
	t.Logf("%d calls with 3 callbacks on %d devices in %s: %d on another's, %d came back, %d over HTTP; %d cut off, %d saw "+
		"it, %d late callbacks refused; the browser killed %d times under %d other calls", n, routedOn,
		took.Round(time.Millisecond), crossed.Load(), done.Load(), overHTTP.Load(), killed.Load(), told.Ended, told.Late,
		h.b.died.Load(), struck.Load())
}

// closeAll ends the hub, the servers and what their tools call back.
func (h *house) closeAll(t *testing.T, back *callback.Server, servers []tool.Source) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := h.Close(ctx); err != nil {
		t.Error(err)
	}
	for _, s := range servers {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := back.Close(ctx); err != nil {
		t.Error(err)
	}
}

func device(i int) string {
	if i < routedOn/2 {
		return fmt.Sprintf("web/%d", i)
	}
	return fmt.Sprintf("android/%d", i)
}

// phones connects the devices that are no browsers. Each shows its number.
func (h *house) phones(t *testing.T) (all [routedOn]*androidtest.Phone) {
	t.Helper()
	srv := adbtest.Start(t)
	var connected []*adbtest.Phone
	for i := routedOn / 2; i < routedOn; i++ {
		all[i] = androidtest.New(strconv.Itoa(i))
		all[i].Show(androidtest.Label(fmt.Sprintf("device %d", i)))
		connected = append(connected, all[i].Adb())
	}
	srv.Set(connected...)
	h.b.phones = adb.NewServer(srv.Env())
	return all
}

// acme gives every workspace of the house the tools of one external server.
func (h *house) acme(t *testing.T) (*callback.Server, []tool.Source) {
	t.Helper()
	back := callback.New(callback.Options{})
	builtIn := tools.Builtin()
	reg, _ := tool.Collect(builtIn...)
	sources := extern.New(source.Options{
		Root: t.TempDir(), BuiltIn: reg, Tools: func() *tool.Registry { return reg },
		Log:    slog.New(slog.DiscardHandler),
		Target: func(*memory.Store) *source.Target { return nil }, Trusted: func(source.Process) error { return nil },
		BaseURL: back.URL, Env: func(string) string { return "" },
		Servers: []source.Server{{
			Name: "acme", Command: os.Args[0], Env: map[string]string{serverEnv: "1"}, Place: "trailblaze.yaml:3",
		}},
	})
	all := builtIn
	for _, s := range sources {
		found, problems, err := s.Load(t.Context())
		if err != nil || len(problems) > 0 {
			t.Fatalf("%v, %v", problems, err)
		}
		all = append(all, found...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := h.Close(ctx); err != nil {
		t.Fatal(err)
	}
	h.o.Workspace = func(root string) (*hub.Workspace, error) { return &hub.Workspace{Root: root, Tools: all}, nil }
	h.start()
	back.Bind(h.Hub)
	return back, sources
}

// visit has the server look where it is.
func (h *house) visit(ctx context.Context, c *clients.Client, i int) (v visited, err error) {
	rep, err := h.Do(ctx, c, calls.Request{Device: device(i), Call: tool.Call{
		Name: "acme_visit", Args: json.RawMessage(fmt.Sprintf(`{"pause":%d}`, routedWait)),
	}})
	if err == nil {
		err = rep.Result.Err()
	}
	if err == nil {
		err = json.Unmarshal(rep.Result.Value, &v)
	}
	return v, err
}

// right checks that what a visit has seen is of its own device.
func (h *house) right(t *testing.T, i int, v visited) {
	t.Helper()
	for _, mark := range v.Marks {
		if want := fmt.Sprintf("device %d", i); mark != want {
			t.Errorf("a callback of %s arrived at %s", want, mark)
		}
	}
}

// ways are how a call ends early: its client goes away, it is canceled, its phone loses its helper, or the browser is killed.
func (h *house) ways(c *clients.Client, phone *androidtest.Phone) []func(leave func()) {
	ways := []func(leave func()){
		func(leave func()) { leave() },
		func(func()) { h.Cancel(calls.CancelRequest{Client: c.ID()}) },
	}
	if phone != nil {
		return append(ways, func(func()) { phone.Do(phone.Kill) })
	}
	return append(ways, func(func()) { h.b.kill() })
}

// cutOff ends a call while it runs, unless it is faster.
func (h *house) cutOff(t *testing.T, c *clients.Client, i int, after time.Duration, how func(leave func())) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan struct{})
	kill := time.AfterFunc(after, func() {
		defer close(ended)
		how(cancel)
	})
	died := h.b.died.Load()
	v, err := h.visit(ctx, c, i)
	if !kill.Stop() {
		<-ended // the client's next call is another one
	}
	if err != nil && fault.KindOf(err) != fault.Canceled && (i >= routedOn/2 || !h.b.since(died)) {
		t.Errorf("device %d, cut off: %v", i, err)
	}
	h.right(t, i, v)
}

// nothingLeft says which calls are still in flight.
func (h *house) nothingLeft(t *testing.T) {
	t.Helper()
	if st := h.Status(); st.Running > 0 {
		t.Errorf("%d calls are still in flight", st.Running)
	}
}

// logged reads the logs: a callback stands within a call of its own device, and a call that came back has three.
func (h *house) logged(t *testing.T) {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(h.o.Sessions, "*"))
	if err != nil || len(dirs) != routedOn {
		t.Fatalf("%d sessions, want %d: %v", len(dirs), routedOn, err)
	}
	for _, dir := range dirs {
		want, within, visits := "", map[string]int{}, map[string]bool{}
		for e, err := range event.Read(dir) {
			switch {
			case err != nil:
				t.Fatal(err)
			case e.Type == event.SessionStarted:
				_, number, _ := strings.Cut(e.Session.Device, "/")
				want = "device " + number
			case e.Type != event.ToolCall:
			case e.Call.Name == "acme_visit":
				visits[e.Call.ID] = e.Call.Error == nil && !e.Call.IsError
			case e.Call.Parent != "":
				within[e.Call.Parent]++
				if e.Call.Error == nil && strings.TrimSpace(e.Call.Text) != want {
					t.Errorf("the log of %s has a callback that saw %q", want, e.Call.Text)
				}
			}
		}
		for id, whole := range visits {
			if whole && within[id] != 3 {
				t.Errorf("%s: a call has %d callbacks, want 3", want, within[id])
			}
			delete(within, id)
		}
		if len(within) > 0 {
			t.Errorf("%s: callbacks of calls that are not in the log: %v", want, within)
		}
	}
}
