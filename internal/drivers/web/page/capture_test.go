package page_test

import (
	"os"
	"testing"
)

func TestSmoke(t *testing.T) {
	l := newLab(t)
	f := os.Getenv("PAGE_FILE")
	if f != "" {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		l.load(string(b))
		t.Log(outline(l.capture(), 0)[:6000])
		return
	}
	root := l.show(`<h1>Hello <b>big</b> world</h1><form aria-label=F><label>Name <input id=i value="x y"></label><select id=s>` +
		`<option>A<option selected>B</select><button disabled>Go</button></form><div style="overflow:auto;height:50px"><p style="height:500px">x</p></div>`)
	t.Log(outline(root, 0))
}
