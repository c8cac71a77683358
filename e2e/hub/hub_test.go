package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

func TestMain(m *testing.M) {
	if os.Getenv(serverEnv) != "" {
		if err := serve(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"), goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"))
}

// browsers opens devices in one browser, which is started anew when it has died, and phones.
type browsers struct {
	mu     sync.Mutex
	b      *web.Browser
	phones *adb.Server
	died   atomic.Int64 // how often kill ended the browser
	last   atomic.Int64 // when, in ns
}

// kill ends the browser's process, as far as there is one.
func (p *browsers) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.b == nil {
		return
	}
	if browser, err := os.FindProcess(p.b.PID()); err == nil && browser.Kill() == nil {
		p.last.Store(time.Now().UnixNano())
		p.died.Add(1)
	}
}

// since reports whether kill has ended the browser since a count, or so lately that it may have been found dying.
func (p *browsers) since(died int64) bool {
	return p.died.Load() != died || time.Since(time.Unix(0, p.last.Load())) < testtime.Within(5*time.Second)
}

func (p *browsers) Open(ctx context.Context, s devices.Spec) (driver.Device, error) {
	if serial, ok := strings.CutPrefix(s.ID, "android/"); ok {
		return android.Open(ctx, android.Options{ID: s.ID, Server: p.phones, Serial: serial})
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for range 2 {
		if p.b == nil {
			b, err := web.Launch(ctx, web.Options{})
			if err != nil {
				return nil, err
			}
			p.b = b
		}
		d, err := p.b.NewDevice(ctx, web.DeviceOptions{ID: s.ID})
		switch {
		case err == nil:
			return d, nil
		case fault.KindOf(err) != fault.Unavailable:
			return nil, err
		}
		_ = p.b.Close()
		p.b = nil
	}
	return nil, fault.New(fault.Unavailable, "open browser", "it dies again and again")
}

func (p *browsers) Available(context.Context) ([]driver.Info, error) { return nil, nil }

// Facts implements devices.Provider.
func (p *browsers) Facts(context.Context, string) trail.Facts { return trail.Facts{} }

// house is a hub with a real browser and pages to visit.
type house struct {
	*hub.Hub
	t     testing.TB
	o     hub.Options
	b     *browsers
	pages string
	asked chan string // paths below /in/, as they are asked for
}

func open(t testing.TB, pages map[string]string) *house {
	t.Helper()
	asked := make(chan string, 99)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/in/") {
			asked <- r.URL.Path
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>Test</title><body>" + pages[r.URL.Path]))
	}))
	t.Cleanup(srv.Close)
	home, b := t.TempDir(), &browsers{}
	h := &house{t: t, b: b, pages: srv.URL, asked: asked, o: hub.Options{
		Home: home, Sessions: filepath.Join(home, "sessions"), Provider: b,
		Workspace: func(root string) (*hub.Workspace, error) {
			return &hub.Workspace{Root: root, Tools: tools.BuiltinIn(root, nil)}, nil
		},
	}}
	h.start()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := h.Close(ctx); err != nil {
			t.Error(err)
		}
		if b.b != nil {
			_ = b.b.Close()
		}
	})
	return h
}

func (h *house) start() {
	h.t.Helper()
	next, err := hub.New(h.o)
	if err != nil {
		h.t.Fatal(err)
	}
	h.Hub = next
}

func (h *house) client(name string) *clients.Client {
	h.t.Helper()
	s, err := h.Hub.Client("", clients.Identity{Kind: "mcp", Name: name, Workspace: h.t.TempDir()})
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

func (h *house) call(s *clients.Client, device, name, args string) (*calls.Reply, error) {
	rep, err := h.Hub.Do(waittest.Context(h.t), s, calls.Request{Call: tool.Call{Name: name, Args: json.RawMessage(args)}, Device: device})
	if err == nil {
		err = rep.Result.Err()
	}
	return rep, err
}

func (h *house) must(s *clients.Client, device, name, args string) *calls.Reply {
	h.t.Helper()
	rep, err := h.call(s, device, name, args)
	if err != nil {
		h.t.Fatalf("%s %s: %v", name, args, err)
	}
	return rep
}

func inTime(t *testing.T, limit time.Duration, what string, f func()) {
	t.Helper()
	began := time.Now()
	f()
	took := time.Since(began)
	t.Logf("%s took %v", what, took)
	if limit = testtime.Within(limit); took > limit {
		t.Errorf("%s took %v, want at most %v", what, took, limit)
	}
}

// A click into an endless loop: status, other devices and cancel do not wait for it, the cancelled call answers
// within a second, the next call works within another and says what happened.
func TestWedgedPage(t *testing.T) {
	h := open(t, map[string]string{
		"/": `<button onclick="const x=new XMLHttpRequest();x.open('GET','/in/loop',false);x.send();while(true){}">Loop</button>` +
			`<button onclick="this.textContent='Fine'">OK</button>`,
		"/other": `<button onclick="this.textContent='Fine'">Other</button>`,
	})
	s, other := h.client("one"), h.client("two")
	h.must(s, "web/one", "web_navigate", `{"url":"`+h.pages+`/"}`)
	h.must(other, "web/two", "web_navigate", `{"url":"`+h.pages+`/other"}`)
	for round := range 2 {
		running := make(chan error, 1)
		go func() {
			_, err := h.call(s, "web/one", "web_click", `{"ref":"Loop"}`)
			running <- err
		}()
		select {
		case <-h.asked: // the loop begins as soon as this is answered
		case err := <-running:
			t.Fatalf("the click ended: %v", err)
		}
		inTime(t, 50*time.Millisecond, "status", func() {
			if st := h.Status(); st.Running != 1 {
				t.Errorf("status %+v", st)
			}
		})
		inTime(t, 2*time.Second, "the other device", func() { h.must(other, "web/two", "web_snapshot", `{}`) })
		inTime(t, time.Second, "cancel", func() {
			h.Cancel(calls.CancelRequest{Device: "web/one"})
			if err := waittest.Await(t, running, "the cancelled click ends"); fault.KindOf(err) != fault.Canceled {
				t.Errorf("cancelled click: %v", err)
			}
		})
		inTime(t, time.Second, "the next call", func() {
			rep := h.must(s, "web/one", "web_click", `{"ref":"`+[]string{"OK", "Fine"}[round]+`"}`)
			if said := strings.Join(rep.Warnings, " "); !strings.Contains(said, "was ended") || rep.Device != "web/one" {
				t.Errorf("said %q", said)
			}
		})
	}
}

// A browser that is killed is replaced at the next call, in the same session, on the same page.
func TestKilledBrowser(t *testing.T) {
	h := open(t, map[string]string{"/shop": `<h1>Shop</h1>`})
	s := h.client("one")
	first := h.must(s, "", "web_navigate", `{"url":"`+h.pages+`/shop"}`)
	browser, err := os.FindProcess(h.b.b.PID())
	if err == nil {
		err = browser.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	rep, err := h.call(s, "", "web_snapshot", `{}`)
	for err != nil || len(rep.Warnings) == 0 { // the next calls may find the browser alive still, or dying
		if err != nil && fault.KindOf(err) != fault.Unavailable || ctx.Err() != nil {
			t.Fatal(err, ctx.Err())
		}
		rep, err = h.call(s, "", "web_snapshot", `{}`)
	}
	if rep.Session != first.Session || !strings.Contains(strings.Join(rep.Warnings, " "), "opened anew") || !strings.Contains(rep.Result.Text(), "Shop") {
		t.Errorf("%+v %s", rep.Warnings, rep.Result.Text())
	}
}

// A daemon that is lost: the next one goes on in the same session and on the same page.
func TestLostDaemon(t *testing.T) {
	h := open(t, map[string]string{"/shop": `<h1>Shop</h1><input aria-label=Name><button onclick="this.textContent='Bought'">Buy</button>`})
	s := h.client("one")
	first := h.must(s, "", "web_navigate", `{"url":"`+h.pages+`/shop"}`)
	h.must(s, "", "web_type", `{"ref":"Name","text":"Ada"}`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := h.Kill(ctx); err != nil {
		t.Fatal(err)
	}
	h.start()
	s, ok := h.Lookup(s.ID())
	if !ok {
		t.Fatal("the client is gone")
	}
	inTime(t, 5*time.Second, "the first call", func() {
		rep := h.must(s, "", "web_click", `{"ref":"Buy"}`)
		if said := strings.Join(rep.Warnings, " "); rep.Session != first.Session || !strings.Contains(said, "2 recorded actions were kept") ||
			!strings.Contains(said, "/shop was opened again") {
			t.Errorf("%q", said)
		}
	})
}
