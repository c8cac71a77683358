package phone

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// testAdbutils drives the phone with a client in Python that is not ours (-python).
func testAdbutils(b *bench) {
	if *python == "" {
		b.Skip("left out: no -python with adbutils; `make phone` installs it")
	}
	var out bytes.Buffer
	err := proc.Run(b.Context(), proc.Spec{Path: *python, Args: []string{"testdata/adbutils_client.py", b.port,
		b.phone.Addr()},
		Env: b.env, Stdout: &out, Stderr: &out})
	if err != nil || !strings.Contains(out.String(), "adbutils agrees") {
		b.Errorf("%v: %s", err, out.String())
	}
}

// server is a running MCP server that speaks lines.
type server struct {
	*bench
	in    io.WriteCloser
	lines *bufio.Scanner
	last  int
}

// call calls a tool and returns its text, and whether it is an image.
func (s *server) call(tool string, args map[string]any) string {
	s.Helper()
	s.last++
	s.send(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": args}})
	return s.answer()
}

func (s *server) send(message map[string]any) {
	s.Helper()
	text, err := json.Marshal(message)
	if err == nil {
		_, err = s.in.Write(append(text, '\n'))
	}
	if err != nil {
		s.Fatal(err)
	}
}

func (s *server) answer() string {
	s.Helper()
	for s.lines.Scan() {
		var m struct {
			ID     int             `json:"id"`
			Error  json.RawMessage `json:"error"`
			Result struct {
				Content []struct{ Type, Text, Data string } `json:"content"`
			} `json:"result"`
		}
		if json.Unmarshal(s.lines.Bytes(), &m) != nil || m.ID != s.last {
			continue
		}
		if m.Error != nil {
			s.Fatalf("call %d: %s", s.last, m.Error)
		}
		var b strings.Builder
		for _, c := range m.Result.Content {
			b.WriteString(c.Text + c.Data)
		}
		return b.String()
	}
	s.Fatal("the server has ended")
	return ""
}

// testMobileMCP drives the phone with the MCP server of mobile-next (-mobile-mcp). Its list of apps needs a server of
// theirs, which is an app for instrumentation, on the phone.
func testMobileMCP(b *bench) {
	if *mobile == "" {
		b.Skip("left out: no -mobile-mcp; `make phone` installs it")
	}
	node, err := proc.LookPath("node")
	if err != nil {
		b.Skip("left out: no Node")
	}
	ctx, cancel := context.WithTimeout(b.Context(), 2*time.Minute)
	defer cancel()
	in, to := io.Pipe()
	from, out := io.Pipe()
	var said proc.Tail
	p, err := proc.Start(proc.Spec{Path: node, Args: []string{*mobile, "--stdio"}, Env: slices.Concat(b.env,
		[]string{"MOBILEMCP_DISABLE_TELEMETRY=1"}),
		Stdin: in, Stdout: out, Stderr: &said})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = to.Close()
		_ = out.Close()
		p.Kill()
	}()
	context.AfterFunc(ctx, func() { _ = out.Close() })
	s := &server{bench: b, in: to, lines: bufio.NewScanner(from)}
	s.lines.Buffer(nil, 64<<20)
	s.last++
	s.send(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": "initialize", "params": map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test", "version": "1"}}})
	s.answer()
	s.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})

	device := map[string]any{"device": b.phone.Addr()}
	with := func(args map[string]any) map[string]any {
		args["device"] = b.phone.Addr()
		return args
	}
	b.open(".view.Controls1")
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"mobile_list_available_devices", map[string]any{}, b.phone.Addr()},
		{"mobile_get_screen_size", device, "1080x2400"},
		{"mobile_list_elements_on_screen", device, "Checkbox 1"},
		{"mobile_launch_app", with(map[string]any{"packageName": "io.appium.android.apis"}), "Launched"},
		{"mobile_get_orientation", device, "portrait"},
	} {
		if got := s.call(c.tool, c.args); !strings.Contains(got, c.want) {
			b.Errorf("%s says %.500s, want %s", c.tool, got, c.want)
		}
	}
	b.open(".view.Controls1")
	l, t, r, bottom := b.id("check1").rect()
	before := b.id("check1").Checked
	s.call("mobile_click_on_screen_at_coordinates", with(map[string]any{"x": (l + r) / 2, "y": (t + bottom) / 2}))
	if b.id("check1").Checked == before {
		b.Error("mobile-mcp's tap changed nothing")
	}
	if got := s.call("mobile_take_screenshot", device); len(got) < 1000 {
		b.Errorf("mobile-mcp's picture is %.200s", got)
	}
	if b.Failed() {
		b.Log(said.String())
	}
}

// helper is a connection to the driver's helper on the phone.
type helper struct {
	*bench
	conn net.Conn
}

// newHelper starts the helper in the process of the app, as the driver does, and connects to it.
func newHelper(b *bench) *helper {
	b.Helper()
	adb, err := proc.LookPath("adb")
	if err != nil {
		b.Fatal(err)
	}
	in, stay := io.Pipe()
	out, said := io.Pipe()
	p, err := proc.Start(proc.Spec{Path: adb, Args: []string{"shell", "exec app_process / trailblaze.helper.Main test"},
		Env: b.env, Stdin: in, Stdout: said})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = stay.Close() // the helper ends with its input
		_ = out.Close()
		p.Kill()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		b.Fatalf("the helper says %q: %v", line, err)
	}
	port := strings.TrimSpace(b.must("forward", "tcp:0", "localabstract:test"))
	c, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(3 * time.Minute))
	return &helper{b, c}
}

func (h *helper) send(request string) {
	h.Helper()
	text := append(binary.BigEndian.AppendUint32(nil, uint32(len(request))), request...)
	if _, err := h.conn.Write(text); err != nil {
		h.Fatal(err)
	}
}

func (h *helper) answer() string {
	h.Helper()
	answer, err := readBytes(h.conn)
	if err != nil {
		h.Fatal(err)
	}
	return string(answer)
}

func (h *helper) ask(request string) string {
	h.Helper()
	h.send(request)
	return h.answer()
}

// changes returns the count of changes in an answer; the process that gave it is in its upper half.
func (h *helper) changes(answer string) int64 {
	h.Helper()
	var n struct{ OK struct{ Changes int64 } }
	if err := json.Unmarshal([]byte(answer), &n); err != nil {
		h.Fatalf("%v: %.300s", err, answer)
	}
	return n.OK.Changes
}

// testHelper drives the phone by the wire of the driver's helper.
func testHelper(b *bench) {
	b.open(".view.Spinner1")
	b.tap(b.id("spinner1"))
	b.text("blue")
	h := newHelper(b)
	if hello := h.ask(`{"do":"hello"}`); !strings.Contains(hello, `"width":1080,"height":2400`) {
		b.Errorf("hello: %s", hello)
	}
	var tree struct {
		OK struct {
			Windows []struct{ Title, Type string }
		}
	}
	text := h.ask(`{"do":"tree"}`)
	if err := json.Unmarshal([]byte(text), &tree); err != nil || len(tree.OK.Windows) < 2 || !strings.Contains(text, "blue") {
		b.Errorf("%v: the tree has %+v: %.300s", err, tree.OK.Windows, text)
	}
	if turned := h.ask(`{"do":"clipboard","set":"copied"}`); !strings.Contains(turned, "copied") {
		b.Errorf("clipboard: %s", turned)
	}
	b.shell("phone fault tree-error")
	if refused := h.ask(`{"do":"tree"}`); !strings.Contains(refused, `"error"`) {
		b.Errorf("a refused tree: %.300s", refused)
	}
	b.shell("phone fault none")
	b.shell("input keyevent BACK")
	h.outlives()
	h.tells()
}

// tells: as on a device, the helper counts what accessibility is told, and not the frames of a ripple.
func (h *helper) tells() {
	h.open(".view.Controls1")
	l, t, r, bottom := h.id("check1").rect()
	at := fmt.Sprintf(`%d,%d`, (l+r)/2, (t+bottom)/2)
	before := h.changes(h.ask(`{"do":"settle","quiet":500}`))
	h.ask(`{"do":"touch","points":[[0,` + at + `],[40,` + at + `]]}`)
	if n := h.changes(h.ask(`{"do":"settle","quiet":500}`)) - before; n < 1 || n > 10 {
		h.Errorf("a box that is ticked counts as %d changes", n)
	}
}

// outlives ends the app, with -long twice: the helper outlives the process that it began with, as on a device.
func (h *helper) outlives() {
	before := h.changes(h.ask(`{"do":"settle"}`))
	h.shell("am force-stop io.appium.android.apis")
	waittest.Until(h, func() bool {
		home := h.ask(`{"do":"tree"}`)
		return strings.Contains(home, "Trailblaze Phone") && !strings.Contains(home, "spinner1")
	}, "after a force-stop the helper shows the home screen")
	h.open(".view.Controls1")
	if shown := h.ask(`{"do":"tree"}`); !strings.Contains(shown, "check1") {
		h.Errorf("after a new start the helper shows %.300s", shown)
	}
	if after := h.changes(h.ask(`{"do":"settle"}`)); after>>32 == before>>32 {
		h.Errorf("changes of another process: %d, before %d", after, before)
	}
	defer h.shell("am start -W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -n " +
		"io.appium.android.apis/.ApiDemos --activity-clear-task") // the root of the task, as it was
	if !*long {
		return
	}
	front, err := h.phone.foreground()
	if err != nil {
		h.Fatal(err)
	}
	h.shell("logcat -c")
	last := h.changes(h.ask(`{"do":"settle"}`))
	h.send(fmt.Sprintf(`{"do":"wait","since":%d,"most":50000}`, last))
	front.proc.Kill() // the process dies by itself, and the home screen comes
	if woken := h.changes(h.answer()); woken>>32 == last>>32 {
		h.Errorf("after the death of the app the helper says %d, before %d", woken, last)
	}
	h.text("Trailblaze Phone")
	if out := h.shell("logcat -d ActivityManager:I '*:S'"); !strings.Contains(out, "Process io.appium.android.apis (pid ") {
		h.Errorf("the log of an app that died: %s", out)
	}
}

// testDumper compares our dump with that of Google's own code, which runs on the same nodes.
func testDumper(b *bench) {
	for _, activity := range []string{".view.Controls1", ".view.DateWidgets1", ".view.List1", ".view.Spinner1"} {
		b.open(activity)
		b.dump()
		front, err := b.phone.foreground()
		if err != nil {
			b.Fatal(err)
		}
		theirs, err := front.ask(b.Context(), request{"do": "dumper"}, nil)
		if err != nil {
			b.Fatal(err)
		}
		ours, err := front.ask(b.Context(), request{"do": "tree"}, nil)
		if err != nil {
			b.Fatal(err)
		}
		a, z := elements(b, ours), elements(b, theirs)
		if d := firstDifference(a, z); d != "" || len(a) < 5 {
			b.Errorf("%s: %d elements of ours, %d of Google's: %s", activity, len(a), len(z), d)
		}
	}
}

func firstDifference(a, z []string) string {
	for i := range min(len(a), len(z)) {
		if a[i] != z[i] {
			return fmt.Sprintf("ours %s, Google's %s", a[i], z[i])
		}
	}
	if len(a) != len(z) {
		return "one is longer"
	}
	return ""
}

// elements are the nodes of a dump in their order, as text.
func elements(t testing.TB, text []byte) []string {
	t.Helper()
	var out []string
	var walk func(n node, depth int)
	walk = func(n node, depth int) {
		out = append(out, fmt.Sprintf("%d %s %q %q %s %t %t %s", depth, n.Class, n.Text, n.Desc, n.ID, n.Checked,
			n.Focused, n.Bounds))
		for _, c := range n.Nodes {
			walk(c, depth+1)
		}
	}
	var root node
	if err := xml.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	for _, n := range root.Nodes {
		walk(n, 0)
	}
	return out
}
