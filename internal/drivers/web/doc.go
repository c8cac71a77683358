// Package web drives Chromium-based browsers over the DevTools protocol. A Browser is one process;
// a Device is one isolated browser context in it, with its tabs, frames, downloads and logs, and
// implements driver.Device and every capability that makes sense on the web.
//
// The CLI's wiring and the tests open browsers; all other packages see a driver.Device.
//
//	b, err := web.Launch(ctx, web.Options{})
//	defer b.Close()
//	dev, err := b.NewDevice(ctx, web.DeviceOptions{})
//	effect, err := dev.Navigate(ctx, driver.Navigation{URL: "https://example.test"})
//	snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
//
// # How it hangs together
//
// A tab is a page target. A host is a protocol session that has frames in it: the tab's own, and
// one for each frame that the browser put into another process. A frame is a place for documents; a
// document is what is loaded there now, with the isolated world that our page script (package page)
// runs in. Elements are named by (document, number), so a ref can never name an element of another
// document.
//
// # Concurrency
//
// A device embeds its frameSet, which is the floor: tabs, hosts, frames and documents, the lock
// over them (Device.mu) and the broadcast of changes. The lock guards the logs too; it is held for
// moments only and never during a protocol call. Protocol events arrive in order on one goroutine
// and update that state; a waiting call checks its condition again at every broadcast of a change.
// Lock order: Browser.mu, Device.mu, document.mu.
package web
