package event_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/redact"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// childVar makes this test binary the process that is killed.
const childVar = "TRAILBLAZE_TEST_APPEND_TO"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVar); dir != "" {
		os.Exit(appendUntilKilled(dir))
	}
	os.Exit(m.Run())
}

// appendUntilKilled acknowledges every event on its standard output once Append has returned.
func appendUntilKilled(dir string) int {
	log, err := event.Create(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for i := 0; ; i++ {
		e, err := log.Append(call(fmt.Sprintf("tool_%d", i), strings.Repeat("x", i%5000)))
		if err != nil {
			return 1
		}
		if _, err := fmt.Fprintln(os.Stdout, e.Seq); err != nil {
			return 1
		}
	}
}

func call(name, text string) event.Event {
	return event.Event{Type: event.ToolCall, Call: &event.Call{ID: "i", Name: name, Text: text, Args: json.RawMessage(`{"a":1}`), Step: event.NoStep}}
}

func create(t *testing.T, dir string) *event.Log {
	t.Helper()
	log, err := event.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	return log
}

func add(t *testing.T, log *event.Log, e event.Event) event.Event {
	t.Helper()
	kept, err := log.Append(e)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func read(t *testing.T, dir string) []event.Event {
	t.Helper()
	var out []event.Event
	for e, err := range event.Read(dir) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// What Append acknowledged survives kill -9 at any moment, and the next process goes on after it.
func TestKillLosesNothingAcknowledged(t *testing.T) {
	dir := t.TempDir()
	var last uint64
	for round := range 3 {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), childVar+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; n < 300+100*round && lines.Scan(); n++ {
			if _, err := fmt.Sscan(lines.Text(), &last); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // what was acknowledged before the kill took effect counts too
			if _, err := fmt.Sscan(lines.Text(), &last); err != nil {
				break
			}
		}
		_ = cmd.Wait()
		var seq uint64
		for _, e := range read(t, dir) {
			if e.Type != event.ToolCall || e.Seq != seq+1 {
				t.Fatalf("round %d: event %d has type %s after %d", round, e.Seq, e.Type, seq)
			}
			seq = e.Seq
		}
		if seq < last || last == 0 {
			t.Fatalf("round %d: %d events on disk, %d acknowledged", round, seq, last)
		}
	}
}

// A log goes on where it stopped: numbering continues, a torn last line is cut off.
func TestReopenRepairsAndContinues(t *testing.T) {
	for _, tc := range []struct {
		name, tail string
		want       int // events read while the tail is there
	}{
		{"clean", "", 2},
		{"torn", `{"seq":3,"time":"2026-01-0`, 2},
		{"whole but without its end", `{"seq":3,"time":"2026-01-01T00:00:00Z","type":"note","note":{"level":"info","text":"x"}}`, 2},
		{"garbage line", "\x00\xffnot json\n", 3},
		{"empty line", "\n", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			log := create(t, dir)
			add(t, log, call("a", ""))
			add(t, log, call("b", ""))
			if err := log.Close(); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(filepath.Join(dir, event.File), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString(tc.tail); err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
			if got := len(read(t, dir)); got != tc.want {
				t.Errorf("read %d events, want %d", got, tc.want)
			}
			log = create(t, dir)
			if e := add(t, log, call("c", "")); e.Seq != 3 {
				t.Errorf("next event is %d, want 3", e.Seq)
			}
			events := read(t, dir)
			if last := events[len(events)-1]; last.Call == nil || last.Call.Name != "c" {
				t.Errorf("last event %+v, want c whole", last)
			}
		})
	}
}

func TestOneWriterPerDirectory(t *testing.T) {
	dir := t.TempDir()
	log := create(t, dir)
	if _, err := event.Create(dir); fault.KindOf(err) != fault.Busy {
		t.Errorf("second writer: %v, want a conflict", err)
	}
	if err := event.Free(dir); fault.KindOf(err) != fault.Busy {
		t.Errorf("Free while it is written: %v", err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := event.Free(dir); err != nil {
		t.Errorf("Free after: %v", err)
	}
	create(t, dir)
}

// R181, R266, R267: a process that never saw a tool, or an event type, reads name and raw arguments back and writes the
// line as it was.
func TestR181UnknownThingsRoundTrip(t *testing.T) {
	dir := t.TempDir()
	log := create(t, dir)
	args := json.RawMessage(`{"z":1.50,"a":[null,{"deep":"x"}]}`)
	add(t, log, event.Event{Type: event.ToolCall, Call: &event.Call{ID: "1", Name: "acme_neverSeen", Args: args,
		Recorded: &tool.Call{Name: "acme_neverSeen", Args: args}}})
	future := `{"seq":2,"time":"2027-01-01T00:00:00Z","type":"hologram","hologram":{"depth":3}}`
	add(t, log, event.Event{Type: "hologram", Unknown: json.RawMessage(future)})
	events := read(t, dir)
	if len(events) != 2 || events[0].Call.Name != "acme_neverSeen" || string(events[0].Call.Args) != string(args) ||
		string(events[0].Call.Recorded.Args) != string(args) {
		t.Fatalf("events %+v", events)
	}
	if events[1].Type != "hologram" || string(events[1].Unknown) != future {
		t.Fatalf("unknown type came back as %+v", events[1])
	}
	line, err := events[1].Line()
	if err != nil || string(line) != future+"\n" {
		t.Errorf("written again: %s, %v", line, err)
	}
}

func TestEventRoundTrip(t *testing.T) {
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	index := 2
	for _, e := range []event.Event{
		{Type: event.SessionStarted, Session: &event.Session{ID: "s", Labels: map[string]string{"job": "7"}, Width: 1280}},
		{Type: event.StepEnded, Step: &event.Step{Index: 1, Kind: "verify", Text: "<b>&", Outcome: event.Failed,
			Error: &fault.Failure{Kind: "assertion", Message: "m", Candidates: []string{"a"}}}},
		{Type: event.ToolCall, Call: &event.Call{ID: "1", Evidence: &tool.Evidence{Target: &identity.Fingerprint{Role: "button"},
			Selector: &screen.Selector{Index: &index}}, Step: event.NoStep}},
		{Type: event.Snapshot, Screen: &event.Screen{Blob: "b", Marks: json.RawMessage(`[{"x":1}]`)}},
		{Type: event.Note, Note: &event.NoteText{Level: "info", Text: "n"}},
	} {
		t.Run(string(e.Type), func(t *testing.T) {
			dir := t.TempDir()
			e.Time = at
			want := add(t, create(t, dir), e)
			if d := cmp.Diff([]event.Event{want}, read(t, dir)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestBlobs(t *testing.T) {
	for _, where := range []string{"disk", "memory"} {
		t.Run(where, func(t *testing.T) {
			dir := ""
			if where == "disk" {
				dir = t.TempDir()
			}
			log := create(t, dir)
			var wg sync.WaitGroup
			names := make([]string, 8)
			for i := range names {
				wg.Go(func() { names[i], _ = log.PutBlob([]byte("same"), "text/plain") })
			}
			wg.Wait()
			for _, n := range names {
				if n != names[0] || !event.ValidBlob(n) {
					t.Fatalf("names %v: want one name for one content", names)
				}
			}
			data, err := log.Blob(names[0])
			if err != nil || string(data) != "same" {
				t.Fatalf("read back %q, %v", data, err)
			}
			if _, err := log.Blob(strings.Repeat("0", 64)); fault.KindOf(err) != fault.NotFound {
				t.Errorf("missing blob: %v", err)
			}
			if dir == "" {
				return
			}
			files, _ := os.ReadDir(filepath.Join(dir, event.BlobDir))
			if len(files) != 1 {
				t.Errorf("%d files, want 1 and no temporary ones", len(files))
			}
			if err := os.WriteFile(filepath.Join(dir, event.BlobDir, names[0]), []byte("forged"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := log.Blob(names[0]); fault.KindOf(err) != fault.Degraded {
				t.Errorf("damaged blob: %v", err)
			}
		})
	}
}

// Blob names come from files that may come from anywhere: nothing but a hash is ever opened.
func TestBlobNamesAreConfined(t *testing.T) {
	dir := t.TempDir()
	log := create(t, dir)
	for _, name := range []string{"", "..", "../events.ndjson", "/etc/passwd", strings.Repeat("A", 64), strings.Repeat("0", 63), strings.Repeat("0", 63) + "/"} {
		if _, err := event.ReadBlob(dir, name); fault.KindOf(err) != fault.Invalid {
			t.Errorf("ReadBlob(%q): %v, want it refused", name, err)
		}
	}
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	name := strings.Repeat("a", 64)
	if err := os.Symlink(outside, filepath.Join(dir, event.BlobDir, name)); err != nil {
		t.Skip("no symbolic links here")
	}
	if _, err := log.Blob(name); err == nil {
		t.Error("a link out of the directory was followed")
	}
}

func TestInMemoryAndNil(t *testing.T) {
	log := create(t, "")
	add(t, log, call("a", ""))
	if e := add(t, log, call("b", "")); e.Seq != 2 {
		t.Errorf("seq %d", e.Seq)
	}
	events, err := log.Events()
	if err != nil || len(events) != 2 {
		t.Errorf("events %v, %v", events, err)
	}
	var none *event.Log
	if _, err := none.Append(call("a", "")); err != nil {
		t.Error(err)
	}
	if _, err := none.PutBlob([]byte("x"), ""); err != nil {
		t.Error(err)
	}
	if err := errors.Join(none.Close(), log.Close(), log.Close()); err != nil {
		t.Error(err)
	}
	if _, err := log.Append(call("late", "")); fault.KindOf(err) != fault.Conflict {
		t.Errorf("append after close: %v", err)
	}
}

// masker is a secret and what stands in its place.
type masker struct{ secret, instead string }

func (m masker) Mask(s string) string { return strings.ReplaceAll(s, m.secret, m.instead) }

func (m masker) MaskJSON(raw json.RawMessage) json.RawMessage {
	return json.RawMessage(m.Mask(string(raw)))
}

// Every text of every event goes through the mask, whoever appends it.
func TestMaskCoversEveryEvent(t *testing.T) {
	dir := t.TempDir()
	log := create(t, dir)
	log.SetMask(func(e event.Event) event.Event { return redact.Event(masker{"hunter2", "•"}, e) })
	s, raw := "the hunter2", json.RawMessage(`{"k":"hunter2"}`)
	fail := &fault.Failure{Kind: "internal", Message: s, Hint: s, Looked: s, Candidates: []string{s}, SinceGreen: []string{s}, Log: []string{s}}
	for _, e := range []event.Event{
		{Type: event.SessionStarted, Session: &event.Session{ID: "x", Title: s, Labels: map[string]string{"a": s}, Error: fail}},
		{Type: event.TrailEnded, Trail: &event.Trail{Title: s, Reason: s, Error: fail}},
		{Type: event.StepEnded, Step: &event.Step{Text: s, Error: fail}},
		{Type: event.ToolCall, Call: &event.Call{Args: raw, Authored: raw, Value: raw, Text: s, Error: fail,
			Recorded: &tool.Call{Name: "a", Args: raw}, Evidence: &tool.Evidence{Checked: s}}},
		{Type: event.Snapshot, Screen: &event.Screen{Name: s}},
		{Type: event.Note, Note: &event.NoteText{Text: s}},
	} {
		add(t, log, e)
	}
	data, err := os.ReadFile(filepath.Join(dir, event.File))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "hunter2") || strings.Count(string(data), "•") < 30 {
		t.Errorf("log has a secret, or too little: %s", data)
	}
}

func TestObserve(t *testing.T) {
	log := create(t, "")
	var seen []uint64
	cancel := log.Observe(func(e event.Event) { seen = append(seen, e.Seq) })
	add(t, log, call("a", ""))
	add(t, log, call("b", ""))
	cancel()
	add(t, log, call("c", ""))
	if d := cmp.Diff([]uint64{1, 2}, seen); d != "" {
		t.Error(d)
	}
}

func TestEnds(t *testing.T) {
	big := strings.Repeat("x", 100_000)
	for _, tc := range []struct {
		name        string
		texts       []string
		tail        string
		first, last uint64
	}{
		{"one", []string{"a"}, "", 1, 0},
		{"two", []string{"a", "b"}, "", 1, 2},
		{"torn", []string{"a", "b", "c"}, `{"seq":4,"ty`, 1, 3},
		{"large events before the last", []string{big, big, "c"}, "", 1, 3},
		{"large last event", []string{"a", big}, "", 1, 0},
		{"empty", nil, "", 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			log := create(t, dir)
			for _, text := range tc.texts {
				add(t, log, call("x", text))
			}
			_ = log.Close()
			f, err := os.OpenFile(filepath.Join(dir, event.File), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString(tc.tail); err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
			first, last, err := event.Ends(dir)
			if err != nil || first.Seq != tc.first || last.Seq != tc.last {
				t.Errorf("Ends = %d, %d, %v; want %d, %d", first.Seq, last.Seq, err, tc.first, tc.last)
			}
		})
	}
}

func TestReadMissing(t *testing.T) {
	for _, err := range event.Read(t.TempDir()) {
		if fault.KindOf(err) != fault.NotFound {
			t.Errorf("err %v", err)
		}
		return
	}
	t.Error("no error")
}

func TestOutcomeOf(t *testing.T) {
	for kind, want := range map[fault.Kind]event.Outcome{
		fault.Assertion: event.Failed, fault.NotFound: event.Failed, fault.NotActed: event.Failed,
		fault.Timeout: event.Broken, fault.Unavailable: event.Broken, fault.Invalid: event.Broken,
		fault.Canceled: event.Canceled, fault.Degraded: event.Undecided,
	} {
		if got := event.OutcomeOf(fault.New(kind, "", "x")); got != want {
			t.Errorf("%s: got %s, want %s", kind, got, want)
		}
	}
	if got := event.OutcomeOf(nil); got != event.Passed {
		t.Errorf("nil: %s", got)
	}
}

// FuzzRead: whatever is in the file, reading ends, never fails, and what it gives can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"seq":1,"time":"2026-01-01T00:00:00Z","type":"note","note":{"level":"info","text":"x"}}` + "\n"))
	f.Add([]byte("{\"seq\":2,\"type\":\"later\"}\n{\"torn"))
	f.Add([]byte("\n\n\x00\n[]\nnull\n{}\n{\"seq\":-1}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var again strings.Builder
		n := 0
		for e, err := range event.Decode(strings.NewReader(string(data))) {
			if err != nil {
				t.Fatalf("decode: %v", err)
			}
			n++
			line, err := e.Line()
			if err != nil {
				t.Fatalf("encode %+v: %v", e, err)
			}
			again.Write(line)
		}
		m := 0
		for range event.Decode(strings.NewReader(again.String())) {
			m++
		}
		if m != n {
			t.Fatalf("%d events became %d", n, m)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, event.File), data, 0o600); err != nil {
			t.Fatal(err)
		}
		log, err := event.Create(dir)
		if err != nil {
			t.Fatalf("open: %v", err)
		}
		defer func() { _ = log.Close() }()
		if _, err := log.Append(event.Event{Type: event.Note, Note: &event.NoteText{Text: "after"}}); err != nil {
			t.Fatal(err)
		}
		var last event.Event
		for e, err := range event.Read(dir) {
			if err != nil {
				t.Fatal(err)
			}
			last = e
		}
		if last.Note == nil || last.Note.Text != "after" {
			t.Fatalf("last event is %+v", last)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	for _, dir := range []string{"", b.TempDir()} {
		b.Run(map[bool]string{true: "memory", false: "disk"}[dir == ""], func(b *testing.B) {
			log, err := event.Create(dir)
			if err != nil {
				b.Fatal(err)
			}
			e := call("web_click", "Clicked button \"Save\"")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := log.Append(e); err != nil {
					b.Fatal(err)
				}
			}
			_ = log.Close()
		})
	}
}

func BenchmarkRead10k(b *testing.B) {
	dir := b.TempDir()
	log, err := event.Create(dir)
	if err != nil {
		b.Fatal(err)
	}
	for i := range 10_000 {
		if _, err := log.Append(call(fmt.Sprint("tool_", i), "text")); err != nil {
			b.Fatal(err)
		}
	}
	_ = log.Close()
	for b.Loop() {
		n := 0
		for range event.Read(dir) {
			n++
		}
		if n != 10_000 {
			b.Fatal(n)
		}
	}
}
