package tools_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const clickPage = `
<h1>Buttons</h1>
<button id=save onclick="out.textContent='saved'">Save</button>
<button data-testid=twice ondblclick="out.textContent='twice'">Twice</button>
<button oncontextmenu="out.textContent='menu';return false">Menu</button>
<button onclick="out.textContent='shift '+event.shiftKey">Keys</button>
<button disabled>Never</button>
<div id=box style="width:200px;height:100px;background:#eee"
onclick="out.textContent='at '+Math.round(event.offsetX)+','+Math.round(event.offsetY)" tabindex=0 role=button aria-label=Box></div>
<ul><li>Apple <button onclick="out.textContent='apple'">Add</button><li>Pear <button onclick="out.textContent='pear'">Add</button></ul>
<span style="display:inline-block" onmouseenter="hint.hidden=false">Hover me</span><p id=hint hidden>Here is the hint</p>
<p id=out></p>`

func TestClick(t *testing.T) {
	t.Parallel()
	w := open(t, clickPage)
	tests := []struct {
		name string
		tool string
		args args
		want string
	}{
		{"by descriptor", "web_click", args{"ref": `button "Save"`}, "saved"},
		{"by text", "web_click", args{"ref": "Save"}, "saved"},
		{"by css", "web_click", args{"ref": "css=#save"}, "saved"},
		{"by ref", "web_click", args{"ref": w.ref(`button "Save"`)}, "saved"},
		{"by ref in brackets", "web_click", args{"ref": "[" + w.ref(`button "Save"`) + "]"}, "saved"},
		{"by selector", "web_click", args{"nodeSelector": args{"web": args{"ariaRole": "button", "ariaNameRegex": "Sa.e"}}}, "saved"},
		{"double", "web_click", args{"ref": `button "Twice"`, "count": 2}, "twice"},
		{"right", "web_click", args{"ref": `button "Menu"`, "button": "right"}, "menu"},
		{"with a key held", "web_click", args{"ref": `button "Keys"`, "modifiers": []string{"Shift"}}, "shift true"},
		{"at a place", "web_click", args{"ref": `button "Box"`, "position": args{"x": 20, "y": 30}}, "at 20,30"},
		{"click takes css (R35)", "click", args{"selector": "#save"}, "saved"},
		{"tap a ref", "tap", args{"ref": w.ref(`button "Save"`)}, "saved"},
		{"tap a text (R21)", "tap", args{"text": "Save"}, "saved"},
		{"tap an id (R21)", "tap", args{"id": "save"}, "saved"},
		{"tap the second of several (R21)", "tap", args{"text": "Add", "index": 1}, "pear"},
		{"tap with a relative point", "tapOn", args{"selector": args{"web": args{"ariaNameRegex": "Box"}}, "relativePoint": "50%,50%"}, "at 100,50"},
		{"legacy text", "tapOnElementWithText", args{"text": "Save"}, "saved"},
		{"legacy text, index as text", "tapOnElementWithText", args{"text": "Add", "index": "1"}, "pear"},
		{"legacy name", "tapOnElementWithAccessibilityText", args{"accessibilityText": "Box"}, "at 100,50"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w.js(`out.textContent = ''`)
			w.do(tt.tool, tt.args)
			w.is(`out.textContent`, tt.want)
			if ev := w.last.Evidence; ev == nil || ev.Target == nil || ev.Effect == nil || !ev.Effect.Changes.Any() {
				t.Errorf("evidence = %+v, want target and effect", ev)
			}
		})
	}
}

func TestClickRefuses(t *testing.T) {
	t.Parallel()
	w := open(t, clickPage)
	w.refuse(fault.NotFound, "web_click", args{"ref": `button "Nope"`, "timeoutMs": 300})
	w.refuse(fault.NotActed, "web_click", args{"ref": `button "Never"`, "timeoutMs": 300})
	w.refuse(fault.Invalid, "web_click", args{})
	err := w.refuse(fault.NotFound, "web_click", args{"ref": "e9999"})
	if !strings.Contains(err.Error(), "Element ref 'e9999' not found on current screen") {
		t.Errorf("error = %v, want upstream's text", err)
	}
	gone := w.ref(`button "Save"`)
	w.js(`save.remove()`)
	w.refuse(fault.NotFound, "web_click", args{"ref": gone})
	w.is(`out.textContent`, "")
}

// R111: what is recorded holds no ref, and can be played.
func TestClickIsRecordedDurably(t *testing.T) {
	t.Parallel()
	w := open(t, clickPage)
	w.do("web_click", args{"ref": w.ref(`button "Twice"`), "count": 2})
	rec := w.last.Record
	if rec == nil || rec.Name != "web_click" || strings.Contains(string(rec.Args), `"ref"`) {
		t.Fatalf("record = %+v, want a call without ref", rec)
	}
	w.do("web_navigate", args{"action": "RELOAD"})
	var a args
	if err := json.Unmarshal(rec.Args, &a); err != nil {
		t.Fatal(err)
	}
	w.do(rec.Name, a)
	w.is(`out.textContent`, "twice")

	t.Run("and refuses another element", func(t *testing.T) {
		w.js(`document.querySelector('[data-testid=twice]').textContent = 'Thrice'`)
		a["timeoutMs"] = 300
		_, err := w.call(rec.Name, a)
		if k := fault.KindOf(err); k != fault.Assertion && k != fault.NotFound {
			t.Errorf("click on a renamed element = %v, want it refused", err)
		}
	})
}

// R105: a tap is recorded as what it delegates to.
func TestTapDelegates(t *testing.T) {
	t.Parallel()
	w := open(t, clickPage)
	var recorded []string
	reg := w.disp.Registry()
	d := dispatch.New(dispatch.Options{Registry: reg, Middleware: []dispatch.Middleware{func(next dispatch.Handler) dispatch.Handler {
		return func(ctx context.Context, inv *dispatch.Invocation) (*tool.Result, error) {
			r, err := next(ctx, inv)
			if err == nil && dispatch.Records(inv, r) {
				recorded = append(recorded, r.Record.Name)
			}
			return r, err
		}
	}}})
	defer func() { _ = d.Close(w.ctx()) }()
	w.disp = d
	w.do("tap", args{"ref": w.ref(`button "Save"`)})
	w.is(`out.textContent`, "saved")
	if strings.Join(recorded, ",") != "tapOnElementBySelector" {
		t.Errorf("recorded %v, want tapOnElementBySelector", recorded)
	}
}

func TestHoverAndPoints(t *testing.T) {
	t.Parallel()
	w := open(t, clickPage)
	w.do("web_hover", args{"ref": "Hover me"})
	w.do("web_verifyTextVisible", args{"text": "Here is the hint"})
	var box struct{ X, Y float64 }
	if err := json.Unmarshal([]byte(w.js(`(() => { const r = save.getBoundingClientRect();`+
		` return {x: r.x + r.width/2, y: r.y + r.height/2} })()`)), &box); err != nil {
		t.Fatal(err)
	}
	w.do("tapOnPoint", args{"x": int(box.X), "y": int(box.Y)})
	w.is(`out.textContent`, "saved")
	w.js(`out.textContent = ''`)
	w.do("tap", args{"x": int(box.X), "y": int(box.Y)}) // R256
	w.is(`out.textContent`, "saved")
}

func TestLongPress(t *testing.T) {
	t.Parallel()
	w := open(t, `<button id=b onpointerdown="window.at=performance.now()" onpointerup="out.textContent = `+
		`performance.now()-window.at > 400 ? 'long' : 'short'">Hold</button><p id=out></p>`)
	for _, c := range []struct {
		tool string
		args args
	}{
		{"longPress", args{"ref": "Hold"}},
		{"longPressOnElementWithText", args{"text": "Hold"}},
		{"longPressElementWithAccessibilityText", args{"accessibilityText": "Hold"}},
	} {
		w.js(`out.textContent = ''`)
		w.do(c.tool, c.args)
		w.is(`out.textContent`, "long")
	}
}

const dragPage = `<style>#a,#b{position:absolute;width:80px;height:80px;top:20px}#a{left:20px;background:red}#b{left:400px;background:green}</style>
<div id=a role=button aria-label=Card tabindex=0></div><div id=b role=button aria-label=Bin tabindex=0></div><p id=out style="position:absolute;top:200px"></p>
<script>
let from=null;
a.onpointerdown=e=>{from={x:e.clientX,y:e.clientY}};
document.onpointerup=e=>{ if(from){ const r=b.getBoundingClientRect();
 const on=e.clientX>=r.left&&e.clientX<=r.right&&e.clientY>=r.top&&e.clientY<=r.bottom;
 out.textContent=(on?'binned':'moved')+' '+Math.round(e.clientX-from.x); from=null } };
</script>`

func TestDrag(t *testing.T) {
	t.Parallel()
	w := open(t, dragPage)
	w.saw(w.do("web_drag", args{"ref": `button "Card"`, "toRef": `button "Bin"`}), `Dragged button "Card" to button "Bin".`)
	w.is(`out.textContent`, "binned 380")
	if rec := string(w.last.Record.Args); strings.Contains(rec, `Ref"`) || !strings.Contains(rec, "toNodeSelector") {
		t.Errorf("recorded %s, want selectors of both elements", rec)
	}
	w.do("web_drag", args{"ref": `button "Card"`, "dx": 100, "dy": 50})
	w.is(`out.textContent`, "moved 100")
	w.do("dragByPoints", args{"startX": 60, "startY": 60, "endX": 440, "endY": 60, "durationMs": 100})
	w.is(`out.textContent`, "binned 380")
	w.js(`out.textContent = ''`)
	w.do("dragTo", args{"ref": w.ref(`button "Card"`), "toRef": w.ref(`button "Bin"`), "durationMs": 100})
	w.is(`out.textContent`, "binned 380")
	w.do("dragTo", args{"ref": w.ref(`button "Card"`), "toX": 160, "toY": 60, "durationMs": 100})
	w.is(`out.textContent`, "moved 100")
	w.refuse(fault.Invalid, "web_drag", args{"ref": `button "Card"`})
}
