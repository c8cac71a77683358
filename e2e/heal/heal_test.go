package heal

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
)

var (
	played = flag.String("heal", "",
		"play the pairs on the npm packages (run `make heal`, which installs them): all, short (every fifth), every n-th, or a part of their names")
	jobs    = flag.String("jobs", "4", "how many trails are played at once")
	into    = flag.String("docs", "", "write the table into this document")
	listing = flag.String("pairs", "", "write what became of each pair into this file")
	onlyIn  = flag.String("modes", "", "play these modes alone, separated by commas")
)

var binary string

func TestMain(m *testing.M) { os.Exit(housetest.Main(m, map[string]*string{"": &binary})) }

// modes are the columns of the table. Each knows what the one before it knows; the lying model what the honest one does.
var modes = []struct {
	name, title string
	green       bool // a green run of the trail on page A is kept
	flags       []string
}{
	{"plain", "plain", false, nil},
	{"heal", "`--heal`", false, []string{"--heal", "--llm", "none"}},
	{"green", "+ green run", true, []string{"--heal", "--llm", "none"}},
	{"honest", "+ honest model", true, []string{"--heal"}},
	{"lying", "+ lying model", true, []string{"--heal"}},
}

// house is a workspace with the trails of all pairs, and a daemon to record them with.
type house struct {
	*server
	root, work string
}

func (h *house) env(home string, more ...string) []string {
	return append(append(os.Environ(), "TRAILBLAZE_HOME="+filepath.Join(h.root, home), "TRAILBLAZE_PORT=0", "NO_COLOR=1",
		"TRAILBLAZE_CONFIG_DIR=", "LAB_KEY=lab-key", "TRAILBLAZE_TRUST=1"), more...)
}

func (h *house) file(p *pair) string { return filepath.Join(h.work, "trails", p.key+".trail.yaml") }

// says runs the program.
func (h *house) says(ctx context.Context, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env, cmd.Dir = env, h.work
	out, err := cmd.CombinedOutput()
	return string(out), err
}

var refs = regexp.MustCompile(`\be\d+\b`)

// record does on page A what a person would: open it, press the control by its ref, see that the page has received it.
func (h *house) record(ctx context.Context, t *testing.T, p *pair) bool {
	env := h.env("recorder", "TRAILBLAZE_SESSION="+p.key, "TRAILBLAZE_DEVICE=web/"+p.key)
	do := func(args ...string) string {
		if t.Failed() && ctx.Err() != nil {
			return ""
		}
		out, err := h.says(ctx, env, args...)
		if err != nil {
			t.Logf("%s: %v: %s", p.key, args, out)
			return ""
		}
		return out
	}
	defer do("device", "disconnect", "web/"+p.key)
	if do("tool", "web_navigate", "url="+h.address(p), "-s", "Open the page") == "" ||
		do("tool", "web_verifyTextVisible", "text=Ready", "-s", "Open the page") == "" {
		return false
	}
	at := h.of("", p)
	if !at.ready || at.now == nil {
		t.Logf("%s: %q is not on page A", p.key, p.At)
		return false
	}
	found := do("tool", "findMatches", `selector={"web":{"cssSelector":"`+at.now.Path+`"}}`)
	ref := refs.FindString(found)
	if ref == "" {
		t.Logf("%s: no ref for %s in %q", p.key, at.now.Path, found)
		return false
	}
	call := p.deed(ref).Calls[0]
	return do("tool", call.Name, "--args", string(call.Args), "-s", p.Step) != "" &&
		do("tool", "web_verifyTextVisible", "text=Received", "-s", "The page has received it") != "" &&
		do("session", "save", "-t", p.Step, "-o", h.file(p)) != ""
}

// recorded are the pairs whose trails the product could record.
func (h *house) recorded(t *testing.T, pairs []*pair) (out []*pair) {
	t.Helper()
	h.turn("")
	defer func() {
		if said, err := h.says(context.WithoutCancel(t.Context()), h.env("recorder"), "daemon", "stop"); err != nil {
			t.Errorf("daemon stop: %v: %s", err, said)
		}
	}()
	var wait sync.WaitGroup
	ok := make([]bool, len(pairs))
	turns := make(chan struct{}, 3)
	for i, p := range pairs {
		turns <- struct{}{}
		wait.Go(func() {
			ok[i] = h.record(t.Context(), t, p)
			<-turns
		})
	}
	wait.Wait()
	for i, p := range pairs {
		if !ok[i] {
			t.Errorf("%s is not recorded", p.key)
			continue
		}
		h.waitLess(t, p)
		out = append(out, p)
	}
	return out
}

var acts = regexp.MustCompile(`(?m)^( +)- (web_(?:click|type|setChecked|selectOption)):\n`)

// patience is what the author of the trails grants a control to appear, which a repair has to keep.
const patience = "timeoutMs: 2000"

// waitLess writes how long a control is waited for into the call, as an author would.
func (h *house) waitLess(t *testing.T, p *pair) {
	t.Helper()
	data, err := os.ReadFile(h.file(p))
	if err != nil {
		t.Fatal(err)
	}
	text := acts.ReplaceAllString(string(data), "$1- $2:\n$1    "+patience+"\n")
	if !strings.Contains(text, patience) {
		t.Errorf("%s: no act in %s", p.key, data)
	}
	if err := os.WriteFile(h.file(p), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ran is what `run --json` says of a trail.
type ran struct {
	Path    string
	Outcome string
	Failure *struct{ Message string }
	Notes   []string
	Heals   []struct {
		Was json.RawMessage
		Now json.RawMessage
		Why []string
	}
}

// play plays all trails and gives what the program says of each, by key.
func (h *house) play(t *testing.T, home string, flags ...string) map[string]ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Minute)
	defer cancel()
	args := append([]string{"run", "trails", "--jobs", *jobs, "--json", "--no-report", "--screenshots", "off"}, flags...)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env, cmd.Dir = h.env(home), h.work
	var errs strings.Builder
	cmd.Stderr = &errs
	out, _ := cmd.Output()
	var doc struct{ Trails []ran }
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatalf("%v: %s%s", err, out, errs.String())
	}
	all := map[string]ran{}
	for _, r := range doc.Trails {
		all[strings.TrimSuffix(filepath.Base(r.Path), ".trail.yaml")] = r
	}
	return all
}

// TestHeal measures healing on the corpora, and holds it to its bars.
func TestHeal(t *testing.T) {
	if *played == "" {
		t.Skip("needs npm packages: run `make heal`")
	}
	pairs := chosen(t)
	h := &house{server: serve(t, pairs), root: housetest.Root(t, 0o700, "work/trails/config", "cold", "green")}
	h.work = filepath.Join(h.root, "work")
	model := llmtest.Start()
	defer model.Close()
	settings := "defaults: { llm: lab/scripted }\nllm:\n  providers:\n    lab:\n      type: anthropic\n      base_url: " + model.URL +
		"\n      auth: { env_var: LAB_KEY }\n"
	if err := os.WriteFile(filepath.Join(h.work, "trails", "config", "trailblaze.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	pairs = h.recorded(t, pairs)
	t.Logf("%d trails recorded in %s", len(pairs), time.Since(began).Round(time.Second))
	h.turn("")
	for key, r := range h.play(t, "green", "--llm", "none") {
		if at := h.at("", key); r.Outcome != "passed" || len(at.acts) == 0 {
			t.Errorf("%s does not pass on the page that it was recorded on: %s", key, failure(r))
			_ = os.Remove(h.file(h.pairs[key]))
		} else if judge(at, r, false) != right {
			t.Errorf("%s pressed another control on page A: %+v", key, at.acts)
		}
	}
	results := map[string]map[string]ran{}
	for _, m := range modes {
		if *onlyIn != "" && !strings.Contains(","+*onlyIn+",", ","+m.name+",") {
			continue
		}
		home := "home-" + m.name
		from := map[bool]string{false: "cold", true: "green"}[m.green]
		if err := os.CopyFS(filepath.Join(h.root, home), os.DirFS(filepath.Join(h.root, from))); err != nil {
			t.Fatal(err)
		}
		model.Answer(h.model(m.name == "lying"))
		began := time.Now()
		h.turn(m.name)
		results[m.name] = h.play(t, home, m.flags...)
		t.Logf("%s: %s, %d questions", m.name, time.Since(began).Round(time.Second), len(model.Asked()))
	}
	told(t, h, pairs, results)
}

func failure(r ran) string {
	if r.Failure == nil {
		return r.Outcome
	}
	return r.Outcome + ": " + r.Failure.Message
}

// each is the distance between the pairs that the flag asks for, 0 where it asks for a name.
func each() int {
	n, _ := strconv.Atoi(*played)
	return max(n, map[string]int{"all": 1, "short": 5}[*played])
}

// chosen are the pairs that the flag asks for.
func chosen(t *testing.T) (out []*pair) {
	t.Helper()
	for _, corpus := range []string{own, public} {
		for i, p := range load(t, corpus) {
			if n := each(); n > 0 && i%n == 0 || n == 0 && strings.Contains(p.key, *played) {
				out = append(out, p)
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no pair is called %q", *played)
	}
	return out
}
