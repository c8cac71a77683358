package phone

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

const (
	tapTime       = 40  // that a finger stays down, in milliseconds
	swipeTime     = 300 // of a swipe that names none
	longPressTime = 700
)

// keyCodes are keys by their names, as "input keyevent" takes them.
var keyCodes = map[string]int{"HOME": 3, "BACK": 4, "CALL": 5, "ENDCALL": 6, "DPAD_UP": 19, "DPAD_DOWN": 20,
	"DPAD_LEFT": 21, "DPAD_RIGHT": 22,
	"DPAD_CENTER": 23, "VOLUME_UP": 24, "VOLUME_DOWN": 25, "POWER": 26, "CAMERA": 27, "CLEAR": 28, "COMMA": 55,
	"PERIOD": 56, "TAB": 61,
	"SPACE": 62, "ENTER": 66, "DEL": 67, "MENU": 82, "SEARCH": 84, "PAGE_UP": 92, "PAGE_DOWN": 93, "ESCAPE": 111,
	"FORWARD_DEL": 112,
	"MOVE_HOME":   122, "MOVE_END": 123, "APP_SWITCH": 187, "SLEEP": 223, "WAKEUP": 224, "CUT": 277, "COPY": 278,
	"PASTE": 279}

func keyCode(name string) (int, bool) {
	if n, err := strconv.Atoi(name); err == nil {
		return n, true
	}
	name = strings.TrimPrefix(strings.ToUpper(name), "KEYCODE_")
	if len(name) == 1 && 'A' <= name[0] && name[0] <= 'Z' {
		return 29 + int(name[0]-'A'), true
	}
	if len(name) == 1 && '0' <= name[0] && name[0] <= '9' {
		return 7 + int(name[0]-'0'), true
	}
	n, ok := keyCodes[name]
	return n, ok
}

func inputProgram(c *call) int {
	args := c.args
	if len(args) > 0 && slices.Contains([]string{"touchscreen", "keyboard", "touchpad", "mouse"}, args[0]) {
		args = args[1:]
	}
	if len(args) == 0 {
		return c.fail("Usage: input [<source>] <command> [<arg>...]")
	}
	verb, args := args[0], args[1:]
	switch verb {
	case "text":
		if len(args) == 0 {
			return c.fail("Error: Invalid arguments for command: text")
		}
		return c.act(request{"do": "text", "text": strings.ReplaceAll(args[0], "%s", " ")})
	case "keyevent":
		long := false
		for _, a := range args {
			if a == "--longpress" {
				long = true
				continue
			}
			code, ok := keyCode(a)
			if !ok {
				return c.fail("Error: Unknown keycode: %s", a)
			}
			if n := c.press(code, long); n != 0 {
				return n
			}
		}
		return 0
	case "tap", "swipe", "draganddrop":
		var points []float64
		for _, a := range args {
			f, err := strconv.ParseFloat(a, 64)
			if err != nil {
				return c.fail("Error: Invalid arguments for command: %s", verb)
			}
			points = append(points, f)
		}
		ms := tapTime
		switch {
		case verb == "tap" && len(points) == 2:
		case verb != "tap" && (len(points) == 4 || len(points) == 5):
			ms = swipeTime
			if len(points) == 5 {
				ms = int(points[4])
			}
			if points = points[:4]; points[0] == points[2] && points[1] == points[3] {
				points = points[:2]
			}
		default:
			return c.fail("Error: Invalid arguments for command: %s", verb)
		}
		return c.act(request{"do": "gesture", "points": points, "ms": ms})
	}
	return c.refuse("input " + verb)
}

func (c *call) act(q request) int {
	front, err := c.foreground()
	if err == nil {
		_, err = front.ask(c, q, nil)
	}
	if err != nil {
		return c.fail("Error: %v", err)
	}
	return 0
}

// press presses a key. Those of the system are the phone's, the others go to the window that has the focus.
func (c *call) press(code int, long bool) int {
	switch code {
	case keyCodes["WAKEUP"], keyCodes["CALL"], keyCodes["ENDCALL"], keyCodes["VOLUME_UP"], keyCodes["VOLUME_DOWN"],
		keyCodes["CAMERA"]:
		return 0
	case keyCodes["SLEEP"], keyCodes["POWER"], keyCodes["APP_SWITCH"]:
		return c.refuse("it has no screen lock and no list of recent apps")
	case keyCodes["HOME"]:
		return c.act(request{"do": "home"})
	}
	return c.act(request{"do": "key", "code": code, "long": long})
}

func screencap(c *call) int {
	_, _, names := c.flags("d")
	limit, cancel := context.WithTimeout(c, helperTime)
	defer cancel()
	png, err := c.askFront(limit, request{"do": "picture"}, true)
	if err != nil {
		return c.fail("screencap: %v", err)
	}
	if len(names) == 0 {
		if !slices.Contains(c.args, "-p") {
			return c.refuse("it gives pictures as PNG: screencap -p")
		}
		_, _ = c.out.Write(png)
		return 0
	}
	if err := c.write(c.at(names[0]), png); err != nil {
		return c.complain(names[0], err)
	}
	return 0
}

func uiautomator(c *call) int {
	if len(c.args) == 0 || c.args[0] != "dump" {
		return c.refuse("uiautomator knows dump")
	}
	to := "/sdcard/window_dump.xml"
	all := false
	for _, a := range c.args[1:] {
		switch {
		case a == "--windows":
			all = true
		case !strings.HasPrefix(a, "-"):
			to = a
		}
	}
	limit, cancel := context.WithTimeout(c, helperTime)
	defer cancel()
	xml, err := c.askFront(limit, request{"do": "tree", "all": all}, true)
	if err != nil {
		return c.fail("ERROR: could not get idle state. (%v)", err)
	}
	if to == "/dev/tty" {
		_, _ = c.out.Write(xml)
	} else if err := c.write(c.at(to), xml); err != nil {
		return c.complain(to, err)
	}
	c.printf("UI hierchary dumped to: %s\n", to) // the word is spelled so on Android
	return 0
}
