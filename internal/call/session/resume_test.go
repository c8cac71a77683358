package session_test

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
)

func note(text string) event.Event {
	return event.Event{Type: event.Note, Note: &event.NoteText{Level: "info", Text: text}}
}

func TestResumeGoesOnWhereItStopped(t *testing.T) {
	root := t.TempDir()
	first := open(t, session.Options{Root: root, ID: "s", Title: "Shop", Labels: map[string]string{"a": "b"}, Device: device{id: "web"}})
	if _, err := first.Log.Append(note("one")); err != nil {
		t.Fatal(err)
	}
	if err := first.Leave(); err != nil {
		t.Fatal(err)
	}
	if !first.Closed() {
		t.Error("a session that was left still takes calls")
	}
	second := open(t, session.Options{Root: root, ID: "s", Device: device{id: "web"}, Resume: true})
	if i := second.Info(); i.Title != "Shop" || i.Labels["a"] != "b" {
		t.Errorf("resumed as %+v", i)
	}
	e, err := second.Log.Append(note("two"))
	if err != nil || e.Seq != 3 {
		t.Errorf("event %d after start and one note, %v", e.Seq, err)
	}
	if err := second.Close(event.Passed); err != nil {
		t.Fatal(err)
	}
	events, err := second.Log.Events()
	if err != nil || len(events) != 4 || events[3].Type != event.SessionEnded || events[3].Session.Title != "Shop" {
		t.Errorf("log %v, %v", events, err)
	}
	if _, err := session.Open(t.Context(), session.Options{Root: root, ID: "s", Resume: true}); fault.KindOf(err) != fault.Conflict {
		t.Errorf("resume a session that has ended: %v", err)
	}
	if _, err := session.Open(t.Context(), session.Options{Root: root, ID: "other", Resume: true}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("resume nothing: %v", err)
	}
}

func TestForgetKeepsNothing(t *testing.T) {
	s := open(t, session.Options{Forget: true})
	seen := 0
	defer s.Log.Observe(func(event.Event) { seen++ })()
	for range 10 {
		if _, err := s.Log.Append(note("x")); err != nil {
			t.Fatal(err)
		}
	}
	if events, err := s.Log.Events(); err != nil || len(events) != 0 || seen != 10 {
		t.Errorf("kept %d, observers saw %d, %v", len(events), seen, err)
	}
}
