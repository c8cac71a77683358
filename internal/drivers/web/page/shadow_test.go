package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestClosedShadow proves that a closed shadow root is suspected, and part of the tree once it is
// registered.
func TestClosedShadow(t *testing.T) {
	l := newLab(t)
	l.load(`<!doctype html><body><my-card id=host>Slotted</my-card><div id=plain></div><div id=spacer style="height:9px"></div><script>
host.attachShadow({mode:'closed'}).innerHTML='<h2>Secret <slot></slot></h2><button>Inner</button>';
plain.attachShadow({mode:'closed'}).innerHTML='<button>Plain</button>'</script>`)
	root := l.capture()
	suspects := map[string]int64{}
	for _, id := range l.doc.Info.Suspects {
		var html string
		if err := json.Unmarshal(l.isolated(fmt.Sprintf("%s.node(%d).id", page.Global, id)), &html); err != nil {
			t.Fatal(err)
		}
		suspects[html] = id
	}
	if suspects["host"] == 0 || suspects["plain"] == 0 {
		t.Fatalf("suspects = %v, want host and plain among them\n%s", suspects, outline(root, 0))
	}
	for _, id := range suspects {
		l.register(id)
	}
	root = l.capture("my-card button")
	want := `heading "Secret Slotted"`
	var found []string
	var walk func(n *screen.Node)
	walk = func(n *screen.Node) {
		if n.Role == "heading" || n.Role == "button" {
			found = append(found, fmt.Sprintf("%s %q", n.Role, n.Name))
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(root)
	if len(found) != 3 || found[0] != want {
		t.Errorf("found %v", found)
	}
	if ids, _ := l.doc.Matches("my-card button"); len(ids) != 1 {
		t.Error("a descendant combinator does not cross a shadow border")
	}
	if len(l.doc.Info.Suspects) != 0 {
		t.Error("what was looked at is suspected again")
	}
}

// register does what the driver does: it finds the closed root over the protocol and hands it to
// the script.
func (l *lab) register(id int64) {
	l.Helper()
	host := must(cdp.Call(l.ctx(), l.sess, runtime.Evaluate, runtime.EvaluateParams{Expression: fmt.Sprintf("%s.node(%d)", page.Global, id),
		ContextID: l.world}))(l)
	d := must(cdp.Call(l.ctx(), l.sess, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: host.Result.ObjectID}))(l)
	for _, r := range d.Node.ShadowRoots {
		root := must(cdp.Call(l.ctx(), l.sess, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: r.BackendNodeID, ExecutionContextID: l.world}))(l)
		must(cdp.Call(l.ctx(), l.sess, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			FunctionDeclaration: "(h,r)=>" + page.Global + ".registerClosedRoot(h,r)",
			Arguments:           []*runtime.CallArgument{{ObjectID: host.Result.ObjectID}, {ObjectID: root.Object.ObjectID}},
			ExecutionContextID:  l.world,
		}))(l)
	}
}

// TestLateShadow proves that a shadow root attached after a capture is noticed though no mutation
// tells of it.
func TestLateShadow(t *testing.T) {
	l := newLab(t)
	l.show(`<div id=h><b>light</b></div>`)
	l.js(`h.attachShadow({mode:'open'}).innerHTML='<button id=b>New</button>'`)
	find(t, l.capture(), "b")
	l.js(`h.shadowRoot.querySelector('button').textContent='Newer'`)
	if n := find(t, l.capture(), "b"); n.Name != "Newer" || !n.Native.(*screen.Web).Shadow {
		t.Errorf("button in a shadow tree = %q, shadow %v", n.Name, n.Native)
	}
}

// TestNumbers proves that numbers name elements: they survive changes and moves, and are never
// given to another one.
func TestNumbers(t *testing.T) {
	l := newLab(t)
	a := find(t, l.show(`<div id=p><button id=a>A</button></div><div id=q></div>`), "a").ID
	l.js(`a.textContent='B'; q.append(a)`)
	if b := find(t, l.capture(), "a").ID; b != a {
		t.Errorf("moved element has number %d, had %d", b, a)
	}
	l.js(`globalThis.kept=a; a.remove()`)
	l.capture()
	l.js(`p.innerHTML='<button id=a>A</button>'`)
	if b := find(t, l.capture(), "a").ID; b == a {
		t.Error("a new element has the old one's number")
	}
	l.js(`p.innerHTML=''; p.append(kept)`)
	if b := find(t, l.capture(), "a").ID; b != a {
		t.Errorf("an element that came back has number %d, had %d", b, a)
	}
}

// TestFrames proves that frame elements are told with the box of what they show.
func TestFrames(t *testing.T) {
	l := newLab(t)
	root := l.show(`<style>body{margin:0}</style><iframe id=f title=Inner srcdoc="x" style="margin:10px;border:3px solid;padding:4px;` +
		`width:200px;height:100px"></iframe><iframe hidden srcdoc=y></iframe>`)
	n := find(t, root, "f")
	if n.Role != "iframe" || n.Name != "Inner" {
		t.Errorf("frame element = %s %q", n.Role, n.Name)
	}
	fs := l.doc.Info.Frames
	if len(fs) != 1 || fs[0].Element != int64(n.ID) || fs[0].Content != (screen.Rect{X: 17, Y: 17, W: 200, H: 100}) {
		t.Errorf("frames = %+v", fs)
	}
}

// TestFirstLookAtShadowSheets proves that the first capture of a page knows what the sheets in its shadow trees do: text
// that they generate, and what they hide.
func TestFirstLookAtShadowSheets(t *testing.T) {
	l := newLab(t)
	l.load(`<!doctype html><body><my-field></my-field><script>
const root = document.querySelector('my-field').attachShadow({mode:'open'});
root.innerHTML = '<label for=f>Traveller</label><input id=f>';
const sheet = new CSSStyleSheet();
sheet.replaceSync('label::after{content:"*";margin-left:2px}');
root.adoptedStyleSheets = [sheet];</script>`)
	first := outline(l.capture(), 0)
	if !strings.Contains(first, `textbox "Traveller*"`) {
		t.Errorf("the first capture is\n%s", first)
	}
	if second := outline(l.capture(), 0); second != first {
		t.Errorf("the second capture differs:\n%s\nfrom\n%s", second, first)
	}
}
