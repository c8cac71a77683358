package tools_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

func api(rw http.ResponseWriter, _ *http.Request) {
	rw.Header().Set("Content-Type", "application/json")
	_, _ = rw.Write([]byte(`{"price":5}`))
}

const apiPage = `<button onclick="fetch('/api/price').then(r=>r.text()).then(x=>out.textContent=x).catch(()=>out.textContent='failed')">Load</button>
<button onclick="navigator.sendBeacon('/track', JSON.stringify({event:'cart_open'}))">Track</button>
<button onclick="console.warn('careful'); setTimeout(() => { throw new Error('boom') })">Log</button>
<a href="/file" download="report.csv">Download</a>
<p id=out></p>`

func traffic(t *testing.T) *world {
	t.Helper()
	return openAlone(t, apiPage, map[string]http.HandlerFunc{
		"/api/price": api,
		"/track":     func(http.ResponseWriter, *http.Request) {},
		"/file": func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Disposition", `attachment; filename="../../report.csv"`)
			_, _ = rw.Write([]byte("a,b\n"))
		},
	})
}

func TestRequestsAndMocks(t *testing.T) {
	w := traffic(t)
	w.do("web_click", args{"ref": `button "Load"`})
	w.do("web_verifyTextVisible", args{"text": `{"price":5}`})
	w.saw(w.do("web_requests", args{"filter": "/api/"}), "200 GET "+w.server.URL+"/api/price")
	w.saw(w.do("web_requests", args{"failed": true, "filter": "/api/"}), "No such request.")

	w.do("web_mockRoute", args{"pattern": "**/api/*", "body": `{"price":9}`})
	w.do("web_click", args{"ref": `button "Load"`})
	w.do("web_verifyTextVisible", args{"text": `{"price":9}`})
	w.do("web_mockRoute", args{"pattern": "**/api/price", "abort": true}) // the newest wins
	w.do("web_click", args{"ref": `button "Load"`})
	w.do("web_verifyTextVisible", args{"text": "failed"})
	w.saw(w.do("web_requests", args{"failed": true, "filter": "/api/"}), "failed")
	w.do("web_clearRoutes", nil)
	w.do("web_click", args{"ref": `button "Load"`})
	w.do("web_verifyTextVisible", args{"text": `{"price":5}`})
	if list := w.do("web_requests", args{"filter": "/api/", "limit": 1}); !strings.Contains(list, "older requests left out") {
		t.Errorf("limited list = %q, want it to say what it leaves out", list)
	}
}

func TestNetworkEvent(t *testing.T) {
	w := traffic(t)
	w.do("web_click", args{"ref": `button "Track"`})
	w.do("web_assertNetworkEvent", args{"eventName": "cart_open"})
	w.refuse(fault.Assertion, "web_assertNetworkEvent", args{"eventName": "cart", "timeoutMs": 200}) // never inside a word
}

func TestConsole(t *testing.T) {
	w := traffic(t)
	w.do("web_click", args{"ref": `button "Log"`, "effect": "none"})
	w.saw(w.do("web_console", args{"level": "warning"}), "careful")
	if got := w.do("web_console", args{"level": "error"}); !strings.Contains(got, "boom") || strings.Contains(got, "careful") {
		t.Errorf("errors = %q, want boom only", got)
	}
}

func TestDownloads(t *testing.T) {
	w := traffic(t)
	w.saw(w.do("web_downloads", nil), "Nothing was downloaded")
	w.do("web_click", args{"ref": `link "Download"`})
	w.saw(w.do("web_waitForDownload", nil), "report.csv: 4 bytes, completed")
	var f map[string]any
	if err := json.Unmarshal(w.last.Value, &f); err != nil {
		t.Fatal(err)
	}
	if f["path"] != nil || strings.ContainsAny(f["name"].(string), `/\`) {
		t.Errorf("download = %v, want a base name and no path", f)
	}
	w.saw(w.do("web_downloads", nil), "report.csv")
	w.refuse(fault.Assertion, "web_waitForDownload", args{"timeoutMs": 200})
}

func TestStorageState(t *testing.T) {
	w := traffic(t)
	w.js(`localStorage.setItem('token', 'T1'); document.cookie = 'sid=S1'`)
	text := w.do("web_getStorageState", nil)
	if strings.Contains(text, "S1") || strings.Contains(text, "T1") {
		t.Errorf("text = %q tells values", text)
	}
	state := w.last.Value
	w.do("clearAppData", args{"packageId": w.server.URL})
	w.do("web_setStorageState", args{"state": state})
	w.do("web_navigate", args{"action": "RELOAD"})
	w.is(`localStorage.getItem('token') + document.cookie`, "T1sid=S1")
	w.do("web_applyCookies", args{"cookiesJson": `[{"name":"lang","value":"de","domain":"127.0.0.1","path":"/"}]`})
	w.do("web_navigate", args{"action": "RELOAD"})
	w.saw(w.js(`document.cookie`), "lang=de")
	w.do("web_applyCookies", nil)
	w.refuse(fault.Invalid, "web_applyCookies", args{"cookiesJson": "{nonsense"})
}
