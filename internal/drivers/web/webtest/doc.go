// Package webtest gives the tests of a package one real browser.
//
// A browser takes longer to start than most tests, and a browser context with its window costs about three times
// the processor time of loading a page. So a package starts one browser, tests that need an unused context call
// Device, and large tables whose cases each load a page of their own borrow one from a Pool, which clears it
// between cases.
//
//	func TestMain(m *testing.M) { goleak.VerifyTestMain(webtest.Closing(m)) }
//
//	func TestTap(t *testing.T) {
//		dev := webtest.Device(t, web.DeviceOptions{})
//		…
//	}
//
// It is for tests only, and safe for concurrent use.
package webtest
