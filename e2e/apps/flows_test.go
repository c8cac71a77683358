package apps

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
)

var (
	which  = flag.String("flows", "ci", "flows to play or record: ci, all, or names separated by commas")
	record = flag.Bool("record", false, "perform the flows live and write their trails")
	chat   = flag.Bool("chat", false, "with -record: log every call and reply")
	tries  = flag.String("tries", "5", "how often each trail is replayed on each harmless variant of its page")
)

func flows() []*flow { return slices.Concat(todoFlows(), widgetFlows()) }

// chosen are the flows of -flows.
func chosen(t *testing.T) []*flow {
	t.Helper()
	names := strings.Split(*which, ",")
	out := slices.DeleteFunc(flows(), func(f *flow) bool {
		return *which != "all" && (*which != "ci" || !f.ci) && !slices.Contains(names, f.name)
	})
	if len(out) == 0 {
		t.Fatalf("-flows %s names no flow", *which)
	}
	return out
}

func (f *flow) trail() string { return filepath.Join("trails", "flows", f.name+".trail.yaml") }

func (f *flow) seedFile() string { return filepath.Join("trails", "flows", f.name+".seed.json") }

// seeds is what the app has stored when there is one more row.
func seeds(t *testing.T, f *flow) string {
	t.Helper()
	if f.seedBy == nil {
		return "{}"
	}
	data, err := os.ReadFile(f.seedFile())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "Water the plants") {
		t.Fatalf("%s adds no row", f.seedFile())
	}
	return string(data)
}

// report reads the state in the page and sends it to the site.
func (f *flow) report(v variant) string {
	state := f.state
	if v.renamed {
		state = f.rename(state)
	}
	return "(async () => { const state = " + state + "; await fetch('/report', {method: 'POST', body: JSON.stringify(state)}); return 'reported' })()"
}

// house is a home and a workspace of their own, with a daemon that ends with the test.
func house(t *testing.T, binary, base string) (env []string, work string) {
	t.Helper()
	h := housetest.NewHome(t, binary, "TRAILBLAZE_BASE_URL="+base)
	return h.Env, h.Work
}

// server is the built binary's MCP server, in a house of its own.
func server(t *testing.T, binary, base string) (cmd *exec.Cmd, work string) {
	t.Helper()
	env, work := house(t, binary, base)
	cmd = exec.Command(binary, "mcp", "--headless", "--categories", "ALL,SCRIPT", "--workspace", work)
	cmd.Env = env
	return cmd, work
}

// drive performs moves on a site through the built binary.
func drive(t *testing.T, binary string, s *site, f *flow, moves []move) (*hand, string, error) {
	t.Helper()
	cmd, work := server(t, binary, s.URL)
	h, err := newHand(t, cmd)
	if err != nil {
		return nil, "", err
	}
	h.base, h.page = "{{baseUrl}}", f.page
	for _, m := range moves {
		if err := h.do(m); err != nil {
			return h, work, err
		}
	}
	return h, work, nil
}

// TestRecord performs each flow live, as an agent does, checks the state in which the app is, and saves the session
// as a trail.
func TestRecord(t *testing.T) {
	if !*record {
		t.Skip("only with -record")
	}
	binary := build(t)
	for _, f := range chosen(t) {
		t.Run(f.name, func(t *testing.T) {
			s := serveFlow(t, f, variants[0])
			h, work, err := drive(t, binary, s, f, f.moves)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := h.call("session", map[string]any{"action": "SAVE", "title": f.name, "path": f.name + ".trail.yaml"}); err != nil {
				t.Fatal(err)
			}
			t.Log(h.reply)
			if _, err := h.call("web_evaluate", map[string]any{"script": f.report(variants[0])}); err != nil {
				t.Fatal(err)
			}
			if len(s.states) != 1 || s.states[0] != canonical(t, f.want) {
				t.Fatalf("the app ended as %v, want %s", s.states, f.want)
			}
			data, err := os.ReadFile(filepath.Join(work, "trails", f.name+".trail.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			keep(t, f.trail(), data)
			if f.seedBy != nil {
				keep(t, f.seedFile(), storage(t, binary, f))
			}
		})
	}
}

// storage is what the app has stored once the moves that add a row are made.
func storage(t *testing.T, binary string, f *flow) []byte {
	t.Helper()
	h, _, err := drive(t, binary, serveFlow(t, f, variants[0]), f, f.seedBy)
	if err != nil {
		t.Fatal(err)
	}
	// Apps store a moment later, and no event of their own page says so.
	stored := `new Promise(done => { const look = n => { const all = JSON.stringify({...localStorage});` +
		` all.includes('Water the plants') || n > 200 ? done(all) : setTimeout(look, 25, n + 1) }; look(0) })`
	said, err := h.call("web_evaluate", map[string]any{"script": stored})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "{") && strings.Contains(line, "Water the plants") {
			return []byte(line)
		}
	}
	t.Fatalf("the app has stored nothing:\n%s", said)
	return nil
}

func keep(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // part of the sources
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil { //nolint:gosec // part of the sources
		t.Fatal(err)
	}
}

// TestFlows replays every flow's trail on its page, on harmless variants of it, and on a broken app. After each green
// the app's own state must be right; the broken app must be red.
func TestFlows(t *testing.T) {
	if !*withApps {
		t.Skip("needs npm packages: run `make e2e-apps`")
	}
	binary := build(t)
	rows := []string{fmt.Sprintf("%-28s %-9s %7s %7s %7s %9s", "flow", "page", "replays", "right", "red", "median ms")}
	all, right := 0, 0
	for _, f := range chosen(t) {
		for _, v := range variants {
			if v.row && f.wantRow == "" {
				continue // it has no list
			}
			t.Run(f.name+" "+v.name, func(t *testing.T) {
				times, want := *tries, f.want
				if v.name == "plain" {
					times = *repeat
				}
				if v.row {
					want = f.wantRow
				}
				got := f.replay(t, binary, v, times)
				rows = append(rows, fmt.Sprintf("%-28s %-9s %7d %7d %7d %9d", f.name, v.name, got.n, got.right(canonical(t, want)), got.n-got.passed, got.out.median()))
				if wrong := len(got.states) - got.right(canonical(t, want)); wrong > 0 {
					t.Errorf("%d greens with a wrong final state, want %s:\n%s", wrong, want, strings.Join(got.states, "\n"))
				}
				if len(got.states) != got.passed {
					t.Errorf("%d passed, but %d pages told their state", got.passed, len(got.states))
				}
				if v.name == "plain" && got.passed < got.n || got.passed == 0 {
					t.Errorf("%d of %d passed: %s", got.passed, got.n, got.why())
				} else if got.passed < got.n {
					t.Logf("%d of %d passed: %s", got.passed, got.n, got.why())
				}
				all, right = all+got.n, right+got.right(canonical(t, want))
			})
		}
		t.Run(f.name+" broken", func(t *testing.T) {
			got := f.replay(t, binary, variant{broken: true}, "1")
			var exit *exec.ExitError
			if !errors.As(got.err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("it ended with %v on a broken app, want exit status 1\n%s", got.err, got.out.text)
			}
		})
	}
	t.Logf("%s\n%d of %d right", strings.Join(rows, "\n"), right, all)
	if right*100 < all*95 {
		t.Errorf("%d of %d replays ended in the right state, want 95 %%", right, all)
	}
}

// played is how replays of one trail ended.
type played struct {
	out       report
	err       error
	n, passed int
	states    []string
}

func (p played) right(want string) int {
	n := 0
	for _, s := range p.states {
		if s == want {
			n++
		}
	}
	return n
}

// why is what the failures say.
func (p played) why() string {
	var all []string
	for _, r := range p.out.Trails {
		if r.Failure != nil {
			all = append(all, fmt.Sprintf("step %d: %s", r.Steps, r.Failure.Message))
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "\n")
}

// replay plays the saved trail, with one step behind it that reports the app's state.
func (f *flow) replay(t *testing.T, binary string, v variant, times string) played {
	t.Helper()
	s := serveFlow(t, f, v)
	saved, err := os.ReadFile(f.trail())
	if err != nil {
		t.Fatal(err)
	}
	script, err := json.Marshal(f.report(v))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), f.name+".trail.yaml")
	tail := "\n  - step: Report the state\n    recording:\n      web:\n        - web_evaluate: { script: " + string(script) + " }\n"
	if err := os.WriteFile(file, append(saved, tail...), 0o600); err != nil {
		t.Fatal(err)
	}
	p := played{}
	p.out, p.err = run(t, binary, file, "--base-url", s.URL, "--repeat", times, "--jobs", *jobs)
	if p.n, err = strconv.Atoi(times); err != nil {
		t.Fatal(err)
	}
	for _, r := range p.out.Trails {
		if r.Failure == nil {
			p.passed++
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p.states = slices.Clone(s.states)
	return p
}
