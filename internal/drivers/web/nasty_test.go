package web

import (
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
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
			d := newDevice(t, DeviceOptions{})
			e := open(t, d, slowServer(t, map[string]string{
				"/":     `<button id=b onclick="out.textContent='x';sessionStorage.k=1">x</button><p id=out></p><script>` + script + `</script>`,
				"/next": "next", "/reloads": `<script>setTimeout(()=>location.reload(),120)</script>`, "/nowhere": `<script>setInterval(()=>{location='/nothing'},30)</script>`,
			}).URL+"/")
			t.Log("open", e.Settle)
			if e.Settle.Waited > 10*time.Second {
				t.Errorf("opened %+v", e.Settle)
			}
			e = perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
			t.Log("click", e.Settle)
			if e.Settle.Waited > 10*time.Second {
				t.Errorf("effect %+v", e)
			}
			want(t, "clicked", js(t, d, "sessionStorage.k"), `"1"`)
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
