// Package androidtest is a phone of a few widgets behind a stand-in of the adb server (adbtest): it answers the
// helper's wire, so that the driver's own code runs whole on machines without Java. It shows of Android no more than
// what is written here.
//
//	srv := adbtest.Start(t)
//	p := androidtest.New("p1")
//	srv.Set(p.Adb())
//	p.Show(androidtest.Button("Save", func() { … }))
package androidtest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
)

// The size of the screen.
const (
	Width  = 1080
	Height = 2400
)

// View is a widget. Its fields are guarded by its phone; handlers run with that lock.
type View struct {
	Class, Resource, Text, Desc, Hint string
	Clickable, Checkable, Checked     bool
	Editable, Password, Disabled      bool
	Hidden                            bool   // no one can see it
	Web                               string // of an element of a page: its role, by Chromium's name
	Window                            string // of the root of a window: its type, "" is application
	Mute                              bool   // it says nothing of its clicks
	Left                              bool   // accessibility is to leave out what is in it
	Drawn                             bool   // a view draws it itself
	Stays                             bool   // of the root of a window: back does not close it
	Scroll                            bool   // its children stand one below the other in a box that scrolls
	Kids                              []*View
	Tap                               func()
	Focused                           func() // runs when a field has got the focus
	Typed                             func() // runs after each text that is typed or set
	Top, H                            int    // where it stands in its parent, and how high; 0: below the one before
	caret                             int
	all                               bool // the whole text is selected
	id, offset                        int
	box                               [4]int
}

// Button is a button.
func Button(text string, tap func()) *View {
	return &View{Class: "android.widget.Button", Text: text, Clickable: true, Tap: tap}
}

// Label is a text.
func Label(text string) *View { return &View{Class: "android.widget.TextView", Text: text} }

// Phone is the stand-in.
type Phone struct {
	Serial string
	// Do guards these.
	Front     string        // package of the app in front; "" is app
	Truncated bool          // the tree is not whole
	Secure    bool          // no picture may be taken of the screen
	Black     bool          // pictures of the screen are black
	Elsewhere int           // pixels that taps land lower
	Turned    bool          // the screen is wider than high
	Picture   float64       // pixels of a picture to one of the screen; 0: 1
	Refused   string        // why no tree is given
	Looked    func()        // runs after each tree that was given
	Slow      time.Duration // that a tree takes
	Clip      string        // what the clipboard holds
	// Commands answers lines of the shell beside those of the helper; nil: every program is missing.
	Commands func(line string, stdout, stderr io.Writer) int

	mu      sync.Mutex
	windows []*View // the last one is in front
	focus   *View
	ids     int
	changes int64
	changed chan struct{} // closed and replaced at each change
	taps    int
	clicks  []map[string]any
	killed  chan struct{} // closed and replaced at each kill of the helper
	conns   []net.Conn
}

// New makes a phone with an empty screen.
func New(serial string) *Phone {
	return &Phone{Serial: serial, changed: make(chan struct{}), killed: make(chan struct{})}
}

// Adb is the phone as the adb server has it.
func (p *Phone) Adb() *adbtest.Phone {
	return &adbtest.Phone{
		Serial: p.Serial, Model: "Stand_in",
		Shell: func(line string, stdin io.Reader, stdout, stderr io.Writer) int {
			switch {
			case strings.Contains(line, "app_process"):
				return p.helper(stdin, stdout)
			case p.Commands != nil:
				return p.Commands(line, stdout, stderr)
			}
			_, _ = io.WriteString(stderr, "not found\n")
			return 127
		},
		Socket: func(name string) func(net.Conn) {
			if !strings.HasPrefix(name, "localabstract:trailblaze-") {
				return nil
			}
			return func(c net.Conn) {
				p.mu.Lock()
				p.conns = append(p.conns, c)
				p.mu.Unlock()
				p.serve(c)
			}
		},
	}
}

// helper runs until its input ends or Kill ends it.
func (p *Phone) helper(stdin io.Reader, stdout io.Writer) int {
	p.mu.Lock()
	killed := p.killed
	p.mu.Unlock()
	_, _ = io.WriteString(stdout, "ready\n")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, stdin)
	}()
	select {
	case <-ended:
		return 0
	case <-killed:
		return 137
	}
}

// Kill ends the helper and its connections, as the phone's system does when memory is short. It is for handlers.
func (p *Phone) Kill() {
	close(p.killed)
	p.killed = make(chan struct{})
	p.Disconnect()
}

// Disconnect ends the helper's connections alone. It is for handlers.
func (p *Phone) Disconnect() {
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}

// Show replaces what is on the screen.
func (p *Phone) Show(views ...*View) {
	p.Do(func() { p.windows, p.focus = []*View{{Class: "android.widget.FrameLayout", Kids: views}}, nil })
}

// Open puts a window above the others; Close takes it away again. Both are for handlers.
func (p *Phone) Open(views ...*View) *View {
	w := &View{Class: "android.widget.ListView", Kids: views, Top: 800}
	p.windows = append(p.windows, w)
	return w
}

// Close takes the window in front away.
func (p *Phone) Close() { p.windows = p.windows[:len(p.windows)-1] }

// Do changes the screen.
func (p *Phone) Do(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	p.Changed()
}

// Changed says that the screen has changed. It is for handlers.
func (p *Phone) Changed() {
	p.changes++
	close(p.changed)
	p.changed = make(chan struct{})
}

// Taps counts the taps that the phone got.
func (p *Phone) Taps() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taps
}

// request holds the fields of all requests.
type request struct {
	Do     string            `json:"do"`
	Since  int64             `json:"since"`
	Clicks int               `json:"clicks"`
	Most   int64             `json:"most"`
	Quiet  int64             `json:"quiet"`
	Points [][]int           `json:"points"`
	Codes  []json.RawMessage `json:"codes"`
	Text   string            `json:"text"`
	Set    any               `json:"set"` // true: the whole text; a text: for the clipboard
	Node   string            `json:"node"`
}

func (p *Phone) serve(c net.Conn) {
	for {
		var n uint32
		if binary.Read(c, binary.BigEndian, &n) != nil {
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		var q request
		answer := map[string]any{}
		if err := json.Unmarshal(body, &q); err != nil {
			answer["error"] = err.Error()
		} else {
			answer["ok"] = p.answer(q)
			if why, refused := answer["ok"].(error); refused {
				answer = map[string]any{"error": why.Error()}
			}
		}
		out, _ := json.Marshal(answer)
		if binary.Write(c, binary.BigEndian, uint32(len(out))) != nil { //nolint:gosec // small
			return
		}
		if _, err := c.Write(out); err != nil {
			return
		}
	}
}

func (p *Phone) answer(q request) any {
	switch q.Do {
	case "hello":
		return map[string]any{"version": 1, "api": 35, "width": Width, "height": Height, "density": 420}
	case "wait":
		return map[string]any{"changes": p.wait(q.Since, time.Duration(q.Most)*time.Millisecond)}
	case "settle":
		return p.settle(time.Duration(q.Quiet)*time.Millisecond, time.Duration(q.Most)*time.Millisecond)
	}
	p.mu.Lock()
	if q.Do == "tree" && p.Slow > 0 {
		slow := time.NewTimer(p.Slow)
		p.mu.Unlock()
		<-slow.C
		p.mu.Lock()
	}
	defer p.mu.Unlock()
	switch q.Do {
	case "tree":
		if p.Refused != "" {
			return errors.New(p.Refused)
		}
		if p.Looked != nil {
			defer p.Looked()
		}
		return p.tree(q.Clicks)
	case "touch":
		at := len(p.clicks) + 1 // the number of an event is its time
		p.touch(q.Points)
		return map[string]any{"taken": true, "at": at}
	case "keys":
		for _, c := range q.Codes {
			var pair [2]int
			_ = json.Unmarshal(c, &pair)
			p.key(pair[0], pair[1])
		}
		return map[string]any{"taken": true}
	case "text":
		return map[string]any{"typed": p.text(q)}
	case "clipboard":
		if text, ok := q.Set.(string); ok {
			p.Clip = text
		}
		return map[string]any{"text": p.Clip}
	case "screenshot":
		if p.Secure {
			return map[string]any{"refused": true}
		}
		if p.Black {
			return map[string]any{"png": blank(Width, Height, color.Black)}
		}
		if scale := cmp.Or(p.Picture, 1); scale != 1 {
			return map[string]any{"png": blank(int(Width*scale), int(Height*scale), color.White)}
		}
		return map[string]any{"png": picture()}
	}
	return map[string]any{}
}

var picture = sync.OnceValue(func() []byte { return blank(Width, Height, color.White) })

func blank(width, height int, c color.Color) []byte {
	pic := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{c})
	var b bytes.Buffer
	_ = png.Encode(&b, pic)
	return b.Bytes()
}

func (p *Phone) wait(since int64, most time.Duration) int64 {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for {
		p.mu.Lock()
		now, changed := p.changes, p.changed
		p.mu.Unlock()
		if now != since {
			return now
		}
		select {
		case <-changed:
		case <-timer.C:
			return now
		}
	}
}

func (p *Phone) settle(quiet, most time.Duration) any {
	end := time.Now().Add(most)
	p.mu.Lock()
	last := p.changes
	p.mu.Unlock()
	for time.Now().Before(end) {
		now := p.wait(last, quiet)
		if now == last {
			return map[string]any{"changes": now, "busy": false}
		}
		last = now
	}
	return map[string]any{"changes": last, "busy": true}
}

const rowHeight, margin = 130, 40 // margin is what a dialog leaves free on both sides

// layout places a view and what is in it.
func (v *View) layout(top, width int) int {
	if v.Top > 0 {
		top = v.Top
	}
	v.box = [4]int{0, top, width, top + v.height()}
	at := top - v.offset
	for _, k := range v.Kids {
		at = k.layout(at, width)
	}
	return v.box[3]
}

func (v *View) height() int {
	if v.H > 0 || len(v.Kids) == 0 {
		return max(v.H, rowHeight)
	}
	return v.content()
}

func (v *View) content() (h int) {
	for _, k := range v.Kids {
		h += k.height()
	}
	return h
}

func (p *Phone) tree(clicks int) any {
	var windows []any
	width, height, quarters := Width, Height, 0
	if p.Turned {
		width, height, quarters = Height, Width, 1
	}
	for i, w := range p.windows {
		w.layout(100, width)
		front, box := i == p.front(), w.box
		switch {
		case i == 0:
			box = [4]int{0, 0, width, height}
		case w.Window == "":
			box[0], box[2] = margin, width-margin
		}
		w.box = box
		if i < p.front() { // it takes every touch, and Android tells of no window behind it
			continue
		}
		windows = append(windows, map[string]any{
			"id": i + 1, "type": cmp.Or(w.Window, "application"), "layer": i, "title": "app/.Main", "b": box, "focused": front,
			"active": front, "root": p.node(w, box, true),
		})
	}
	return map[string]any{
		"windows": windows, "changes": p.changes, "width": width, "height": height, "rotation": quarters,
		"truncated": p.Truncated, "clicks": p.clicks[min(max(clicks-1, 0), len(p.clicks)):],
	}
}

// front is the window that has the focus and takes the touches beside it: no keyboard and no toast does.
func (p *Phone) front() int {
	for i := len(p.windows) - 1; i > 0; i-- {
		if p.windows[i].Window == "" {
			return i
		}
	}
	return 0
}

// node writes a view; clip is what of the screen its container shows.
func (p *Phone) node(v *View, clip [4]int, root bool) map[string]any {
	if v.id == 0 {
		p.ids++
		v.id = p.ids
	}
	in := v.box[3] > clip[1] && v.box[1] < clip[3] && !v.Hidden
	f := 0
	for i, is := range []bool{
		!v.Disabled, v.Clickable, false, v.Checkable, v.Checked, false, v == p.focus, v.Editable, v.Editable, v.Scroll,
		v.Password, false, false, in || root, v.Editable && v.Text == "",
	} {
		if is {
			f |= 1 << i
		}
	}
	if !v.Left {
		f |= 1 << 21
	}
	for _, k := range v.Kids {
		k.Left = k.Left || v.Left
	}
	text := v.Text
	switch {
	case v.Password:
		text = strings.Repeat("•", len([]rune(v.Text)))
	case v.Editable && v.Text == "":
		text = v.Hint
	}
	n := map[string]any{
		"id": "1/" + strconv.Itoa(v.id), "cls": v.Class, "pkg": cmp.Or(p.Front, "app"),
		// as Android cuts it, also to less than nothing
		"b": [4]int{v.box[0], max(v.box[1], clip[1]), v.box[2], min(v.box[3], clip[3])},
	}
	if v.Drawn {
		n["id"] = "1/1:" + strconv.Itoa(v.id)
	}
	if v.Web == "" {
		n["order"] = v.id
	}
	for key, s := range map[string]string{"text": text, "desc": v.Desc, "hint": v.Hint, "res": v.Resource, "web": v.Web} {
		if s != "" {
			n[key] = s
		}
	}
	if v.Editable {
		from := v.caret
		if v.all {
			from = 0
		}
		n["sel"] = []int{from, v.caret}
	}
	if v.Scroll {
		clip = v.box
		if v.offset > 0 {
			f |= 1 << 19
		}
		if v.offset < v.content()-v.H {
			f |= 1 << 18
		}
	}
	n["f"] = f
	var kids []any
	for _, k := range v.Kids {
		kids = append(kids, p.node(k, clip, false))
	}
	if len(kids) > 0 {
		n["kids"] = kids
	}
	return n
}

// key carries out the keys that an editor and the system know.
func (p *Phone) key(code, meta int) {
	v := p.focus
	switch {
	case code == 4 && len(p.windows) > 1:
		if p.windows[len(p.windows)-1].Stays {
			return
		}
		p.Close()
	case v == nil:
		return
	case code == 29 && meta != 0:
		v.all, v.caret = true, len([]rune(v.Text))
	case code == 123:
		v.all, v.caret = false, len([]rune(v.Text))
	case code == 67 && v.all:
		v.Text, v.caret, v.all = "", 0, false
	case code == 67 && v.caret > 0:
		r := []rune(v.Text)
		v.Text = string(r[:v.caret-1]) + string(r[v.caret:])
		v.caret--
	default:
		return
	}
	p.Changed()
}

// text types what a keyboard has, or sets a field's text.
func (p *Phone) text(q request) bool {
	v := p.focus
	if v == nil || !v.Editable {
		return false
	}
	if v.Typed != nil {
		defer v.Typed()
	}
	if q.Set == true {
		v.Text = q.Text
		v.caret = len([]rune(v.Text))
		p.Changed()
		return true
	}
	for _, r := range q.Text {
		if r < ' ' || r > '~' {
			return false
		}
	}
	r := []rune(v.Text)
	if v.all {
		r, v.caret, v.all = nil, 0, false
	}
	v.Text = string(r[:v.caret]) + q.Text + string(r[v.caret:])
	v.caret += len([]rune(q.Text))
	p.Changed()
	return true
}
