package faults

import (
	"strings"
	"testing"
)

// After the crash of the only page, its tab or the device works again: by opening an address, by closing the tab and
// opening one, by a new tab, by closing the device.
func TestCrashedPage(t *testing.T) {
	h := newHouse(t)
	h.Start()
	url := served(t, map[string]string{"/": "<h1>Hello</h1>", "/next": "<h1>Next</h1>"})
	next := func() { h.must("web_navigate", map[string]any{"url": url + "/next"}, `Next`) }
	for _, tt := range []struct {
		name string
		told bool // the crash is known before
		out  func()
	}{
		{"open an address at once", false, next},
		{"open an address", true, next},
		{"open an address of the same site", true, func() { h.must("web_navigate", map[string]any{"url": "/next"}, "Next") }},
		{"load it again", true, func() { h.must("web_navigate", map[string]any{"action": "RELOAD"}, "Hello") }},
		{"open an app", true, func() { h.must("launchApp", map[string]any{"appId": url + "/next"}, "Next") }},
		{"close the tab", true, func() { h.must("web_closeTab", nil); next() }},
		{"close the tab, open another", true, func() {
			h.must("web_closeTab", nil)
			h.must("web_newTab", map[string]any{"url": url + "/next"}, "Next")
		}},
		{"open a tab", true, func() { h.must("web_newTab", map[string]any{"url": url + "/next"}, "Next") }},
		{"close the device", true, func() { h.must("device", map[string]any{"action": "DISCONNECT", "deviceId": "web"}); next() }},
		{"connect the device", true, func() { h.must("device", map[string]any{"action": "WEB"}); next() }},
	} {
		h.must("web_navigate", map[string]any{"url": url + "/"}, "Hello")
		h.crash()
		if tt.told { // else the navigation comes at the very moment of the crash
			for _, tool := range []string{"web_snapshot", "web_currentUrl"} {
				if a := h.call(tool, nil); a.ok() || !strings.Contains(a.raw, "crashed") || !strings.Contains(a.raw, "Navigate") {
					t.Errorf("%s: %s of a crashed page: %.500s", tt.name, tool, a.raw)
				}
			}
		}
		tt.out()
		h.must("web_snapshot", nil)
	}
}

// A page that nests more elements than the browser can draw ends at most itself.
func TestDeepPage(t *testing.T) {
	h := newHouse(t)
	h.Start()
	url := served(t, map[string]string{"/": "<h1>Hello</h1>", "/deep": `<h1>Deep</h1><script>
		let p = document.body
		for (let i = 0; i < 3000; i++) p = p.appendChild(document.createElement("div"))
		p.textContent = "bottom"
	</script>`})
	h.must("web_navigate", map[string]any{"url": url + "/"}, "Hello")
	h.call("web_navigate", map[string]any{"url": url + "/deep"})
	h.call("web_snapshot", nil)
	h.must("web_navigate", map[string]any{"url": url + "/"}, "Hello")
	h.call("web_evaluate", map[string]any{"script": `let p = document.body
		for (let i = 0; i < 3000; i++) p = p.appendChild(document.createElement("div"))
		p.textContent = "bottom"`})
	h.call("web_snapshot", nil)
	h.must("web_navigate", map[string]any{"url": url + "/"}, "Hello")
}
