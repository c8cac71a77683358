package packages

import (
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

// action is a composite action of GitHub.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []step
	}
}

type step struct {
	ID, If, Shell, Run, Uses string
	Env, With                map[string]string
}

// job plays the steps of the action as GitHub's runner does, as far as the action needs it.
type job struct {
	h        *house
	values   map[string]string // of expressions
	cached   map[string]bool   // keys
	env      []string
	uploaded map[string]string // artifacts and their folders
	summary  string            // of the job that was played last
}

var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

func (j *job) expand(t *testing.T, text string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		value, ok := j.values[name]
		if !ok {
			t.Fatalf("the action uses %s, which the test does not know", e)
		}
		return value
	})
}

// wanted is whether a step is carried out.
func (j *job) wanted(t *testing.T, s step, failed bool) bool {
	t.Helper()
	switch left, right, compared := strings.Cut(s.If, " != "); {
	case s.If == "":
		return !failed
	case s.If == "always()":
		return true
	case compared:
		output, always := strings.CutPrefix(left, "always() && ")
		return (always || !failed) && j.values[output] != strings.Trim(right, "'")
	}
	t.Fatalf("the action has the condition %q, which the test does not know", s.If)
	return false
}

// play plays the action with inputs, and returns the error of the step that failed and what all printed.
func (j *job) play(t *testing.T, a action, inputs map[string]string) (said string, failed error) {
	t.Helper()
	temp := filepath.Join(j.h.dir, "temp")
	j.values = map[string]string{"runner.temp": temp, "runner.os": "Linux", "runner.arch": "X64", "github.action_path": j.h.repo}
	for name, input := range a.Inputs {
		j.values["inputs."+name] = input.Default
	}
	for name, value := range inputs {
		j.values["inputs."+name] = value
	}
	output, path := j.h.write(t, "temp/output", ""), j.h.write(t, "temp/path", "")
	summary := j.h.write(t, "temp/summary", "")
	j.env = append(j.h.env, "GITHUB_OUTPUT="+output, "GITHUB_PATH="+path, "GITHUB_STEP_SUMMARY="+summary, "GITHUB_ACTIONS=true", "CI=true")
	for _, s := range a.Runs.Steps {
		if !j.wanted(t, s, failed != nil) {
			continue
		}
		if s.Uses != "" {
			j.use(t, s)
			continue
		}
		cmd := j.h.command(t, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		cmd.Env = j.env
		for name, value := range s.Env {
			cmd.Env = append(cmd.Env, name+"="+j.expand(t, value))
		}
		if added, err := os.ReadFile(path); err == nil && len(added) > 0 {
			cmd.Env = append(cmd.Env, "PATH="+strings.TrimSpace(string(added))+":"+withoutOurs(os.Getenv("PATH")))
		}
		out, err := cmd.CombinedOutput()
		said += string(out)
		failed = errors.Join(failed, err)
		lines, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(lines)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			j.values["steps."+s.ID+".outputs."+name] = value
		}
		if err := os.Truncate(output, 0); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(summary)
	if err != nil {
		t.Fatal(err)
	}
	j.summary = string(kept)
	return said, failed
}

// use stands for the two actions of GitHub: the cache keeps its folder, and an upload must find its files.
func (j *job) use(t *testing.T, s step) {
	t.Helper()
	name, commit, _ := strings.Cut(s.Uses, "@")
	if !regexp.MustCompile(`^[0-9a-f]{40}$`).MatchString(commit) {
		t.Errorf("%s is not pinned by its commit", s.Uses)
	}
	switch name {
	case "actions/cache":
		key := j.expand(t, s.With["key"])
		j.values["steps."+s.ID+".outputs.cache-hit"] = fmt.Sprint(j.cached[key])
		j.cached[key] = true
	case "actions/upload-artifact":
		name, folder := j.expand(t, s.With["name"]), j.expand(t, s.With["path"])
		if _, err := os.Stat(folder); err == nil {
			j.values["steps."+s.ID+".outputs.artifact-url"] = "https://github.test/" + name
		}
		j.uploaded[name] = folder
	default:
		t.Fatalf("the action uses %s, which the test does not know", name)
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

// TestAction: the steps of the action install a release, play the shards of two trails, and keep the report, also of a
// trail that fails. A cached file is not fetched again, and an archive that was changed is refused.
func TestAction(t *testing.T) {
	h := newHouse(t)
	text, err := os.ReadFile(filepath.Join(h.repo, "action.yml"))
	var a action
	if err == nil {
		err = yaml.Unmarshal(text, &a)
	}
	if err != nil || a.Runs.Using != "composite" {
		t.Fatalf("action.yml: %v, %q", err, a.Runs.Using)
	}
	fetched, broken := 0, false
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutPrefix(r.URL.Path, "/v"+h.version+"/")
		if !ok {
			http.NotFound(w, r)
			return
		}
		fetched++
		if broken && strings.HasSuffix(name, ".gz") {
			_, _ = w.Write([]byte("not an archive"))
			return
		}
		http.ServeFile(w, r, filepath.Join(h.dist, name))
	}))
	t.Cleanup(srv.Close)
	for _, name := range []string{"01-shop", "02-product"} {
		data, err := os.ReadFile(filepath.Join(h.repo, "internal/ground/demo/trails", name+".trail.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		h.write(t, "trails/"+name+".trail.yaml", string(data))
	}
	h.write(t, "wrong/wrong.trail.yaml", `config: { title: Wrong }
trail:
  - verify: It is there
    recording: { web: [web_navigate: { url: "{{shop}}/" }, web_verifyTextVisible: { text: No such text } ] }
`)
	j := &job{h: h, cached: map[string]bool{}, uploaded: map[string]string{}}
	inputs := func(more ...string) map[string]string {
		in := map[string]string{"version": h.version, "downloads": srv.URL, "args": "--memory shop=" + h.shop}
		for i := 0; i < len(more); i += 2 {
			in[more[i]] = more[i+1]
		}
		return in
	}

	broken = true
	if said, err := j.play(t, a, inputs()); err == nil || !strings.Contains(said, "is not what SHA256SUMS says") {
		t.Fatalf("an archive that was changed: %v\n%s", err, said)
	}
	broken, j.cached = false, map[string]bool{} // GitHub keeps nothing of a job that failed
	if said, err := j.play(t, a, inputs("version", "9.9.9")); err == nil || !strings.Contains(said, "is there a release of that version?") {
		t.Fatalf("a version that is not there: %v\n%s", err, said)
	}
	fetched = 0
	for i, title := range []string{"Find things and put them in the cart", "product"} {
		shard := fmt.Sprintf("%d/2", i+1)
		said, err := j.play(t, a, inputs("shard", shard))
		if err != nil || !strings.Contains(said, "1 trail: 1 passed") {
			t.Errorf("shard %s: %v\n%s", shard, err, said)
		}
		folder := j.uploaded[fmt.Sprintf("trailblaze-report-%d-of-2", i+1)]
		for _, file := range []string{"report.html", "junit.xml", "storyboard.png"} {
			if _, err := os.Stat(filepath.Join(folder, file)); err != nil {
				t.Errorf("shard %s (%s) uploads no %s: %v", shard, title, file, err)
			}
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
	if fetched != 2 {
		t.Errorf("%d files were fetched for two jobs with one cache, want 2", fetched)
	}
	said, err := j.play(t, a, inputs("trails", "wrong/"))
	folder := j.uploaded["trailblaze-report"]
	if _, missing := os.Stat(filepath.Join(folder, "report.html")); err == nil || missing != nil || !strings.Contains(said, "::error") {
		t.Errorf("a trail that fails: %v, report %v\n%s", err, missing, said)
	}
	f, err := os.Open(filepath.Join(folder, "storyboard.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if board, err := png.Decode(f); err != nil || board.Bounds().Dy() < 200 {
		t.Errorf("the storyboard of a trail that fails: %v, or without a picture", err)
	}
	if !strings.Contains(j.summary, "| Wrong | failed |") || !strings.Contains(j.summary, "No such text") ||
		!strings.HasSuffix(j.summary, "\n[Report and storyboard](https://github.test/trailblaze-report)\n") {
		t.Errorf("the summary of a job that fails: %s", j.summary)
	}
}
