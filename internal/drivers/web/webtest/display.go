package webtest

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// displayed is the variable by which make record has the tests run that need an X display: Xvfb and xdotool.
const displayed = "TRAILBLAZE_TEST_DISPLAY"

// NeedsDisplay skips a test where there is no Xvfb for it.
func NeedsDisplay(t testing.TB) {
	t.Helper()
	if os.Getenv(displayed) == "" {
		t.Skip("needs an X display: make record")
	}
}

// Display starts Xvfb, which chooses a free number, and names it to what is started from now on.
func Display() (end func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	var tail proc.Tail
	x, err := proc.Start(proc.Spec{
		Path: "Xvfb", Args: []string{"-displayfd", "3", "-screen", "0", "2000x1200x24", "-nolisten", "tcp"},
		Stderr: &tail, Inherit: []*os.File{w},
	})
	_ = w.Close()
	if err != nil {
		return nil, err
	}
	number, _ := io.ReadAll(io.LimitReader(r, 8))
	n := strings.TrimSpace(string(number))
	end = func() {
		x.Kill()
		_ = os.Remove("/tmp/.X" + n + "-lock")
		_ = os.Remove("/tmp/.X11-unix/X" + n)
	}
	if n == "" {
		end()
		return nil, fmt.Errorf("no display was told by Xvfb: %s", tail.Since(0, time.Second))
	}
	return end, os.Setenv("DISPLAY", ":"+n)
}
