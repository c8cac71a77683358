package web

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// TestScroll proves that a scroll says whether anything moved (R34).
func TestScroll(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<div id=box style="height:200px;overflow:auto"><div id=in style="height:900px">x</div></div>`+
		`<div style="height:3000px"></div><p id=end>end</p>`)
	e := perform(t, d, driver.Scroll{DY: 400})
	want(t, "page", js(t, d, "scrollY"), "400")
	if !e.Changes.Scroll {
		t.Errorf("effect %+v", e)
	}
	perform(t, d, driver.Scroll{DY: -400})
	e = perform(t, d, driver.Scroll{Target: at(node(t, d, "#in")), DY: 150})
	want(t, "box", js(t, d, "[box.scrollTop,scrollY]"), "[150,0]")
	want(t, "method", e.Method, "wheel")
	e = perform(t, d, driver.Scroll{DX: 100})
	if e.Changes.Scroll || !strings.Contains(strings.Join(e.Retries, ""), "nothing to scroll") {
		t.Errorf("effect %+v", e)
	}
	e = perform(t, d, driver.ScrollIntoView{Target: at(node(t, d, "#end"))})
	want(t, "end in view", js(t, d, "end.getBoundingClientRect().bottom<=innerHeight"), "true")
	if !e.Changes.Scroll || !e.Changes.Verified {
		t.Errorf("effect %+v", e.Changes)
	}
	e = perform(t, d, driver.ScrollIntoView{Target: at(node(t, d, "#end"))})
	if e.Changes.Scroll || !e.Changes.Verified {
		t.Errorf("effect %+v", e.Changes)
	}
}

func TestScrollPageWhoseBodyStandsStill(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<style>body{margin:0;height:100vh;overflow:hidden;display:flex}nav{width:200px}main{flex:1;overflow-y:auto}`+
		`</style><nav>n</nav><main><div style="height:4000px"></div></main>`)
	e := perform(t, d, driver.Scroll{DY: 300})
	want(t, "main", js(t, d, "document.querySelector('main').scrollTop"), "300")
	if !e.Changes.Scroll {
		t.Errorf("effect %+v", e)
	}
}

func TestScrollInFrames(t *testing.T) {
	t.Parallel()
	d := actPages(t, map[string]string{
		"/":   `<div style="height:1500px"></div><iframe style="height:200px" src="OTHER/in"></iframe><div style="height:1500px"></div>`,
		"/in": `<div style="height:2000px"></div><p id=p>p</p>`,
	}, DeviceOptions{})
	e := perform(t, d, driver.ScrollIntoView{Target: at(node(t, d, "#p", "/in"))})
	if !e.Changes.Scroll || !e.Changes.Verified {
		t.Errorf("effect %+v", e.Changes)
	}
	want(t, "top", js(t, d, "scrollY>900"), "true")
	want(t, "inner", js(t, d, "scrollY>1500", "/in"), "true")
	perform(t, d, driver.Scroll{Target: at(node(t, d, "#p", "/in")), DY: -500})
	want(t, "inner", js(t, d, "scrollY<1500", "/in"), "true")
}

// TestSwipeAndPinch proves the gestures (R34) with a finger and without.
func TestSwipeAndPinch(t *testing.T) {
	t.Parallel()
	body := `<meta name=viewport content="width=device-width"><div id=z style="height:4000px;background:linear-gradient(red,blue)">` +
		`</div><script>window.t=0;addEventListener('touchmove',e=>t=Math.max(t,e.touches.length))</script>`
	for _, preset := range []string{"", "iPhone 14"} {
		t.Run("preset "+preset, func(t *testing.T) {
			d := actPages(t, map[string]string{"/": body}, DeviceOptions{Preset: preset})
			e := perform(t, d, driver.Swipe{From: point{X: 200, Y: 500}, To: point{X: 200, Y: 200}})
			want(t, "scrolled", js(t, d, "scrollY>100"), "true")
			if !e.Changes.Scroll {
				t.Errorf("effect %+v", e.Changes)
			}
			e = perform(t, d, driver.Pinch{Scale: 2})
			want(t, "zoomed", js(t, d, "visualViewport.scale>1.2"), "true")
			if !e.Changes.Any() {
				t.Errorf("effect %+v", e.Changes)
			}
			if preset != "" {
				want(t, "fingers", js(t, d, "t"), "2")
			}
		})
	}
}
