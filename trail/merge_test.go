package trail

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/trailblaze-dev/trailblaze/tool"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// R12, upstream's merge rules: each golden is a file with comments, what was recorded, and the bytes that come out.
func TestMergeGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			part := map[string][]byte{}
			for _, f := range ar.Files {
				part[f.Name] = f.Data
			}
			rec, problems := Parse("recorded.yaml", part["recorded.yaml"], Strict)
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			old := part["existing.yaml"]
			if strings.Contains(file, "crlf") {
				old = []byte(strings.ReplaceAll(string(old), "\n", "\r\n"))
			}
			if strings.Contains(file, "no-newline") {
				old = []byte(strings.TrimSuffix(string(old), "\n"))
			}
			got, notes, err := Merge(old, rec, "web")
			if err != nil {
				t.Fatal(err)
			}
			text := string(got)
			if strings.Contains(file, "crlf") {
				if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
					t.Errorf("line ends are mixed: %q", text)
				}
				text = strings.ReplaceAll(text, "\r\n", "\n")
			}
			remarks := strings.Join(append(notes, ""), "\n")
			if *update {
				ar.Files = ar.Files[:0]
				ar.Files = append(ar.Files, []txtar.File{
					{Name: "existing.yaml", Data: part["existing.yaml"]}, {Name: "recorded.yaml", Data: part["recorded.yaml"]},
					{Name: "want.yaml", Data: []byte(text)}, {Name: "notes", Data: []byte(remarks)},
				}...)
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(part["want.yaml"]), text); diff != "" {
				t.Errorf("merged file (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(string(part["notes"]), remarks); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			again, _, err := Merge(got, rec, "web")
			if err != nil || string(again) != string(got) {
				t.Errorf("merging the same again changes the file: %v\n%s", err, cmp.Diff(string(got), string(again)))
			}
		})
	}
}

// commented sprinkles comment lines over a file as Encode writes it, wherever a comment may stand.
func commented(t *rapid.T, data []byte) string {
	src, _ := newSource("", data)
	var b strings.Builder
	block := -1
	for i, line := range src.lines[:len(src.lines)-1] {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if line != "" && indent <= block {
			block = -1
		}
		if block < 0 && line != "" && rapid.IntRange(0, 3).Draw(t, "comment") == 0 {
			b.WriteString(strings.Repeat(" ", indent) + "# comment " + strconv.Itoa(i) + "\n")
		}
		b.WriteString(line + "\n")
		if block < 0 && (strings.HasSuffix(line, " |") || strings.HasSuffix(line, " |-")) {
			block = indent
			if strings.HasPrefix(strings.TrimSpace(line), "- ") {
				block = indent + 1
			}
		}
	}
	return b.String()
}

// commentsOf are the test's own comments in a file.
func commentsOf(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "# comment ") {
			out = append(out, line)
		}
	}
	return out
}

// Whatever is merged: the result says what the merge rules say, no comment is lost or changes its order, and
// merging again changes nothing.
func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain, err := Encode(genTrail().Draw(t, "existing"))
		if err != nil {
			t.Fatal(err)
		}
		existing := commented(t, plain)
		rec := genTrail().Draw(t, "recorded")
		old, problems := Parse("", []byte(existing), Strict)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		want, _ := mergeTrails(old, rec, "web")
		out, notes, err := Merge([]byte(existing), rec, "web")
		if err != nil {
			t.Fatalf("Merge: %v\n%s", err, existing)
		}
		got, problems := Parse("", out, Strict)
		if err := problems.Err(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if !sameMeaning(got, want) {
			t.Fatalf("merged (-want +got):\n%s\n%s", cmp.Diff(want, got, sameTrail), out)
		}
		if strings.Contains(strings.Join(notes, "\n"), "written anew") {
			t.Fatalf("not edited in place:\n%s\n--- became\n%s", existing, out)
		}
		if diff := cmp.Diff(commentsOf(existing), commentsOf(string(out))); diff != "" {
			t.Fatalf("comments (-want +got):\n%s\n%s\n--- became\n%s", diff, existing, out)
		}
		again, _, err := Merge(out, rec, "web")
		if err != nil || string(again) != string(out) {
			t.Fatalf("merging again: %v\n%s", err, cmp.Diff(string(out), string(again)))
		}
		same, _, err := Merge([]byte(existing), old, "ios-none")
		if err != nil || string(same) != existing {
			t.Fatalf("merging nothing: %v\n%s", err, cmp.Diff(existing, string(same)))
		}
	})
}

// TestMergeCallWithoutArguments: a call whose arguments were null is saved like one that has none.
func TestMergeCallWithoutArguments(t *testing.T) {
	for _, args := range []string{"", "null", "{}"} {
		rec := &Trail{Format: Unified, Steps: []Step{{Kind: ActionStep, Text: "Close the tab", Recordable: true,
			Recordings: map[string][]Recorded{"web": {{Call: tool.Call{Name: "web_closeTab", Args: json.RawMessage(args)}}}}}}}
		for _, existing := range []string{"config: {id: y, title: Y}\n",
			"config: {id: x, title: X}\ntrail:\n  - step: Open the page\n    recording: {web: [{web_navigate: {url: \"/\"}}]}\n"} {
			if out, _, err := Merge([]byte(existing), rec, "web"); err != nil || !strings.Contains(string(out), "web_closeTab") {
				t.Errorf("arguments %q into %q: %v\n%s", args, existing, err, out)
			}
		}
	}
}

// What a recording says of itself comes into the metadata of a file, in the place of what it said before; the rest of the
// file stays.
func TestMergeMetadata(t *testing.T) {
	const head = "config:\n  id: buy # why\n"
	const rest = "trail:\n  - step: Buy\n    recording:\n      web:\n        - a: {}\n"
	recorded := &Trail{Format: Unified, Config: Config{Metadata: map[string]string{"blazed: Buy": "lab/new; the judge says holds"}},
		Steps: []Step{{Kind: ActionStep, Text: "Buy", Recordable: true, Recordings: map[string][]Recorded{"web": {{Call: tool.Call{Name: "a"}}}}}}}
	const now = "    \"blazed: Buy\": lab/new; the judge says holds\n"
	for was, want := range map[string]string{
		head + rest: head + "  metadata:\n" + now + rest,
		head + "  metadata:\n    caseId: C1 # ours\n    \"blazed: Buy\": lab/old\n    owner: kim\n" + rest: head +
			"  metadata:\n    caseId: C1 # ours\n" + now + "    owner: kim\n" + rest,
	} {
		got, _, err := Merge([]byte(was), recorded, "web")
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		again, _, err := Merge(got, recorded, "web")
		if err != nil || string(again) != string(got) {
			t.Errorf("again: %v\n%s", err, again)
		}
	}
}
