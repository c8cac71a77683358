package web

import (
	"crypto/rand"
	_ "embed"
	"strings"

	protopage "github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// canvasScript runs in the page's own world, for only there the calls that draw text can be heard. Only sessions that hold
// secrets have it. What it heard it tells to who knows a word that no page can: see written in shown.ts.
//
//go:embed canvas.js
var canvasScript string

// hearCanvases begins to note the texts that pages draw on canvases, once there are secrets to look for. Device.mu is held.
func (d *Device) hearCanvases() {
	if d.canvasWord != "" {
		return
	}
	d.canvasWord = rand.Text()
	for _, h := range d.hosts {
		d.hearCanvasesOf(h)
	}
}

func (d *Device) hearCanvasesOf(h *host) {
	cdp.Send(h.sess, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: strings.ReplaceAll(canvasScript, "WORD", d.canvasWord), RunImmediately: new(true),
	})
}
