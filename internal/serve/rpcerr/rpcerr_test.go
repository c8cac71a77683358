package rpcerr_test

import (
	"context"
	"errors"
	"testing"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
)

// TestEnds: what the server and the library say when a client's time is over, or its message too large, tells a client
// what to do: neither is a daemon that is lost.
func TestEnds(t *testing.T) {
	late := rpcerr.From(rpcerr.Of(fault.Wrap(context.DeadlineExceeded, "", "capture screen")))
	if fault.KindOf(late) != fault.Timeout || fault.HintOf(late) == "" {
		t.Errorf("too late: %v, %q", late, fault.HintOf(late))
	}
	own := rpcerr.From(rpcerr.Of(fault.Wrap(context.DeadlineExceeded, "", "wait").(*fault.Error).WithHint("Nearest: a link.")))
	if fault.HintOf(own) != "Nearest: a link." {
		t.Errorf("it has a hint of its own: %q", fault.HintOf(own))
	}
	large := rpcerr.From(connect.NewError(connect.CodeResourceExhausted, errors.New("message size 20 is larger than 10")))
	if fault.KindOf(large) != fault.Invalid {
		t.Errorf("too large: %s", fault.KindOf(large))
	}
}
