// Package drivertest is the conformance suite of drivers. A driver's test gives a Subject: how to open a device,
// and how to show the suite's scenes on it (the same few screens, built with each platform's own means). Run does
// the rest.
//
//	func TestConformance(t *testing.T) {
//		drivertest.Run(t, drivertest.Subject{Open: openDevice, Show: showScene})
//	}
//
// Only driver tests import it.
package drivertest
