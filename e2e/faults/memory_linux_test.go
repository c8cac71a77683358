package faults

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// restMB is what the daemon holds in memory at most, a minute after a page with texts of any size.
const restMB = 150

// A text of 50 MB, wherever a page puts it, does not stay in the daemon, and the page can be left. The
// browser lays none of these texts out, so the test waits for the daemon and not for layout.
func TestHugeTexts(t *testing.T) {
	longOnly(t)
	h := newHouse(t)
	h.Start()
	const big = `const big = "x".repeat(50000000), h1 = document.querySelector("h1"), add = (tag, o) => ` +
		`document.body.append(Object.assign(document.createElement(tag), o));`
	cases := []struct{ name, script string }{
		{"names", `h1.ariaLabel = document.title = big`},
		{"texts", `add("select", {}); document.querySelector("select").add(new Option(big))`},
		{"attributes", `h1.dataset.testid = big; add("a", {href: "data:text/plain," + big, textContent: "Link"}); add("iframe", {name: big, srcdoc: "<p>Inside"})`},
		{"console", `for (let i = 0; i < 4; i++) console.log(big, {big}); console.error(new Error(big)); throw big`},
		{"dialogs", `setTimeout(() => { alert(big); prompt(big, big) })`},
		{"addresses and requests", `
			for (let i = 0; i < 20; i++) history.replaceState({}, "", "?" + i + big.slice(0, 1500000))
			const o = {method: "POST", body: big.slice(0, 2000000), headers: {"x-big": big.slice(0, 100000)}}
			for (let i = 0; i < 40; i++) fetch("/none?" + i + big.slice(0, 1900000), o).catch(() => {})
			fetch("data:text/plain," + big).catch(() => {}); new Image().src = "data:image/png," + big`},
	}
	docs := map[string]string{"/": "<title>Small</title><h1>Hello</h1>"}
	for i, c := range cases {
		docs["/"+strconv.Itoa(i)] = `<title>Big</title><h1>Big</h1><script>` + big + c.script + `</script>`
	}
	url := served(t, docs)
	h.must("web_navigate", map[string]any{"url": url + "/"}, "Hello")
	for i, c := range cases {
		h.call("web_navigate", map[string]any{"url": url + "/" + strconv.Itoa(i)})
		h.call("web_snapshot", nil)
		for _, tool := range []string{"web_console", "web_requests"} {
			if a := h.call(tool, nil); len(a.raw) > 1<<20 {
				t.Errorf("%s: %s answers %d bytes", c.name, tool, len(a.raw))
			}
		}
		now, most := holds(t, h.Boot.PID)
		h.must("web_navigate", map[string]any{"url": url + "/"}, "Hello")
		t.Logf("%s: the daemon holds %d MB, it held at most %d MB", c.name, now, most)
	}
	h.call("web_evaluate", map[string]any{"script": `"x".repeat(50000000)`})
	h.call("web_evaluate", map[string]any{"script": `"x".repeat(100000000)`})
	h.must("web_snapshot", nil, "Hello")
	_, most := holds(t, h.Boot.PID)
	began := time.Now()
	h.rests()
	t.Logf("it held at most %d MB, and rests after %s", most, time.Since(began))
}

// rests waits until the daemon holds little memory, for a minute at most.
func (h *house) rests() {
	h.T.Helper()
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	late := time.After(time.Minute)
	for {
		now, most := holds(h.T, h.Boot.PID)
		if now <= restMB {
			return
		}
		select {
		case <-look.C:
		case <-late:
			h.T.Errorf("after a minute the daemon still holds %d MB; it held at most %d MB", now, most)
			return
		}
	}
}

// holds is what a process has in memory but for the pages of its program, which the system takes back when it needs
// room, and the most that it ever had with them, in MB.
func holds(t *testing.T, pid int) (now, most int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		_, _ = fmt.Sscanf(line, "RssAnon: %d kB", &now)
		_, _ = fmt.Sscanf(line, "VmHWM: %d kB", &most)
	}
	return now / 1024, most / 1024
}

// A request with 500,000 keys, or from a client with a name of 15 MB, is refused and leaves nothing behind.
func TestHugeRequests(t *testing.T) {
	h := newHouse(t)
	h.Start()
	keys := map[string]int{}
	for i := range 500_000 {
		keys["k"+strconv.Itoa(i)] = i
	}
	name := strings.Repeat("n", 15_000_000)
	many := func(a answer) {
		t.Helper()
		if a.Error == nil || a.Error.Kind != "invalid" || !strings.Contains(a.raw, "keys and items") || len(a.raw) > 1000 {
			t.Errorf("many keys: %.500s", a.raw)
		}
	}
	many(h.call("web_navigate", map[string]any{"url": keys}))
	many(h.call("trail", map[string]any{"steps": []any{keys}}))
	if a := h.callAs(name, "device", map[string]any{"action": "LIST"}); a.Error == nil ||
		a.Error.Kind != "invalid" || !strings.Contains(a.raw, "name of the client") || len(a.raw) > 1000 {
		t.Errorf("a long name: %.500s", a.raw)
	}
	hello := func(id int, params map[string]any) string {
		params["protocolVersion"], params["capabilities"] = "2025-06-18", map[string]any{"experimental": params["capabilities"]}
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "initialize", "params": params})
		if err != nil {
			t.Fatal(err)
		}
		return string(line) + "\n"
	}
	client := func(name string) map[string]any {
		return map[string]any{"clientInfo": map[string]any{"name": name, "version": "1"}}
	}
	lines := hello(1, client(name)) + hello(2, client(name[:7_000_000])) + hello(3, client(name[:100_000])) +
		hello(4, map[string]any{"clientInfo": map[string]any{"name": "short", "version": "1"}, "capabilities": keys}) + hello(5, client("short")) +
		`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"session","arguments":{"action":"INFO"}}}` + "\n"
	said := h.askFront(t, lines, 6)
	for id, want := range map[string]string{"1": "8 MB", "2": "1 MiB", "3": "name of the client", "4": "keys and items", "5": "", "6": ""} {
		if got, ok := said[id]; !ok || !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("request %s is answered %v with %q, not with %q", id, ok, got, want)
		}
	}
	if out, code := h.run("status"); code != 0 || len(out) > 10_000 {
		t.Errorf("the status has %d bytes: %.500s", len(out), out)
	}
	clients, err := filepath.Glob(filepath.Join(h.Dir, "run", "clients", "*"))
	if err != nil || len(clients) == 0 {
		t.Fatal("the test does not see where clients are kept")
	}
	for _, f := range clients {
		if info, err := os.Stat(f); err != nil || info.Size() > 10_000 {
			t.Errorf("%s: %v, %v", f, info, err)
		}
	}
	h.rests()
}

// askFront writes lines to a front of its own and returns the errors of the n requests that it answers, by their ids.
func (h *house) askFront(t *testing.T, lines string, n int) (said map[string]string) {
	front := exec.CommandContext(waittest.Context(t), binary, "mcp")
	front.Env, front.Dir = h.Env, h.Work
	in, err := front.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := front.StdoutPipe()
	if err == nil {
		err = front.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.WriteString(in, lines) }() // its end is that of the process
	said = map[string]string{}
	for read := bufio.NewScanner(out); len(said) < n && read.Scan(); {
		var m struct {
			ID    json.RawMessage
			Error struct{ Message string }
		}
		if err := json.Unmarshal(read.Bytes(), &m); err != nil {
			t.Fatalf("it says %.200s: %v", read.Text(), err)
		}
		if m.ID != nil {
			said[string(m.ID)] = m.Error.Message
		}
	}
	if err := errors.Join(in.Close(), waittest.Ended(t, front.Wait, "the front ends")); err != nil {
		t.Error(err)
	}
	return said
}
