package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/testtime/waittest"
)

// TestStartIsLight holds what all packages allocate before a command begins. Each command pays for it, with page faults
// and, beyond about 3 MB, with a collection of garbage. How busy the machine is does not change it.
func TestStartIsLight(t *testing.T) {
	cmd := exec.CommandContext(waittest.Context(t), binary, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, trace)
	}
	type cost struct {
		name  string
		bytes int
	}
	var costs []cost
	var all, ours int
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, `).FindAllStringSubmatch(string(trace), -1) {
		n, _ := strconv.Atoi(m[2])
		costs, all = append(costs, cost{m[1], n}), all+n
		if strings.HasPrefix(m[1], "github.com/trailblaze-dev/trailblaze/") {
			ours += n
		}
	}
	if len(costs) < 100 {
		t.Fatalf("%d packages in the trace:\n%s", len(costs), trace)
	}
	t.Logf("%d packages allocate %d bytes, %d of them ours", len(costs), all, ours)
	if all > 1_200_000 || ours > 170_000 {
		slices.SortFunc(costs, func(a, b cost) int { return b.bytes - a.bytes })
		t.Errorf("initialization allocates %d bytes (limit 1,200,000), ours %d (limit 170,000); the most: %v", all, ours, costs[:12])
	}
}

// TestDaemonStartsAhead: trailblaze mcp starts the daemon before the packages that take long are initialized, and only
// when it will serve a client; a wrong use is told, and leaves none.
func TestDaemonStartsAhead(t *testing.T) {
	s := newSitting(t)
	run := func(args ...string) string {
		cmd := exec.CommandContext(waittest.Context(t), binary, args...)
		cmd.Env, cmd.Dir = append(s.env, "GODEBUG=inittrace=1"), s.work
		trace, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, trace)
		}
		return string(trace)
	}
	run("mcp", "--help")
	run("mcp", "--print-config=json")
	if boots, _ := filepath.Glob(filepath.Join(s.work, "..", "home", "run", "*")); len(boots) > 0 {
		t.Errorf("a command that only prints left %v", boots)
	}
	for _, wrong := range []struct {
		args, setting, says string
	}{
		{"--bogus", "", "bogus"},
		{"extra", "", "no arguments"},
		{"--workspace=nowhere", "", "nowhere is not a folder"},
		{"--headed", "TRAILBLAZE_ANSWER_TIMEOUT=banana", `answer-timeout "banana" (from $TRAILBLAZE_ANSWER_TIMEOUT)`},
	} {
		said := housetest.Run(t.Context(), t, binary, s.work, append(s.env, wrong.setting), "mcp", wrong.args)
		if said.Code == 0 || !strings.Contains(said.Err, wrong.says) || said.Out != "" {
			t.Errorf("mcp %s %s: %+v", wrong.args, wrong.setting, said)
		}
		logs, _ := filepath.Glob(filepath.Join(s.work, "..", "home", "run", "*", "daemon.log"))
		if len(logs) != 1 {
			t.Fatalf("mcp %s left %v", wrong.args, logs)
		}
		log, err := os.ReadFile(logs[0])
		if began := bytes.Count(log, []byte("msg=listening")); err != nil || began == 0 || bytes.Count(log, []byte("msg=ended")) != began {
			t.Errorf("mcp %s left its daemon running: %v\n%s", wrong.args, err, log)
		}
	}
	trace := run("mcp") // whose client leaves at once
	ahead, http := strings.Index(trace, "internal/daemon/ahead @"), strings.Index(trace, "init net/http @")
	if ahead < 0 || http < ahead {
		t.Errorf("package ahead was initialized at %d of the trace, net/http at %d", ahead, http)
	}
	if boots, _ := filepath.Glob(filepath.Join(s.work, "..", "home", "run", "*", "daemon.log")); len(boots) != 1 {
		t.Errorf("the daemon left %v", boots)
	}
}
