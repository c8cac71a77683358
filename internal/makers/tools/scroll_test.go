package tools_test

import (
	"strconv"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

const tallPage = `<h1>Top</h1>
<div id=box role=region aria-label=Box tabindex=0 style="height:100px;width:200px;overflow:auto"><div style="height:1000px">inside</div></div>
<div style="height:3000px;width:3000px"></div><p>Bottom line</p>
<script>addEventListener('scroll', () => { if (!window.more && scrollY > 1500) { window.more = true;
setTimeout(() => document.body.append(Object.assign(document.createElement('p'), {textContent: 'Loaded later'})), 200) } })</script>`

func (w *world) number(script string) float64 {
	w.t.Helper()
	n, err := strconv.ParseFloat(w.js(script), 64)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func TestScroll(t *testing.T) {
	t.Parallel()
	w := open(t, tallPage)
	w.do("web_scroll", nil)
	w.is(`scrollY`, "500")
	w.do("web_scroll", args{"direction": "up", "amount": 200})
	w.is(`scrollY`, "300")
	w.do("web_scroll", args{"direction": "RIGHT", "amount": 100})
	w.is(`scrollX`, "100")
	w.do("web_scroll", args{"ref": `region "Box"`, "amount": 150})
	w.is(`box.scrollTop`, "150")
	w.do("scroll", nil) // R34
	if w.number(`scrollY`) < 300 {
		t.Errorf("scroll went to %v", w.number(`scrollY`))
	}
}

func TestSwipe(t *testing.T) {
	t.Parallel()
	w := open(t, tallPage)
	w.do("swipe", args{"direction": "UP"}) // the finger goes up, the page further down
	down := w.number(`scrollY`)
	if down <= 0 {
		t.Errorf("after a swipe up scrollY is %v", down)
	}
	w.do("swipe", args{"direction": "DOWN"})
	if up := w.number(`scrollY`); up >= down {
		t.Errorf("after a swipe down scrollY is %v, was %v", up, down)
	}
	w.do("swipeWithRelativeCoordinates", args{"startRelative": "50%,80%", "endRelative": "50%, 20%"})
	if w.number(`scrollY`) <= 0 {
		t.Error("a swipe between points moved nothing")
	}
	w.refuse(fault.Invalid, "swipeWithRelativeCoordinates", args{"startRelative": "50,80", "endRelative": "50%,20%"})
}

func TestScrollUntilTextIsVisible(t *testing.T) {
	t.Parallel()
	w := open(t, tallPage)
	w.do("scrollUntilTextIsVisible", args{"text": "Loaded later"}) // which comes only while one scrolls
	w.do("scrollUntilTextIsVisible", args{"text": "Top", "direction": "UP"})
	w.do("scrollUntilTextIsVisible", args{"textRegex": "Bottom l.*"})
	w.do("scrollUntilTextIsVisible", args{"id": "box"})
	w.refuse(fault.NotFound, "scrollUntilTextIsVisible", args{"text": "Nowhere", "timeoutMs": 3000})
	w.refuse(fault.Invalid, "scrollUntilTextIsVisible", nil)
}
