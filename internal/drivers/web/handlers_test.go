package web

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestListenersUnseenByPage proves that a page notices nothing of the questions about its listeners, and cannot answer
// them with functions of its own.
func TestListenersUnseenByPage(t *testing.T) {
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
