package cdp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// wire is the browser's side of a connection.
type wire struct {
	t   testing.TB
	in  *bufio.Reader
	out io.WriteCloser
	r   io.Closer
}

type command struct {
	ID        int64           `json:"id"`
	SessionID string          `json:"sessionId"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
}

func connect(t testing.TB, cause func() string) (*Conn, *wire) {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := NewConn(outR, inW, cause)
	w := &wire{t: t, in: bufio.NewReader(inR), out: outW, r: inR}
	t.Cleanup(func() {
		_ = w.out.Close()
		_ = w.r.Close()
		_ = c.Close()
	})
	return c, w
}

func (w *wire) read() command {
	b, err := w.in.ReadBytes(0)
	if err != nil {
		w.t.Error(err)
	}
	var c command
	if err := json.Unmarshal(b[:max(0, len(b)-1)], &c); err != nil {
		w.t.Error(err)
	}
	return c
}

func (w *wire) write(format string, args ...any) {
	if _, err := fmt.Fprintf(w.out, format+"\x00", args...); err != nil {
		w.t.Error(err)
	}
}

// TestCall proves that answers find their calls, whatever their order, and that errors are the
// browser's.
func TestCall(t *testing.T) {
	t.Parallel()
	c, w := connect(t, nil)
	s := c.Session("S")
	type result struct {
		page.NavigateResult
		error
	}
	got := [2]chan result{make(chan result, 1), make(chan result, 1)}
	for i, url := range []string{"a", "b"} {
		go func() {
			r, err := Call(t.Context(), s, page.Navigate, page.NavigateParams{URL: url})
			got[i] <- result{r, err}
		}()
	}
	ids := map[string]int64{}
	for range 2 {
		cmd := w.read()
		if cmd.SessionID != "S" || cmd.Method != "Page.navigate" {
			t.Errorf("%+v", cmd)
		}
		var p struct{ URL string }
		_ = json.Unmarshal(cmd.Params, &p)
		ids[p.URL] = cmd.ID
	}
	w.write(`{"id":%d,"sessionId":"S","error":{"code":-32000,"message":"no"}}`, ids["b"])
	w.write(`{"id":%d,"sessionId":"S","result":{"frameId":"F","loaderId":"L"}}`, ids["a"])
	if r := waittest.Await(t, got[0], "the first answer"); r.error != nil || r.LoaderID != "L" {
		t.Errorf("a: %+v", r)
	}
	var e *Error
	if r := waittest.Await(t, got[1], "the second answer"); !errors.As(r.error, &e) || e.Code != -32000 || e.Message != "no" || e.Method != "Page.navigate" {
		t.Errorf("b: %+v", r)
	}
}

// TestOrder proves that events arrive in order, and that those sent before an answer are handled
// before Call returns.
func TestOrder(t *testing.T) {
	t.Parallel()
	c, w := connect(t, nil)
	s := c.Session("S")
	var seen []float64
	stop := On(s, page.LoadEventFired, func(e page.EventLoadEventFired) { seen = append(seen, float64(e.Timestamp)) })
	other := 0
	On(c.Session("T"), page.LoadEventFired, func(page.EventLoadEventFired) { other++ })
	go func() {
		cmd := w.read()
		for i := range 1000 {
			w.write(`{"sessionId":"S","method":"Page.loadEventFired","params":{"timestamp":%d}}`, i)
		}
		w.write(`{"sessionId":"S","method":"Page.someNewEvent","params":{}}`)
		w.write(`{"id":%d,"sessionId":"S","result":{}}`, cmd.ID)
		cmd = w.read()
		w.write(`{"sessionId":"S","method":"Page.loadEventFired","params":{"timestamp":5}}`)
		w.write(`{"id":%d,"sessionId":"S","result":{}}`, cmd.ID)
	}()
	if err := Do(t.Context(), s, page.Enable, page.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 1000 || other != 0 {
		t.Fatalf("%d events handled before the answer, %d by the wrong session", len(seen), other)
	}
	for i, v := range seen {
		if v != float64(i) {
			t.Fatalf("event %d is number %v", i, v)
		}
	}
	stop()
	if err := Do(t.Context(), s, page.Enable, page.EnableParams{}); err != nil || len(seen) != 1000 {
		t.Errorf("after stop: %d, %v", len(seen), err)
	}
}

// TestDeadline proves that a call ends with its context and that its late answer harms nobody.
func TestDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, w := connect(t, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		done := make(chan error, 1)
		go func() { done <- Do(ctx, c.Root(), page.Enable, page.EnableParams{}) }()
		cmd := w.read()
		if err := <-done; !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "Page.enable") {
			t.Errorf("got %v", err)
		}
		w.write(`{"id":%d,"result":{}}`, cmd.ID)
		go func() { done <- Do(t.Context(), c.Root(), page.Enable, page.EnableParams{}) }()
		w.write(`{"id":%d,"result":{}}`, w.read().ID)
		if err := <-done; err != nil {
			t.Error(err)
		}
		_ = c.Close()
		_ = w.out.Close()
		_ = w.r.Close()
	})
}

// TestBrowserDies proves that the end of the browser fails what waits at once, with its last words.
func TestBrowserDies(t *testing.T) {
	t.Parallel()
	c, w := connect(t, func() string { return "Segmentation fault" })
	s := c.Session("S")
	done := make(chan error, 1)
	go func() { done <- Do(t.Context(), s, page.Enable, page.EnableParams{}) }()
	w.read()
	_ = w.out.Close()
	err := waittest.Await(t, done, "the call fails")
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "Segmentation fault") {
		t.Errorf("got %v", err)
	}
	waittest.Await(t, s.Closed(), "the session ends")
	waittest.Await(t, c.Closed(), "the connection ends")
	if err := Do(t.Context(), s, page.Enable, page.EnableParams{}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("afterwards: %v", err)
	}
}

// TestDetach proves that a closed target fails its own calls and nobody else's.
func TestDetach(t *testing.T) {
	t.Parallel()
	c, w := connect(t, nil)
	a, b := c.Session("A"), c.Session("B")
	done := [2]chan error{make(chan error, 1), make(chan error, 1)}
	go func() { done[0] <- Do(t.Context(), a, page.Enable, page.EnableParams{}) }()
	w.read()
	go func() { done[1] <- Do(t.Context(), b, page.Enable, page.EnableParams{}) }()
	idB := w.read().ID
	gone := make(chan struct{})
	On(c.Root(), target.DetachedFromTarget, func(target.EventDetachedFromTarget) { close(gone) })
	w.write(`{"method":"Target.detachedFromTarget","params":{"sessionId":"A"}}`)
	if err := waittest.Await(t, done[0], "the first call fails"); !errors.Is(err, ErrDetached) {
		t.Errorf("got %v", err)
	}
	waittest.Await(t, gone, "the event comes")
	waittest.Await(t, a.Closed(), "the session ends")
	w.write(`{"id":%d,"result":{}}`, idB)
	if err := waittest.Await(t, done[1], "the second call is answered"); err != nil {
		t.Error(err)
	}
	if err := Do(t.Context(), a, page.Enable, page.EnableParams{}); !errors.Is(err, ErrDetached) {
		t.Errorf("afterwards: %v", err)
	}
}

// TestEvents proves that cdproto's iterator works over our session, and that a slow reader holds up
// nobody.
func TestEvents(t *testing.T) {
	t.Parallel()
	c, w := connect(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := proto.Events(ctx, c.Root(), page.LoadEventFired)
	for i := range 100 {
		w.write(`{"method":"Page.loadEventFired","params":{"timestamp":%d}}`, i)
	}
	n := 0
	for e, err := range events {
		if err != nil || float64(e.Timestamp) != float64(n) {
			t.Fatalf("%d: %v, %v", n, e, err)
		}
		if n++; n == 100 {
			break
		}
	}
}

// TestHandlerMaySend proves that a handler can ask and be answered without blocking what follows.
func TestHandlerMaySend(t *testing.T) {
	t.Parallel()
	c, w := connect(t, nil)
	answered := make(chan string, 1)
	On(c.Root(), page.LoadEventFired, func(page.EventLoadEventFired) {
		Go(c.Root(), page.Navigate, page.NavigateParams{URL: "x"}, func(r page.NavigateResult, err error) {
			answered <- fmt.Sprint(r.LoaderID, err)
		})
	})
	w.write(`{"method":"Page.loadEventFired","params":{"timestamp":1}}`)
	w.write(`{"id":%d,"result":{"loaderId":"L"}}`, w.read().ID)
	if got := waittest.Await(t, answered, "the answer comes"); got != "L<nil>" {
		t.Error(got)
	}
}

func BenchmarkCall(b *testing.B) {
	inR, inW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	c := NewConn(outR, inW, nil)
	go func() {
		in := bufio.NewReader(inR)
		for {
			msg, err := in.ReadBytes(0)
			if err != nil {
				return
			}
			var cmd command
			_ = json.Unmarshal(msg[:len(msg)-1], &cmd)
			if _, err := fmt.Fprintf(outW, "{\"id\":%d,\"result\":{}}\x00", cmd.ID); err != nil {
				return
			}
		}
	}()
	for b.Loop() {
		if err := Do(b.Context(), c.Root(), page.Enable, page.EnableParams{}); err != nil {
			b.Fatal(err)
		}
	}
	_ = inW.Close()
	_ = outW.Close()
	_ = c.Close()
}
