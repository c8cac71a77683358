// Package keys knows the keys of the US keyboard: it reads the notation of shortcuts and makes the
// browser's key events.
//
//	chord, err := keys.Parse("Control+Shift+a")
//	chord.Press(func(event input.DispatchKeyEventParams, last bool) { … })
package keys

import (
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// ControlOrMeta is the modifier of shortcuts on this system.
var ControlOrMeta = map[bool]string{true: "Meta", false: "Control"}[runtime.GOOS == "darwin"]

// The bits of the modifiers in a key event.
const (
	alt     = 1
	control = 2
	meta    = 4
	shift   = 8
)

// Key is a key of the US keyboard layout.
type Key struct {
	key      string // KeyboardEvent.key
	code     string // KeyboardEvent.code
	vk       int64  // KeyboardEvent.keyCode
	text     string // that it types
	location int64
	shifted  bool  // needs Shift
	modifier int64 // its bit, when it is a modifier
}

// keyboard holds every key by its code, by its key value and by what it types.
var keyboard = sync.OnceValue(layout)

// Find returns the key with a code ("KeyA"), a key value ("Delete") or a text ("a", "?").
func Find(name string) (Key, bool) {
	k, ok := keyboard()[name]
	return k, ok
}

// Modifiers adds up the bits of modifier keys.
func Modifiers(names []string) (int64, error) {
	var bits int64
	for _, n := range names {
		k, ok := modifierKeys[strings.ToLower(n)]
		if !ok {
			return 0, fault.New(fault.Invalid, "hold key", "no modifier is called %q", n).
				WithHint("Use Shift, Control, Alt, Meta or ControlOrMeta.")
		}
		bits |= keyboard()[k].modifier
	}
	return bits, nil
}

// modifierKeys are the names of modifiers, lower case, and the key each stands for.
var modifierKeys = map[string]string{
	"shift": "Shift", "control": "Control", "ctrl": "Control", "alt": "Alt", "option": "Alt",
	"meta": "Meta", "command": "Meta", "cmd": "Meta", "controlormeta": ControlOrMeta,
}

// keyMap collects keys by their names. The first key that takes a name keeps it.
type keyMap map[string]Key

func (m keyMap) add(k Key, names ...string) {
	m[k.code] = k
	for _, n := range append(names, k.key) {
		if _, taken := m[n]; !taken {
			m[n] = k
		}
	}
}

func layout() keyMap {
	m := keyMap{}
	m.addCharacters()
	m.addFunctions()
	m.addNumpad()
	m.addModifiers()
	return m
}

// addCharacters adds the letters, digits and signs, each with what it types with Shift.
func (m keyMap) addCharacters() {
	for c := 'a'; c <= 'z'; c++ {
		lower, upper := string(c), strings.ToUpper(string(c))
		m.add(Key{key: lower, code: "Key" + upper, vk: int64(c) - 32, text: lower})
		m[upper] = Key{key: upper, code: "Key" + upper, vk: int64(c) - 32, text: upper, shifted: true}
	}
	for i, c := range ")!@#$%^&*(" {
		n, sign, vk := string(rune('0'+i)), string(c), int64('0'+i)
		m.add(Key{key: n, code: "Digit" + n, vk: vk, text: n})
		m[sign] = Key{key: sign, code: "Digit" + n, vk: vk, text: sign, shifted: true}
	}
	for _, p := range []struct {
		code, plain, shifted string
		vk                   int64
	}{
		{"Semicolon", ";", ":", 186}, {"Equal", "=", "+", 187}, {"Comma", ",", "<", 188}, {"Minus", "-", "_", 189},
		{"Period", ".", ">", 190}, {"Slash", "/", "?", 191}, {"Backquote", "`", "~", 192}, {"BracketLeft", "[", "{", 219},
		{"Backslash", `\`, "|", 220}, {"BracketRight", "]", "}", 221}, {"Quote", "'", `"`, 222},
	} {
		m.add(Key{key: p.plain, code: p.code, vk: p.vk, text: p.plain})
		m[p.shifted] = Key{key: p.shifted, code: p.code, vk: p.vk, text: p.shifted, shifted: true}
	}
}

// addFunctions adds the keys that have a name.
func (m keyMap) addFunctions() {
	for code, vk := range map[string]int64{
		"Escape": 27, "Backspace": 8, "Tab": 9, "Delete": 46, "Insert": 45, "Home": 36, "End": 35,
		"PageUp": 33, "PageDown": 34, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39,
		"CapsLock": 20, "NumLock": 144, "ScrollLock": 145, "Pause": 19, "PrintScreen": 44, "ContextMenu": 93,
		"AudioVolumeMute": 173, "AudioVolumeDown": 174, "AudioVolumeUp": 175,
		"MediaTrackNext": 176, "MediaTrackPrevious": 177, "MediaStop": 178, "MediaPlayPause": 179,
	} {
		m.add(Key{key: code, code: code, vk: vk})
	}
	for i := 1; i <= 24; i++ {
		f := "F" + strconv.Itoa(i)
		m.add(Key{key: f, code: f, vk: int64(111 + i)})
	}
	m.add(Key{key: "Enter", code: "Enter", vk: 13, text: "\r"}, "Return", "\n", "\r")
	m.add(Key{key: " ", code: "Space", vk: 32, text: " "})
}

const numpad = 3 // the location of its keys

// addNumpad comes after the other keys: their names belong to the main block.
func (m keyMap) addNumpad() {
	for i := range 10 {
		n := strconv.Itoa(i)
		m.add(Key{key: n, code: "Numpad" + n, vk: int64(96 + i), text: n, location: numpad})
	}
	for _, p := range []struct {
		code, key string
		vk        int64
	}{
		{"NumpadMultiply", "*", 106}, {"NumpadAdd", "+", 107}, {"NumpadSubtract", "-", 109},
		{"NumpadDecimal", ".", 110}, {"NumpadDivide", "/", 111},
	} {
		m.add(Key{key: p.key, code: p.code, vk: p.vk, text: p.key, location: numpad})
	}
	m.add(Key{key: "Enter", code: "NumpadEnter", vk: 13, text: "\r", location: numpad})
}

func (m keyMap) addModifiers() {
	for _, p := range []struct {
		name    string
		vk, bit int64
	}{{"Alt", 18, alt}, {"Control", 17, control}, {"Meta", 91, meta}, {"Shift", 16, shift}} {
		m.add(Key{key: p.name, code: p.name + "Left", vk: p.vk, location: 1, modifier: p.bit})
		m.add(Key{key: p.name, code: p.name + "Right", vk: p.vk, location: 2, modifier: p.bit})
	}
}
