package android

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/automation"
)

// warm keeps the helper running: when it, the connection to it or the adb server has ended, the next call starts it
// again.
type warm struct {
	phone  adb.Device
	await  func(context.Context) error // until the phone is there again
	folder string                      // of the helper

	turn   chan struct{} // guards what follows
	client *automation.Client
	closed bool
}

// running returns the helper, started when it does not run.
func (w *warm) running(ctx context.Context) (*automation.Client, error) {
	select {
	case w.turn <- struct{}{}:
		defer func() { <-w.turn }()
	case <-ctx.Done():
		return nil, fault.Wrap(context.Cause(ctx), "", "ask helper")
	}
	switch {
	case w.closed:
		return nil, fault.New(fault.Unavailable, "ask helper", "the device is closed")
	case w.client != nil && !w.client.Lost():
		return w.client, nil
	case w.client != nil:
		w.client.Close()
		w.client = nil
		if err := w.await(ctx); err != nil {
			return nil, err
		}
	}
	c, err := automation.Start(ctx, w.phone, w.folder)
	if err != nil {
		return nil, err
	}
	w.client = c
	return c, nil
}

func (w *warm) hello(ctx context.Context) (automation.Hello, error) {
	c, err := w.running(ctx)
	if err != nil {
		return automation.Hello{}, err
	}
	return c.Hello, nil
}

// Call implements asker. A question is asked again when the helper was lost; input is not sent twice.
func (w *warm) Call(ctx context.Context, request, out any) error {
	for again := false; ; again = true {
		c, err := w.running(ctx)
		if err != nil {
			return err
		}
		if err = c.Call(ctx, request, out); err == nil || again || ctx.Err() != nil || !c.Lost() || sends(request) {
			return err
		}
	}
}

// sends reports whether a request is input.
func sends(request any) bool {
	q, _ := request.(map[string]any)
	return q["do"] == "touch" || q["do"] == "keys" || q["do"] == "text" || q["do"] == "rotate"
}

// Close implements asker.
func (w *warm) Close() {
	w.turn <- struct{}{}
	defer func() { <-w.turn }()
	w.closed = true
	if w.client != nil {
		w.client.Close()
	}
}
