package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// crowd counts what a number of callers found.
type crowd struct {
	t       *testing.T
	mu      sync.Mutex
	calls   int
	refused int
}

// judge checks a reply: it names the device asked, speaks of that slot's page alone, or is a well-formed refusal of a
// claim.
func (c *crowd) judge(who, device string, r reply) (ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	if r.failed {
		if strings.Contains(r.text, "Device "+device+" is busy: ") && strings.Contains(r.text, "has been running ") {
			c.refused++
			return false
		}
		c.t.Errorf("%s on %s: %s", who, device, r.text)
		return false
	}
	if r.device != device {
		c.t.Errorf("%s asked for %s and was answered by %q: %.200s", who, device, r.device, r.text)
	}
	for _, slot := range []string{"web/a", "web/b", "web/shared"} {
		if slot != device && strings.Contains(r.text, "Slot "+slot) || slot != device && strings.Contains(r.text, slot+" says") {
			c.t.Errorf("%s on %s was shown %s: %.400s", who, device, slot, r.text)
		}
	}
	return true
}

// TestCrowd (R200): two MCP clients and a shell at once, each on a device of its own and all on a shared one: 200
// calls, every reply names the right device, no page is seen by who did not ask for it, and refusals are claims.
func TestCrowd(t *testing.T) {
	h := newHouse(t)
	all := &crowd{t: t}
	a, b := h.connect("--device", "web/a"), h.connect("--device", "web/b")
	for slot, c := range map[string]*client{"web/a": a, "web/b": b} {
		c.call("web_navigate", map[string]any{"url": h.url + "/slot.html?slot=" + slot}, on(slot))
	}
	a.call("web_navigate", map[string]any{"url": h.url + "/slot.html?slot=web/shared"}, on("web/shared"))

	var work sync.WaitGroup
	agent := func(name, own string, c *client) {
		for i := range 10 {
			word := fmt.Sprintf("%s%d", name, i)
			calls := []struct {
				device, tool string
				args         map[string]any
			}{
				{own, "web_type", map[string]any{"ref": `textbox "Word"`, "text": word}},
				{own, "web_click", map[string]any{"ref": `button "Echo"`}},
				{own, "web_verifyTextVisible", map[string]any{"text": own + " says " + word}},
				{own, "web_snapshot", nil},
				{"web/shared", "web_click", map[string]any{"ref": `button "Echo"`, "effect": "none"}},
				{"web/shared", "web_snapshot", nil},
				{"web/shared", "web_type", map[string]any{"ref": `textbox "Word"`, "text": word}},
			}
			for _, k := range calls {
				all.judge(name, k.device, c.try(t.Context(), k.tool, k.args, on(k.device)))
			}
		}
	}
	work.Go(func() { agent("ann", "web/a", a) })
	work.Go(func() { agent("bob", "web/b", b) })
	work.Go(func() {
		for i := range 60 {
			device := []string{"web/shared", "web/a", "web/b"}[i%3]
			all.judge("shell", device, h.shell(t.Context(), device, "web_currentUrl"))
		}
	})
	work.Wait()
	t.Logf("%d calls, %d refused", all.calls, all.refused)
	if all.calls != 200 {
		t.Errorf("%d calls, want 200", all.calls)
	}
	if all.refused > all.calls/4 {
		t.Errorf("%d of %d calls were refused", all.refused, all.calls)
	}
}

// TestClaim: a busy device is refused to other clients, with its holder, the running call and its age; an idle one is
// handed over.
func TestClaim(t *testing.T) {
	h := newHouse(t)
	a := h.connect("--device", "web/a", "--categories", "ALL")
	a.call("web_navigate", map[string]any{"url": h.url + "/slot.html?slot=web/a"})
	done := make(chan reply, 1)
	go func() {
		done <- a.try(context.WithoutCancel(t.Context()), "wait", map[string]any{"timeToWaitInSeconds": 5})
	}()
	h.awaitRunning("wait")
	busy := regexp.MustCompile(`Device web/a is busy: e2e \(client tb_\w+\) has been running wait for \d+(\.\d+)? ?m?s`)
	if r := h.shell(t.Context(), "web/a", "web_currentUrl"); !r.failed || !busy.MatchString(r.text) {
		t.Errorf("the shell was answered %+v", r)
	}
	if r := h.connect("--device", "web/a").try(t.Context(), "web_snapshot", nil); !r.failed || !busy.MatchString(r.text) {
		t.Errorf("another client was answered %+v", r)
	}
	if r := waittest.Await(t, done, "the call that had the device is answered"); r.failed {
		t.Errorf("the call that had it: %s", r.text)
	}
	if r := h.shell(t.Context(), "web/a", "web_currentUrl"); r.failed || r.device != "web/a" {
		t.Errorf("an idle device was not yielded: %+v", r)
	}
}

// shell is `trailblaze tool`, read as a script would.
func (h *house) shell(ctx context.Context, device, tool string, args ...string) reply {
	s := h.command(ctx, append([]string{"tool", tool, "--device", device, "--json"}, args...)...)
	var doc struct {
		Device string `json:"device"`
		Fault  *struct {
			Message string `json:"message"`
		} `json:"fault"`
		Error *struct {
			Message string `json:"message"`
		} `json:"error"`
		Result struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"result"`
	}
	r := reply{took: s.took, failed: s.code != 0, text: s.out + s.err}
	if err := json.Unmarshal([]byte(s.out), &doc); err != nil {
		r.failed, r.text = true, fmt.Sprintf("no JSON: %v: %s%s", err, s.out, s.err)
		return r
	}
	r.device = doc.Device
	return r
}

// TestWedgedPage: a page in an endless loop blocks neither status nor another device; cancel answers within a second,
// and the device is usable within another.
func TestWedgedPage(t *testing.T) {
	h := newHouse(t)
	stuck, free := h.connect("--device", "web/a"), h.connect("--device", "web/b")
	stuck.call("web_navigate", map[string]any{"url": h.url + "/slot.html?slot=web/a"})
	free.call("web_navigate", map[string]any{"url": h.url + "/slot.html?slot=web/b"})

	done := make(chan reply, 1)
	go func() {
		stuck.try(context.WithoutCancel(t.Context()), "web_click", map[string]any{"ref": `button "Wedge"`})
		done <- stuck.try(context.WithoutCancel(t.Context()), "web_snapshot", nil)
	}()
	h.awaitRunning("web_click")
	if s := h.command(t.Context(), "daemon", "status"); s.code != 0 || s.took > testtime.Within(time.Second) || !strings.Contains(s.out, "web/a") {
		t.Errorf("status took %s and ended with %d: %s%s", s.took, s.code, s.out, s.err)
	}
	if r := free.call("web_type", map[string]any{"ref": `textbox "Word"`, "text": "free"}); r.took > testtime.Within(time.Second) {
		t.Errorf("another device took %s", r.took)
	}
	if r := h.shell(t.Context(), "web/b", "web_currentUrl"); r.failed || r.took > testtime.Within(2*time.Second) {
		t.Errorf("a shell on another device took %s: %s", r.took, r.text)
	}
	var s said
	for range 2 { // the click, and the snapshot that follows it: each is stuck
		if s = h.command(t.Context(), "cancel", "--device", "web/a"); s.code != 0 || s.took > testtime.Within(time.Second) {
			t.Errorf("cancel took %s and ended with %d: %s%s", s.took, s.code, s.out, s.err)
		}
	}
	at := time.Now()
	r := stuck.try(t.Context(), "web_navigate", map[string]any{"url": h.url + "/slot.html?slot=web/a"})
	if r.failed {
		t.Errorf("after cancel: %s", r.text)
	}
	if took := time.Since(at); took > testtime.Within(2*time.Second) {
		t.Errorf("the device was usable after %s", took)
	} else {
		t.Logf("cancel took %s, usable after %s", s.took, took)
	}
	waittest.Await(t, done, "the stuck calls are answered")
}
