// Package web drives Chromium-based browsers over the DevTools protocol. A Browser is one process; a
// Device is one isolated browser context in it, with its tabs, frames, downloads and logs, and
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
// A tab is a page target. A host is a protocol session that has frames in it: the tab's own, and one
// for each frame that the browser put into another process. A frame is a place for documents; a
// document is what is loaded there now, with the isolated world that our page script (package page)
// runs in. These four are package frames. Elements are named by (document, number), so a ref can never
// name an element of another document.
//
// # Concurrency
//
// A device stands on its frames.Set: the lock over tabs, hosts, frames and documents, which guards the
// device's own fields and logs too, and the broadcast of changes. The lock is held for moments only
// and never during a protocol call. Lock order: Browser.mu, the lock of the set, that of a document's
// sight.State.
package web
