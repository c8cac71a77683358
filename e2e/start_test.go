package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// TestStartIsLight holds what all packages allocate before a command begins. Each command pays for it, with page faults
// and, beyond about 3 MB, with a collection of garbage. How busy the machine is does not change it.
func TestStartIsLight(t *testing.T) {
	trace := initTrace(t)
	type cost struct {
		name  string
		bytes int
	}
	var costs []cost
	var all, ours int
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, `).FindAllStringSubmatch(trace, -1) {
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
	if all > 1_200_000 || ours > 210_000 {
		slices.SortFunc(costs, func(a, b cost) int { return b.bytes - a.bytes })
		t.Errorf("initialization allocates %d bytes (limit 1,200,000), ours %d (limit 210,000); the most: %v", all, ours, costs[:12])
	}
}

// initTrace is what Go says of the initialization of each package.
func initTrace(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(waittest.Context(t), binary, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, trace)
	}
	return string(trace)
}

// TestMCPStartsNoDaemonInVain: trailblaze mcp starts no daemon when it prints something or is used wrongly, nor for a
// client that asks for nothing; a wrong use is told.
func TestMCPStartsNoDaemonInVain(t *testing.T) {
	s := newSitting(t)
	for _, use := range []struct {
		args, setting, says string
	}{
		{"--help", "", ""},
		{"--print-config=json", "", ""},
		{"--headless", "", ""}, // its client leaves at once
		{"--bogus", "", "bogus"},
		{"extra", "", "no arguments"},
		{"--workspace=nowhere", "", "nowhere is not a folder"},
		{"--headed", "TRAILBLAZE_ANSWER_TIMEOUT=banana", `answer-timeout "banana" (from $TRAILBLAZE_ANSWER_TIMEOUT)`},
	} {
		said := housetest.Run(t.Context(), t, binary, s.work, append(s.env, use.setting), "mcp", use.args)
		if (said.Code == 0) != (use.says == "") || !strings.Contains(said.Err, use.says) || use.says != "" && said.Out != "" {
			t.Errorf("mcp %s %s: %+v", use.args, use.setting, said)
		}
		if logs, _ := filepath.Glob(filepath.Join(s.work, "..", "home", "run", "*", "*")); len(logs) > 0 {
			t.Errorf("mcp %s left %v", use.args, logs)
		}
	}
}
