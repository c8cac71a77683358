package web

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	protopage "github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// cyclesEnv makes TestCycles run that often, e.g. 1000 in the nightly job.
const cyclesEnv = "TRAILBLAZE_CYCLES"

// TestCycles proves that opening, using and closing leaves nothing behind: no goroutine,
// descriptor, process or folder. Every tenth cycle also starts and stops a browser. `make leak`
// runs 1,000 cycles.
func TestCycles(t *testing.T) {
	n := 10
	if v, err := strconv.Atoi(os.Getenv(cyclesEnv)); err == nil && v > 0 {
		n = v
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	srv := serve(t, map[string]string{"/": `<button>b</button><iframe src="OTHER/in"></iframe>`, "/in": "in"})
	var b *Browser
	var pids []int
	one := func(i int) {
		if i%10 == 0 {
			if b != nil {
				_ = b.Close()
			}
			var err error
			if b, err = Launch(deadline(t), Options{Args: []string{"--site-per-process"}}); err != nil {
				t.Fatal(err)
			}
			pids = append(pids, b.PID())
		}
		d, err := b.NewDevice(deadline(t), DeviceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		open(t, d, srv.URL+"/")
		snapshot(t, d)
		eval[any](t, d, `document.querySelector('button').click(); 1`)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	one(0)
	_ = b.Close()
	b = nil
	runtime.GC()
	goroutines, fds := runtime.NumGoroutine(), descriptors(t)
	for i := range n {
		one(i)
	}
	_ = b.Close()
	runtime.GC()
	waittest.Until(t, func() bool { return runtime.NumGoroutine() <= goroutines+3 }, "goroutines end")
	waittest.Until(t, func() bool { return descriptors(t) <= fds+3 }, "descriptors are closed")
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	for _, pid := range pids {
		if procs := group(t, pid); len(procs) > 0 {
			t.Errorf("browser %d left processes %v", pid, procs)
		}
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	l, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc")
	}
	return len(l)
}

// group lists the living processes of a process group.
func group(t *testing.T, pgid int) []string {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range stats {
		b, err := os.ReadFile(p)
		if err != nil {
			continue
		}
		// pid (name) state ppid pgrp …
		rest := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
		if len(rest) > 2 && rest[2] == strconv.Itoa(pgid) && rest[0] != "Z" {
			out = append(out, string(b))
		}
	}
	return out
}

// TestCloseTwice proves that closing is idempotent and that a closed device says so.
func TestCloseTwice(t *testing.T) {
	t.Parallel()
	b := launchBrowser(t)
	d, err := b.NewDevice(deadline(t), DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	_, err = d.Snapshot(deadline(t), driver.SnapshotOptions{})
	wantFault(t, err, fault.Unavailable, "device is closed")
	for range 2 {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	_, err = b.NewDevice(deadline(t), DeviceOptions{})
	wantFault(t, err, fault.Unavailable, "")
}

// TestBrowserCrash proves that the death of the browser fails a waiting call at once.
func TestBrowserCrash(t *testing.T) {
	t.Parallel()
	b := launchBrowser(t)
	d, err := b.NewDevice(deadline(t), DeviceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	go func() {
		_, err := d.Evaluate(deadline(t), "new Promise(()=>{})", 0)
		failed <- err
	}()
	began := time.Now()
	cdp.Send(b.conn.Root(), browser.Crash, proto.Empty{})
	wantFault(t, <-failed, fault.Unavailable, "browser went away")
	if took := time.Since(began); took > testtime.Within(5*time.Second) {
		t.Errorf("took %v", took)
	}
	_, err = d.Snapshot(deadline(t), driver.SnapshotOptions{})
	wantFault(t, err, fault.Unavailable, "")
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestPageCrash proves that a crashed page is told, and that its tab can be used again.
func TestPageCrash(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<p>x`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	cdp.Send(d.frames.Active.Session, protopage.Crash, proto.Empty{})
	if err := d.frames.Await(deadline(t), "crash", func() (bool, error) { return d.frames.Active.Crashed, nil }); err != nil {
		t.Fatal(err)
	}
	_, err := d.Snapshot(deadline(t), driver.SnapshotOptions{})
	wantFault(t, err, fault.Unavailable, "crashed")
	open(t, d, srv.URL+"/?again")
	if got := eval[string](t, d, "document.body.textContent"); got != "x" {
		t.Errorf("after the crash: %q", got)
	}
}

// TestCrashEndsEveryWait proves that the death of a page's process ends at once whatever waits for it, saying so and
// what to do next, and that a navigation makes the tab of use again.
func TestCrashEndsEveryWait(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<button id=b onclick="while(true){}">B</button>`})
	d := newDevice(t, DeviceOptions{})
	for name, wait := range map[string]func(b screen.NodeID) error{
		"script": func(screen.NodeID) error { _, err := d.Evaluate(deadline(t), "new Promise(()=>{})", 0); return err },
		"click": func(b screen.NodeID) error {
			_, err := d.Perform(deadline(t), driver.Tap{Target: driver.Target{Node: b}})
			return err
		},
	} {
		open(t, d, srv.URL+"/?"+url.QueryEscape(name))
		tab, button := d.frames.Active, node(t, d, "#b")
		said := tab.Session.CommandsSent()
		ended := make(chan error, 1)
		go func() { ended <- wait(button) }()
		waittest.Until(t, func() bool { return tab.Session.CommandsSent() > said }, "the call begins")
		began := time.Now()
		cdp.Send(tab.Session, protopage.Crash, proto.Empty{})
		err := waittest.Await(t, ended, name+" ends")
		wantFault(t, err, fault.Unavailable, "crashed")
		if took := time.Since(began); took > testtime.Within(2*time.Second) {
			t.Errorf("%s ended %s after the crash", name, took)
		}
		if !strings.Contains(fault.HintOf(err), "Navigate") {
			t.Errorf("%s: the hint is %q", name, fault.HintOf(err))
		}
	}
	open(t, d, srv.URL+"/?again")
	node(t, d, "#b")
}

// TestLostNavigation proves that a navigation which the browser aborts is begun again where a page crashed and no other
// came since, and nowhere else: any other page may have aborted it.
func TestLostNavigation(t *testing.T) {
	t.Parallel()
	d := newDevice(t, DeviceOptions{})
	tab := d.frames.Active
	var asked atomic.Int32
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/next" && asked.Add(1) == 1 {
			cdp.Send(tab.Session, protopage.StopLoading, proto.Empty{})
			waittest.Hold(t, r.Context().Done())
		}
		_, _ = w.Write([]byte("x"))
	})
	for _, tt := range []struct {
		crash bool
		then  string
		asked int32
	}{
		{true, "about:blank", 2}, {true, srv.URL + "/?other", 1}, {false, "about:blank", 1},
	} {
		open(t, d, srv.URL+"/")
		if tt.crash {
			cdp.Send(tab.Session, protopage.Crash, proto.Empty{})
			if err := d.frames.Await(deadline(t), "crash", func() (bool, error) { return tab.Crashed, nil }); err != nil {
				t.Fatal(err)
			}
		}
		open(t, d, tt.then)
		asked.Store(0)
		_, err := d.Navigate(deadline(t), driver.Navigation{URL: srv.Other + "/next"}) // no process is kept for this site
		if tt.asked == 1 {
			wantFault(t, err, fault.NotActed, "aborted")
		} else if err != nil {
			t.Error(err)
		}
		if n := asked.Load(); n != tt.asked {
			t.Errorf("%+v: asked %d times", tt, n)
		}
	}
}

// TestWedgedPage proves that a page in an endless loop hangs nobody.
func TestWedgedPage(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<p>x`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	eval[any](t, d, "setTimeout(()=>{for(;;);}); 1")
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := d.Snapshot(ctx, driver.SnapshotOptions{})
	wantFault(t, err, fault.Timeout, "")
	if took := time.Since(began); took > testtime.Within(3*time.Second) {
		t.Errorf("took %v", took)
	}
	s := snapshot(t, d) // a patient caller gets a verdict instead
	if s.Quality.Verdict != screen.Degraded || !strings.Contains(strings.Join(s.Quality.Reasons, " "), "did not answer") {
		t.Errorf("%+v", s.Quality)
	}
	began = time.Now()
	if s := snapshot(t, d); s.Quality.Verdict != screen.Degraded || time.Since(began) > testtime.Within(3*time.Second) {
		t.Errorf("again: %+v after %v", s.Quality, time.Since(began))
	}
	if _, err := d.Tabs(deadline(t)); err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestWedgedFrame proves that a frame in an endless loop does not take the page around it along.
func TestWedgedFrame(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<button>Top</button><iframe src="OTHER/in"></iframe>`, "/in": `<script>onmessage=()=>{for(;;);}</script>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	settled(t, d, 2)
	eval[any](t, d, "frames[0].postMessage(1,'*'); 1")
	s := snapshot(t, d)
	for s.Quality.Verdict == screen.Complete {
		s = snapshot(t, d)
	}
	byName(t, s, "button", "Top")
	if got := strings.Join(s.Quality.Reasons, " "); !strings.Contains(got, srv.Other+"/in: did not answer") {
		t.Error(got)
	}
}

func BenchmarkOpenClose(b *testing.B) {
	br := sharedBrowser(b)
	for b.Loop() {
		d, err := br.NewDevice(b.Context(), DeviceOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if err := d.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLaunch(b *testing.B) {
	for b.Loop() {
		br, err := Launch(b.Context(), Options{})
		if err != nil {
			b.Fatal(err)
		}
		_ = br.Close()
	}
}
