package act

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// TypeLate types into an element after the page was told that the browser has handed on all keys, and gives what is
// read of the field. wait is called between the two.
func (p *Performer) TypeLate(ctx context.Context, target driver.Target, text string, wait func()) (string, error) {
	a := &action{
		p: p, t: p.frames.Active, token: tokens.Add(1), began: time.Now(), until: time.Now().Add(targetTimeout),
	}
	a.open()
	defer a.close()
	if err := a.aimAt(target); err != nil {
		return "", err
	}
	if _, err := a.ready(ctx, driver.TypeText{Text: text}, false); err != nil {
		return "", err
	}
	type read struct {
		now *outcome
		err error
	}
	done := make(chan read, 1)
	go func() {
		now, err := a.finish(ctx)
		done <- read{now, err}
	}()
	a.doc.Tell("acked", a.token, false, len(text))
	wait()
	a.sendKeys(text)
	r := <-done
	if r.err != nil {
		return "", r.err
	}
	return r.now.Read, nil
}
