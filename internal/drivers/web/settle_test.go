package web

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

// slowServer answers /slow after a while, /never never, and everything else with the page.
func slowServer(t *testing.T, docs map[string]string) pages {
	t.Helper()
	done := make(chan struct{})
	p := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			select {
			case <-time.After(400 * time.Millisecond):
			case <-done:
			}
			_, _ = fmt.Fprint(w, "slow data")
			return
		case "/never", "/hang":
			w.(http.Flusher).Flush()
			select {
			case <-done:
			case <-r.Context().Done():
			}
			return
		case "/stream":
			w.Header().Set("Content-Type", "text/plain")
			_, _ = fmt.Fprint(w, "first\n")
			w.(http.Flusher).Flush()
			select {
			case <-done:
			case <-r.Context().Done():
			}
			return
		case "/file":
			w.Header().Set("Content-Disposition", "attachment; filename=a.txt")
			_, _ = fmt.Fprint(w, "file")
			return
		case "/nothing":
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		body, ok := docs[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = fmt.Fprint(w, "<!doctype html><body>"+body)
	})
	t.Cleanup(func() { close(done) })
	return p
}

// settleCases are the cases of TestSettle.
var settleCases = []struct {
	name, html string
	reason     string
	done       string // must be true when Perform returns
	min, max   time.Duration
	check      func(e *driver.Effect) bool
}{
	{"nothing happens", `<button id=b>x</button>`, "quiet", "true", 0, 500 * time.Millisecond, func(e *driver.Effect) bool {
		return e.Changes.Tree == 0 && e.Changes.Received && e.Changes.Requests == 0
	}},
	{"timer of no delay", `<button id=b onclick="setTimeout(()=>setTimeout(()=>out.textContent='x'))">x</button><p id=out>`, "quiet",
		"out.textContent==='x'", 0, time.Second, func(e *driver.Effect) bool { return e.Changes.Tree > 0 }},
	{"promise chain", `<button id=b onclick="(async()=>{for(let i=0;i<50;i++)await 0;out.textContent='x'})()">x</button><p id=out>`, "quiet",
		"out.textContent==='x'", 0, time.Second, nil},
	{"message channel", `<button id=b onclick="const c=new MessageChannel();let n=0;` +
		`c.port1.onmessage=()=>{if(++n<5)c.port2.postMessage(0);else out.textContent='x'};c.port2.postMessage(0)">x</button><p id=out>`, "quiet",
		"out.textContent==='x'", 0, time.Second, nil},
	{"fetch", `<button id=b onclick="fetch('/slow').then(r=>r.text()).then(t=>out.textContent=t)">x</button><p id=out>`, "quiet",
		"out.textContent==='slow data'", 350 * time.Millisecond, 2 * time.Second, func(e *driver.Effect) bool { return e.Changes.Requests == 1 }},
	{"fetch after fetch",
		`<button id=b onclick="fetch('/slow').then(r=>r.text()).then(()=>fetch('/slow?2'))
			.then(r=>r.text()).then(t=>out.textContent=t)">x</button>
			<p id=out>`, "quiet", "out.textContent==='slow data'", 700 * time.Millisecond, 3 * time.Second,
		func(e *driver.Effect) bool { return e.Changes.Requests == 2 }},
	{"transition", `<style>#o{position:fixed;top:0;left:0;width:90px;height:90px;transition:transform .3s;` +
		`transform:translateX(900px)}#o.in{transform:none}</style><div id=o></div>` +
		`<button id=b style="margin-left:200px" onclick="o.className='in'">x</button>`, "quiet", "o.getBoundingClientRect().x===0",
		280 * time.Millisecond, 2 * time.Second, nil},
	{"color only", `<style>#b{transition:background-color 5s}#b:focus{background:red}</style><button id=b>x</button>`, "quiet", "true", 0,
		700 * time.Millisecond, nil},
	{"frames of script", `<div id=o style="position:fixed;top:0"></div><button id=b onclick="let n=0;` +
		`(function f(){o.style.left=++n+'px';if(n<15)requestAnimationFrame(f)})()">x</button>`, "quiet", "o.style.left==='15px'", 0, 2 * time.Second, nil},
	{"endless animation", `<style>@keyframes s{to{transform:rotate(1turn)}}#o{animation:s 1s linear infinite;width:9px;height:9px}` +
		`</style><div id=o></div><button id=b onclick="out.textContent='x'">x</button><p id=out>`, "quiet", "true", 0, 700 * time.Millisecond, nil},
	{"stream", `<button id=b onclick="fetch('/stream').then(r=>out.textContent='open')">x</button><p id=out>`, "busy",
		"out.textContent==='open'", 0, 6 * time.Second, func(e *driver.Effect) bool {
			return strings.Contains(strings.Join(e.Settle.Pending, ""), "/stream") && e.Changes.Tree > 0
		}},
	{"event source and beacon", `<button id=b onclick="new EventSource('/stream');navigator.sendBeacon('/never')">x</button>`, "quiet",
		"true", 0, time.Second, nil},
	{"dialog", `<button id=b onclick="alert('hi');out.textContent='after'">x</button><p id=out>`, "quiet", "out.textContent==='after'", 0,
		2 * time.Second, func(e *driver.Effect) bool {
			return e.Changes.Dialog && len(e.Dialogs) == 1 && e.Dialogs[0].Message == "hi"
		}},
	{"link", `<a id=b href="/next">x</a>`, "navigated", "document.title==='next'", 0, 3 * time.Second, func(e *driver.Effect) bool {
		return e.Changes.Navigation && e.Changes.URL && e.Status == 200 && strings.HasSuffix(e.URL, "/next")
	}},
	{"not found", `<a id=b href="/missing">x</a>`, "navigated", "true", 0, 3 * time.Second, func(e *driver.Effect) bool { return e.Status == 404 }},
	{"form", `<form action="/next"><input name=q><button id=b>x</button></form>`, "navigated", "document.title==='next'", 0, 3 * time.Second, nil},
	{"script leaves", `<button id=b onclick="setTimeout(()=>location.href='/next')">x</button>`, "navigated", "document.title==='next'", 0, 3 * time.Second, nil},
	{"leaves after fetch", `<button id=b onclick="fetch('/slow').then(()=>location.href='/next')">x</button>`, "navigated",
		"document.title==='next'", 0, 4 * time.Second, nil},
	{"slow new page", `<a id=b href="/slowload">x</a>`, "navigated", "out.textContent==='slow data'", 300 * time.Millisecond, 4 * time.Second, nil},
	{"anchor", `<a id=b href="#there">x</a><p id=there>`, "quiet", "location.hash==='#there'", 0, time.Second,
		func(e *driver.Effect) bool { return e.Changes.URL && !e.Changes.Navigation }},
	{"push state", `<button id=b onclick="history.pushState(0,'','/pushed')">x</button>`, "quiet", "location.pathname==='/pushed'", 0,
		time.Second, func(e *driver.Effect) bool { return e.Changes.URL && !e.Changes.Navigation }},
	{"download", `<a id=b href="/file">x</a>`, "quiet", "true", 0, 3 * time.Second,
		func(e *driver.Effect) bool { return e.Changes.Download && !e.Changes.Navigation && len(e.Files) == 1 }},
	{"no content", `<a id=b href="/nothing">x</a>`, "quiet", "true", 0, 3 * time.Second, func(e *driver.Effect) bool { return !e.Changes.Navigation }},
	{"new tab", `<a id=b href="/next" target=_blank>x</a>`, "quiet", "true", 0, 5 * time.Second,
		func(e *driver.Effect) bool { return e.Changes.Tabs && len(e.NewTabs) == 1 }},
	{"popup", `<button id=b onclick="window.open('/next')">x</button>`, "quiet", "true", 0, 5 * time.Second,
		func(e *driver.Effect) bool { return e.Changes.Tabs && len(e.NewTabs) == 1 }},
	{"reload", `<button id=b onclick="location.reload()">x</button>`, "navigated", "true", 0, 3 * time.Second,
		func(e *driver.Effect) bool { return e.Changes.Navigation && !e.Changes.URL }},
	{"guarded against leaving", `<a id=b href="/next">x</a><script>onbeforeunload=e=>e.preventDefault()</script>`, "navigated",
		"document.title==='next'", 0, 3 * time.Second, func(e *driver.Effect) bool { return e.Changes.Dialog && e.Changes.Navigation }},
	{"two redirects by script", `<a id=b href="/hop">x</a>`, "navigated", "document.title==='next'", 0, 4 * time.Second, nil},
	{"document written anew", `<button id=b onclick="document.open();document.write('<p>new</p>');document.close()">x</button>`, "quiet",
		"document.body.textContent==='new'", 0, 3 * time.Second, nil},
	{"value by script", `<input id=i value=x><button id=b onclick="i.value=''">x</button>`, "quiet", "i.value===''", 0, time.Second,
		func(e *driver.Effect) bool { return e.Changes.Value }},
	{"removes itself", `<button id=b onmousedown="this.remove()">x</button>`, "quiet", "!document.querySelector('#b')", 0, time.Second,
		func(e *driver.Effect) bool { return e.Changes.Tree > 0 }},
	{"frame loads", `<iframe id=f></iframe><button id=b onclick="f.src='/slowload'">x</button>`, "navigated",
		"f.contentDocument.querySelector('#out').textContent==='slow data'", 300 * time.Millisecond, 4 * time.Second, nil},
}

func TestSettle(t *testing.T) {
	tests := settleCases
	srvDocs := map[string]string{"/next": "<title>next</title>", "/hop": "<script>location.replace('/hop2')</script>",
		"/hop2":     "<script>setTimeout(()=>location.replace('/next'))</script>",
		"/slowload": `<p id=out></p><script>fetch('/slow').then(r=>r.text()).then(t=>out.textContent=t)</script>`}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			docs := map[string]string{"/": test.html}
			maps.Copy(docs, srvDocs)
			d := borrowed(t)
			open(t, d, slowServer(t, docs).URL+"/")
			tabBefore := d.frames.Active
			e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
			d.frames.Lock()
			d.frames.Active = tabBefore
			d.frames.Unlock()
			want(t, "reason", e.Settle.Reason, test.reason)
			want(t, test.done, js(t, d, test.done), "true")
			if e.Settle.Waited < test.min || e.Settle.Waited > testtime.Within(test.max) {
				t.Errorf("waited %v, want %v to %v", e.Settle.Waited, test.min, test.max)
			}
			if test.check != nil && !test.check(e) {
				t.Errorf("effect %+v", e)
			}
			t.Logf("%v %+v %q", e.Settle, e.Changes, e.Retries)
		})
	}
}

func TestSettleTickerIsNoEffect(t *testing.T) {
	d := actPage(t, `<p id=clock>0</p><p id=fast>0</p><div id=spin></div><button id=b>dead</button><button id=c
onclick="out.textContent='x'">live</button><p id=out></p><script>
		setInterval(()=>clock.textContent=Date.now(),100);(function f(){spin.style.width=performance.now()%100+'px';requestAnimationFrame(f)})()</script>`)
	if err := d.frames.Await(deadline(t), "ticks", func() (bool, error) { return true, nil }); err != nil {
		t.Fatal(err)
	}
	js(t, d, "1")
	waitJS(t, d, "performance.now()>1500")
	dead := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	if dead.Changes.Tree != 0 || dead.Settle.Reason != "quiet" {
		t.Errorf("dead button: %+v", dead)
	}
	live := perform(t, d, driver.Tap{Target: at(node(t, d, "#c"))})
	if live.Changes.Tree == 0 || live.Settle.Waited > testtime.Within(500*time.Millisecond) {
		t.Errorf("live button: %+v", live)
	}
}

// TestSettleTickerGoesOnThroughLongActions proves that a ticker stays one while an action lasts, and
// when it runs late because nothing in the page could run.
func TestSettleTickerGoesOnThroughLongActions(t *testing.T) {
	t.Parallel()
	const ticker = `<p id=clock>0</p><script>setInterval(()=>{clock.textContent=performance.now()},30)</script>`
	tests := []struct {
		name, button string
		hold         time.Duration
		frame        bool
	}{
		{"held for long", `<button>dead</button>`, time.Second, false},
		{"held for long, a ticker in another frame", `<button>dead</button>`, time.Second, true},
		{"the page stands still", `<button onmousedown="const t=Date.now();while(Date.now()-t<900);">dead</button>`, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			docs := map[string]string{"/": tt.button + ticker, "/f": ticker}
			if tt.frame {
				docs["/"] = tt.button + `<iframe src=/f></iframe>`
			}
			d := actPages(t, docs, DeviceOptions{})
			waitJS(t, d, "performance.now()>1500")
			tap := driver.Tap{Target: at(node(t, d, "button")), Hold: tt.hold}
			if e := perform(t, d, tap); e.Changes.Any() {
				t.Errorf("dead button: %+v", e.Changes)
			}
			live := `(frames[0]??window).document.querySelector('#clock').after('new')`
			js(t, d, "(document.querySelector('button').onclick=()=>{"+live+"},1)")
			if e := perform(t, d, tap); e.Changes.Tree == 0 {
				t.Errorf("live button: %+v", e)
			}
		})
	}
}

// waitJS waits in the page until an expression is true.
func waitJS(t *testing.T, d *Device, expr string) {
	t.Helper()
	doc := docAt(t, d)
	_, err := doc.Invoke(deadline(t), "()=>new Promise(r=>{(function f(){ if("+expr+") r(); else setTimeout(f,20) })()})", nil)
	if err != nil {
		t.Fatal(err)
	}
}

func TestSettleLearnsWhatNeverEnds(t *testing.T) {
	d := newDevice(t, DeviceOptions{})
	open(t, d, slowServer(t, map[string]string{"/": `<button id=b onclick="fetch('/stream?'+Date.now());` +
		`(function f(){b.style.top=Math.random()+'px';requestAnimationFrame(f)})()">x</button>`}).URL+"/")
	first := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	want(t, "reason", first.Settle.Reason, "busy")
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))}) // two things never end here: on a slow machine each is met in its own action
	t.Log(first.Settle)
	third := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	t.Log(third.Settle)
	if third.Settle.Waited > testtime.Within(1200*time.Millisecond) {
		t.Errorf("a later action paid again: %v after %v", third.Settle, first.Settle)
	}
}

func TestSettlePollerIsNoEffect(t *testing.T) {
	d := newDevice(t, DeviceOptions{})
	open(t, d, slowServer(t, map[string]string{"/": `<button id=b>x</button><script>setInterval(()=>{fetch('/slow?'+Math.random())},150)</script>`}).URL+"/")
	// A habit takes repetition, and what came while the page was opened does not count: on a busy machine that takes seconds.
	waitJS(t, d, `(() => {
		window.opened ??= performance.now();
		const later = performance.getEntriesByType('resource').map(e => e.startTime).filter(at => at > opened);
		return later.length > 1 && later.at(-1) - later[0] > 1000;
	})()`)
	e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	if e.Changes.Requests != 0 || e.Settle.Waited > testtime.Within(300*time.Millisecond) || e.Settle.Reason != "quiet" {
		t.Errorf("effect %+v", e)
	}
}

func TestSettleNavigationThatNeverEnds(t *testing.T) {
	d := newDevice(t, DeviceOptions{})
	open(t, d, slowServer(t, map[string]string{"/": `<a id=b href="/hang">x</a>`}).URL+"/")
	began := time.Now()
	_, err := d.Perform(within(t, 2500), driver.Tap{Target: at(node(t, d, "#b"))})
	if fault.KindOf(err) != fault.Timeout || !strings.Contains(err.Error(), "did not load") {
		t.Errorf("err = %v", err)
	}
	if took := time.Since(began); took > testtime.Within(3500*time.Millisecond) {
		t.Errorf("took %v", took)
	}
}

func TestSettleDialogs(t *testing.T) {
	d := actPage(t, `<button id=b onclick="window.r=confirm('sure?')">x</button><button id=m onmousedown="alert(1)" onclick="window.k=1">x</button>`)
	if err := d.SetDialogPolicy(deadline(t), driver.DialogPolicy{Keep: true}); err != nil {
		t.Fatal(err)
	}
	e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	if e.Settle.Reason != "dialog" || !e.Changes.Dialog {
		t.Errorf("effect %+v", e)
	}
	if _, err := d.HandleDialog(deadline(t), true, ""); err != nil {
		t.Fatal(err)
	}
	waitJS(t, d, "true")
	want(t, "answer", js(t, d, "r"), "true")
	if err := d.SetDialogPolicy(deadline(t), driver.DialogPolicy{}); err != nil {
		t.Fatal(err)
	}
	perform(t, d, driver.Tap{Target: at(node(t, d, "#m"))})
}

func TestSettleTabCloses(t *testing.T) {
	d := actPage(t, `<button id=b onclick="window.open('/')">x</button><button id=c onclick="window.close()">x</button>`)
	if err := d.SwitchTab(deadline(t), perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))}).NewTabs[0]); err != nil {
		t.Fatal(err)
	}
	e := perform(t, d, driver.Tap{Target: at(node(t, d, "#c"))})
	want(t, "reason", e.Settle.Reason, "closed")
	if !e.Changes.Tabs {
		t.Errorf("effect %+v", e.Changes)
	}
}

func TestSettleHistory(t *testing.T) {
	const html = `<title>first</title><a id=b href="/next">x</a>`
	d := newDevice(t, DeviceOptions{})
	open(t, d, slowServer(t, map[string]string{"/": html, "/next": `<title>next</title><button id=b onclick="history.back()">x</button>`}).URL+"/")
	for range 2 {
		perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
		want(t, "title", js(t, d, "document.title"), `"next"`)
		e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
		want(t, "title", js(t, d, "document.title"), `"first"`)
		if e.Settle.Reason != "navigated" || e.Settle.Waited > testtime.Within(2*time.Second) {
			t.Errorf("settle %+v", e.Settle)
		}
	}
}
