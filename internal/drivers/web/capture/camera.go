package capture

import (
	"crypto/rand"
	_ "embed"
	"strings"

	protopage "github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/refs"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Camera takes the captures and pictures of a device.
type Camera struct {
	frames    *frames.Set // its lock guards the rest
	viewport  func() Viewport
	capturing chan struct{} // holds one token: captures work on shared mirrors

	refs        refs.Table
	selected    map[screen.NodeID]string // elements with a ref that only a selector shows, and the one that found them
	secrets     map[screen.NodeID]bool   // fields a secret was typed into
	conceal     func() driver.Secrets    // the secrets that must not be seen
	canvasToken string                   // unlocks the texts drawn on canvases; "" while they are not recorded

	acts acts

	seq            uint64
	marks          []mark           // of the newest captures, for WaitChange
	last           *screen.Snapshot // the newest
	lastCSS        []string         // its CSS selectors
	lastGeneration uint64           // when it was taken
	lastSecrets    driver.Secrets   // the secrets it was searched for
}

// Viewport is the size that is emulated, in CSS px, and how many pixels of the screen each takes.
type Viewport struct {
	Width, Height int
	Scale         float64
}

// New is the camera of a device. size is asked with the lock of the frames held.
func New(set *frames.Set, size func() Viewport) *Camera {
	c := &Camera{
		frames: set, viewport: size, capturing: make(chan struct{}, 1),
		secrets: map[screen.NodeID]bool{}, selected: map[screen.NodeID]string{},
	}
	c.capturing <- struct{}{}
	return c
}

// KeepSecret notes that a secret was typed into an element: from now on its content leaves the
// browser neither as text nor in a picture.
func (c *Camera) KeepSecret(doc *frames.Document, element int64) {
	c.frames.Lock()
	defer c.frames.Unlock()
	c.secrets[doc.NodeID(element)] = true
	c.frames.Changed()
}

// KeepsSecret reports whether a secret was typed into an element. The lock is held.
func (c *Camera) KeepsSecret(id screen.NodeID) bool { return c.secrets[id] }

// RefOf is the ref that was given to an element. The lock is held.
func (c *Camera) RefOf(id screen.NodeID) (ref string, n refs.Named, ok bool) { return c.refs.RefOf(id) }

// canvasScript records the texts that a page draws on canvases. It runs in the page's own world,
// the only one where the drawing calls can be intercepted, and only in sessions that hold secrets.
// It hands the texts to callers that know a token, which no page can know: see written in shown.ts.
//
//go:embed canvas.js
var canvasScript string

// RecordCanvasText begins to record the texts that pages draw on canvases, once there are secrets
// to look for. A page that a person acts on must not notice, and no picture is taken of it. The lock is held.
func (c *Camera) RecordCanvasText() {
	if c.canvasToken != "" || c.frames.Hands {
		return
	}
	c.canvasToken = rand.Text()
	for _, h := range c.frames.Hosts {
		c.Prepare(h)
	}
}

// Prepare installs what captures need in a host whose page has not begun to run. The lock is held.
func (c *Camera) Prepare(h *frames.Host) {
	if c.canvasToken == "" {
		return
	}
	cdp.Send(h.Session, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: strings.ReplaceAll(canvasScript, "WORD", c.canvasToken), RunImmediately: new(true),
	})
}
