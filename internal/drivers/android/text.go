package android

import (
	"context"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/fieldtext"
)

// The codes and meta states of keys, as android.view.KeyEvent has them.
const (
	keyHome    = 3
	keyBack    = 4
	keyDelete  = 67
	keyMoveEnd = 123
	metaCtrl   = 0x1000 | 0x2000
	metaShift  = 0x1 | 0x40
	metaAlt    = 0x2 | 0x10
	metaMeta   = 0x10000 | 0x20000
)

// keyCodes are the keys by their names in Playwright's notation and in upstream's.
var keyCodes = map[string]int{
	"home": keyHome, "back": keyBack, "enter": 66, "backspace": keyDelete, "delete": 112, "tab": 61, "escape": 111,
	"space": 62, "arrowup": 19, "arrowdown": 20, "arrowleft": 21, "arrowright": 22, "pageup": 92, "pagedown": 93,
	"end": keyMoveEnd, "movehome": 122, "search": 84, "menu": 82, "power": 26, "volumeup": 24, "volumedown": 25,
	"app_switch": 187, "camera": 27, "hide_keyboard": keyBack,
}

var metaKeys = map[string]int{
	"control": metaCtrl, "controlormeta": metaCtrl, "shift": metaShift, "alt": metaAlt, "meta": metaMeta,
}

// chord reads a key in Playwright's notation.
func chord(key string) (code, meta int, ok bool) {
	parts := strings.Split(key, "+")
	for _, m := range parts[:len(parts)-1] {
		bit, ok := metaKeys[strings.ToLower(m)]
		if !ok {
			return 0, 0, false
		}
		meta |= bit
	}
	last := strings.ToLower(parts[len(parts)-1])
	if code, ok := keyCodes[last]; ok {
		return code, meta, true
	}
	if len(last) != 1 {
		return 0, 0, false
	}
	switch c := last[0]; {
	case c >= 'a' && c <= 'z':
		return 29 + int(c-'a'), meta, true
	case c >= '0' && c <= '9':
		return 7 + int(c-'0'), meta, true
	}
	return 0, 0, false
}

func (p *act) sendKeys(ctx context.Context, codes ...int) error {
	pairs := make([][2]int, len(codes))
	for i, c := range codes {
		pairs[i] = [2]int{c, 0}
	}
	return p.sendChords(ctx, pairs)
}

func (p *act) sendChords(ctx context.Context, codes [][2]int) error {
	var got struct{ Taken bool }
	if err := p.ask.Call(ctx, map[string]any{"do": "keys", "codes": codes}, &got); err != nil {
		return err
	}
	p.effect.Changes.Received = p.effect.Changes.Received || got.Taken
	return nil
}

func (p *act) press(ctx context.Context, a driver.PressKey) error {
	code, meta, ok := chord(a.Key)
	if !ok {
		return fault.New(fault.Invalid, p.op, "a phone has no key %q", a.Key).
			WithHint("Keys are BACK, HOME, Enter, Backspace, Tab, Escape, arrows, letters and digits; Control+a is a chord.")
	}
	if a.Target.Node != 0 {
		if _, err := p.focusOn(ctx, a.Target); err != nil {
			return err
		}
	} else {
		t, err := p.tree(ctx)
		if err != nil {
			return err
		}
		p.before = t
	}
	if a.Key == "HIDE_KEYBOARD" && !p.before.keyboard() {
		p.effect.Changes.Verified, p.effect.Settle.Reason = true, "quiet" // back would leave the screen
		return nil
	}
	if err := p.sendChords(ctx, [][2]int{{code, meta}}); err != nil {
		return err
	}
	return p.settle(ctx)
}

// focusOn gives a field the input focus by a tap, unless it has it, and puts the caret behind its text.
func (p *act) focusOn(ctx context.Context, target driver.Target) (*node, error) {
	n, err := p.aim(ctx, target, need{enabled: true})
	if err != nil {
		return nil, err
	}
	if n == nil {
		if n = p.before.focus(); n == nil {
			return nil, fault.New(fault.NotActed, p.op, "nothing has the focus").WithHint("Tap the field, or name it.")
		}
		target = driver.Target{Node: p.nodeID(n)}
	}
	if n.F.has(focused) {
		return n, nil
	}
	start := p.before
	if err := p.tap(ctx, driver.Tap{Target: target}); err != nil {
		return nil, err
	}
	if n, err = p.resolve(p.before, target); err != nil {
		return nil, err
	}
	if !n.F.has(focused) {
		return nil, fault.New(fault.NotActed, p.op, "the tap did not give the element the focus")
	}
	if err := p.sendChords(ctx, [][2]int{{keyMoveEnd, metaCtrl}}); err != nil {
		return nil, err
	}
	p.effect.Changes = driver.Changes{Received: true}
	now, err := p.tree(ctx)
	if err != nil {
		return nil, err
	}
	n, err = p.resolve(now, target)
	p.before = start // the effect is that of the whole
	return n, err
}

func value(n *node) string {
	if n.F.has(hintShown) {
		return ""
	}
	return text(n.Text)
}

func (p *act) typeText(ctx context.Context, a driver.TypeText) error {
	if len(a.Bound) > 0 {
		return fault.New(fault.Denied, p.op, "a secret of a web origin is not typed into an app").
			WithHint("Bind the secret to no origin, or type it in a browser.")
	}
	n, err := p.focusOn(ctx, a.Target)
	if err != nil {
		return err
	}
	if !n.F.has(editable) {
		return fault.New(fault.NotActed, p.op, "the element takes no text")
	}
	id := identity(n)
	if a.Clear {
		if err := p.clear(ctx, n); err != nil {
			return err
		}
		if n, err = p.again(ctx, id); err != nil {
			return err
		}
	}
	was := value(n)
	field := fieldtext.Field{Sort: "text", Before: was}
	if len(n.Sel) == 2 && !n.F.has(password) {
		field.Cut = cut(was, n.Sel)
	}
	if err := p.enter(ctx, n, a, was); err != nil {
		return err
	}
	if err := p.settle(ctx); err != nil {
		return err
	}
	if n, err = p.again(ctx, id); err != nil {
		return p.sent(err)
	}
	if err := p.readBack(n, a, field); err != nil || !a.HideKeyboard {
		return err
	}
	return p.hideKeyboard(ctx, id)
}

// hideKeyboard closes the keyboard when there is one and nothing else that back would close: without one, back leaves
// the screen, and with suggestions for the field it closes those.
func (p *act) hideKeyboard(ctx context.Context, field string) error {
	t, err := p.tree(ctx)
	if err == nil && t.keyboard() && t.foremost(field) {
		if err = p.sendKeys(ctx, keyBack); err == nil {
			_, err = p.quiet(ctx, quiet, settleCap)
		}
	}
	if err != nil {
		return p.sent(err)
	}
	return nil
}

// readBack holds a field to what was typed. A password is dots, which can be counted.
func (p *act) readBack(n *node, a driver.TypeText, field fieldtext.Field) error {
	got := value(n)
	hidden := a.Secret || n.F.has(password)
	switch {
	case n.F.has(password):
		want := len(utf16.Encode([]rune(field.Before))) + len(utf16.Encode([]rune(a.Text)))
		if n := len(utf16.Encode([]rune(got))); n != want {
			return fault.New(fault.NotActed, p.op, "the field holds %d characters instead of %d", n, want)
		}
	case a.Clear && !field.Holds(a.Text, fieldtext.Reading{Read: got}),
		!a.Clear && !field.Took(a.Text, fieldtext.Reading{Read: got}):
		return fault.New(fault.NotActed, p.op, "the field holds %s instead of %s",
			fieldtext.Quote(got, hidden), fieldtext.Quote(field.Before+a.Text, hidden)).
			WithHint("The app may refuse or change what is typed; look at the field's message.")
	}
	p.effect.Changes.Verified, p.effect.Changes.Value = true, true
	if !hidden {
		p.effect.Value = got
	}
	return nil
}

// enter types text by keys, or gives the field its new text at once where no keyboard has the characters.
func (p *act) enter(ctx context.Context, n *node, a driver.TypeText, was string) error {
	if a.Text == "" {
		return nil
	}
	var got struct{ Typed bool }
	plain := strings.IndexFunc(a.Text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	if plain || a.Keys || n.F.has(password) && was != "" { // keyboards differ in the other characters, and drop some
		if err := p.ask.Call(ctx, map[string]any{"do": "text", "text": a.Text}, &got); err != nil {
			return err
		}
		p.effect.Method = "keys"
		if got.Typed {
			return nil
		}
	}
	if a.Keys || n.F.has(password) && was != "" {
		return fault.New(fault.NotActed, p.op, "no key of the phone's keyboard types this text").
			WithHint("Type it without keys: the field then gets the text as from a keyboard that composes.")
	}
	whole := was + a.Text
	if len(n.Sel) == 2 {
		units := utf16.Encode([]rune(was))
		from, to := min(n.Sel[0], n.Sel[1]), max(n.Sel[0], n.Sel[1])
		if to <= len(units) {
			whole = string(utf16.Decode(units[:from])) + a.Text + string(utf16.Decode(units[to:]))
		}
	}
	err := p.ask.Call(ctx, map[string]any{"do": "text", "text": whole, "set": true, "node": n.ID}, &got)
	if err == nil && !got.Typed {
		err = fault.New(fault.NotActed, p.op, "the field refuses the text")
	}
	p.effect.Method = "setText"
	return err
}

// cut is the selected part of a text.
func cut(s string, sel []int) string {
	units := utf16.Encode([]rune(s))
	from, to := min(sel[0], sel[1]), max(sel[0], sel[1])
	if from < 0 || to > len(units) {
		return ""
	}
	return string(utf16.Decode(units[from:to]))
}

// clear empties a field that has the focus.
func (p *act) clear(ctx context.Context, n *node) error {
	id := identity(n)
	if value(n) == "" {
		return nil
	}
	const keyA = 29
	if err := p.sendChords(ctx, [][2]int{{keyA, metaCtrl}, {keyDelete, 0}}); err != nil {
		return err
	}
	n, err := p.again(ctx, id)
	if err != nil || value(n) == "" {
		return err
	}
	if err := p.remove(ctx, n, 0); err != nil {
		return err
	}
	if n, err = p.again(ctx, id); err == nil && value(n) != "" {
		err = fault.New(fault.NotActed, p.op, "the field still holds %s", fieldtext.Quote(value(n), n.F.has(password)))
	}
	return err
}

// remove presses Backspace for so many characters, from the end for all of them.
func (p *act) remove(ctx context.Context, n *node, count int) error {
	var codes [][2]int
	if count == 0 {
		codes = append(codes, [2]int{keyMoveEnd, metaCtrl})
		count = len([]rune(value(n)))
	}
	for range count {
		codes = append(codes, [2]int{keyDelete, 0})
	}
	return p.sendChords(ctx, codes)
}

func (p *act) erase(ctx context.Context, a driver.EraseText) error {
	n, err := p.focusOn(ctx, a.Target)
	if err != nil {
		return err
	}
	id, was := identity(n), []rune(value(n))
	if a.Count == 0 {
		err = p.clear(ctx, n)
	} else {
		err = p.remove(ctx, n, a.Count)
	}
	if err != nil {
		return err
	}
	if err := p.settle(ctx); err != nil {
		return err
	}
	if n, err = p.again(ctx, id); err != nil {
		return err
	}
	left := max(len(was)-a.Count, 0)
	if a.Count == 0 {
		left = 0
	}
	if got := len([]rune(value(n))); got > left {
		return fault.New(fault.NotActed, p.op, "the field still holds %d characters instead of %d", got, left)
	}
	p.effect.Changes.Verified = true
	if !n.F.has(password) {
		p.effect.Value = value(n)
	}
	return nil
}

// again reads an element anew.
func (p *act) again(ctx context.Context, id string) (*node, error) {
	t, err := p.tree(ctx)
	if err != nil {
		return nil, err
	}
	var found *node
	t.each(func(n *node) {
		if identity(n) == id {
			found = n
		}
	})
	if found == nil {
		return nil, fault.New(fault.NotActed, p.op, "the field went away while it was typed into")
	}
	return found, nil
}

// SetClipboard implements driver.Clipboard. What was set is read back.
func (d *Device) SetClipboard(ctx context.Context, text string) error {
	const op = "set clipboard"
	got, err := d.clipboard(ctx, op, map[string]any{"do": "clipboard", "set": text})
	if err == nil && got != text {
		err = fault.New(fault.NotActed, op, "the phone did not keep the text")
	}
	return err
}

// Clipboard implements driver.Clipboard.
func (d *Device) Clipboard(ctx context.Context) (string, error) {
	return d.clipboard(ctx, "read clipboard", map[string]any{"do": "clipboard"})
}

func (d *Device) clipboard(ctx context.Context, op string, request map[string]any) (string, error) {
	if err := d.usable(ctx, op); err != nil {
		return "", err
	}
	var got struct{ Text string }
	err := d.ask.Call(ctx, request, &got)
	return got.Text, fault.Wrap(err, "", op)
}
