//go:build unix

package mcp

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHungDaemon: a daemon that is stopped closes nothing. Its client is told within bounds, in what was asked for,
// which process it is; when that has ended the next call goes on at the same page.
func TestHungDaemon(t *testing.T) {
	ifAsked(t)
	h := newHouse(t)
	c := h.connect("--categories", "ALL")
	c.call("web_navigate", map[string]any{"url": h.url + "/ground.html"})
	done := make(chan reply, 1)
	go func() {
		done <- c.try(context.WithoutCancel(t.Context()), "wait", map[string]any{"timeToWaitInSeconds": 50})
	}()
	h.awaitRunning("wait")
	pid := h.daemons()[0]
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	select {
	case r := <-done:
		if !r.failed || r.err != nil || !strings.Contains(r.text, "unknown whether") || !strings.Contains(r.text, fmt.Sprintf("kill -9 %d", pid)) {
			t.Errorf("the call under way was answered %+v", r)
		}
	case <-time.After(40 * time.Second):
		t.Fatal("the call under way was never answered")
	}
	h.end(pid)
	if r := c.call("web_snapshot", nil); !strings.Contains(r.text, "Tool ground") {
		t.Errorf("the page is not open again: %s", r.text)
	}
}
