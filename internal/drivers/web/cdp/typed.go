package cdp

import (
	"context"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"
)

// Call runs a command of the generated protocol and returns its result.
func Call[P, R any](ctx context.Context, s *Session, c proto.Command[P, R], params P) (R, error) {
	return proto.Call(ctx, s, c, params)
}

// Do runs a command whose result does not matter.
func Do[P, R any](ctx context.Context, s *Session, c proto.Command[P, R], params P) error {
	_, err := s.CallRaw(ctx, c.Method, params)
	return err
}

// Send sends a command and waits for nothing. Handlers may use it; commands sent so keep their
// order.
func Send[P, R any](s *Session, c proto.Command[P, R], params P) {
	s.Go(c.Method, params, nil)
}

// Go sends a command and runs done with its answer on the dispatching goroutine.
func Go[P, R any](s *Session, c proto.Command[P, R], params P, done func(R, error)) {
	s.Go(c.Method, params, func(raw jsonv2.Value, err error) {
		var r R
		if err == nil && len(raw) > 0 {
			err = jsonv2.Unmarshal(raw, &r, chromedp.DefaultUnmarshalOptions)
		}
		done(r, err)
	})
}

// On runs fn for every such event, in the order the browser sent them. An event that does not
// decode is skipped: the protocol grows by fields and enum values we do not know.
func On[E any](s *Session, e proto.Event[E], fn func(E)) (stop func()) {
	return s.On(e.Method, func(raw jsonv2.Value) {
		var v E
		if jsonv2.Unmarshal(raw, &v, chromedp.DefaultUnmarshalOptions) == nil {
			fn(v)
		}
	})
}
