package web

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/drivertest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// shared is one browser for the tests that do not harm it; starting one takes longer than most
// tests.
var shared struct {
	once sync.Once
	b    *Browser
	err  error
}

func TestMain(m *testing.M) {
	// Tests on a browser mostly wait; more of them than there are cores do so side by side.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	code := m.Run()
	if shared.b != nil {
		_ = shared.b.Close()
	}
	if err := goleak.Find(goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"),
		goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop")); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func sharedBrowser(t testing.TB) *Browser {
	t.Helper()
	shared.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // outlives the test
		defer cancel()
		shared.b, shared.err = Launch(ctx, Options{Args: []string{"--site-per-process"}})
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.b
}

// deadline gives a test's calls a deadline well below the test's own.
func deadline(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// launchBrowser starts a browser of its own for the test, with every site in a process of its own.
func launchBrowser(t testing.TB) *Browser {
	t.Helper()
	b, err := Launch(deadline(t), Options{Args: []string{"--site-per-process"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func newDevice(t testing.TB, o DeviceOptions) *Device {
	t.Helper()
	d, err := sharedBrowser(t).NewDevice(deadline(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close device: %v", err)
		}
	})
	return d
}

// lent are the contexts of borrowed.
var lent = drivertest.Pool[*Device]{
	Open: func(ctx context.Context) (*Device, error) { return shared.b.NewDevice(ctx, DeviceOptions{}) },
	// The servers of two tests differ in their ports, which all but cookies tell apart.
	Origins: []string{"http://127.0.0.1", "http://localhost"},
	Also: func(ctx context.Context, d *Device) error { // a pointer that stays enters what the next page has there
		return cdp.Do(ctx, d.frames.Active.Session, input.DispatchMouseEvent,
			input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: -1, Y: -1})
	},
}

// borrowed is newDevice without options for a test that looks at a page of its own and at nothing that the context
// has kept: its logs, marks and numbers tell of other tests too.
func borrowed(t testing.TB) *Device {
	t.Helper()
	sharedBrowser(t)
	return lent.Acquire(t)
}

// pages serves documents by path. Other is the same server under another origin, which the browser
// puts into another process.
type pages struct {
	URL, Other string
}

func serve(t testing.TB, docs map[string]string) pages {
	t.Helper()
	return serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		body, ok := docs[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(strings.NewReplacer("OTHER", "http://localhost:"+port(r.Host), "SELF", "http://127.0.0.1:"+port(r.Host)).Replace(body)))
	})
}

func serveFunc(t testing.TB, h http.HandlerFunc) pages {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return pages{URL: s.URL, Other: strings.Replace(s.URL, "127.0.0.1", "localhost", 1)}
}

func port(host string) string { return host[strings.LastIndex(host, ":")+1:] }

func open(t testing.TB, d *Device, url string) *driver.Effect {
	t.Helper()
	e, err := d.Navigate(deadline(t), driver.Navigation{URL: url})
	if err != nil {
		t.Fatalf("open %s: %v", url, err)
	}
	return e
}

func snapshot(t testing.TB, d *Device) *screen.Snapshot {
	t.Helper()
	s, err := d.Snapshot(deadline(t), driver.SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eval evaluates a script in the active tab and decodes what it gives.
func eval[T any](t testing.TB, d *Device, script string) T {
	t.Helper()
	raw, err := d.Evaluate(deadline(t), script, 0)
	if err != nil {
		t.Fatalf("evaluate %s: %v", script, err)
	}
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("evaluate %s: %s: %v", script, raw, err)
	}
	return v
}

// wantFault checks the kind of an error and a piece of its text.
func wantFault(t testing.TB, err error, kind fault.Kind, piece string) {
	t.Helper()
	if fault.KindOf(err) != kind || err == nil || !strings.Contains(err.Error(), piece) {
		t.Errorf("got %s error %v, want %s with %q", fault.KindOf(err), err, kind, piece)
	}
}
