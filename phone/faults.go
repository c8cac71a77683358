package phone

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/phone/adbd"
)

const (
	faultTime = 2 * time.Second // of a fault that ends by itself and names no time
	slowTree  = 3000            // milliseconds
	slide     = 1500            // milliseconds in which a sheet moves in
)

var errReboot = errors.New("this phone has no bootloader, no recovery and no sideload to reboot into")

// links are the faults of the connection, which end by themselves: a client could not end them.
var links = map[string]adbd.State{"offline": adbd.Offline, "unauthorized": adbd.Unauthorized, "gone": adbd.Gone}

// phoneProgram is `phone fault`: it has something go wrong.
func phoneProgram(c *call) int {
	if len(c.args) < 2 || c.args[0] != "fault" {
		return c.fail("usage: phone fault NAME [VALUE]\n" +
			"  none                       ends those of the tree and of taps, and removes sheets\n" +
			"  slow-tree [MS]             each reading of the tree takes so long\n" +
			"  truncated-tree             the tree breaks off\n" +
			"  tree-error                 the tree is refused\n" +
			"  tap-elsewhere              touches land 300 pixels lower\n" +
			"  stuck [SECONDS]            the app's main thread does nothing\n" +
			"  sheet [MS]                 a sheet moves over the lower half of the screen\n" +
			"  duplicate LABEL            a window of another app shows a button with a label\n" +
			"  dead-socket                the connection to adb is cut\n" +
			"  offline|unauthorized|gone [SECONDS]\n" +
			"  reboot                     all processes end, and the first app's starts again")
	}
	name, value := c.args[1], strings.Join(c.args[2:], " ")
	number, err := strconv.Atoi(value)
	if value != "" && err != nil && name != "duplicate" {
		return c.fail("phone: %q is no number", value)
	}
	span := faultTime
	if number > 0 {
		span = time.Duration(number) * time.Second
	}
	switch {
	case links[name] != "":
		c.during(links[name], span)
		return 0
	case name == "dead-socket":
		c.work.Go(func() { c.adbd.Set(adbd.Online) })
		return 0
	case name == "reboot":
		if err := c.reboot(c, ""); err != nil {
			return c.fail("%v", err)
		}
		return 0
	case name == "stuck":
		return c.act(request{"do": "stuck", "ms": span.Milliseconds()})
	case name == "sheet":
		if number == 0 {
			number = slide
		}
		return c.beset(request{"do": "sheet", "ms": number})
	case name == "duplicate":
		return c.beset(request{"do": "duplicate", "label": value})
	case slices.Contains([]string{"none", "slow-tree", "truncated-tree", "tree-error", "tap-elsewhere"}, name):
		if number == 0 {
			number = slowTree
		}
		return c.beset(request{"do": "fault", "name": name, "value": number})
	}
	return c.fail("phone: there is no fault %s", name)
}

// beset has something go wrong in each app that runs, and in those that start until something else or nothing is to.
func (c *call) beset(q request) int {
	c.starting.Lock()
	defer c.starting.Unlock()
	c.mu.Lock()
	c.wrong = q
	if q["name"] == "none" {
		c.wrong = nil
	}
	all := c.processes()
	c.mu.Unlock()
	for _, own := range all {
		if _, err := own.ask(c, q, nil); err != nil {
			return c.fail("Error: %v", err)
		}
	}
	return 0
}

// during has adbd behave in another way for a time.
func (p *Phone) during(s adbd.State, span time.Duration) {
	p.work.Go(func() {
		p.adbd.Set(s)
		select {
		case <-time.After(span):
		case <-p.life.Done():
		}
		p.adbd.Set(adbd.Online)
	})
}

// reboot ends all processes and the connection, and starts the first app's process again, which draws the home screen.
func (p *Phone) reboot(_ context.Context, into string) error {
	if into != "" {
		return errReboot
	}
	p.work.Go(func() {
		p.adbd.Set(adbd.Gone)
		defer p.adbd.Set(adbd.Online)
		p.starting.Lock()
		defer p.starting.Unlock()
		p.mu.Lock()
		ended := p.processes()
		clear(p.running)
		p.come(nil)
		p.mu.Unlock()
		for _, own := range ended {
			own.close()
		}
		p.log.clear()
		p.booted.Store(time.Now().UnixMilli())
		p.goHome()
	})
	return nil
}
