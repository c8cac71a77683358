package keys

import (
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Chord is a key with the modifiers held while it is pressed.
type Chord struct {
	held []Key
	key  Key
}

// Parse reads Playwright's notation: "a", "A", "Enter", "Control+Shift+T", "Control++". Any other
// single character is typed as text.
func Parse(s string) (Chord, error) {
	var c Chord
	parts := split(s)
	for i, p := range parts {
		last := i == len(parts)-1
		if m, ok := modifierKeys[strings.ToLower(p)]; ok {
			p = m
		} else if !last {
			return c, unknown(s, p)
		}
		k, ok := byName(p)
		if !ok && (utf8.RuneCountInString(p) != 1 || len(parts) > 1) {
			return c, unknown(s, p)
		}
		if !ok {
			k = Key{key: p, text: p}
		}
		if last {
			c.key = k
			continue
		}
		c.held = append(c.held, k)
	}
	if c.bits()&shift != 0 {
		c.key = c.key.withShift()
	}
	return c, nil
}

// split separates the parts of a chord, the last of which may be the plus key itself.
func split(s string) []string {
	if s != "+" && !strings.HasSuffix(s, "++") {
		return strings.Split(s, "+")
	}
	held := strings.TrimSuffix(strings.TrimSuffix(s, "+"), "+")
	if held == "" {
		return []string{"+"}
	}
	return append(strings.Split(held, "+"), "+")
}

// withShift returns the key that k types with Shift: Shift+a types A.
func (k Key) withShift() Key {
	if upper, ok := keyboard()[strings.ToUpper(k.key)]; ok && len(k.key) == 1 && upper.shifted {
		return upper
	}
	if shifted, ok := shiftOf()[k.key]; ok {
		return shifted
	}
	return k
}

// shiftOf holds what a key types with Shift, by what it types without.
var shiftOf = sync.OnceValue(func() map[string]Key {
	m := map[string]Key{}
	for _, k := range keyboard() {
		if k.shifted {
			if plain, ok := keyboard()[k.code]; ok {
				m[plain.key] = k
			}
		}
	}
	return m
})

var shortForms = map[string]string{
	"esc": "Escape", "del": "Delete", "ins": "Insert", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft",
	"right": "ArrowRight", "pgup": "PageUp", "pgdn": "PageDown", "spacebar": "Space", "return": "Enter",
}

// byName finds a key as Find does, and forgives the case of its name and common short forms.
func byName(name string) (Key, bool) {
	if k, ok := keyboard()[name]; ok {
		return k, true
	}
	if utf8.RuneCountInString(name) < 2 {
		return Key{}, false
	}
	if long, ok := shortForms[strings.ToLower(name)]; ok {
		name = long
	}
	for n, k := range keyboard() {
		if strings.EqualFold(n, name) {
			return keyboard()[k.code], true
		}
	}
	return Key{}, false
}

func unknown(all, part string) error {
	return fault.New(fault.Invalid, "press key", "no key is called %q in %q", part, all).
		WithHint("Name keys as browsers do: Enter, Tab, Escape, ArrowDown, a, F5; join modifiers with +: Control+Shift+a.")
}

func (c Chord) bits() int64 {
	var bits int64
	for _, k := range c.held {
		bits |= k.modifier
	}
	return bits
}

// Press sends the events of the held keys, of the key, and of their release in the opposite order.
// The last event is marked.
func (c Chord) Press(send func(event input.DispatchKeyEventParams, last bool)) {
	var bits int64
	for _, k := range c.held {
		bits |= k.modifier
		send(k.Down(bits), false)
	}
	capital := c.key.shifted && bits == 0 // takes Shift although the notation does not name it
	if capital {
		bits |= shift
	}
	send(c.key.Down(bits), false)
	send(c.key.Up(bits), len(c.held) == 0)
	if capital {
		bits &^= shift
	}
	for i := len(c.held) - 1; i >= 0; i-- {
		bits &^= c.held[i].modifier
		send(c.held[i].Up(bits), i == 0)
	}
}

// Bits are the modifiers that the key needs to type its text.
func (k Key) Bits() int64 {
	if k.shifted {
		return shift
	}
	return 0
}

// Down is the event of pressing the key while modifiers are held.
func (k Key) Down(bits int64) input.DispatchKeyEventParams {
	p := k.event(bits)
	p.Type = input.DispatchKeyEventTypeRawKeyDown
	if k.text != "" && bits&(alt|control|meta) == 0 { // shortcuts type nothing
		p.Type, p.Text, p.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, k.text, k.text
	}
	if bits&(control|meta) != 0 {
		p.Commands = editing(k, bits)
	}
	return p
}

// Up is the event of releasing the key while modifiers are held.
func (k Key) Up(bits int64) input.DispatchKeyEventParams {
	p := k.event(bits)
	p.Type = input.DispatchKeyEventTypeKeyUp
	return p
}

func (k Key) event(bits int64) input.DispatchKeyEventParams {
	p := input.DispatchKeyEventParams{
		Key: k.key, Code: k.code, Modifiers: bits, WindowsVirtualKeyCode: k.vk, NativeVirtualKeyCode: k.vk,
	}
	if k.location == numpad {
		p.IsKeypad = new(true)
	} else {
		p.Location = k.location
	}
	return p
}

var macCommands = map[string]string{"KeyA": "selectAll", "KeyC": "copy", "KeyV": "paste", "KeyX": "cut", "KeyZ": "undo"}

// editing names the commands behind shortcuts where the browser leaves those to the system.
func editing(k Key, bits int64) []string {
	if runtime.GOOS != "darwin" || bits&meta == 0 {
		return nil
	}
	if c, ok := macCommands[k.code]; ok {
		return []string{c}
	}
	return nil
}
