package web

import (
	"context"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// controlOrMeta is the modifier of shortcuts on this system.
var controlOrMeta = map[bool]string{true: "Meta", false: "Control"}[runtime.GOOS == "darwin"]

func itoa(i int) string { return strconv.Itoa(i) }

// chord is a key with the modifiers held while it is pressed.
type chord struct {
	held []keyDef
	key  keyDef
	bits int64
}

// parseChord reads Playwright's notation: "a", "A", "Enter", "Control+Shift+T", "Control++". Any other single character
// is typed as text.
func parseChord(s string) (chord, error) {
	var c chord
	parts := strings.Split(s, "+")
	if strings.HasSuffix(s, "++") || s == "+" { // the plus key itself
		parts = append(strings.Split(strings.TrimSuffix(strings.TrimSuffix(s, "+"), "+"), "+"), "+")
		if parts[0] == "" {
			parts = parts[1:]
		}
	}
	for i, p := range parts {
		last := i == len(parts)-1
		if m, ok := modifierKeys[strings.ToLower(p)]; ok {
			p = m
		} else if !last {
			return c, unknownKey(s, p)
		}
		k, ok := keyboard[p]
		if !ok {
			k, ok = findKey(p)
		}
		if !ok && (utf8.RuneCountInString(p) != 1 || len(parts) > 1) {
			return c, unknownKey(s, p)
		}
		if !ok {
			k = keyDef{key: p, text: p}
		}
		if last {
			c.key = k
			continue
		}
		c.held = append(c.held, k)
		c.bits |= k.modifier
	}
	if c.bits&8 != 0 { // Shift+a types A
		if k, ok := keyboard[strings.ToUpper(c.key.key)]; ok && len(c.key.key) == 1 && k.shifted {
			c.key = k
		} else if k, ok := shiftOf[c.key.key]; ok {
			c.key = k
		}
	}
	return c, nil
}

// shiftOf is what a key types with Shift, by what it types without.
var shiftOf = func() map[string]keyDef {
	m := map[string]keyDef{}
	for _, k := range keyboard {
		if k.shifted {
			if plain, ok := keyboard[k.code]; ok {
				m[plain.key] = k
			}
		}
	}
	return m
}()

// findKey forgives the case of a key's name, and common short forms.
func findKey(name string) (keyDef, bool) {
	if utf8.RuneCountInString(name) < 2 {
		return keyDef{}, false
	}
	if long, ok := map[string]string{
		"esc": "Escape", "del": "Delete", "ins": "Insert", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft",
		"right": "ArrowRight", "pgup": "PageUp", "pgdn": "PageDown", "spacebar": "Space", "return": "Enter",
	}[strings.ToLower(name)]; ok {
		name = long
	}
	for n, k := range keyboard {
		if strings.EqualFold(n, name) {
			return keyboard[k.code], true
		}
	}
	return keyDef{}, false
}

func unknownKey(all, part string) error {
	return fault.New(fault.Invalid, "press key", "no key is called %q in %q", part, all).
		WithHint("Name keys as browsers do: Enter, Tab, Escape, ArrowDown, a, F5; join modifiers with +: Control+Shift+a.")
}

func (a *action) pressKey(ctx context.Context, x driver.PressKey) (*driver.Effect, error) {
	a.op = "press key"
	c, err := parseChord(x.Key)
	if err != nil {
		return nil, err
	}
	if err := a.aimAtFocus(ctx, x.Target); err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		var r ready
		q := query{ID: a.element, Token: a.token, Kind: "key", Wait: a.patienceLeft(), Still: try > 1}
		if err := a.ask(ctx, a.doc, &r, "focusOn", q); err != nil {
			return nil, err
		}
		a.log = append(a.log, r.Log...)
		if !r.OK {
			return nil, a.refuse(r.refusal)
		}
		a.place(r, a.origin(ctx), 1)
		a.sendChord(c, true)
		now, s, err := a.settle(ctx, a.finish)
		if err != nil {
			return nil, err
		}
		if now == nil || now.State == "delivered" {
			return a.effect(now, s), nil
		}
		by := now.By
		if by == "" {
			by = "nothing"
		}
		a.note("the focus went to %s and the key was held back; focused again", by)
		if try == aims {
			return nil, fault.New(fault.NotActed, a.op, "the key went to %s instead of the element, so it was held back", by)
		}
	}
}

// sendChord presses the held keys, the key, and lets go in the opposite order. last says that the action ends with it.
func (a *action) sendChord(c chord, last bool) {
	var bits int64
	for _, k := range c.held {
		bits |= k.modifier
		a.keyDown(k, bits, false)
	}
	shift := c.key.shifted && bits == 0
	if shift { // a capital letter takes Shift, though nobody wrote it
		bits |= 8
	}
	a.keyDown(c.key, bits, false)
	a.keyUp(c.key, bits, last && len(c.held) == 0)
	if shift {
		bits &^= 8
	}
	for i := len(c.held) - 1; i >= 0; i-- {
		bits &^= c.held[i].modifier
		a.keyUp(c.held[i], bits, last && i == 0)
	}
}

func (a *action) keyDown(k keyDef, bits int64, last bool) {
	p := keyEvent(k, bits)
	p.Type = input.DispatchKeyEventTypeRawKeyDown
	if k.text != "" && bits&(1|2|4) == 0 { // shortcuts type nothing
		p.Type, p.Text, p.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, k.text, k.text
	}
	if bits&(2|4) != 0 {
		p.Commands = editing(k, bits)
	}
	if last {
		a.last(input.CommandDispatchKeyEvent, p)
		return
	}
	cdp.Send(a.t.sess, input.DispatchKeyEvent, p)
}

func (a *action) keyUp(k keyDef, bits int64, last bool) {
	p := keyEvent(k, bits)
	p.Type = input.DispatchKeyEventTypeKeyUp
	if last {
		a.last(input.CommandDispatchKeyEvent, p)
		return
	}
	cdp.Send(a.t.sess, input.DispatchKeyEvent, p)
}

func keyEvent(k keyDef, bits int64) input.DispatchKeyEventParams {
	p := input.DispatchKeyEventParams{
		Key: k.key, Code: k.code, Modifiers: bits, WindowsVirtualKeyCode: k.vk, NativeVirtualKeyCode: k.vk,
	}
	if k.location == 3 {
		p.IsKeypad = new(true)
	} else {
		p.Location = k.location
	}
	return p
}

// editing are the commands behind shortcuts where the browser leaves those to the system.
func editing(k keyDef, bits int64) []string {
	if runtime.GOOS != "darwin" || bits&4 == 0 {
		return nil
	}
	if c, ok := map[string]string{"KeyA": "selectAll", "KeyC": "copy", "KeyV": "paste", "KeyX": "cut", "KeyZ": "undo"}[k.code]; ok {
		return []string{c}
	}
	return nil
}

// aimAtFocus aims at the target, or at whatever has the focus when there is none: the frame that has it gets the guard.
func (a *action) aimAtFocus(ctx context.Context, t driver.Target) error {
	if err := a.aimAt(t); err != nil || a.element != 0 {
		return err
	}
	for {
		var id int64
		if err := a.ask(ctx, a.doc, &id, "focusId"); err != nil {
			return err
		}
		inner := a.frameOf(ctx, id)
		if id == 0 || inner == nil {
			return nil
		}
		a.doc = inner
	}
}

// frameOf is the document that the element shows, when it is a frame.
func (a *action) frameOf(ctx context.Context, element int64) *document {
	if element == 0 {
		return nil
	}
	a.d.mu.Lock()
	children := a.t.children(a.doc.frame)
	a.d.mu.Unlock()
	for _, f := range children {
		if a.d.ownerOf(ctx, a.doc, f) == element {
			a.d.mu.Lock()
			doc := f.doc
			a.d.mu.Unlock()
			return doc
		}
	}
	return nil
}
