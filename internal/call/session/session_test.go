package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type device struct {
	driver.Device
	id string
}

func (d device) Info() driver.Info {
	return driver.Info{ID: d.id, Platform: driver.WebPlatform, Driver: "PLAYWRIGHT_NATIVE", Width: 1280, Height: 800, Version: "Chrome/1"}
}

func open(t *testing.T, o session.Options) *session.Session {
	t.Helper()
	s, err := session.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(event.Canceled) })
	return s
}

func TestLifeOfASession(t *testing.T) {
	root := t.TempDir()
	mem := memory.New()
	mem.SetSecret("pw", "hunter2-horse")
	s := open(t, session.Options{Root: root, Title: "Buy hunter2-horse", Device: device{id: "web"}, Memory: mem,
		Labels: map[string]string{"job": "7"}, Version: "1.0"})
	if s.Step() != event.NoStep {
		t.Errorf("step %d before any", s.Step())
	}
	s.SetStep(2)
	if s.Step() != 2 || s.Closed() {
		t.Errorf("step %d, closed %v", s.Step(), s.Closed())
	}
	if err := s.CloseWith(event.Failed, fault.New(fault.Assertion, "check", "no hunter2-horse")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(event.Passed); err != nil { // the first terminal status wins
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, s.ID, event.File))
	if err != nil || strings.Contains(string(data), "hunter2") {
		t.Errorf("log %s, %v: want no secret", data, err)
	}
	list, err := session.List(root)
	if err != nil || len(list) != 1 {
		t.Fatalf("list %v, %v", list, err)
	}
	got := list[0]
	if got.ID != s.ID || got.Outcome != event.Failed || got.Running || got.Browser != "Chrome/1" || got.Width != 1280 ||
		got.Labels["job"] != "7" || got.Error.Kind != "assertion" {
		t.Errorf("summary %+v", got)
	}
}

func TestNewIDForm(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 5, 9, 0, time.UTC)
	for _, tc := range []struct{ name, seed, want string }{
		{"plain", "checkout", "2026_11_21_08_05_09_checkout_"},
		{"path", "../../etc/passwd", "2026_11_21_08_05_09_etc_passwd_"},
		{"words", "Buy a book — now!", "2026_11_21_08_05_09_Buy_a_book_now_"},
		{"nothing usable", "日本語", "2026_11_21_08_05_09_session_"},
		{"long", strings.Repeat("x", 500), "2026_11_21_08_05_09_" + strings.Repeat("x", 80) + "_"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			id := session.NewID(now, tc.seed)
			rest, ok := strings.CutPrefix(id, tc.want)
			if !ok || len(rest) > 4 || strings.Trim(rest, "0123456789") != "" || !session.ValidID(id) {
				t.Errorf("NewID(%q) = %q, want %s<number>", tc.seed, id, tc.want)
			}
		})
	}
}

func FuzzNewID(f *testing.F) {
	f.Add("../x")
	f.Add("a\x00b")
	f.Fuzz(func(t *testing.T, seed string) {
		if id := session.NewID(time.Unix(0, 0), seed); !session.ValidID(id) || filepath.Base(id) != id {
			t.Errorf("NewID(%q) = %q, which is not a safe name", seed, id)
		}
	})
}

func TestOpenRefusesIDsThatLeadElsewhere(t *testing.T) {
	for _, id := range []string{"..", "../x", "a/b", ".hidden", "a..b", `a\b`, "-x"} {
		if _, err := session.Open(t.Context(), session.Options{Root: t.TempDir(), ID: id}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("Open(%q): %v", id, err)
		}
	}
}

func TestActWaitsForTheOtherAction(t *testing.T) {
	s := open(t, session.Options{})
	lock, err := s.Act(t.Context(), "web_click")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Act(ctx, "web_type"); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "web_click") {
		t.Errorf("err %v: want it cancelled, naming who acts", err)
	}
	lock.Release()
	if lock, err = s.Act(t.Context(), "web_type"); err != nil {
		t.Fatal(err)
	}
	lock.Release()
}

func TestFindAndDelete(t *testing.T) {
	root := t.TempDir()
	for _, id := range []string{"2026_a_1", "2026_a_10", "2026_b_2"} {
		s := open(t, session.Options{Root: root, ID: id})
		if err := s.Close(event.Passed); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "stray.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, prefix, want string
		kind               fault.Kind
	}{
		{"exact wins over longer", "2026_a_1", "2026_a_1", ""},
		{"unique beginning", "2026_b", "2026_b_2", ""},
		{"ambiguous", "2026_a", "", fault.Conflict},
		{"none", "2027", "", fault.NotFound},
		{"empty", "", "", fault.NotFound},
		{"newest", "last", "2026_b_2", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := session.Find(root, tc.prefix)
			if got != tc.want || fault.KindOf(err) != tc.kind {
				t.Errorf("Find(%q) = %q, %v", tc.prefix, got, err)
			}
		})
	}
	if err := session.Delete(root, "2026_a_1"); err != nil {
		t.Fatal(err)
	}
	if list, _ := session.List(root); len(list) != 2 {
		t.Errorf("%d left, want 2", len(list))
	}
	if list, err := session.List(filepath.Join(root, "nowhere")); err != nil || list != nil {
		t.Errorf("missing root: %v, %v", list, err)
	}
}

func TestDeleteStaysInside(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "sessions")
	victim := filepath.Join(base, "victim")
	for _, d := range []string{root, victim} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	_ = os.Symlink(victim, filepath.Join(root, "link"))
	for _, id := range []string{"../victim", "..", ".", "", "link", "/etc"} {
		if err := session.Delete(root, id); err == nil {
			t.Errorf("Delete(%q) did not fail", id)
		}
	}
	if _, err := os.Stat(victim); err != nil {
		t.Errorf("the victim is gone: %v", err)
	}
	s := open(t, session.Options{Root: root, ID: "busy"})
	if err := session.Delete(root, "busy"); fault.KindOf(err) != fault.Busy {
		t.Errorf("a session being written: %v", err)
	}
	_ = s.Close(event.Passed)
	if err := session.Delete(root, "busy"); err != nil {
		t.Error(err)
	}
}
