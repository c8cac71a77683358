package tools_test

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "golang.org/x/image/webp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const lookPage = `
<h1>Shop</h1><button data-testid=buy>Buy now</button><button id=sell>Sell</button>
<p id=price>Price: 5 €</p><p style="display:none">Gone</p>
<label>Name <input id=n value=Ada></label>
<ul><li>Apple<li>Apple<li>Pear</ul>
<div style="height:3000px"></div><p>Bottom</p>`

func TestSnapshotTools(t *testing.T) {
	t.Parallel()
	w := open(t, lookPage)
	text := w.do("web_snapshot", args{"screenName": "shop"})
	for _, part := range []string{`button "Buy now" e`, `heading "Shop"`, `"Ada"`} {
		w.saw(text, part)
	}
	if strings.Contains(text, "Bottom") || strings.Contains(text, "Gone") {
		t.Errorf("the default view shows what is out of sight:\n%s", text)
	}
	w.saw(w.do("web_requestDetails", args{"include": []string{"OFFSCREEN_ELEMENTS"}}), "Bottom")
	w.saw(w.do("web_snapshot", args{"detail": []string{"bounds"}, "find": "Buy"}), "@")
	if got := w.do("web_snapshot", args{"find": "Sell"}); !strings.Contains(got, "Sell") || strings.Contains(got, "Buy now") {
		t.Errorf("find shows\n%s\nwant only what matches", got)
	}
	ref := w.ref(`button "Sell"`)
	if got := w.do("web_snapshot", args{"scope": ref}); strings.Contains(got, "Buy now") {
		t.Errorf("scope shows\n%s\nwant only what is in %s", got, ref)
	}
	w.refuse(fault.NotFound, "web_snapshot", args{"scope": "e9999"})
	w.saw(w.do("requestDetailedViewHierarchy", nil), "Gone")
	w.saw(w.do("web_snapshot", args{"changes": true}), "nothing changed")
	w.js(`n.value = 'Grace'`)
	if got := w.do("web_snapshot", args{"changes": true}); !strings.Contains(got, "Grace") || strings.Contains(got, "Buy now") {
		t.Errorf("changes show\n%s\nwant the field only", got)
	}

	w.do("takeSnapshot", args{"screenName": "shop"})
	if c := w.last.Content; len(c) != 2 || c[1].Type != "image" || len(c[1].Data) == 0 {
		t.Errorf("takeSnapshot gives %d pieces, want text and picture", len(c))
	}
	w.do("captureScreen", nil) // R29
	var st struct {
		URL, Title, Text string
		Width            int
	}
	if err := json.Unmarshal(w.last.Value, &st); err != nil || st.Title != "Test" || st.Width != 1280 ||
		!strings.HasPrefix(st.URL, w.server.URL) || st.Text == "" {
		t.Errorf("state = %+v, %v", st, err)
	}
}

func TestQueries(t *testing.T) {
	t.Parallel()
	w := open(t, lookPage)
	tests := []struct {
		name, tool string
		args       args
		want       string
	}{
		{"visible (R25)", "isVisible", args{"text": "Buy now"}, "true"},
		{"visible by id", "isVisible", args{"id": "buy"}, "true"},
		{"visible by ref", "isVisible", args{"ref": `button "Sell"`}, "true"},
		{"not there", "isVisible", args{"text": "Nope"}, `false: nothing on the screen matches text "Nope"`},
		{"hidden", "isVisible", args{"text": "Gone"}, "false: "},
		{"below the fold", "isVisible", args{"text": "Bottom"}, "false: "},
		{"has text (R26)", "hasText", args{"text": "Price"}, "true"},
		{"has it after scrolling", "hasText", args{"text": "Bottom"}, "true"},
		{"has not", "hasText", args{"text": "Pric"}, "false"},
		{"has it only hidden", "hasText", args{"text": "Gone"}, "false"},
		{"text (R27)", "getElementText", args{"id": "price"}, "Price: 5 €"},
		{"text of a field", "getElementText", args{"id": "n"}, "Ada"},
		{"text of nothing", "getElementText", args{"id": "nope"}, "There is no such element."},
		{"count (R28)", "getElementCount", args{"text": "Apple"}, "2"},
		{"count of none", "getElementCount", args{"text": "Plum"}, "0"},
		{"count by id", "getElementCount", args{"id": "sell"}, "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := w.do(tt.tool, tt.args)
			if got != tt.want && (!strings.HasSuffix(tt.want, ": ") || !strings.HasPrefix(got, tt.want)) {
				t.Errorf("%s(%v) = %q, want %q", tt.tool, tt.args, got, tt.want)
			}
		})
	}
	w.do("findMatches", args{"selector": args{"web": args{"ariaRole": "listitem"}}})
	var out struct {
		Matches []struct{ MatchedText string }
	}
	if err := json.Unmarshal(w.last.Value, &out); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range out.Matches {
		texts = append(texts, m.MatchedText)
	}
	if diff := cmp.Diff([]string{"Apple", "Apple", "Pear"}, texts); diff != "" {
		t.Errorf("findMatches (-want +got):\n%s", diff)
	}
	w.do("findMatches", args{"selector": args{"web": args{"ariaRole": "slider"}}})
	if string(w.last.Value) != `{"matches":[]}` {
		t.Errorf("no match = %s, want an empty list", w.last.Value)
	}
	w.js(`setTimeout(() => document.body.append(Object.assign(document.createElement('p'), {textContent: 'Later'})), 200)`)
	if got := w.do("isVisible", args{"id": "nope", "timeoutMs": 50}); !strings.HasPrefix(got, "false") {
		t.Errorf("isVisible = %s", got)
	}
	if got := w.do("getElementCount", args{"text": "Later", "timeoutMs": 3000}); got != "1" {
		t.Errorf("a query with a timeout did not wait: %s", got)
	}
}

// R258, R37: without a device a query is an error, never "false".
func TestQueriesWithoutDevice(t *testing.T) {
	t.Parallel()
	w := open(t, lookPage)
	s, err := session.Open(w.ctx(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []tool.Call{
		{Name: "isVisible", Args: []byte(`{"text":"x"}`)}, {Name: "hasText", Args: []byte(`{"text":"x"}`)},
		{Name: "getElementText", Args: []byte(`{"id":"x"}`)}, {Name: "getElementCount", Args: []byte(`{"id":"x"}`)},
		{Name: "captureScreen"}, {Name: "findMatches", Args: []byte(`{"selector":{}}`)}, {Name: "web_snapshot"},
	} {
		r, err := w.disp.Call(w.ctx(), s, dispatch.CLI, c)
		if err == nil {
			t.Errorf("%s without a device = %q, want an error", c.Name, r.Text())
		}
	}
}

// R190: the founding documents' names for looking.
func TestViewHierarchy(t *testing.T) {
	t.Parallel()
	w := open(t, lookPage)
	standard := w.do("viewHierarchy", nil)
	w.saw(standard, `button "Buy now" e`)
	w.saw(w.do("viewHierarchy", args{"verbosity": "full"}), "Gone")
	w.saw(w.do("viewHierarchy", args{"verbosity": "full"}), "@")
	if got := w.do("viewHierarchy", args{"find": "Sell"}); !strings.Contains(got, "Sell") || strings.Contains(got, "Buy now") {
		t.Errorf("find shows\n%s", got)
	}
	w.saw(w.do("viewHierarchy", args{"changes": true}), "nothing changed")
	w.js(`n.value = 'Grace'`)
	w.do("viewHierarchy", args{"find": "Sell"}) // who saw a part has not seen the rest
	w.saw(w.do("viewHierarchy", args{"changes": true}), "Grace")

	big := open(t, strings.Repeat(`<button>A button with quite a long name</button>`, 120))
	if got := big.do("viewHierarchy", args{"verbosity": "MINIMAL"}); len(got) > 4*600 || len(big.do("viewHierarchy", nil)) < len(got) {
		t.Errorf("MINIMAL shows %d bytes", len(got))
	}
	if got := big.do("viewHierarchy", args{"maxTokens": 100}); len(got) > 400 {
		t.Errorf("100 tokens are %d bytes", len(got))
	}
}

func TestGetScreenshot(t *testing.T) {
	t.Parallel()
	w := open(t, lookPage)
	shot := func(a args) (mime string, width, height int) {
		t.Helper()
		w.do("getScreenshot", a)
		c := w.last.Content
		if len(c) != 2 || c[1].Type != "image" {
			t.Fatalf("%v gives %d pieces, want text and picture", a, len(c))
		}
		pic, _, err := image.DecodeConfig(bytes.NewReader(c[1].Data))
		if err != nil {
			t.Fatal(err)
		}
		var out struct{ Width, Height, Bytes int }
		if err := json.Unmarshal(w.last.Value, &out); err != nil || out.Width != pic.Width || out.Height != pic.Height || out.Bytes != len(c[1].Data) {
			t.Errorf("%v: the data says %s, the picture has %d x %d, %d bytes", a, w.last.Value, pic.Width, pic.Height, len(c[1].Data))
		}
		return c[1].MIME, pic.Width, pic.Height
	}
	for _, tt := range []struct {
		args args
		mime string
		w, h int
	}{
		{nil, "image/jpeg", 1280, 800},
		{args{"format": "png", "maxDimension": 640}, "image/png", 640, 400},
		{args{"format": "WEBP", "quality": 30}, "image/webp", 1280, 800},
	} {
		if mime, wd, h := shot(tt.args); mime != tt.mime || wd != tt.w || h != tt.h {
			t.Errorf("%v: %s %d x %d", tt.args, mime, wd, h)
		}
	}
	if _, wd, h := shot(args{"fullPage": true, "maxDimension": 1000}); h != 1000 || wd >= 1000 {
		t.Errorf("the whole page is %d x %d", wd, h)
	}
	if _, wd, h := shot(args{"ref": w.ref(`button "Buy now"`)}); wd > 200 || h > 60 {
		t.Errorf("a button is %d x %d", wd, h)
	}
	w.refuse(fault.NotFound, "getScreenshot", args{"ref": "Bottom"})
	w.do("web_snapshot", args{"screenshot": true})
	if c := w.last.Content; len(c) != 2 || c[1].Type != "image" {
		t.Errorf("a snapshot with a picture has %d pieces", len(c))
	}
}

// TestVisibleByName: a control whose name is all the text it has is looked for by that, and only while it is seen.
func TestVisibleByName(t *testing.T) {
	t.Parallel()
	w := open(t, `<a href=# aria-label="Cart, empty"><svg width=20 height=20></svg></a>
		<button aria-label="Close it">x</button><button aria-label="Not yet" hidden>y</button>`)
	for text, want := range map[string]string{"Cart, empty": "true", "Close it": "true", "Not yet": "false: "} {
		w.do("isVisible", args{"text": text})
		if got := w.last.Text(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestMatchedRefs proves that a ref which findMatches gives stays good for as long as its element is on the page, also
// where the element is one that snapshots leave out, which is then recorded by the selector that found it.
func TestMatchedRefs(t *testing.T) {
	t.Parallel()
	w := open(t, `<h1>Shop</h1>`)
	const box = `<div class=box><div class=slot style=height:40px></div></div>` +
		`<script>document.addEventListener('click', (e) => { got = e.target.className })</script>`
	for _, tt := range []struct{ name, page, inner string }{
		{"a wrapper", box, "window"},
		{"a wrapper in a frame", `<iframe srcdoc="` + box + `"></iframe>`, "frames[0]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := w.show(t, tt.page)
			w.do("findMatches", args{"selector": args{"web": args{"cssSelector": ".slot"}}})
			var out struct{ Matches []struct{ Ref string } }
			if err := json.Unmarshal(w.last.Value, &out); err != nil || len(out.Matches) != 1 {
				t.Fatalf("findMatches = %s, %v", w.last.Value, err)
			}
			ref := out.Matches[0].Ref
			if strings.Contains(w.screen(), ref) {
				t.Fatalf("a snapshot shows %s, so that this proves nothing", ref)
			}
			for _, ref := range []string{ref, "css=.slot"} {
				w.do("web_click", args{"ref": ref})
				w.is(tt.inner+".got", "slot")
				if kept := string(w.last.Record.Args); !strings.Contains(kept, `{"web":{"cssSelector":".slot"}}`) {
					t.Errorf("a click on %s is recorded by what no replay sees: %s", ref, kept)
				}
			}
			w.js(tt.inner + ".document.querySelector('.box').before('A line that came in between')")
			w.js(tt.inner + ".document.querySelector('.slot').className = 'drawer'")
			w.do("web_click", args{"ref": ref})
			w.is(tt.inner+".got", "drawer")
			w.js(tt.inner + ".document.querySelector('.drawer').remove()")
			w.refuse(fault.NotFound, "web_click", args{"ref": ref})
		})
	}
}
