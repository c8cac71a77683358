package tools_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

func TestNavigate(t *testing.T) {
	t.Parallel()
	w := open(t, `<h1>Home</h1>`, map[string]http.HandlerFunc{
		"/a":     html(`<h1>A</h1>`),
		"/b":     html(`<h1>B</h1>`),
		"/gone":  func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "gone", http.StatusGone) },
		"/moved": func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, "/b", http.StatusFound) },
	})
	heading := func(want string) {
		t.Helper()
		w.is(`document.querySelector('h1').textContent`, want)
	}
	w.saw(w.do("web_navigate", args{"url": "/a"}), "/a")
	heading("A")
	w.saw(w.do("web_navigate", args{"url": "/moved"}), "The page is now "+w.server.URL+"/b")
	heading("B")
	w.do("web_navigate", args{"action": "back"}) // enums are read in any case
	heading("A")
	w.do("web_navigate", args{"action": "FORWARD"})
	heading("B")
	w.do("pressBack", nil)
	heading("A")
	w.do("pressKey", args{"keyCode": "BACK"})
	heading("Home")
	w.do("openUrl", args{"url": w.server.URL + "/a"})
	heading("A")
	w.do("navigate", args{"url": w.server.URL + "/b"}) // R35
	heading("B")
	w.saw(w.do("web_navigate", args{"url": "/gone", "expectStatus": 410}), "HTTP 410")
	if e := w.last.Evidence.Effect; e == nil || e.Status != 410 {
		t.Errorf("effect = %+v, want the status for the player", e)
	}
	w.refuse(fault.Invalid, "web_navigate", args{})
	w.refuse(fault.Invalid, "web_navigate", args{"url": "not a page"})
	if _, err := w.call("web_navigate", args{"url": "http://127.0.0.1:1/"}); err == nil {
		t.Error("a server that is not there was opened")
	}

	t.Run("a local file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(path, []byte("<h1>File</h1>"), 0o600); err != nil {
			t.Fatal(err)
		}
		w.do("web_navigate", args{"url": "about:blank"}) // on a web page a path is the site's
		w.do("web_navigate", args{"url": path})
		heading("File")
	})
}

func TestURL(t *testing.T) {
	t.Parallel()
	w := open(t, `<a href="#later" onclick="setTimeout(()=>location.hash='done',300)">Go</a>`)
	w.saw(w.do("web_currentUrl", nil), w.server.URL)
	w.do("web_click", args{"ref": `link "Go"`})
	w.saw(w.do("web_waitForUrl", args{"pattern": `#done$`}), "#done")
	err := w.refuse(fault.Assertion, "web_waitForUrl", args{"pattern": "never", "timeoutMs": 200})
	if !strings.Contains(err.Error(), "#done") {
		t.Errorf("error = %v, want the URL that is there", err)
	}
	w.refuse(fault.Invalid, "web_waitForUrl", args{"pattern": "("})
}

// R224: the apps are listed by what they are on this platform.
func TestLaunchApp(t *testing.T) {
	t.Parallel()
	w := open(t, `<h1>Home</h1>`)
	w.js(`sessionStorage.setItem('seen', localStorage.seen = '1'); document.cookie = 'a=b'`)
	w.do("launchApp", args{"appId": w.server.URL, "launchMode": "RESUME"})
	w.is(`localStorage.getItem('seen')`, "1")
	w.do("launchApp", args{"appId": w.server.URL, "launchMode": "FORCE_RESTART"})
	w.is(`localStorage.getItem('seen')`, "1")
	w.do("launchApp", args{"appId": w.server.URL})
	w.is(`localStorage.getItem('seen')`, "null")
	w.is(`sessionStorage.getItem('seen') + document.cookie`, "null")
	w.js(`localStorage.setItem('seen', '1')`)
	w.saw(w.do("mobile_listInstalledApps", nil), w.server.URL)
	w.do("clearAppData", args{"packageId": w.server.URL}) // R24
	w.is(`localStorage.getItem('seen')`, "null")
}

func TestTabs(t *testing.T) {
	t.Parallel()
	w := open(t, `<title>First</title><a target=_blank href="/two">Open</a>`, map[string]http.HandlerFunc{"/two": html(`<h1>Second</h1>`)})
	w.saw(w.do("web_click", args{"ref": `link "Open"`}), "It opened tab")
	list := w.do("web_listTabs", nil)
	if strings.Count(list, "\n") != 1 || !strings.Contains(list, "/two") {
		t.Errorf("tabs:\n%s\nwant two", list)
	}
	w.do("web_switchTab", args{"url": "/two"})
	w.is(`document.querySelector('h1').textContent`, "Second")
	w.do("web_switchTab", args{"index": 0})
	w.is(`location.pathname`, "/")
	w.do("web_newTab", args{"url": w.server.URL + "/two"})
	w.is(`location.pathname`, "/two")
	w.refuse(fault.Invalid, "web_switchTab", args{"url": "/two"}) // two of them
	w.refuse(fault.NotFound, "web_switchTab", args{"tab": "t99"})
	w.do("web_closeTab", nil)
	if n := strings.Count(w.do("web_listTabs", nil), "\n"); n != 1 {
		t.Errorf("%d tabs after closing one, want 2", n+1)
	}
}

func TestFrames(t *testing.T) {
	t.Parallel()
	w := open(t, `<h1>Top</h1><iframe title=Pay src="/frame"></iframe>`, map[string]http.HandlerFunc{
		"/frame": html(`<button onclick="this.textContent='Paid'">Pay</button>`),
	})
	w.do("web_click", args{"ref": `button "Pay"`})
	w.do("web_verifyTextVisible", args{"text": "Paid"})
	w.saw(w.do("web_listFrames", nil), `"Pay"`)
}

func TestDialogs(t *testing.T) {
	t.Parallel()
	w := open(t, `<button onclick="out.textContent = confirm('Sure?')">Ask</button>`+
		`<button onclick="out.textContent = prompt('Name?')">Prompt</button><p id=out></p>`)
	w.saw(w.do("web_click", args{"ref": `button "Ask"`}), `"Sure?"`)
	w.is(`out.textContent`, "false")
	w.do("web_setDialogPolicy", args{"policy": "accept", "answer": "Ada"})
	w.do("web_click", args{"ref": `button "Ask"`})
	w.is(`out.textContent`, "true")
	w.do("web_click", args{"ref": `button "Prompt"`})
	w.is(`out.textContent`, "Ada")
	w.saw(w.do("web_dialogs", nil), `confirm "Sure?": dismissed`)

	w.do("web_setDialogPolicy", args{"policy": "keep"})
	w.do("web_click", args{"ref": `button "Ask"`})
	w.do("web_handleDialog", args{"accept": true})
	w.do("web_setDialogPolicy", args{"policy": "default"})
	w.is(`out.textContent`, "true")
	w.refuse(fault.NotFound, "web_handleDialog", args{"accept": true})
}

func TestViewport(t *testing.T) {
	t.Parallel()
	w := open(t, `<meta name=viewport content="width=device-width"><h1>Page</h1>`)
	w.do("web_resize", args{"width": 640, "height": 480})
	w.is(`innerWidth + 'x' + innerHeight`, "640x480")
	w.refuse(fault.Invalid, "web_resize", args{"width": 1, "height": 480})
	w.do("web_emulate", args{"device": "iPhone 14"})
	w.is(`innerWidth`, "390")
	w.do("web_emulate", args{"device": ""})
	if _, err := w.call("web_emulate", args{"device": "No Such Phone"}); err == nil {
		t.Error("an unknown device was emulated")
	}
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	w := open(t, `<h1 id=h>Page</h1>`)
	w.is(`1 + 1`, "2")
	w.is(`({a: [1]})`, `{"a":[1]}`)
	w.is(`() => document.title`, "Test")
	if got := w.do("web_evaluate", args{"script": "(e) => e.id", "ref": `heading "Page"`}); got != "h" {
		t.Errorf("evaluate on an element = %q, want h", got)
	}
	if got := w.do("evaluateJs", args{"script": "document.title"}); got != "Test" { // R35
		t.Errorf("evaluateJs = %q", got)
	}
	if _, err := w.call("web_evaluate", args{"script": "throw new Error('boom')"}); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("error = %v, want the page's", err)
	}
}
