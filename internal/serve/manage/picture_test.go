package manage_test

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// R273: how pictures are taken is the session's own.
func TestPictureSettings(t *testing.T) {
	h := newHouse(t)
	h.do("config", `{"action":"SET","key":"pictureFormat","value":"png"}`)
	h.do("config", `{"action":"SET","key":"pictureQuality","value":"30"}`)
	h.do("config", `{"action":"SET","key":"pictureMaxDimension","value":"640"}`)
	if got, want := h.client.State().Picture, (driver.ScreenshotOptions{Format: "png", Quality: 30, MaxSize: 640}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if other := h.Client("mcp", "other").State().Picture; other != (driver.ScreenshotOptions{}) {
		t.Errorf("another session has %+v", other)
	}
	h.refused(fault.Invalid, "config", `{"action":"SET","key":"pictureQuality","value":"101"}`)
	h.refused(fault.Invalid, "config", `{"action":"SET","key":"pictureFormat","value":"crayon"}`)
}
