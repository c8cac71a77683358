package web

import (
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"

	proto "github.com/chromedp/cdproto/cdp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

const benchPage = `<form><label>Name <input id=f></label><input type=checkbox id=c> <button type=button id=b
onclick="out.textContent='clicked '+(window.n=(window.n||0)+1)">Go</button></form>
<p id=out></p><script>f.oninput=()=>out.textContent=f.value</script>`

// floorClick is a click with raw protocol calls and no checks.
func floorClick(b *testing.B, d *Device, backend proto.BackendNodeID) {
	sess := d.frames.Active.Session
	cdp.Send(sess, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: backend})
	q, err := cdp.Call(b.Context(), sess, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: backend})
	if err != nil {
		b.Fatal(err)
	}
	p := q.Quads[0]
	ev := input.DispatchMouseEventParams{X: (p[0] + p[4]) / 2, Y: (p[1] + p[5]) / 2, Button: input.MouseButtonLeft, ClickCount: 1}
	ev.Type = input.DispatchMouseEventTypeMousePressed
	cdp.Send(sess, input.DispatchMouseEvent, ev)
	ev.Type = input.DispatchMouseEventTypeMouseReleased
	if err := cdp.Do(b.Context(), sess, input.DispatchMouseEvent, ev); err != nil {
		b.Fatal(err)
	}
}

// floorType is typing with raw protocol calls and no checks.
func floorType(b *testing.B, d *Device, backend proto.BackendNodeID, text string) {
	sess := d.frames.Active.Session
	cdp.Send(sess, dom.Focus, dom.FocusParams{BackendNodeID: backend})
	n, err := cdp.Call(b.Context(), sess, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: backend})
	if err != nil {
		b.Fatal(err)
	}
	if err := cdp.Do(b.Context(), sess, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		ObjectID: n.Object.ObjectID, FunctionDeclaration: "function(){this.select()}",
	}); err != nil {
		b.Fatal(err)
	}
	if err := cdp.Do(b.Context(), sess, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		b.Fatal(err)
	}
}

func backendOf(b *testing.B, d *Device, css string) proto.BackendNodeID {
	b.Helper()
	sess := d.frames.Active.Session
	root, err := cdp.Call(b.Context(), sess, dom.GetDocument, dom.GetDocumentParams{})
	if err != nil {
		b.Fatal(err)
	}
	n, err := cdp.Call(b.Context(), sess, dom.QuerySelector, dom.QuerySelectorParams{NodeID: root.Root.NodeID, Selector: css})
	if err != nil {
		b.Fatal(err)
	}
	full, err := cdp.Call(b.Context(), sess, dom.DescribeNode, dom.DescribeNodeParams{NodeID: n.NodeID})
	if err != nil {
		b.Fatal(err)
	}
	return full.Node.BackendNodeID
}

// BenchmarkAct sets our checked and settled actions beside bare protocol calls that do the same, in
// one browser.
func BenchmarkAct(b *testing.B) {
	d := actPage(b, benchPage)
	button, box, name := node(b, d, "#b"), node(b, d, "#c"), node(b, d, "#f")
	rawButton, rawBox, rawName := backendOf(b, d, "#b"), backendOf(b, d, "#c"), backendOf(b, d, "#f")
	must := func(b *testing.B, a driver.Action) {
		b.Helper()
		if _, err := d.Perform(b.Context(), a); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("click/floor", func(b *testing.B) {
		for b.Loop() {
			floorClick(b, d, rawButton)
		}
	})
	b.Run("click/ours", func(b *testing.B) {
		for b.Loop() {
			must(b, driver.Tap{Target: at(button)})
		}
	})
	b.Run("check/floor", func(b *testing.B) {
		for b.Loop() {
			floorClick(b, d, rawBox)
		}
	})
	b.Run("check/ours", func(b *testing.B) {
		for b.Loop() {
			must(b, driver.Tap{Target: at(box)})
		}
	})
	b.Run("type/floor", func(b *testing.B) {
		for b.Loop() {
			floorType(b, d, rawName, "Ada Moreno")
		}
	})
	b.Run("type/ours", func(b *testing.B) {
		for b.Loop() {
			must(b, driver.TypeText{Target: at(name), Text: "Ada Moreno", Clear: true})
		}
	})
}
