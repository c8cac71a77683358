package replay

import (
	"flag"
	"strconv"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
)

// honest is a page, what a trail does on it, and how that must end. Each case is a way in which a replay tool can lie
// or give up. In page and calls {{base}} is the test server and {{other}} the same one as another origin.
type honest struct {
	name    string
	page    string
	calls   string        // of one step after the navigation
	outcome event.Outcome // "" is none that is a pass
	says    string        // what the failure must tell
}

func pass(name, page, calls string) honest {
	return honest{name: name, page: page, calls: calls, outcome: event.Passed}
}

// fail gives up early: what is not there after a moment will not come.
func fail(name, page, calls, says string) honest {
	return honest{name: name, page: page, calls: hurry(calls), outcome: event.Failed, says: says}
}

func unsure(name, page, calls, says string) honest {
	return honest{name: name, page: page, calls: hurry(calls), outcome: event.Undecided, says: says}
}

// hurry gives the last call a short time.
func hurry(calls string) string {
	at := strings.LastIndex(calls, "\n") + 1
	last := calls[at:]
	if strings.Contains(last, "timeoutMs") || strings.HasPrefix(last, "web_navigate") || strings.HasPrefix(last, "web_pressKey: {key: F") {
		return calls
	}
	return calls[:at] + strings.Replace(last, ": {", ": {timeoutMs: 900, ", 1)
}

const (
	seePaid   = `web_verifyTextVisible: {text: Paid}`
	clickSave = `web_click: {nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save}}}`
	seeDone   = `web_verifyTextVisible: {text: Done once}`
	// counts says "Done once" after one click, and something else after more.
	counts = `<p id=o></p><script>let n=0;const done=()=>{n++;document.getElementById('o').textContent='Done '+(n===1?'once':n+' times')}</script>`
)

func see(text string) string { return `web_verifyTextVisible: {text: ` + strconv.Quote(text) + `}` }

func assertNot(text string) string {
	return `assertNotVisibleWithText: {text: ` + strconv.Quote(text) + `}`
}

func named(role, name string) string {
	return `nodeSelector: {web: {ariaRole: ` + role + `, ariaNameRegex: ` + strconv.Quote(name) + `}}`
}

func press(role, name string) string { return `web_click: {` + named(role, name) + `}` }

func enter(name, text string) string {
	return `web_type: {text: ` + strconv.Quote(text) + `, ` + named("textbox", name) + `}`
}

func value(role, name, want string) string {
	return `web_verifyValue: {type: VALUE, expected: ` + strconv.Quote(want) + `, ` + named(role, name) + `}`
}

var whole = flag.Bool("all", false, "play every case of TestHonestGreen, and not one in three (`make honest`)")

// TestHonestGreen plays its cases on a real browser, each on a device that holds nothing of the others.
func TestHonestGreen(t *testing.T) {
	groups := map[string][]honest{
		"see": whatPeopleSee(), "text": whatTextsSay(), "act": whatActionsDo(), "field": whatFieldsKeep(), "way": whereActionsLead(),
		"who": whoIsWho(), "hand": whatHandsDo(), "say": whatFailuresSay(), "last": whatRecordingsFind(), "odd": whatIsOdd(), "which": whichIsMeant(), "refused": whatIsRefused(),
		"control": whatControlsShow(), "focus": whatFocusIsFor(), "call": whatCallsCall(),
		"fold": whatIsFolded(), "edge": whatLiesAtTheFold(), "self": whatPagesDoThemselves(),
	}
	pages := map[string]string{
		// It holds its process up as an endless loop does, but not a processor.
		"/stuck":   `<!doctype html><p>x</p><script>addEventListener('load',()=>setTimeout(()=>{for(;;){const x=new XMLHttpRequest();x.open('GET','/odd/hang',false);x.send()}}))</script>`,
		"/outer":   `<!doctype html><div style="height:700px"></div><iframe src="/inner"></iframe>`,
		"/inner":   `<!doctype html><div style="height:700px"></div><button onclick="parent.parent.o.textContent='Done once'">Save</button>`,
		"/refresh": `<!doctype html><meta http-equiv=refresh content="0; url=/odd/page?say=Paid&ms=300"><p>Wait</p>`,
		"/replace": `<!doctype html><script>location.replace('/odd/page?say=Paid&ms=300')</script>`,
	}
	groups["end"], groups["tabs"] = howTrailsEnd(), whereTabsLead()
	groups["canvas"] = whatIsDrawn()
	groups["alike"], groups["component"] = whatTellsThoseAlike(), whatLabelsOfComponentsSay()
	for _, group := range groups {
		for _, h := range group {
			pages[h.path()] = "<!doctype html><title>t</title><body>" + h.page
		}
	}
	b := newBed(t, pages)
	b.player.Screenshots = Off // nobody looks at seven hundred of them
	pool := webtest.Pool(t, b.device, b.base, otherName(b.base))
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	for name, group := range groups {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, h := range group {
				if !*whole && i%3 != 0 {
					continue
				}
				t.Run(h.name, func(t *testing.T) {
					t.Parallel()
					b.judge(t, pool.Lend(t), h)
				})
			}
		})
	}
}

func (h honest) path() string {
	return "/" + strings.NewReplacer(" ", "-", ",", "", ":", "").Replace(h.name)
}

func (b *bed) judge(t *testing.T, dev driver.Device, h honest) {
	t.Helper()
	var text strings.Builder
	text.WriteString("config: {title: honest}\ntrail:\n  - step: Open\n    recording:\n      web:\n        - web_navigate: {url: \"{{base}}" + h.path() + "\"}\n")
	text.WriteString("  - step: Do\n    recording:\n      web:\n")
	for call := range strings.SplitSeq(h.calls, "\n") {
		text.WriteString("        - " + call + "\n")
	}
	out, _ := b.playOn(t, dev, text.String())
	if out.Outcome != h.outcome && (h.outcome != "" || out.Outcome == event.Passed) {
		t.Fatalf("%s, want %s; failure: %+v", out.Outcome, h.outcome, out.Failure)
	}
	if h.says == "" {
		return
	}
	f := out.Failure
	all := f.Message + "\n" + f.Hint + "\nlooked for: " + f.Looked + "\nnearest: " + strings.Join(f.Candidates, "\n") + "\n" + strings.Join(f.Log, "\n")
	if !strings.Contains(all, h.says) {
		t.Errorf("the failure does not say %q: %+v", h.says, f)
	}
}
