package page_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/launch"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var shared struct {
	once sync.Once
	b    *launch.Browser
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.b != nil {
		shared.b.Stop()
	}
	os.Exit(code)
}

// lab is one tab with the script in its isolated world, and a mirror of it.
type lab struct {
	testing.TB
	sess  *cdp.Session
	world runtime.ExecutionContextID
	doc   page.Document
	url   string
	html  atomic.Pointer[string] // the browser asks from a goroutine of its own
}

func newLab(t testing.TB) *lab {
	t.Helper()
	shared.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		shared.b, shared.err = launch.Start(ctx, launch.Options{})
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	root := shared.b.Conn.Root()
	l := &lab{TB: t}
	made := must(cdp.Call(l.ctx(), root, target.CreateTarget, target.CreateTargetParams{URL: "about:blank"}))(t)
	t.Cleanup(func() { cdp.Send(root, target.CloseTarget, target.CloseTargetParams{TargetID: made.TargetID}) })
	flat := true
	at := must(cdp.Call(l.ctx(), root, target.AttachToTarget, target.AttachToTargetParams{TargetID: made.TargetID, Flatten: &flat}))(t)
	l.sess = shared.b.Conn.Session(at.SessionID)
	if err := l.sess.Call(l.ctx(), "Page.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := l.sess.Call(l.ctx(), "Emulation.setDeviceMetricsOverride",
		map[string]any{"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if html := l.html.Load(); html != nil {
			fmt.Fprint(w, *html)
		}
	}))
	t.Cleanup(srv.Close)
	l.url = srv.URL
	return l
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func (l *lab) ctx() context.Context {
	ctx, cancel := context.WithTimeout(l.Context(), time.Minute)
	l.Cleanup(cancel)
	return ctx
}

// load shows html, injects the script and forgets the mirror.
func (l *lab) load(html string) {
	l.Helper()
	l.html.Store(&html)
	l.open(l.url)
}

// open goes to a page, injects the script and forgets the mirror.
func (l *lab) open(url string) {
	l.Helper()
	loaded := make(chan struct{}, 1)
	stop := cdp.On(l.sess, cdppage.LoadEventFired, func(cdppage.EventLoadEventFired) {
		select {
		case loaded <- struct{}{}:
		default:
		}
	})
	defer stop()
	nav := must(cdp.Call(l.ctx(), l.sess, cdppage.Navigate, cdppage.NavigateParams{URL: url}))(l)
	select {
	case <-loaded:
	case <-l.ctx().Done():
		l.Fatal("page did not load")
	}
	w := must(cdp.Call(l.ctx(), l.sess, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: nav.FrameID, WorldName: page.World}))(l)
	l.world = w.ExecutionContextID
	l.doc.Reset()
	l.isolated(page.Source)
	if err := l.sess.Call(l.ctx(), "Runtime.evaluate", map[string]any{"expression": page.Handlers, "includeCommandLineAPI": true}, nil); err != nil {
		l.Fatal(err)
	}
}

// eval runs an expression in a world (0: the page's own) and returns its JSON value.
func (l *lab) eval(world runtime.ExecutionContextID, expr string) json.RawMessage {
	l.Helper()
	p := map[string]any{"expression": expr, "returnByValue": true, "awaitPromise": true}
	if world != 0 {
		p["contextId"] = world
	}
	var r struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	if err := l.sess.Call(l.ctx(), "Runtime.evaluate", p, &r); err != nil {
		l.Fatal(err)
	}
	if len(r.Exception) > 0 {
		l.Fatalf("%.100s: %s", expr, r.Exception)
	}
	return r.Result.Value
}

func (l *lab) isolated(expr string) json.RawMessage { l.Helper(); return l.eval(l.world, expr) }

// js runs script in the page's own world.
func (l *lab) js(expr string) json.RawMessage { l.Helper(); return l.eval(0, expr) }

// raw captures and returns the result text without applying it.
func (l *lab) raw(full bool, css ...string) string {
	l.Helper()
	var s string
	if err := json.Unmarshal(l.isolated(page.Global+".capture("+l.doc.Request(css, full).String()+")"), &s); err != nil {
		l.Fatal(err)
	}
	return s
}

// capture brings the mirror up to date and returns its tree.
func (l *lab) capture(css ...string) *screen.Node {
	l.Helper()
	if err := l.doc.Apply(l.raw(false, css...)); err != nil {
		l.Fatal(err)
	}
	return l.doc.Tree()
}

// show loads a body and captures it.
func (l *lab) show(body string) *screen.Node {
	l.Helper()
	l.load("<!doctype html><title>Lab</title><body>" + body)
	return l.capture()
}

// byID finds the node of the element with that HTML id.
func byID(n *screen.Node, id string) *screen.Node {
	if w, ok := n.Native.(*screen.Web); ok && w.HTMLID == id {
		return n
	}
	for _, c := range n.Children {
		if hit := byID(c, id); hit != nil {
			return hit
		}
	}
	return nil
}

func find(t testing.TB, root *screen.Node, id string) *screen.Node {
	t.Helper()
	n := byID(root, id)
	if n == nil {
		t.Fatalf("no node for #%s", id)
	}
	return n
}

// outline prints a tree for comparison and for people.
func outline(n *screen.Node, depth int) string {
	s := fmt.Sprintf("%*s%s %q", depth*2, "", n.Role, n.Name)
	if n.Text != "" && n.Text != n.Name {
		s += fmt.Sprintf(" text=%q", n.Text)
	}
	if n.Value != "" {
		s += fmt.Sprintf(" value=%q", n.Value)
	}
	s += fmt.Sprintf(" state=%x vis=%d %v\n", uint32(n.State), n.Visibility, n.Bounds)
	for _, c := range n.Children {
		s += outline(c, depth+1)
	}
	return s
}

// byNumber finds the node with the script's number.
func byNumber(n *screen.Node, id int64) *screen.Node {
	if int64(n.ID) == id {
		return n
	}
	for _, c := range n.Children {
		if hit := byNumber(c, id); hit != nil {
			return hit
		}
	}
	return nil
}

func htmlID(n *screen.Node) string {
	if w, ok := n.Native.(*screen.Web); ok {
		return w.HTMLID
	}
	return ""
}
