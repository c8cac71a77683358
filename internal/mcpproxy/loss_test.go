package mcpproxy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLoss: the next call after a loss works; the new daemon was told what the last one knew, for the same client;
// the client sees no second answer to initialize and is told to look at the tools again.
func TestLoss(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	d.die()
	next := r.again()
	if d.id != "" || next.id != "tb_one" {
		t.Errorf("handles %q then %q", d.id, next.id)
	}
	r.reply(`"notifications/tools/list_changed"`)
	r.send(call(3, "act"))
	r.reply(`"id":3`, `"did":"tools/call"`)
	if got := next.next(); got != call(3, "act") {
		t.Errorf("then %s", got)
	}
}

// TestLossUnderWay: of what was under way, questions are asked again and actions are not: they are answered with what
// is not known, as a result a model can read.
func TestLossUnderWay(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	d.mute.Store(true)
	under := []string{call(3, "look"), call(4, "act"), `{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"x"}}`,
		`{"jsonrpc":"2.0","id":6,"method":"tasks/cancel"}`, call(7, "unheard")}
	for _, line := range under {
		r.send(line)
		d.next()
	}
	d.die()
	r.reply(`"id":4`, `"isError":true`, `unknown whether it took effect`, `act`, `snapshot`)
	r.reply(`"id":6`, `"error"`, `unknown whether`)
	r.reply(`"id":7`, `"isError":true`)
	r.reply(`list_changed`)
	r.reply(`"id":3`, `"did":"tools/call"`)
	r.reply(`"id":5`, `"did":"resources/read"`)
	next := r.again()
	for _, want := range []string{under[0], under[2]} {
		if got := next.next(); got != want {
			t.Errorf("asked again %s, want %s", got, want)
		}
	}
}

// TestReceipts: a daemon that tells of calls before it begins with them did not begin with those it did not tell of;
// they are for the next. Ids are told apart however they are spelled, and a receipt that fits none counts for all.
func TestReceipts(t *testing.T) {
	r := newRig(t, func(r *rig, _ *Options) { r.receipts.Store(true) })
	d := r.greet()
	d.mute.Store(true)
	odd := strings.Replace(call(5, "act"), `"id":5`, `"id":5e2`, 1)
	for _, line := range []string{call(3, "act"), call(4, "act"), odd} {
		r.send(line)
		d.next()
	}
	d.writeLine(`{"jsonrpc":"2.0","method":"trailblaze/received","params":{"id":3}}`)
	d.writeLine(`{"jsonrpc":"2.0","method":"trailblaze/received","params":{"id":500}}`)
	d.die()
	r.reply(`"id":3`, `unknown whether`)
	r.reply(`"id":5e2`, `unknown whether`)
	r.reply(`list_changed`)
	r.reply(`"id":4`, `"result"`)
	next := r.again()
	if got := next.next(); got != call(4, "act") {
		t.Errorf("new daemon got %s", got)
	}

	next.mute.Store(true)
	r.send(call(6, "act"))
	next.next()
	next.writeLine(`{"jsonrpc":"2.0","method":"trailblaze/received","params":{"id":"?"}}`)
	next.die()
	r.reply(`"id":6`, `unknown whether`)
}

// TestLossDuringInitialize: a daemon that dies before it answered initialize is one more try, with nothing replayed.
func TestLossDuringInitialize(t *testing.T) {
	r := newRig(t, func(r *rig, _ *Options) { r.deaf.Store(true) })
	d := r.daemon()
	r.send(initialize)
	d.next()
	r.deaf.Store(false)
	d.die()
	next := r.daemon()
	r.reply(`"id":1`, `"did":"initialize"`)
	if got := next.next(); got != initialize {
		t.Errorf("new daemon got %s", got)
	}
}

// TestQueued: what the client says while there is no daemon waits, in order; what it takes back is never sent.
func TestQueued(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	r.fails(errNoDaemon)
	d.die()
	for i := 3; i < 8; i++ {
		r.send(call(i, "act"))
	}
	r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	r.send(`hello`) // lines are taken in order: what was said before is known when this one is refused
	r.reply(`-32700`)
	r.dialErr.Store(nil)
	next := r.again()
	r.reply(`list_changed`)
	for _, i := range []int{3, 4, 6, 7} {
		r.reply(fmt.Sprintf(`"id":%d`, i), `"result"`)
	}
	for _, i := range []int{3, 4, 6, 7} {
		if got := next.next(); got != call(i, "act") {
			t.Errorf("sent %s", got)
		}
	}
}

// TestTakenBack: a request that the client takes back is not asked again and not answered in the daemon's stead.
func TestTakenBack(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	d.mute.Store(true)
	r.send(call(3, "look"))
	r.send(call(4, "act"))
	r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}`)
	for range 3 {
		d.next()
	}
	if got := d.next(); !strings.Contains(got, `"requestId":4`) {
		t.Errorf("daemon got %s", got)
	}
	d.die()
	next := r.again()
	r.reply(`list_changed`)
	r.send(call(5, "act"))
	r.reply(`"id":5`, `"result"`)
	if got := next.next(); got != call(5, "act") {
		t.Errorf("new daemon got %s", got)
	}
}

// TestConnectionState: what lives in a connection and not with the client is told to the next daemon too.
func TestConnectionState(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	for i, line := range []string{
		`{"jsonrpc":"2.0","id":11,"method":"logging/setLevel","params":{"level":"debug"}}`,
		`{"jsonrpc":"2.0","id":12,"method":"resources/subscribe","params":{"uri":"a:1"}}`,
		`{"jsonrpc":"2.0","id":13,"method":"resources/subscribe","params":{"uri":"a:2"}}`,
		`{"jsonrpc":"2.0","id":14,"method":"resources/unsubscribe","params":{"uri":"a:1"}}`,
	} {
		r.send(line)
		r.reply(fmt.Sprintf(`"id":%d`, 11+i))
	}
	d.die()
	next := r.again()
	r.reply(`list_changed`)
	for _, want := range []string{`"level":"debug"`, `"uri":"a:2"`} {
		if got := next.next(); !strings.Contains(got, want) || !strings.Contains(got, "proxy-replay") {
			t.Errorf("replayed %s, want %s", got, want)
		}
	}
	r.send(call(20, "act"))
	r.reply(`"id":20`) // and none of the answers to the replay came before
}

// TestListening: a client of the 2026 era hears of the change on its stream, which is opened again by itself, however
// many daemons it outlives.
func TestListening(t *testing.T) {
	r := newRig(t, func(r *rig, _ *Options) { r.muted.Store(true) })
	listen := `{"jsonrpc":"2.0","id":"s1","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`
	r.send(listen)
	for range 4 {
		d := r.daemon()
		if got := d.next(); got != listen {
			t.Errorf("got %s", got)
		}
		d.writeLine(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}`)
		r.reply(`acknowledged`)
		d.writeLine(`{"jsonrpc":"2.0","id":"s1","result":{}}`) // an orderly end: the stream is the front's to keep open
		d.die()
		r.reply(`list_changed`, `"io.modelcontextprotocol/subscriptionId":"s1"`)
	}
}

// TestSampling: what a lost daemon asked is taken back; a late answer reaches nobody, and a new question under the
// same id gets its own answer.
func TestSampling(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	ask := `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}`
	d.writeLine(ask)
	r.reply(`sampling/createMessage`)
	d.die()
	r.reply(`notifications/cancelled`, `"requestId":1`)
	r.reply(`list_changed`)
	next := r.again()
	next.writeLine(ask)
	r.reply(`sampling/createMessage`, `"id":"again-1"`)
	r.send(`{"jsonrpc":"2.0","id":1,"result":{"for":"the lost one"}}`)
	r.send(`{"jsonrpc":"2.0","id":"again-1","result":{"for":"the new one"}}`)
	if got := next.next(); !strings.Contains(got, "the new one") || !strings.Contains(got, `"id":1`) {
		t.Errorf("new daemon got %s", got)
	}
}

// TestNoDaemon: when there is none to be had, each request says what to do, and the next one tries again.
func TestNoDaemon(t *testing.T) {
	r := newRig(t, func(r *rig, _ *Options) { r.fails(errForbidden) })
	r.send(initialize)
	r.reply(`"id":1`, `"error"`, `autostart is off`, `Run trailblaze daemon start.`)
	r.dialErr.Store(nil)
	r.send(initialize)
	r.reply(`"id":1`, `"result"`)
}

// TestPatience: what may pass is tried until timeout ends.
func TestPatience(t *testing.T) {
	began := time.Now() // timeout begins with the proxy, which looks for a daemon before it is asked for one
	r := newRig(t, func(r *rig, o *Options) { r.fails(errNoDaemon); o.DialTimeout = 300 * time.Millisecond })
	r.send(initialize)
	r.reply(`"id":1`, `"error"`, `nothing listens`, `trailblaze daemon logs`)
	if took := time.Since(began); took < 250*time.Millisecond {
		t.Errorf("gave up after %s", took)
	}
}

// TestPoison: a question that kills daemons is asked twice, not for ever.
func TestPoison(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	d.mute.Store(true)
	r.muted.Store(true)
	r.send(call(3, "look"))
	d.next()
	d.die()
	next := r.again()
	if got := next.next(); got != call(3, "look") {
		t.Errorf("asked again %s", got)
	}
	next.die()
	r.reply(`list_changed`)
	r.reply(`"id":3`, `"isError":true`, `lost twice`)
	r.muted.Store(false)
	r.send(call(4, "act"))
	r.reply(`list_changed`)
	r.reply(`"id":4`, `"result"`)
}

// TestStopped: a daemon that was stopped stays stopped until the client wants something.
func TestStopped(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	r.stopped.Store(true)
	d.die()
	select {
	case <-r.daemons:
		t.Fatal("started again unasked")
	case <-time.After(100 * time.Millisecond): // nothing happens: there is no event to wait for
	}
	r.send(call(3, "act"))
	r.reply(`list_changed`)
	r.reply(`"id":3`, `"result"`)
}

// TestStoppedUnderAStream: a stream that was open at a stopped daemon is no reason to start another; it goes on at
// the next one that there is a reason for.
func TestStoppedUnderAStream(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	d.mute.Store(true)
	listen := `{"jsonrpc":"2.0","id":"s1","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`
	r.send(listen)
	d.next()
	r.stopped.Store(true)
	d.die()
	select {
	case <-r.daemons:
		t.Fatal("started again for a stream")
	case <-time.After(100 * time.Millisecond): // nothing happens: there is no event to wait for
	}
	r.send(call(3, "act"))
	next := r.again()
	for got := next.next(); got != listen; got = next.next() {
		if !strings.Contains(got, `"act"`) {
			t.Fatalf("sent %s before the stream", got)
		}
	}
}
