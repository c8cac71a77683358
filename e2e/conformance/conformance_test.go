package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/e2e/conformance"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/auth"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/mcpserver"
)

var withSuite = flag.Bool("suite", false, "run the npm suite (run `make conformance`, which installs it)")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The two editions of the suite: the released one, and the next one, which knows protocol 2026-07-28.
const (
	release = "conformance"
	next    = "conformance-next"
)

// needNoFixture are the scenarios that any server has to pass as it is shipped.
var needNoFixture = map[string][]string{
	release: {
		"server-initialize", "logging-set-level", "ping", "completion-complete", "tools-list", "server-sse-multiple-streams",
		"resources-list", "resources-subscribe", "resources-unsubscribe", "prompts-list", "dns-rebinding-protection",
	},
	next: {
		"server-initialize", "server-session-lifecycle", "logging-set-level", "ping", "completion-complete", "tools-list",
		"server-sse-multiple-streams", "resources-list", "resources-subscribe", "resources-unsubscribe", "sep-2164-resource-not-found",
		"prompts-list", "dns-rebinding-protection", "caching", "http-header-validation", "input-required-result-unsupported-methods",
	},
}

// unsupported are scenarios of an optional extension that the SDK does not know: tasks. A call that lasts becomes one
// of our jobs instead.
func unsupported(scenario string) bool { return strings.HasPrefix(scenario, "tasks-") }

// TestShippedEndpoint runs the suite against the daemon as it is shipped, through its door.
func TestShippedEndpoint(t *testing.T) {
	s := installed(t)
	at := proxy(t, startDaemon(t))
	for edition, scenarios := range needNoFixture {
		for _, name := range scenarios {
			t.Run(edition+"/"+name, func(t *testing.T) {
				score, out := s.run(t, edition, at, "--scenario", name)
				if score.failed > 0 || score.passed == 0 {
					t.Errorf("%+v\n%s", score, out)
				}
			})
		}
	}
}

// TestFixtureBuild runs all server scenarios, the pending ones too, against the same transport code with the suite's
// fixtures added.
func TestFixtureBuild(t *testing.T) {
	s := installed(t)
	for _, c := range []struct {
		edition           string
		scenarios, passed int // at least; of what is not unsupported
	}{{release, 32, 44}, {next, 55, 190}} {
		t.Run(c.edition, func(t *testing.T) {
			f := conformance.New()
			t.Cleanup(f.Close)
			rig := hubtest.New(t, hubtest.Options{})
			agents := api.NewAgents(api.AgentOptions{Hub: rig.Hub, Version: "test"})
			m := mcpserver.New(mcpserver.Options{Daemon: agents, Version: "test", Workspace: rig.Workspace, Extra: f.Add})
			srv := httptest.NewServer(auth.New("token", m))
			t.Cleanup(func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				if err := m.Close(ctx); err != nil {
					t.Errorf("close: %v", err)
				}
				srv.CloseClientConnections()
				srv.Close()
			})
			_, out := s.run(t, c.edition, proxy(t, boot{URL: srv.URL, Token: "token"}), "--suite", "all")
			var sum score
			n := 0
			for name, score := range summary(out) {
				if unsupported(name) {
					continue
				}
				n++
				sum.passed += score.passed
				sum.failed += score.failed
				if score.failed > 0 {
					t.Errorf("%s: %+v", name, score)
				}
			}
			t.Logf("%d scenarios, %d checks passed, %d failed", n, sum.passed, sum.failed)
			if n < c.scenarios || sum.passed < c.passed {
				t.Errorf("only %d scenarios and %d checks, there are %d and %d; the suite said\n%s", n, sum.passed, c.scenarios, c.passed, out)
			}
		})
	}
}

// suite is the installed suite.
type suite struct{ node string }

func installed(t *testing.T) suite {
	t.Helper()
	if !*withSuite {
		t.Skip("needs the npm suite: make conformance")
	}
	node := "node_modules/node-" + runtime.GOOS + "-x64/bin/node"
	if _, err := os.Stat(node); err != nil {
		if node, err = exec.LookPath("node"); err != nil {
			t.Fatal("there is no node; the suite needs version 22 or later")
		}
	}
	return suite{node}
}

type score struct{ passed, failed int }

// run runs scenarios and gives what they scored together.
func (s suite) run(t *testing.T, edition, at string, args ...string) (score, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.node, append([]string{"node_modules/" + edition + "/dist/index.js", "server", "--url", at + "/mcp"}, args...)...)
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	text := string(out)
	if ctx.Err() != nil {
		t.Fatalf("the suite did not end: %v\n%s", err, text)
	}
	if m := single.FindStringSubmatch(text); m != nil {
		return score{number(m[1]), number(m[2])}, text
	}
	return score{}, text
}

var (
	single = regexp.MustCompile(`Passed: (\d+)/\d+, (\d+) failed`)
	line   = regexp.MustCompile(`(?m)^[✓✗] (\S+): (\d+) passed, (\d+) failed`)
)

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// summary reads the scores of a whole suite.
func summary(out string) map[string]score {
	all := map[string]score{}
	for _, m := range line.FindAllStringSubmatch(out, -1) {
		all[m[1]] = score{number(m[2]), number(m[3])}
	}
	return all
}

// boot is where a daemon is and what opens its door.
type boot struct {
	URL   string `json:"-"`
	Port  int    `json:"port"`
	Token string `json:"token"`
}

// proxy adds the token, which the suite cannot send, and changes nothing else: the Host a scenario chose is what the
// daemon gets to judge. A message is read whole before it is passed on: net/http closes the body of a request as soon
// as its answer begins, and a transport that has yet to see the body's end then breaks the connection, with the
// answer in it.
func proxy(t *testing.T, b boot) string {
	t.Helper()
	to, err := url.Parse(b.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	p := &httputil.ReverseProxy{
		FlushInterval: -1,
		Transport:     transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host
			r.Out.Header.Set("Authorization", "Bearer "+b.Token)
		},
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		p.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
		transport.CloseIdleConnections()
	})
	return srv.URL
}

// startDaemon builds the program and starts its daemon in a home of its own.
func startDaemon(t *testing.T) boot {
	t.Helper()
	home, err := os.MkdirTemp("", "tb-") // t.TempDir is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	bin := filepath.Join(home, "trailblaze")
	env := append(os.Environ(), "TRAILBLAZE_HOME="+home, "TRAILBLAZE_PORT=0", "CGO_ENABLED=0")
	do := func(name string, args ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}
	do("go", "build", "-trimpath", "-o", bin, "../../cmd/trailblaze")
	do(bin, "daemon", "start")
	t.Cleanup(func() { do(bin, "daemon", "stop") })
	files, err := filepath.Glob(filepath.Join(home, "run", "*", "daemon.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("boot files: %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var b boot
	if err := json.Unmarshal(data, &b); err != nil || b.Port == 0 || b.Token == "" {
		t.Fatalf("boot file %s: %v", data, err)
	}
	b.URL = fmt.Sprintf("http://127.0.0.1:%d", b.Port)
	return b
}

// The numbers are read from what the suite prints; this proves that a failure would be seen.
func TestSummaryIsRead(t *testing.T) {
	got := summary("=== SUMMARY ===\n✓ ping: 2 passed, 0 failed\n✗ tools-list: 1 passed, 3 failed\n\nTotal: 3 passed, 3 failed\n")
	if len(got) != 2 || got["ping"] != (score{2, 0}) || got["tools-list"] != (score{1, 3}) {
		t.Errorf("%v", got)
	}
	for edition, names := range needNoFixture {
		if slices.ContainsFunc(names, unsupported) {
			t.Errorf("%s: %v", edition, names)
		}
	}
}
