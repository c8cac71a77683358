// Package drivertest is what every driver must pass. A driver's test gives a Subject: how to open a device, and how to
// show the suite's scenes on it (the same few screens, told in each platform's own way). Run does the rest.
//
//	func TestConformance(t *testing.T) {
//		drivertest.Run(t, drivertest.Subject{Open: openDevice, Show: showScene})
//	}
//
// Only driver tests import it.
package drivertest
