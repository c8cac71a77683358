package faults

import (
	"context"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// That a call was cut off with its daemon is told after that, and not again after the next loss; so is it that what was
// spelled out as a secret is known no more.
func TestLostCallIsToldOnce(t *testing.T) {
	h := newHouse(t)
	h.Start()
	url := served(t, map[string]string{"/": "<h1>Hello</h1>"})
	h.must("web_navigate", map[string]any{"url": url}, "Hello")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cut := exec.CommandContext(ctx, binary, "tool", "-d", "web", "web_evaluate", "script=document.title = 'runs'; new Promise(() => {})")
	cut.Env, cut.Dir = append(h.Env, "TRAILBLAZE_DISABLE_DAEMON_AUTOSTART=1"), h.Work
	if err := cut.Start(); err != nil {
		t.Fatal(err)
	}
	running := func() bool {
		out, _ := h.run("status")
		return strings.Contains(out, "web_evaluate")
	}
	waittest.Until(t, running, "the call runs")
	kill := func() string {
		if err := syscall.Kill(h.Boot.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, func() bool { return zombie(h.Boot.PID) }, "the daemon dies")
		h.Start()
		return h.must("web_snapshot", nil).raw
	}
	if told := kill(); !strings.Contains(told, "web_evaluate was running") || strings.Contains(told, "masked") {
		t.Errorf("after the loss: %.800s", told)
	}
	if told := kill(); strings.Contains(told, "was running") || !strings.Contains(told, "was interrupted") {
		t.Errorf("after the next loss: %.800s", told)
	}
	cancel()
	_ = waittest.Ended(t, cut.Wait, "the cut off command ends")
	h.must("createTool", map[string]any{"name": "note_sign", "content": "id: note_sign\ndescription: Signs.\n" +
		"parameters: [{name: pin, type: string, secret: true}]\ntools: [web_snapshot: {}]\n"})
	h.must("note_sign", map[string]any{"pin": "hunter2-of-ann"})
	if told := kill(); !strings.Contains(told, "is not masked any more: give it with --secret") {
		t.Errorf("after the loss of a secret: %.800s", told)
	}
}
