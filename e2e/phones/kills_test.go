package phones

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os/exec"
	"syscall"
	"time"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

var (
	kills = flag.Int("kills", 6, "how often something ends while the shop is used")
	seed  = flag.Uint64("seed", 184, "of what ends when; the first six are one of each")
)

// ends are what may end: how the adb server, the connection and with it the helper, the app or the daemon do; and how the
// phone goes away for a second.
var ends = map[string]func(h *house){
	"adb server": func(h *house) { h.adb("kill-server") },
	"helper":     func(h *house) { h.says("phone fault dead-socket") },
	"phone":      func(h *house) { h.says("phone fault gone 1") },
	"offline":    func(h *house) { h.says("phone fault offline 1") },
	"app":        func(h *house) { h.says("am crash " + shop) },
	"daemon": func(h *house) {
		h.Start()
		_ = syscall.Kill(h.Boot.PID, syscall.SIGKILL)
		waittest.Until(h.T, func() bool { return !proc.Alive(h.Boot.PID) }, "the daemon ends")
	},
}

// survive buys in the shop while something ends, between two calls or in the midst of one. The next call works, and what
// the shop has stored says that no tap was sent twice and none was told as done that was not.
func (h *house) survive() {
	dice := rand.New(rand.NewPCG(*seed, 0)) //nolint:gosec // a test plays the same game each time
	names := []string{"adb server", "helper", "phone", "offline", "app", "daemon"}
	h.rest(flow{at: `shop{"user":"ada"}`})
	count := map[string]int{}
	for i := range *kills {
		name := names[dice.IntN(len(names))]
		count[name]++
		h.T.Logf("%d of %d, now %s", i+1, *kills, name)
		if s := h.call("launchApp", "appId="+shop+"/.SignIn", "launchMode=RESUME"); s.Code != 0 {
			h.T.Fatalf("%d: the call after it: %s%s", i, s.Out, s.Err)
		}
		before := h.pieces()
		moment := time.After(time.Duration(dice.IntN(1500)) * time.Millisecond)
		done := make(chan int, 1)
		go func() { done <- h.call("tap", "id=add", "index=0").Code }()
		<-moment
		ends[name](h)
		code := <-done
		after := h.pieces()
		if more := after - before; more > 1 || more < 0 || code == 0 && more != 1 {
			h.T.Fatalf("%d, %s: the tap ended with %d, and %d pieces more are in the cart", i, name, code, more)
		}
	}
	h.T.Logf("ended %v", count)
}

// call calls a tool on the phone by the command line.
func (h *house) call(args ...string) housetest.Output {
	return h.Run(append([]string{"tool", "--device", "android", "-s", "Buy"}, args...)...)
}

// says runs a line on the phone, which may end the connection that it came by.
func (h *house) says(line string) {
	h.connect()
	cmd := exec.Command("adb", "-s", h.phone.Addr(), "shell", line)
	cmd.Env = h.Env
	_ = cmd.Run()
}

// connect has the adb server know the phone. adb fails where the daemon starts the server at the same moment: it is
// asked once more.
func (h *house) connect() {
	h.T.Helper()
	cmd := exec.Command("adb", "connect", h.phone.Addr())
	cmd.Env = h.Env
	if cmd.Run() != nil {
		h.adb("connect", h.phone.Addr())
	}
}

// pieces counts what is in the shop's cart.
func (h *house) pieces() (n int) {
	h.T.Helper()
	waittest.Until(h.T, func() bool { // adb may drop a phone that it had as it went away
		h.connect()
		cmd := exec.Command("adb", "-s", h.phone.Addr(), "shell", "true")
		cmd.Env = h.Env
		return cmd.Run() == nil
	}, "the phone is back")
	var s struct{ Cart map[string]int }
	if err := json.Unmarshal([]byte(h.stored(shop)), &s); err != nil {
		h.T.Fatal(err)
	}
	for _, of := range s.Cart {
		n += of
	}
	return n
}
