package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/testtime/waittest"
)

// TestCostsOfColdList holds the time from the start of a proxy, without a daemon, to its list of tools: with five servers
// configured, since the list waits for none of them, and without any. Part of make costs.
func TestCostsOfColdList(t *testing.T) {
	if os.Getenv(testtime.Env) == "" {
		t.Skip("it measures times: make costs")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, servers := range []int{0, 5} {
		config := "platform: web\n"
		if servers > 0 {
			config += "mcpServers:\n"
		}
		for i := range servers {
			config += fmt.Sprintf("  - {name: s%d, command: %q, env: {HOUSETEST_TOOLS: s%d}}\n", i, self, i)
		}
		var times []time.Duration
		for range 9 {
			s := newSitting(t)
			if err := os.WriteFile(filepath.Join(s.work, "trailblaze.yaml"), []byte(config), 0o600); err != nil {
				t.Fatal(err)
			}
			s.env = append(s.env, "TRAILBLAZE_TRUST=1")
			times = append(times, s.coldList())
		}
		slices.Sort(times)
		took, bar := times[len(times)/2], 30*time.Millisecond
		t.Logf("spawn to tools/list, cold, %d servers: %s, of %s to %s; the bar is %s", servers,
			took.Round(100*time.Microsecond), times[0].Round(100*time.Microsecond),
			times[len(times)-1].Round(100*time.Microsecond), bar)
		if took > testtime.Within(bar) {
			t.Errorf("it took %s", took)
		}
	}
}

// coldList starts the proxy, and says how long the list of tools took.
func (s *sitting) coldList() time.Duration {
	s.t.Helper()
	cmd := exec.CommandContext(waittest.Context(s.t), binary, "mcp")
	cmd.Env, cmd.Dir = s.env, s.work
	in, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	defer func() { _ = in.Close() }()
	lines := bufio.NewReaderSize(out, 1<<20)
	answer := func(id string) (line string) {
		for !strings.Contains(line, id) {
			if line, err = lines.ReadString('\n'); err != nil {
				s.t.Fatal(err)
			}
		}
		return line
	}
	say := func(line string) {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			s.t.Fatal(err)
		}
	}
	say(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"cold","version":"1"}}}`)
	answer(`"hello"`)
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	say(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)
	line := answer(`"list"`)
	took := time.Since(began)
	var list struct {
		Result struct{ Tools []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(line), &list); err != nil || len(list.Result.Tools) == 0 {
		s.t.Fatalf("the list: %v %s", err, line)
	}
	return took
}
