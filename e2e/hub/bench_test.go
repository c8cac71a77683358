package hub

import "testing"

// What a click costs through the hub: found, clicked, settled, recorded, the screen looked at.
func BenchmarkClick(b *testing.B) {
	h := open(b, map[string]string{"/": `<button onclick="n.textContent=++i">Count</button><p id=n>0</p><script>let i=0</script>`})
	s := h.client("one")
	h.must(s, "", "web_navigate", `{"url":"`+h.pages+`/"}`)
	for b.Loop() {
		h.must(s, "", "web_click", `{"ref":"Count"}`)
	}
}
