package web

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// uniform reports whether all pixels of a box have one colour.
func uniform(pic image.Image, r image.Rectangle) bool {
	first := color.RGBAModel.Convert(pic.At(r.Min.X, r.Min.Y))
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if color.RGBAModel.Convert(pic.At(x, y)) != first {
				return false
			}
		}
	}
	return true
}

// hunter looks for one secret, forwards and backwards; the real search is tested with memory.
type hunter struct{}

func (hunter) Shows(s string) bool { return strings.Contains(s, "hunter2") }

func (hunter) SplitSecrets(texts []string) []bool {
	out, joined := make([]bool, len(texts)), ""
	var of []int
	for i, s := range texts {
		for _, r := range s {
			if !unicode.IsSpace(r) && r != '\u200b' && r != '\u00ad' {
				joined += string(r)
				of = append(of, i)
			}
		}
	}
	for _, form := range []string{"hunter2", "2retnuh"} {
		for i := range len(joined) - min(len(joined), len(form)-1) {
			if strings.HasPrefix(joined[i:], form) {
				for _, k := range of[i : i+len(form)] {
					out[k] = true
				}
			}
		}
	}
	return out
}

// TestShownSecretIsPaintedOver proves D20: wherever a page shows a secret, a picture does not; and
// nothing else is hidden.
func TestShownSecretIsPaintedOver(t *testing.T) {
	t.Parallel()
	const row = `<%[1]s style="all:unset;display:block;height:40px;font:30px/40px monospace;color:%[2]s">%[3]s</%[1]s>`
	body := strings.Join([]string{
		fmt.Sprintf(row, "p", "red", "harmless"),
		fmt.Sprintf(row, "p", "red", "is hunter2"),
		fmt.Sprintf(row, "p", "red", `so <b style="color:blue">hunter2</b> x`),
		fmt.Sprintf(row, "button", "red", "hunter2"),
		`<input aria-label=F value="hunter2" style="all:unset;display:block;height:40px;font:30px/40px monospace;color:red">`,
		`<iframe style="border:0;display:block;height:40px" srcdoc="<body style='margin:0;font:30px/40px monospace;color:red'>` +
			`<div style='height:40px'>hunter2</div>"></iframe>`,
		`<div id=h style="height:40px"></div><script>h.attachShadow({mode:"open"}).innerHTML='<i style="display:block;height:40px;` +
			`font:30px/40px monospace;color:red">hunter2</i>'</script>`,
	}, "\n")
	srv := serve(t, map[string]string{"/": `<title>hunter2</title><body style="margin:0">` + body})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 300})
	open(t, d, srv.URL+"/")
	lines := []image.Rectangle{}
	for i := range 7 {
		lines = append(lines, image.Rect(2, 40*i+3, 300, 40*i+37))
	}
	_, pic := shoot(t, d, driver.ScreenshotOptions{Format: "png"})
	for i, r := range lines {
		if uniform(pic, r) {
			t.Errorf("line %d shows nothing before there is a secret: the test proves nothing", i)
		}
	}
	known := false
	d.Conceal(func() driver.Secrets {
		if !known {
			return nil
		}
		return hunter{}
	})
	known = true
	for _, o := range []driver.ScreenshotOptions{{Format: "png"}, {Format: "png", FullPage: true}} {
		_, pic = shoot(t, d, o)
		if uniform(pic, lines[0]) {
			t.Error("what is no secret is hidden, too")
		}
		for i, r := range lines[1:] {
			if r.Max.X = 70; i == 1 { // only the inner element holds it, and a narrow font gives the word no more than this
				left := eval[int](t, d, "Math.ceil(document.querySelector('b').getBoundingClientRect().left)")
				r = image.Rect(left+2, r.Min.Y+8, left+62, r.Max.Y-8)
			}
			if !uniform(pic, r) {
				t.Errorf("line %d can be read (%+v)", i+1, o)
			}
		}
	}
	if got := eval[string](t, d, "getComputedStyle(document.querySelector('p:nth-of-type(2)')).color"); got != "rgb(255, 0, 0)" {
		t.Errorf("the paint stayed: %s", got)
	}
}

// hunterSVG is a picture that shows the secret.
const hunterSVG = `%3Csvg xmlns='http://www.w3.org/2000/svg' width='200' height='40'%3E%3Ctext y='30'%3Ehunter2%3C/text%3E%3C/svg%3E`

// letters repeats a format for each letter of the secret: L is the letter, I its place, J that from the end.
func letters(format string) (out string) {
	for i, r := range "hunter2" {
		out += strings.NewReplacer("L", string(r), "I", fmt.Sprint(i), "J", fmt.Sprint(6-i)).Replace(format)
	}
	return out
}

// way is one in which a page shows the secret, or, where its name says harmless, shows another thing.
type way struct{ name, markup string }

func ways() []way {
	return []way{
		{"harmless", `so what`},
		{"a letter in each element", letters(`<span>L</span>`)},
		{"a letter in each block", letters(`<span style="display:inline-block;width:20px">L</span>`)},
		{"a letter in each field", letters(`<input value=L style="all:unset;width:20px;display:inline-block">`)},
		{"letters placed one by one, in any order", `<i style="left:20px">u</i><i style="left:60px">t</i><i style="left:0">h</i>` +
			`<i style="left:40px">n</i><i style="left:120px">2</i><i style="left:80px">e</i><i style="left:100px">r</i>`},
		{"before and after", `<span class=gen></span>`},
		{"an attribute in generated content", `<span class=attr data-v="hunter2"></span>`},
		{"generated quotes", `<q style="quotes:'hunter2' ''"></q>`},
		{"SVG text", `<svg width=200 height=40><text y=30 fill=red>hunter2</text></svg>`},
		{"SVG text, letter by letter", `<svg width=200 height=40><text y=30>` + letters(`<tspan>L</tspan>`) + `</text></svg>`},
		{"a placeholder", `<input placeholder="hunter2" aria-label=x style="all:unset">`},
		{"a select", `<select style="all:unset"><option>a<option selected>hunter2</select>`},
		{"a list box", `<select size=2 style="all:unset;display:block;height:40px"><option>hunter2</select>`},
		{"a label of an option", `<select style="all:unset"><option label=hunter2></select>`},
		{"a text area", `<textarea style="all:unset;display:block;height:40px">hunter2</textarea>`},
		{"a button's value", `<input type=button value=hunter2 style="all:unset">`},
		{"written from the right", `<bdo dir=rtl>2retnuh</bdo>`},
		{"broken lines", `hun<wbr>t<br style="display:none">er&shy;2`},
		{"a picture that is written down", `<img src="data:image/svg+xml,` + hunterSVG + `">`},
		{"a background that is written down", `<div style="height:40px;background:url(&quot;data:image/svg+xml,` + hunterSVG + `&quot;)"></div>`},
		{"a picture in generated content", `<span class=pic></span>`},
		{"a transition", `<span style="transition:all 9s">hunter2</span>`},
		{"an animation", `<span style="animation:a 9s infinite">hunter2</span>`},
		{"rules that weigh more", `<span id=strong>hunter2</span>`},
		{"a layer", `<span class=layered>hunter2</span>`},
		{"an important style of its own", `<span style="color:red!important;background:white!important">hunter2</span>`},
		{"all its own", `<span style="color:red!important;background:white!important;opacity:1!important">hunter2</span>`},
		{"a first line", `<span class=first style="display:block">hunter2</span>`},
		{"a stroke", `<span style="-webkit-text-stroke:2px blue">hunter2</span>`},
		{"a list's marker", `<li style="list-style:'hunter2' inside">`},
		{"an open shadow tree", `<div class=open></div>`},
		{"a closed shadow tree", `<div class=closed></div>`},
		{"a slot", `<div class=slot>` + letters(`<span>L</span>`) + `</div>`},
		{"another origin", `<iframe src="OTHER/inner"></iframe>`},
		{"a canvas, letter by letter", `<canvas class=drawn width=200 height=40></canvas>`},
		{"a canvas drawn on another", `<canvas class=copied width=200 height=40></canvas>`},
		{"a canvas drawn on elsewhere", `<canvas class=offscreen width=200 height=40></canvas>`},
		{"a harmless canvas", `<canvas class=chart width=200 height=40></canvas>`},
	}
}

// waysPage shows all ways, each in a row of 40 pixels.
func waysPage(rows []way) string {
	page := `<!doctype html><title>t</title><style>body{margin:0} .row{height:40px;width:300px;overflow:hidden;font:30px monospace;color:red;
position:relative} .row>i{position:absolute;font-style:normal}
iframe{border:0;width:300px;height:40px} .gen::before{content:"hun"} .gen::after{content:"ter2"} .attr::before{content:attr(data-v)}
.pic::after{content:url("data:image/svg+xml,` + hunterSVG + `")}
#strong#strong#strong{color:red!important;background:white!important;-webkit-text-fill-color:red!important}
@layer x{.layered{color:red!important}} .first::first-line{color:blue!important;-webkit-text-fill-color:blue!important}
@keyframes a{from{color:red}to{color:blue}}</style>`
	for _, r := range rows {
		page += `<div class=row>` + r.markup + "</div>\n"
	}
	return page + `<script>const add = (h, mode) => { h.attachShadow({mode}).innerHTML = "<b style='color:blue'>hun</b><b>ter2</b>" };
add(document.querySelector(".open"), "open"); add(document.querySelector(".closed"), "closed");
document.querySelector(".slot").attachShadow({mode: "open"}).innerHTML = "<p style='margin:0'><slot></slot></p>";
const pen = (c) => Object.assign(c.getContext("2d"), {font: "30px monospace", fillStyle: "red"}), of = (s) => document.querySelector("." + s);
[..."hunter2"].forEach((l, i) => pen(of("drawn")).strokeText(l, 20 * i, 30));
const hidden = document.createElement("canvas"); pen(hidden).fillText("hunter2", 0, 30); pen(of("copied")).drawImage(hidden, 0, 0);
pen(of("offscreen").transferControlToOffscreen()).fillText("hunter2", 0, 30);
pen(of("chart")).fillText("chart", 0, 30);
if (CanvasRenderingContext2D.prototype.fillText.toString().includes("hear")) document.title = "noticed";</script>`
}

// TestHiddenWaysOfShowing proves D20 for the ways that are no plain text: each row shows the secret
// and nothing else, and none of it is left in the picture; the row that shows something else stays.
func TestHiddenWaysOfShowing(t *testing.T) {
	t.Parallel()
	rows := ways()
	inner := `<body style="margin:0;font:30px monospace;color:red">` + letters(`<b>L</b>`)
	other := serve(t, map[string]string{"/inner": inner})
	srv := serve(t, map[string]string{"/": strings.ReplaceAll(waysPage(rows), "OTHER", strings.Replace(other.URL, "127.0.0.1", "localhost", 1))})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 40 * len(rows)})
	open(t, d, srv.URL+"/")
	box := func(i int) image.Rectangle { return image.Rect(0, 40*i+3, 300, 40*i+37) }
	_, pic := shoot(t, d, driver.ScreenshotOptions{Format: "png"})
	for i, r := range rows {
		if uniform(pic, box(i)) {
			t.Errorf("%s: shows nothing before there is a secret: the test proves nothing", r.name)
		}
	}
	d.Conceal(func() driver.Secrets { return hunter{} })
	open(t, d, srv.URL+"/") // canvases are heard from then on
	_, pic = shoot(t, d, driver.ScreenshotOptions{Format: "png"})
	for i, r := range rows {
		if legible := legible(pic, box(i)); legible != strings.Contains(r.name, "harmless") {
			t.Errorf("%s: legible: %v", r.name, legible)
		}
	}
	_, pic = shoot(t, d, driver.ScreenshotOptions{Format: "png"})
	if legible(pic, box(1)) {
		t.Error("the second picture shows what the first hid")
	}
	d.Conceal(nil)
	_, pic = shoot(t, d, driver.ScreenshotOptions{Format: "png"})
	for i, r := range rows {
		if uniform(pic, box(i)) {
			t.Errorf("%s: the paint stayed", r.name)
		}
	}
}

// TestSlowFrameIsCovered: a frame in a process of its own that draws late, or not at all, shows no secret either.
func TestSlowFrameIsCovered(t *testing.T) {
	t.Parallel()
	for name, draws := range map[string]string{
		"late":  `(function f() { const t = performance.now(); while (performance.now() - t < 150); requestAnimationFrame(f) })()`,
		"never": `requestAnimationFrame(function f() { const t = performance.now(); while (performance.now() - t < 1500); requestAnimationFrame(f) })`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inner := `<body style="margin:0;font:30px monospace;color:red"><b>hunter2</b>` +
				`<script>onmessage = e => { ` + draws + `; e.source.postMessage(1, "*") }</script>`
			other := serve(t, map[string]string{"/inner": inner})
			src := strings.Replace(other.URL, "127.0.0.1", "localhost", 1) + "/inner"
			srv := serve(t, map[string]string{"/": `<body style="margin:0"><iframe style="border:0;width:300px;height:40px" src="` + src + `"></iframe>`})
			d := newDevice(t, DeviceOptions{Width: 400, Height: 100})
			open(t, d, srv.URL+"/")
			if _, pic := shoot(t, d, driver.ScreenshotOptions{Format: "png"}); !legible(pic, image.Rect(0, 0, 300, 40)) {
				t.Error("shows nothing before there is a secret: the test proves nothing")
			}
			eval[bool](t, d, `new Promise(done => { onmessage = () => done(true); frames[0].postMessage(1, "*") })`)
			d.Conceal(func() driver.Secrets { return hunter{} })
			if img, err := d.Screenshot(deadline(t), driver.ScreenshotOptions{Format: "png"}); fault.KindOf(err) == fault.Degraded {
				t.Log("no picture is taken:", err) // on a busy machine the frame may not even say what it shows
			} else if legible(decode(t, img, err), image.Rect(0, 0, 300, 40)) {
				t.Error("the picture shows a secret")
			}
		})
	}
}

// legible reports whether a box shows other colours than the white of the page and the grey of the
// paint.
func legible(pic image.Image, r image.Rectangle) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if c := color.RGBAModel.Convert(pic.At(x, y)).(color.RGBA); c.R != c.G || c.G != c.B || c.R < 0x80 {
				return true
			}
		}
	}
	return false
}

// TestTakenApart: a secret that a page takes apart stands in no text of a capture, and what is
// asked of a screen is still answered by what it shows.
func TestTakenApart(t *testing.T) {
	t.Parallel()
	page := `<title>t</title><p>so what</p><p>`
	for _, r := range "hunter2" {
		page += fmt.Sprintf(`<b>%c</b>`, r)
	}
	for i, r := range "hunter2" {
		page += fmt.Sprintf(`<input aria-label="digit %d" value=%c>`, i, r)
	}
	srv := serve(t, map[string]string{"/": page})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 300})
	open(t, d, srv.URL+"/")
	leaks := regexp.MustCompile(`"[hu]"(?:[^:]|$)`).MatchString
	before := snapshot(t, d)
	if !leaks(text.Of(before, text.Options{})) {
		t.Fatal("there is nothing to hide: the test proves nothing")
	}
	d.Conceal(func() driver.Secrets { return hunter{} })
	s := snapshot(t, d) // the page has not changed, what is looked for has
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	eval[bool](t, d, `(document.querySelector("p").textContent = "so be it", true)`)
	after := snapshot(t, d)
	for name, text := range map[string]string{
		"text": text.Of(s, text.Options{Detail: []string{text.DetailAll}}), "JSON": string(raw), "difference": text.Changes(diff.Between(nil, s), 0),
		"changes": text.Changes(diff.Between(before, after), 0),
		"masked":  text.Of(s.Masked(strings.ToLower), text.Options{}),
	} {
		if leaks(text) {
			t.Errorf("%s gives the secret away:\n%s", name, text)
		}
	}
	if text := text.Of(s, text.Options{}); !strings.Contains(text, "so what") || !strings.Contains(text, "digit 3") {
		t.Errorf("what is no secret is hidden, too:\n%s", text)
	}
	if n := byName(t, s, "textbox", "digit 0"); n.Value != "h" {
		t.Errorf("the field's value cannot be compared any more: %q", n.Value)
	}
}
