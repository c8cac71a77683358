package web

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// uniform says whether all pixels of a box have one colour.
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

// TestShownSecretIsPaintedOver proves D20: wherever a page shows a secret, a picture does not; and nothing else is hidden.
func TestShownSecretIsPaintedOver(t *testing.T) {
	t.Parallel()
	const row = `<%[1]s style="all:unset;display:block;height:40px;font:30px monospace;color:%[2]s">%[3]s</%[1]s>`
	body := strings.Join([]string{
		fmt.Sprintf(row, "p", "red", "harmless"),
		fmt.Sprintf(row, "p", "red", "is hunter2"),
		fmt.Sprintf(row, "p", "red", `so <b style="color:blue">hunter2</b> x`),
		fmt.Sprintf(row, "button", "red", "hunter2"),
		`<input aria-label=F value="hunter2" style="all:unset;display:block;height:40px;font:30px monospace;color:red">`,
		`<iframe style="border:0;display:block;height:40px" srcdoc="<body style='margin:0;font:30px monospace;color:red'><div style='height:40px'>hunter2</div>"></iframe>`,
		`<div id=h style="height:40px"></div><script>h.attachShadow({mode:"open"}).innerHTML='<i style="display:block;height:40px;font:30px monospace;color:red">hunter2</i>'</script>`,
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
	d.Conceal(func() func(string) bool {
		if !known {
			return nil
		}
		return func(s string) bool { return strings.Contains(s, "hunter2") }
	})
	known = true
	for _, o := range []driver.ScreenshotOptions{{Format: "png"}, {Format: "png", FullPage: true}} {
		_, pic = shoot(t, d, o)
		if uniform(pic, lines[0]) {
			t.Error("what is no secret is hidden, too")
		}
		for i, r := range lines[1:] {
			if r.Max.X = 120; i == 1 { // only the inner element holds it
				r = image.Rect(57, r.Min.Y+8, 170, r.Max.Y-8)
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
