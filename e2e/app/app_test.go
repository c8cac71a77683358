package app

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

var (
	binary string
	axe    = flag.String("axe", "", "axe.min.js of axe-core; without it these tests are skipped")
)

func TestMain(m *testing.M) { os.Exit(housetest.Main(m, map[string]*string{"": &binary})) }

const shop = `<!doctype html><title>Shop</title><h1>Shop</h1><label>Search <input></label>
<button onclick="this.after(Object.assign(document.createElement('p'), {textContent: 'bought'}))">Buy</button>`

// TestTrails: trails of our own drive every place of the viewer.
func TestTrails(t *testing.T) {
	t.Parallel()
	s := newStage(t, housetest.Serve(t, map[string]string{"/": shop})+"/")
	s.call(s.seen, "tap", `{"text":"Buy"}`, "Put it into the cart")
	trails, err := filepath.Glob("../../trails/app/*.trail.yaml")
	if err != nil || len(trails) < 5 {
		t.Fatal(trails, err)
	}
	for _, file := range trails {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := s.eye.Write("trails/"+filepath.Base(file), string(data))
		if out := s.eye.Run("run", path, "--memory", "viewer="+s.viewer()); out.Code != 0 {
			t.Errorf("%s:\n%s%s", file, out.Out, out.Err)
		}
	}
}

const shopTrail = `config:
  id: shop
  title: Look at the shop
trail:
  - step: Open the shop
    recording:
      web:
        - web_navigate: { url: "{{memory.site}}" }
  # what a customer comes for
  - verify: There is a button to buy
    recording:
      web:
        - web_verifyElementVisible:
            timeoutMs: 300
            nodeSelector: { web: { ariaRole: button, ariaNameRegex: Buy } }
`

// played plays a trail twice: on a shop where it passes, and on one where it does not. It returns the place of both.
func (s *stage) played(site string) (place string) {
	s.Helper()
	s.seen.Write("trails/shop.trail.yaml", shopTrail)
	for _, at := range []string{"/", "/closed"} {
		if out := s.seen.Run("run", "trails/shop.trail.yaml", "--memory", "site="+site+at); (out.Code == 0) != (at == "/") {
			s.Fatal(out.Out, out.Err)
		}
	}
	s.show("#/trail/trails%2Fshop.trail.yaml", `document.querySelectorAll(".trail-runs li").length === 2`)
	s.js(`document.querySelector(".trail-runs .failed ~ .link").click()`)
	s.until(`document.querySelector("#pairs [role=option]") !== null`)
	return strings.Trim(s.js(`location.hash`), `"`)
}

// TestCompare: a run that failed stands beside the last one that passed, with the step that differs chosen.
func TestCompare(t *testing.T) {
	t.Parallel()
	site := housetest.Serve(t, map[string]string{"/": shop, "/closed": "<h1>Closed</h1>"})
	s := newStage(t, site+"/")
	s.open()
	place := s.played(site)
	s.until(`document.querySelector(".two-runs [role=status]").textContent === "1 of 2 steps differs."`)
	s.until(`document.querySelector("#pairs [aria-selected=true] .failed") !== null`)
	s.until(`[...document.querySelectorAll(".two-runs .pill")].map(e => e.textContent).join() === "passed,failed"`)
	s.until(`document.querySelector(".source .diff .add")?.textContent.includes("failed: ")`)
	s.accessible(s.axe)
	s.js(`document.getElementById("pairs").focus()`)
	s.call(s.eye, "web_pressKey", `{"key":"ArrowUp"}`, "")
	s.until(`document.querySelector(".source .over")?.textContent === "Nothing differs."`)
	id, _, _ := strings.Cut(strings.TrimPrefix(place, "#/compare/"), "~")
	s.show("#/session/"+id, `document.querySelector("#steps [role=option]") !== null`)
	s.js(`[...document.querySelectorAll("button")].find(b => b.textContent === "Compare").click()`)
	s.until(fmt.Sprintf(`location.hash === %q || document.querySelector("[role=alert]") !== null`, place))
	s.show("#/sessions", `document.querySelector("#sessions [role=option]") !== null`)
	s.js(`document.getElementById("sessions").focus()`)
	for _, key := range []string{"c", "ArrowDown", "Enter"} {
		s.call(s.eye, "web_pressKey", fmt.Sprintf(`{"key":%q}`, key), "")
	}
	s.until(`location.hash.startsWith("#/compare/")`)
	flaky := func(want string) {
		t.Helper()
		s.show("#/trails", `document.querySelector("#trail-files [role=option]") !== null`)
		s.until(fmt.Sprintf(`document.querySelector("#trail-files .flaky")?.textContent === %q`, want))
	}
	flaky("flaky")
	log, err := event.Create(filepath.Join(s.seen.Dir, "sessions", "2026_11_26_10_00_00_phone_1"))
	if err != nil {
		t.Fatal(err)
	}
	of := &event.Trail{File: filepath.Join(s.seen.Work, "trails", "shop.trail.yaml"), Attempt: 1, Outcome: event.Failed}
	for _, e := range []event.Event{
		{Type: event.SessionStarted, Session: &event.Session{Device: "android/p1"}}, {Type: event.TrailStarted, Trail: of},
		{Type: event.TrailEnded, Trail: of}, {Type: event.SessionEnded, Session: &event.Session{Outcome: event.Failed}},
	} {
		if _, err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	s.js(`[...document.querySelectorAll("button")].find(b => b.textContent === "Read again").click()`)
	flaky("flaky on web")
}

const longTrail = `config:
  id: buy-two
  title: Buy two
trail:
  - step: Open the shop
    recording:
      web:
        - web_navigate: { url: "SITE/" }
  # the button had another name once
  - step: Buy one
    recording:
      web:
        - web_click: # by hand
            timeoutMs: 300
            nodeSelector: { web: { ariaRole: button, ariaNameRegex: Order } }

  # and another
  - step: Buy another
    recording:
      web:
        - web_click:
            nodeSelector: { web: { ariaRole: button, ariaNameRegex: Buy } }
`

// TestStepByStep: with the keyboard alone a person plays a trail step by step on a device of their choice, mends the step
// that fails in its place, and goes on from there. Comments stay; a text with a mistake is not written. A step that
// waits is stopped, and the device is free at once.
func TestStepByStep(t *testing.T) {
	t.Parallel()
	site := housetest.Serve(t, map[string]string{"/": shop})
	s := newStage(t, site+"/")
	s.seen.Write("trails/two.trail.yaml", strings.ReplaceAll(longTrail, "SITE", site))
	s.open()
	press := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			s.call(s.eye, "web_pressKey", fmt.Sprintf(`{"key":%q}`, key), "")
		}
	}
	s.show("#/trail/trails%2Ftwo.trail.yaml", `document.querySelectorAll(".trail-steps li").length === 3`)
	s.until(`document.querySelectorAll(".step-tools option").length === 2`)
	s.js(`document.querySelector(".step-tools select").focus()`)
	press("ArrowDown")
	s.js(`document.getElementById("step-0").focus()`)
	press("n")
	s.until(`document.querySelector(".next #step-1") !== null && document.querySelector("#step-0 .passed") !== null`)
	press("ArrowDown", "ArrowDown", "r")
	s.until(`document.querySelector("#step-1 .failed") !== null && document.querySelector("[role=alert]").textContent.includes("Order")`)
	press("s") // too late: nothing runs
	press("ArrowUp", "e")
	s.until(`document.activeElement.tagName === "TEXTAREA"`)
	typed := func(from, to string) {
		t.Helper()
		s.js(fmt.Sprintf(`(() => { const f = document.activeElement, text = f.value.replace(%q, %q);
			Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(f, text);
			f.dispatchEvent(new InputEvent("input", { bubbles: true })); })()`, from, to))
	}
	typed("step:", "stepp:")
	s.until(`document.querySelector(".editor li.error")?.textContent.startsWith("line 10")`)
	s.accessible(s.axe)
	s.call(s.eye, "web_resize", `{"width":1280,"height":800}`, "")
	press("Control+Enter")
	s.until(`document.querySelector(".editor [role=status]").textContent.includes("It is not saved")`)
	typed("stepp:", "step:")
	typed("Order", "Buy")
	press("Control+Enter") // also while the text is still checked
	s.until(`document.querySelector(".editor") === null && document.activeElement.id === "step-1"`)
	want := strings.ReplaceAll(strings.Replace(longTrail, "Order", "Buy", 1), "SITE", site)
	if got, err := os.ReadFile(filepath.Join(s.seen.Work, "trails/two.trail.yaml")); err != nil || string(got) != want {
		t.Errorf("the file is %v\n%s", err, got)
	}
	press("n")
	s.until(`document.querySelector(".next #step-2") !== null && document.querySelector("#step-1 .passed") !== null`)
	press("ArrowDown", "r")
	s.until(`document.querySelector("#step-2 .passed") !== null`)
	if n := s.call(s.seen, "web_evaluate", `{"script":"document.querySelectorAll('p').length"}`, "").Result.Value; !strings.Contains(string(n), "2") {
		t.Errorf("%s were bought, want 2", n)
	}
	if runs := s.js(`document.querySelectorAll(".trail-runs li").length`); runs != "0" {
		t.Errorf("%s runs of the trail are listed; none was whole", runs)
	}
	s.call(s.seen, "web_evaluate", `{"script":"document.querySelector('button').remove()"}`, "")
	press("b", "n")
	s.until(`document.querySelector(".trail [title='Stop  s']").disabled === false`)
	press("s")
	s.until(`document.querySelector("[role=alert]")?.textContent.includes("It was stopped")`)
	waittest.Until(s, func() bool {
		out := s.seen.Run("device", "list", "--json")
		return out.Code == 0 && !strings.Contains(out.Out, `"running"`)
	}, "the device is free")
}

// TestAccessible: axe finds nothing in any place, in both themes, wide and at 320 px, where nothing is cut off.
func TestAccessible(t *testing.T) {
	t.Parallel()
	s := newStage(t, housetest.Serve(t, map[string]string{"/": shop})+"/")
	places := s.places()
	s.open()
	s.accessible(func(where string) {
		for place, until := range places {
			s.show(place, until)
			s.axe(where + " " + place)
		}
	})
}

// TestKeyboard: a person without a mouse opens a session, goes through its steps, opens a device, picks an element and
// clicks it.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	s := newStage(t, housetest.Serve(t, map[string]string{"/": shop})+"/")
	s.call(s.seen, "tap", `{"text":"Buy"}`, "Put it into the cart")
	s.open()
	press := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			s.call(s.eye, "web_pressKey", fmt.Sprintf(`{"key":%q}`, key), "")
		}
	}
	tab := func(until string) {
		t.Helper()
		for range 40 {
			if s.js(until) == "true" {
				return
			}
			press("Tab")
		}
		t.Fatalf("no Tab leads to where %s; it stays at %s", until, s.js(`document.activeElement.outerHTML.slice(0, 200)`))
	}
	tab(`document.activeElement.id === "sessions"`)
	press("Enter")
	s.until(`document.querySelector("#steps [aria-selected=true]") !== null`)
	press("k")
	s.until(`document.querySelector(".step-title").textContent.startsWith("Open the shop")`)
	press("Alt+2")
	s.until(`document.querySelector(".card a") !== null`)
	tab(`document.activeElement.textContent === "web"`)
	press("Enter")
	s.until(`document.querySelector("#elements [role=option]") !== null`)
	tab(`document.activeElement.id === "elements"`)
	for range 20 {
		press("ArrowDown")
		if s.js(`document.querySelector("#elements [aria-selected=true]")?.textContent.includes("Buy") ?? false`) == "true" {
			break
		}
	}
	press("Enter")
	s.until(`[...document.querySelectorAll("#elements [role=option]")].some(e => e.textContent.includes("bought"))`)
}

// payloads try to run in the viewer.
func payloads(mark string) []string {
	run := "top.owned='" + mark + "'"
	return []string{
		`<script>` + run + `</script>`, `<img src=x onerror="` + run + `">`, `<svg onload="` + run + `">`, `"><script>` + run + `</script>`,
		`javascript:` + run, `</title><script>` + run + `</script>`, `<iframe srcdoc="<script>` + run + `</script>"></iframe>`,
		`{{constructor.constructor("` + run + `")()}}`,
	}
}

// TestAttacks: the title, texts, names, console, headers, address and files of a tested page, intents and trails stay text in the
// viewer: nothing of it runs, becomes an element or asks another address.
func TestAttacks(t *testing.T) {
	t.Parallel()
	tries := 0
	attack := func(place string) string {
		all := payloads(place)
		tries += len(all)
		return strings.Join(all, " ")
	}
	quote := func(text string) string {
		data, _ := json.Marshal(text)
		return strings.ReplaceAll(string(data), "</", "<\\/")
	}
	page := fmt.Sprintf(`<!doctype html><title></title><h1></h1><button>Buy</button><a download>Save</a><script>
document.title = %s; document.querySelector("h1").textContent = %s;
document.querySelector("button").setAttribute("aria-label", "Buy " + %s); console.error(%s);
const a = document.querySelector("a"); a.href = "data:text/plain,x"; a.download = %s + ".txt"</script>`,
		quote(attack("title")), quote(attack("text")), quote(attack("name")), quote(attack("console")), quote(attack("file")))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("X-Attack", "<script>top.owned='header'</script>")
		_, _ = io.WriteString(w, page)
	}))
	defer srv.Close()
	s := newStage(t, srv.URL+"/?q=%3Cscript%3Etop.owned%3D1%3C/script%3E")
	s.call(s.seen, "tap", `{"text":"Save"}`, "<img src=x onerror=top.owned=1> Save it")
	s.call(s.seen, "web_console", `{}`, "")
	s.call(s.seen, "web_requests", `{}`, "")
	second := s.session
	if out := s.seen.Run("session", "stop"); out.Code != 0 {
		t.Fatal(out.Out, out.Err)
	}
	s.session = s.call(s.seen, "web_navigate", `{"url":"`+srv.URL+`/"}`, attack("intent")).Session
	s.call(s.seen, "tap", `{"text":"Save"}`, "")
	trail := attack("trail")
	s.seen.Write("trails/evil.trail.yaml", fmt.Sprintf("config:\n  title: %[1]s\ntrail:\n  - step: %[1]s\n", quote(trail)))
	places := s.places()
	places["#/compare/"+second+"~"+s.session] = `document.querySelector("#pairs [role=option]") !== null`
	places["#/trail/trails%2Fevil.trail.yaml"] = `document.querySelectorAll(".trail-steps li").length === 1`
	s.open()
	harmless := func(place string, shows bool) {
		t.Helper()
		if got := s.js(`[typeof top.owned, document.querySelectorAll("iframe, object, embed, [onerror], [onload], " +
			"[href^='javascript:'], script:not([src='/app/app.js'])").length]`); got != `["undefined",0]` {
			t.Errorf("%s: %s", place, got)
		}
		if shows && s.js(`document.body.textContent.includes("top.owned")`) != "true" {
			t.Errorf("%s does not show what the page says", place)
		}
	}
	press := func(label string) {
		s.js(fmt.Sprintf(`[...document.querySelectorAll("button")].find(b => b.textContent === %q).click()`, label))
	}
	for place, until := range places {
		s.show(place, until)
		harmless(place, place == "#/device/web" || strings.HasPrefix(place, "#/compare/") || strings.HasSuffix(place, "evil.trail.yaml"))
		switch {
		case strings.HasPrefix(place, "#/session/"):
			press("Log")
			s.until(`document.querySelector("#log [role=option]") !== null`)
			harmless(place+" log", false)
		case place == "#/device/web":
			for _, panel := range []string{"Network", "Console", "Files"} {
				press(panel)
				s.until(`document.querySelector("#activity [role=option]") !== null`)
				s.js(`document.querySelector("#activity [role=option]").click()`)
				s.until(`document.querySelector(".picked .facts-list") !== null`)
				harmless(place+" "+panel, panel != "Network")
			}
			press("Elements")
		case strings.HasSuffix(place, "evil.trail.yaml"):
			s.js(`document.getElementById("step-0").focus()`)
			s.call(s.eye, "web_pressKey", `{"key":"e"}`, "")
			s.until(`document.querySelector(".editor textarea") !== null`)
			harmless(place+" editor", true)
		}
	}
	if asked := s.js(`performance.getEntriesByType("resource").map(e => new URL(e.name))
		.filter(u => u.origin !== location.origin && u.protocol !== "blob:" && u.protocol !== "data:").map(String)`); asked != "[]" {
		t.Errorf("the viewer asked %s", asked)
	}
	if s.js(`location.href.includes("#/") && !/[A-Z2-7]{26}/.test(location.href)`) != "true" {
		t.Error("the code is in the address")
	}
	t.Logf("0 of %d payloads ran", tries)
}

// TestLongSession: a session of 5,000 steps opens within a second, draws only what is in view, and scrolls.
func TestLongSession(t *testing.T) {
	s := newStage(t, housetest.Serve(t, map[string]string{"/": shop})+"/")
	const id, steps = "2026_11_26_10_00_00_web_1", 5000
	log, err := event.Create(filepath.Join(s.seen.Dir, "sessions", id))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	put := func(e event.Event) {
		at = at.Add(10 * time.Millisecond)
		e.Time = at
		if _, err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	put(event.Event{Type: event.SessionStarted, Session: &event.Session{ID: id, Device: "web"}})
	put(event.Event{Type: event.TrailStarted, Trail: &event.Trail{Title: "Five thousand steps", Attempt: 1}})
	for i := range steps {
		step := event.Step{Index: i, Kind: "step", Text: fmt.Sprintf("Press the button for the %d. time", i+1)}
		put(event.Event{Type: event.StepStarted, Step: &step})
		put(event.Event{Type: event.ToolCall, Call: &event.Call{
			ID: fmt.Sprint("c", i), Caller: "replay", Role: "top", Name: "web_click", Step: i,
			Args: json.RawMessage(`{"nodeSelector":{"web":{"ariaRole":"button","ariaNameRegex":"Press"}}}`), Text: "Clicked button “Press”.",
		}})
		step.Outcome, step.Duration = event.Passed, 8*time.Millisecond
		put(event.Event{Type: event.StepEnded, Step: &step})
	}
	put(event.Event{Type: event.TrailEnded, Trail: &event.Trail{Title: "Five thousand steps", Attempt: 1, Outcome: event.Passed}})
	put(event.Event{Type: event.SessionEnded, Session: &event.Session{ID: id, Outcome: event.Passed}})
	s.open()
	took := s.js(`new Promise(done => {
		const began = performance.now();
		new MutationObserver((_, o) => {
			if (!document.querySelector("#steps [role=option]")) return;
			o.disconnect();
			requestAnimationFrame(() => done(Math.round(performance.now() - began)));
		}).observe(document.body, { childList: true, subtree: true });
		location.hash = "#/session/` + id + `";
	})`)
	var ms int
	if err := json.Unmarshal([]byte(took), &ms); err != nil {
		t.Fatal(err)
	}
	t.Logf("it opened in %d ms", ms)
	if limit := testtime.Within(time.Second); time.Duration(ms)*time.Millisecond > limit {
		t.Errorf("that is longer than %v", limit)
	}
	if rows := s.js(`document.querySelectorAll("#steps [role=option]").length`); len(rows) > 2 {
		t.Errorf("%s rows are drawn", rows)
	}
	frames := s.js(`new Promise(done => {
		const list = document.getElementById("steps"), times = [];
		const step = (now) => {
			times.push(now);
			list.scrollTop += 700;
			if (times.length < 60) requestAnimationFrame(step);
			else done(times.slice(1).map((t, i) => t - times[i]).sort((a, b) => a - b)[30]);
		};
		requestAnimationFrame(step);
	})`)
	t.Logf("scrolling: %s ms for a frame, in the middle of 60", frames)
	s.until(`Number(document.querySelector("#steps [role=option]").getAttribute("aria-posinset")) > 800`)
}

// TestLostDaemon: the viewer says that its daemon is lost, and goes on with the next one, signed in as it was.
func TestLostDaemon(t *testing.T) {
	t.Parallel()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, housetest.Serve(t, map[string]string{"/": shop})+"/", fmt.Sprint("TRAILBLAZE_PORT=", port))
	s.open()
	if out := s.seen.Run("daemon", "stop"); out.Code != 0 {
		t.Fatal(out.Out, out.Err)
	}
	s.until(`document.querySelector(".connection").textContent.includes("does not answer")`)
	s.seen.Start()
	s.until(`document.querySelector(".connection").hidden`)
	s.call(s.seen, "web_navigate", `{"url":"about:blank"}`, "Begin again")
	s.until(`document.querySelector("#sessions [aria-label=running]") !== null`)
	_, code, _ := strings.Cut(s.viewer(), "#") // a page that is signed in no more takes another code in the same tab
	s.js(fmt.Sprintf(`(localStorage.clear(), location.hash = %q)`, code))
	s.until(`localStorage.length > 0 && !/[A-Z2-7]{20}/.test(location.href) && document.querySelector("#sessions [role=option]") !== null`)
}

const moving = shop + `<p id="clock"></p><script>
const tick = () => { document.getElementById("clock").textContent = performance.now(); requestAnimationFrame(tick); };
tick();
</script>`

const counting = `<!doctype html><title>Shop</title><h1>Shop</h1><p id="n">0</p>
<button onclick="document.getElementById('n').textContent++">Buy</button>`

const board = `<!doctype html><title>Board</title><style>button { position: absolute; width: 100px; height: 60px }</style>
<button id="card" style="left:40px;top:40px">Card</button><button id="basket" style="left:500px;top:300px">Basket</button>
<a download="list.txt" href="data:text/plain,one" style="position:absolute;left:40px;top:400px">Save</a><p id="says" style="height:3000px"></p><script>
card.onmousedown = () => addEventListener("mouseup", e => { says.textContent = "Card lies in " + e.target.id; }, { once: true });
console.error("the till is open"); fetch("/missing");
</script>`

// TestGestures: the wheel and a drag in the mirror are calls on the device, by mouse and by keyboard. The requests,
// messages and files of its pages are listed beside it.
func TestGestures(t *testing.T) {
	t.Parallel()
	s := newStage(t, housetest.Serve(t, map[string]string{"/": board})+"/")
	s.call(s.seen, "tap", `{"text":"Save"}`, "Save the list")
	s.open()
	s.show("#/device/web", `Number(document.getElementById("screen")?.dataset.pictures) > 0`)
	s.until(`document.querySelectorAll("#elements [role=option]").length > 3`)
	var box struct{ X, Y, K float64 } // where the screen is in the viewer, and how large
	where := s.js(`(() => { const b = document.getElementById("screen").getBoundingClientRect(); return { X: b.left, Y: b.top, K: b.width / 1280 }; })()`)
	if err := json.Unmarshal([]byte(where), &box); err != nil {
		t.Fatal(err)
	}
	at := func(x, y float64) (int, int) { return int(box.X + x*box.K), int(box.Y + y*box.K) }
	x, y := at(90, 70)
	toX, toY := at(550, 330)
	seen := func(script, want string) {
		t.Helper()
		args, _ := json.Marshal(map[string]string{"script": script})
		waittest.Until(s, func() bool {
			s.until(`!document.querySelector(".mirror-screen [role=status]").textContent.includes("acting")`)
			return strings.Contains(string(s.call(s.seen, "web_evaluate", string(args), "").Result.Value), want)
		}, script)
	}
	s.call(s.eye, "dragByPoints", fmt.Sprintf(`{"startX":%d,"startY":%d,"endX":%d,"endY":%d}`, x, y, toX, toY), "")
	seen(`says.textContent`, "Card lies in basket")
	seen(`(says.textContent = "", 1)`, "1")
	option := func(name string) {
		t.Helper()
		s.js(`document.getElementById("elements").focus()`)
		s.js(fmt.Sprintf(`[...document.querySelectorAll("#elements [role=option]")].find(e => e.textContent.includes(%q)).click()`, name))
	}
	option("Card")
	s.js(`[...document.querySelectorAll(".picked button")].find(b => b.textContent === "Drag").click()`)
	option("Basket")
	s.call(s.eye, "web_pressKey", `{"key":"Enter"}`, "")
	seen(`says.textContent`, "Card lies in basket")
	s.call(s.eye, "web_scroll", `{"amount":400,"nodeSelector":{"web":{"cssSelector":"#screen"}}}`, "")
	seen(`scrollY > 100`, "true")
	panel := func(name, want string) {
		t.Helper()
		s.js(fmt.Sprintf(`[...document.querySelectorAll("[aria-label=Panels] button")].find(b => b.textContent === %q).click()`, name))
		s.until(fmt.Sprintf(`[...document.querySelectorAll("#activity [role=option]")].some(e => e.textContent.includes(%q))`, want))
	}
	panel("Network", "404 GET http")
	panel("Console", "error the till is open")
	panel("Files", "saved list.txt, 3 B")
	s.accessible(s.axe)
	const secret = "correct horse battery"
	_, err := housetest.CallTool(t.Context(), s.seen.Boot, io.Discard, &pb.CallToolRequest{Name: "web_evaluate", DeviceId: "web",
		ArgsJson: `{"script":"fetch('/none?who=eve&word=' + encodeURIComponent('` + secret + `')), console.log('it is ` + secret + `'), 1"}`,
		Options:  &pb.CallOptions{Client: "test", Workspace: s.seen.Work, Secrets: map[string]string{"password": secret}}})
	if err != nil {
		t.Fatal(err)
	}
	panel("Network", "/none?who=eve")
	panel("Console", "log it is ")
	masked := func() {
		t.Helper()
		if text := s.js(`document.body.textContent`); strings.Contains(text, "horse") {
			t.Error("the secret is shown")
		}
	}
	masked()
	side := func(name string, want ...string) {
		t.Helper()
		s.js(fmt.Sprintf(`[...document.querySelectorAll("header button")].find(b => b.textContent === %q).click()`, name))
		for _, w := range want {
			s.until(fmt.Sprintf(`[...document.querySelectorAll("#activity [role=option]")].some(e => e.textContent.includes(%q))`, w))
		}
		masked()
	}
	s.show("#/session/"+s.session, `document.querySelector("#steps [role=option]") !== null`)
	side("Network", "404 GET http", "/none?who=eve")
	s.call(s.seen, "session", `{"action":"STOP"}`, "")
	s.show("#/sessions", `document.querySelector("#sessions [role=option]") !== null`)
	s.show("#/session/"+s.session, `document.querySelector("#steps [role=option]") !== null`)
	side("Console", "error the till is open", "log it is ")
	side("Files", "saved list.txt, 3 B")
	side("Network", "404 GET http", "/none?who=eve")
	s.accessible(s.axe)
	blobs, err := filepath.Glob(filepath.Join(s.seen.Dir, "sessions", s.session, "blobs", "*"))
	if err != nil || len(blobs) == 0 {
		t.Fatal(err, "nothing is kept")
	}
	for _, file := range blobs {
		if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), "horse") {
			t.Errorf("%s: %v, or the secret is in it", file, err)
		}
	}
}

// TestPhone: a phone stands among the devices; its screen is shown in single pictures, one after each call. A tap, a turn
// of the wheel and a drag reach it, and what was done becomes a trail.
func TestPhone(t *testing.T) {
	t.Parallel()
	srv, p := adbtest.Start(t), androidtest.New("p1")
	said := androidtest.Label("Not yet")
	list := &androidtest.View{Class: "android.widget.ScrollView", Scroll: true, H: 1500}
	for i := range 40 {
		list.Kids = append(list.Kids, androidtest.Button(fmt.Sprintf("Cup %d", i+1), nil))
	}
	p.Show(said, androidtest.Button("Order", func() { said.Text = "Ordered" }), list)
	srv.Set(p.Adb())
	s := newStage(t, housetest.Serve(t, map[string]string{"/": shop})+"/", "ADB_SERVER_SOCKET="+srv.Env()("ADB_SERVER_SOCKET"))
	if out := s.seen.Run("device", "connect", "android"); out.Code != 0 {
		t.Fatal(out.Out, out.Err)
	}
	s.open()
	s.show("#/devices", `[...document.querySelectorAll(".card h2")].some(e => /^android.*open/.test(e.textContent))`)
	s.js(`[...document.querySelectorAll(".card a")].find(a => a.textContent.startsWith("android")).click()`)
	s.until(`Number(document.getElementById("screen")?.dataset.pictures) > 0`)
	s.until(`[...document.querySelectorAll("#elements [role=option]")].some(e => e.textContent.includes("Order"))`)
	s.js(`[...document.querySelectorAll("#elements [role=option]")].find(e => e.textContent.includes("Order")).click()`)
	s.js(`document.getElementById("elements").focus()`)
	s.call(s.eye, "web_pressKey", `{"key":"Enter"}`, "")
	s.until(`[...document.querySelectorAll("#elements [role=option]")].some(e => e.textContent.includes("Ordered"))`)
	s.until(`Number(document.getElementById("screen").dataset.pictures) > 1`)
	idle := `!document.querySelector(".mirror-screen [role=status]").textContent.includes("acting")`
	option := func(name string) {
		s.until(idle)
		s.js(fmt.Sprintf(`[...document.querySelectorAll("#elements [role=option]")].find(e => e.textContent.includes(%q)).click()`, name))
		s.until(fmt.Sprintf(`document.querySelector(".picked h2")?.textContent.includes(%q)`, name))
	}
	const place = `document.querySelector(".box.pick").style.top`
	moved := func(by func()) {
		t.Helper()
		from := s.js(place)
		by()
		s.until(place + " !== " + from)
	}
	option("Cup 5")
	moved(func() { s.js(`document.querySelector("[aria-label='Scroll down']").click()`) })
	option("Cup 12")
	s.js(`[...document.querySelectorAll(".picked button")].find(b => b.textContent === "Drag").click()`)
	option("Cup 14")
	moved(func() { s.call(s.eye, "web_pressKey", `{"key":"Enter"}`, "") })
	s.save("Order by phone", "trails/order-by-phone.trail.yaml", "android:", "tapOnElementBySelector:")
}

// save makes a trail of what was done in the mirror, by keyboard. The file has all of wants, and the viewer opens it.
func (s *stage) save(title, file string, wants ...string) {
	s.Helper()
	s.js(`[...document.querySelectorAll(".view-head button")].find(b => b.textContent === "Save as trail").focus()`)
	s.call(s.eye, "web_pressKey", `{"key":"Enter"}`, "")
	s.until(`document.activeElement.name === "title"`)
	s.call(s.eye, "web_type", fmt.Sprintf(`{"text":%q,"nodeSelector":{"web":{"cssSelector":"[name=title]"}}}`, title), "")
	s.call(s.eye, "web_pressKey", `{"key":"Enter"}`, "")
	s.until(`document.querySelector(".save .note") !== null`)
	s.accessible(s.axe)
	data, err := os.ReadFile(filepath.Join(s.seen.Work, file))
	if err != nil {
		s.Fatal(err, s.js(`document.querySelector(".save .note").textContent`))
	}
	for _, want := range append(wants, title) {
		if !strings.Contains(string(data), want) {
			s.Errorf("%s has no %s:\n%s", file, want, data)
		}
	}
	s.js(`document.querySelector(".save a").click()`)
	s.until(fmt.Sprintf(`document.querySelector("h1").textContent === %q`, title))
}

// TestMirror: pictures of a page that moves come often and soon, and a flow without pauses hardly waits for who looks on.
func TestMirror(t *testing.T) {
	site := housetest.Serve(t, map[string]string{"/": counting, "/moving": moving})
	s := newStage(t, site+"/")
	s.open()
	const flows, taps = 5, 40
	var times [2][]time.Duration // beside a place that asks for nothing, and while somebody looks on
	for range flows {
		for i, place := range []string{"#/settings", "#/device/web"} {
			s.show(place, []string{`document.getElementById("settings") !== null`, `Number(document.getElementById("screen")?.dataset.pictures) > 0`}[i])
			began := time.Now()
			for range taps {
				s.call(s.seen, "tap", `{"text":"Buy"}`, "")
			}
			times[i] = append(times[i], time.Since(began))
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	alone, watched := times[0][flows/2], times[1][flows/2]
	t.Logf("%d taps without a pause take %v, and %v while somebody looks on: %.2f times as long; at best %v and %v",
		taps, alone, watched, float64(watched)/float64(alone), times[0][0], times[1][0])
	if watched > alone*5/4 { // 1.05 on a quiet machine, and 1.4 with a screencast beside each action
		t.Error("whoever looks on slows the flow down")
	}
	s.call(s.seen, "web_navigate", `{"url":"`+site+`/moving"}`, "")
	measured := s.js(`new Promise(done => {
		const screen = document.getElementById("screen"), from = Number(screen.dataset.pictures), behind = [];
		const o = new MutationObserver(() => behind.push(Number(screen.dataset.behind)));
		o.observe(screen, { attributeFilter: ["data-pictures"] });
		setTimeout(() => done([(Number(screen.dataset.pictures) - from) / 3, behind.sort((a, b) => a - b)[behind.length >> 1]]), 3000);
	})`)
	var m [2]float64
	if err := json.Unmarshal([]byte(measured), &m); err != nil {
		t.Fatal(err, measured)
	}
	t.Logf("%.0f pictures a second, %.0f ms behind", m[0], m[1])
	if factor := testtime.Factor(); m[0] < 15/factor || m[1] > 150*factor {
		t.Error("that is too few, or too late")
	}
}
