package act

import (
	_ "embed"
	"fmt"
	"sync/atomic"

	"context"
	"time"

	protopage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/capture"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/console"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/dialog"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/download"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/emulate"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/network"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Performer carries out the actions of a device, one at a time.
type Performer struct {
	frames    *frames.Set // its lock guards the logs below
	camera    *capture.Camera
	emulation *emulate.State
	dialogs   *dialog.Log
	downloads *download.Folder
	network   *network.Log
	console   *console.Log

	mayOpen func(url string) error
	open    func(ctx context.Context, url string) error
	newTab  func(ctx context.Context) (*frames.Tab, error)
	own     func(dir string)

	acting    chan struct{} // holds one token, which the one action at a time takes
	delivered atomic.Int64  // the token of the newest action whose event reached its element
}

// Parts are the parts of a device that actions use.
type Parts struct {
	Frames    *frames.Set // its lock guards the logs
	Camera    *capture.Camera
	Emulation *emulate.State
	Dialogs   *dialog.Log
	Downloads *download.Folder
	Network   *network.Log
	Console   *console.Log

	MayOpen func(url string) error                         // refuses addresses that are not to be opened
	Open    func(ctx context.Context, url string) error    // the same, and prepares for one that is
	NewTab  func(ctx context.Context) (*frames.Tab, error) // opens an empty tab
	Own     func(dir string)                               // removes a folder with the device
}

// New carries out the actions of the device that has these parts.
func New(x Parts) *Performer {
	p := &Performer{
		frames: x.Frames, camera: x.Camera, emulation: x.Emulation, dialogs: x.Dialogs, downloads: x.Downloads,
		network: x.Network, console: x.Console, mayOpen: x.MayOpen, open: x.Open, newTab: x.NewTab, own: x.Own,
		acting: make(chan struct{}, 1),
	}
	p.acting <- struct{}{}
	return p
}

// Prepare installs what actions need in a host whose page has not begun to run. The lock is held.
func (p *Performer) Prepare(h *frames.Host) {
	cdp.Send(h.Session, runtime.AddBinding,
		runtime.AddBindingParams{Name: deliveredBinding, ExecutionContextName: page.World})
	cdp.Send(h.Session, protopage.AddScriptToEvaluateOnNewDocument, protopage.AddScriptToEvaluateOnNewDocumentParams{
		Source: timersScript, RunImmediately: new(true),
	})
}

// Watch follows the page's reports about actions, and its requests for another document between them.
func (p *Performer) Watch(h *frames.Host) {
	p.watchDeliveries(h)
	p.watchLeaving(h)
}

// Perform implements driver.Device.
func (p *Performer) Perform(ctx context.Context, a driver.Action) (*driver.Effect, error) {
	release, err := p.act(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	t, err := p.frames.Current()
	if err != nil {
		return nil, err
	}
	act := &action{p: p, t: t, token: tokens.Add(1), began: time.Now()}
	act.until = act.began.Add(targetTimeout)
	if end, ok := ctx.Deadline(); ok {
		margin := min(max(time.Until(end)/5, minMargin), maxMargin)
		if end.Add(-margin).Before(act.until) {
			act.until = end.Add(-margin)
		}
	}
	if err := p.frames.AwaitDocument(ctx, t, frames.WorldGrace); err != nil {
		return nil, err
	}
	act.open()
	defer act.close()
	e, err := act.run(ctx, a)
	if crashed := act.survived(); crashed != nil {
		err = crashed
	}
	if err != nil {
		return nil, act.fail(ctx, err)
	}
	return e, nil
}

// survived fails an action whose page has crashed, whatever it took the page's end for.
func (a *action) survived() error {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	if a.t.Crashed && !a.t.Closed() {
		return cdp.PageCrashed(a.op, "the page")
	}
	return nil
}

func (a *action) run(ctx context.Context, x driver.Action) (*driver.Effect, error) {
	switch x := x.(type) {
	case driver.Tap:
		return a.tap(ctx, x)
	case driver.Hover:
		return a.hover(ctx, x)
	case driver.TypeText:
		return a.typeText(ctx, x)
	case driver.EraseText:
		return a.eraseText(ctx, x)
	case driver.PressKey:
		return a.pressKey(ctx, x)
	case driver.SelectOption:
		return a.selectOption(ctx, x)
	case driver.SetChecked:
		return a.setChecked(ctx, x)
	case driver.Upload:
		return a.upload(ctx, x)
	case driver.Scroll:
		return a.scroll(ctx, x)
	case driver.ScrollIntoView:
		return a.scrollIntoView(ctx, x)
	case driver.Swipe:
		return a.swipe(ctx, x)
	case driver.Drag:
		return a.drag(ctx, x)
	case driver.Pinch:
		return a.pinch(ctx, x)
	}
	return nil, fault.New(fault.Unsupported, "perform action", "a browser cannot do %T", x)
}

// act waits until no other action runs; release lets the next one begin.
func (p *Performer) act(ctx context.Context) (release func(), err error) {
	select {
	case <-p.acting:
		p.camera.HiddenSecrets() // before the page that the action opens draws
		p.camera.Acts(true)
		return func() { p.camera.Acts(false); p.acting <- struct{}{} }, nil
	case <-ctx.Done():
		return nil, fault.Wrap(fmt.Errorf("another action is still running: %w", ctx.Err()), "", "start action")
	case <-p.frames.Done:
		return nil, fault.New(fault.Unavailable, "start action", "the device is closed")
	}
}

var _ driver.Ascriber = (*Performer)(nil)

// Ascribe implements driver.Ascriber. The page script of each document knows what it saw since the last action; see
// cause.ts.
func (p *Performer) Ascribe(ctx context.Context, nodes []screen.NodeID) map[screen.NodeID]driver.Cause {
	asked, named := map[*frames.Document][]int64{}, map[*frames.Document][]screen.NodeID{}
	add := func(doc *frames.Document, element int64, id screen.NodeID) {
		asked[doc], named[doc] = append(asked[doc], element), append(named[doc], id)
	}
	for _, id := range nodes {
		if doc, element, err := p.frames.Element(id); id != 0 && err == nil {
			add(doc, element, id)
		}
		if t, err := p.frames.Current(); id == 0 && err == nil {
			p.frames.Locked(func() {
				if t.Main != nil && t.Main.Document != nil {
					add(t.Main.Document, 0, 0)
				}
			})
		}
	}
	out := map[screen.NodeID]driver.Cause{}
	for doc, elements := range asked {
		var got []driver.Cause
		if err := doc.Call(ctx, &got, "act.causes", elements); err != nil || len(got) != len(elements) {
			continue // a document that has ended says nothing
		}
		for i, c := range got {
			out[named[doc][i]] = c
		}
	}
	return out
}

// timersScript reports the timers that a page sets, which only its own world can intercept. An
// action waits for those that the action before it started: see overdue in settle.ts.
//
//go:embed timers.js
var timersScript string
