package launch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStartStop(t *testing.T) {
	t.Parallel()
	b, err := Start(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Stop()
	v, err := cdp.Call(t.Context(), b.Conn.Root(), browser.GetVersion, proto.Empty{})
	if err != nil || v.Product != b.Product || v.Product == "" {
		t.Fatalf("version %q, %v", v.Product, err)
	}
	b.Stop()
	b.Stop()
	if _, err := os.Stat(b.profile); !os.IsNotExist(err) {
		t.Errorf("profile still there: %v", err)
	}
	if err := cdp.Do(t.Context(), b.Conn.Root(), browser.GetVersion, proto.Empty{}); err == nil {
		t.Error("a stopped browser answers")
	}
}

// TestCrash proves that a browser that dies says so at once, in words of its own.
func TestCrash(t *testing.T) {
	t.Parallel()
	b, err := Start(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Stop()
	began := time.Now()
	err = cdp.Do(t.Context(), b.Conn.Root(), browser.Crash, proto.Empty{})
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "browser went away") {
		t.Errorf("got %v", err)
	}
	if took := time.Since(began); took > testtime.Within(5*time.Second) {
		t.Errorf("took %v", took)
	}
}

// TestStartFails proves that a program which is no browser is told from a browser, with what it
// said.
func TestStartFails(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell script")
	}
	script := filepath.Join(t.TempDir(), "chromium")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho missing libfoo.so >&2\nexit 127\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Options{Path: script})
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "missing libfoo.so") || fault.HintOf(err) == "" {
		t.Errorf("got %v, hint %q", err, fault.HintOf(err))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec sleep 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(ctx, Options{Path: script}); fault.KindOf(err) != fault.Timeout {
		t.Errorf("a silent program: %v", err)
	}
}

// TestFind proves the order in which a browser is looked for, on every system.
func TestFind(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		os     string
		chosen string
		env    map[string]string
		onPath []string
		files  []string
		want   string
		fails  string
	}{
		{name: "chosen file", chosen: "/x/chrome", files: []string{"/x/chrome"}, onPath: []string{"chromium"}, want: "/x/chrome"},
		{name: "chosen name", chosen: "edge", onPath: []string{"edge", "chromium"}, want: "/bin/edge"},
		{name: "chosen is missing", chosen: "/x/chrome", onPath: []string{"chromium"}, fails: `--browser names "/x/chrome"`},
		{name: "environment", env: map[string]string{EnvBrowser: "/e/chrome"}, files: []string{"/e/chrome"}, onPath: []string{"chromium"}, want: "/e/chrome"},
		{name: "environment is wrong", env: map[string]string{EnvBrowser: "nope"}, fails: "$TRAILBLAZE_BROWSER"},
		{name: "path before places", os: "linux", onPath: []string{"google-chrome"}, files: []string{"/usr/bin/chromium"}, want: "/bin/google-chrome"},
		{name: "linux place", os: "linux", files: []string{"/opt/google/chrome/chrome"}, want: "/opt/google/chrome/chrome"},
		{name: "mac place", os: "darwin", files: []string{"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"},
			want: "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"},
		{name: "mac home", os: "darwin", env: map[string]string{"HOME": "/Users/a"},
			files: []string{"/Users/a/Applications/Chromium.app/Contents/MacOS/Chromium"}, want: "/Users/a/Applications/Chromium.app/Contents/MacOS/Chromium"},
		{name: "windows place", os: "windows", env: map[string]string{"PROGRAMFILES(X86)": `C:\P`},
			files: []string{`C:\P\Microsoft\Edge\Application\msedge.exe`}, want: `C:\P\Microsoft\Edge\Application\msedge.exe`},
		{name: "none", os: "linux", fails: "no Chromium, Chrome or Edge"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := host{
				os: tt.os, getenv: func(k string) string { return tt.env[k] },
				exists: func(p string) bool { return slices.Contains(tt.files, p) },
				lookPath: func(n string) (string, error) {
					if slices.Contains(tt.onPath, n) {
						return "/bin/" + n, nil
					}
					return "", errors.New("not found")
				},
			}
			got, err := h.find(tt.chosen)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if tt.fails == "" && err != nil || tt.fails != "" && (fault.KindOf(err) != fault.Unavailable ||
				!strings.Contains(err.Error(), tt.fails) || !strings.Contains(fault.HintOf(err), "trailblaze browser install")) {
				t.Errorf("got %v, hint %q", err, fault.HintOf(err))
			}
		})
	}
}

// TestFlags proves that the sandbox is only left out where Chromium would not start with one, and
// that it stays quiet.
func TestFlags(t *testing.T) {
	t.Parallel()
	flags := Flags(Options{Args: []string{"--last"}}, "/p")
	root := runtime.GOOS == "linux" && os.Geteuid() == 0
	if slices.Contains(flags, "--no-sandbox") != root {
		t.Errorf("root is %v, flags %v", root, flags)
	}
	for _, want := range []string{"--headless=new", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir=/p", "--remote-debugging-pipe"} {
		if !slices.Contains(flags, want) {
			t.Errorf("no %s", want)
		}
	}
	if flags[len(flags)-1] != "--last" {
		t.Error("own flags must come last, so that they win")
	}
	if slices.Contains(Flags(Options{Headed: true}, "/p"), "--headless=new") {
		t.Error("a headed browser is headless")
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	var w tail
	for range 3000 {
		_, _ = w.Write([]byte("line of output\n"))
	}
	_, _ = w.Write([]byte("the end\n"))
	if s := w.String(); len(s) > 8<<10 || !strings.HasSuffix(s, "the end") {
		t.Errorf("%d bytes, ends %q", len(s), s[len(s)-20:])
	}
}
