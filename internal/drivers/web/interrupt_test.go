package web

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// inTime runs f and fails when it takes longer.
func inTime(t *testing.T, limit time.Duration, what string, f func()) {
	t.Helper()
	began := time.Now()
	f()
	if d := time.Since(began); d > limit {
		t.Errorf("%s took %v, want at most %v", what, d, limit)
	}
}

func interrupt(t *testing.T, d *Device) string {
	t.Helper()
	var done string
	inTime(t, time.Second, "interrupting", func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var err error
		if done, err = d.Interrupt(ctx); err != nil {
			t.Fatal(err)
		}
	})
	return done
}

// TestInterruptEndlessScript proves that an endless loop in a click handler is ended and its page lives on.
func TestInterruptEndlessScript(t *testing.T) {
	d := actPage(t, `<button id=loop onclick="while(true){}">Loop</button><button id=ok onclick="this.textContent='Fine'">OK</button>`)
	if got := interrupt(t, d); got != "" {
		t.Errorf("a page that answers was interrupted: %s", got)
	}
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		inTime(t, 800*time.Millisecond, "the cut off click", func() {
			if _, err := d.Perform(ctx, driver.Tap{Target: driver.Target{Node: node(t, d, "#loop")}}); err == nil {
				t.Error("a click into an endless loop succeeded")
			}
		})
		cancel()
		if got := interrupt(t, d); !strings.Contains(got, "was ended") || !strings.Contains(got, d.active.main.url) {
			t.Errorf("said %q", got)
		}
	}
	inTime(t, time.Second, "the next click", func() {
		if _, err := d.Perform(deadline(t), driver.Tap{Target: driver.Target{Node: node(t, d, "#ok")}}); err != nil {
			t.Fatal(err)
		}
	})
	if got := eval[string](t, d, "ok.textContent"); got != "Fine" {
		t.Errorf("the page does not live on: %s", got)
	}
}

// TestInterruptStubbornPage proves that a page that starts its loop again whenever it is ended is closed, and the device
// usable.
func TestInterruptStubbornPage(t *testing.T) {
	d := actPage(t, `<button id=loop onclick="stubborn()">Loop</button><script>
		function stubborn(){ queueMicrotask(()=>{}); for(const p=new MessageChannel;;){ setTimeout(stubborn); setInterval(stubborn); p.port1.onmessage=stubborn; p.port2.postMessage(1); while(true){} } }
	</script>`)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := d.Perform(ctx, driver.Tap{Target: driver.Target{Node: node(t, d, "#loop")}}); err == nil {
		t.Fatal("a click into an endless loop succeeded")
	}
	got := interrupt(t, d)
	for range 5 { // each time it is ended another of its loops begins, until there is no page
		if strings.Contains(got, "was closed") {
			break
		}
		got = interrupt(t, d)
	}
	t.Log(got)
	srv := serve(t, map[string]string{"/": `<p>next`})
	inTime(t, 2*time.Second, "the next page", func() { open(t, d, srv.URL+"/") })
	if got := eval[string](t, d, "document.body.textContent"); got != "next" {
		t.Errorf("after the page was closed: %q", got)
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
