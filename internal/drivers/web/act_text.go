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
	Empty bool `json:"empty,omitempty"`
}

// field is a field that is ready for text, or why there is none.
type field struct {
	ready
	ID     int64  `json:"id"`
	Sort   string `json:"sort"` // text, number, value, rich
	Type   string `json:"type"`
	Before string `json:"before"`
	Secret bool   `json:"secret"`
}

// The ways to enter text, in the order in which they are tried.
const (
	byInsert = "insertText"
	byKeys   = "keys"
	bySetter = "setter"
)

func (a *action) typeText(ctx context.Context, x driver.TypeText) (*driver.Effect, error) {
	a.op = "type text"
	if err := a.aimAtFocus(ctx, x.Target); err != nil {
		return nil, err
	}
	methods := []string{byInsert, byKeys, bySetter}
	if x.Keys {
		methods = []string{byKeys, bySetter}
	}
	var got string
	for i, m := range methods {
		f, err := a.ready(ctx, x, i > 0)
		if err != nil {
			return nil, err
		}
		want := x.Text
		if i == 0 && !x.Clear {
			a.value = f.Before
		}
		if !x.Clear {
			want = a.value + x.Text
		}
		if f.Sort == "value" {
			m = bySetter
		}
		if m == byInsert && f.Sort == "rich" && multiline(x.Text) {
			m = byKeys // an editor makes paragraphs of lines that are entered, not of line breaks that are inserted
		}
		if m == bySetter && !x.Clear && f.Sort == "rich" {
			break // setting it whole would take its formatting away
		}
		now, s, err := a.enter(ctx, m, f, x.Text, want)
		if err != nil || now == nil { // the page went elsewhere: Enter in the text, a field that submits
			return a.typed(x, f, m, now, s, err)
		}
		if got = now.Read; sameText(want, got, f) || !x.Clear && contains(got, a.value, x.Text, f) {
			return a.typed(x, f, m, now, s, nil)
		}
		a.note("%s: the field holds %s instead of %s; tried another way", m, quote(got, x.Secret || f.Secret), quote(want, x.Secret || f.Secret))
		if m == bySetter {
			break
		}
		if time.Until(a.until) <= 0 {
			break
		}
		x.Secret = x.Secret || f.Secret
	}
	want := x.Text
	if !x.Clear {
		want = a.value + x.Text
	}
	return nil, fault.New(fault.NotActed, a.op, "typed %s, but the field holds %s", quote(want, x.Secret), quote(got, x.Secret)).
		WithHint("The field rejects or changes this text: check its format and its longest length.")
}

// ready makes the field ready. On a second try the whole field is selected, so that what the first left is replaced.
func (a *action) ready(ctx context.Context, x driver.TypeText, again bool) (*field, error) {
	if err := a.bound(ctx, x.Bound); err != nil {
		return nil, err
	}
	q := entryQuery{Clear: x.Clear || again, Empty: x.Text == "" && x.Clear, query: query{
		ID: a.element, Token: a.token, Kind: "text", Wait: a.patienceLeft(), Still: again, Ends: 1,
	}}
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
		case text == "":
			a.doc.tell("acked", a.token)
		case method == byKeys:
			a.sendKeys(text)
		default:
			a.last(input.CommandInsertText, input.InsertTextParams{Text: text})
		}
		now, s, err := a.settle(ctx, a.finish)
		if err != nil || now == nil || now.State != "blocked" {
			return now, s, err
		}
		a.note("the focus went to %s, so the text was held back; focused again", now.By)
		if try == aims {
			return nil, s, fault.New(fault.NotActed, a.op, "the page keeps taking the focus away to %s; the text was held back", now.By)
		}
		var ok bool
		if err := a.ask(ctx, a.doc, &ok, "refocus", a.token, now.Read != f.Before); err != nil {
			return nil, s, err
		}
		if now.Read != f.Before { // some of the keys had arrived: all of it once more
			text = want
		}
	}
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
			a.value = now.Read
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
	var want string
	if before := []rune(f.Before); x.Count > 0 {
		want = string(before[:max(0, len(before)-x.Count)])
	}
	method := byKeys
	if f.Sort == "value" {
		method = bySetter
	}
	now, s, err := a.erase(ctx, method, f, max(1, x.Count), want)
	if err == nil && now != nil && x.Count == 0 && now.Read != "" {
		a.note("keys: the field still holds %s; set it empty", quote(now.Read, f.Secret))
		method = bySetter
		now, s, err = a.erase(ctx, method, f, 0, "")
	}
	if err != nil {
		return nil, err
	}
	a.method = method
	if now == nil {
		return a.effect(now, s), nil
	}
	if n, m := len([]rune(now.Read)), len([]rune(f.Before)); x.Count == 0 && n > 0 || x.Count > 0 && m > 0 && n >= m {
		return nil, fault.New(fault.NotActed, a.op, "the field still holds %s", quote(now.Read, f.Secret))
	}
	a.good = true
	if !f.Secret {
		a.value = now.Read
	}
	return a.effect(now, s), nil
}

func (a *action) erase(ctx context.Context, method string, f *field, count int, want string) (*outcome, driver.Settle, error) {
	if method == bySetter || f.Before == "" {
		return a.enter(ctx, method, f, "", want)
	}
	k := keyboard["Backspace"]
	for i := range count {
		a.keyDown(k, 0, false)
		a.keyUp(k, 0, i == count-1)
	}
	return a.settle(ctx, a.finish)
}
