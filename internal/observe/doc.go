// Package observe says what a reply tells of the screen: after an action what changed since this seat last looked, within a
// hard budget of tokens, fenced so that a page's text cannot pass for ours. The hub calls it after a call on a device; an
// Observer belongs to one live session and is safe for concurrent use.
//
//	o := observe.New()
//	obs, err := o.After(ctx, dev, seat.Handle(), spec, res, observe.Settings{Verbosity: toolset.Minimal})
package observe
