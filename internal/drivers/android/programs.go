package android

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/automation"
)

// programs answers the helper's requests with the programs that every phone has: uiautomator, input, screencap. The
// tree is that of Appium's server where the phone has one. It is slow, sees one window, and notices changes by looking
// again. Elements have no numbers of their own: the window, the place in the tree and what the element is name it.
type programs struct {
	phone  adb.Device
	appium *appium // nil: the phone has none

	mu    sync.Mutex
	last  uint64 // hash of the newest dump
	count int64  // of dumps that differed from the one before
	size  box
}

// Close implements asker.
func (p *programs) Close() {
	if p.appium != nil {
		p.appium.close()
	}
}

// reader names what reads the tree.
func (p *programs) reader() string {
	if p.appium != nil {
		return "Appium's server"
	}
	return "uiautomator"
}

const maxDump = 64 << 20

// Call implements asker.
func (p *programs) Call(ctx context.Context, request, out any) error {
	q, _ := request.(map[string]any)
	var answer any
	var err error
	switch q["do"] {
	case "hello":
		answer, err = p.hello(ctx)
	case "tree":
		answer, err = p.tree(ctx)
	case "touch":
		answer, err = p.touch(ctx, q["points"].([][]int)) //nolint:forcetypeassert // our own request
	case "keys":
		answer, err = p.keys(ctx, q["codes"].([][2]int)) //nolint:forcetypeassert // our own request
	case "text":
		answer, err = p.text(ctx, q)
	case "screenshot":
		var png []byte
		png, err = adb.Exec(ctx, p.phone, "screencap -p")
		answer = map[string]any{"png": png, "refused": len(png) == 0}
	case "settle":
		answer, err = p.settle(ctx)
	case "wait":
		answer, err = p.wait(ctx, q)
	default:
		err = fault.New(fault.Unsupported, "ask phone", "without the helper a phone cannot do %v", q["do"])
	}
	if err != nil || out == nil {
		return err
	}
	if t, ok := answer.(*tree); ok {
		*out.(*tree) = *t //nolint:forcetypeassert // who asks for a tree gets one
		return nil
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "ask phone")
	}
	return fault.Wrap(json.Unmarshal(data, out), fault.Internal, "ask phone")
}

func (p *programs) hello(ctx context.Context) (automation.Hello, error) {
	h := automation.Hello{Version: 1}
	said, err := adb.Run(ctx, p.phone, "wm size")
	if err != nil {
		return h, err
	}
	h.Width, h.Height = parseSize(said)
	if h.Width == 0 {
		return h, fault.New(fault.Unavailable, "ask phone for its size", "wm size says %.80q", said)
	}
	p.size = box{0, 0, h.Width, h.Height}
	if api, err := adb.Run(ctx, p.phone, "getprop ro.build.version.sdk"); err == nil {
		h.API, _ = strconv.Atoi(strings.TrimSpace(api))
	}
	if density, err := adb.Run(ctx, p.phone, "wm density"); err == nil {
		h.Density, _ = strconv.Atoi(strings.TrimSpace(density[strings.LastIndex(density, ":")+1:]))
	}
	return h, nil
}

// parseSize reads "Physical size: 1080x2400" and a line "Override size: …", which counts more.
func parseSize(s string) (w, h int) {
	for line := range strings.Lines(s) {
		_, size, ok := strings.Cut(line, "size: ")
		a, b, pair := strings.Cut(strings.TrimSpace(size), "x")
		x, errA := strconv.Atoi(a)
		y, errB := strconv.Atoi(b)
		if ok && pair && errA == nil && errB == nil {
			w, h = x, y
		}
	}
	return w, h
}

func (p *programs) dump(ctx context.Context) ([]byte, error) {
	const path = "/sdcard/trailblaze-window.xml"
	if p.appium != nil {
		return p.appium.source(ctx)
	}
	return adb.Exec(ctx, p.phone, "uiautomator dump "+path+" >/dev/null && cat "+path)
}

func (p *programs) tree(ctx context.Context) (*tree, error) {
	data, err := p.dump(ctx)
	if err != nil {
		return nil, err
	}
	t, err := parseDump(data, p.size)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "read the dump of "+p.reader())
	}
	h := fnv.New64a()
	_, _ = h.Write(data)
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := h.Sum64(); s != p.last {
		p.last = s
		p.count++
	}
	t.Changes = p.count
	return t, nil
}

// parseDump reads the XML of uiautomator.
func parseDump(data []byte, size box) (*tree, error) {
	t := &tree{Width: size[2], Height: size[3]}
	w := &window{ID: 1, Type: appWindow, Focused: true, Active: true, B: size}
	dec := xml.NewDecoder(strings.NewReader(string(data)))
	var open []*node
	count := 0
	for {
		tok, err := dec.Token()
		if err == io.EOF { //nolint:errorlint // the decoder returns it as it is
			break
		}
		if err != nil {
			return nil, err
		}
		switch e := tok.(type) {
		case xml.StartElement:
			if e.Name.Local == "hierarchy" {
				t.Rotation, _ = strconv.Atoi(attr(e, "rotation"))
				continue
			}
			if count++; count > 20000 || len(open) > 200 {
				t.Truncated = true
				if err := dec.Skip(); err != nil {
					return nil, err
				}
				continue
			}
			n := dumped(e)
			switch {
			case len(open) > 0:
				up := open[len(open)-1]
				n.ID = up.ID + "." + strconv.Itoa(len(up.Kids))
				up.Kids = append(up.Kids, n)
			case w.Root == nil:
				n.ID, w.Root = "1/", n
			default: // a second root, as when windows are dumped together
				n.ID = "1/" + strconv.Itoa(count)
				w.Root.Kids = append(w.Root.Kids, n)
			}
			open = append(open, n)
		case xml.EndElement:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	if w.Root == nil {
		return nil, fmt.Errorf("there is no node in %d bytes", len(data))
	}
	name(w.Root)
	t.Windows = []*window{w}
	return t, nil
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// dumped is a node of the dump. An attribute that is empty there may be missing on the phone, too.
func dumped(e xml.StartElement) *node {
	n := &node{F: visible | important}
	for key, at := range map[string]**string{
		"class": &n.Class, "resource-id": &n.Resource, "text": &n.Text, "content-desc": &n.Desc, "package": &n.Package,
		"hint": &n.Hint,
	} {
		if s := attr(e, key); s != "" {
			*at = &s
		}
	}
	for key, f := range map[string]flags{
		"enabled": enabled, "clickable": clickable, "long-clickable": longClickable, "checkable": checkable,
		"checked": checked, "selected": selected, "focused": focused, "focusable": focusable, "password": password,
		"scrollable": scrollable | forward | backward,
	} {
		if attr(e, key) == "true" {
			n.F |= f
		}
	}
	if strings.HasSuffix(text(n.Class), "EditText") || strings.HasSuffix(text(n.Class), "AutoCompleteTextView") {
		n.F |= editable
	}
	if n.F.has(editable) && n.Hint != nil && text(n.Hint) == text(n.Text) {
		n.F |= hintShown
	}
	_, _ = fmt.Sscanf(attr(e, "bounds"), "[%d,%d][%d,%d]", &n.B[0], &n.B[1], &n.B[2], &n.B[3])
	return n
}

// name adds what an element is to the names of elements: at the same place another may stand later. An element in which
// something is said that is not typed is another one when something else is said.
func name(root *node) {
	root.each(func(n *node) {
		if n.F&(editable|checkable) == 0 {
			n.ID += "|" + text(n.Text) + "|" + text(n.Desc)
		}
	})
}

func (p *programs) touch(ctx context.Context, points [][]int) (any, error) {
	if len(points) == 0 || len(points[0]) != 3 {
		return nil, fault.New(fault.Unsupported, "touch", "without the helper a phone has one finger")
	}
	first, last := points[0], points[len(points)-1]
	line := fmt.Sprintf("input swipe %d %d %d %d %d", first[1], first[2], last[1], last[2], last[0])
	if first[1] == last[1] && first[2] == last[2] && last[0] < int(holdTime.Milliseconds()) {
		line = fmt.Sprintf("input tap %d %d", first[1], first[2])
	}
	_, err := adb.Run(ctx, p.phone, line)
	return map[string]bool{"taken": err == nil}, err
}

func (p *programs) keys(ctx context.Context, codes [][2]int) (any, error) {
	for _, c := range codes {
		switch {
		case c[1] != 0 && c[0] == keyMoveEnd:
		case c[1] != 0:
			return nil, fault.New(fault.Unsupported, "press keys", "without the helper a phone has no chords")
		}
		if _, err := adb.Run(ctx, p.phone, "input keyevent "+strconv.Itoa(c[0])); err != nil {
			return nil, err
		}
	}
	return map[string]bool{"taken": true}, nil
}

func (p *programs) text(ctx context.Context, q map[string]any) (any, error) {
	s, _ := q["text"].(string)
	if _, set := q["set"]; set {
		return map[string]bool{"typed": false}, nil
	}
	for _, r := range s {
		if r < ' ' || r > '~' || r == '%' {
			return map[string]bool{"typed": false}, nil
		}
	}
	_, err := adb.Run(ctx, p.phone, "input text "+adb.Quote(strings.ReplaceAll(s, " ", "%s")))
	return map[string]bool{"typed": err == nil}, err
}

// settle looks until two trees are the same. uiautomator itself waits until the app is idle.
func (p *programs) settle(ctx context.Context) (any, error) {
	const looks = 4
	before, err := p.tree(ctx)
	for i := 0; err == nil && i < looks; i++ {
		var now *tree
		if now, err = p.tree(ctx); err == nil && now.Changes == before.Changes {
			return map[string]any{"changes": now.Changes, "busy": false}, nil
		}
		before = now
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"changes": before.Changes, "busy": true}, nil
}

// wait looks again and again until something has changed.
func (p *programs) wait(ctx context.Context, q map[string]any) (any, error) {
	since, _ := q["since"].(int64)
	most := time.Duration(0)
	switch ms := q["most"].(type) {
	case int64:
		most = time.Duration(ms) * time.Millisecond
	case int:
		most = time.Duration(ms) * time.Millisecond
	}
	end := time.Now().Add(most)
	for {
		t, err := p.tree(ctx)
		if err != nil {
			return nil, err
		}
		if t.Changes != since || !time.Now().Before(end) {
			return map[string]any{"changes": t.Changes}, nil
		}
	}
}
