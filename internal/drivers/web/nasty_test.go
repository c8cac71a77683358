package web

import (
	"strconv"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

// TestSettleRestlessPages proves that a page which never stays as it is neither hangs an action nor
// fails it.
func TestSettleRestlessPages(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"another fragment all the time": `let i=0;setInterval(()=>{location.hash=++i},8)`,
		"another query all the time":    `let i=0;setInterval(()=>{try{history.replaceState(0,'','?'+ ++i)}catch{}},8)`,
		"leaves for nowhere":            `setInterval(()=>{location='/nothing'},30)`,
		"reloads itself":                `setTimeout(()=>location.reload(),300)`,
		"a frame that reloads itself":   `document.write('<iframe src=/reloads></iframe>')`,
		"a frame that goes nowhere":     `document.write('<iframe src=/nowhere></iframe>')`,
		"frames come and go":            `let f;setInterval(()=>{f?.remove();f=document.createElement('iframe');f.src='/next';document.body.append(f)},40)`,
	} {
		t.Run(name, func(t *testing.T) {
			d := borrowed(t)
			e := open(t, d, slowServer(t, map[string]string{
				"/":     `<button id=b onclick="out.textContent='x';sessionStorage.k=1">Press</button><p id=out></p><script>` + script + `</script>`,
				"/next": "next", "/reloads": `<script>setTimeout(()=>location.reload(),120)</script>`,
				"/nowhere": `<script>setInterval(()=>{location='/nothing'},30)</script>`,
			}).URL+"/")
			t.Log("open", e.Settle)
			if e.Settle.Waited > 10*time.Second {
				t.Errorf("opened %+v", e.Settle)
			}
			e = clickAnew(t, d, "Press")
			t.Log("click", e.Settle)
			if e.Settle.Waited > 10*time.Second {
				t.Errorf("effect %+v", e)
			}
			want(t, "clicked", js(t, d, "sessionStorage.k"), `"1"`)
		})
	}
}

// clickAnew clicks the button with that name, anew as long as the page goes away before the click reaches it.
func clickAnew(t *testing.T, d *Device, name string) *driver.Effect {
	t.Helper()
	for ctx := deadline(t); ; {
		found := snapshot(t, d).FindText(name)
		if len(found) == 0 {
			continue // between two documents
		}
		e, err := d.Perform(ctx, driver.Tap{Target: at(found[0].ID)})
		if err == nil {
			return e
		}
		t.Log(err)
		if k := fault.KindOf(err); k != fault.NotFound && k != fault.NotActed {
			t.Fatal(err)
		}
	}
}

// TestLostPressIsNoEffect proves that an action is refused whose document goes away before the event
// is there, and not taken for one that led to what follows.
func TestLostPressIsNoEffect(t *testing.T) {
	t.Parallel()
	const lost = "went away by itself before the event reached"
	// The frame goes when the focus has come, and the page stands still until the key that follows must have been sent.
	still := testtime.Within(200 * time.Millisecond).Milliseconds()
	tests := []struct {
		name, event string
		do          func(at driver.Target) driver.Action
		want        string
	}{
		{"a click", "mousemove", func(at driver.Target) driver.Action { return driver.Tap{Target: at} }, lost},
		{"a click that reached it", "pointerdown", func(at driver.Target) driver.Action { return driver.Tap{Target: at} }, ""},
		{"a key", "focusin", func(at driver.Target) driver.Action { return driver.PressKey{Target: at, Key: "a"} }, lost},
		{"a key that reached it", "keydown", func(at driver.Target) driver.Action { return driver.PressKey{Target: at, Key: "a"} }, ""},
		{"a text", "focusin", func(at driver.Target) driver.Action { return driver.TypeText{Target: at, Text: "Ada"} }, lost},
		{"a text that reached it", "beforeinput", func(at driver.Target) driver.Action { return driver.TypeText{Target: at, Text: "Ada"} }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := actPages(t, map[string]string{
				"/": `<iframe src=/f></iframe>`,
				"/f": `<input id=b><script>const go=()=>frameElement?.remove(),late=()=>{for(const t=Date.now();Date.now()-t<` + strconv.FormatInt(still, 10) + `;);go()};
					b.addEventListener('` + tt.event + `',()=>{'` + tt.event + `'==='focusin'?setTimeout(late):go()})</script>`,
			}, DeviceOptions{})
			e, err := d.Perform(deadline(t), tt.do(at(node(t, d, "#b", "/f"))))
			if tt.want == "" {
				if err != nil || !e.Changes.Any() {
					t.Errorf("effect %+v, error %v", e, err)
				}
				return
			}
			wantFault(t, err, fault.NotActed, tt.want)
		})
	}
}

// TestRestlessAddressIsNoEffect proves that what a page does to its own address all the time does
// not make a dead button look alive, nor a live one dead.
func TestRestlessAddressIsNoEffect(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<button id=b>dead</button><button id=c onclick="history.pushState(0,'','?page=2')">live</button>
		<script>let i=0;setInterval(()=>{location.hash=++i},60)</script>`)
	waitJS(t, d, "location.hash.slice(1)>20")
	if e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))}); e.Changes.Any() {
		t.Errorf("dead button: %+v", e.Changes)
	}
	if e := perform(t, d, driver.Tap{Target: at(node(t, d, "#c"))}); !e.Changes.URL {
		t.Errorf("live button: %+v", e.Changes)
	}
}
