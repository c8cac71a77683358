package hub

import (
	"context"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/trail"
)

type noProvider struct{}

func (noProvider) Open(context.Context, devices.Spec) (driver.Device, error) { return nil, nil }
func (noProvider) Available(context.Context) ([]driver.Info, error)          { return nil, nil }
func (noProvider) Facts(context.Context, string) trail.Facts                 { return trail.Facts{} }

// Who leaves ends what ran when it began to leave. A shell's next command may begin its call on the same client before
// the last one has gone; that call is not the one that was left (R210).
func TestLeavingEndsOnlyWhatRan(t *testing.T) {
	h, err := New(Options{Provider: noProvider{}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.Client("", clients.Identity{Kind: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	old, err := h.begin(t.Context(), s, "", "old")
	if err != nil {
		t.Fatal(err)
	}
	defer old.End()
	left := h.leaving(s)
	fresh, err := h.begin(t.Context(), s, "", "fresh")
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.End()
	left()
	if old.Context().Err() == nil || fresh.Context().Err() != nil {
		t.Errorf("old: %v, fresh: %v; want the old one alone ended", old.Context().Err(), fresh.Context().Err())
	}
	stay, again := s.Enter(), s.Enter()
	again()
	if fresh.Context().Err() != nil {
		t.Error("ended although somebody is there still")
	}
	stay()
	if fresh.Context().Err() == nil {
		t.Error("goes on although everybody has left")
	}
}
