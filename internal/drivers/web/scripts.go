package web

import (
	"crypto/rand"
	_ "embed"
	"strings"

	protopage "github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

// timersScript reports the timers that a page sets, which only its own world can intercept. An
// action waits for those that the action before it started: see overdue in settle.ts.
//
//go:embed timers.js
var timersScript string

// canvasScript records the texts that a page draws on canvases. It runs in the page's own world,
// the only one where the drawing calls can be intercepted, and only in sessions that hold secrets.
// It hands the texts to callers that know a token, which no page can know: see written in shown.ts.
//
//go:embed canvas.js
var canvasScript string

// recordCanvasText begins to record the texts that pages draw on canvases, once there are secrets
// to look for. The lock is held.
func (d *Device) recordCanvasText() {
	if d.canvasToken != "" {
		return
	}
	d.canvasToken = rand.Text()
	for _, h := range d.frames.Hosts {
		d.recordCanvasTextOf(h)
	}
}

func (d *Device) recordCanvasTextOf(h *frames.Host) {
	cdp.Send(h.Session, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: strings.ReplaceAll(canvasScript, "WORD", d.canvasToken), RunImmediately: new(true),
	})
}
