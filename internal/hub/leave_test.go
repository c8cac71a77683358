package hub

import (
	"context"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
)

type noProvider struct{}

func (noProvider) Open(context.Context, DeviceSpec) (driver.Device, error) { return nil, nil }
func (noProvider) Available(context.Context) ([]driver.Info, error)        { return nil, nil }

// Who leaves ends what ran when it began to leave. A shell's next command may begin its call on the same seat before the
// last one has gone; that call is not the one that was left (R210).
func TestLeavingEndsOnlyWhatRan(t *testing.T) {
	h, err := New(Options{Provider: noProvider{}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.Seat("", NewSeat{Client: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	old, endOld, err := h.errand(t.Context(), s, "old")
	if err != nil {
		t.Fatal(err)
	}
	defer endOld()
	ran := h.callsOf(s)
	fresh, endFresh, err := h.errand(t.Context(), s, "fresh")
	if err != nil {
		t.Fatal(err)
	}
	defer endFresh()
	h.leave(s, ran)
	if old.ctx.Err() == nil || fresh.ctx.Err() != nil {
		t.Errorf("old: %v, fresh: %v; want the old one alone ended", old.ctx.Err(), fresh.ctx.Err())
	}
	stay, again := s.Enter(), s.Enter()
	again()
	if fresh.ctx.Err() != nil {
		t.Error("ended although somebody is there still")
	}
	stay()
	if fresh.ctx.Err() == nil {
		t.Error("goes on although everybody has left")
	}
}
