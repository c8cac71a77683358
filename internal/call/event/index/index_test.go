package index_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/event/index"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// childVar makes this test binary a second process on the same index.
const childVar = "TRAILBLAZE_TEST_INDEX"

func TestMain(m *testing.M) {
	if root := os.Getenv(childVar); root != "" {
		os.Exit(syncOnce(root))
	}
	goleak.VerifyTestMain(m)
}

func syncOnce(root string) int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	x, err := index.Open(ctx, root)
	if err == nil {
		err = x.Sync(ctx)
	}
	if err != nil {
		_, _ = os.Stderr.WriteString(err.Error())
		return 1
	}
	_ = x.Close()
	return 0
}

var start = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// write keeps a session in which trail "shop/buy.trail.yaml" was played; step 1 ends as told.
func write(t *testing.T, root, id string, at time.Time, step1 event.Outcome, text string) (blob string) {
	t.Helper()
	log, err := event.Create(filepath.Join(root, id))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	snap, err := json.Marshal(&screen.Snapshot{Title: id, Root: &screen.Node{ID: 1, Role: "document"}})
	if err != nil {
		t.Fatal(err)
	}
	blob, err = log.PutBlob(snap, "application/json")
	if err != nil {
		t.Fatal(err)
	}
	var fail *fault.Failure
	why := "last green"
	if step1 != event.Passed {
		fail = &fault.Failure{Kind: "assertion", Message: "no button Pay"}
		why = "failure"
	}
	for i, e := range []event.Event{
		{Type: event.SessionStarted, Session: &event.Session{ID: id, Title: "Buy", Device: "web", Platform: "web"}},
		{Type: event.TrailStarted, Trail: &event.Trail{Path: "shop/buy.trail.yaml", File: "/a/shop/buy.trail.yaml", ID: "shop/buy", Title: "Buy a book", Attempt: 1}},
		{Type: event.StepEnded, Step: &event.Step{Index: 0, Kind: "step", Text: "open", Outcome: event.Passed}},
		{Type: event.ToolCall, Call: &event.Call{ID: "c1", Name: "web_click", Text: text, Step: 1, IsError: fail != nil, Error: fail}},
		{Type: event.StepEnded, Step: &event.Step{Index: 1, Kind: "verify", Text: "pay", Outcome: step1, Error: fail}},
		{Type: event.Snapshot, Screen: &event.Screen{Blob: blob, Step: 1, Why: why}}, // stored late, after its step ended
		{Type: event.TrailEnded, Trail: &event.Trail{Path: "shop/buy.trail.yaml", Outcome: step1, Error: fail}},
		{Type: event.SessionEnded, Session: &event.Session{ID: id, Outcome: step1, Error: fail, Duration: time.Second}},
	} {
		e.Time = at.Add(time.Duration(i) * time.Second)
		if _, err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	return blob
}

func openIndex(t *testing.T, root string) *index.Index {
	t.Helper()
	x, err := index.Open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func synced(t *testing.T, root string) *index.Index {
	t.Helper()
	x := openIndex(t, root)
	if err := x.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	return x
}

func list(t *testing.T, x *index.Index, f index.Filter) []string {
	t.Helper()
	rows, err := x.Sessions(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestSessionsAndFilters(t *testing.T) {
	root := t.TempDir()
	write(t, root, "s1", start, event.Passed, "clicked the crimson button")
	write(t, root, "s2", start.Add(time.Hour), event.Failed, `quoted "text" AND more`)
	x := synced(t, root)
	for _, tc := range []struct {
		name string
		f    index.Filter
		want []string
	}{
		{"all, newest first", index.Filter{}, []string{"s2", "s1"}},
		{"outcome", index.Filter{Outcome: event.Failed}, []string{"s2"}},
		{"trail path", index.Filter{Trail: "shop/buy.trail.yaml"}, []string{"s2", "s1"}},
		{"trail id", index.Filter{Trail: "shop/buy"}, []string{"s2", "s1"}},
		{"other trail", index.Filter{Trail: "shop/sell"}, []string{}},
		{"since", index.Filter{Since: start.Add(time.Minute)}, []string{"s2"}},
		{"text of a result", index.Filter{Text: "crimson"}, []string{"s1"}},
		{"words in different places", index.Filter{Text: "crimson book"}, []string{"s1"}},
		{"text of a failure", index.Filter{Text: "no button Pay"}, []string{"s2"}},
		{"text that looks like a query", index.Filter{Text: `"text" AND (x`}, []string{}},
		{"device", index.Filter{Device: "phone"}, []string{}},
		{"limit", index.Filter{Limit: 1}, []string{"s2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, list(t, x, tc.f)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestHistoryAndLastGreen(t *testing.T) {
	root := t.TempDir()
	write(t, root, "s1", start, event.Passed, "")
	green := write(t, root, "s2", start.Add(time.Hour), event.Passed, "")
	write(t, root, "s3", start.Add(2*time.Hour), event.Failed, "")
	x := synced(t, root)
	runs, err := x.History(t.Context(), "shop/buy.trail.yaml", 1)
	if err != nil || len(runs) != 3 || runs[0].Session != "s3" || runs[0].Outcome != event.Failed || runs[0].Message != "no button Pay" {
		t.Errorf("history %+v, %v", runs, err)
	}
	last := func(file string, step int) []*screen.Snapshot {
		return index.Baselines{Index: x}.Baselines(file, step, step, 1)
	}
	const file = "/a/shop/buy.trail.yaml"
	got, err := x.Baseline(t.Context(), file, 1, 1, 1)
	if err != nil || len(got) != 1 || got[0] != (index.Stored{Dir: filepath.Join(root, "s2"), Blob: green}) {
		t.Errorf("Baseline = %v, %v", got, err)
	}
	if snaps := last(file, 1); len(snaps) != 1 || snaps[0].Title != "s2" {
		t.Errorf("snapshots %+v", snaps)
	}
	for _, other := range []string{"/b/shop/buy.trail.yaml", "shop/buy.trail.yaml", "shop/buy"} { // a copy has the same id
		if got := last(other, 1); len(got) > 0 {
			t.Errorf("%s, which was never played, has green runs: %v", other, got)
		}
	}
	// All green runs are there, the newest first.
	if all := (index.Baselines{Index: x}).Baselines(file, 1, 1, 5); len(all) != 2 || all[1].Title != "s1" {
		t.Errorf("history %+v", all)
	}
	// A run that failed at the step after it is none: what that step acts on had changed then.
	if all := (index.Baselines{Index: x}).Baselines(file, 1, 2, 5); len(all) > 0 {
		t.Errorf("screens of step 1 of runs in which step 2 never passed: %+v", all)
	}
	for _, step := range []int{0, 7} {
		if got := last(file, step); len(got) > 0 {
			t.Errorf("step %d: %v", step, got)
		}
	}
	if got := last("", 1); len(got) > 0 {
		t.Error("an empty key found something")
	}
	if err := os.Remove(filepath.Join(root, "s2", event.BlobDir, green)); err != nil {
		t.Fatal(err)
	}
	if got := last("shop/buy", 1); len(got) > 0 {
		t.Error("a missing blob gave a screen")
	}
}

// Sync reads what changed, once, and forgets what is gone.
func TestSyncIsIncremental(t *testing.T) {
	root := t.TempDir()
	write(t, root, "s1", start, event.Passed, "alpha")
	x := synced(t, root)
	log, err := event.Create(filepath.Join(root, "s1"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append(event.Event{Type: event.Note, Note: &event.NoteText{Level: "info", Text: "omega"}}); err != nil {
		t.Fatal(err)
	}
	_ = log.Close()
	if got := list(t, x, index.Filter{Text: "omega"}); len(got) != 0 {
		t.Errorf("found %v before sync", got)
	}
	for range 2 {
		if err := x.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := list(t, x, index.Filter{Text: "omega alpha"}); len(got) != 1 {
			t.Errorf("after sync: %v", got)
		}
	}
	if err := os.RemoveAll(filepath.Join(root, "s1")); err != nil {
		t.Fatal(err)
	}
	if err := x.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := list(t, x, index.Filter{}); len(got) != 0 {
		t.Errorf("gone session still listed: %v", got)
	}
	if got := list(t, x, index.Filter{Text: "alpha"}); len(got) != 0 {
		t.Errorf("gone session still found: %v", got)
	}
}

// The index is a cache: whatever state its file is in, it is made anew from the events.
func TestDamagedIndexIsRebuilt(t *testing.T) {
	for _, tc := range []struct {
		name   string
		damage func(data []byte) []byte
	}{
		{"not a database", func([]byte) []byte { return []byte("this is not a database, it only looks like a file") }},
		{"cut short", func(d []byte) []byte { return d[:len(d)/2] }},
		{"overwritten in the middle", func(d []byte) []byte {
			for i := 4096; i < len(d); i++ {
				d[i] = 0x5a
			}
			return d
		}},
		{"empty", func([]byte) []byte { return nil }},
		{"other version", func(d []byte) []byte {
			d[63] = 99 // the user_version of the file format
			return d
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "s1", start, event.Passed, "alpha")
			if err := synced(t, root).Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(root, index.File)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, suffix := range []string{"-wal", "-shm"} {
				_ = os.Remove(path + suffix)
			}
			if err := os.WriteFile(path, tc.damage(data), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := list(t, synced(t, root), index.Filter{Text: "alpha"}); len(got) != 1 {
				t.Errorf("after the damage: %v", got)
			}
		})
	}
}

// Several processes and goroutines may open, build and sync one index at once.
func TestConcurrentProcesses(t *testing.T) {
	root := t.TempDir()
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		write(t, root, id, start, event.Passed, id)
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), childVar+"="+root)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("child: %v: %s", err, out)
			}
		})
		wg.Go(func() { synced(t, root) })
	}
	wg.Wait()
	x := synced(t, root)
	if got := list(t, x, index.Filter{}); strings.Join(got, "") != "edcba" {
		t.Errorf("sessions %v", got)
	}
	for _, id := range []string{"a", "e"} {
		if runs, err := x.History(t.Context(), "shop/buy", 1); err != nil || len(runs) != 5 {
			t.Errorf("%s: %d runs, %v", id, len(runs), err)
		}
	}
}

func BenchmarkSyncUnchanged(b *testing.B) {
	root := b.TempDir()
	for i := range 100 {
		log, err := event.Create(filepath.Join(root, "s"+string(rune('a'+i%26))+string(rune('a'+i/26))))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := log.Append(event.Event{Type: event.SessionStarted, Session: &event.Session{ID: "x"}}); err != nil {
			b.Fatal(err)
		}
		_ = log.Close()
	}
	x, err := index.Open(b.Context(), root)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	for b.Loop() {
		if err := x.Sync(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
