package devices_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
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

// reserve makes a call that reserves a device, and ends it.
func (p parts) reserve(by *clients.Client, w devices.Wish, waiting ...chan<- string) (devices.Status, error) {
	return p.reserveIn(p.Context(), by, w, waiting...)
}

func (p parts) reserveIn(
	ctx context.Context, by *clients.Client, w devices.Wish, waiting ...chan<- string,
) (devices.Status, error) {
	var st devices.Status
	q := calls.Request{Call: tool.Call{Name: "reserve"}, Progress: func(r calls.Progress) {
		for _, ch := range waiting {
			if r.Event == "waiting" && strings.HasPrefix(r.Message, "waiting for a device") {
				select {
				case ch <- r.Message:
				default:
				}
			}
		}
	}}
	_, err := p.calls.Do(ctx, by, q, func(c *calls.Call) (_ *calls.Reply, err error) {
		st, err = p.pool.Reserve(c, w)
		return nil, err
	})
	return st, err
}

// leave disconnects a device.
func (p parts) leave(by *clients.Client, device string) error {
	_, err := p.calls.Do(p.Context(), by, calls.Request{Call: tool.Call{Name: "disconnect"}, Device: device},
		func(c *calls.Call) (*calls.Reply, error) { return nil, p.pool.Disconnect(c) })
	return err
}

// A device is reserved by what it can do; others are refused it with who has it, and get it when it is given back.
func TestReserve(t *testing.T) {
	p := start(t)
	p.provider.Phones = []string{"android/p1", "android/p2"}
	a, b := p.client("a"), p.client("b")
	wish := devices.Wish{Device: "android/*", Requires: map[string]string{"api": ">=2"}, Wait: time.Minute}
	if st, err := p.reserve(a, wish); err != nil || st.ID != "android/p2" || a.State().Device != "android/p2" || st.Reserved == nil {
		t.Fatalf("%+v, the client is on %q: %v", st, a.State().Device, err)
	}
	_, err := p.pool.Acquire(t.Context(), p.call(b, "look"), "android/p2")
	if fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), "reserved by a (client "+a.Short()+") for") {
		t.Errorf("another client: %v", err)
	}
	if err := p.leave(b, "android/p2"); fault.KindOf(err) != fault.Busy {
		t.Errorf("another client disconnects it: %v", err)
	}
	brief := wish
	brief.Wait = time.Millisecond
	if _, err := p.reserve(b, brief); fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), "reserved by a") {
		t.Errorf("no longer than asked: %v", err)
	}
	none := devices.Wish{Device: "android/*", Requires: map[string]string{"api": ">=3"}}
	if _, err := p.reserve(b, none); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "api >=3, and the device has 2") {
		t.Errorf("no such device: %v", err)
	}
	again := devices.Wish{Device: "android/p2", Limit: time.Hour}
	if st, err := p.reserve(a, again); err != nil || st.Reserved.Limit != time.Hour {
		t.Errorf("its own again, for longer: %+v, %v", st.Reserved, err)
	}
	waiting, got := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := p.reserve(b, wish, waiting)
		got <- err
	}()
	if m := waittest.Await(t, waiting, "it waits"); !strings.Contains(m, "android/p2 is reserved by a") {
		t.Errorf("while it waits: %s", m)
	}
	if err := p.leave(a, "android/p2"); err != nil {
		t.Fatal(err)
	}
	if err := waittest.Await(t, got, "it gets the device"); err != nil {
		t.Error(err)
	}
	if n := len(p.provider.Opened("android/p2")); n != 2 {
		t.Errorf("opened %d times: the next client's phone is not that of the last", n)
	}
}

// A client that makes no call any more gives its device back within its time, closed.
func TestReservationEnds(t *testing.T) {
	p := start(t)
	p.provider.Phones = []string{"android/p1"}
	wish := devices.Wish{Device: "android/*", Limit: time.Millisecond, Wait: time.Minute}
	if _, err := p.reserve(p.client("dead"), wish); err != nil {
		t.Fatal(err)
	}
	first := p.provider.Device("android/p1")
	if st, err := p.reserve(p.client("next"), wish); err != nil || !first.Closed() {
		t.Errorf("%+v, the first is closed: %t: %v", st, first.Closed(), err)
	}
}

// A phone that cannot be opened is left out, and another one that fits is reserved.
func TestReserveAnother(t *testing.T) {
	p := start(t)
	p.provider.Phones = []string{"android/p1", "android/p2"}
	p.refuse("android/p1")
	st, err := p.reserve(p.client("a"), devices.Wish{Device: "android/*", Wait: time.Minute})
	if err != nil || st.ID != "android/p2" {
		t.Errorf("%+v: %v", st, err)
	}
	if _, err := p.reserve(p.client("b"), devices.Wish{Device: "android/p1"}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("the only one that fits: %v", err)
	}
}

// Of two clients, one that asks ten times and one that asks once, the second has its device after the first one's first.
func TestReserveIsFair(t *testing.T) {
	p := start(t)
	p.provider.Phones = []string{"android/p1"}
	greedy, modest := p.client("greedy"), p.client("modest")
	wish := devices.Wish{Device: "android/*", Wait: time.Minute}
	if _, err := p.reserve(greedy, wish); err != nil {
		t.Fatal(err)
	}
	got := make(chan *clients.Client, 20)
	ask := func(by *clients.Client) {
		waiting := make(chan string, 1)
		go func() {
			if _, err := p.reserve(by, wish, waiting); err != nil {
				t.Error(err)
			}
			got <- by
		}()
		waittest.Await(t, waiting, "it waits")
	}
	for range 10 {
		ask(greedy)
	}
	ask(modest)
	var order []string
	for last := greedy; len(order) < 11; {
		if err := p.leave(last, "android/p1"); err != nil {
			t.Fatal(err)
		}
		last = waittest.Await(t, got, "the next has it")
		order = append(order, last.Label())
	}
	if !strings.Contains(strings.Join(order[:2], " "), "modest") {
		t.Errorf("served: %v", order)
	}
}

// 200 reservations of 3 phones by 20 clients, of which some are killed while they wait or have one: no phone is had by
// two, and none is lost.
func TestReserveStorm(t *testing.T) {
	p := start(t)
	p.provider.Phones = []string{"android/p1", "android/p2", "android/p3"}
	has := map[string]*atomic.Int32{}
	for _, id := range p.provider.Phones {
		has[id] = new(atomic.Int32)
	}
	var wg sync.WaitGroup
	var served, killed, waited atomic.Int32
	for n := range 20 {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(n), 24)) //nolint:gosec // a storm that can be repeated
			by := p.client(fmt.Sprint(n))
			for turn := range 10 {
				limit := time.Hour
				dies := rnd.IntN(4) == 0
				if dies { // it makes no call any more, and the next client of this turn is another
					limit = time.Millisecond
				}
				ctx, kill := context.WithCancel(t.Context())
				if dies && rnd.IntN(2) == 0 { // while it waits
					wg.Go(func() { runtime.Gosched(); kill() })
				}
				st, err := p.reserveIn(ctx, by, devices.Wish{Device: "android/*", Limit: limit, Wait: time.Minute})
				early := ctx.Err() != nil
				kill()
				if early {
					early, err = fault.KindOf(err) == fault.Canceled, nil
					waited.Add(map[bool]int32{true: 1}[early])
				}
				if err != nil {
					t.Errorf("client %d, turn %d: %v", n, turn, err)
					return
				}
				served.Add(1)
				if dies {
					killed.Add(1)
					by = p.client(fmt.Sprintf("%d after %d", n, turn))
					continue
				}
				if has[st.ID].Add(1) != 1 {
					t.Errorf("%s is had by two", st.ID)
				}
				has[st.ID].Add(-1)
				if err := p.leave(by, st.ID); err != nil {
					t.Error(err)
				}
			}
		})
	}
	waittest.Join(t, wg.Wait, "all are served")
	t.Logf("%d reservations, %d clients killed, %d of them while they waited", served.Load(), killed.Load(), waited.Load())
	last := p.client("last")
	for range 3 {
		if _, err := p.reserve(last, devices.Wish{Device: "android/*", Wait: time.Minute}); err != nil {
			t.Errorf("a phone is lost: %v", err)
		}
	}
}

// What a call pays for its device stays below a millisecond, reserved or not.
func TestReserveCost(t *testing.T) {
	p := start(t)
	p.provider.Phones = []string{"android/p1"}
	by := p.client("a")
	each := func(device string) time.Duration {
		const n = 2000
		began := time.Now()
		for range n {
			_, err := p.calls.Do(t.Context(), by, calls.Request{Call: tool.Call{Name: "look"}},
				func(c *calls.Call) (*calls.Reply, error) {
					l, err := p.pool.Acquire(c.Context(), c, device)
					if err == nil {
						l.Release()
					}
					return nil, err
				})
			if err != nil {
				t.Fatal(err)
			}
		}
		return time.Since(began) / n
	}
	shared := each("web")
	if _, err := p.reserve(by, devices.Wish{Device: "android/*"}); err != nil {
		t.Fatal(err)
	}
	reserved := each("android/p1")
	t.Logf("a call: %v on a shared device, %v on a reserved one", shared, reserved)
	if reserved > time.Millisecond {
		t.Errorf("a call on a reserved device takes %v", reserved)
	}
}
