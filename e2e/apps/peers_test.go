package apps

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	peer   = flag.String("peer", "", "measure beside Playwright's MCP server: path of the cli.js of @playwright/mcp (`make bench-flows` installs it)")
	rounds = flag.Int("rounds", 3, "with -peer: how often each flow is done with each server")
)

// sample is what one performance of a flow cost.
type sample struct {
	calls, bytes int
	took         time.Duration
	fault        string
}

// TestPeers performs the flows through this product's MCP server and through Playwright's, in turn and in one run,
// with the same rule for finding refs, and prints what they cost: calls, time in calls, bytes of replies. A flow
// counts only when the app ended in the right state.
func TestPeers(t *testing.T) {
	if *peer == "" {
		t.Skip("needs -peer")
	}
	binary := build(t)
	cli, err := filepath.Abs(*peer)
	if err != nil {
		t.Fatal(err)
	}
	browser, err := exec.Command(binary, "browser", "path").Output()
	if err != nil {
		t.Fatal(err)
	}
	own, _ := server(t, binary, "http://127.0.0.1")
	theirs := exec.Command("node", cli, "--headless", "--no-sandbox", "--isolated", "--viewport-size=1280x800", "--executable-path",
		strings.TrimSpace(string(browser)))
	theirs.Dir = t.TempDir() // it writes its snapshots to files there
	hands := []*hand{}
	for i, cmd := range []*exec.Cmd{own, theirs} {
		h, err := newHand(t, cmd)
		if err != nil {
			t.Fatal(err)
		}
		h.peer = i == 1
		hands = append(hands, h)
	}
	rows := []string{"| flow | calls | ms | kB of replies |", "|---|---:|---:|---:|"}
	var sums [2]sample
	for _, f := range chosen(t) {
		var done [2][]sample
		for range *rounds + 1 { // the first round is not counted: it starts browsers
			for i, h := range hands {
				done[i] = append(done[i], h.perform(t, f))
			}
		}
		a, b := middle(done[0][1:]), middle(done[1][1:])
		for i, s := range []sample{a, b} {
			if s.fault != "" {
				t.Logf("%s with server %d: %s", f.name, i, s.fault)
			}
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s |", f.name, beside(a, b, func(s sample) string { return fmt.Sprint(s.calls) }),
			beside(a, b, func(s sample) string { return fmt.Sprint(s.took.Milliseconds()) }),
			beside(a, b, func(s sample) string { return fmt.Sprintf("%.1f", float64(s.bytes)/1000) })))
		if a.fault == "" && b.fault == "" {
			for i, s := range []sample{a, b} {
				sums[i].calls, sums[i].bytes, sums[i].took = sums[i].calls+s.calls, sums[i].bytes+s.bytes, sums[i].took+s.took
			}
		}
	}
	rows = append(rows, fmt.Sprintf("| all that both did | %d / %d | %d / %d | %.1f / %.1f |", sums[0].calls, sums[1].calls,
		sums[0].took.Milliseconds(), sums[1].took.Milliseconds(), float64(sums[0].bytes)/1000, float64(sums[1].bytes)/1000))
	t.Logf("ours / theirs\n%s", strings.Join(rows, "\n"))
}

func beside(a, b sample, say func(sample) string) string {
	cell := func(s sample) string {
		if s.fault != "" {
			return "–"
		}
		return say(s)
	}
	return cell(a) + " / " + cell(b)
}

// middle is the median of the performances that succeeded, else the fault of one.
func middle(all []sample) sample {
	good := slices.DeleteFunc(slices.Clone(all), func(s sample) bool { return s.fault != "" })
	if len(good)*2 <= len(all) {
		return sample{fault: all[len(all)-1].fault}
	}
	slices.SortFunc(good, func(a, b sample) int { return int(a.took - b.took) })
	return good[len(good)/2]
}

// perform does a flow on a site of its own, so that the app begins with nothing stored, and reads its state afterwards.
func (h *hand) perform(t *testing.T, f *flow) sample {
	t.Helper()
	s := serveFlow(t, f, variants[0])
	defer s.Close()
	h.base, h.page, h.reply, h.seen = s.URL, f.page, "", nil
	h.calls, h.bytes, h.elapsed = 0, 0, 0
	for _, m := range f.moves {
		if err := h.do(m); err != nil {
			return sample{fault: strings.TrimSpace(m.intent + ": " + err.Error())}
		}
	}
	out := sample{calls: h.calls, bytes: h.bytes, took: h.elapsed}
	tool, args := "web_evaluate", map[string]any{"script": f.report(variants[0])}
	if h.peer {
		tool, args = "browser_evaluate", map[string]any{"function": "() => " + f.report(variants[0])}
	}
	if _, err := h.call(tool, args); err != nil {
		return sample{fault: err.Error()}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.states) != 1 || s.states[0] != canonical(t, f.want) {
		out.fault = fmt.Sprintf("the app ended as %v, want %s", s.states, f.want)
	}
	return out
}
