package devices_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// clock is a time that a test moves.
type clock struct{ ahead atomic.Int64 }

func (c *clock) set(o *devices.Options) {
	o.Now = func() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }
}

// status is how a listing shows a device.
func (p parts) status(id string) devices.Status {
	p.Helper()
	for _, st := range p.pool.Devices(p.Context()) {
		if st.ID == id {
			return st
		}
	}
	p.Fatalf("%s is not listed", id)
	return devices.Status{}
}

// A phone that cannot be opened is quarantined with its reason, for all clients, until it was opened again.
func TestQuarantine(t *testing.T) {
	now := &clock{}
	p := start(t, now.set)
	p.provider.Phones = []string{"android/p1", "android/p2"}
	p.refuse("android/p1")
	a, b := p.client("a"), p.client("b")
	wish := devices.Wish{Device: "android/*", Wait: time.Minute}
	if st, err := p.reserve(a, wish); err != nil || st.ID != "android/p2" {
		t.Fatalf("%+v: %v", st, err)
	}
	if st := p.status("android/p1"); st.State != devices.StateQuarantined || !strings.Contains(st.Quarantine.Why, "does not start") {
		t.Errorf("listed as %+v, %+v", st, st.Quarantine)
	}
	brief := wish
	brief.Wait = time.Millisecond
	opened := len(p.provider.Opened("android/p1"))
	p.provider.OnOpen = nil // it is healthy now, which is seen when it is next tried
	if _, err := p.reserve(b, brief); fault.KindOf(err) != fault.Busy || len(p.provider.Opened("android/p1")) != opened {
		t.Errorf("a phone that was just quarantined: %v, tried %d times", err, len(p.provider.Opened("android/p1"))-opened)
	}
	now.ahead.Store(int64(time.Minute))
	if st, err := p.reserve(b, brief); err != nil || st.ID != "android/p1" || st.Quarantine != nil {
		t.Errorf("a minute later: %+v: %v", st, err)
	}
	if err := errors.Join(p.leave(a, "android/p2"), p.leave(b, "android/p1")); err != nil {
		t.Fatal(err)
	}
	p.refuse("android/p1")
	p.provider.Phones = p.provider.Phones[:1]
	for range 2 {
		_, err := p.reserve(a, wish)
		if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "does not start") {
			t.Errorf("the only one: %v", err)
		}
	}
	p.provider.OnOpen = nil
	if _, err := p.reserve(a, devices.Wish{Device: "android/p1"}); err != nil {
		t.Errorf("by its name it is tried at once: %v", err)
	}
}

// The next client of a phone finds no data of the apps that the last one launched; a phone that cannot be cleaned is set
// quarantine, and cleaned before it is next used.
func TestCleanedForTheNext(t *testing.T) {
	p := start(t)
	p.provider.Phones = []string{"android/p1"}
	a, b := p.client("a"), p.client("b")
	wish := devices.Wish{Device: "android/p1", Wait: time.Minute}
	use := func(by *clients.Client) {
		t.Helper()
		if _, err := p.reserve(by, wish); err != nil {
			t.Fatal(err)
		}
		p.provider.Device("android/p1").Launch("com.shop")
		p.provider.Device("android/p1").Launch("com.gone")
	}
	use(a)
	first := p.provider.Device("android/p1")
	if err := p.leave(a, "android/p1"); err != nil || !slices.Equal(first.Cleared(), []string{"com.shop"}) {
		t.Errorf("given back: %v, of these apps the data is gone: %v", err, first.Cleared())
	}
	use(b)
	p.provider.Device("android/p1").Unclean(errors.New("pm does not answer"))
	if err := p.leave(b, "android/p1"); err != nil {
		t.Error(err)
	}
	if st := p.status("android/p1"); st.State != devices.StateQuarantined || !strings.Contains(st.Quarantine.Why, "pm does not answer") {
		t.Errorf("not cleaned, and listed as %+v", st)
	}
	if _, err := p.reserve(a, wish); err != nil {
		t.Fatal(err)
	}
	if now := p.provider.Device("android/p1"); !slices.Equal(now.Cleared(), []string{"com.shop"}) || p.status("android/p1").Quarantine != nil {
		t.Errorf("opened again: of these apps the data is gone: %v", now.Cleared())
	}
	p.provider.Device("android/p1").Launch("com.shop")
	p.provider.Device("android/p1").Kill()
	if err := p.leave(a, "android/p1"); err != nil {
		t.Error(err)
	}
	use(b)
	if now := p.provider.Device("android/p1"); !slices.Contains(now.Cleared(), "com.shop") {
		t.Error("what was left on a phone that died is there for the next client")
	}
}

// An agent whose connection ends gives back at once what it has, also while a call of its runs there. A program keeps
// its device from call to call.
func TestGivenBackAtOnce(t *testing.T) {
	p := start(t)
	p.provider.Phones = []string{"android/p1"}
	gone, next := p.client("gone"), p.client("next")
	wish := devices.Wish{Device: "android/*", Limit: time.Hour, Wait: time.Minute}
	if _, err := p.reserve(gone, wish); err != nil {
		t.Fatal(err)
	}
	l, err := p.pool.Acquire(t.Context(), p.call(gone, "look"), "android/p1")
	if err != nil {
		t.Fatal(err)
	}
	p.pool.Free(gone)
	waiting, got := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := p.reserve(next, wish, waiting)
		got <- err
	}()
	if m := waittest.Await(t, waiting, "it waits for the running call"); !strings.Contains(m, "is being closed") {
		t.Error(m)
	}
	if _, err := p.pool.Acquire(t.Context(), p.call(gone, "look"), "android/p1"); fault.KindOf(err) != fault.Busy {
		t.Errorf("a further call of the client that has gone: %v", err)
	}
	l.Release()
	if err := waittest.Await(t, got, "it has the phone"); err != nil || !p.provider.Opened("android/p1")[0].Closed() {
		t.Errorf("%v, closed: %t", err, p.provider.Opened("android/p1")[0].Closed())
	}
	program, err := p.clients.Take("", clients.Identity{Kind: "python"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.reserve(program, devices.Wish{Device: "web", Limit: time.Hour}); err != nil {
		t.Fatal(err)
	}
	p.pool.Free(program) // after each of its calls
	if st := p.status(program.State().Device); st.Reserved == nil {
		t.Error("a program has lost its device after its first call")
	}
}

// As many browsers are open as may be. Who reserves one more waits, and any other call is refused it.
func TestMostBrowsers(t *testing.T) {
	p := start(t, func(o *devices.Options) { o.Browsers = 2 })
	open := func(by *clients.Client, id string) error {
		_, err := p.calls.Do(t.Context(), by, calls.Request{Call: tool.Call{Name: "connect"}, Device: id},
			func(c *calls.Call) (*calls.Reply, error) {
				_, err := p.pool.Connect(c, devices.Spec{ID: id})
				return nil, err
			})
		return err
	}
	a, b := p.client("a"), p.client("b")
	if err := errors.Join(open(a, "web/1"), open(a, "web/2")); err != nil {
		t.Fatal(err)
	}
	if err := open(b, "web/3"); fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), "2 browsers are open, the most") {
		t.Errorf("a third browser: %v", err)
	}
	waiting, got := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := p.reserve(b, devices.Wish{Device: "web", Wait: time.Minute}, waiting)
		got <- err
	}()
	if m := waittest.Await(t, waiting, "it waits"); !strings.Contains(m, "2 browsers are open, the most") {
		t.Error(m)
	}
	if err := p.leave(a, "web/1"); err != nil {
		t.Fatal(err)
	}
	if err := waittest.Await(t, got, "it has a browser"); err != nil {
		t.Error(err)
	}
}

// hold keeps a device as a call that lasts until end.
func (p parts) hold(by *clients.Client, w devices.Wish) (held <-chan string, end func() error) {
	told, done := make(chan string, 8), make(chan error, 1)
	ctx, cancel := context.WithCancel(p.Context())
	go func() {
		q := calls.Request{Call: tool.Call{Name: "hold"}, Progress: func(r calls.Progress) {
			if r.Event == "reserved" || strings.HasPrefix(r.Message, "waiting for a device") {
				told <- r.Message
			}
		}}
		w.Held = true
		_, err := p.calls.Do(ctx, by, q, func(c *calls.Call) (*calls.Reply, error) {
			_, err := p.pool.Reserve(c, w)
			return nil, err
		})
		done <- err
	}()
	return told, func() error { cancel(); return waittest.Await(p, done, "the call ends") }
}

// A process that opens a phone itself holds it as long as a call lasts: others wait for it, and the pool opens nothing.
func TestHold(t *testing.T) {
	p := start(t)
	p.provider.Phones = []string{"android/p1"}
	run, other := p.client("run"), p.client("other")
	wish := devices.Wish{Device: "android/p1", Wait: time.Minute}
	held, end := p.hold(run, wish)
	if id := waittest.Await(t, held, "it is held"); id != "android/p1" || len(p.provider.Opened("android/p1")) != 0 {
		t.Errorf("%s is held, opened %d times", id, len(p.provider.Opened("android/p1")))
	}
	_, err := p.pool.Acquire(t.Context(), p.call(other, "look"), "android/p1")
	if fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), "reserved by run (client "+run.Short()+")") ||
		!strings.Contains(err.Error(), "until its work ends") {
		t.Errorf("another client's call: %v", err)
	}
	waiting, got := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := p.reserve(other, wish, waiting)
		got <- err
	}()
	waittest.Await(t, waiting, "another client waits")
	if err := end(); fault.KindOf(err) != fault.Canceled {
		t.Error(err)
	}
	if err := waittest.Await(t, got, "it has the phone"); err != nil {
		t.Error(err)
	}
	told, end := p.hold(run, wish)
	if m := waittest.Await(t, told, "it is told"); !strings.Contains(m, "android/p1 is reserved by other") {
		t.Error(m)
	}
	if err := end(); fault.KindOf(err) != fault.Canceled {
		t.Errorf("one that gives up waiting: %v", err)
	}
}

// Two pools that share a ledger share no device.
func TestSharedLedger(t *testing.T) {
	one := devices.NewLedger()
	share := func(o *devices.Options) { o.Ledger = one }
	here, there := start(t, share), start(t, share)
	here.provider.Phones, there.provider.Phones = []string{"android/p1"}, []string{"android/p1"}
	a, b := here.client("a"), there.client("b")
	wish := devices.Wish{Device: "android/*", Wait: time.Minute}
	if _, err := here.reserve(a, wish); err != nil {
		t.Fatal(err)
	}
	if _, err := there.pool.Acquire(t.Context(), there.call(b, "look"), "android/p1"); fault.KindOf(err) != fault.Busy {
		t.Errorf("a call at the other pool: %v", err)
	}
	waiting, got := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := there.reserve(b, wish, waiting)
		got <- err
	}()
	if m := waittest.Await(t, waiting, "it waits"); !strings.Contains(m, "reserved by a") {
		t.Error(m)
	}
	if err := here.leave(a, "android/p1"); err != nil {
		t.Fatal(err)
	}
	if err := waittest.Await(t, got, "it has the phone"); err != nil {
		t.Error(err)
	}
}
