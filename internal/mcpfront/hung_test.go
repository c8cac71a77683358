package mcpfront

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// pulse is what the rig's daemons answer to a question beside the connection.
type pulse struct {
	hung  atomic.Bool
	asked chan struct{}
}

func (f frontEnd) Process() int { return 4711 }

func (f frontEnd) Pulse(ctx context.Context) error {
	select {
	case f.pulse.asked <- struct{}{}:
	default:
	}
	if !f.pulse.hung.Load() {
		return nil
	}
	<-ctx.Done()
	return fault.Wrap(ctx.Err(), "", "ask daemon")
}

func impatient(_ *rig, o *Options) { o.quiet, o.pulse = time.Millisecond, time.Millisecond }

// TestHung: a daemon that hangs without closing its connection is noticed. What was begun with is answered with what is not
// known of it, and so is what the daemon had not even read: it may do it when it wakes up. Questions go to the next one.
func TestHung(t *testing.T) {
	r := newRig(t, impatient, func(r *rig, _ *Options) { r.receipts.Store(true) })
	d := r.greet()
	d.mute.Store(true)
	for _, line := range []string{call(3, "act"), call(4, "act"), call(5, "look")} {
		r.send(line)
		d.next()
	}
	d.say(`{"jsonrpc":"2.0","method":"trailblaze/received","params":{"id":3}}`)
	r.pulse.hung.Store(true)
	r.reply(`"id":3`, `"isError":true`, `process 4711`, `unknown whether that took effect`, `kill -9 4711`)
	r.reply(`"id":4`, `"isError":true`, `unknown whether that took effect`)
	r.pulse.hung.Store(false)
	r.reply(`list_changed`)
	r.reply(`"id":5`, `"did":"tools/call"`)
	if got := r.again().next(); got != call(5, "look") {
		t.Errorf("the next daemon got %s", got)
	}
}

// TestLongCall: a daemon that gives signs of life is waited for, however long a call lasts; one that owes nothing is left
// alone.
func TestLongCall(t *testing.T) {
	r := newRig(t, impatient)
	d := r.greet()
	for len(r.pulse.asked) > 0 {
		<-r.pulse.asked
	}
	d.mute.Store(true)
	r.send(call(3, "act"))
	d.next()
	for range 3 {
		receive(t, r.pulse.asked, "question for a sign of life")
	}
	d.say(`{"jsonrpc":"2.0","id":3,"result":{"late":true}}`)
	if got := r.reply(`"id":3`); !strings.Contains(got, "late") {
		t.Errorf("got %s", got)
	}
}
