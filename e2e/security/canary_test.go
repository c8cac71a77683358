package security

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/color"
	_ "image/jpeg" // what screenshots are
	_ "image/png"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	_ "golang.org/x/image/webp"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// canary is a secret that every encoding spells differently.
const canary = `Kanarie-7&Q"z<W+9é/xY`

// leaky is a page that does with a secret all that pages do: every place it puts the value has a fixed spot on the
// screen.
const leaky = `<!doctype html><title>Sign in</title><style>
 body{margin:0;font:20px monospace} input,p,button,pre{position:absolute;left:20px;width:400px;height:40px;margin:0;box-sizing:border-box}
 #pw{top:20px} #other{top:80px} #out{top:140px} #frame{position:absolute;left:20px;top:200px;width:400px;height:40px;border:0}
#go{top:300px} #harmless{top:360px} #letters{top:420px} canvas{position:absolute;left:20px;top:480px} #gen{top:540px} #gen::before{content:attr(data-v)}</style>
<input id=pw aria-label=Password><input id=other aria-label=Other><p id=out></p><iframe id=frame></iframe><button id=go>Leak</button><p
id=harmless>Harmless text</p><p id=letters></p><canvas id=cv width=400 height=40></canvas><p id=gen></p>
<script>
go.onclick = async () => {
  const v = pw.value, e = encodeURIComponent(v);
  console.log("typed " + v, {v}, btoa(unescape(e))); console.error(v);
  document.title = "Hello " + v;
  history.pushState({}, "", "?q=" + e + "#" + v);
  out.textContent = v; gen.dataset.v = v;
  letters.replaceChildren(...[...v].map(c => Object.assign(document.createElement("b"), {textContent: c})));
  const pen = cv.getContext("2d"); pen.font = "20px monospace"; [...v].forEach((c, i) => pen.fillText(c, 12 * i, 20));
  frame.srcdoc = "<body style='margin:0;font:20px monospace'><div style='height:40px'>" + v.replace(/[<&"]/g, c => "&#" + c.charCodeAt(0) + ";") + "</div>";
  localStorage.setItem("k", v); sessionStorage.setItem("k", v); document.cookie = "c=" + e + ";max-age=999";
  out.setAttribute("aria-description", v); out.dataset.v = v;
  await fetch("/collect?x=" + e, {method: "POST", headers: {"X-Secret": e, "Authorization": "Basic " + btoa("user:" + unescape(e))},
body: JSON.stringify({v})}).then(r => r.text()).then(t => console.log(t));
  new Image().src = "/pixel?" + e; fetch("/missing/" + e);
  document.body.dataset.done = 1;
  setTimeout(() => { throw new Error("boom " + v) });
};
</script>`

// forms are the spellings of the canary to look for.
func forms() map[string]string {
	quoted, _ := json.Marshal(canary)
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(canary)
	twice, _ := json.Marshal(string(quoted))
	out := map[string]string{
		"raw": canary, "JSON": string(quoted[1 : len(quoted)-1]), "JSON, lean": strings.Trim(strings.TrimSpace(plain.String()), `"`),
		"JSON in JSON": strings.Trim(string(twice), `"\`),
		"query":        url.QueryEscape(canary), "path": url.PathEscape(canary), "encodeURIComponent": strings.ReplaceAll(url.QueryEscape(canary), "+", "%20"),
		"lower hex": strings.ToLower(url.QueryEscape(canary)), "HTML": html.EscapeString(canary), "hex": hex.EncodeToString([]byte(canary)),
		"fragment": "Kanarie-7&Q%22z%3CW+9%C3%A9/xY", "its beginning": "Kanarie-7", "base64 of its beginning": "S2FuYXJpZS03",
	}
	for shift := range 3 {
		s := base64.RawStdEncoding.EncodeToString(append(bytes.Repeat([]byte{'u'}, shift), canary...))
		out[fmt.Sprint("base64 ", shift)] = s[4 : len(s)-4]
	}
	return out
}

// search looks for the canary in data, also in what is compressed or encoded inside of it.
func search(t *testing.T, where string, data []byte, depth int) {
	t.Helper()
	for name, form := range forms() {
		if i := bytes.Index(data, []byte(form)); i >= 0 {
			t.Errorf("%s holds the secret (%s): …%q…", where, name, data[max(0, i-80):min(len(data), i+len(form)+20)])
			return
		}
	}
	if depth == 0 {
		return
	}
	if r, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		if plain, err := io.ReadAll(r); err == nil {
			search(t, where+" (unzipped)", plain, depth-1)
		}
	}
	for _, run := range regexp.MustCompile(`[A-Za-z0-9+/]{200,}={0,2}`).FindAll(data, -1) {
		plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(run), "="))
		if err != nil {
			continue
		}
		if r, err := zlib.NewReader(bytes.NewReader(plain)); err == nil {
			if more, err := io.ReadAll(r); err == nil {
				search(t, where+" (inflated)", more, depth-1)
			}
		}
		search(t, where+" (decoded)", plain, depth-1)
	}
}

// spots are where the page shows the secret.
var spots = map[string]image.Rectangle{
	"the field": image.Rect(30, 26, 410, 54), "the other field": image.Rect(30, 86, 410, 114), "the text": image.Rect(24, 144, 410, 176),
	"the frame":   image.Rect(24, 204, 410, 224),
	"the letters": image.Rect(24, 426, 200, 438), "the canvas": image.Rect(24, 484, 410, 516), "generated text": image.Rect(24, 544, 410, 576),
}

// blank checks that a picture of the whole page shows nothing at the spots. It says whether it was such a picture.
func blank(t *testing.T, where string, data []byte) bool {
	t.Helper()
	pic, _, err := image.Decode(bytes.NewReader(data))
	if err != nil || pic.Bounds().Dx() != 1280 || pic.Bounds().Dy() != 800 {
		return false
	}
	for name, r := range spots {
		if spread(pic, r) > 40 { // JPEG is not exact
			t.Errorf("%s shows something at %s", where, name)
		}
	}
	return true
}

// spread is how far the brightness of the pixels of a box is apart.
func spread(pic image.Image, r image.Rectangle) int {
	lo, hi := 255, 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			v := int(color.GrayModel.Convert(pic.At(x, y)).(color.Gray).Y)
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return hi - lo
}

// TestCanary types a secret into a page that gives it away in every way it can, and looks for it in every byte that
// comes out or stays behind (D20, E: secrets).
func TestCanary(t *testing.T) {
	srv, collected := serveLeaky(t)
	h := newHouse(t, "TRAILBLAZE_SECRET_pw="+canary)
	h.Write("trails/config/policy.yaml", "secrets:\n  pw: {origin: '"+srv+"'}\n")
	h.Start()
	type args = map[string]any

	// A person and an agent, on the same page.
	h.must("web_navigate", args{"url": srv})
	h.must("web_fillSecret", args{"ref": "Password", "name": "pw", "reason": "sign in"})
	h.must("web_type", args{"ref": "Other", "text": "{{pw}}"})
	h.must("web_click", args{"ref": "Leak"})
	if got := h.must("web_evaluate", args{"script": "new Promise(r => { const f = () => document.body.dataset.done ? " +
		"r(pw.value.length) : setTimeout(f, 10); f() })"}); got.text() != fmt.Sprint(len([]rune(canary))) {
		t.Fatalf("the page has not the secret: %s", got.raw)
	}
	if !collected() {
		t.Error("the page did not send the secret: the test proves nothing")
	}
	for _, c := range []struct {
		tool string
		args args
	}{
		{"web_snapshot", nil}, {"web_snapshot", args{"detail": []string{"ALL_ELEMENTS", "CSS_SELECTORS", "BOUNDS"}}},
		{"takeSnapshot", args{"screenName": "after"}}, {"captureScreen", args{"screenName": "shot"}},
		{"web_currentUrl", nil}, {"web_listTabs", nil}, {"web_listFrames", nil}, {"web_console", nil}, {"web_requests", nil},
		{"web_getStorageState", nil}, {"dumpMemory", nil},
		{"web_evaluate", args{"script": "document.documentElement.outerHTML"}},
		{"web_evaluate", args{"script": "({t: document.title, l: {...localStorage}, c: document.cookie, b: " +
			"btoa(unescape(encodeURIComponent(pw.value))), e: escape(pw.value)})"}},
		{"web_evaluate", args{"script": "[letters.outerHTML, letters.innerText, [...pw.value].reverse().join(''), pw.value.toUpperCase()]"}},
		{"web_evaluate", args{"script": "throw new Error('no ' + pw.value)"}}, {"getElementText", args{"text": "Kanarie"}},
		{"findMatches", args{"selector": args{"css": "#out"}}},
		{"web_verifyTextVisible", args{"text": "Kanarie-8"}}, {"web_verifyValue", args{"ref": "Other", "value": "wrong"}},
		{"web_click", args{"ref": "Kanarie"}}, {"web_navigate", args{"url": "http://127.0.0.1:1/{{pw}}"}},
		{"web_navigate", args{"url": srv + "/?again={{pw}}"}}, {"web_fillSecret", args{"ref": "Password", "value": "{{pw}}"}},
		{"web_waitForUrl", args{"pattern": "nowhere", "timeoutMs": 50}}, {"web_click", args{"ref": "Leak"}},
		{"session", args{"action": "INFO"}}, {"session", args{"action": "RECORDING"}}, {"session", args{"action": "ARTIFACTS"}}, {"status", nil},
		{"session", args{"action": "SAVE", "title": "Sign in"}},
	} {
		h.call(c.tool, c.args)
	}
	pictures := h.leakToAgent(t, srv)
	h.run("snapshot")
	h.run("session", "info")
	h.run("session", "recording")
	h.run("session", "artifacts")
	h.run("session", "save", "-t", "From the shell")
	h.run("daemon", "status", "--json")
	h.run("daemon", "logs", "-n", "500")
	h.run("tool", "web_console")
	h.leakInReplay(t, srv)
	h.run("daemon", "stop")
	for _, name := range []string{"junit.xml", "report/report.html", "report/report.json", "trails/sign-in.trail.yaml"} {
		if _, err := os.Stat(filepath.Join(h.Work, filepath.FromSlash(name))); err != nil {
			t.Errorf("not searched: %v", err)
		}
	}

	h.mu.Lock()
	heard := bytes.Clone(h.heard.Bytes())
	h.mu.Unlock()
	if len(heard) < 10_000 || !bytes.Contains(heard, []byte("••••••")) {
		t.Errorf("only %d bytes were heard: the test proves nothing", len(heard))
	}
	search(t, "a reply", heard, 1)
	files, drawn := searchFiles(t, h.Root, blank)
	pictures += drawn
	t.Logf("%d bytes of replies, %d files and %d pictures searched", len(heard), files, pictures)
	if files < 10 || pictures < 3 {
		t.Errorf("%d files and %d pictures: the test proves nothing", files, pictures)
	}
}

// serveLeaky serves a page that shows and sends what is typed into it; collected reports whether it has sent the secret.
func serveLeaky(t *testing.T) (page string, collected func() bool) {
	var mu sync.Mutex
	sent := false
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, leaky)
		case r.URL.Path == "/collect":
			mu.Lock()
			sent = sent || r.URL.Query().Get("x") == canary && strings.Contains(string(body), "Kanarie")
			mu.Unlock()
			http.SetCookie(w, &http.Cookie{Name: "echo", Value: url.QueryEscape(canary)})
			_, _ = fmt.Fprintf(w, "you sent %s", body)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return sent
	}
}

// leakToAgent has an agent sign in to the page and look at all of it. It returns how many pictures it was shown.
func (h *house) leakToAgent(t *testing.T, page string) (pictures int) {
	type args = map[string]any
	agent := h.agent()
	ask := func(tool string, a args) {
		t.Helper()
		res, err := agent.CallTool(waittest.Context(t), &sdk.CallToolParams{Name: tool, Arguments: a})
		if err != nil {
			t.Errorf("%s: %v", tool, err)
			return
		}
		for _, c := range res.Content {
			if img, ok := c.(*sdk.ImageContent); ok && blank(t, tool+"'s picture", img.Data) {
				pictures++
			}
		}
	}
	ask("web_navigate", args{"url": page})
	ask("addToolCategory", args{"category": "ALL"})
	ask("web_fillSecret", args{"ref": "Password", "name": "pw"})
	ask("web_type", args{"ref": "Other", "text": "{{pw}}"})
	ask("web_click", args{"ref": "Leak"})
	ask("web_snapshot", args{"screenshot": true})
	ask("web_console", nil)
	ask("captureScreen", args{"screenName": "agent"})
	if resources, err := agent.ListResources(t.Context(), nil); err == nil {
		for _, r := range resources.Resources {
			if res, err := agent.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI}); err == nil {
				for _, c := range res.Contents {
					blank(t, r.URI, c.Blob)
				}
			}
		}
	}
	return pictures
}

// leakInReplay replays a trail that types the secret and fails.
func (h *house) leakInReplay(t *testing.T, page string) {
	// Replay, with its reports.
	h.Write("trails/again.trail.yaml", fmt.Sprintf("config: {title: Again, id: again}\ntrail:\n  - step: Sign in\n    recording:\n   "+
		"   web:\n        - web_navigate: {url: '%s'}\n        - web_fillSecret: {ref: 'css=#pw', name: pw}\n        - web_type: {ref: "+
		"'css=#other', text: '{{pw}}'}\n        - web_click: {ref: 'css=#go'}\n        - web_verifyTextVisible: {text: 'nowhere to be seen'}\n", page))
	out, code := h.run("run", "trails", "--junit", "junit.xml", "--report-dir", "report", "--screenshots", "steps", "--record", "")
	t.Logf("run: exit %d", code)
	if code == 0 || !strings.Contains(out, "Again") {
		t.Errorf("the trail should have been played, and failed: %s", out)
	}
}

// searchFiles looks for the canary in each file below root, and says how many files and blank
// pictures it saw.
func searchFiles(t *testing.T, root string, blank func(*testing.T, string, []byte) bool) (files, pictures int) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if strings.Contains(path, "Kanarie") {
			t.Errorf("the name of %s holds the secret", path)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		rel, _ := filepath.Rel(root, path)
		search(t, rel, data, 2)
		if blank(t, rel, data) {
			pictures++
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return files, pictures
}

// TestOrigin proves D21: a secret is typed into its declared origin only; elsewhere nothing is typed at all, and
// neither into a frame of another origin.
func TestOrigin(t *testing.T) {
	field := `<title>Field</title><label>Password <input id=pw oninput="document.title='typed'" onkeydown="document.title='typed'"></label>`
	other := served(t, field)
	own := served(t, `<label>Own <input id=own></label><iframe src="`+other+`" width=300 height=100></iframe>`)
	h := newHouse(t, "TRAILBLAZE_SECRET_pw="+canary)
	h.Write("trails/config/policy.yaml", "secrets:\n  pw: {origin: '"+own+"'}\n")
	h.Start()
	type args = map[string]any
	untouched := func(what string) {
		t.Helper()
		if got := h.must("web_evaluate", args{"script": "document.title + (document.getElementById('pw')?.value ?? '')"}); got.text() != "Field" {
			t.Errorf("%s: the page has %s", what, got.text())
		}
	}
	for _, tool := range []struct {
		name string
		args args
	}{
		{"web_fillSecret", args{"ref": "Password", "name": "pw"}}, {"web_fillSecret", args{"ref": "Password", "value": "{{pw}}"}},
		{"web_type", args{"ref": "Password", "text": "{{pw}}"}},
		{"web_type", args{"ref": "Password", "text": "x " + canary}}, {"inputText", args{"text": "{{pw}}"}},
	} {
		h.must("web_navigate", args{"url": other})
		h.must("web_click", args{"ref": "Password"})
		if a := h.call(tool.name, tool.args); a.kind() != "denied" {
			t.Errorf("%s %v elsewhere: %s", tool.name, tool.args, a.raw)
		}
		untouched(tool.name)
		if got := h.must("web_requests", nil); strings.Contains(got.raw, "Kanarie") {
			t.Errorf("%s: %s", tool.name, got.raw)
		}
	}
	h.must("web_navigate", args{"url": own})
	if a := h.call("web_fillSecret", args{"ref": "Password", "name": "pw"}); a.kind() != "denied" {
		t.Errorf("into another origin's frame: %s", a.raw)
	}
	h.must("web_fillSecret", args{"ref": "Own", "name": "pw"})
	if got := h.must("web_evaluate", args{"script": "document.getElementById('own').value.length"}); got.text() != fmt.Sprint(len([]rune(canary))) {
		t.Errorf("into its own origin: %s", got.raw)
	}
}
