package web

import (
	"cmp"
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// entryQuery asks the page script for a field that is ready for text; see Entry in entry.ts.
type entryQuery struct {
	query
	Clear bool `json:"clear"`
}

// field is a field that is ready for text, or why there is none.
type field struct {
	ready
	ID     int64  `json:"id"`
	Sort   string `json:"sort"` // text, number, value, rich
	Type   string `json:"type"`
	Before string `json:"before"`
	Secret bool   `json:"secret"`

	Keys  bool     `json:"keys"`  // emptied by the keyboard, not by a selection
	Drawn []string `json:"drawn"` // what an editor shows that draws its text itself
	Head  string   `json:"head"`  // what stays before the text that is typed
	Tail  string   `json:"tail"`  // and after it
	Cut   string   `json:"cut"`   // what it replaces
}

// The ways to enter text, in the order in which they are tried. A value that people pick, such as a date, is set.
const (
	byInsert = "insertText"
	byKeys   = "keys"
	bySetter = "setter"
)

// now is what the field held when it was made ready.
func (f *field) now() reading { return reading{Read: f.Before, Drawn: f.Drawn} }

// want is what the field is to hold once x is typed.
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
	methods := []string{byInsert, byKeys}
	switch {
	case f.Sort == "value":
		methods = []string{bySetter}
	case x.Keys || f.Sort == "rich" && multiline(x.Text): // an editor makes paragraphs of lines that are entered, not of line breaks that are inserted
		methods = []string{byKeys}
	case len(f.Drawn) > 0: // what such an editor shows says too little to type into it twice
		methods = []string{byInsert}
	}
	var got reading
	for i, m := range methods {
		text := x.Text
		if i > 0 {
			if f, err = a.ready(ctx, x, true); err != nil {
				return nil, err
			}
			if f.holds(want, f.now()) {
				return a.typed(x, f, methods[0], &outcome{State: "delivered", reading: f.now()}, driver.Settle{Reason: "quiet"}, nil)
			}
			text = want
		}
		if f.Keys && (x.Clear || i > 0) {
			as := x
			as.Keys = m == byKeys
			if f, err = a.wipe(ctx, f, as); err != nil || f == nil {
				return nil, err
			}
		}
		now, s, err := a.enter(ctx, m, f, text, want)
		if err != nil || now == nil { // the page went elsewhere: Enter in the text, a field that submits
			return a.typed(x, f, m, now, s, err)
		}
		if got = now.reading; f.holds(want, got) || !x.Clear && first.took(x.Text, got) {
			return a.typed(x, f, m, now, s, nil)
		}
		a.note("%s: the field holds %s instead of %s", m, quote(shown(got), x.Secret || f.Secret), quote(want, x.Secret || f.Secret))
		if time.Until(a.until) <= 0 {
			break
		}
		x.Secret = x.Secret || f.Secret
	}
	return nil, fault.New(fault.NotActed, a.op, "typed %s, but the field holds %s", quote(want, x.Secret), quote(shown(got), x.Secret)).
		WithHint("The field rejects or changes this text: check its format and its longest length.")
}

// wipe empties an editor as people do: select all, delete. What it holds and what can be selected from the page script
// may be two things.
func (a *action) wipe(ctx context.Context, f *field, x driver.TypeText) (*field, error) {
	if f.holds("", f.now()) {
		return f, nil
	}
	now, err := a.clearByKeys(ctx, f)
	if err != nil || now == nil {
		return nil, err
	}
	if len(f.Drawn) > 0 && !f.holds("", now.reading) {
		return nil, fault.New(fault.NotActed, a.op, "selected everything and deleted it, but the field still holds %s", quote(shown(now.reading), x.Secret || f.Secret))
	}
	x.Clear = false
	return a.ready(ctx, x, false)
}

func (a *action) clearByKeys(ctx context.Context, f *field) (*outcome, error) {
	all, err := parseChord(controlOrMeta + "+a")
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		a.sendChord(all, false)
		a.sendChord(chord{key: keyboard["Delete"]}, true)
		now, _, err := a.settle(ctx, a.finish)
		if err != nil || now == nil || now.State != "blocked" {
			return now, err
		}
		if err := a.refocus(ctx, now, try, false); err != nil {
			return nil, err
		}
	}
}

// ready makes the field ready. On a second try the whole field is selected, so that what the first left is replaced.
func (a *action) ready(ctx context.Context, x driver.TypeText, again bool) (*field, error) {
	if err := a.bound(ctx, x.Bound); err != nil {
		return nil, err
	}
	q := entryQuery{Clear: x.Clear || again, query: query{
		ID: a.element, Token: a.token, Kind: "text", Wait: a.patienceLeft(), Still: again,
	}}
	if x.Text != "" && !multiline(x.Text) && !x.Keys && !again {
		q.Ends = 1 // text that is inserted comes with one event
	}
	var f field
	if err := a.ask(ctx, a.doc, &f, "prepare", q); err != nil {
		return nil, err
	}
	a.log = append(a.log, f.Log...)
	if !f.OK {
		return nil, a.refuse(f.refusal)
	}
	a.place(f.ready, a.origin(ctx), 1)
	if x.Secret {
		a.d.locked(a.d.hearCanvases) // before the page knows it
	}
	if x.Secret { // before anything is in it; the field need not be the element that was named
		a.d.keepSecret(a.doc, a.element)
		a.d.keepSecret(a.doc, f.ID)
	}
	a.d.mu.Lock()
	f.Secret = f.Secret || a.d.secrets[a.doc.nodeID(f.ID)]
	a.d.mu.Unlock()
	return &f, nil
}

// bound refuses a document of another origin than the secrets are tied to. Our own world in it is asked: of a sandboxed
// document it knows that it has no origin, and the page cannot make it tell anything else.
func (a *action) bound(ctx context.Context, origins map[string]string) error {
	if len(origins) == 0 {
		return nil
	}
	var here string
	if err := a.doc.call(ctx, &here, "origin"); err != nil {
		return err
	}
	for name, only := range origins {
		if here != only {
			return fault.New(fault.Denied, a.op, "the secret %q is bound to %s and the field is on %s", name, only, cmp.Or(driver.Origin(here), "a page without an origin"))
		}
	}
	return nil
}

// enter puts text into the field by one method and waits for what comes of it. want is the whole value after.
func (a *action) enter(ctx context.Context, method string, f *field, text, want string) (*outcome, driver.Settle, error) {
	if method == bySetter {
		return a.settle(ctx, func(ctx context.Context) (*outcome, error) {
			var now outcome
			a.doc.tell("acked", a.token)
			then, take := a.d.then(a.doc)
			err := a.ask(ctx, a.doc, &now, "setValue", a.token, want, settleCap.Milliseconds(), then)
			take(now.Look)
			return a.got(&now, err)
		})
	}
	for try := 1; ; try++ {
		switch {
		case text == "" && (f.Before == "" || f.Keys): // empty, or emptied already
			a.doc.tell("acked", a.token)
		case text == "":
			a.sendChord(chord{key: keyboard["Delete"]}, true) // what is selected
		case method == byKeys:
			a.sendKeys(text)
		default:
			a.last(input.CommandInsertText, input.InsertTextParams{Text: text})
		}
		now, s, err := a.settle(ctx, a.finish)
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

// refocus gives the field the focus again that the page took from it.
func (a *action) refocus(ctx context.Context, now *outcome, try int, all bool) error {
	a.note("the focus went to %s, so the text was held back; focused again", now.By)
	if try == aims {
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

func (a *action) typed(x driver.TypeText, f *field, method string, now *outcome, s driver.Settle, err error) (*driver.Effect, error) {
	if err != nil {
		return nil, err
	}
	a.method, a.value = method, ""
	if now != nil {
		a.good = true
		if !x.Secret && !f.Secret {
			a.value = shown(now.reading)
		}
	}
	return a.effect(now, s), nil
}

// sendKeys types key by key. What the keyboard has no key for is inserted as text.
func (a *action) sendKeys(text string) {
	rs := []rune(text)
	for i, r := range rs {
		last := i == len(rs)-1
		k, ok := keyboard[string(r)]
		switch {
		case !ok && last:
			a.last(input.CommandInsertText, input.InsertTextParams{Text: string(r)})
		case !ok:
			cdp.Send(a.t.sess, input.InsertText, input.InsertTextParams{Text: string(r)})
		default:
			var bits int64
			if k.shifted {
				bits = keyboard["Shift"].modifier
			}
			a.keyDown(k, bits, false)
			a.keyUp(k, bits, last)
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
	method, count := byKeys, max(1, x.Count)
	var now *outcome
	var s driver.Settle
	switch {
	case f.Sort == "value":
		method = bySetter
		now, s, err = a.enter(ctx, method, f, "", "")
	case x.Count == 0 && f.Keys && !f.holds("", f.now()):
		now, err = a.clearByKeys(ctx, f)
		s.Reason = "quiet"
	case f.holds("", f.now()):
		now, s, err = a.enter(ctx, method, f, "", "")
	default:
		k := keyboard["Backspace"]
		for i := range count {
			a.keyDown(k, 0, false)
			a.keyUp(k, 0, i == count-1)
		}
		now, s, err = a.settle(ctx, a.finish)
	}
	if err != nil {
		return nil, err
	}
	a.method = method
	if now == nil {
		return a.effect(now, s), nil
	}
	left, had := shown(now.reading), shown(f.now())
	if x.Count == 0 && !f.holds("", now.reading) || x.Count > 0 && had != "" && len([]rune(left)) >= len([]rune(had)) {
		return nil, fault.New(fault.NotActed, a.op, "the field still holds %s", quote(left, f.Secret))
	}
	a.good = true
	if !f.Secret {
		a.value = left
	}
	return a.effect(now, s), nil
}
