package record

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// made is a composed trail of one step per call name.
func made(classifier string, calls ...string) *Composed {
	c := &Composed{Classifier: classifier, Trail: &trail.Trail{Format: trail.Unified}}
	c.Trail.Config.Title = "Buy a lamp"
	for i, name := range calls {
		c.Trail.Steps = append(c.Trail.Steps, trail.Step{Kind: trail.ActionStep, Text: fmt.Sprintf("Step %d", i+1), Recordable: true,
			Recordings: map[string][]trail.Recorded{classifier: {{Call: tool.Call{Name: name, Args: []byte(`{"text":"x"}`)}}}}})
	}
	c.Steps, c.Actions = len(calls), len(calls)
	return c
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSaveMakesAFileAndMerges(t *testing.T) {
	ws := t.TempDir()
	s, err := Save(t.Context(), ws, made("web", "web_click", "web_type"), Target{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Path != "trails/buy-a-lamp.trail.yaml" || s.Change != Created || s.Steps != 2 || s.Actions != 2 {
		t.Errorf("saved %+v", s)
	}
	text := read(t, s.File)
	for _, want := range []string{"id: buy-a-lamp", "title: Buy a lamp", "web_click"} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %q:\n%s", want, text)
		}
	}

	// A person adds a comment; another platform's recording goes into the same file and touches nothing else.
	text = "# the lamp is the one by the window\n" + text
	if err := os.WriteFile(s.File, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err = Save(t.Context(), ws, made("android", "tapOn", "inputText"), Target{Path: "trails/buy-a-lamp"})
	if err != nil || s.Change != Merged {
		t.Fatalf("merge = %+v, %v", s, err)
	}
	merged := read(t, s.File)
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if !strings.Contains(merged, line) {
			t.Errorf("the merge lost the line %q:\n%s", line, merged)
		}
	}
	if !strings.Contains(merged, "tapOn") {
		t.Errorf("the other platform's calls are not there:\n%s", merged)
	}

	if s, err = Save(t.Context(), ws, made("android", "tapOn", "inputText"), Target{Path: "buy-a-lamp"}); err != nil || s.Change != Unchanged {
		t.Errorf("the same again = %+v, %v, want unchanged", s, err)
	}
}

// A session of too many calls is refused as what it is, with advice that works: the whole of it can still be printed.
// TestSaveNamesTheSchema: a new trail names the schema of its project in the first line; without one there is no such line.
func TestSaveNamesTheSchema(t *testing.T) {
	for _, schema := range []bool{false, true} {
		ws := t.TempDir()
		if schema {
			if err := os.Mkdir(filepath.Join(ws, trail.SchemaFolder), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(ws, trail.SchemaFolder, "trail.schema.json"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Save(t.Context(), ws, made("web", "web_click"), Target{Path: "shop/lamp"})
		if err != nil {
			t.Fatal(err)
		}
		line := "# yaml-language-server: $schema=../../.trailblaze/trail.schema.json\n"
		if text := read(t, s.File); strings.HasPrefix(text, line) != schema {
			t.Errorf("schema %t:\n%s", schema, text)
		}
		if again, err := Save(t.Context(), ws, made("android", "tap"), Target{Path: "shop/lamp"}); err != nil || strings.Count(read(t, again.File), "$schema") > 1 {
			t.Errorf("saved again: %v\n%s", err, read(t, s.File))
		}
	}
}

func TestSaveOfALongSession(t *testing.T) {
	calls := slices.Repeat([]string{"web_click"}, 2500)
	ws, c := t.TempDir(), made("web", calls...)
	_, err := Save(t.Context(), ws, c, Target{})
	if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "2500 calls in 2500 steps, too many for one trail") ||
		!strings.Contains(fault.HintOf(err), "trailblaze session recording prints the whole") {
		t.Errorf("got %v, hint %q", err, fault.HintOf(err))
	}
	if text, err := Preview(c); err != nil || strings.Count(text, "web_click") != len(calls) {
		t.Errorf("the preview has %d calls, %v", strings.Count(text, "web_click"), err)
	}
	if left, err := os.ReadDir(filepath.Join(ws, Folder)); err != nil || len(left) > 1 { // the lock
		t.Errorf("left over: %v %v", left, err)
	}
}

func TestSaveDoesNotReplaceUnasked(t *testing.T) {
	ws := t.TempDir()
	if _, err := Save(t.Context(), ws, made("web", "web_click", "web_type"), Target{}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(ws, "trails", "buy-a-lamp.trail.yaml")
	before := read(t, file)
	_, err := Save(t.Context(), ws, made("web", "web_click", "web_hover"), Target{})
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "web_hover") || !strings.Contains(fault.HintOf(err), "overwrite") {
		t.Errorf("Save = %v (%s), want a conflict that shows the difference and says how", err, fault.HintOf(err))
	}
	if read(t, file) != before {
		t.Error("the file was changed all the same")
	}
	s, err := Save(t.Context(), ws, made("web", "web_click", "web_hover"), Target{Overwrite: true})
	if err != nil || s.Change != Replaced || !strings.Contains(read(t, file), "web_hover") || strings.Contains(read(t, file), "web_type") {
		t.Errorf("with overwrite = %+v, %v", s, err)
	}
}

func TestSaveStaysInTheTrailsFolder(t *testing.T) {
	ws, elsewhere := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(ws, "trails"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(ws, "trails", "out")); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(elsewhere, "secret.trail.yaml")
	if err := os.WriteFile(secret, []byte("trail: [{step: canary}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(ws, "trails", "link.trail.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"../x", "a/../../x", "trails/../../x", "/etc/x", filepath.Join(elsewhere, "x"), "out/x", "out/deep/x", "link",
		`..\x`, "a/../../../etc/passwd"} {
		if _, err := Save(t.Context(), ws, made("web", "web_click"), Target{Path: p, Overwrite: true}); fault.KindOf(err) != fault.Denied {
			t.Errorf("Save to %q = %v, want denied", p, err)
		} else if strings.Contains(err.Error(), "canary") {
			t.Errorf("the refusal for %q tells what the file holds: %v", p, err)
		}
	}
	for _, p := range []string{".hidden", "a/.git/x", "trails/", "config/trailblaze.yaml"} {
		if _, err := Save(t.Context(), ws, made("web", "web_click"), Target{Path: p}); err == nil {
			t.Errorf("Save to %q worked", p)
		}
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) != 1 {
		t.Errorf("%d files outside, want the one that was there: %v", len(entries), err)
	}
	if s, err := Save(t.Context(), ws, made("web", "web_click"), Target{Path: filepath.Join(ws, "trails", "deep", "x.yaml")}); err != nil ||
		s.Path != "trails/deep/x.trail.yaml" {
		t.Errorf("an absolute path inside = %+v, %v", s, err)
	}
}

func TestSaveGivesUpWaiting(t *testing.T) {
	ws := t.TempDir()
	if _, err := Save(t.Context(), ws, made("web", "web_click"), Target{}); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(ws)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	unlock, err := lockFolder(t.Context(), root, Folder, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if _, err := Save(t.Context(), ws, made("android", "tapOn"), Target{Wait: 20 * time.Millisecond}); fault.KindOf(err) != fault.Busy {
		t.Errorf("Save = %v, want busy", err)
	}
}

// TestSavesAtOnce proves that many who save into one file at once, some of them in other processes, lose nothing.
func TestSavesAtOnce(t *testing.T) {
	const env = "RECORD_TEST_SAVE_IN"
	save := func(ws, who string) error {
		for i := range 4 {
			if _, err := Save(context.Background(), ws, made(fmt.Sprintf("%s%d", who, i), "tapOn"), Target{Wait: time.Minute}); err != nil {
				return err
			}
		}
		return nil
	}
	if ws := os.Getenv(env); ws != "" {
		if err := save(ws, os.Getenv(env+"_AS")); err != nil {
			t.Fatal(err)
		}
		return
	}
	ws := t.TempDir()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			who := fmt.Sprintf("device%c", 'a'+i)
			if i%2 == 0 {
				if err := save(ws, who); err != nil {
					t.Error(err)
				}
				return
			}
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSavesAtOnce$")
			cmd.Env = append(os.Environ(), env+"="+ws, env+"_AS="+who)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	text := read(t, filepath.Join(ws, "trails", "buy-a-lamp.trail.yaml"))
	for i := range 4 {
		for j := range 4 {
			if who := fmt.Sprintf("device%c%d:", 'a'+i, j); !strings.Contains(text, who) {
				t.Errorf("the recording of %s was lost:\n%s", who, text)
			}
		}
	}
	if entries, err := os.ReadDir(filepath.Join(ws, "trails")); err != nil || len(entries) != 1 {
		t.Errorf("%v %v: something was left behind", entries, err)
	}
}

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Buy a lamp!": "buy-a-lamp", "  --  ": "", "Käse & Brot": "käse-brot", "../../etc": "etc",
		strings.Repeat("ab ", 60): strings.TrimSuffix(strings.Repeat("ab-", 20), "-"),
	} {
		if got := Slug(title); got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
	}
}
