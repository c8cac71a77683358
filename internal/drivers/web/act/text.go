package act

import (
	"cmp"
	"context"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/fieldtext"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/keys"
)

// entryQuery asks the page script for a field that is ready for text; see Entry in entry.ts.
type entryQuery struct {
	query
	Clear bool `json:"clear"`
}

// field is a field that is ready for text, or why there is none.
type field struct {
	ready
	fieldtext.Field
	ID     int64  `json:"id"`
	Secret bool   `json:"secret"`
	Keys   bool   `json:"keys"` // emptied by the keyboard, not by a selection
	Head   string `json:"head"` // stays before the text that is typed
	Tail   string `json:"tail"` // stays after it
}

// The ways to enter text, in the order in which they are tried. A value that people pick, such as a
// date, is set.
const (
	byInsert = "insertText"
	byKeys   = "keys"
	bySetter = "setter"
)

// want returns the text that the field is to hold once x is typed.
func (f *field) want(x driver.TypeText) string {
	if x.Clear || f.Sort == "value" {
		return x.Text
	}
	return f.Head + x.Text + f.Tail
}

func (a *action) typeText(ctx context.Context, x driver.TypeText) (*driver.Effect, error) {
	a.op = "type text"
	if err := a.aimAtFocus(ctx, x.Target); err != nil {
		return nil, err
	}
	f, err := a.ready(ctx, x, false)
	if err != nil {
		return nil, err
	}
	first, want := f, f.want(x)
	var got fieldtext.Reading
	methods := methodsFor(x, f)
	for i, m := range methods {
		text := x.Text
		if i > 0 {
			if f, err = a.ready(ctx, x, true); err != nil {
				return nil, err
			}
			if f.Holds(want, f.Now()) { // the text of the first method arrived late
				held := &outcome{State: "delivered", Reading: f.Now()}
				return a.typed(x, f, methods[0], held, driver.Settle{Reason: "quiet"}, nil)
			}
			text = want
		}
		if f, err = a.emptied(ctx, f, x, m, i > 0); err != nil || f == nil {
			return nil, err
		}
		now, s, err := a.enter(ctx, m, f, text, want)
		if err != nil || now == nil { // the page went elsewhere: Enter in the text, a field that submits
			return a.typed(x, f, m, now, s, err)
		}
		if got = now.Reading; f.holdsText(x, first, want, got) {
			return a.typed(x, f, m, now, s, nil)
		}
		hidden := x.Secret || f.Secret
		a.note("%s: the field holds %s instead of %s", m, fieldtext.Quote(got.VisibleText(), hidden),
			fieldtext.Quote(want, hidden))
		if time.Until(a.until) <= 0 {
			break
		}
		x.Secret = hidden
	}
	return nil, fault.New(fault.NotActed, a.op, "typed %s, but the field holds %s",
		fieldtext.Quote(want, x.Secret), fieldtext.Quote(got.VisibleText(), x.Secret)).
		WithHint("The field rejects or changes this text: check its format and its longest length.")
}

// methodsFor lists the ways to enter the text, in the order in which they are tried.
func methodsFor(x driver.TypeText, f *field) []string {
	switch {
	case f.Sort == "value":
		return []string{bySetter}
	case x.Keys || f.Sort == "rich" && fieldtext.Multiline(x.Text):
		return []string{byKeys} // an editor makes paragraphs of entered lines, not of inserted line breaks
	case len(f.Drawn) > 0:
		return []string{byInsert} // such an editor shows too little of its text to type into it twice
	}
	return []string{byInsert, byKeys}
}

// holdsText reports whether the field holds what it was to hold, or took the text beside what it held at first.
func (f *field) holdsText(x driver.TypeText, first *field, want string, got fieldtext.Reading) bool {
	return f.Holds(want, got) || !x.Clear && first.Took(x.Text, got)
}

// emptied is the field, emptied by the keyboard if that must be; nil when the page went elsewhere meanwhile.
func (a *action) emptied(ctx context.Context, f *field, x driver.TypeText, method string, again bool) (*field, error) {
	if !f.Keys || !x.Clear && !again {
		return f, nil
	}
	x.Keys = method == byKeys
	return a.wipe(ctx, f, x)
}

// wipe empties an editor as people do: select all, delete. Its content may differ from the text that the page
// script can select.
func (a *action) wipe(ctx context.Context, f *field, x driver.TypeText) (*field, error) {
	if f.Holds("", f.Now()) {
		return f, nil
	}
	now, err := a.clearByKeys(ctx, f)
	if err != nil || now == nil {
		return nil, err
	}
	if len(f.Drawn) > 0 && !f.Holds("", now.Reading) {
		return nil, fault.New(fault.NotActed, a.op, "selected everything and deleted it, but the field still holds %s",
			fieldtext.Quote(now.Reading.VisibleText(), x.Secret || f.Secret))
	}
	x.Clear = false
	return a.ready(ctx, x, false)
}

func (a *action) clearByKeys(ctx context.Context, f *field) (*outcome, error) {
	all, err := keys.Parse(keys.ControlOrMeta + "+a")
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		a.pressChord(all, false)
		a.typeNamed("Delete", true)
		now, _, err := a.settle(ctx, a.finish)
		if err != nil || now == nil || now.State != "blocked" {
			return now, err
		}
		if err := a.refocus(ctx, now, try, false); err != nil {
			return nil, err
		}
	}
}

// ready makes the field ready. A second try selects the whole field, so that the text replaces the rest of the first.
func (a *action) ready(ctx context.Context, x driver.TypeText, again bool) (*field, error) {
	if err := a.bound(ctx, x.Bound); err != nil {
		return nil, err
	}
	q := entryQuery{Clear: x.Clear || again, query: query{
		ID: a.element, Token: a.token, Kind: "text", Wait: a.waitLeft(), Still: again,
	}}
	if x.Text != "" && !fieldtext.Multiline(x.Text) && !x.Keys && !again {
		q.Ends = 1 // text that is inserted comes with one event
	}
	var f field
	take, err := a.requireLastView(&q.query)
	if err != nil {
		return nil, err
	}
	if err := a.ask(ctx, a.doc, &f, "prepare", q); err != nil {
		return nil, err
	}
	take(f.ready.Seen)
	a.log = append(a.log, f.Log...)
	if !f.OK {
		return nil, a.refuse(f.refusal)
	}
	a.place(f.ready, a.origin(ctx), 1)
	if x.Secret {
		a.p.frames.Locked(a.p.camera.RecordCanvasText) // before the page knows it
	}
	if x.Secret { // before anything is in it; the field need not be the element that was named
		a.p.camera.KeepSecret(a.doc, a.element)
		a.p.camera.KeepSecret(a.doc, f.ID)
	}
	a.p.frames.Lock()
	f.Secret = f.Secret || a.p.camera.KeepsSecret(a.doc.NodeID(f.ID))
	a.p.frames.Unlock()
	return &f, nil
}

// bound refuses a document of another origin than the secrets are tied to. It asks our own world in the document,
// which knows that a sandboxed document has no origin, and whose answer the page cannot change.
func (a *action) bound(ctx context.Context, origins map[string]string) error {
	if len(origins) == 0 {
		return nil
	}
	var here string
	if err := a.doc.Call(ctx, &here, "origin"); err != nil {
		return err
	}
	for name, only := range origins {
		if here != only {
			return fault.New(fault.Denied, a.op, "the secret %q is bound to %s and the field is on %s",
				name, only, cmp.Or(driver.Origin(here), "a page without an origin"))
		}
	}
	return nil
}

// enter puts text into the field by one method and waits for the outcome. want is the whole value after.
func (a *action) enter(ctx context.Context, method string, f *field, text, want string) (*outcome, driver.Settle,
	error) {
	if method == bySetter {
		return a.settle(ctx, func(ctx context.Context) (*outcome, error) {
			var now outcome
			a.doc.Tell("acked", a.token)
			then, take := a.p.camera.Prefetch(a.doc, false)
			err := a.ask(ctx, a.doc, &now, "setValue", a.token, want, settleCap.Milliseconds(), then)
			take(now.Look)
			return a.got(&now, err)
		})
	}
	for try := 1; ; try++ {
		switch {
		case text == "" && (f.Before == "" || f.Keys): // empty, or emptied already
			a.doc.Tell("acked", a.token)
		case text == "":
			a.typeNamed("Delete", true) // removes the selection
		case method == byKeys:
			a.sendKeys(text)
		default:
			a.last(input.CommandInsertText, input.InsertTextParams{Text: text})
		}
		now, s, err := a.settle(ctx, a.finish)
		if err == nil && text != "" {
			err = a.undelivered(now, s)
		}
		if err != nil || now == nil || now.State != "blocked" {
			return now, s, err
		}
		some := now.Read != f.Before // of the keys had arrived: all of it once more
		if err := a.refocus(ctx, now, try, some); err != nil {
			return nil, s, err
		}
		if some {
			text = want
		}
	}
}

// stealTime limits the time in which a page may take the focus away again and again before the text is given up. It
// may do so for a moment only, and tries are over sooner the faster the machine is.
const stealTime = time.Second

// refocus returns the focus to the field that the page took it from.
func (a *action) refocus(ctx context.Context, now *outcome, try int, all bool) error {
	a.note("the focus went to %s, so the text was held back; focused again", now.By)
	if try >= aims && time.Since(a.began) > stealTime {
		return fault.New(fault.NotActed, a.op, "the page keeps taking the focus away to %s; the text was held back", now.By)
	}
	return a.ask(ctx, a.doc, nil, "refocus", a.token, all)
}

func (a *action) got(now *outcome, err error) (*outcome, error) {
	if err != nil {
		return nil, err
	}
	return now, nil
}

func (a *action) typed(
	x driver.TypeText, f *field, method string, now *outcome, s driver.Settle, err error,
) (*driver.Effect, error) {
	if err != nil {
		return nil, err
	}
	a.method, a.value = method, ""
	if now != nil {
		a.good = true
		if !x.Secret && !f.Secret {
			a.value = now.Reading.VisibleText()
		}
	}
	return a.effect(now, s), nil
}

// sendKeys types key by key. Text that the keyboard has no key for is inserted.
func (a *action) sendKeys(text string) {
	rs := []rune(text)
	for i, r := range rs {
		last := i == len(rs)-1
		k, ok := keys.Find(string(r))
		switch {
		case !ok && last:
			a.last(input.CommandInsertText, input.InsertTextParams{Text: string(r)})
		case !ok:
			cdp.Send(a.t.Session, input.InsertText, input.InsertTextParams{Text: string(r)})
		default:
			a.typeKey(k, last)
		}
	}
}

func (a *action) eraseText(ctx context.Context, x driver.EraseText) (*driver.Effect, error) {
	a.op = "erase text"
	if x.Count < 0 {
		return nil, fault.New(fault.Invalid, a.op, "cannot erase %d characters", x.Count)
	}
	if err := a.aimAtFocus(ctx, x.Target); err != nil {
		return nil, err
	}
	f, err := a.ready(ctx, driver.TypeText{Clear: x.Count == 0}, false)
	if err != nil {
		return nil, err
	}
	method, now, s, err := a.erase(ctx, f, x.Count)
	if err != nil {
		return nil, err
	}
	a.method = method
	if now == nil {
		return a.effect(now, s), nil
	}
	left, had := now.Reading.VisibleText(), f.Now().VisibleText()
	kept := !f.Holds("", now.Reading)
	if x.Count > 0 {
		kept = had != "" && utf8.RuneCountInString(left) >= utf8.RuneCountInString(had)
	}
	if kept {
		return nil, fault.New(fault.NotActed, a.op, "the field still holds %s", fieldtext.Quote(left, f.Secret))
	}
	a.good = true
	if !f.Secret {
		a.value = left
	}
	return a.effect(now, s), nil
}

// erase removes the last count characters of a field; 0 is all of them.
func (a *action) erase(
	ctx context.Context, f *field, count int,
) (method string, now *outcome, s driver.Settle, err error) {
	switch {
	case f.Sort == "value":
		now, s, err = a.enter(ctx, bySetter, f, "", "")
		return bySetter, now, s, err
	case count == 0 && f.Keys && !f.Holds("", f.Now()):
		now, err = a.clearByKeys(ctx, f)
		s.Reason = "quiet"
	case f.Holds("", f.Now()):
		now, s, err = a.enter(ctx, byKeys, f, "", "")
	default:
		count = max(1, count)
		for i := range count {
			a.typeNamed("Backspace", i == count-1)
		}
		now, s, err = a.settle(ctx, a.finish)
	}
	return byKeys, now, s, err
}
