package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// TestListenersUnseenByPage proves that a page notices nothing of the questions about its
// listeners, and cannot answer them with functions of its own.
func TestListenersUnseenByPage(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<span id=x>Next</span><script>const html=document.documentElement;x.addEventListener('click',()=>{});window.seen=[];
for(const t of ['ask','__trailblaze','answer'])addEventListener(t,e=>seen.push(t),true);
Reflect.ownKeys=Object.getOwnPropertyDescriptor=()=>{seen.push('call');return[]};window.getEventListeners=()=>{seen.push('asked');return {}};
Element.prototype.setAttribute=()=>{seen.push('set')};EventTarget.prototype.dispatchEvent=()=>{seen.push('event')};
JSON.stringify=()=>{seen.push('json');return ''};Object.prototype.mousedown=1;
dispatchEvent(new MouseEvent('__trailblaze',{relatedTarget:document.body}))</script><p id=y>Other</p>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	s := snapshot(t, d)
	for id, want := range map[string]bool{"x": true, "y": false} {
		n := htmlID(s.Root, id)
		if n == nil || n.State.Has(screen.Clickable) != want || (n.Ref != "") != want {
			t.Errorf("#%s is %+v, want clickable %v", id, n, want)
		}
	}
	if seen := eval[[]string](t, d, "seen"); strings.Join(seen, " ") != "event" { // its own call
		t.Errorf("the page saw %v", seen)
	}
}

func htmlID(n *screen.Node, id string) *screen.Node {
	if w, ok := n.Native.(*screen.Web); ok && w.HTMLID == id {
		return n
	}
	for _, c := range n.Children {
		if hit := htmlID(c, id); hit != nil {
			return hit
		}
	}
	return nil
}

// TestFoundTextCanBeActedOn proves that the ref a search prints beside a text is the text's own,
// now and in later captures.
func TestFoundTextCanBeActedOn(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<ul onclick="document.title=event.target.textContent"><li>Call Olwen Smith</li><li>Olwen</li></ul>`)
	found := text.Of(snapshot(t, d), text.Options{Find: "^olwen$"})
	m := regexp.MustCompile(`"Olwen" (e\d+)|(e\d+)[^\n]*"Olwen"`).FindStringSubmatch(found)
	if m == nil {
		t.Fatalf("no ref in\n%s", found)
	}
	ref := m[1] + m[2]
	perform(t, d, driver.Tap{Target: at(snapshot(t, d).ByRef(ref).ID)})
	want(t, "title", js(t, d, "document.title"), `"Olwen"`)
	js(t, d, "document.querySelector('ul').remove()")
	if n := snapshot(t, d).ByRef(ref); n != nil {
		t.Errorf("%s is %+v after its element went", ref, n)
	}
	if why := d.ExplainRef(ref); !strings.Contains(why, `"Olwen"`) || !strings.Contains(why, "no longer") {
		t.Errorf("explained as %q", why)
	}
}
