package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands"
)

// R20, R25, R28, R30, R32, R35: the Go client starts the daemon by itself and drives the shop: typed commands, queries
// that do not fail, failures with a kind and a hint, and no backend that the device lacks.
func TestGoClient(t *testing.T) {
	s := newSitting(t)
	for _, kv := range s.env[len(s.env)-6:] {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "TRAILBLAZE_") {
			t.Setenv(name, value)
		}
	}
	tb, err := client.Dial(t.Context(), &client.Options{Binary: binary, Workspace: s.work, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if tb.Platform != driver.WebPlatform || tb.Web == nil || tb.Mobile != nil || tb.Desktop != nil {
		t.Errorf("%s: web %v, mobile %v, desktop %v", tb.Platform, tb.Web, tb.Mobile, tb.Desktop)
	}
	if _, err := tb.Web.Navigate(t.Context(), &commandsv1.NavigateRequest{Url: proto.String(s.shop + "/account")}); err != nil {
		t.Fatal(err)
	}
	seen, err := tb.IsVisible(t.Context(), &commandsv1.IsVisibleRequest{Text: proto.String("Sign in")})
	if err != nil || !seen.GetVisible() {
		t.Errorf("Sign in: %v %v", seen, err)
	}
	none, err := tb.IsVisible(t.Context(), &commandsv1.IsVisibleRequest{Text: proto.String("Nothing of the kind")})
	if err != nil || none.GetVisible() {
		t.Errorf("a query of what is not there: %v %v", none, err)
	}
	_, err = tb.AssertVisible(t.Context(), &commandsv1.AssertVisibleRequest{Text: proto.String("Nothing of the kind")})
	if fault.KindOf(err) != fault.Assertion && fault.KindOf(err) != fault.NotFound {
		t.Errorf("an assertion that does not hold: %v (%s)", err, fault.KindOf(err))
	}
	_, err = tb.Tap(t.Context(), &commandsv1.TapRequest{Text: proto.String("Nothing of the kind")})
	if err == nil || fault.HintOf(err) == "" {
		t.Errorf("an action on nothing: %v, hint %q", err, fault.HintOf(err))
	}
	r, err := tb.CallTool(t.Context(), "isVisible", map[string]any{"text": "Sign in"})
	if err != nil || !strings.Contains(string(r.Value), `"visible":true`) && !strings.Contains(string(r.Value), `"visible": true`) {
		t.Errorf("CallTool: %s %v", r.Value, err)
	}
	if _, err := tb.CallTool(t.Context(), "isVisibel", nil); !strings.Contains(fault.HintOf(err)+err.Error(), "isVisible") {
		t.Errorf("a tool that there is not: %v, hint %q", err, fault.HintOf(err))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = tb.WaitUntilVisible(ctx, &commandsv1.WaitUntilVisibleRequest{
		Text: proto.String("Nothing of the kind"), TimeoutMs: proto.Int32(20_000),
	})
	if k := fault.KindOf(err); k != fault.Timeout && k != fault.Canceled {
		t.Errorf("a deadline: %v (%s)", err, k)
	}
}

var sdkDir = flag.String("sdk", "", "folder of the projects that `make sdk` installs the SDKs into")

// R2, R33, R85, R130, R257: the tools of the founding document run as it writes them, but for imports, on the real MCP
// SDKs, each in a project that has nothing of ours but the package.
func TestSDKExamples(t *testing.T) {
	t.Parallel()
	dir, python := installed(t)
	for _, ex := range []struct{ name, command, arg string }{
		{"python", python, "python/acme_tools.py"},
		{"python, one device", python, "python/acme_tools_server.py"},
		{"typescript", "node", "build/acme/acme_tools.js"},
	} {
		t.Run(ex.name, func(t *testing.T) {
			t.Parallel()
			s := newSitting(t)
			copyTree(t, filepath.Join("testdata", "sdk", "trails"), filepath.Join(s.work, "trails"))
			settings := fmt.Sprintf("platform: web\nmcpServers:\n  - name: acme\n    command: %s\n    args: [%s]\n"+
				"trailsDir: trails\n", ex.command, filepath.Join(dir, ex.arg))
			if err := os.WriteFile(filepath.Join(s.work, "trailblaze.yaml"), []byte(settings), 0o600); err != nil {
				t.Fatal(err)
			}
			s.shell("trailblaze run trails --trust", 0)
			if !strings.Contains(s.last, "1 passed") {
				t.Errorf("run: %s", s.last)
			}
		})
	}
}

// TestSDKPrograms: a program of Go that knows the module alone drives the shop, and the fixtures for pytest and the
// test runner of Node give each test a device and keep what a failed one saw.
func TestSDKPrograms(t *testing.T) {
	t.Parallel()
	dir, python := installed(t)
	s := newSitting(t)
	copyTree(t, filepath.Join("testdata", "sdk", "fixtures"), s.work)
	if err := os.Symlink(filepath.Join(dir, "build", "acme", "node_modules"), filepath.Join(s.work, "node_modules")); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "SHOP="+s.shop)
	s.shell(filepath.Join(dir, "go", "acme")+" "+s.shop+"/account", 0)
	s.shell(python+" -m pytest -q test_shop.py --trailblaze-artifacts py-results", 1)
	if !strings.Contains(s.last, "1 failed, 2 passed") || !strings.Contains(s.last, "Nearest:") {
		t.Errorf("pytest: %s", s.last)
	}
	s.shell("node --test shop.test.mjs", 1)
	if !strings.Contains(s.last, "# pass 1") || !strings.Contains(s.last, "# fail 1") || !strings.Contains(s.last, "Nearest:") {
		t.Errorf("node --test: %s", s.last)
	}
	for _, kept := range []string{
		"py-results/test_shop.py-test_fails/screen.png", "py-results/test_shop.py-test_fails/screen.txt",
		"test-results/fails/screen.png", "test-results/fails/screen.txt",
	} {
		if i, err := os.Stat(filepath.Join(s.work, filepath.FromSlash(kept))); err != nil || i.Size() == 0 {
			t.Errorf("%s: %v", kept, err)
		}
	}
}

// installed are the folder of the projects, and the Python that the wheel is installed in.
func installed(t *testing.T) (dir, python string) {
	t.Helper()
	if *sdkDir == "" {
		t.Skip("`make sdk` installs the SDKs and runs this")
	}
	dir, err := filepath.Abs(*sdkDir)
	if err != nil {
		t.Fatal(err)
	}
	python, err = filepath.Abs(filepath.Join("..", "examples", "acme-python", ".venv", "bin", "python"))
	if err != nil {
		t.Fatal(err)
	}
	return dir, python
}
