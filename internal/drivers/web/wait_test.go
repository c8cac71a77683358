package web

import (
	"context"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// TestWaitChange proves that every kind of change wakes a waiter, that none is missed between
// capture and wait, and that nothing else does.
func TestWaitChange(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<p id=p>x</p><input id=i><div id=h></div><div id=s style="height:50px;overflow:auto"><div
style="height:500px"></div></div>
<div id=m style="transition:opacity 50ms">m</div>
<iframe src="OTHER/in"></iframe><script>h.attachShadow({mode:'open'}).innerHTML='<b>x</b>'</script>`,
		"/in": `<p>in</p><script>onmessage=()=>document.body.append('more')</script>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	settled(t, d, 2)
	changes := []struct{ name, script string }{
		{"text", `p.firstChild.data='y'`},
		{"attribute", `p.className='c'`},
		{"input", `i.value='v'; i.dispatchEvent(new Event('input',{bubbles:true}))`},
		{"focus", `i.focus()`},
		{"scroll", `s.scrollTop=100`},
		{"frame of another process", `frames[0].postMessage(1,'*')`},
		{"same-document navigation", `history.pushState(0,'','/pushed')`},
		{"transition", `m.style.opacity=0.5`},
		{"popup", `window.open('/in','w','width=200,height=200')`},
	}
	for _, c := range changes {
		for _, when := range []string{"before the wait", "during the wait"} {
			s := snapshot(t, d)
			if when == "before the wait" {
				eval[any](t, d, c.script+";1")
			}
			woken := make(chan error, 1)
			go func() { woken <- d.WaitChange(deadline(t), s) }()
			if when == "during the wait" {
				eval[any](t, d, c.script+";1")
				if c.name == "focus" || c.name == "scroll" || c.name == "transition" {
					eval[any](t, d, "i.blur(); s.scrollTop=0; m.style.opacity=1")
				}
			}
			if err := waittest.Await(t, woken, "the wait ends"); err != nil {
				t.Errorf("%s, %s: %v", c.name, when, err)
			}
			if c.name == "popup" {
				break
			}
		}
	}
}

func TestWaitChangeQuiet(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<p id=p>x</p>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	s := snapshot(t, d)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	wantFault(t, d.WaitChange(ctx, s), fault.Timeout, "wait for change")
	ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	wantFault(t, d.WaitChange(ctx, nil), fault.Timeout, "wait for change")
	open(t, d, srv.URL+"/?2")
	if err := d.WaitChange(deadline(t), s); err != nil {
		t.Error(err)
	}
}

var _ driver.Waiter = (*Device)(nil)
