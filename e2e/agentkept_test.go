package e2e

import (
	"cmp"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
)

// deed is a call of a scripted model, on an element of the current screen.
type deed func(q llmtest.Question) llmtest.Turn

func pressing(name string) deed {
	return func(q llmtest.Question) llmtest.Turn { return llmtest.Call("web_click", args{"ref": button(q, name)}) }
}

func making(tool string, a args) deed {
	return func(llmtest.Question) llmtest.Turn { return llmtest.Call(tool, a) }
}

func typing(field, text string) deed {
	return func(q llmtest.Question) llmtest.Turn {
		return llmtest.Call("web_type", args{"ref": q.Ref("textbox", `"`+field+`"`), "text": text})
	}
}

func seeing(text string) deed { return making("web_verifyTextVisible", args{"text": text}) }

// following is a model that makes the calls of an objective one by one, and then calls it done.
func following(steps map[string][]deed) func(llmtest.Question) llmtest.Turn {
	return func(q llmtest.Question) llmtest.Turn {
		for objective, acts := range steps {
			if !q.Has("Objective: " + objective + "\n") {
				continue
			}
			if n := madeCalls(q); n < len(acts) {
				return acts[n](q)
			}
			return llmtest.Call("objectiveStatus", args{"status": "COMPLETED", "explanation": "It is done."})
		}
		return llmtest.Call("objectiveStatus", args{"status": "FAILED", "explanation": "not understood"})
	}
}

// keeper is a workspace whose trails a scripted model carries out on pages whose state a test sets.
type keeper struct {
	*sitting
	model  *llmtest.Server
	banner atomic.Value // what stands above each page
	hits   atomic.Int32 // of /count
	pages  string
}

func newKeeper(t *testing.T, pages map[string]string) *keeper {
	k := &keeper{}
	k.sitting, k.model = newModelSitting(t)
	k.banner.Store("")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/count" {
			k.hits.Add(1)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/lib/") {
			http.StripPrefix("/lib", http.FileServer(http.Dir(*banners))).ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, "<!doctype html><title>Shop</title>%s%s", k.banner.Load(), pages[r.URL.Path])
	}))
	t.Cleanup(srv.Close)
	k.pages = srv.URL
	return k
}

// blaze has a trail of these steps carried out and saved, and returns what was saved.
func (k *keeper) blaze(name string, steps []string, does map[string][]deed, exit int) string {
	k.t.Helper()
	text := "config: { id: " + name + " }\ntrail:\n"
	for _, s := range steps {
		text += "  - " + s + "\n"
	}
	k.save("trails/"+name+".trail.yaml", text)
	k.model.Answer(planning(does))
	k.shell("trailblaze run trails/"+name+".trail.yaml --no-report", exit)
	made, err := os.ReadFile(filepath.Join(k.work, "trails", name+".trail.yaml"))
	if err != nil {
		k.t.Fatal(err)
	}
	return string(made)
}

// replay plays a saved trail without a model: 20 times with AGENT=all, else twice.
func (k *keeper) replay(name string) {
	k.t.Helper()
	times := map[string]string{"all": "20"}[os.Getenv("TRAILBLAZE_AGENT")]
	k.shell("trailblaze run trails/"+name+".trail.yaml --llm none --no-report --repeat "+cmp.Or(times, "2"), 0)
}

// planning is a model of both tiers: as the outer one it hands each task on as it is.
func planning(steps map[string][]deed) func(llmtest.Question) llmtest.Turn {
	inner := following(steps)
	return func(q llmtest.Question) llmtest.Turn {
		for objective := range steps {
			switch {
			case !q.Has("Task: " + objective):
			case q.Has("COMPLETED: It is done."):
				return llmtest.Call("objectiveStatus", args{"status": "COMPLETED", "explanation": "All is done."})
			default:
				return llmtest.Call("doStep", args{"kind": "step", "prompt": objective})
			}
		}
		return inner(q)
	}
}

// R13: a trail of each kind is carried out by a model, saved, and replays without one: each time, not just once.
func TestEachKindIsKept(t *testing.T) {
	agentForm(t)
	t.Parallel()
	const order, said = `<main><h1>Seats</h1><button onclick="o.textContent='Order sent'">Send the order</button><p role=status id=o>` +
		`</p></main>`, "The page says Order sent"
	const sure = `<main><h1>Seats</h1><button onclick="d.showModal()">Continue</button><dialog id=d><p>Sure?</p>` +
		`<button onclick="o.textContent='Order sent';d.close()">Yes, order</button></dialog><p role=status id=o></p></main>`
	k := newKeeper(t, map[string]string{
		"/form": `<label>Name <input id=n></label><button onclick="o.textContent='Welcome '+n.value">Send</button><p role=status id=o></p>`,
		"/code": `<p id=c></p><label>Code <input id=i></label><button
onclick="o.textContent='Your code is '+i.value==c.textContent?'Right':'Wrong'">Check</button><p role=status id=o></p>
			<script>c.textContent='Your code is '+(1000+Math.floor(Math.random()*9000))</script>`,
		"/counter": `<button onclick="o.textContent='Count: '+ ++n">+</button><p role=status id=o></p><script>let n=0</script>`,
		"/order":   "",
	})
	press20 := make([]deed, 20)
	for i := range press20 {
		press20[i] = pressing("+")
	}
	form := []deed{typing("Name", "Ada"), pressing("Send")}
	for _, c := range []struct {
		name, page, banner string
		step, verify, sees string
		acts               []deed
		kept               []string
		change             func()
	}{
		{name: "act", page: "form", step: "Write Ada into the name and send it", acts: form, verify: "The page says Welcome Ada",
			sees: "Welcome Ada", kept: []string{"web_type", "web_click"}},
		{name: "verify", page: "form", step: "Press Send", acts: []deed{pressing("Send")},
			verify: `There is a button "Send" and the page says Welcome`, sees: "Welcome", kept: []string{"web_verifyTextVisible"}},
		{name: "memory", page: "code", step: "Remember the code as code, type {{code}} into Code and check it", verify: "The page says Right", sees: "Right",
			acts: []deed{making("remember", args{"variable": "code", "regex": "Your code is ([0-9]+)"}), typing("Code", "{{code}}"),
				pressing("Check")}, kept: []string{"remember", "{{code}}"}},
		{name: "many", page: "counter", step: "Press + 20 times", acts: press20, verify: "The count is 20", sees: "Count: 20", kept: []string{"web_click"}},
		{name: "tiers", page: "form", step: "Write Ada into the name and send it", acts: form, verify: "The page says Welcome Ada",
			sees: "Welcome Ada", kept: []string{"lab/planner and lab/scripted"},
			change: func() { withOuterTier(t, k.sitting, map[string]string{}) }},
		{name: "healed", page: "order", banner: order, step: "Send the order", acts: []deed{pressing("Send the order")}, verify: said,
			sees: "Order sent", kept: []string{"Send the order"}},
	} {
		if c.change != nil {
			c.change()
		}
		k.banner.Store(c.banner)
		checks := []deed{seeing(c.sees)}
		if c.name == "verify" {
			checks = append(checks, making("web_verifyElementVisible", args{"ref": `button "Send"`}))
		}
		does := map[string][]deed{"Open the page": {making("web_navigate", args{"url": k.pages + "/" + c.page})}, c.step: c.acts, c.verify: checks}
		made := k.blaze(c.name, []string{"step: Open the page", "step: " + strconv.Quote(c.step), "verify: " + strconv.Quote(c.verify)}, does, 0)
		for _, want := range c.kept {
			if !strings.Contains(made, want) {
				t.Errorf("%s: the trail lacks %q:\n%s", c.name, want, made)
			}
		}
		k.replay(c.name)
		if c.name == "healed" {
			k.save("trails/healed.trail.yaml", strings.ReplaceAll(made, "- web_click:\n", "- web_click:\n            timeoutMs: 1500\n"))
			k.banner.Store(sure)
			k.model.Answer(following(map[string][]deed{c.step: {pressing("Continue"), pressing("Yes, order")}}))
			k.shell("trailblaze run trails/healed.trail.yaml --heal --report-dir healed", 4)
			k.shell("trailblaze heal apply healed", 0)
			k.replay(c.name)
		}
	}
}

const cookieBanner = `<div id=c role=dialog aria-label=Cookies><p>We use cookies</p><button onclick="c.remove()">Accept all</button></div>`

// A step that states a condition is saved with what decided it. A replay asks that again; where it is the other way the
// step is inconclusive, and says what to do: never green, never a failure of the app.
func TestConditionIsRecorded(t *testing.T) {
	agentForm(t)
	t.Parallel()
	k := newKeeper(t, map[string]string{"/": `<h1>Mugs</h1><button onclick="o.textContent='Added a mug'">Add</button>
		<button onclick="o.textContent='No reviews'">Reviews</button><p role=status id=o></p>`})
	const cookies = "If there is a cookie banner, accept it"
	steps := []string{"step: Open the shop", "step: " + cookies, "step: Add a mug", "verify: The shop says Added a mug"}
	script := func(decides ...deed) map[string][]deed {
		return map[string][]deed{"Open the shop": {making("web_navigate", args{"url": k.pages + "/"})}, cookies: decides,
			"Add a mug": {pressing("Add")}, "The shop says Added a mug": {seeing("Added a mug")}}
	}
	for _, c := range []struct {
		name, banner string
		decides      []deed
		holds        string // in the saved trail
	}{
		{"absent", "", []deed{making("assertNotVisibleWithText", args{"text": "We use cookies"})}, "was: true"},
		{"denied", "", []deed{making("web_verifyTextVisible", args{"text": "We use cookies", "timeoutMs": 200})}, "was: false"},
		{"pressed", cookieBanner, []deed{pressing("Accept all")}, "Accept all"},
		{"asked", cookieBanner, []deed{seeing("We use cookies"), pressing("Accept all")}, "was: true"},
	} {
		k.banner.Store(c.banner)
		made := k.blaze(c.name, steps, script(c.decides...), 0)
		if !strings.Contains(made, c.holds) {
			t.Errorf("%s: the trail lacks %q:\n%s", c.name, c.holds, made)
		}
		k.replay(c.name)
		k.banner.Store(map[string]string{"": cookieBanner}[c.banner])
		asked := len(k.model.Asked())
		k.shell("trailblaze run trails/"+c.name+".trail.yaml --no-report --heal", 2) // what is done in the other case is no healing
		if !strings.Contains(k.last, "inconclusive") || !strings.Contains(k.last, "Record the step anew") {
			t.Errorf("%s: %s", c.name, k.last)
		}
		if len(k.model.Asked()) != asked && c.name != "pressed" { // there it may name the element that is meant
			t.Errorf("%s: the model was asked to do what a condition calls for", c.name)
		}
	}

	// A banner that comes after it was looked for, over what a later step presses, makes that one inconclusive.
	k.banner.Store("")
	late := script(making("assertNotVisibleWithText", args{"text": "We use cookies"}))
	late["Open the reviews"] = []deed{pressing("Reviews")}
	made := k.blaze("late", []string{"step: Open the shop", "step: " + cookies, "step: Open the reviews", "step: Add a mug",
		"verify: The shop says Added a mug"}, late, 0)
	k.save("trails/late.trail.yaml", strings.ReplaceAll(made, "- web_click:\n", "- web_click:\n            timeoutMs: 1000\n"))
	for text, exit := range map[string]int{"We use cookies": 2, "Out of order": 1} { // the other one is a defect
		k.banner.Store(fmt.Sprintf(`<script>addEventListener('click',()=>document.body.insertAdjacentHTML('beforeend',
			'<div style="position:fixed;inset:0;background:#fff"><p>%s</p><button>Accept all</button></div>'),{once:true})</script>`, text))
		k.shell("trailblaze run trails/late.trail.yaml --llm none --no-report", exit)
		if said := strings.Contains(k.last, "had nothing to do, which is no longer so") && strings.Contains(k.last, "Where it may come late"); said != (exit == 2) {
			t.Errorf("%s: %s", text, k.last)
		}
	}

	k.banner.Store("")
	made = k.blaze("vague", steps, script(making("web_currentUrl", args{})), 2)
	if strings.Contains(made, "recording") {
		t.Errorf("saved by a look that decides nothing:\n%s", made)
	}
}

var banners = flag.String("banners", "", "folder of the npm packages of cookie banners, for TestBannersOfOthers")

// A condition is recorded and asked again on banners of libraries: where there is one it is accepted, where there is none
// nothing is done, and in the other case each replay is inconclusive.
func TestBannersOfOthers(t *testing.T) {
	if *banners == "" {
		t.Skip("make agent runs this")
	}
	t.Parallel()
	k := newKeeper(t, map[string]string{"/": `<h1>Mugs</h1><button onclick="o.textContent='Added a mug'">Add</button><p role=status id=o></p>`})
	const cookies = "If there is a cookie banner, accept it"
	const vanilla = `<link rel=stylesheet href=/lib/vanilla-cookieconsent/dist/cookieconsent.css><script
src=/lib/vanilla-cookieconsent/dist/cookieconsent.umd.js></script>
		<script>addEventListener("load",()=>CookieConsent.run({hideFromBots:false,disablePageInteraction:%s,
		categories:{necessary:{enabled:true,readOnly:true},analytics:{}},language:{default:'en',translations:{en:{
		consentModal:{title:'We use cookies',description:'They keep your cart.',acceptAllBtn:'Accept all',acceptNecessaryBtn:'Reject all'}
,preferencesModal:{sections:[]}}}}}))</script>`
	for _, c := range []struct{ name, html, says, accept string }{
		{"bar", fmt.Sprintf(vanilla, "false"), "We use cookies", "Accept all"},
		{"modal", fmt.Sprintf(vanilla, "true"), "We use cookies", "Accept all"},
		{"osano", `<link rel=stylesheet href=/lib/cookieconsent/build/cookieconsent.min.css><script src=/lib/cookieconsent/build/cookieconsent.min.js></script>
			<script>addEventListener('load',()=>cookieconsent.initialise({}))</script>`, "This website uses cookies", "dismiss cookie message"},
		{"klaro", `<script>var klaroConfig={acceptAll:true,translations:{en:{consentNotice:{description:'We use cookies for our statistics.'}}}
,services:[{name:'stats',purposes:['analytics']}]}</script>
			<script src=/lib/klaro/dist/klaro.js></script>`, "We use cookies for our statistics.", "That's ok"},
	} {
		for way, html := range map[string]string{"with": c.html, "without": ""} {
			t.Run(c.name+" "+way, func(t *testing.T) {
				k.t = t
				does := map[string][]deed{"Open the shop": {making("web_navigate", args{"url": k.pages + "/"})}, "Add a mug": {pressing("Add")},
					cookies: {making("web_verifyTextVisible", args{"text": c.says, "timeoutMs": 1000})}, "The shop says Added a mug": {seeing("Added a mug")}}
				if html != "" {
					does[cookies] = append(does[cookies], pressing(c.accept))
				}
				name := c.name + "-" + way
				k.banner.Store(html)
				made := k.blaze(name, []string{"step: Open the shop", "step: " + cookies, "step: Add a mug", "verify: The shop says Added a mug"}, does, 0)
				if strings.Contains(made, "was: true") != (html != "") {
					t.Errorf("it is saved in the wrong way:\n%s", made)
				}
				k.replay(name)
				k.banner.Store(map[string]string{"": c.html}[html])
				k.shell("trailblaze run trails/"+name+".trail.yaml --llm none --no-report", 2)
				if !strings.Contains(k.last, "Record the step anew") {
					t.Error(k.last)
				}
			})
		}
	}
}

// R13: calls of a step that lead back to where they began are left out of what is saved, whatever they were for; those
// that did something which the screen does not show, or not yet, stay.
func TestDetours(t *testing.T) {
	agentForm(t)
	t.Parallel()
	const add = `<h1>Mugs</h1><button onclick="o.textContent='Added a mug'">Add</button><p role=status id=o></p>`
	type shape struct {
		name, page string
		way        []deed
		kept       string // of the detour, in the saved trail; "": nothing
	}
	shapes := []shape{
		{"toggle", `<button onclick="m.hidden=!m.hidden;this.textContent=m.hidden?'Show':'Hide'">Show</button><p id=m hidden>Details</p>`,
			[]deed{pressing("Show"), pressing("Hide")}, ""},
		{"expander", `<button onclick="m.hidden=!m.hidden;this.ariaExpanded=!m.hidden">More</button><p id=m hidden>Details</p>`,
			[]deed{pressing("More"), pressing("More")}, ""},
		{"menu", `<button aria-haspopup=menu onclick="m.hidden=false;m.querySelector('button').focus()">Menu</button>
			<div role=menu id=m hidden onkeydown="if(event.key=='Escape')m.hidden=true"><button role=menuitem>Help</button></div>`,
			[]deed{pressing("Menu"), making("web_pressKey", args{"key": "Escape"})}, ""},
		{"fading", `<style>#m{transition:opacity .3s,visibility .3s}.off{opacity:0;visibility:hidden}</style>` +
			`<button onclick="m.classList.toggle('off')">Info</button><p id=m class=off>Details</p>`, []deed{pressing("Info"), pressing("Info")}, ""},
		{"away", ``, []deed{making("web_navigate", args{"url": "/help"}), making("web_navigate", args{"url": "/away"})}, ""},
		{"back", `<a href=/help>Help</a>`, []deed{func(q llmtest.Question) llmtest.Turn {
			return llmtest.Call("web_click", args{"ref": q.Ref("link", `"Help"`)})
		},
			making("web_navigate", args{"action": "BACK"})}, ""},
		{"text", `<label>Note <input></label>`, []deed{typing("Note", "x"), func(q llmtest.Question) llmtest.Turn {
			return llmtest.Call("web_clear", args{"ref": q.Ref("textbox", `"Note"`)})
		}}, ""},
		{"dialog", `<button onclick="d.showModal()">Terms</button><dialog id=d><button onclick="d.close()">Close</button></dialog>`,
			[]deed{pressing("Terms"), pressing("Close")}, ""},
		{"scroll", `<div style="height:3000px">Long</div>`, []deed{making("web_scroll", args{"direction": "down"}),
			making("web_scroll", args{"direction": "up"})}, ""},

		{"request", `<button onclick="fetch('/count');m.hidden=!m.hidden">Show</button><p id=m hidden>Details</p>`,
			[]deed{pressing("Show"), pressing("Show")}, "Show"},
		{"counter", `<button onclick="k.textContent=1- -k.textContent">More</button><button onclick="k.textContent-=1">Fewer</button>` +
			`<output id=k>1</output>`, []deed{pressing("More"), pressing("More"), pressing("Fewer")}, "More"},
		{"memory", `<button onclick="m.hidden=!m.hidden">Show</button><p id=m hidden>Code 4711</p>`,
			[]deed{pressing("Show"), making("remember", args{"variable": "code", "regex": "Code ([0-9]+)"}), pressing("Show")}, "remember"},
		{"stored", `<button onclick="localStorage.n=1;m.hidden=!m.hidden">Show</button><p id=m hidden>Details</p>
			<script>addEventListener('click',e=>{
			if(e.target.textContent=='Add'&&!localStorage.n)e.target.nextElementSibling.textContent='Show first'})</script>`,
			[]deed{pressing("Show"), pressing("Show")}, "Show"},
	}
	pages := map[string]string{"/help": "<h1>Help</h1>"}
	for _, s := range shapes {
		pages["/"+s.name] = s.page + add
	}
	k := newKeeper(t, pages)
	for _, s := range shapes {
		for i, a := range s.way { // an address is of the page's own server
			s.way[i] = func(q llmtest.Question) llmtest.Turn {
				turn := a(q)
				for c := range turn.Calls {
					turn.Calls[c].Args = []byte(strings.Replace(string(turn.Calls[c].Args), `"url":"`, `"url":"`+k.pages, 1))
				}
				return turn
			}
		}
		does := map[string][]deed{"Open the shop": {making("web_navigate", args{"url": k.pages + "/" + s.name})}, "Add a mug": append(s.way, pressing("Add")),
			"The shop says Added a mug": {seeing("Added a mug")}}
		made := k.blaze(s.name, []string{"step: Open the shop", "step: Add a mug", "verify: The shop says Added a mug"}, does, 0)
		_, step, _ := strings.Cut(made, "step: Add a mug")
		step, _, _ = strings.Cut(step, "verify:")
		if n := strings.Count(step, "\n        - "); s.kept == "" && n != 1 || s.kept != "" && !strings.Contains(step, s.kept) {
			t.Errorf("%s: %d calls are kept:\n%s\n%s", s.name, n, step, k.last)
		}
		k.replay(s.name)
	}
}
