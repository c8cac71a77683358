package tools_test

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/drivertest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) {
	// Tests on a browser mostly wait; more of them than there are cores do so side by side.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(webtest.Closing(m))
}

// world is a session with a real browser context of its own, and a server whose pages the test writes.
type world struct {
	t      testing.TB
	dev    driver.Device
	disp   *dispatch.Dispatcher
	sess   *session.Session
	mem    *memory.Store
	server *httptest.Server
	root   string // workspace of uploads
	last   *tool.Result
}

// open shows body, a page or a part of one, in a lent context. Further pages come from more, by path.
func open(t testing.TB, body string, more ...map[string]http.HandlerFunc) *world {
	t.Helper()
	return openOn(t, contexts(t).Acquire(t), body, more...)
}

// openAlone is open for a test that asks what the context has seen: no other test was in it.
func openAlone(t testing.TB, body string, more ...map[string]http.HandlerFunc) *world {
	t.Helper()
	return openOn(t, webtest.Device(t, web.DeviceOptions{AllowFiles: true}), body, more...)
}

// contexts are lent. The servers of two tests differ in their ports, which all but cookies tell apart.
var contexts = func() func(t testing.TB) *drivertest.Pool[*web.Device] {
	var once sync.Once
	var pool *drivertest.Pool[*web.Device]
	return func(t testing.TB) *drivertest.Pool[*web.Device] {
		once.Do(func() {
			pool = webtest.Pool(t, web.DeviceOptions{AllowFiles: true}, "http://127.0.0.1", "http://localhost")
			pool.Also = func(ctx context.Context, d *web.Device) error { // a pointer that stays enters the next page
				_, err := d.Perform(ctx, driver.Hover{Target: driver.Target{Point: &screen.Point{}}})
				return err
			}
		})
		return pool
	}
}()

func openOn(t testing.TB, dev *web.Device, body string, more ...map[string]http.HandlerFunc) *world {
	t.Helper()
	w := &world{t: t, dev: dev, mem: memory.New(), root: t.TempDir()}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", html(body))
	for _, m := range more {
		for path, h := range m {
			mux.HandleFunc(path, h)
		}
	}
	w.server = httptest.NewServer(mux)
	t.Cleanup(w.server.Close)
	reg, err := tool.NewRegistry(tools.BuiltinIn(w.root, nil)...)
	if err != nil {
		t.Fatal(err)
	}
	w.disp = dispatch.New(dispatch.Options{Registry: reg})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
		defer cancel()
		if err := w.disp.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	w.sess, err = session.Open(w.ctx(), session.Options{Device: dev, Memory: w.mem, Title: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.sess.Close(event.Passed) })
	w.do("web_navigate", args{"url": w.server.URL + "/"})
	return w
}

// html serves a page.
func html(body string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(rw, "<!doctype html><meta charset=utf-8><title>Test</title>\n%s", body)
	}
}

// args are the arguments of a call.
type args map[string]any

func (w *world) ctx() context.Context {
	ctx, cancel := context.WithTimeout(w.t.Context(), 90*time.Second)
	w.t.Cleanup(cancel)
	return ctx
}

func (w *world) call(name string, a args) (*tool.Result, error) {
	w.t.Helper()
	r, err := w.disp.Call(w.ctx(), w.sess, dispatch.CLI, tool.Call{Name: name, Args: tooltest.Args(a)})
	w.last = r
	if err == nil {
		err = r.Err()
	}
	return r, err
}

// do makes a call that must succeed and returns its text.
func (w *world) do(name string, a args) string {
	w.t.Helper()
	r, err := w.call(name, a)
	if err != nil {
		w.t.Fatalf("%s %v: %v\n%s%s", name, a, err, detail(err), w.screen())
	}
	return r.Text()
}

// refuse makes a call that must fail with that kind and returns its error.
func (w *world) refuse(kind fault.Kind, name string, a args) error {
	w.t.Helper()
	r, err := w.call(name, a)
	if fault.KindOf(err) != kind {
		w.t.Fatalf("%s %v = %q, %v; want a failure of kind %s\n%s", name, a, r.Text(), err, kind, w.screen())
	}
	return err
}

func detail(err error) string {
	if d := fault.DetailOf(err); d != nil {
		return fmt.Sprintf("looked for %s\nnearest %q\nlog %q\n", d.Looked, d.Candidates, d.Log)
	}
	return ""
}

func (w *world) screen() string {
	r, err := w.disp.Call(w.ctx(), w.sess, dispatch.CLI, tool.Call{Name: "requestDetailedViewHierarchy"})
	if err != nil {
		return err.Error()
	}
	return r.Text()
}

// js evaluates a script and returns its result as text.
func (w *world) js(script string) string {
	w.t.Helper()
	last := w.last
	defer func() { w.last = last }()
	return w.do("web_evaluate", args{"script": script})
}

// is compares what a script gives with what it should give.
func (w *world) is(script, want string) {
	w.t.Helper()
	if got := w.js(script); got != want {
		w.t.Errorf("%s = %q, want %q", script, got, want)
	}
}

// ref is the ref a snapshot gives the element of that descriptor.
func (w *world) ref(descriptor string) string {
	w.t.Helper()
	snap, err := w.dev.Snapshot(w.ctx(), driver.SnapshotOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	nodes, err := snap.Locate(descriptor)
	if err != nil || len(nodes) == 0 || nodes[0].Ref == "" {
		w.t.Fatalf("no ref for %s: %v\n%s", descriptor, err, w.screen())
	}
	return nodes[0].Ref
}

func (w *world) file(name, content string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.root, name), []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) saw(text, part string) {
	w.t.Helper()
	if !strings.Contains(text, part) {
		w.t.Errorf("text %q does not tell %q", text, part)
	}
}
