package web

import "strings"

// keyDef is a key of the US keyboard layout.
type keyDef struct {
	key      string // KeyboardEvent.key
	code     string // KeyboardEvent.code
	vk       int64  // KeyboardEvent.keyCode
	text     string // what it types
	location int64
	shifted  bool  // needs Shift
	modifier int64 // its bit, when it is a modifier
}

// keyboard holds every key by its code, by its key value and by what it types.
var keyboard = layout()

// modifierKeys are the names of modifiers, lower case, and the key each stands for.
var modifierKeys = map[string]string{
	"shift": "Shift", "control": "Control", "ctrl": "Control", "alt": "Alt", "option": "Alt",
	"meta": "Meta", "command": "Meta", "cmd": "Meta", "controlormeta": controlOrMeta,
}

func layout() map[string]keyDef {
	m := map[string]keyDef{}
	add := func(k keyDef, names ...string) {
		m[k.code] = k
		for _, n := range append(names, k.key) {
			if _, taken := m[n]; !taken {
				m[n] = k
			}
		}
	}
	for c := 'a'; c <= 'z'; c++ {
		lower, upper := string(c), strings.ToUpper(string(c))
		add(keyDef{key: lower, code: "Key" + upper, vk: int64(c) - 32, text: lower})
		m[upper] = keyDef{key: upper, code: "Key" + upper, vk: int64(c) - 32, text: upper, shifted: true}
	}
	for i, c := range ")!@#$%^&*(" {
		n := string(rune('0' + i))
		add(keyDef{key: n, code: "Digit" + n, vk: int64('0' + i), text: n})
		m[string(c)] = keyDef{key: string(c), code: "Digit" + n, vk: int64('0' + i), text: string(c), shifted: true}
	}
	for _, p := range []struct {
		code, plain, shifted string
		vk                   int64
	}{
		{"Semicolon", ";", ":", 186}, {"Equal", "=", "+", 187}, {"Comma", ",", "<", 188}, {"Minus", "-", "_", 189},
		{"Period", ".", ">", 190}, {"Slash", "/", "?", 191}, {"Backquote", "`", "~", 192}, {"BracketLeft", "[", "{", 219},
		{"Backslash", `\`, "|", 220}, {"BracketRight", "]", "}", 221}, {"Quote", "'", `"`, 222},
	} {
		add(keyDef{key: p.plain, code: p.code, vk: p.vk, text: p.plain})
		m[p.shifted] = keyDef{key: p.shifted, code: p.code, vk: p.vk, text: p.shifted, shifted: true}
	}
	for code, vk := range map[string]int64{
		"Escape": 27, "Backspace": 8, "Tab": 9, "Delete": 46, "Insert": 45, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34,
		"ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "CapsLock": 20, "NumLock": 144, "ScrollLock": 145,
		"Pause": 19, "PrintScreen": 44, "ContextMenu": 93, "AudioVolumeMute": 173, "AudioVolumeDown": 174, "AudioVolumeUp": 175,
		"MediaTrackNext": 176, "MediaTrackPrevious": 177, "MediaStop": 178, "MediaPlayPause": 179,
	} {
		add(keyDef{key: code, code: code, vk: vk})
	}
	for i := 1; i <= 24; i++ {
		f := "F" + itoa(i)
		add(keyDef{key: f, code: f, vk: int64(111 + i)})
	}
	add(keyDef{key: "Enter", code: "Enter", vk: 13, text: "\r"}, "Return", "\n", "\r")
	add(keyDef{key: " ", code: "Space", vk: 32, text: " "})
	for i := range 10 {
		n := itoa(i)
		add(keyDef{key: n, code: "Numpad" + n, vk: int64(96 + i), text: n, location: 3})
	}
	for _, p := range []struct {
		code, key string
		vk        int64
	}{{"NumpadMultiply", "*", 106}, {"NumpadAdd", "+", 107}, {"NumpadSubtract", "-", 109}, {"NumpadDecimal", ".", 110}, {"NumpadDivide", "/", 111}} {
		add(keyDef{key: p.key, code: p.code, vk: p.vk, text: p.key, location: 3})
	}
	add(keyDef{key: "Enter", code: "NumpadEnter", vk: 13, text: "\r", location: 3})
	for _, p := range []struct {
		name    string
		vk, bit int64
	}{{"Alt", 18, 1}, {"Control", 17, 2}, {"Meta", 91, 4}, {"Shift", 16, 8}} {
		add(keyDef{key: p.name, code: p.name + "Left", vk: p.vk, location: 1, modifier: p.bit})
		add(keyDef{key: p.name, code: p.name + "Right", vk: p.vk, location: 2, modifier: p.bit})
	}
	return m
}
