package web

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// inTime runs f and fails when it takes longer.
func inTime(t *testing.T, limit time.Duration, what string, f func()) {
	t.Helper()
	began := time.Now()
	f()
	if d := time.Since(began); d > testtime.Within(limit) {
		t.Errorf("%s took %v, want at most %v", what, d, limit)
	}
}

func interrupt(t *testing.T, d *Device) string {
	t.Helper()
	var done string
	inTime(t, time.Second, "interrupting", func() {
		ctx, cancel := context.WithTimeout(t.Context(), testtime.Within(2*time.Second))
		defer cancel()
		var err error
		if done, err = d.Interrupt(ctx); err != nil {
			t.Fatal(err)
		}
	})
	return done
}

// looping is a page whose buttons say so to the server before their loops begin, which sync
// requests make certain.
func looping(t *testing.T, script string) (d *Device, begun <-chan struct{}) {
	t.Helper()
	asked := make(chan struct{}, 99)
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/begun" {
			asked <- struct{}{}
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><button id=loop onclick="begin()">Loop</button><button id=ok onclick="this.textContent='Fine'">OK</button>
			<script>function begin(){ const x=new XMLHttpRequest(); x.open('GET','/begun',false); x.send(); `+script+` }</script>`)
	})
	d = newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	return d, asked
}

// wedge clicks into the loop and cancels the click once it loops.
func wedge(t *testing.T, d *Device, begun <-chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithCancel(deadline(t))
	target := driver.Target{Node: node(t, d, "#loop")}
	ended := make(chan error, 1)
	go func() {
		_, err := d.Perform(ctx, driver.Tap{Target: target})
		ended <- err
	}()
	waittest.Await(t, begun, "the click begins")
	inTime(t, time.Second, "the cut off click", func() {
		cancel()
		if err := waittest.Await(t, ended, "the click ends"); err == nil {
			t.Error("a click into an endless loop succeeded")
		}
	})
}

// TestInterruptEndlessScript proves that an endless loop in a click handler is ended and its page
// lives on.
func TestInterruptEndlessScript(t *testing.T) {
	d, begun := looping(t, `while(true){}`)
	if got := interrupt(t, d); got != "" {
		t.Errorf("a page that answers was interrupted: %s", got)
	}
	for range 2 {
		wedge(t, d, begun)
		if got := interrupt(t, d); !strings.Contains(got, "was ended") || !strings.Contains(got, d.frames.Active.Main.URL) {
			t.Errorf("said %q", got)
		}
	}
	inTime(t, 2*time.Second, "the next click", func() {
		if _, err := d.Perform(deadline(t), driver.Tap{Target: driver.Target{Node: node(t, d, "#ok")}}); err != nil {
			t.Fatal(err)
		}
	})
	if got := eval[string](t, d, "ok.textContent"); got != "Fine" {
		t.Errorf("the page does not live on: %s", got)
	}
}

// TestInterruptStubbornPage proves that a page that starts its loop again whenever it is ended is
// closed, and the device usable.
func TestInterruptStubbornPage(t *testing.T) {
	d, begun := looping(t,
		`(function again(){ setTimeout(again); setInterval(again); const p=new MessageChannel(); p.port1.onmessage=again; p.port2.postMessage(1); while(true){} })()`)
	wedge(t, d, begun)
	got := interrupt(t, d)
	for range 5 { // between two of its loops it may have answered once
		if strings.Contains(got, "was closed") {
			break
		}
		got = interrupt(t, d)
	}
	srv := serve(t, map[string]string{"/": `<p>next`})
	inTime(t, 3*time.Second, "the next page", func() { open(t, d, srv.URL+"/") })
	if got := eval[string](t, d, "document.body.textContent"); got != "next" {
		t.Errorf("after %q: %q", got, got)
	}
}

func TestGone(t *testing.T) {
	d := newDevice(t, DeviceOptions{})
	if d.Gone() {
		t.Error("a device that lives is gone")
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if !d.Gone() {
		t.Error("a closed device is not gone")
	}
}
