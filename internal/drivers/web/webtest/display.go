package webtest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
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

// Display starts Xvfb, which chooses a free number, and names it to what is started from now on. Its end is waited for.
func Display() (end func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "2000x1200x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{w}
	if err := x.Start(); err != nil {
		return nil, err
	}
	end = func() {
		_ = x.Process.Signal(os.Interrupt)
		_ = x.Wait()
	}
	_ = w.Close()
	number, err := io.ReadAll(io.LimitReader(r, 8))
	if n := strings.TrimSpace(string(number)); err == nil && n != "" {
		return end, os.Setenv("DISPLAY", ":"+n)
	}
	end()
	return nil, fmt.Errorf("Xvfb told no display: %q, %v", number, err)
}
