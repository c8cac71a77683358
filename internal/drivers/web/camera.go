package web

import (
	"crypto/rand"
	_ "embed"
	"strings"

	protopage "github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/refs"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// camera takes the captures and pictures of a device.
type camera struct {
	frames    *frames.Set // its lock guards the rest
	viewport  func() viewport
	capturing chan struct{} // holds one token: captures work on shared mirrors

	refs        refs.Table
	secrets     map[screen.NodeID]bool // fields a secret was typed into
	conceal     func() driver.Secrets  // the secrets that must not be seen
	canvasToken string                 // unlocks the texts drawn on canvases; "" while they are not recorded

	seq            uint64
	marks          []mark           // of the newest captures, for WaitChange
	last           *screen.Snapshot // the newest
	lastCSS        []string         // its CSS selectors
	lastGeneration uint64           // when it was taken
	lastSecrets    driver.Secrets   // the secrets it was searched for
}

// viewport is the size that is emulated, in CSS px, and how many pixels of the screen each takes.
type viewport struct {
	Width, Height int
	Scale         float64
}

// newCamera is the camera of a device. size is asked with the lock of the frames held.
func newCamera(set *frames.Set, size func() viewport) *camera {
	c := &camera{
		frames: set, viewport: size, capturing: make(chan struct{}, 1), secrets: map[screen.NodeID]bool{},
	}
	c.capturing <- struct{}{}
	return c
}

// keepSecret notes that a secret was typed into an element: from now on its content leaves the
// browser neither as text nor in a picture.
func (c *camera) keepSecret(doc *frames.Document, element int64) {
	c.frames.Lock()
	defer c.frames.Unlock()
	c.secrets[doc.NodeID(element)] = true
	c.frames.Changed()
}

// keepsSecret reports whether a secret was typed into an element. The lock is held.
func (c *camera) keepsSecret(id screen.NodeID) bool { return c.secrets[id] }

// given is the ref that was given to an element. The lock is held.
func (c *camera) given(id screen.NodeID) (ref string, n refs.Named, ok bool) { return c.refs.Given(id) }

// canvasScript records the texts that a page draws on canvases. It runs in the page's own world,
// the only one where the drawing calls can be intercepted, and only in sessions that hold secrets.
// It hands the texts to callers that know a token, which no page can know: see written in shown.ts.
//
//go:embed canvas.js
var canvasScript string

// recordCanvasText begins to record the texts that pages draw on canvases, once there are secrets
// to look for. The lock is held.
func (c *camera) recordCanvasText() {
	if c.canvasToken != "" {
		return
	}
	c.canvasToken = rand.Text()
	for _, h := range c.frames.Hosts {
		c.prepare(h)
	}
}

// prepare installs what captures need in a host whose page has not begun to run. The lock is held.
func (c *camera) prepare(h *frames.Host) {
	if c.canvasToken == "" {
		return
	}
	cdp.Send(h.Session, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: strings.ReplaceAll(canvasScript, "WORD", c.canvasToken), RunImmediately: new(true),
	})
}
