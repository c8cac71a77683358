// Package driver is what a device is: five methods every driver has (Device), the closed set of things one can do to it
// (Action), what doing it changed (Effect), and optional capabilities found with As.
//
// Tools and the session hold Devices; packages under internal/drivers implement them and pass the drivertest suite.
//
//	if nav, ok := driver.As[driver.Navigator](dev); ok {
//		effect, err := nav.Navigate(ctx, driver.Navigation{URL: "https://example.test"})
//	}
package driver
