package shell

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
)

// TestDaemonThatDoesNotAnswer: asking a daemon whose process is stopped ends, and names the process.
func TestDaemonThatDoesNotAnswer(t *testing.T) {
	l := &dial.Daemon{Boot: boot.Boot{PID: 4711}}
	hang := func(ctx context.Context) error {
		<-ctx.Done()
		return fault.Wrap(ctx.Err(), "", "ask daemon")
	}
	if err := Within(t.Context(), time.Millisecond, l, hang); fault.KindOf(err) != fault.Timeout || !strings.Contains(err.Error(), "4711") {
		t.Errorf("got %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Within(gone, time.Minute, l, hang); fault.KindOf(err) != fault.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}
