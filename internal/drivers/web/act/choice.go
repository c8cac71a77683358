package act

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	proto "github.com/chromedp/cdproto/cdp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	script "github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
)

// choiceQuery asks the page script to choose options; see Choice in entry.ts.
type choiceQuery struct {
	query
	Options []string `json:"options"`
	Cap     int64    `json:"cap"`

	Then *script.Request `json:"then"`
}

type chosen struct {
	ready
	Out   outcome `json:"out"`
	Match bool    `json:"match"`
	Read  string  `json:"read"`
}

func (a *action) selectOption(ctx context.Context, x driver.SelectOption) (*driver.Effect, error) {
	a.op = "select option"
	if err := a.aimAt(x.Target); err != nil {
		return nil, err
	}
	return a.choose(ctx, x.Options)
}

// choose selects options. Drop-down lists of the browser are drawn outside of the page, so there is
// nothing to click: the page script selects and raises the events that a person's choice raises.
// Lists that a page draws itself are clicked.
func (a *action) choose(ctx context.Context, options []string) (*driver.Effect, error) {
	if options == nil {
		options = []string{}
	}
	var c chosen
	q := choiceQuery{Options: options, Cap: settleCap.Milliseconds(), query: query{
		ID: a.element, Token: a.token, Kind: "none", Wait: a.waitLeft(),
	}}
	now, s, err := a.settle(ctx, func(ctx context.Context) (*outcome, error) {
		var take func(*sight.Delta)
		q.Then, take = a.p.camera.Prefetch(a.doc, false)
		before, err := a.requireLastView(&q.query)
		if err != nil {
			return nil, err
		}
		if err := a.ask(ctx, a.doc, &c, "choose", q); err != nil {
			return nil, err
		}
		before(c.ready.Seen)
		take(c.Out.Look)
		a.log = append(a.log, c.Log...)
		if !c.OK {
			err := a.refuse(c.refusal)
			if c.What == "unfit" {
				if f, ok := errors.AsType[*fault.Error](err); ok {
					err = f.WithHint("For a list that the page draws itself, click it and then the option.")
				}
			}
			return nil, err
		}
		a.place(c.ready, a.origin(ctx), 1)
		a.value = c.Read
		return &c.Out, nil
	})
	if err != nil {
		return nil, err
	}
	if now != nil && !c.Match && s.Reason != "navigated" {
		return nil, fault.New(fault.NotActed, a.op, "chose %q, but the list now holds %q", options, c.Read).
			WithHint("The page changes the choice back; check what it depends on.")
	}
	a.good = now != nil
	return a.effect(now, s), nil
}

func (a *action) setChecked(ctx context.Context, x driver.SetChecked) (*driver.Effect, error) {
	a.op = "set checked"
	if err := a.aimAt(x.Target); err != nil {
		return nil, err
	}
	want := map[bool]string{true: "true", false: "false"}[x.Checked]
	p, err := a.pressOf(driver.Tap{})
	if err != nil {
		return nil, err
	}
	now, s, err := a.press(ctx, p, query{Have: want})
	if err != nil {
		return nil, err
	}
	if now == nil && s.Reason == "quiet" { // it was so already
		a.good = true
		return a.effect(&outcome{State: "armed"}, s), nil
	}
	if now != nil && now.Connected && now.Checked != want {
		is := now.Checked
		if is == "" {
			is = "neither checked nor unchecked"
		}
		return nil, fault.New(fault.NotActed, a.op, "clicked it, but checked is %s, not %s", is, want).
			WithHint("A radio button is unchecked by choosing another one; a box may be bound to something else.")
	}
	a.good = now != nil && now.Connected
	return a.effect(now, s), nil
}

func (a *action) upload(ctx context.Context, x driver.Upload) (*driver.Effect, error) {
	if x.Copies != "" {
		a.p.own(x.Copies)
	}
	a.op = "upload file"
	paths, err := absolute(x.Paths)
	if err != nil {
		return nil, err
	}
	if err := a.aimAt(x.Target); err != nil {
		return nil, err
	}
	input, err := a.doc.Handle(ctx, "act.fileInputOf", a.element)
	if err != nil {
		return nil, err
	}
	if input == "" {
		return a.uploadByChooser(ctx, paths)
	}
	defer cdp.Send(a.doc.Host.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: input})
	if err := a.ask(ctx, a.doc, nil, "watch", query{Token: a.token, Kind: "none"}); err != nil {
		return nil, err
	}
	return a.giveFiles(ctx, a.doc, input, paths)
}

// giveFiles puts files into an input and waits for the outcome.
func (a *action) giveFiles(
	ctx context.Context, doc *frames.Document, input runtime.RemoteObjectID, paths []string,
) (*driver.Effect, error) {
	held, err := readFiles(ctx, doc, input)
	if err != nil {
		return nil, err
	}
	if held.Disabled != "" {
		return nil, a.refuse(refusal{What: "disabled", Why: held.Disabled})
	}
	if len(paths) > 1 && !held.Multiple {
		return nil, fault.New(fault.Invalid, a.op, "the input takes one file only, not %d", len(paths))
	}
	give := dom.SetFileInputFilesParams{Files: paths, ObjectID: input}
	if err := cdp.Do(ctx, doc.Host.Session, dom.SetFileInputFiles, give); err != nil {
		return nil, fault.Wrap(doc.CallError(err), fault.NotActed, a.op)
	}
	a.doc.Tell("acked", a.token)
	now, s, err := a.settle(ctx, a.finish)
	if err != nil {
		return nil, err
	}
	a.method = "input"
	if now != nil {
		// A page that took the files may have emptied the input again: only without any effect it
		// is a failure.
		held, err := readFiles(ctx, doc, input)
		a.good = err == nil && len(held.Names) == len(paths)
		if err == nil && !a.good && now.Tree == 0 && !now.Value {
			return nil, fault.New(fault.NotActed, a.op, "the input holds %d files instead of %d", len(held.Names), len(paths))
		}
	}
	e := a.effect(now, s)
	e.Changes.Value = e.Changes.Value || a.good
	return e, nil
}

type fileList struct {
	Names    []string `json:"names"`
	Multiple bool     `json:"multiple"`
	Disabled string   `json:"disabled"`
}

func readFiles(ctx context.Context, doc *frames.Document, input runtime.RemoteObjectID) (l fileList, err error) {
	raw, err := doc.Invoke(ctx, "e=>__trailblaze.act.files(e)", []*runtime.CallArgument{{ObjectID: input}})
	if err != nil {
		return l, err
	}
	if json.Unmarshal(raw, &l) != nil {
		return l, fault.New(fault.Internal, "read file input", "cannot decode %s", raw)
	}
	return l, nil
}

// uploadByChooser clicks, and gives the files to the file chooser that this opens.
func (a *action) uploadByChooser(ctx context.Context, paths []string) (*driver.Effect, error) {
	type opened struct {
		host *frames.Host
		e    page.EventFileChooserOpened
	}
	got := make(chan opened, 1)
	for _, h := range a.hosts() {
		stop := cdp.On(h.Session, page.FileChooserOpened, func(e page.EventFileChooserOpened) {
			select {
			case got <- opened{h, e}:
			default:
			}
			a.p.frames.Changes.Notify()
		})
		defer stop()
		intercept := func(yes bool) {
			cdp.Send(h.Session, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: yes})
		}
		intercept(true)
		defer intercept(false)
	}
	p, err := a.pressOf(driver.Tap{})
	if err != nil {
		return nil, err
	}
	now, s, err := a.press(ctx, p, query{})
	if err != nil {
		return nil, err
	}
	if now == nil {
		return a.effect(now, s), nil
	}
	timer := time.NewTimer(requestCap)
	defer timer.Stop()
	var o opened
	select {
	case o = <-got:
	case <-timer.C:
		return nil, fault.New(fault.NotActed, a.op, "clicking the element opened no file chooser").
			WithHint("Aim at the file input, or at the button that opens the chooser.")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	doc := a.docOf(o.e.FrameID)
	if doc == nil {
		return nil, frames.ErrGone
	}
	node, err := cdp.Call(ctx, o.host.Session, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: o.e.BackendNodeID, ExecutionContextID: doc.World,
	})
	if err != nil {
		return nil, fault.Wrap(doc.CallError(err), fault.NotActed, a.op)
	}
	defer cdp.Send(o.host.Session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: node.Object.ObjectID})
	e, err := a.giveFiles(ctx, doc, node.Object.ObjectID, paths)
	if e != nil {
		e.Method = "chooser"
	}
	return e, err
}

// hosts are the sessions of the tab.
func (a *action) hosts() []*frames.Host {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	return a.t.OwnHosts()
}

func (a *action) docOf(id proto.FrameID) *frames.Document {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	if f := a.t.Frames[id]; f != nil {
		return f.Document
	}
	return nil
}

// absolute checks that the files are there: the browser would silently give the page empty ones.
func absolute(paths []string) ([]string, error) {
	out := make([]string, len(paths))
	for i, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, fault.New(fault.Invalid, "upload file", "%w", err)
		}
		info, err := os.Stat(abs)
		if err != nil {
			return nil, fault.New(fault.Invalid, "upload file", "%w", err).WithHint("Check the path.")
		}
		if info.IsDir() {
			return nil, fault.New(fault.Invalid, "upload file", "%s is a folder", p)
		}
		out[i] = abs
	}
	return out, nil
}
