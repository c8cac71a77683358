// Package locator is the one way from a caller's description of an element (a ref, a durable selector, a text, an id)
// to the node on the screen: it captures, looks, waits for the next change and looks again, until the element is there
// or the time is up. Every built-in tool that names an element goes through it, live and in replay alike.
//
// Nothing here acts on a device. The functions keep no state and are safe for concurrent use.
//
//	found, err := locator.Resolve(ctx, dev, locator.Query{Target: locator.Target{Ref: `button "Save"`}})
package locator
