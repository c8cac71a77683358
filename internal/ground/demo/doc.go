// Package demo is a sample shop and the trails that go through it: a place to try every feature on, with no network
// and nothing to install. It has what makes real pages hard: look-alike buttons, content that arrives late, frames of
// its own and of another origin, open and closed shadow trees, dialogs, uploads, downloads, drag and drop, popups.
//
// The demo command serves it; tests and benchmarks may too. A Shop is safe for concurrent use and keeps nothing of
// its visitors: carts live in the browser.
//
//	shop, err := demo.Serve(ctx)
//	defer shop.Close()
//	dir, err := demo.WriteTrails(folder)
package demo
