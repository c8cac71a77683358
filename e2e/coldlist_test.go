package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
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

// TestListOfBothIsTheSame: trailblaze mcp lists tools before there is a daemon, where none may be started, too. The
// daemon lists the same tools then, for clients of every kind. A project with tools of its own is listed by a daemon.
func TestListOfBothIsTheSame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args  []string
		files map[string]string
		env   []string
		own   string // a tool of the project
		model bool   // the client has one to lend
	}{
		"plain":          {},
		"headed":         {args: []string{"--headed"}},
		"categories":     {args: []string{"--categories=ALL"}},
		"other tools":    {args: []string{"--tools=minimal"}},
		"mode":           {args: []string{"--mode=TRAILBLAZE_AS_AGENT"}},
		"client's model": {model: true},
		"model":          {env: []string{"TRAILBLAZE_LLM=anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY=x"}},
		"settings":       {files: map[string]string{"trailblaze.yaml": "platform: web\ntarget: shop\nbase-url: http://127.0.0.1:1\n"}},
		"own tools": {own: `"shop_noop"`, files: map[string]string{"trails/config/tools/shop_noop.tool.yaml": "id: shop_noop\n" +
			"description: Looks.\nparameters: []\ntools:\n  - web_snapshot: {}\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSitting(t)
			for file, text := range c.files {
				s.save(file, text)
			}
			s.env = append(s.env, c.env...)
			alone := ""
			if c.own == "" {
				alone = s.lists(append(s.env, "TRAILBLAZE_DISABLE_DAEMON_AUTOSTART=1"), 1, c.model, c.args)[0]
			}
			served := s.lists(s.env, 2, c.model, c.args)
			if c.own == "" && (alone != served[0] || alone != served[1]) || !strings.Contains(served[1], c.own) {
				t.Errorf("where none may be started %s\nbefore a daemon %s\nby a daemon %s", alone, served[0], served[1])
			}
		})
	}
}

// lists gives the tools that trailblaze mcp lists, so many times. A call comes between, which only a daemon answers.
func (s *sitting) lists(env []string, times int, model bool, args []string) (out []string) {
	s.t.Helper()
	cmd := exec.Command(binary, append([]string{"mcp"}, args...)...)
	cmd.Env, cmd.Dir = env, s.work
	o := &sdk.ClientOptions{}
	if model {
		o.CreateMessageHandler = func(context.Context, *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return nil, errors.New("not now")
		}
	}
	c, err := sdk.NewClient(&sdk.Implementation{Name: "lists", Version: "1"}, o).
		Connect(waittest.Context(s.t), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	for len(out) < times {
		if len(out) > 0 {
			q := &sdk.CallToolParams{Name: "session", Arguments: map[string]any{"action": "INFO"}}
			if r, err := c.CallTool(waittest.Context(s.t), q); err != nil || r.IsError {
				s.t.Fatal(err, r)
			}
		}
		list, err := c.ListTools(waittest.Context(s.t), nil)
		if err != nil {
			s.t.Fatal(err)
		}
		tools, err := json.Marshal(list.Tools)
		if err != nil {
			s.t.Fatal(err)
		}
		out = append(out, string(tools))
	}
	return out
}
