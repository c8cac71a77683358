package e2e

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
)

//go:generate go test -run ^TestTranscript$ . -update

var update = flag.Bool("update", false, "write what is generated")

const (
	readme          = "../README.md"
	transcriptBegin = "<!-- The session below is played by TestTranscript in e2e; write it anew with: go test ./e2e -run Transcript -update -->\n"
	transcriptEnd   = "<!-- end of the session -->\n"
)

// TestTranscript plays the session that the README shows, a shell and a coding agent on one live browser, and proves
// that the README shows what happens.
func TestTranscript(t *testing.T) {
	t.Parallel()
	s := newSitting(t)
	s.shell(`trailblaze tool web_navigate url=`+s.shop+`/product/cedar-mug -s "Open the mug" --max-tokens 100`, 0)
	s.agent("web_snapshot", map[string]any{"maxTokens": 250})
	s.agent("web_click", map[string]any{"ref": s.ref("Add to cart"), "intent": "Put the mug into the cart"})
	s.shell(`trailblaze tool web_click ref=`+s.ref("Cart, 1 item")+` -s "Open the cart" --max-tokens 250`, 0)
	s.agent("web_verifyTextVisible", map[string]any{"text": "Cedar Mug", "intent": "The cart holds the mug"})
	s.shell(`trailblaze tool web_verifyTextVisible text="Ridge Tent"`, 1)
	s.shell(`trailblaze session save -t "Buy a mug"`, 0)
	s.shell(`head -20 trails/buy-a-mug.trail.yaml`, 0)
	s.shell(`trailblaze run trails/buy-a-mug.trail.yaml --no-report`, 0)
	want := transcriptBegin + "```console\n" + s.told() + "```\n" + transcriptEnd

	page, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), transcriptBegin)
	_, after, closed := strings.Cut(rest, transcriptEnd)
	if !ok || !closed {
		t.Fatalf("README.md has no place for the session: %q … %q", transcriptBegin, transcriptEnd)
	}
	if *update {
		if err := os.WriteFile(readme, []byte(before+want+after), 0o644); err != nil { //nolint:gosec // a page to read
			t.Fatal(err)
		}
		return
	}
	got := transcriptBegin + strings.TrimSuffix(rest, transcriptEnd+after) + transcriptEnd
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the session in README.md is not what happens; write it anew with -update (-what happens +README):\n%s", d)
	}
}

// sitting is a shell and an agent in one workspace, with a daemon of their own.
type sitting struct {
	t     *testing.T
	shop  string
	work  string
	env   []string
	said  strings.Builder
	last  string // what was said last
	mcp   *sdk.ClientSession
	begun bool
}

func newSitting(t *testing.T) *sitting {
	t.Helper()
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := housetest.NewHome(t, binary, "TRAILBLAZE_SESSION=readme",
		"PATH="+filepath.Dir(binary)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	s := &sitting{t: t, shop: shop.URL, work: h.Work, env: h.Env}
	t.Cleanup(func() {
		if s.mcp != nil {
			_ = s.mcp.Close()
		}
		_ = shop.Close()
	})
	return s
}

// shell types a line at a shell and writes down what it printed.
func (s *sitting) shell(line string, status int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Minute) // 220 plays of make kinds on a loaded machine
	defer cancel()
	began := time.Now()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Env, cmd.Dir = s.env, s.work
	out, _ := cmd.CombinedOutput()
	s.t.Logf("%s: %s", line, time.Since(began))
	s.note("$ "+line, string(out))
	if got := cmd.ProcessState.ExitCode(); got != status {
		s.t.Fatalf("%s: exit status %d, want %d\n%s", line, got, status, out)
	}
}

// agent calls a tool as a coding agent does, over MCP on stdio.
func (s *sitting) agent(name string, args map[string]any) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 90*time.Second)
	defer cancel()
	if s.mcp == nil {
		cmd := exec.Command(binary, "mcp")
		cmd.Env, cmd.Dir = s.env, s.work
		c, err := sdk.NewClient(&sdk.Implementation{Name: "readme", Version: "1"}, nil).Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
		if err != nil {
			s.t.Fatal(err)
		}
		s.mcp = c
	}
	text, isError := s.call(name, args)
	raw, err := json.Marshal(args)
	if err != nil {
		s.t.Fatal(err)
	}
	s.note("mcp> "+name+" "+string(raw), text)
	if isError {
		s.t.Fatalf("%s %s: %s", name, raw, text)
	}
}

// call makes a call over the agent's connection.
func (s *sitting) call(name string, args map[string]any) (text string, isError bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 90*time.Second)
	defer cancel()
	r, err := s.mcp.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		s.t.Fatal(err)
	}
	var all []string
	for _, c := range r.Content {
		if c, ok := c.(*sdk.TextContent); ok {
			all = append(all, c.Text)
		}
	}
	return strings.Join(all, "\n"), r.IsError
}

func (s *sitting) note(asked, said string) {
	if s.begun {
		s.said.WriteString("\n")
	}
	s.begun, s.last = true, said
	fmt.Fprintf(&s.said, "%s\n%s\n", asked, strings.TrimRight(said, "\n"))
}

// ref finds the ref of the element in the last reply whose line has these words.
func (s *sitting) ref(words string) string {
	s.t.Helper()
	for line := range strings.Lines(s.last) {
		if m := refPattern.FindString(line); m != "" && strings.Contains(line, words) {
			return m
		}
	}
	s.t.Fatalf("no line with %q and a ref in:\n%s", words, s.last)
	return ""
}

var refPattern = regexp.MustCompile(`\be[0-9]+\b`)

// same are the parts of what is said that differ from one time to the next, and what stands for them.
var same = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`\b\d+(\.\d+)? ?(ms|s)\b`), "12 ms"},
	{regexp.MustCompile(`\b\d{4}_\d\d_\d\d_\d\d_\d\d_\d\d_\w+`), "2026_11_21_09_05_12_web_17"},
	{regexp.MustCompile(`settled: [\w ]+`), "settled: quiet"},   // how waiting ended depends on how busy the machine is
	{regexp.MustCompile(`<<(page|end) \w+`), "<<$1 v4sfvgz4ou"}, // the mark around what a page says is new each time
}

// told is the session with everything that differs from one time to the next made the same: the address, times, ids,
// and refs, which are counted in the order they appear.
func (s *sitting) told() string {
	text := strings.ReplaceAll(s.said.String(), s.shop, "http://localhost:8080")
	text = strings.ReplaceAll(text, filepath.Dir(s.work), "~")
	for _, r := range same {
		text = r.pattern.ReplaceAllString(text, r.text)
	}
	seen := map[string]string{}
	return refPattern.ReplaceAllStringFunc(text, func(ref string) string {
		if seen[ref] == "" {
			seen[ref] = fmt.Sprintf("e%d", len(seen)+1)
		}
		return seen[ref]
	})
}
