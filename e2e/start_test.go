package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestStartIsLight holds what all packages allocate before a command begins. Each command pays for it, with page faults
// and, beyond about 3 MB, with a collection of garbage. How busy the machine is does not change it.
func TestStartIsLight(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), binary, "version")
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
