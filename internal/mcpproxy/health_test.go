package mcpproxy

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// pulse is what the rig's daemons answer to a question beside the connection.
type healthAnswer struct {
	hung  atomic.Bool
	asked chan struct{}
}

func (f proxyEnd) Process() int { return 4711 }

func (f proxyEnd) Check(ctx context.Context) error {
	select {
	case f.health.asked <- struct{}{}:
	default:
	}
	if !f.health.hung.Load() {
		return nil
	}
	<-ctx.Done()
	return fault.Wrap(ctx.Err(), "", "ask daemon")
}

func impatient(_ *rig, o *Options) { o.silence, o.healthTimeout = time.Millisecond, time.Millisecond }

// TestHung: a daemon that hangs without closing its connection is noticed. What was begun with is answered with what
// is not known of it, and so is what the daemon had not even read: it may do it when it wakes up. Questions go to the
// next one.
func TestHung(t *testing.T) {
	r := newRig(t, impatient, func(r *rig, _ *Options) { r.receipts.Store(true) })
	d := r.greet()
	d.mute.Store(true)
	for _, line := range []string{call(3, "act"), call(4, "act"), call(5, "look")} {
		r.send(line)
		d.next()
	}
	d.writeLine(`{"jsonrpc":"2.0","method":"trailblaze/received","params":{"id":3}}`)
	r.health.hung.Store(true)
	r.reply(`"id":3`, `"isError":true`, `process 4711`, `unknown whether that took effect`, `kill -9 4711`)
	r.reply(`"id":4`, `"isError":true`, `unknown whether that took effect`)
	r.health.hung.Store(false)
	r.reply(`list_changed`)
	r.reply(`"id":5`, `"did":"tools/call"`)
	if got := r.again().next(); got != call(5, "look") {
		t.Errorf("the next daemon got %s", got)
	}
}

// TestLongCall: a daemon that gives signs of life is waited for, however long a call lasts; one that owes nothing is
// left alone.
func TestLongCall(t *testing.T) {
	r := newRig(t, impatient)
	d := r.greet()
	for len(r.health.asked) > 0 {
		<-r.health.asked
	}
	d.mute.Store(true)
	r.send(call(3, "act"))
	d.next()
	for range 3 {
		receive(t, r.health.asked, "question for a sign of life")
	}
	d.writeLine(`{"jsonrpc":"2.0","id":3,"result":{"late":true}}`)
	if got := r.reply(`"id":3`); !strings.Contains(got, "late") {
		t.Errorf("got %s", got)
	}
}
